"""A complete search of Hanoi on a cluster: the client.

Each worker owns a range of blocks. Time advances by one move in each step: every owner processes its corners of that
time and sends a message to each other owner, from worker to worker. The tasks of several steps are submitted at once,
because no decision is needed between them. When no owner has corners left, the owners count the states of their
blocks, some blocks in each task.

When a worker is lost, all owners are dropped, and new ones on the remaining workers continue from the last
checkpoint: files of one time, by all owners. The client keeps the counts of blocks, so they are not lost.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from . import __version__, _native, _owners
from ._owners import Place, State
from ._solve import Directory, Memory, size
from ._tasks import TRIES, CancelledError, is_lost, nthreads, silent, wait
from .errors import InvalidArgument, PuzzleError

if TYPE_CHECKING:
    from distributed import Client, Future

    Report = Callable[[str, str, int], None]

__all__: list[str] = []

#: Seconds between two looks for workers that are gone.
_LOOK = 0.5
#: Seconds that small results may take to arrive.
_GATHER = 5.0
#: Steps that are handed out at once: as many as take about this many seconds, within limits.
_WINDOW_SECONDS = 1.0
_MOST_STEPS = 64
#: The states of a task that counts.
_STATES = 1 << 33
#: The least number of tasks for each owner that count, if it has as many blocks.
_COUNTS_PER_OWNER = 16
#: Seconds between checkpoints that cost nothing, and how much of the time writing may take.
_INTERVAL = 10.0
_SHARE = 20
_MANIFEST = "checkpoint.json"


@dataclass(frozen=True)
class TowerCounts:
    """The states of a complete search, by depth.

    Attributes:
        discs: the number of discs.
        states: the number of states at each distance, in moves, from all discs on one peg.
        orbits: the number of states up to permutations of the three other pegs.
        length: the distance between two pegs' towers, in moves.
        small: the number of small discs: a block has 4 ** small states.
        owners: the number of workers that shared the search at the end.
        sent: the bytes that workers sent each other since the search last started from a checkpoint, or from the
            beginning.
        lost: the number of times that the search resumed from a checkpoint because a worker was lost.
        seconds: the time, without that of searches that were interrupted before.
    """

    discs: int
    states: tuple[int, ...]
    orbits: tuple[int, ...]
    length: int
    small: int
    owners: int
    sent: int
    lost: int
    seconds: float

    @property
    def radius(self) -> int:
        """The greatest distance, in moves."""
        return len(self.states) - 1

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dict."""
        return asdict(self)


