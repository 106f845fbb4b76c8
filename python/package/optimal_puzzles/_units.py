"""A worker of a cluster: it loads solvers, once per process, and searches units."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from . import _native, cube, tiles
from ._solve import Memory
from .results import Result, TableUse

__all__: list[str] = []

#: Subtrees of all units together, if that is enough: each unit cuts the bound anew, which takes milliseconds.
SUBTREES = 1 << 12
#: The most units of a bound.
MOST_UNITS = 1 << 14
#: The units that keep a small cluster busy: so many for each thread, up to a number that is handed out in seconds;
#: on a large one, so many for each thread.
UNITS_PER_THREAD = 32
SOON = 1 << 10
LEAST_PER_THREAD = 4
#: A bound of fewer nodes is searched by one worker: cutting it and handing it out would take longer.
ALONE = 1 << 23
#: How far the next bound is expected to grow, where the last two are no measure.
GROWTH = 8.0
#: The solvers that a process keeps: their tables take memory.
KEPT = 2


@dataclass(frozen=True)
class Tiles:
    """How workers solve boards: the arguments of :class:`optimal_puzzles.tiles.Solver`.

    Attributes:
        heuristic: its name; by default what the first worker can use.
        size: the board.
        goal: the goal.
        fsm: the duplicate strings of moves to prune.
        memory: the budget for tables of each worker process; the same number on all of them, because
            the tables follow from it.
        tables: the directory of tables, on the workers.
    """

    heuristic: str | None = None
    size: str = "4x4"
    goal: str = "blank-first"
    fsm: str | None = None
    memory: Memory = None
    tables: str | None = None

    def _solver(self) -> tiles.Solver:
        return tiles.Solver(
            self.heuristic,
            size=self.size,
            goal=self.goal,
            fsm=self.fsm,
            memory=self.memory,
            tables=self.tables,
            threads=1,
        )


@dataclass(frozen=True)
class Cubes:
    """How workers solve cubes: the arguments of :class:`optimal_puzzles.cube.Solver`.

    Attributes:
        heuristic: its name; by default what the first worker can use.
        metric: ``"htm"`` or ``"qtm"``.
        memory: the budget for tables of each worker process.
        tables: the directory of tables, on the workers.
    """

    heuristic: str | None = None
    metric: str = "htm"
    memory: Memory = None
    tables: str | None = None

    def _solver(self) -> cube.Solver:
        return cube.Solver(
            self.heuristic, metric=self.metric, memory=self.memory, tables=self.tables, threads=1
        )


Method = Union[Tiles, Cubes]

def grain(units: int) -> int:
    """The number of subtrees per unit: more subtrees make units more equal; fewer make splitting faster."""
    return max(4, SUBTREES // units)


_loading = threading.Lock()
_loaded: OrderedDict[Method, tiles.Solver | cube.Solver] = OrderedDict()


def load(method: Method) -> tiles.Solver | cube.Solver:
    """The solver of this process. Missing tables are built by one of the processes that share a directory."""
    with _loading:
        solver = _loaded.get(method)
        if solver is None:
            while len(_loaded) >= KEPT:
                _loaded.popitem(last=False)
            solver = _loaded[method] = method._solver()
        _loaded.move_to_end(method)
        return solver


def prepare(method: Method) -> str:
    """Loads the solver and returns its heuristic."""
    return load(method).heuristic


@dataclass(frozen=True)
class Split:
    """The number of units of a bound. It changes neither answers nor counts.

    Attributes:
        unit_nodes: the approximate number of nodes per unit.
        least_nodes: the smallest size of a unit, used to keep all threads busy.
        units: the number of units that keeps them busy.
        alone: one worker searches bounds of fewer nodes than this, on all cores of its machine.
    """

    unit_nodes: int
    least_nodes: int
    units: int
    alone: int = 0

    @classmethod
    def standard(cls, unit_nodes: int, least_nodes: int, threads: int) -> Split:
        """The default limits for a number of threads."""
        units = max(min(UNITS_PER_THREAD * threads, SOON), LEAST_PER_THREAD * threads)
        return cls(unit_nodes, least_nodes, units, ALONE)

    def count(self, iterations: Sequence[str]) -> int:
        """The number of units for the bound after these iterations."""
        nodes = expected_nodes(iterations)
        return 1 if nodes < self.alone else self.of(nodes)

    def of(self, nodes: float) -> int:
        """The number of units for a bound with the given number of nodes."""
        count = max(nodes / self.unit_nodes, min(nodes / self.least_nodes, self.units))
        return min(max(1, int(count)), MOST_UNITS)


def expected_nodes(iterations: Sequence[str]) -> float:
    """The expected number of nodes of the bound after these iterations."""
    if not iterations:
        return 1.0
    generated = [max(1, json.loads(iteration)["generated"]) for iteration in iterations[-2:]]
    growth = min(max(generated[-1] / generated[0], 2.0), 16.0) if len(generated) == 2 else GROWTH
    return float(growth * generated[-1])


@dataclass(frozen=True)
class Step:
    """A bound divided into units, or the ending.

    Attributes:
        plan: the units; empty if there are none, because the search is over.
        expected: the expected relative cost of each unit (dimensionless).
        iterations: the records of the bounds before.
        tables: the tables that are read.
        ending: of a search that is over: ``solved``, ``longer`` or ``exhausted``, the moves, and the length or bound.
    """

    plan: str
    expected: tuple[float, ...]
    iterations: tuple[str, ...]
    tables: tuple[TableUse, ...] = ()
    ending: tuple[str, str, int] = ("longer", "", 0)


def advance(
    method: Method,
    instance: str,
    iterations: Sequence[str],
    standing: str | None,
    max_depth: int | None,
    split: Split,
) -> Step:
    """Searches the bounds after ``iterations`` here while they are small, and divides the next one into units."""
    solver = load(method)
    done = list(iterations)
    while True:
        bound = _native.unit_bound(solver._native, instance, standing)
        if max_depth is not None and bound > max_depth:
            return Step("", (), tuple(done), solver.tables, ("longer", "", bound))
        units = split.count(done)
        plan, expected = _native.unit_cut(solver._native, instance, standing, units, grain(units))
        iteration = _native.UnitIteration(plan)
        ended = iteration.next()
        if ended is None and iteration.units() > 1:
            return Step(plan, tuple(expected), tuple(done), solver.tables)
        if ended is None:
            # Bounds below the root's value need no search; this is the first one that does.
            found = _native.UnitPlan(plan).search(solver._native, 0, _native.Stop(), alone=True)
            iteration.add(found[0] if found else "")
            ended = iteration.next()
        assert ended is not None
        done.append(iteration.iteration())
        kind, moves, number, standing = ended
        if kind != "longer":
            return Step("", (), tuple(done), solver.tables, (kind, moves, number))


_guard = threading.Lock()
_running: dict[tuple[str, int], _native.Stop] = {}
_halted: OrderedDict[str, int] = OrderedDict()


def run(method: Method, plan: str, units: Sequence[int], search: str) -> list[tuple[int, str]]:
    """Searches some units in order, up to one with a solution. Returns their numbers and outcomes, without units that
    are no longer needed.
    """
    outcomes: list[tuple[int, str]] = []
    shared = _native.UnitPlan(plan)
    for number in units:
        found = run_one(method, shared, number, search)
        if found is not None:
            outcome, solved = found
            outcomes.append((number, outcome))
            if solved:
                break
    return outcomes


def run_one(
    method: Method, plan: _native.UnitPlan, number: int, search: str
) -> tuple[str, bool] | None:
    """The outcome of a unit and whether it holds a solution, or None if it is no longer needed."""
    solver = load(method)
    stop = _native.Stop()
    with _guard:
        if search in _halted and number > _halted[search]:
            return None
        _running[search, number] = stop
    try:
        return plan.search(solver._native, number, stop)
    finally:
        with _guard:
            _running.pop((search, number), None)


def halt(search: str, after: int) -> None:
    """Stops all units of a search after a given one, including those that begin later."""
    with _guard:
        _halted[search] = min(after, _halted.get(search, after))
        while len(_halted) > 256:
            _halted.popitem(last=False)
        for (of, number), stop in _running.items():
            if of == search and number > after:
                stop.stop()


def solve_some(
    method: Method, texts: Sequence[str], max_depth: int | None, time_limit: float | None
) -> list[Result]:
    """Solves some instances of a batch."""
    return load(method).solve_batch(list(texts), max_depth=max_depth, time_limit=time_limit)
