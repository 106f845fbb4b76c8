"""A worker of a cluster in a complete search of Hanoi: it owns a range of blocks.

If a worker is lost, the search restarts as a new generation, with one owner on each of its workers. Owners of earlier
generations are dropped.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import _native

__all__: list[str] = []


class Gone(RuntimeError):
    """The owner is not in this process, or not at the time that a task is for: the generation is lost."""


@dataclass(frozen=True)
class Place:
    """The identity of an owner: its search, generation and number.

    Attributes:
        search: a unique name of the search.
        generation: the number of earlier generations.
        number: the number of the owner, from 0.
        owners: the number of owners.
    """

    search: str
    generation: int
    number: int
    owners: int


@dataclass(frozen=True)
class State:
    """The state of an owner that the client needs.

    Attributes:
        time: the time whose corners are processed next, in moves.
        pending: whether it has corners to process.
        first: its first block.
        end: the block after its last one.
        length: the distance of the tower, once this owner knows it.
        sent: the total size in bytes of its messages to others.
    """

    time: int
    pending: bool
    first: int
    end: int
    length: int | None
    sent: int


class _Held:
    """An owner that exists or is being created."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.stop = _native.Stop()
        self.owner: _native.TowerOwner | None = None
        self.sent = 0

    def state(self) -> State:
        assert self.owner is not None
        time, pending, first, end, length = self.owner.state(self.stop)
        return State(time, pending, first, end, length, self.sent)


_guard = threading.Lock()
_held: dict[Place, _Held] = {}
#: The generation before which nothing of a search is held any more.
_oldest: OrderedDict[str, int] = OrderedDict()


def memory() -> int:
    """The bytes that this process may use."""
    return _native.safe_memory()


def drop(search: str, generation: int) -> None:
    """Stops and frees the owners of earlier generations in this process, including those still to come."""
    with _guard:
        _oldest[search] = max(generation, _oldest.get(search, 0))
        while len(_oldest) > 256:
            _oldest.popitem(last=False)
        old = [place for place in _held if place.search == search and place.generation < _oldest[search]]
        dropped = [_held.pop(place) for place in old]
        for held in dropped:
            held.stop.stop()
    for held in dropped:
        # Its memory is freed before this returns, because the next owner may need it.
        with held.lock:
            held.owner = None


def begin(place: Place, discs: int, small: int, threads: int, files: Sequence[str]) -> State:
    """Creates an owner, from the beginning or from saved files."""
    drop(place.search, place.generation)
    with _guard:
        if place.generation < _oldest[place.search]:
            raise Gone(f"generation {place.generation} is over")
        held = _held.setdefault(place, _Held())
    with held.lock:
        held.owner = _native.TowerOwner(discs, small, place.owners, place.number, threads, list(files), held.stop)
        return held.state()


def _of(place: Place) -> _Held:
    with _guard:
        held = _held.get(place)
    if held is None or held.owner is None:
        raise Gone(f"owner {place.number} is not in this process")
    return held


def step(place: Place, time: int, before: object, messages: Sequence[bytes]) -> list[bytes]:
    """Processes a time. Returns a message for each owner.

    Args:
        place: the owner.
        time: in moves.
        before: the result of its previous step, to order the tasks.
        messages: those of the other owners for this time, or None if they have been received.
    """
    held = _of(place)
    with held.lock:
        owner = _receive(held, time, messages)
        sent = owner.send(held.stop)
        held.sent += sum(map(len, sent))
        return sent


def _receive(held: _Held, time: int, messages: Sequence[bytes]) -> _native.TowerOwner:
    owner = held.owner
    if owner is None:
        raise Gone("the owner was dropped")
    (now, *_) = owner.state(held.stop)
    if now != time:
        raise Gone(f"the owner is at time {now}, not {time}")
    if messages:
        owner.receive(list(messages), held.stop)
    return owner


def part(messages: Sequence[bytes], to: int) -> bytes:
    """The message to one owner."""
    return messages[to]


def settle(place: Place, time: int, before: object, messages: Sequence[bytes], path: str | None) -> State:
    """Receives messages without processing a time, and saves the owner if there is a path."""
    held = _of(place)
    with held.lock:
        owner = _receive(held, time, messages)
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            owner.save(path, held.stop)
        return held.state()


def count(place: Place, first: int, end: int) -> tuple[list[int], list[int]]:
    """The states and the orbits of some blocks at each depth."""
    held = _of(place)
    with held.lock:
        if held.owner is None:
            raise Gone("the owner was dropped")
        return held.owner.count(first, end, held.stop)