@dataclass
class _Counted:
    """The counts so far: disjoint ranges of blocks, and the sums of their counts."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    orbits: list[int] = field(default_factory=list)

    def add(self, first: int, end: int, counts: tuple[Sequence[int], Sequence[int]]) -> None:
        self.states, self.orbits = (_sum(old, new) for old, new in zip((self.states, self.orbits), counts))
        ranges: list[tuple[int, int]] = []
        for start, stop in sorted([*self.ranges, (first, end)]):
            if ranges and ranges[-1][1] == start:
                ranges[-1] = (ranges[-1][0], stop)
            else:
                ranges.append((start, stop))
        self.ranges = ranges

    def missing(self, first: int, end: int) -> Iterable[tuple[int, int]]:
        """The parts of a range that have not been counted."""
        for start, stop in self.ranges:
            if first < min(start, end):
                yield first, min(start, end)
            first = max(first, stop)
        if first < end:
            yield first, end

    def blocks(self) -> int:
        return sum(stop - start for start, stop in self.ranges)


def _sum(one: Sequence[int], other: Sequence[int]) -> list[int]:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    return [value + (shorter[at] if at < len(shorter) else 0) for at, value in enumerate(longer)]


class _Lost(Exception):
    """A worker was lost."""


class _Checkpoints:
    """A directory that all workers and the client can access: files of times, and the names of the last ones."""

    def __init__(self, directory: Path, every: float | None) -> None:
        self.directory, self.every = directory, every
        self.files: list[str] = []
        self.saved, self.cost = time.monotonic(), 0.0

    def read(self, discs: int) -> dict[str, Any] | None:
        """The last checkpoint, if there is one."""
        try:
            text = (self.directory / _MANIFEST).read_text()
        except FileNotFoundError:
            if self.directory.is_dir() and any(self.directory.iterdir()):
                raise InvalidArgument(f"{self.directory} holds other files than a search's checkpoints") from None
            return None
        checksum, _, body = text.partition("\n")
        if hashlib.sha256(body.encode()).hexdigest() != checksum:
            raise InvalidArgument(f"{self.directory / _MANIFEST} is damaged", (), "use another directory")
        found: dict[str, Any] = json.loads(body)
        for name, here in (("version", __version__), ("discs", discs)):
            if found[name] != here:
                raise InvalidArgument(f"{self.directory} has a search of {name} {found[name]}, not {here}")
        self.files = found["files"]
        return found

    def is_due(self) -> bool:
        every = self.every if self.every is not None else _INTERVAL + _SHARE * self.cost
        return time.monotonic() - self.saved >= every

    def path(self, moment: int, number: int) -> str:
        return str(self.directory / f"times-{moment}-{number}-{uuid4().hex[:8]}")

    def write(self, content: dict[str, Any], files: Sequence[str]) -> None:
        """Replaces the last checkpoint, then removes the files that only the old one named."""
        self.directory.mkdir(parents=True, exist_ok=True)
        names = [Path(file).name for file in files]
        body = json.dumps({**content, "version": __version__, "files": names})
        partial = self.directory / f"{_MANIFEST}.partial"
        with partial.open("w") as file:
            file.write(f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self.directory / _MANIFEST)
        self.files, self.saved = names, time.monotonic()
        for old in self.directory.glob("times-*"):
            if old.name not in names:
                old.unlink(missing_ok=True)

    def paths(self) -> list[str]:
        return [str(self.directory / name) for name in self.files]


class Counting:
    """A complete search."""

    def __init__(
        self,
        client: Client,
        discs: int,
        small: int | None,
        memory: Memory,
        checkpoints: Directory,
        checkpoint_every: float | None,
        report: Report | None,
    ) -> None:
        self.client, self.discs, self.small, self.memory = client, discs, small, size(memory)
        self.report = report or silent
        self.begun = time.monotonic()
        self.search, self.generation = uuid4().hex, 0
        self.counted, self.sent, self.moment, self.window, self.presumed = _Counted(), 0, 0, 8, 0
        self.length: int | None = None
        self.places: dict[Place, str] = {}
        self.states: list[State] = []
        self.saved: _Checkpoints | None = None
        if checkpoints is not None:
            self.saved = _Checkpoints(Path(checkpoints).absolute(), checkpoint_every)
            self._resume(self.saved)

    def _resume(self, saved: _Checkpoints) -> None:
        found = saved.read(self.discs)
        if found is None:
            return
        if self.small not in (None, found["small"]):
            raise InvalidArgument(f"{saved.directory} has a search with {found['small']} small discs, not {self.small}")
        self.small, self.length, self.moment = found["small"], found["length"], found["time"]
        self.counted = _Counted([(a, b) for a, b in found["ranges"]], found["states"], found["orbits"])

    def run(self) -> TowerCounts:
        blocks = self._share([2])[0] if self.small is not None else 0
        failures, owners = 0, 0
        try:
            while self.counted.blocks() < blocks or not blocks:
                workers: tuple[str, ...] = ()
                try:
                    self.client.wait_for_workers(1)
                    workers = tuple(sorted(nthreads(self.client)))
                    blocks = self._begin(workers)
                    owners = len(workers)
                    self._search()
                    self._count(blocks)
                except _Lost as lost:
                    # A generation that fails although no worker was lost could fail forever.
                    failures = 0 if set(workers) - set(nthreads(self.client)) else failures + 1
                    if failures >= TRIES:
                        raise PuzzleError(
                            "the workers failed too many times in a row",
                            (),
                            "start the search again; with checkpoints=, it resumes from the last checkpoint",
                        ) from lost
                    self.generation += 1
                    self.report("note", f"a worker is gone: going on from time {self._last()}", 0)
        finally:
            self._drop()
        assert self.length is not None and self.small is not None
        if self.saved is not None:
            self._write(self.saved, [])
        return TowerCounts(
            discs=self.discs,
            states=tuple(self.counted.states),
            orbits=tuple(self.counted.orbits),
            length=self.length,
            small=self.small,
            owners=owners,
            sent=self.sent,
            lost=self.generation,
            seconds=time.monotonic() - self.begun,
        )

    def _last(self) -> int:
        """The time of the last checkpoint, in moves."""
        return self.moment if self.saved is not None and self.saved.files else 0

    def _share(self, threads: Sequence[int]) -> tuple[int, int]:
        """The number of blocks, and the presumed length; chooses the number of small discs."""
        memory = self.memory or str(1 << 62)
        self.small, blocks, _, presumed = _native.tower_sharing(
            self.discs, self.small, len(threads), max(threads), memory
        )
        return blocks, presumed

    def _begin(self, workers: Sequence[str]) -> int:
        """Makes an owner on each worker, from the last checkpoint. Returns the number of blocks."""
        threads = nthreads(self.client)
        self.places = {
            Place(self.search, self.generation, number, len(workers)): worker
            for number, worker in enumerate(workers)
        }
        if self.memory is None:
            free = self._wait([self._submit(place, "memory", _owners.memory) for place in self.places])
            self.memory = str(min(free))
        blocks, self.presumed = self._share([threads.get(worker, 1) for worker in workers])
        files = self.saved.paths() if self.saved is not None else []
        self.states = self._wait(
            [
                self._submit(place, "begin", _owners.begin, place, self.discs, self.small, threads.get(worker, 1), files)
                for place, worker in self.places.items()
            ]
        )
        self.sent = 0
        (self.moment,) = {state.time for state in self.states}
        return blocks

    def _submit(self, place: Place, name: str, call: Callable[..., Any], *arguments: Any) -> Future:
        """Submits a task to the worker of an owner, and to no other."""
        key = f"{name}-{place.number}-{uuid4().hex}"
        worker = self.places[place]
        return self.client.submit(call, *arguments, key=key, workers=[worker], allow_other_workers=False)

    def _wait(self, futures: list[Future]) -> list[Any]:
        """The results, in order."""
        try:
            while True:
                try:
                    wait(futures, timeout=_LOOK)
                except (TimeoutError, asyncio.TimeoutError, CancelledError):
                    pass
                failed = [future for future in futures if future.status in ("error", "cancelled", "lost")]
                self._look()
                for future in failed:
                    error = future.exception() if future.status == "error" else None
                    if error is None or isinstance(error, _owners.Gone) or is_lost(future, error):
                        raise _Lost from error
                    raise error
                if all(future.status == "finished" for future in futures):
                    return self._gather(futures)
        except BaseException:
            self.client.cancel(futures, force=True)
            raise

    def _look(self) -> None:
        """Checks that no worker was lost."""
        if set(self.places.values()) - set(nthreads(self.client)):
            raise _Lost

    def _gather(self, futures: list[Future]) -> list[Any]:
        """The results of finished tasks. Results on a worker that dies now are lost."""
        while True:
            try:
                return list(self.client.sync(self.client._gather, futures, callback_timeout=_GATHER))
            except (TimeoutError, asyncio.TimeoutError):
                self._look()

    def _search(self) -> None:
        """Finds the times of all corners."""
        self.report("begin", "moves", self.presumed)
        self.report("update", "", self.moment)
        while any(state.pending for state in self.states):
            begun = time.monotonic()
            due = self.saved is not None and self.saved.is_due()
            self._steps(self.window, due)
            took = time.monotonic() - begun
            if due and self.saved is not None:
                self.saved.cost = took
            elif took < _WINDOW_SECONDS / 2:
                self.window = min(2 * self.window, _MOST_STEPS)
            elif took > 2 * _WINDOW_SECONDS:
                self.window = max(1, self.window // 2)
            self.report("update", "", self.moment)
        self.length = next(state.length for state in self.states if state.length is not None)
        if self.saved is not None and not self.counted.ranges:
            self._steps(0, True)
        self.report("end", "", 0)

    def _steps(self, steps: int, save: bool) -> None:
        """Runs some steps, all submitted at once, and saves the state after them."""
        places = list(self.places)
        before: list[Any] = [None] * len(places)
        messages: list[list[Future]] = [[] for _ in places]
        for _ in range(steps):
            before = [
                self._submit(place, f"time-{self.moment}", _owners.step, place, self.moment, last, got)
                for place, last, got in zip(places, before, messages)
            ]
            messages = [
                [
                    self._submit(other, "offers", _owners.part, before[other.number], place.number)
                    for other in places
                    if other != place
                ]
                for place in places
            ]
            self.moment += 1
        paths = [self.saved.path(self.moment, place.number) if save and self.saved else None for place in places]
        self.states = self._wait(
            [
                self._submit(place, "settle", _owners.settle, place, self.moment, last, got, path)
                for place, last, got, path in zip(places, before, messages, paths)
            ]
        )
        self.sent = sum(state.sent for state in self.states)
        if save and self.saved is not None:
            self._write(self.saved, [path for path in paths if path is not None])

    def _write(self, saved: _Checkpoints, files: Sequence[str]) -> None:
        content = {
            "discs": self.discs,
            "small": self.small,
            "time": self.moment,
            "length": self.length,
            "ranges": self.counted.ranges,
            "states": self.counted.states,
            "orbits": self.counted.orbits,
        }
        saved.write(content, files)

    def _count(self, blocks: int) -> None:
        """Counts the states of the blocks that have not been counted."""
        assert self.small is not None
        self.report("begin", "blocks", blocks)
        self.report("update", "", self.counted.blocks())
        tasks: dict[Future, tuple[int, int]] = {}
        for place, state in zip(self.places, self.states):
            own = state.end - state.first
            each = max(1, min(_STATES >> 2 * self.small, -(-own // _COUNTS_PER_OWNER)))
            for first, end in self.counted.missing(state.first, state.end):
                for at in range(first, end, each):
                    until = min(at + each, end)
                    tasks[self._submit(place, "count", _owners.count, place, at, until)] = (at, until)
        try:
            while tasks:
                done = self._some(list(tasks))
                for future, counts in zip(done, self._gather(done)):
                    self.counted.add(*tasks.pop(future), counts)
                if self.saved is not None and self.saved.is_due():
                    self._write(self.saved, self.saved.paths())
                self.report("update", "", self.counted.blocks())
        except BaseException:
            self.client.cancel(list(tasks), force=True)
            raise
        self.report("end", "", 0)

    def _some(self, futures: list[Future]) -> list[Future]:
        """The finished tasks, at least one."""
        while True:
            try:
                wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED")
            except (TimeoutError, asyncio.TimeoutError, CancelledError):
                pass
            done = [future for future in futures if future.status != "pending"]
            self._look()
            if any(future.status != "finished" for future in done):
                self._wait(done)
            elif done:
                return done

    def _drop(self) -> None:
        """Tells the workers to stop and to free their owners. Does not wait, since some may be unreachable."""
        search, generation = self.search, self.generation + 1

        async def tell() -> None:
            try:
                await self.client._run(_owners.drop, search, generation, on_error="ignore")
            except Exception:  # noqa: BLE001
                return

        self.client.loop.add_callback(tell)
