"""The tasks that the programs export, read and solved by planners from PyPI and by a search of our own."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest
from conftest import program


def export(name: str, folder: Path, *arguments: str) -> None:
    program(name, "export", *arguments, "--out", str(folder))


class Sas:
    """A reader of SAS+ and a breadth-first search, by the definition of the format alone."""

    def __init__(self, text: str) -> None:
        lines = iter(text.splitlines())

        def expect(*expected: str) -> None:
            for line in expected:
                assert next(lines) == line

        def pairs(count: int) -> list[tuple[int, int]]:
            return [(int(a), int(b)) for a, b in (next(lines).split() for _ in range(count))]

        expect("begin_version", "3", "end_version", "begin_metric")
        self.has_costs = next(lines) == "1"
        expect("end_metric")
        self.sizes = []
        for _ in range(int(next(lines))):
            expect("begin_variable")
            next(lines)
            expect("-1")
            self.sizes.append(int(next(lines)))
            for _ in range(self.sizes[-1]):
                assert next(lines).startswith("Atom ")
            expect("end_variable")
        expect("0", "begin_state")
        self.initial = tuple(int(next(lines)) for _ in self.sizes)
        expect("end_state", "begin_goal")
        self.goal = pairs(int(next(lines)))
        expect("end_goal")
        self.operators = []
        for _ in range(int(next(lines))):
            expect("begin_operator")
            next(lines)
            conditions, effects = pairs(int(next(lines))), []
            for _ in range(int(next(lines))):
                count, *numbers = (int(number) for number in next(lines).split())
                when = [(numbers[2 * i], numbers[2 * i + 1]) for i in range(count)]
                variable, before, after = numbers[2 * count :]
                if before >= 0:
                    conditions.append((variable, before))
                effects.append((when, variable, after))
            cost = int(next(lines))
            self.operators.append((conditions, effects, cost if self.has_costs else 1))
            expect("end_operator")
        expect("0")
        assert next(lines, None) is None

    def length(self) -> int | None:
        """The least cost of a plan; costs are 0 or 1."""
        queue, done = deque([(0, self.initial)]), set[tuple[int, ...]]()
        while queue:
            cost, state = queue.popleft()
            if all(state[variable] == value for variable, value in self.goal):
                return cost
            if state in done:
                continue
            done.add(state)
            for conditions, effects, price in self.operators:
                if any(state[variable] != value for variable, value in conditions):
                    continue
                after = list(state)
                for when, variable, value in effects:
                    if all(state[v] == w for v, w in when):
                        after[variable] = value
                reached = (cost + price, tuple(after))
                if price:
                    queue.append(reached)
                else:
                    queue.appendleft(reached)
        return None


TASKS = [
    ("tile24", ("3 1 2 4 0 5", "--size", "2x3")),
    ("tile24", ("1 4 2 3 0 5 6 7 8", "--goal", "blank-first")),
    ("hanoi4", ("--discs", "4")),
    ("hanoi4", ("--discs", "3", "--pegs", "3", "--from", "021")),
    ("puzzle-opt", ("2x2x2", "R")),
    ("puzzle-opt", ("3x3x3", "U2 R2 U2", "--moves", "U2 R2", "--rotations", "")),
    ("puzzle-opt", ("pyraminx", "U R'", "--rotations", "")),
]


def solved(name: str, arguments: tuple[str, ...]) -> int:
    """The length by the program itself."""
    return int(program(name, "solve", *arguments).split()[0])


@pytest.mark.parametrize(("name", "arguments"), TASKS)
def test_sas_has_plans_of_the_length_of_solutions(
    name: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    export(name, tmp_path, *arguments, "--language", "sas")
    assert Sas((tmp_path / "output.sas").read_text()).length() == solved(name, arguments)


@pytest.mark.parametrize(("name", "arguments"), [task for task in TASKS if task[0] != "puzzle-opt"])
def test_pyperplan_finds_plans_of_the_length_of_solutions(
    name: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    planner = pytest.importorskip("pyperplan.planner")
    export(name, tmp_path, *arguments)
    plan = planner.search_plan(
        str(tmp_path / "domain.pddl"),
        str(tmp_path / "problem.pddl"),
        planner.SEARCHES["astar"],
        planner.HEURISTICS["hmax"],
    )
    assert len(plan) == solved(name, arguments)


@pytest.mark.parametrize(("name", "arguments"), [task for task in TASKS if task[0] == "puzzle-opt"])
def test_unified_planning_reads_and_simulates_puzzles(
    name: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    reader = pytest.importorskip("unified_planning.io")
    shortcuts = pytest.importorskip("unified_planning.shortcuts")
    export(name, tmp_path, *arguments)
    problem = reader.PDDLReader().parse_problem(str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl"))
    # The solution, move by move; a move of another name may be the same one for a puzzle held in another way.
    names = [move.replace("'", "-inverse").lower() for move in program(name, "solve", *arguments).split()[1:]]
    actions = {action.name.lower(): action for action in problem.actions}
    with shortcuts.SequentialSimulator(problem) as simulator:
        state = simulator.get_initial_state()
        assert not simulator.is_goal(state)
        for move in names:
            state = simulator.apply(state, actions[move])
        rotations = [action for known, action in actions.items() if known[0] in "xyz"]
        states = [state]
        for _ in range(3 if rotations else 0):
            states += [simulator.apply(known, rotation) for known in states for rotation in rotations]
        assert any(simulator.is_goal(known) for known in states)
