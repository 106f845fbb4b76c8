"""The cluster: a scheduler and workers as processes, on loopback; killed workers, interruptions, refusals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from optimal_puzzles import _native, _units, cube, suites, tiles
from optimal_puzzles.errors import Interrupted, InvalidArgument, InvalidInstance, PuzzleError, TableError
from optimal_puzzles.results import Result

distributed = pytest.importorskip("distributed")

from optimal_puzzles import cluster  # noqa: E402

#: Two boards of Korf's hundred; the second takes seconds with Manhattan distance.
EASY, HARD = (suites.load("korf-100")[number - 1].text for number in (40, 26))
MANHATTAN = cluster.Tiles("md")
#: Some dozens of units for the greatest bounds of these.
UNIT_NODES = 1 << 20


def spawn(role: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A process of the cluster: ``scheduler`` or ``worker``."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *arguments]
    # Threads of a worker search; NumPy's and others' would only compete with them.
    environment = {**os.environ, "DASK_DISTRIBUTED__ADMIN__LOG_FORMAT": "%(message)s"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


class Cluster:
    """A scheduler, its workers, and a client."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.processes = [
            spawn("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        ]
        while not self.file.exists() or not self.file.read_text():
            assert self.processes[0].poll() is None, "the scheduler has ended"
            time.sleep(0.05)
        self.client = distributed.Client(scheduler_file=str(self.file), timeout=120)
        self.workers = [self.worker(), self.worker()]
        self.client.wait_for_workers(2, timeout=120)

    def worker(self) -> subprocess.Popen[bytes]:
        """Begins one more worker."""
        arguments = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        process = spawn("worker", "--scheduler-file", str(self.file), *arguments)
        self.processes.append(process)
        return process

    def close(self) -> None:
        self.client.close()
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.close()


def counts(result: Result) -> list[tuple[int, ...]]:
    """The part of an outcome that does not depend on where units are searched."""
    complete = [iteration for iteration in result.iterations if iteration.complete]
    return [
        (one.bound, one.generated, one.expanded, one.pruned_by_heuristic, one.pruned_by_fsm) for one in complete
    ]


def at_bound(
    solver: tiles.Solver, text: str, bound: int, units: int, grain: int
) -> tuple[str, list[float]]:
    """The plan of the iteration with this bound, as if those before it had been searched."""
    depths = {"generated": 0, "branches": []}
    state = {"iterations": [], "bound": bound, "solutions": [], "last": None, "depths": depths}
    state |= {"part": None, "tree": None}
    plan, expected = _native.unit_cut(solver._native, text, json.dumps(state), units, grain)
    return plan, expected


def outcome(solver: tiles.Solver | cube.Solver, plan: str, unit: int) -> str:
    """The outcome of a unit."""
    found = _native.UnitPlan(plan).search(solver._native, unit, _native.Stop())
    assert found is not None
    return found[0]


def same(ours: Result, theirs: Result) -> None:
    # Units keep the plain order of branches, so they may find another solution of the same length.
    assert (ours.length, ours.proved, ours.lower_bound) == (theirs.length, theirs.proved, theirs.lower_bound)
    # Workers look for no upper bounds. Without a proof, one machine may know a solution.
    if theirs.proved:
        assert (ours.moves is None) == (theirs.moves is None)
        assert ours.to_dict().keys() == theirs.to_dict().keys()
    else:
        assert ours.moves is None
    assert (ours.tables, ours.heuristic, ours.metric) == (theirs.tables, theirs.heuristic, theirs.metric)
    assert counts(ours) == counts(theirs) and len(ours.iterations) == len(theirs.iterations)


def test_units_give_the_answer_of_one_machine(here: Cluster) -> None:
    reports: list[cluster.Progress] = []
    ours = cluster.solve(here.client, EASY, MANHATTAN, unit_nodes=UNIT_NODES, progress=reports.append)
    same(ours, tiles.Solver("md", threads=1).solve(EASY))
    assert ours.threads == 2
    totals = {report.phase: report.total for report in reports}
    assert max(totals.values()) > 8 and all(phase.startswith("bound ") for phase in totals)
    assert any("solution" in report.note for report in reports)


@pytest.mark.parametrize("heuristic", ["korf96", "pdb"])
def test_other_heuristics_and_boards(here: Cluster, heuristic: str) -> None:
    board = tiles.random(1, 5, size="3x4")[0]
    method = cluster.Tiles(heuristic, size="3x4")
    ours = cluster.solve(here.client, board, method, unit_nodes=300)
    same(ours, tiles.Solver(heuristic, size="3x4").solve(board))


#: The first is 15 moves from home or less; the second is the superflip, which all symmetries leave as it is.
SCRAMBLE, SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U D R2 F", "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


@pytest.mark.parametrize(
    ("heuristic", "metric", "moves", "depth"),
    [
        ("square-1", "htm", SCRAMBLE, 12),
        ("square-1", "qtm", SCRAMBLE, 16),
        ("manhattan-max", "htm", SCRAMBLE, 11),
        # Of the first moves that are each other's images one is searched.
        ("square-1", "htm", SUPERFLIP, 11),
        ("square-1", "htm", "U R2 F B R B2 R U2 L B2 R", 12),
    ],
)
def test_cubes(here: Cluster, heuristic: str, metric: str, moves: str, depth: int) -> None:
    method = cluster.Cubes(heuristic, metric=metric)
    theirs = cube.Solver(heuristic, metric=metric, threads=1).solve(moves, max_depth=depth)
    nodes = theirs.iterations[-1].generated // 40
    units: list[int] = []
    ours = cluster.solve(
        here.client, moves, method, max_depth=depth, unit_nodes=nodes, progress=lambda it: units.append(it.total)
    )
    assert max(units) > 8
    same(ours, theirs)
    assert ours.metric == metric


def test_cubes_and_a_killed_worker(here: Cluster) -> None:
    third = here.worker()
    here.client.wait_for_workers(3, timeout=120)
    killed: list[int] = []

    def kill(report: cluster.Progress) -> None:
        if not killed and report.total > 100 and report.done > 3:
            killed.append(report.done)
            third.kill()

    method = cluster.Cubes("square-1")
    ours = cluster.solve(here.client, SCRAMBLE, method, max_depth=14, unit_nodes=1 << 18, progress=kill)
    # On one machine the two-phase search may find a longer solution; the workers look for none.
    theirs = cube.Solver("square-1").solve(SCRAMBLE, max_depth=14)
    assert (ours.lower_bound, ours.moves, counts(ours)) == (theirs.lower_bound, None, counts(theirs))
    assert killed and third.wait() != 0


def test_units_of_a_cube_one_after_the_other() -> None:
    """The last unit first, bound after bound, gives the length of one search."""
    solver = cube.Solver("square-1", threads=1)
    text = "U R2 F B R B2 R U2 L B2 R"
    standing: str | None = None
    while True:
        plan, expected = _native.unit_cut(solver._native, text, standing, 16, 64)
        iteration = _native.UnitIteration(plan)
        assert len(expected) == iteration.units()
        for unit in reversed(range(iteration.units())):
            if iteration.next() is None:
                iteration.add(outcome(solver, plan, unit))
        ended = iteration.next()
        assert ended is not None
        if ended[0] == "solved":
            break
        standing = ended[3]
    assert ended[2] == solver.solve(text).length


def test_bounds_and_trivial_boards(here: Cluster) -> None:
    solved = cluster.solve(here.client, "0 1 2 3 4 5 6 7 8", cluster.Tiles("md", size="3x3"))
    assert (solved.length, solved.moves, solved.proved) == (0, "", True)
    solved = cluster.solve(here.client, cube.solved()[0], cluster.Cubes("square-1"))
    assert (solved.length, solved.moves, solved.proved, solved.metric) == (0, "", True, "htm")
    for depth in (10, 52):
        ours = cluster.solve(here.client, EASY, MANHATTAN, max_depth=depth, unit_nodes=UNIT_NODES)
        theirs = tiles.Solver("md").solve(EASY, max_depth=depth)
        assert (ours.proved, ours.lower_bound, counts(ours)) == (False, theirs.lower_bound, counts(theirs))


def test_a_killed_worker_does_not_change_the_answer(here: Cluster) -> None:
    third = here.worker()
    here.client.wait_for_workers(3, timeout=120)
    killed: list[int] = []

    def kill(report: cluster.Progress) -> None:
        # In the middle of a bound: every worker is searching.
        if not killed and report.total > 20 and report.done > 3:
            killed.append(report.done)
            third.kill()

    ours = cluster.solve(here.client, HARD, MANHATTAN, unit_nodes=UNIT_NODES, progress=kill)
    assert killed and third.wait() != 0 and len(here.client.nthreads()) == 2
    same(ours, tiles.Solver("md").solve(HARD))


@pytest.mark.skipif(os.name == "nt", reason="signals of the process itself end it on Windows")
def test_ctrl_c_stops_the_cluster_with_the_bound(here: Cluster) -> None:
    def interrupt(report: cluster.Progress) -> None:
        if report.phase == "bound 56" and report.done > 1:
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()

    with pytest.raises(Interrupted) as stopped:
        cluster.solve(here.client, HARD, MANHATTAN, unit_nodes=UNIT_NODES, progress=interrupt)
    assert stopped.value.lower_bound == 56 and not stopped.value.results[0].proved
    assert [bound for bound, *_ in counts(stopped.value.results[0])][-1] == 54
    # The workers are free for what comes next.
    assert cluster.solve(here.client, "8 7 6 5 4 3 2 1 0", cluster.Tiles("md", size="3x3")).proved


def test_batches(here: Cluster) -> None:
    suite = suites.load("korf-100")
    some = suite.texts[:12]
    done: list[cluster.Progress] = []
    ours = cluster.solve_batch(here.client, some, cluster.Tiles("lc"), progress=done.append)
    assert [one.length for one in ours] == [one.optimal for one in suite][:12]
    assert done[-1].done == done[-1].total == 12
    shared = cluster.solve_batch(here.client, [EASY, some[0]], MANHATTAN, share_after=0.001, max_depth=48)
    assert [one.lower_bound for one in shared] == [50, 49]
    cubes = cube.apply(cube.solved(), "R U R' U'")
    theirs = cluster.solve_batch(here.client, np.concatenate([cubes, cube.solved()]), cluster.Cubes("manhattan-max"))
    assert [one.length for one in theirs] == [4, 0]


def test_bad_input(here: Cluster) -> None:
    with pytest.raises(InvalidInstance) as error:
        cluster.solve_batch(here.client, [EASY, "1 2 3", "1 0"], MANHATTAN)
    assert {fault.split(":")[0] for fault in error.value.faults} == {"number 1", "number 2"}
    with pytest.raises(InvalidInstance, match="occurs|tiles"):
        cluster.solve(here.client, "1 1 2 3 4 5 6 7 8", cluster.Tiles(size="3x3"))
    with pytest.raises(ValueError, match="expected one board, not 2"):
        cluster.solve(here.client, tiles.random(2, 1))
    with pytest.raises(InvalidArgument, match="best"):
        cluster.solve(here.client, EASY, cluster.Tiles("best"))
    with pytest.raises(ValueError, match="share_after"):
        cluster.solve_batch(here.client, ["R"], cluster.Cubes(), share_after=1.0, time_limit=1.0)
    with pytest.raises(InvalidInstance, match="invalid cube"):
        cluster.solve(here.client, "R X", cluster.Cubes("square-1"))
    with pytest.raises(ValueError, match="expected one cube, not 2"):
        cluster.solve(here.client, cube.random(2, 1), cluster.Cubes("square-1"))


def test_units_of_another_version_or_table_are_refused_by_name(here: Cluster) -> None:
    solver = tiles.Solver("md", threads=1)
    plan, expected = at_bound(solver, EASY, 48, 4, 8)
    assert len(expected) == 4 and min(expected) > 0

    def settings(**change: str | None) -> dict[str, Any]:
        changed = {**dict(json.loads(plan)["settings"]), **change}
        return {"settings": [[name, value] for name, value in changed.items() if value is not None]}

    changed: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"version": "optimal-puzzles 0.0.9"}, InvalidArgument, "units were created by optimal-puzzles 0.0.9"),
        ({"tables": [{"name": "tiles-4x4-fsm-14", "checksum": "beef"}]}, TableError, "tiles-4x4-fsm-14, checksum beef"),
        ({"tables": []}, TableError, "created with 0 tables, not with 1"),
        (settings(heuristic="lc"), InvalidArgument, "created with heuristic lc, not md"),
        (settings(fsm="inverse"), InvalidArgument, "created with fsm inverse, not 14"),
        (settings(goal="1 2"), InvalidArgument, "created with goal 1 2, not 0 1 2"),
        (settings(size=None), InvalidArgument, "created with size nothing, not 4x4"),
    ]
    for change, error, words in changed:
        other = json.dumps({**json.loads(plan), **change})
        with pytest.raises(error, match=words):
            outcome(solver, other, 0)
    # From a worker the same exception arrives.
    with pytest.raises(InvalidArgument, match="created with heuristic md, not lc"):
        here.client.submit(_units.run, cluster.Tiles("lc"), plan, [0], "search").result()
    iteration = _native.UnitIteration(plan)
    for damaged in ("", "{}", "[1]"):
        with pytest.raises(InvalidArgument, match="damaged"):
            iteration.add(damaged)
        with pytest.raises(InvalidArgument, match="damaged"):
            _native.UnitIteration(damaged)
    with pytest.raises(InvalidArgument, match="no unit 9: there are 4"):
        outcome(solver, plan, 9)


