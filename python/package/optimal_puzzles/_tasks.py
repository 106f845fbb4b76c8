"""Tasks of Dask, restarted if their workers die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

try:
    from distributed import CancelledError, Client, Future, KilledWorker, as_completed, wait
except ImportError as error:
    raise ImportError("the cluster needs Dask: pip install optimal-puzzles[cluster]") from error

__all__ = ["CancelledError", "Tasks", "is_lost", "nthreads", "result", "silent", "threads", "wait"]

#: How often a task is tried whose workers die: each time Dask has tried it on several.
TRIES = 4


class Tasks:
    """Numbered tasks. A task whose workers die is restarted."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name, self.token = client, name, uuid4().hex
        self.calls: dict[int, tuple[int, Callable[..., Any], tuple[Any, ...], Sequence[str] | None]] = {}
        self.futures: dict[int, Any] = {}
        self.tries: dict[int, int] = {}
        self.completed = as_completed(with_results=True, raise_errors=False, loop=client.loop)

    def submit(
        self,
        number: int,
        priority: int,
        call: Callable[..., Any],
        *arguments: Any,
        workers: Sequence[str] | None = None,
    ) -> None:
        """Submits a task; of the waiting tasks, the one with the highest priority begins first."""
        self.calls[number] = (priority, call, arguments, workers)
        self._begin(number)

    def _begin(self, number: int) -> None:
        priority, call, arguments, workers = self.calls[number]
        tries = self.tries[number] = self.tries.get(number, 0) + 1
        key = f"{self.name}-{number}-{tries}-{self.token}"
        future = self.client.submit(call, *arguments, key=key, priority=priority, workers=workers)
        self.futures[number] = future
        self.completed.add(future)

    def results(self) -> Iterator[tuple[int, Any]]:
        """The number and the result of each task that was not cancelled, in the order in which they end."""
        while self.futures:
            future, result = next(self.completed)
            number = int(future.key.rsplit("-", 3)[1])
            if number not in self.futures or self.futures[number] is not future:
                continue
            self.futures.pop(number)
            if future.status == "finished":
                future.release()
                yield number, result
            elif self.tries[number] < TRIES and is_lost(future, result):
                self._begin(number)
            else:
                raise result[1] if isinstance(result, tuple) else result

    def cancel(self, which: Callable[[int], bool] = lambda _: True) -> bool:
        """Cancels tasks. Returns whether there were any."""
        chosen = [number for number in self.futures if which(number)]
        futures = [self.futures.pop(number) for number in chosen]
        if futures:
            self.client.cancel(futures)
        return bool(futures)


def is_lost(future: Future, result: Any) -> bool:
    """Whether a task failed because its workers were lost, not because of an error of its own."""
    error = result[1] if isinstance(result, tuple) else result
    return future.cancelled() or isinstance(error, (KilledWorker, CancelledError))


def result(client: Client, call: Callable[..., Any], *arguments: Any, key: str) -> Any:
    """The result of one task."""
    tasks = Tasks(client, key)
    try:
        tasks.submit(0, 1, call, *arguments)
        for _, result in tasks.results():
            return result
    finally:
        tasks.cancel()


def nthreads(client: Client) -> dict[str, int]:
    """The threads of each worker, by its address."""
    threads: dict[str, int] = client.nthreads()
    return threads


def threads(client: Client) -> int:
    """The threads of all workers."""
    return max(1, sum(nthreads(client).values()))


def silent(kind: str, text: str, number: int) -> None:
    """Reports nothing."""
