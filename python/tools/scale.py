"""The model of docs/scale.md: what a bound takes on many workers, from the times of its units.

``measure`` searches one bound of a board on some numbers of workers, in turns, and writes what each unit and the whole
took. ``predict`` reads that and prints what 1 to 4096 workers take. ``compare`` solves the board on workers with
one thread and on as many threads, in turns, and prints seconds and processor seconds of both. ``idle`` solves it on two
workers, and prints for each bound how much of their time no unit was searched. ``times`` counts the states of Hanoi on
some numbers of workers, in turns.

    python tools/scale.py measure scale.json --workers 1 2
    python tools/scale.py predict scale.json
    python tools/scale.py compare
    python tools/scale.py idle
    python tools/scale.py times
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import statistics
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import dask
from distributed import Client

from optimal_puzzles import _native, _tasks, _units, cluster, suites, tiles

#: The numbers of workers that are predicted.
WORKERS = (1, 2, 16, 256, 4096)


def simulate(units: Iterable[float], workers: int, dispatch: float) -> float:
    """The seconds that a bound takes.

    The scheduler hands out one unit after the other, which takes it ``dispatch`` seconds each; a unit goes to the
    worker that is free first, and takes it its own time.

    Args:
        units: the seconds of each unit, in the order in which they are handed out.
        workers: the number of workers, each with one thread.
        dispatch: seconds of the scheduler and the client for each unit.
    """
    free = [0.0] * workers
    clock = end = 0.0
    for seconds in units:
        clock += dispatch
        done = max(heapq.heappop(free), clock) + seconds
        heapq.heappush(free, done)
        end = max(end, done)
    return end


def sample(measured: Sequence[float], total: float, count: int, seed: int = 1) -> list[float]:
    """The times of ``count`` units that take ``total`` seconds together, with the relative spread of the measured."""
    draw = random.Random(seed)
    drawn = [draw.choice(measured) for _ in range(count)]
    scale = total / sum(drawn)
    return [seconds * scale for seconds in drawn]


def unit_count(seconds: float, workers: int, nodes_per_second: float) -> int:
    """The number of units that ``cluster.solve`` makes of a bound."""
    split = _units.Split.standard(cluster._UNIT_NODES, cluster._LEAST_NODES, workers)
    return split.of(seconds * nodes_per_second)


def _cut(solver: tiles.Solver, text: str, depth: int, units: int) -> tuple[str, list[float]]:
    """The plan of a bound, and the work that is expected of each unit."""
    standing: str | None = None
    while True:
        count = units if _native.unit_bound(solver._native, text, standing) >= depth else 1
        plan, expected = _native.unit_cut(solver._native, text, standing, count, _units.grain(count))
        if count > 1:
            return plan, expected
        iteration = _native.UnitIteration(plan)
        if iteration.next() is None:
            found = _native.UnitPlan(plan).search(solver._native, 0, _native.Stop())
            assert found is not None
            iteration.add(found[0])
        ended = iteration.next()
        assert ended is not None and ended[0] == "longer"
        standing = ended[3]


def measure(
    number: int, depth: int, units: int, counts: Sequence[int], rounds: int, memory: str | None
) -> dict[str, Any]:
    """Searches one bound, cut into the given number of units, on each of the numbers of workers, in turns."""
    text = suites.load("korf-felner-50")[number - 1].text
    runs: list[dict[str, Any]] = []
    with _workers(max(counts), one_process=False) as client:
        client.wait_for_workers(max(counts))
        method = cluster.prepare(client, cluster.Tiles(size="5x5", memory=memory))
        client.run(_units.prepare, method)
        dispatch = []
        for _ in range(5):
            tasks, begun = _tasks.Tasks(client, "nothing"), time.perf_counter()
            for at in range(1000):
                tasks.submit(at, -at, abs, at)
            assert sum(1 for _ in tasks.results()) == 1000
            dispatch.append((time.perf_counter() - begun) / 1000)
        plan, expected = _cut(tiles.Solver(size="5x5", memory=memory), text, depth, units)
        order = [unit for task in cluster._share(expected, 2) for unit in task]
        workers = sorted(client.nthreads())
        for count in [*counts] * rounds:
            tasks, begun = _tasks.Tasks(client, "unit"), time.perf_counter()
            for rank, unit in enumerate(order):
                task = (method, plan, [unit], "measure")
                tasks.submit(unit, -rank, _units.run, *task, workers=workers[:count])
            outcomes = {unit: json.loads(outcome) for _, some in tasks.results() for unit, outcome in some}
            wall = time.perf_counter() - begun
            seconds = [round(outcomes[unit]["seconds"], 4) for unit in order]
            runs.append({"workers": count, "wall": round(wall, 3), "units": seconds})
    return {
        "instance": f"korf-felner-50, number {number}",
        "bound": depth,
        "expected": [expected[unit] for unit in order],
        "generated": [outcomes[unit]["counts"]["generated"] for unit in order],
        "plan_bytes": len(plan),
        "outcome_bytes": len(json.dumps(outcomes[order[0]], separators=(",", ":"))),
        "dispatch": statistics.median(dispatch),
        "runs": runs,
    }


def _processor_seconds(client: Client) -> float:
    """The processor time that the processes of all workers used so far."""
    used = client.run(lambda: (os.getpid(), time.process_time()))
    return sum(dict(used.values()).values())


def _complete(solution: Any) -> list[tuple[int, int, int]]:
    """The bounds and counts of complete iterations, which are the same however the work is shared."""
    iterations = [iteration for iteration in solution.iterations if iteration.complete]
    return [(iteration.bound, iteration.generated, iteration.expanded) for iteration in iterations]


def _workers(count: int, one_process: bool) -> Client:
    """Workers with one thread each: processes, or all of them in this one."""
    return Client(
        n_workers=count,
        threads_per_worker=1,
        processes=not one_process,
        dashboard_address=None,
        memory_limit=0,
    )


def compare(number: int, count: int, rounds: int, memory: str | None, one_process: bool) -> Iterable[str]:
    """Solves a board on workers of one thread each, and on as many threads of this process, in turns."""
    text = suites.load("korf-felner-50")[number - 1].text
    with _workers(count, one_process) as client:
        client.wait_for_workers(count)
        method = cluster.prepare(client, cluster.Tiles(size="5x5", memory=memory))
        client.run(_units.prepare, method)
        solver = tiles.Solver(size="5x5", memory=memory, threads=count)
        for _ in range(rounds):
            used = time.process_time()
            threads = solver.solve(text)
            used_threads = time.process_time() - used
            used = _processor_seconds(client)
            workers = cluster.solve(client, text, method)
            used_workers = _processor_seconds(client) - used
            assert workers.length == threads.length and _complete(workers) == _complete(threads)
            yield f"{count} threads: {threads.seconds:.1f} s, {used_threads:.1f} s of processors, {threads.generated} nodes"
            yield f"{count} workers: {workers.seconds:.1f} s, {used_workers:.1f} s of processors, {workers.generated} nodes"


def idle(number: int, memory: str | None, one_process: bool) -> Iterable[str]:
    """Solves a board on two workers of one thread, and says of each bound where their time went.

    Time that a busy machine takes from a unit counts as work of the unit, so the idle part is meaningful on such a machine too.
    """
    text = suites.load("korf-felner-50")[number - 1].text
    took: dict[str, list[float]] = {"advance": [], "search": []}

    def timed(name: str) -> Any:
        method = getattr(cluster._Search, name)

        def call(*arguments: Any) -> Any:
            begun = time.perf_counter()
            try:
                return method(*arguments)
            finally:
                took[name].append(time.perf_counter() - begun)

        return call

    with _workers(2, one_process) as client:
        client.wait_for_workers(2)
        method = cluster.prepare(client, cluster.Tiles(size="5x5", memory=memory))
        client.run(_units.prepare, method)
        cluster._Search.advance, cluster._Search.search = timed("advance"), timed("search")  # type: ignore[method-assign]
        begun = time.perf_counter()
        result = cluster.solve(client, text, method)
        whole = time.perf_counter() - begun
    shared = result.iterations[len(result.iterations) - len(took["search"]) :]
    for iteration, cut, search in zip(shared, took["advance"], took["search"]):
        unused = 2 * search - iteration.seconds
        yield (
            f"bound {iteration.bound}: cut in {cut:.2f} s, searched in {search:.2f} s, "
            f"units {iteration.seconds:.2f} s, idle {unused:.2f} s ({unused / search / 2:.1%})"
        )
    busy = sum(iteration.seconds for iteration in shared)
    yield f"all: {whole:.2f} s, cutting {sum(took['advance']):.2f} s, idle {1 - busy / whole / 2:.1%} of both workers"


def times(discs: int, counts: Sequence[int], rounds: int) -> Iterable[str]:
    """Counts the states of Hanoi on each of the numbers of workers, in turns: seconds of both phases."""
    for count in [*counts] * rounds:
        begun: dict[str, float] = {}

        def note(report: cluster.Progress) -> None:
            begun.setdefault(report.phase, time.perf_counter())

        with _workers(count, one_process=False) as client:
            client.wait_for_workers(count)
            used = _processor_seconds(client)
            found = cluster.hanoi_counts(client, discs, progress=note)
            over = time.perf_counter()
            used = _processor_seconds(client) - used
        moves, blocks = begun["blocks"] - begun["moves"], over - begun["blocks"]
        yield (
            f"{count} workers, {discs} discs, {found.small} small: times {moves:.1f} s, counts {blocks:.1f} s, "
            f"{used:.1f} s of processors, {found.sent} bytes sent"
        )


def predict(data: dict[str, Any], totals: Sequence[float]) -> list[str]:
    """Lines of a table: for bounds by their seconds on one thread, the times on several numbers of workers."""
    rate = sum(data["generated"]) / min(sum(run["units"]) for run in data["runs"])
    units = min(data["runs"], key=lambda run: run["workers"])["units"]
    lines = []
    for total in totals:
        row = [f"{total:.0f} s"]
        for workers in WORKERS:
            count = unit_count(total, workers, rate)
            took = simulate(sample(units, total, count), workers, data["dispatch"])
            row.append(f"{took:.0f} s ({total / took:.0f})")
        lines.append(" | ".join(row))
    return lines


def main() -> None:
    # As docs/scale.md recommends.
    dask.config.set({"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "500ms"})
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure", "predict", "compare", "idle", "times"])
    parser.add_argument("file", type=Path, nargs="?", default=Path("scale.json"))
    parser.add_argument("totals", nargs="*", type=float, default=[60, 3600, 86_400, 2_592_000])
    parser.add_argument("--number", type=int, default=5)
    parser.add_argument("--bound", type=int, default=98)
    parser.add_argument("--units", type=int, default=128)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="compare: the last one")
    parser.add_argument("--memory", help="for the tables of each process, such as 512MiB")
    parser.add_argument("--discs", type=int, default=18)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one-process", action="store_true", help="compare, idle: all workers in one process")
    arguments = parser.parse_args()
    lines = {
        "compare": lambda: compare(
            arguments.number, arguments.workers[-1], arguments.rounds, arguments.memory, arguments.one_process
        ),
        "idle": lambda: idle(arguments.number, arguments.memory, arguments.one_process),
        "times": lambda: times(arguments.discs, arguments.workers, arguments.rounds),
    }
    if arguments.command in lines:
        for line in lines[arguments.command]():
            print(line, flush=True)
        return
    if arguments.command == "measure":
        data = measure(
            arguments.number,
            arguments.bound,
            arguments.units,
            arguments.workers,
            arguments.rounds,
            arguments.memory,
        )
        arguments.file.write_text(json.dumps(data))
    data = json.loads(arguments.file.read_text())
    for run in data["runs"]:
        took = simulate(run["units"], run["workers"], data["dispatch"])
        print(f"{run['workers']} workers: {run['wall']:.1f} s, simulated {took:.1f} s, units {sum(run['units']):.1f} s")
    print("\n".join(predict(data, arguments.totals)))


if __name__ == "__main__":
    main()
