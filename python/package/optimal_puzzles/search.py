"""Puzzles and heuristics of your own.

A permutation puzzle is data: generators, or a KPuzzle definition as cubing.js and twips write it. Its states
are arrays of shape ``(points,)``, ``uint8``: the sticker at each point, where sticker ``p`` is at point ``p``
in the solved puzzle. A puzzle given by generators has one point for each place. Of a KPuzzle, place ``i`` of
an orbit has one point for each orientation, and the orbits follow each other.

:class:`Solver` solves such a puzzle with a learned automaton and pattern databases. :func:`ida_star` solves
it, a cube or a board with your own heuristic, and :func:`audit` says where that heuristic is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _arrays, _native, cube, tiles
from ._progress import Progress, ProgressArgument, reporter
from ._solve import Memory, size, solve_all
from .errors import Interrupted, InvalidArgument, PuzzleError
from .results import Result, TableUse

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._arrays import Bytes

__all__ = ["Audit", "Heuristic", "HeuristicError", "Progress", "Puzzle", "Solver", "audit", "ida_star"]

#: A heuristic: from states, ``uint8``, shape ``(n, width)``, to values, numbers, shape ``(n,)``: lower bounds
#: on the number of moves. Fractions count as the next whole number, infinity as "cannot be solved".
Heuristic = Callable[[Any], Any]
#: What is so much above a whole number by rounding counts as that number.
_ROUNDING = 1e-4


class HeuristicError(PuzzleError, ValueError):
    """A heuristic that raised an exception, or returned NaN or the wrong number of values.

    Attributes:
        batch: the number of the batch, from 0.
    """

    def __init__(self, message: str, batch: int) -> None:
        super().__init__(f"batch {batch}: {message}")
        self.batch = batch


class Puzzle:
    """A permutation puzzle.

    Args:
        generators: the moves by name, or without names: permutations of the same length. The piece at place
            ``move[p]`` moves to place ``p``.
        powers: whether each power of a move is a move too (``U``, ``U2``, ``U'``).

    Raises:
        InvalidInstance: with everything that is wrong with the moves.

    >>> Puzzle([[1, 0, 2, 3], [2, 1, 0, 3], [3, 2, 1, 0]]).bfs_counts()
    [1, 3, 6, 11, 3]
    """

    def __init__(
        self, generators: Mapping[str, Sequence[int]] | Sequence[Sequence[int]], *, powers: bool = False
    ) -> None:
        named = (
            list(generators.items())
            if isinstance(generators, Mapping)
            else [(f"m{number}", move) for number, move in enumerate(generators)]
        )
        listed = [(name, [int(place) for place in move]) for name, move in named]
        for name, move in listed:
            if any(place < 0 for place in move):
                raise InvalidArgument(f"move {name} has a negative place")
        self._native = _native.PermutationPuzzle.from_generators(listed, powers)

    @classmethod
    def from_kpuzzle(
        cls, definition: str | Mapping[str, Any] | PathLike[str], *, powers: bool = True
    ) -> Puzzle:
        """The puzzle of a KPuzzle definition: a JSON string, the parsed mapping, or a ``pathlib.Path`` to a file.

        A string is always read as JSON. Derived moves are left out. Pieces must be distinct; those whose orientation is
        ignored (``orientationMod`` 1) have one point each.

        Args:
            definition: the definition.
            powers: whether each power of a move is a move too: then a half turn is one move.
        """
        if isinstance(definition, Mapping):
            definition = json.dumps(definition)
        elif not isinstance(definition, str):
            definition = Path(definition).read_text(encoding="utf-8")
        puzzle = cls.__new__(cls)
        puzzle._native = _native.PermutationPuzzle.from_kpuzzle(definition, powers)
        return puzzle

    @property
    def points(self) -> int:
        """The width of a state."""
        return self._native.points()

    @property
    def moves(self) -> list[str]:
        """The names of the moves, in order."""
        return self._native.moves()

    @property
    def orbits(self) -> list[tuple[str, int, int]]:
        """The name, the number of pieces and the number of orientations of each orbit."""
        return self._native.orbits()

    @property
    def solved(self) -> Bytes:
        """The solved state, shape ``(points,)``."""
        import numpy as np

        return np.arange(self.points, dtype=np.uint8)

    def apply(self, states: Any, moves: str | Sequence[str]) -> Bytes:
        """Each state after some moves: names, separated by spaces.

        Args:
            states: shape ``(n, points)``.

        Returns:
            ``uint8``, shape ``(n, points)``.
        """
        rows = self._rows(states)
        names = moves.split() if isinstance(moves, str) else list(moves)
        return _arrays.out(self._native.apply(rows.tobytes(), names), *rows.shape)

    def expand(self, states: Any) -> Bytes:
        """The states after each move.

        Args:
            states: shape ``(n, points)``.

        Returns:
            ``uint8``, shape ``(n, moves, points)``.
        """
        rows = self._rows(states)
        return _arrays.out(self._native.expand(rows.tobytes()), len(rows), len(self.moves), self.points)

    def random(self, count: int, seed: int, *, steps: int = 100) -> Bytes:
        """States after ``steps`` random moves from the solved state (not necessarily uniformly distributed).

        Returns:
            ``uint8``, shape ``(count, points)``.
        """
        return _arrays.out(self._native.random(count, seed, steps), count, self.points)

    def bfs_counts(
        self,
        max_depth: int | None = None,
        *,
        memory: Memory = None,
        threads: int | None = None,
        progress: ProgressArgument = None,
    ) -> list[int]:
        """The number of states at each distance from the solved one, in moves.

        Without ``max_depth``, all states that moves reach are counted.

        Raises:
            PuzzleError: when the states exceed the memory.
        """
        return self._native.counts(max_depth, size(memory), threads, reporter(progress))

    def exact(
        self,
        max_depth: int | None = None,
        *,
        memory: Memory = None,
        threads: int | None = None,
        progress: ProgressArgument = None,
    ) -> tuple[Bytes, npt.NDArray[np.intp]]:
        """All states of at most ``max_depth`` moves, and their exact distances to the solved state.

        Returns:
            States, ``uint8``, shape ``(n, points)``, and distances, shape ``(n,)``.
        """
        import numpy as np

        layers = self._native.layers(max_depth, size(memory), threads, reporter(progress))
        arrays = [_arrays.out(layer, -1, self.points) for layer in layers]
        depths = np.repeat(np.arange(len(arrays)), [len(array) for array in arrays])
        return np.concatenate(arrays), depths

    def _rows(self, states: Any) -> Bytes:
        return _arrays.rows(states, {self.points: "stickers"})


class Solver:
    """Solves a permutation puzzle optimally.

    Its automaton forbids strings of moves that duplicate others. Its heuristic is the greatest distance
    in some pattern databases, each of which keeps some pieces and forgets the others.

    Args:
        puzzle: the puzzle.
        patterns: for each database its pieces, numbered over all orbits in order.
        learn: the length of the longest strings that are learned from; by default about 300,000 strings.
        memory: the budget for the databases, a byte for each entry: bytes, or such as ``"4GiB"``.
        threads: the threads of a search; by default one for each core.
        progress: how to report the building.

    Raises:
        InvalidArgument: for pieces that do not exist, or databases that exceed the memory.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        patterns: Sequence[Sequence[int]] = (),
        *,
        learn: int | None = None,
        memory: Memory = None,
        threads: int | None = None,
        progress: ProgressArgument = None,
    ) -> None:
        chosen = [[int(piece) for piece in pattern] for pattern in patterns]
        if any(piece < 0 for pattern in chosen for piece in pattern):
            raise InvalidArgument("pieces are numbered from 0")
        self.puzzle = puzzle
        self._native = _native.PermutationSolver(
            puzzle._native, chosen, learn, size(memory), threads, reporter(progress)
        )

    @property
    def tables(self) -> tuple[TableUse, ...]:
        """The pattern databases."""
        return tuple(TableUse(*table) for table in self._native.tables())

    @property
    def table_counts(self) -> list[list[int]]:
        """The number of entries at each distance, of each database."""
        return self._native.counts()

    @property
    def automaton_states(self) -> int:
        """The number of states of the learned automaton."""
        return self._native.automaton_states()

    @property
    def threads(self) -> int:
        """The threads of a search."""
        return self._native.threads()

    def solve(
        self,
        state: Any,
        *,
        max_depth: int | None = None,
        time_limit: float | None = None,
        progress: ProgressArgument = None,
    ) -> Result:
        """A shortest solution of a state, shape ``(points,)``.

        A state that no moves solve is searched without end: give ``max_depth`` or ``time_limit`` if it may
        be one.
        """
        results = self.solve_batch(state, max_depth=max_depth, time_limit=time_limit, progress=progress)
        if len(results) != 1:
            raise ValueError(f"expected one state, not {len(results)}; solve_batch solves many")
        return results[0]

    def solve_batch(
        self,
        states: Any,
        *,
        max_depth: int | None = None,
        time_limit: float | None = None,
        progress: ProgressArgument = None,
    ) -> list[Result]:
        """A shortest solution of each state, shape ``(n, points)``, in order."""
        rows = self.puzzle._rows(states).tobytes()

        def solve(
            _: list[str],
            depth: int | None,
            seconds: float | None,
            report: Callable[[str, str, int], None] | None,
        ) -> tuple[list[str], BaseException | None]:
            return self._native.solve(rows, depth, seconds, report)

        return solve_all(solve, [], max_depth, time_limit, progress)

    def heuristic_batch(self, states: Any) -> Bytes:
        """The heuristic's value of each state.

        Args:
            states: shape ``(n, points)``.

        Returns:
            ``uint8``, shape ``(n,)``: lower bounds on the number of moves.
        """
        rows = self.puzzle._rows(states)
        return _arrays.out(self._native.values(rows.tobytes()), len(rows))


