"""The solvers on a cluster, by Dask.distributed (``pip install optimal-puzzles[cluster]``).

Dask's scheduler and workers may be started in any way (Slurm, Kubernetes, SSH, by hand). The package must be
installed on each worker, in the same version. Start one worker process per node with as many threads as cores: its
threads share one copy of the tables, and each searches a unit of its own. Tables are read and verified, not mapped,
because bytes of a mapping that the system reads again later would not be verified.

:func:`solve` searches one hard board or cube on all workers, bound after bound. A bound is divided into units, a few
of which form a task; answers and the counts of complete iterations are those of one machine. A worker that dies loses
only the tasks that it is running. :func:`solve_batch` solves many instances, one on each thread. :func:`hanoi_counts`
counts all states of the Towers of Hanoi by distance, in the memory of all workers together.

>>> from distributed import Client
>>> from optimal_puzzles import cluster
>>> with Client(n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
...     cluster.solve(client, "8 7 6 5 4 3 2 1 0", cluster.Tiles(size="3x3")).length
28
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from . import __version__, _native, _units, cube, tiles
from ._counting import Counting, TowerCounts
from ._progress import Progress, ProgressArgument, reporter
from ._tasks import Tasks, nthreads, result, silent, threads
from ._solve import Directory, Memory
from ._units import Cubes, Method, Split, Step, Tiles
from .errors import Interrupted
from .results import Iteration, Result, TableUse

if TYPE_CHECKING:
    from distributed import Client

    Report = Callable[[str, str, int], None] | None

_Method = TypeVar("_Method", bound=Method)

__all__ = ["Cubes", "Progress", "Tiles", "TowerCounts", "hanoi_counts", "prepare", "solve", "solve_batch"]

#: The nodes of a unit: some seconds of work.
_UNIT_NODES = 1 << 25
#: The fewest, where units would otherwise be too few to keep all threads busy.
_LEAST_NODES = 1 << 18
#: The share of the expected work left that all threads get at once, if it is at least a unit for each.
_ROUND = 1 / 16
#: The most units of a task, all of which are lost with its worker.
_MOST_TOGETHER = 8
#: The nodes of a task whose units are small: some tenths of a second.
_TASK_NODES = 1 << 20
#: Tasks of a batch for each thread.
_CHUNKS_PER_THREAD = 8


def prepare(client: Client, method: _Method) -> _Method:
    """Loads the tables of a method on one worker of each node, which builds those that are missing.

    The other workers read these tables with their first unit. :func:`solve` and :func:`solve_batch` call this.

    Returns:
        The method, with the best heuristic for the first worker if it named none.

    Raises:
        TableError: for a table that is damaged or of another version.
    """
    client.wait_for_workers(1)
    nodes = list({address.rsplit(":", 1)[0]: address for address in nthreads(client)}.values())
    token = uuid4().hex
    named = replace(method, heuristic=result(client, _units.prepare, method, key=f"tables-{token}"))
    others = [
        client.submit(
            _units.prepare, named, key=f"tables-{at}-{token}", workers=[node], allow_other_workers=True
        )
        for at, node in enumerate(nodes)
    ]
    client.gather(others)
    return named


def solve(
    client: Client,
    instance: Any,
    method: Method = Tiles(),
    *,
    max_depth: int | None = None,
    unit_nodes: int | None = None,
    progress: ProgressArgument = None,
) -> Result:
    """A shortest solution of one board or cube, searched on all workers.

    Small bounds are searched by one worker, on all cores of its machine. A greater one is divided into units, which
    are submitted in search order, several small ones per task. A solution stops the units after its own, and is
    returned when those before it are done: it is the one that a single machine finds. Dask's dashboard shows the task
    that begins with unit 7 of bound 42 as ``bound-42-7``.

    Workers may come and go. If none is left, the search waits for the next one.

    Args:
        client: the client of the cluster.
        instance: a string, or an array: a board of shape ``(cells,)``, a cube of shape ``(20,)`` or ``(54,)``.
        method: how workers search: :class:`Tiles` or :class:`Cubes`.
        max_depth: give up once every solution is proved longer than this many moves.
        unit_nodes: the approximate number of nodes per unit; by default some seconds of work, less if there would be
            too few units to keep all threads busy.
        progress: how to report the finished units of a bound.

    Returns:
        The result. The seconds of an iteration are the sum over its units.

    Raises:
        InvalidInstance: with everything that is wrong with the instance.
        InvalidArgument, TableError: if a worker has another version or other tables than the one that divided the
            bound.
        Interrupted: at Ctrl-C, with the bound proved by then.
    """
    (text,) = _texts([instance], method)
    return _Search(client, text, method, max_depth, unit_nodes, reporter(progress)).run()


def solve_batch(
    client: Client,
    instances: Any,
    method: Method,
    *,
    max_depth: int | None = None,
    time_limit: float | None = None,
    share_after: float | None = None,
    progress: ProgressArgument = None,
) -> list[Result]:
    """A shortest solution of each instance, in order; each is searched by one thread of a worker.

    Args:
        client: the client of the cluster.
        instances: strings, or an array: boards of shape ``(n, cells)``, cubes of shape ``(n, 20)`` or ``(n, 54)``.
        method: how workers search.
        max_depth: give up on an instance once its solutions are proved longer than this many moves.
        time_limit: give up on an instance after this many seconds, with the bound proved by then.
        share_after: an instance that takes longer than this many seconds is searched on all workers, as by
            :func:`solve`, after the others.
        progress: how to report the finished instances.

    Raises:
        InvalidInstance: before any search, with the faults of all instances.
        Interrupted: at Ctrl-C, with the results of the first instances.
    """
    if share_after is not None and time_limit is not None:
        raise ValueError("share_after and time_limit cannot be combined")
    texts = _texts(instances, method)
    method = prepare(client, method)
    chunk = max(1, len(texts) // (_CHUNKS_PER_THREAD * threads(client)))
    starts = range(0, len(texts), chunk)
    limit = time_limit if share_after is None else share_after
    results: dict[int, Result] = {}
    report = reporter(progress) or silent
    report("begin", "instances", len(texts))
    tasks = Tasks(client, "instances")
    try:
        for start in starts:
            tasks.submit(start, -start, _units.solve_some, method, texts[start : start + chunk], max_depth, limit)
        for start, some in tasks.results():
            results.update(zip(range(start, len(texts)), some))
            report("update", "", len(results))
        for at, text in enumerate(texts):
            beyond = results[at].lower_bound
            if share_after is not None and not results[at].proved:
                if beyond is not None and (max_depth is None or beyond <= max_depth):
                    report("note", f"instance {at} is searched on all workers", 0)
                    results[at] = _Search(client, text, method, max_depth, None, None).run()
    except KeyboardInterrupt:
        first = [results[at] for at in range(len(texts)) if all(before in results for before in range(at + 1))]
        raise Interrupted(first) from None
    finally:
        tasks.cancel()
        report("end", "", 0)
    return [results[at] for at in range(len(texts))]


def hanoi_counts(
    client: Client,
    discs: int,
    *,
    small: int | None = None,
    memory: Memory = None,
    checkpoints: Directory = None,
    checkpoint_every: float | None = None,
    progress: ProgressArgument = None,
) -> TowerCounts:
    """The number of states of the four-peg Towers of Hanoi at each distance from all discs on one peg.

    The counts are those of :func:`optimal_puzzles.hanoi.bfs_counts`, but the memory is that of all workers together: each
    worker process owns a range of the blocks, and counts their states on all of its threads. So start one process per node.

    When a worker is lost, the others continue from the last checkpoint, and with any that have come since; if there is none,
    from the beginning. Dask's dashboard shows the step of owner 3 at time 70 as a task ``time-70-3``.

    Args:
        client: the client of the cluster.
        discs: the number of discs, 8 to 26.
        small: the number of small discs, 7 to 14: each additional one halves the total memory of all workers and
            quadruples a table in each of them. By default the fastest that the memory allows.
        memory: the budget of each worker, in bytes or such as ``"4GiB"``; by default three quarters of the memory of
            the smallest worker.
        checkpoints: a directory that all workers and the client can access by this path. If it has a checkpoint of
            the same search, the search resumes from it. At the end only the counts remain in it.
        checkpoint_every: seconds between two checkpoints; by default ten plus twenty times the duration of one.
        progress: how to report the depths reached, and then the blocks counted.

    Raises:
        InvalidArgument: for numbers out of range, too little memory, or a directory of another search.
        KeyboardInterrupt: at Ctrl-C; the last checkpoint is then intact.
    """
    return Counting(client, discs, small, memory, checkpoints, checkpoint_every, reporter(progress)).run()


def _texts(instances: Any, method: Method) -> list[str]:
    """The instances as strings, all of them valid."""
    if isinstance(method, Tiles):
        texts = tiles._board_texts(instances, method.size)
        tiles.parse(texts, size=method.size, goal=method.goal)
    else:
        texts = cube._cube_texts(instances)
        cube.parse(texts)
    return texts


class _Search:
    """The search for one instance."""

    def __init__(
        self,
        client: Client,
        text: str,
        method: Method,
        max_depth: int | None,
        unit_nodes: int | None,
        report: Report,
    ) -> None:
        self.client, self.text, self.method, self.max_depth = client, text, method, max_depth
        self.unit_nodes = unit_nodes
        self.report = report or silent
        self.begun = time.perf_counter()
        self.name = uuid4().hex
        self.iterations: list[str] = []
        self.tables: tuple[TableUse, ...] = ()
        self.proved: int | None = 0

    def run(self) -> Result:
        self.method = prepare(self.client, self.method)
        step = self.advance("first", None)
        try:
            while step.plan:
                iteration = _native.UnitIteration(step.plan)
                self.proved = iteration.bound()
                self.search(step, iteration)
                ended = iteration.next()
                assert ended is not None
                self.iterations.append(iteration.iteration())
                kind, moves, number, standing = ended
                if kind != "longer":
                    return self.result((kind, moves, number))
                step = self.advance(str(number), standing)
        except KeyboardInterrupt:
            raise Interrupted([self.result(("longer", "", self.proved or 0))]) from None
        return self.result(step.ending)

    def advance(self, bound: str, standing: str | None) -> Step:
        """The step after a bound: the units of the next one, or the end."""
        split = Split.standard(_UNIT_NODES, _LEAST_NODES, threads(self.client))
        if self.unit_nodes is not None:
            split = Split(self.unit_nodes, self.unit_nodes, 1)
        arguments = (self.method, self.text, self.iterations, standing, self.max_depth, split)
        key = f"cut-{bound}-{self.name}"
        step: Step = result(self.client, _units.advance, *arguments, key=key)
        self.iterations, self.tables = list(step.iterations), step.tables
        return step

    def search(self, step: Step, iteration: _native.UnitIteration) -> None:
        """Searches the units of a bound; when one finds a solution, those that cannot change the answer are cancelled."""
        search, units = f"{self.name}-{iteration.bound()}", iteration.units()
        self.report("begin", f"bound {iteration.bound()}", units)
        tasks = Tasks(self.client, f"bound-{iteration.bound()}")
        last, done = units - 1, 0
        try:
            nodes = _units.expected_nodes(step.iterations) / units
            together = max(1, min(int(_TASK_NODES / nodes), _MOST_TOGETHER))
            for rank, task in enumerate(_share(step.expected, threads(self.client), together)):
                tasks.submit(task[0], -rank, _units.run, self.method, step.plan, task, search)
            for _, outcomes in tasks.results():
                for unit, outcome in outcomes:
                    if iteration.add(outcome) and unit < last:
                        last = unit
                        self.report("note", f"a solution of {iteration.bound()} moves", 0)
                        if iteration.next() is not None:
                            # The units before it need not be finished: `finally` stops them.
                            return
                        tasks.cancel(lambda first: first > last)
                        self.halt(search, last)
                done += len(outcomes)
                self.report("update", "", done)
        finally:
            if tasks.cancel():
                self.halt(search, -1)
            self.report("end", "", 0)

    def halt(self, search: str, after: int) -> None:
        """Tells the workers to stop their units. Does not wait, since some may be unreachable."""

        async def tell() -> None:
            try:
                await self.client._run(_units.halt, search, after, on_error="ignore")
            except Exception:  # noqa: BLE001
                return  # These units run to their ends, and nothing waits for them.

        self.client.loop.add_callback(tell)

    def result(self, ending: tuple[str, str, int]) -> Result:
        kind, moves, number = ending
        iterations = tuple(Iteration._of(json.loads(record)) for record in self.iterations)
        solved = kind == "solved"
        return Result(
            instance=self.text,
            length=number if solved else None,
            moves=moves if solved else None,
            proved=solved,
            lower_bound=None if kind == "exhausted" else number,
            upper_bound=number if solved else None,
            iterations=iterations,
            tables=self.tables,
            metric="moves" if isinstance(self.method, Tiles) else self.method.metric,
            heuristic=str(self.method.heuristic),
            generated=sum(iteration.generated for iteration in iterations),
            expanded=sum(iteration.expanded for iteration in iterations),
            seconds=time.perf_counter() - self.begun,
            threads=threads(self.client),
            seed=None,
            version=f"optimal-puzzles {__version__}",
        )


def _share(expected: Sequence[float], threads: int, together: int = _MOST_TOGETHER) -> list[list[int]]:
    """The units of each task, at most a given number per task, in the order of submission.

    The order is that of the search, because everything before a solution must be searched and nothing after it: in
    each round, every thread gets each ``threads``-th of the next units. A round is a share of the remaining expected
    work, so small units are grouped, large ones are alone, and the last tasks are small. Within a round the largest
    comes first.
    """
    tasks, start, left = [], 0, sum(expected)
    least = left * _ROUND
    while start < len(expected):
        end, work, most = start, 0.0, max(left, least) * _ROUND
        while end < min(start + together * threads, len(expected)):
            if end >= start + threads and work + expected[end] > most:
                break
            work += expected[end]
            end += 1
        some = [list(range(first, end, threads)) for first in range(start, min(start + threads, end))]
        tasks += sorted(some, key=lambda task: -sum(expected[unit] for unit in task))
        start, left = end, left - work
    return tasks