def test_outcomes_can_come_in_any_order_and_twice() -> None:
    solver = tiles.Solver("md", threads=1)
    whole = solver.solve(EASY, max_depth=48)
    plan, _ = at_bound(solver, EASY, 48, 7, 16)
    iteration = _native.UnitIteration(plan)
    outcomes = [outcome(solver, plan, unit) for unit in range(iteration.units())]
    for unit in (3, 6, 0, 3, 5, 1, 0, 2):
        assert iteration.next() is None and not iteration.add(outcomes[unit])
    iteration.add(outcomes[4])
    ended = iteration.next()
    assert ended is not None and ended[:3] == ("longer", "", 50)
    record: dict[str, Any] = json.loads(iteration.iteration())
    (last,) = (one for one in whole.iterations if one.bound == 48)
    assert (record["generated"], record["expanded"]) == (last.generated, last.expanded)


def test_halted_units_are_not_searched() -> None:
    solver = tiles.Solver("md", threads=1)
    plan, _ = at_bound(solver, HARD, 60, 2, 8)
    _units.halt("gone", 0)
    assert _units.run(cluster.Tiles("md"), plan, [1], "gone") == []
    # One that is being searched stops in the middle; alone it would take minutes.
    answers: list[list[tuple[int, str]]] = []
    units = [1]
    worker = threading.Thread(target=lambda: answers.append(_units.run(cluster.Tiles("md"), plan, units, "search")))
    worker.start()
    while ("search", 1) not in _units._running:
        time.sleep(0.01)
    _units.halt("search", 0)
    worker.join(60)
    assert answers == [[]]