def ida_star(
    puzzle: Union[Puzzle, str],
    state: Any,
    heuristic: Heuristic,
    *,
    batch: int = 4096,
    max_depth: int | None = None,
    metric: str = "htm",
    goal: str = "blank-first",
) -> Result:
    """A shortest solution, by IDA* with a heuristic that values many states at once.

    The length is proved only as far as the heuristic is a lower bound; :func:`audit` checks that.

    Args:
        puzzle: a :class:`Puzzle`; ``"cube"``; or the size of a board, such as ``"4x4"``.
        state: a state of the puzzle, a cube (string or cubies) or a board (string or tiles).
        heuristic: from states, ``uint8``, shape ``(n, points)``, ``(n, 20)`` or ``(n, cells)``, to ``n``
            values, such as a neural network's.
        batch: about how many states are valued at once.
        max_depth: give up once every solution is longer than this many moves.
        metric: of a cube: ``"htm"`` or ``"qtm"``.
        goal: of a board.

    Raises:
        HeuristicError: for a heuristic that raises (its exception is the cause), returns NaN or a wrong
            number of values.
        Interrupted: at Ctrl-C, with the bound by then.
    """
    if isinstance(puzzle, Puzzle):
        row = puzzle._rows(state)
        width = puzzle.points
    elif puzzle == "cube":
        text = state if isinstance(state, str) else cube._texts(state)[0]
        width = 20
    else:
        row = (
            _arrays.rows([int(tile) for tile in state.replace(",", " ").split()], tiles._widths(puzzle))
            if isinstance(state, str)
            else _arrays.rows(state, tiles._widths(puzzle))
        )
        width = tiles._cells(puzzle)
    valued = _Valued(heuristic, width)
    if isinstance(puzzle, Puzzle):
        records, stop = _native.permutation_search(puzzle._native, row.tobytes(), valued, batch, max_depth)
    elif puzzle == "cube":
        records, stop = _native.cube_search(text, metric, valued, batch, max_depth)
    else:
        records, stop = _native.tile_search(row.tobytes(), puzzle, goal, valued, batch, max_depth)
    results = [Result.from_json(record) for record in records]
    if isinstance(stop, KeyboardInterrupt):
        raise Interrupted(results) from None
    if stop is not None:
        raise stop
    return results[0]


