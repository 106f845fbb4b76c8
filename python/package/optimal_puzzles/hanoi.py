"""Towers of Hanoi on three or four pegs: shortest paths, proofs, counts.

A state is a string with the peg of each disc, the largest disc first (``"0003"``: the smallest of four discs on
the last peg), or a sequence or an array of shape ``(discs,)`` in the same order; or the discs of each peg, from 1, the
smallest: ``[[2, 1], [], []]``. An instance is a start and a goal: a pair of states, a string with both
(``"0000 3333"``, ``"[[2, 1], [], []] to [[2], [1], []]"``), or an array of shape ``(2, discs)``; a number of discs stands
for all discs from the first peg to the last.

There is no heuristic to choose for paths: they are found by breadth-first search, tall towers by the half-depth
search of Korf and Felner with its pattern databases. :class:`Heuristic` has the values of such databases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from . import _arrays, _native
from ._progress import Progress, ProgressArgument, reporter
from ._solve import Directory, Instances, Memory, Remembered, directory, size
from .results import TableUse

if TYPE_CHECKING:
    from ._arrays import Bytes

__all__ = [
    "Heuristic",
    "Progress",
    "Radius",
    "Solver",
    "Verification",
    "apply",
    "bfs_counts",
    "expand",
    "heuristic_batch",
    "radius",
    "random",
    "text",
    "tower",
    "verify",
]


class Solver(Instances[_native.TowerSolver]):
    """Finds shortest paths between states.

    Args:
        pegs: 3 or 4.
        smallest_first: whether the first peg in a state is that of the smallest disc.
        first_peg: the number of the first peg in states, 0 or 1. Solutions count pegs from 0.
        memory: the budget for tables and layers, in bytes or such as ``"4GiB"``; by default three quarters
            of what is available.
        threads: the threads of a search; by default one for each core.
        tables: the directory of tables, which towers of 14 discs and more read; by default
            ``$OPTIMAL_PUZZLES_TABLES`` or the cache directory, as for the command lines.
    """

    _instance = "tower"
    _shorten = _native.tower_improve

    def __init__(
        self,
        pegs: int = 4,
        *,
        smallest_first: bool = False,
        first_peg: int = 0,
        memory: Memory = None,
        threads: int | None = None,
        tables: Directory = None,
    ) -> None:
        self._native = _native.TowerSolver(
            pegs, smallest_first, first_peg, size(memory), threads, directory(tables)
        )
        self.pegs = pegs
        self._remember(
            pegs=pegs,
            smallest_first=smallest_first or None,
            first_peg=first_peg or None,
            memory=memory,
            threads=threads,
            tables=directory(tables),
        )

    def _text(self, instance: Any) -> str:
        if isinstance(instance, str):
            return instance
        if isinstance(instance, int):
            return tower(instance, self.pegs)
        if _arrays.is_array(instance):
            instance = instance.tolist()
        if not isinstance(instance, (list, tuple)) or len(instance) != 2:
            raise ValueError(f"expected a start and a goal, a pair or shape (2, discs), not {instance!r}")
        start, goal = map(_state, instance)
        return f"{start} to {goal}" if "[" in start + goal else f"{start} {goal}"

    def _start(self, instance: Any) -> str:
        return _state(instance)

    def _starts(self, instances: Any) -> list[str]:
        return [_state(one) for one in _arrays.several(instances, "state")]


@dataclass(frozen=True)
class Verification:
    """The result of verifying a presumed-optimal length.

    Attributes:
        discs: the number of discs.
        presumed: the presumed-optimal length, in moves.
        proved: the proved length; ``None`` if every solution is longer than presumed.
        threshold: the depth to which the half-depth search went, in moves.
        unique_states: the states that it stored, up to permutations of pegs; ``None`` for a search by corners.
        pruned_states: the states that the heuristic pruned; ``None`` for a search by corners.
        corners_entered: the corners that moves of large discs entered; ``None`` for a search by layers.
        seconds: the time of the search, without that of the database.
        table: the pattern database, if one was read.
    """

    discs: int
    presumed: int
    proved: int | None
    threshold: int
    unique_states: int | None
    pruned_states: int | None
    corners_entered: int | None
    seconds: float
    table: TableUse | None


def verify(
    discs: int,
    *,
    database: int | None = None,
    threshold: str = "full",
    method: str | None = None,
    small: int | None = None,
    memory: Memory = None,
    threads: int | None = None,
    tables: Directory = None,
    progress: ProgressArgument = None,
) -> Verification:
    """Proves that the presumed-optimal length of a tower on four pegs is optimal, like ``hanoi4 verify``.

    Args:
        discs: the number of discs, at most 31.
        database: the discs of the pattern database; 0 for none. By default 5 fewer than the tower has, at most 22; none
            below 13 discs.
        threshold: ``"full"``, or ``"below"`` to prove only that nothing shorter exists, which is faster.
        method: ``"bitmap"`` stores layers of states; ``"corners"`` stores the times of corners, which take a fraction of
            the memory. By default ``"bitmap"`` if its layers fit the memory.
        small: the number of small discs of a search by corners.

    Raises:
        InvalidArgument: for a database that cannot be used for this number of discs.
        PuzzleError: when the search exceeds the memory.
    """
    if threshold not in ("full", "below"):
        raise ValueError(f'threshold must be "full" or "below", not {threshold!r}')
    if method not in (None, "bitmap", "corners"):
        raise ValueError(f'method must be "bitmap" or "corners", not {method!r}')
    found = _native.tower_verify(
        discs,
        database,
        threshold == "below",
        None if method is None else method == "corners",
        small,
        size(memory),
        threads,
        directory(tables),
        reporter(progress),
    )
    table = found.pop("table")
    return Verification(**found, table=TableUse(*table) if table else None)


class Heuristic(Remembered):
    """Lower bounds on four pegs from pattern databases, which are loaded once, and built if missing.

    The bound is the greater of two sums. Each adds a value from the larger database for one group of discs to one from
    a complete database for the others: once with the larger database for the largest discs, once for the smallest. Up
    to 12 discs it is the exact distance.

    Args:
        discs: the number of discs of the states, at most 31.
        goal: the peg that all discs are to reach; ``None`` for the nearest state with all discs on two of the pegs 1, 2
            and 3, which is what the half-depth search needs.
        database: the discs of the larger database, at most 24; by default the smaller of ``discs`` and 17 (64 MiB), but
            at least ``discs - 12``.
        memory: the budget for building tables, in bytes or such as ``"4GiB"``.
        threads: the threads of a batch; by default one for each core.
        tables: the directory of tables; by default that of the command lines.

    Raises:
        InvalidArgument: for a database that cannot be used for this number of discs.
        TableError: for a table that is damaged or of another version.
    """

    def __init__(
        self,
        discs: int,
        *,
        goal: int | None = 3,
        database: int | None = None,
        memory: Memory = None,
        threads: int | None = None,
        tables: Directory = None,
    ) -> None:
        self._native = _native.TowerHeuristic(discs, goal, database, size(memory), threads, directory(tables))
        self.discs = discs
        self._remember(
            discs=discs, database=database, memory=memory, threads=threads, tables=directory(tables)
        )
        # `None` is a valid goal.
        self._arguments["goal"] = goal

    @property
    def tables(self) -> tuple[TableUse, ...]:
        """The tables that it reads."""
        return tuple(TableUse(*table) for table in self._native.tables())

    def heuristic_batch(self, states: Any) -> Bytes:
        """The value of each state, on all threads.

        Args:
            states: shape ``(n, discs)``.

        Returns:
            ``uint8``, shape ``(n,)``: lower bounds on the number of moves; 255 for 255 or more.

        Raises:
            InvalidInstance: with every state that has a disc on no peg.
        """
        rows = _arrays.rows(states, {self.discs: "pegs, one for each disc"})
        return _arrays.out(self._native.values(rows.tobytes()), len(rows))


@lru_cache(maxsize=2)
def _heuristic(discs: int, goal: int | None, database: int | None, tables: str | None) -> Heuristic:
    return Heuristic(discs, goal=goal, database=database, tables=tables)


def heuristic_batch(
    states: Any, *, goal: int | None = 3, database: int | None = None, tables: Directory = None
) -> Bytes:
    """The lower bound of each state on the number of moves, like :meth:`Heuristic.heuristic_batch`.

    The databases of the last two calls are kept.

    Args:
        states: shape ``(n, discs)``.

    Returns:
        ``uint8``, shape ``(n,)``.
    """
    rows = _rows(states)
    return _heuristic(rows.shape[1], goal, database, directory(tables)).heuristic_batch(rows)


def bfs_counts(
    discs: int,
    pegs: int = 4,
    *,
    memory: Memory = None,
    threads: int | None = None,
    progress: ProgressArgument = None,
) -> list[int]:
    """The number of states at each distance, in moves, from all discs on one of 3 to 6 pegs."""
    return _native.tower_counts(discs, pegs, size(memory), threads, reporter(progress))


@dataclass(frozen=True)
class Radius:
    """The greatest distance of a state from all discs on the first of four pegs.

    Attributes:
        discs: the number of discs.
        depth: the distance, in moves.
        farthest: the states at that distance: ``uint8``, shape ``(n, discs)``, in ascending order.
        seconds: the time of the search.
    """

    discs: int
    depth: int
    farthest: Bytes
    seconds: float


def radius(
    discs: int,
    *,
    small: int | None = None,
    memory: Memory = None,
    threads: int | None = None,
    progress: ProgressArgument = None,
) -> Radius:
    """The greatest distance of a state from all discs on the first of four pegs, like ``hanoi4 radius``.

    It searches by the times of corners, and counts the states of a few blocks only, so it takes a part of the time of
    :func:`bfs_counts`.

    Args:
        discs: the number of discs, 8 to 31.
        small: the number of small discs, 7 to 14; by default the fastest that the memory allows.

    Raises:
        InvalidArgument: for fewer discs, or as many small ones.
        PuzzleError: when the search exceeds the memory.
    """
    found = _native.tower_radius(discs, small, size(memory), threads, reporter(progress))
    rows = found.pop("farthest")
    return Radius(**found, farthest=_arrays.out(rows, len(rows) // discs, discs))


def random(count: int, seed: int, *, discs: int, pegs: int = 4) -> Bytes:
    """Uniformly random states.

    Returns:
        ``uint8``, shape ``(count, discs)``: the peg of each disc, the largest disc first.
    """
    return _arrays.out(_native.tower_random(*_arrays.drawn(count, seed), discs, pegs), count, discs)


def expand(states: Any, *, pegs: int = 4) -> tuple[Bytes, Bytes, list[str]]:
    """The states after the move from each peg to each other.

    Args:
        states: shape ``(n, discs)``.

    Returns:
        The children, ``uint8``, shape ``(n, moves, discs)``; whether each is legal, ``uint8``, shape ``(n, moves)``,
        0 if the child is the state itself; and the pegs of each move.
    """
    rows = _rows(states)
    n, discs = rows.shape
    children, legal, names = _native.tower_expand(rows.tobytes(), discs, pegs)
    return _arrays.out(children, n, len(names), discs), _arrays.out(legal, n, len(names)), names


def apply(states: Any, moves: str, *, pegs: int = 4) -> Bytes:
    """Each state after some moves, written as in a solution.

    Args:
        states: shape ``(n, discs)``.

    Returns:
        ``uint8``, shape ``(n, discs)``.
    """
    rows = _rows(states)
    return _arrays.out(_native.tower_apply(rows.tobytes(), rows.shape[1], pegs, moves), *rows.shape)


def text(states: Any) -> list[str]:
    """States as strings, the largest disc first. ``states`` has the shape ``(n, discs)``."""
    return ["".join(map(str, row)) for row in _rows(states).tolist()]


def tower(discs: int, pegs: int = 4) -> str:
    """The instance that moves all discs from the first peg to the last."""
    return f"{'0' * discs} {str(pegs - 1) * discs}"


def _state(state: Any) -> str:
    """A state as a string that the extension module reads."""
    if isinstance(state, str):
        return state
    if _arrays.is_array(state):
        state = state.tolist()
    if isinstance(state, (bytes, bytearray)):
        state = list(state)
    pegs = [list(_arrays.leaves(peg)) for peg in state]
    if any(isinstance(peg, (list, tuple)) for peg in state):
        return f"[{', '.join(str(discs) for discs in pegs)}]"
    return "".join(str(peg) for (peg,) in pegs)


def _rows(states: Any) -> Bytes:
    import numpy as np

    shape = np.shape(states)
    width = shape[-1] if shape and shape[-1] else 1
    return _arrays.rows(states, {width: "pegs, one for each disc"})
