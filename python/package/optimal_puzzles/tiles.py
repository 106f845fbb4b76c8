"""Sliding tiles from 2x2 to 10x10: shortest solutions, heuristics in batches, random boards, counts.

A board is a string (the tiles left to right, top to bottom, 0 the blank, separated by spaces or commas), or a
sequence, an array or bytes with the tile in each cell, as one row or as the rows of the board. Moves are the
directions of the blank: U, L, R, D. A size is a string such as ``"4x5"``, rows by columns, a pair of numbers, or one
number for a square board; if it is not given, boards are square.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, Union

from . import _arrays, _native
from ._progress import Progress, ProgressArgument, reporter
from ._solve import Directory, Memory, Tabled, directory
from ._solve import size as bytes_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._arrays import Bytes

#: ``"4x5"``, rows by columns; a pair of numbers; a number for a square board.
Size = Union[str, int, "tuple[int, int]"]

__all__ = ["Progress", "Size", "Solver", "apply", "bfs_counts", "exact", "expand", "parse", "random", "text"]


class Solver(Tabled[_native.TileSolver]):
    """Solves boards of one size and goal optimally with one heuristic.

    Args:
        heuristic: ``"md"``, ``"lc"``, ``"pairs"``, ``"triples"``, ``"korf96"``, ``"pdb"`` or
            ``"pdb-max"``; by default ``"pdb"`` if the board has at most 32 cells and the tables fit the memory, else
            ``"korf96"``, or ``"lc"`` on boards larger than 6x6. With the metric ``"multi"``: ``"pdb"``, the default on boards of at most 16 cells, or
            ``"lines"``.
        size: the board, such as ``"5x5"``.
        goal: ``"blank-first"``, ``"blank-last"``, ``"spiral"`` or a board.
        fsm: the duplicate strings of moves to prune: ``"off"``, ``"inverse"`` or, as a string, the length of the
            longest learned ones.
        order: the order of the branches within a bound: ``"operators"`` or ``"deepest"``; by default that of the papers
            for their heuristics, the deepest first for others.
        memory: the budget for tables, in bytes or such as ``"4GiB"``; by default three quarters of what is
            available.
        threads: the threads of a search; by default one for each core.
        tables: the directory of tables; by default ``$OPTIMAL_PUZZLES_TABLES`` or the cache directory, as for the
            command lines. Missing tables are built now.
        progress: how to report the building of tables (see :class:`optimal_puzzles.tiles.Progress`).
        metric: what counts as one move: ``"single"``, each tile that slides, or ``"multi"``, any number of tiles of a
            row or column at once, on boards of up to 5x5. Its moves are words such as ``"R2"``.

    Raises:
        InvalidArgument: for an unknown heuristic, size or metric, or a heuristic of another metric.
        PuzzleError: when the tables exceed the memory.
        TableError: for a table that is damaged or of another version.
    """

    _instance = "board"
    _shorten = _native.tile_improve
    _solves_anew = True

    def __init__(
        self,
        heuristic: str | None = None,
        *,
        size: Size = "4x4",
        goal: Any = "blank-first",
        fsm: str | None = None,
        order: str | None = None,
        memory: Memory = None,
        threads: int | None = None,
        tables: Directory = None,
        progress: ProgressArgument = None,
        metric: str = "single",
    ) -> None:
        self.size, self.goal = _size(size), _text(goal)
        self._native = _native.TileSolver(
            self.size,
            self.goal,
            heuristic,
            fsm,
            order,
            bytes_of(memory),
            threads,
            directory(tables),
            reporter(progress),
            metric,
        )
        self._remember(
            heuristic=heuristic,
            size=self.size,
            goal=self.goal,
            fsm=fsm,
            order=order,
            memory=memory,
            threads=threads,
            tables=directory(tables),
            metric=metric,
        )

    def _text(self, instance: Any) -> str:
        return _board_text(instance, self.size)

    def _texts(self, instances: Any) -> list[str]:
        return _board_texts(instances, self.size)

    def _widths(self) -> dict[int, str]:
        return _widths(self.size)


def random(count: int, seed: int, *, size: Size = "4x4", goal: Any = "blank-first") -> Bytes:
    """Uniformly random boards that can reach the goal, those of ``tile24 random`` with the same seed.

    Returns:
        ``uint8``, shape ``(count, cells)``, tiles.
    """
    size = _size(size)
    data = _native.tile_random(*_arrays.drawn(count, seed), size, _text(goal))
    return _arrays.out(data, count, _cells(size))


def expand(boards: Any, *, size: Size | None = None) -> tuple[Bytes, Bytes, str]:
    """The boards after each move of the blank.

    Args:
        boards: shape ``(n, cells)``, tiles.

    Returns:
        The children, ``uint8``, shape ``(n, 4, cells)``; whether each exists, ``uint8``, shape ``(n, 4)``, 0 for a
        move off the board, whose child is the board itself; and the letters of the moves in order.
    """
    rows, board = _rows(boards, size)
    children, exist, letters = _native.tile_expand(rows.tobytes(), board)
    n, cells = rows.shape
    return _arrays.out(children, n, 4, cells), _arrays.out(exist, n, 4), letters


def apply(boards: Any, moves: str, *, size: Size | None = None) -> Bytes:
    """Each board after some moves of the blank, such as ``"ULDR"``.

    Args:
        boards: shape ``(n, cells)``, tiles.

    Returns:
        ``uint8``, shape ``(n, cells)``, tiles.

    Raises:
        InvalidInstance: with every board whose blank would leave it.
    """
    rows, board = _rows(boards, size)
    return _arrays.out(_native.tile_apply(rows.tobytes(), board, moves), *rows.shape)


def exact(
    max_depth: int | None = None, *, size: Size = "3x3", goal: Any = "blank-first"
) -> tuple[Bytes, npt.NDArray[np.intp]]:
    """All boards of at most ``max_depth`` moves from the goal, and their exact distances, for :func:`search.audit`.

    All boards of a 3x3 puzzle take about a second.

    Args:
        goal: ``"blank-first"``, ``"blank-last"`` or a board.

    Returns:
        Boards, ``uint8``, shape ``(n, cells)``, and distances, shape ``(n,)``.
    """
    import numpy as np

    board = _size(size)
    first = np.arange(_cells(board), dtype=np.uint8)
    named = {"blank-first": first, "blank-last": np.roll(first, -1)}
    text_of_goal = _text(goal)
    tiles = named[text_of_goal] if text_of_goal in named else text_of_goal
    start = parse(_board_texts([tiles], board), size=board, goal=text_of_goal)

    def children(rows: Bytes) -> Bytes:
        after, exist, _ = expand(rows, size=board)
        existing: Bytes = after[exist != 0]
        return existing

    return _arrays.layers(start, children, max_depth)


def bfs_counts(
    size: Size = "3x3",
    goal: Any = "blank-first",
    *,
    max_depth: int | None = None,
    memory: Memory = None,
    threads: int | None = None,
    progress: ProgressArgument = None,
) -> list[int]:
    """The number of boards at each distance from the goal, in moves; at most 16 cells.

    Without ``max_depth``, all boards that can reach the goal are counted.
    """
    return _native.tile_counts(_size(size), _text(goal), max_depth, bytes_of(memory), threads, reporter(progress))


def parse(texts: str | Sequence[str], *, size: Size = "4x4", goal: Any = "blank-first") -> Bytes:
    """Boards written as strings, as an array.

    Returns:
        ``uint8``, shape ``(n, cells)``, tiles.

    Raises:
        InvalidInstance: with the faults of all strings, a board that cannot reach the goal included.
    """
    given = [texts] if isinstance(texts, str) else list(texts)
    size = _size(size)
    return _arrays.out(_native.tile_parse(given, size, _text(goal)), len(given), _cells(size))


def text(boards: Any) -> list[str]:
    """Boards as strings: the tiles separated by spaces. ``boards`` has the shape ``(n, cells)``."""
    import numpy as np

    rows = np.asarray(boards)
    return [" ".join(map(str, row)) for row in (rows[np.newaxis] if rows.ndim == 1 else rows).tolist()]


def _text(board: Any) -> str:
    """A board as a string that the extension module reads."""
    if isinstance(board, str):
        return board
    if _arrays.is_array(board):
        board = board.tolist()
    tiles = list(_arrays.leaves(board))
    if not all(isinstance(tile, (int, str)) or _arrays.is_array(tile) for tile in tiles):
        raise TypeError(f"expected a board, as a string or as numbers, not {type(board).__name__}")
    return " ".join(map(str, tiles))


def _board_text(board: Any, size: str) -> str:
    """A board of a size as a string that the extension module reads."""
    if _arrays.is_array(board) or isinstance(board, (bytes, bytearray)):
        return text(_arrays.row(board, _widths(size), "board"))[0]
    return _text(board)


def _board_texts(boards: Any, size: str) -> list[str]:
    """Several boards of a size as strings."""
    if _arrays.is_array(boards) and boards.ndim == 2:
        return text(_arrays.rows(boards, _widths(size)))
    return [_board_text(board, size) for board in _arrays.several(boards, "board")]


def _size(size: Size) -> str:
    """Converts a size to the form that the extension module reads."""
    if isinstance(size, int):
        return f"{size}x{size}"
    return size if isinstance(size, str) else "x".join(map(str, size))


def _cells(size: str) -> int:
    """The cells of a size that the extension module has accepted."""
    rows, columns = size.lower().split("x")
    return int(rows) * int(columns)


def _widths(size: str) -> dict[int, str]:
    return {_cells(size): f"tiles of a {size} board"}


def _rows(boards: Any, size: Size | None) -> tuple[Bytes, str]:
    """Rows of a size, or of the square board of their width."""
    if size is None:
        import numpy as np

        shape = np.shape(boards)
        side = isqrt(shape[-1]) if shape else 0
        if side * side != (shape[-1] if shape else -1):
            raise ValueError(f"expected an array of shape (n, cells) of a square board, not {shape}; give its size")
        size = side
    size = _size(size)
    return _arrays.rows(boards, _widths(size)), size