class _Valued:
    """A heuristic as the extension module calls it."""

    def __init__(self, heuristic: Heuristic, width: int) -> None:
        self.heuristic, self.width, self.batch = heuristic, width, 0

    def __call__(self, rows: bytes, count: int) -> bytes:
        import numpy as np

        states = _arrays.out(bytearray(rows), count, self.width)
        values = _values(self.heuristic, states, self.batch)
        self.batch += 1
        most = np.iinfo(np.uint32).max
        whole = np.ceil(np.maximum(values, 0) - _ROUNDING)
        return np.where(whole < most, whole, most).astype("<u4").tobytes()


def _values(heuristic: Heuristic, states: Bytes, batch: int) -> npt.NDArray[np.float64]:
    """The heuristic's values as numbers, checked."""
    import numpy as np

    try:
        given = heuristic(states)
    except Exception as error:
        raise HeuristicError(f"the heuristic raised {type(error).__name__}: {error}", batch) from error
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise HeuristicError(f"the heuristic returned no numbers: {error}", batch) from error
    if values.shape != (len(states),):
        raise HeuristicError(f"expected values of shape ({len(states)},), not {values.shape}", batch)
    if np.isnan(values).any():
        number = int(np.isnan(values).argmax())
        raise HeuristicError(f"the value of state {number} is NaN", batch)
    return values


