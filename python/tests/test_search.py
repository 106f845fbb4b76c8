"""Puzzles and heuristics of one's own: against exact distances and known counts."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import program
from hypothesis import given, settings
from hypothesis import strategies as st

from optimal_puzzles import cube, search, tiles
from optimal_puzzles.errors import InvalidArgument, InvalidInstance
from optimal_puzzles.results import read_json_lines

PANCAKES = [[*range(many - 1, -1, -1), *range(many, 7)] for many in range(2, 8)]


def pancakes() -> search.Puzzle:
    return search.Puzzle({f"flip{many}": flip for many, flip in enumerate(PANCAKES, 2)})


def gaps(states: Any) -> Any:
    """Neighbours that do not belong together, the plate included: an admissible heuristic of pancakes."""
    plate = np.full((len(states), 1), states.shape[1])
    return (np.abs(np.diff(np.hstack([states, plate]).astype(int), axis=1)) > 1).sum(axis=1)


def kpuzzle_222() -> dict[str, Any]:
    """The 2x2x2 cube held at one corner, as a KPuzzle, from what our own turns do to the corners."""
    moves = {}
    for face in "URF":
        corners = cube.apply(cube.solved(), face)[0, :8]
        moves[face] = {
            "CORNERS": {"permutation": (corners & 15).tolist(), "orientationDelta": (corners >> 4).tolist()}
        }
    return {
        "name": "2x2x2",
        "orbits": [{"orbitName": "CORNERS", "numPieces": 8, "numOrientations": 3}],
        "defaultPattern": {"CORNERS": {"pieces": list(range(8)), "orientation": [0] * 8}},
        "moves": moves,
    }


def test_exact_distances_of_boards_and_cubes_audit_a_heuristic() -> None:
    boards, distances = tiles.exact(size="3x2")
    assert np.bincount(distances).tolist() == tiles.bfs_counts("3x2")
    manhattan = tiles.Solver("md", size="3x2")
    assert search.audit(manhattan.heuristic_batch, boards, distances).admissible
    some, depths = tiles.exact(2, size="3x3", goal="blank-last")
    assert some[0].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 0] and np.bincount(depths).tolist() == [1, 2, 4]
    cubes, depths = cube.exact(3)
    assert np.bincount(depths).tolist() == cube.bfs_counts(3) == [1, 18, 243, 3240]
    assert len(np.unique(cubes, axis=0)) == len(cubes)


def test_puzzles_are_listed_and_their_groups_are_known() -> None:
    listed = search.builtins()
    assert {entry.example for entry in listed} >= {"2x2x2", "skewb", "m12"}
    assert all(search.Puzzle.builtin(entry.example).points for entry in listed if entry.name != "NxNxN")
    skewb = search.Puzzle.builtin("skewb").group()
    assert skewb is not None and skewb.positions == 3149280 and skewb.proved
    square = search.Puzzle.builtin("square-1").group()
    assert square is not None and (square.shapes, square.positions) == (7356, 11958666854400)
    assert search.Puzzle.builtin("square-1", metric="generators").group() is None
    m12 = search.Puzzle.builtin("m12").group()
    assert m12 is not None and (m12.order, m12.factors) == (95040, "2^6 · 3^3 · 5 · 11")


def test_moves_metrics_and_rotations_are_chosen() -> None:
    names = {
        metric: search.Puzzle.builtin("3x3x3", moves="U", metric=metric).moves
        for metric in ("powers", "inverses", "generators")
    }
    assert names == {"powers": ["U", "U2", "U'"], "inverses": ["U", "U'"], "generators": ["U"]}
    held = search.Puzzle.from_kpuzzle(kpuzzle_222(), metric="inverses", moves="U R", rotations="")
    assert sorted(held.moves) == ["R", "R'", "U", "U'"] and held.rotations == []
    with pytest.raises(InvalidArgument, match="powers, inverses, generators"):
        search.Puzzle([[1, 0]], metric="qtm")


def test_states_are_read_and_written_in_each_form() -> None:
    puzzle = search.Puzzle({"a": [1, 2, 3, 0], "b": [1, 0, 2, 3]})
    rows = puzzle.parse(["a b", "[2,1,3,4]", ""])
    assert rows.shape == (3, 4) and rows[2].tolist() == puzzle.solved.tolist()
    assert np.array_equal(puzzle.parse(puzzle.text(rows), "pattern"), rows)
    with pytest.raises(InvalidInstance, match="number 1"):
        puzzle.parse(["a", "q"])
    with pytest.raises(InvalidArgument, match="permutation"):
        puzzle.parse("a", "facelets")
    assert "a" in puzzle.definition("tws") and puzzle.definition("gap").startswith("a")
    again = search.Puzzle.from_kpuzzle(puzzle.definition(), metric="generators")
    assert again.bfs_counts() == puzzle.bfs_counts()
    with pytest.raises(InvalidArgument, match="kpuzzle, tws, gap"):
        puzzle.definition("svg")


def test_random_states_are_uniform_or_walks() -> None:
    skewb = search.Puzzle.builtin("skewb")
    assert np.array_equal(skewb.random(4, 1), skewb.random(4, 1))
    given = program("puzzle-opt", "random", "skewb", "--count", "4", "--seed", "1").split("\n")[:4]
    assert np.array_equal(skewb.random(4, 1), skewb.parse(given))
    square = search.Puzzle.builtin("square-1")
    assert square.random(3, 1, steps=20).shape == (3, square.points)
    given = program("puzzle-opt", "random", "square-1", "--count", "2", "--seed", "1").split("\n")[:2]
    assert np.array_equal(square.random(2, 1), square.parse(given))
    with pytest.raises(InvalidArgument, match="steps"):
        search.Puzzle.builtin("square-1", metric="generators").random(1, 1)


def test_free_moves_do_not_count() -> None:
    twists = search.Puzzle.builtin("square-1", free="U D")
    assert twists.bfs_counts(2) == [1, 64, 1153]
    assert search.Solver(twists, threads=1).solve("(1,0)/(3,0)/(0,-3)").length == 2
    with pytest.raises(InvalidArgument, match="moves are free"):
        twists.exact(1)


def test_all_solutions_of_a_state_that_is_a_scramble() -> None:
    solver = search.Solver(search.Puzzle.builtin("2x2x2"), threads=1)
    result = solver.solve("R U R' F2")
    assert (result.length, result.moves, result.instance) == (4, "F2 R U' R'", "R U R' F2")
    longer = solver.solve("R2 U2", extra=1)
    assert longer.solutions[0] == longer.moves and len(longer.solutions) == 2
    stacks = search.Puzzle.builtin("pancake-5")
    states, distances = stacks.exact()
    every = search.Solver(stacks, threads=1).solve_batch(states[distances == 5], all=True)
    assert all(result.length == 5 and result.moves == result.solutions[0] for result in every)
    # Of moves with the same effect there is one string.
    assert all(len(result.solutions) == 1 for result in every)
    assert search.Solver(search.Puzzle.builtin("skewb"), [[0, 1]], order="deepest").solve("R U").length == 2
    with pytest.raises(InvalidInstance):
        solver.solve_batch(["R", "Q"])


def test_the_nearest_of_several_goals_is_reached() -> None:
    stack = search.Puzzle.builtin("pancake-6")
    assert search.Solver(stack, goal=["f6", "f4 f6"], threads=1).solve("f3 f5 f2").length == 4
    away = stack.parse("f6")[0]
    assert search.Solver(stack, goal=away, threads=1).solve("f6").length == 0
    corners = search.Puzzle.builtin("2x2x2")
    solver = search.Solver(corners, ignore=["CORNERS:4-7"], threads=1)
    length = solver.solve("R U F2 R'").length
    assert length is not None and length <= 4
    assert repr(solver).endswith("ignore=['CORNERS:4-7'], threads=1)")
    with pytest.raises(InvalidInstance, match="goal"):
        search.Solver(stack, goal="f9")
    with pytest.raises(InvalidArgument, match="orbits are CORNERS"):
        search.Solver(corners, ignore_orientation="EDGES")


def test_quick_solutions_have_a_proved_gap() -> None:
    stack = search.Puzzle.builtin("pancake-13")
    solver = search.Solver(stack, memory="16MiB")
    state = stack.random(1, seed=5)[0]
    quick = solver.solve(state, quick=True)
    assert quick.upper is not None and quick.lower is not None and quick.lower <= quick.upper
    assert np.array_equal(stack.apply(state, quick.moves or "")[0], stack.solved)
    close = solver.solve(state, within=3)
    assert close.gap is not None and close.gap <= 3


def test_known_counts_of_pancakes() -> None:
    assert pancakes().bfs_counts() == [1, 6, 30, 149, 543, 1357, 1903, 1016, 35]
    assert pancakes().bfs_counts(2) == [1, 6, 30]


def test_counts_from_goals() -> None:
    stack = search.Puzzle.builtin("pancake-6")
    assert stack.bfs_counts(1, goal=["f3", "f4"]) == [2, 9]
    assert stack.bfs_counts(1, goal=stack.parse("f3")[0]) == [1, 5]
    cube3 = search.Puzzle.builtin("3x3x3")
    assert cube3.bfs_counts(ignore="CORNERS", alike="EDGES") == [1, 2, 25, 202, 620, 900, 285, 13]
    with pytest.raises(InvalidArgument, match="goals"):
        cube3.bfs_counts(1, goal=["R", "U"], ignore=["EDGES:0-3"])


def test_the_pocket_cube_is_a_kpuzzle() -> None:
    puzzle = search.Puzzle.from_kpuzzle(kpuzzle_222())
    assert puzzle.points == 24 and puzzle.moves == ["F", "F2", "F'", "R", "R2", "R'", "U", "U2", "U'"]
    # The beginning of 1, 9, 54, .., 2644, which add up to 3,674,160.
    assert puzzle.bfs_counts(6) == [1, 9, 54, 321, 1847, 9992, 50136]
    solver = search.Solver(puzzle, [[0, 1, 2, 3], [0, 4, 5, 7]])
    # The seventh corner stays where it is, but it has places among the entries.
    assert [sum(counts) for counts in solver.table_counts] == [7 * 6 * 5 * 4 * 81] * 2
    states = puzzle.random(10, 4)
    values = solver.heuristic_batch(states)
    for state, value, result in zip(states, values, solver.solve_batch(states)):
        assert result.proved and result.length is not None and value <= result.length <= 11
        assert np.array_equal(puzzle.apply(state, result.moves or "")[0], puzzle.solved)


def test_every_state_has_its_exact_length() -> None:
    puzzle = pancakes()
    states, distances = puzzle.exact()
    assert len(states) == 5040 and np.array_equal(np.bincount(distances), puzzle.bfs_counts())
    choices: list[list[list[int]] | None] = [None, [], [[0, 1, 2, 3]], [[0, 1, 2], [4, 5, 6]]]
    for patterns in choices:
        solver = search.Solver(puzzle, patterns, threads=1)
        assert (solver.heuristic_batch(states) <= distances).all()
        chosen = slice(0, None, 101)
        lengths = [result.length for result in solver.solve_batch(states[chosen])]
        assert lengths == distances[chosen].tolist()


def test_generators_without_inverses() -> None:
    puzzle = search.Puzzle([[1, 2, 3, 4, 0], [1, 0, 2, 3, 4]])
    states, distances = puzzle.exact()
    assert len(states) == 120
    solver = search.Solver(puzzle, [[0, 1, 2]], threads=1)
    assert (solver.heuristic_batch(states) <= distances).all()
    assert [result.length for result in solver.solve_batch(states)] == distances.tolist()


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(7)), st.sampled_from([1, 7, 5000]))
def test_batches_find_shortest_solutions(state: list[int], batch: int) -> None:
    puzzle = pancakes()
    found = search.ida_star(puzzle, np.array(state), gaps, batch=batch)
    exact = search.Solver(puzzle, [[0, 1, 2, 3]], threads=1).solve(np.array(state))
    assert found.length == exact.length and found.heuristic == "python"


def test_batches_on_cubes_and_boards() -> None:
    solver = cube.Solver("manhattan-max", threads=1)
    for metric, length in (("htm", 4), ("qtm", 5)):
        other = cube.Solver("manhattan-max", metric=metric, threads=1)
        found = search.ida_star("cube", "R U2 F' D", other.heuristic_batch, metric=metric)
        assert found.length == length == other.solve("R U2 F' D").length
    cubies = cube.parse("R U F")
    assert search.ida_star("cube", cubies, solver.heuristic_batch).length == 3
    board = tiles.random(1, 6, size="3x3")[0]
    manhattan = tiles.Solver("md", size="3x3", threads=1)
    found = search.ida_star("3x3", board, manhattan.heuristic_batch, batch=64)
    assert found.length == manhattan.solve(board).length
    bounded = search.ida_star("3x3", board, manhattan.heuristic_batch, max_depth=4, admissible=True)
    assert not bounded.proved and bounded.lower_bound is not None and bounded.lower_bound > 4
    assert search.ida_star("3x3", board, manhattan.heuristic_batch, max_depth=4).lower_bound == 0


def test_a_length_is_proved_only_if_the_caller_asserts_admissibility_and_no_check_fails() -> None:
    manhattan = tiles.Solver("md", size="3x3", threads=1)
    plain = manhattan.heuristic_batch
    board = tiles.random(10, 2, size="3x3")[1]
    exact = manhattan.solve(board).length
    found = search.ida_star("3x3", board, plain)
    assert (found.length, found.proved, found.lower_bound) == (exact, False, 0)
    assert read_json_lines(found.to_json()) == [replace(found, check=None)]
    found = search.ida_star("3x3", board, plain, admissible=True)
    assert (found.length, found.proved, found.lower_bound) == (exact, True, exact)
    assert found.check is not None and found.check.states > 100 and not found.check.refutes
    assert found.check.inconsistent == 0
    # Twice a lower bound is none: the states around the goal show it.
    double = search.ida_star("3x3", board, lambda rows: 2 * plain(rows).astype(int), admissible=True)
    assert not double.proved and double.check is not None and double.check.inadmissible > 0
    # One that depends on the call, too.
    calls = iter(range(10**9))
    moody = search.ida_star("3x3", board, lambda rows: plain(rows) * (next(calls) % 2), admissible=True, batch=16)
    assert not moody.proved and moody.check is not None and moody.check.changing > 0
    # A lower bound that is not consistent is no fault.
    uneven = search.ida_star("3x3", board, lambda rows: plain(rows) * (rows[:, 0] == 0), admissible=True)
    assert uneven.proved and uneven.length == exact and uneven.check and uneven.check.inconsistent > 0


def test_builtin_puzzles_and_files_are_solved_up_to_free_rotations(tmp_path: Path) -> None:
    puzzle = search.Puzzle.builtin("2x2x2")
    assert puzzle.rotations and puzzle.bfs_counts(4) == [1, 9, 54, 321, 1847]
    states = puzzle.random(4, 1)
    for state, result in zip(states, search.Solver(puzzle).solve_batch(states)):
        assert result.proved and np.array_equal(puzzle.apply(state, result.moves or "")[0], puzzle.solved)
    near, distances = puzzle.exact(2)
    assert np.bincount(distances).tolist() == [1, 9, 54]
    found = search.ida_star(puzzle, near[-1], lambda rows: np.zeros(len(rows)), admissible=True)
    assert found.proved and found.length == 2
    assert np.array_equal(puzzle.apply(puzzle.solved, "[R: U] y2"), puzzle.apply(puzzle.solved, "R U R'"))
    again = pickle.loads(pickle.dumps(puzzle))
    assert again.moves == puzzle.moves
    # The pieces of an orbit look alike.
    lights = search.Puzzle.builtin("lights-out-3x3")
    assert lights.bfs_counts() == [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]
    states, distances = lights.exact()
    values = search.Solver(lights).heuristic_batch(states)
    assert len(states) == 512 and np.array_equal(values, distances)
    path = tmp_path / "three.gap"
    path.write_text("a := (1,2,3); b := (1,2);")
    assert search.Puzzle.from_file(path).bfs_counts() == search.Puzzle.from_file(path, moves="b a").bfs_counts()
    with pytest.raises(InvalidArgument, match="no built-in puzzle"):
        search.Puzzle.builtin("skewbs")


def test_batches_have_limits_threads_and_progress() -> None:
    board = tiles.random(1, 1)[0]
    zero = lambda rows: np.zeros(len(rows))  # noqa: E731
    reports: list[search.Progress] = []
    stopped = search.ida_star("4x4", board, zero, time_limit=0.3, progress=reports.append, admissible=True)
    assert not stopped.proved and stopped.length is None and stopped.lower_bound is not None
    assert reports[-1].done > 0 and reports[-1].phase == "states valued"
    with pytest.raises(InvalidArgument):
        search.ida_star("4x4", board, zero, threads=0)
    puzzle = pancakes()
    for threads in (1, 3):
        found = search.ida_star(puzzle, [4, 2, 0, 5, 3, 1, 6], gaps, threads=threads, admissible=True)
        assert found.proved and found.threads == threads


def test_an_audit_finds_inadmissible_values() -> None:
    puzzle = pancakes()
    states, distances = puzzle.exact()
    good = search.audit(gaps, states, distances, batch=1000)
    assert good.admissible and good.states == 5040 and good.by_distance[8][0] == 35
    wrong = search.audit(lambda rows: gaps(rows) * 1.5, states, distances)
    assert not wrong.admissible
    assert wrong.overestimates[0] == max(wrong.overestimates)
    for number in wrong.inadmissible[:20]:
        assert np.ceil(gaps(states[number : number + 1])[0] * 1.5) > distances[number]
    assert sum(row[3] for row in wrong.by_distance.values()) == len(wrong.inadmissible)


@pytest.mark.parametrize(
    ("heuristic", "message"),
    [
        (lambda rows: np.full(len(rows), np.nan), "is NaN"),
        (lambda rows: np.zeros(len(rows) + 1), "expected values of shape"),
        (lambda rows: ["no"] * len(rows), "no numbers"),
        (lambda rows: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_bad_heuristics_are_named(heuristic: search.Heuristic, message: str) -> None:
    calls = 0

    def late(rows: Any) -> Any:
        nonlocal calls
        calls += 1
        return gaps(rows) if calls < 3 else heuristic(rows)

    with pytest.raises(search.HeuristicError, match=message) as error:
        search.ida_star(pancakes(), np.array([4, 2, 0, 5, 3, 1, 6]), late, batch=1)
    assert error.value.batch == 2
    with pytest.raises(search.HeuristicError, match=message):
        search.audit(heuristic, *pancakes().exact(2))


def test_bad_input() -> None:
    with pytest.raises(InvalidInstance, match="names 0 twice"):
        search.Puzzle([[0, 0, 1]])
    with pytest.raises(InvalidInstance, match="no generators"):
        search.Puzzle([])
    with pytest.raises(InvalidArgument):
        search.Puzzle([[-1, 0]])
    puzzle = pancakes()
    faulty: list[list[list[int]]] = [[[9]], [[1, 1]], [[]], [[-1]]]
    for pieces in faulty:
        with pytest.raises(InvalidArgument):
            search.Solver(puzzle, pieces)
    with pytest.raises(InvalidArgument, match="bytes"):
        search.Solver(puzzle, [[0, 1, 2, 3]], memory=100)
    with pytest.raises(InvalidInstance, match="sticker 1 is missing"):
        search.Solver(puzzle).solve(np.zeros(7, dtype=np.uint8))
    with pytest.raises(ValueError, match=r"\(n, 7\) of stickers"):
        puzzle.expand(np.arange(6))
    with pytest.raises(InvalidInstance, match="not a move"):
        puzzle.apply(puzzle.solved, "flip9")
    with pytest.raises(InvalidInstance, match="not a KPuzzle"):
        search.Puzzle.from_kpuzzle("{}")


def test_counts_do_not_exceed_the_memory() -> None:
    with pytest.raises(Exception, match="exceed the memory"):
        search.Puzzle.from_kpuzzle(kpuzzle_222()).bfs_counts(memory="256KiB")