def test_threads_of_a_process_share_one_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    method = cluster.Tiles("pdb", size="3x4", memory="1GiB")
    made: list[int] = []
    make = cluster.Tiles._solver

    def slow(self: cluster.Tiles) -> tiles.Solver:
        made.append(threading.get_ident())
        time.sleep(0.05)
        return make(self)

    monkeypatch.setattr(cluster.Tiles, "_solver", slow)
    found: list[object] = []
    # Equal methods, as each task brings its own.
    threads = [
        threading.Thread(target=lambda: found.append(_units.load(cluster.Tiles("pdb", size="3x4", memory="1GiB"))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(found) == 8 and all(one is found[0] for one in found)
    assert found[0] is _units.load(method)


def test_bounds_are_divided_into_units() -> None:
    def of(*generated: int) -> int:
        records = [json.dumps({"generated": count}) for count in generated]
        return _units.Split(1000, 100, 16).count(records)

    assert of() == 1
    # Eight times as many nodes are expected; and as many times as the last bounds grew, within limits.
    assert (of(10), of(100), of(1000)) == (1, 8, 16)
    assert of(1, 10_000) == 160 and of(2500, 10_000) == 40 and of(9000, 10_000) == 20
    assert of(1, 10**9) == _units.MOST_UNITS
    # Those that one worker searches at once are not cut.
    standard = _units.Split.standard(1 << 25, 1 << 18, 2)
    few, many = _units.ALONE // 2 - 1, _units.ALONE // 2
    assert standard.count([json.dumps({"generated": count}) for count in (few, few)]) == 1
    assert standard.count([json.dumps({"generated": count}) for count in (many, many)]) == 32


def test_units_are_grouped_into_tasks() -> None:
    # Small units at both ends, as mostly: they are handed out together, the large ones alone.
    expected = [0.01] * 16 + [1.0] * 32 + [0.01] * 16
    tasks = cluster._share(expected, 2)
    assert sorted(unit for task in tasks for unit in task) == list(range(64))
    assert all(task == sorted(task) for task in tasks)
    assert sorted(tasks[:2]) == [list(range(0, 16, 2)), list(range(1, 16, 2))]
    assert sorted(tasks[2:34]) == [[unit] for unit in range(16, 48)]
    assert sorted(tasks[34:36]) == [[48, 50, 52, 54, 56, 58], [49, 51, 53, 55, 57, 59]]
    # In a round the largest goes first.
    assert cluster._share([1.0, 2.0], 8) == [[1], [0]]
    # However many there are, no worker loses more than a few.
    assert max(len(task) for task in cluster._share([1.0] * 10_000, 2)) == 8


def test_a_task_ends_with_a_solution() -> None:
    solver = tiles.Solver("md", threads=1)
    length = solver.solve(EASY).length
    assert length is not None
    plan, expected = at_bound(solver, EASY, length, 8, 16)
    units = list(range(len(expected)))
    outcomes = _units.run(cluster.Tiles("md"), plan, units, "whole")
    iteration = _native.UnitIteration(plan)
    assert [iteration.add(outcome) for _, outcome in outcomes] == [False] * (len(outcomes) - 1) + [True]


def test_the_package_does_not_import_dask() -> None:
    code = """
import sys
import optimal_puzzles
from optimal_puzzles import cube, hanoi, search, suites, tiles
print(any(name in sys.modules for name in ("dask", "distributed", "optimal_puzzles.cluster")))
sys.modules["distributed"] = None
try:
    optimal_puzzles.cluster
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "the cluster needs Dask: pip install optimal-puzzles[cluster]"]