@dataclass(frozen=True)
class Audit:
    """The result of comparing a heuristic with exact distances.

    Attributes:
        states: the number of states that were compared.
        admissible: whether no value exceeds the distance.
        inadmissible: the numbers of the states whose value does, from 0, worst first.
        overestimates: by how much each of these exceeds it, in moves.
        mean_value: the mean value.
        mean_distance: the mean distance.
        by_distance: for each distance that occurs: the states there, their mean value, their greatest value,
            and how many of them are overestimated.
    """

    states: int
    admissible: bool
    inadmissible: tuple[int, ...]
    overestimates: tuple[float, ...]
    mean_value: float
    mean_distance: float
    by_distance: dict[int, tuple[int, float, float, int]]


def audit(heuristic: Heuristic, states: Any, distances: Any, *, batch: int = 65536) -> Audit:
    """Compares a heuristic with exact distances.

    Args:
        heuristic: as for :func:`ida_star`.
        states: ``uint8``, shape ``(n, width)``, such as :meth:`Puzzle.exact` returns.
        distances: the exact distances, shape ``(n,)``.
        batch: how many states are valued at once.

    Raises:
        HeuristicError: for a heuristic that raises, returns NaN or a wrong number of values.
    """
    import numpy as np

    rows, exact = np.asarray(states), np.asarray(distances, dtype=np.float64)
    if rows.ndim != 2 or exact.shape != (len(rows),):
        raise ValueError(f"expected states (n, width) and distances (n,), not {rows.shape} and {exact.shape}")
    if not len(rows) or batch < 1:
        raise ValueError("expected at least one state, and batches of at least one")
    parts = [rows[start : start + batch] for start in range(0, len(rows), batch)]
    values = np.concatenate([_values(heuristic, part, number) for number, part in enumerate(parts)])
    over = np.ceil(values - _ROUNDING) - exact
    wrong = np.flatnonzero(over > 0)
    wrong = wrong[np.argsort(-over[wrong], kind="stable")]
    by_distance = {}
    for distance in np.unique(exact):
        here = exact == distance
        by_distance[int(distance)] = (
            int(here.sum()),
            float(values[here].mean()),
            float(values[here].max()),
            int((over[here] > 0).sum()),
        )
    return Audit(
        states=len(rows),
        admissible=not len(wrong),
        inadmissible=tuple(wrong.tolist()),
        overestimates=tuple((values - exact)[wrong].tolist()),
        mean_value=float(values.mean()),
        mean_distance=float(exact.mean()),
        by_distance=by_distance,
    )
