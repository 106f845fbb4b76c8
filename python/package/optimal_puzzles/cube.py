"""Rubik's cube: shortest solutions, heuristics in batches, random cubes, counts.

A cube is a string (moves such as ``"R U2 F'"``, 54 facelets, or Reid's 20 cubies) or an array:

* shape ``(20,)``: ``uint8`` cubies. First the 8 corners at URF, UFL, ULB, UBR, DFR, DLF, DBL, DRB, each
  ``cubie + 16 * twist`` with twist 0 to 2; then the 12 edges at UR, UF, UL, UB, DR, DF, DL, DB, FR, FL,
  BL, BR, each ``cubie + 16 * flip`` with flip 0 or 1. A cubie's number is that of its location in the
  solved cube.
* shape ``(54,)``: ``uint8`` facelets, the faces in the order U R F D L B, each by rows; 0 to 5 are the
  colours of the faces U R F D L B.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _arrays, _native
from ._progress import Progress, ProgressArgument, reporter
from ._solve import Directory, Memory, Tabled, directory, size

if TYPE_CHECKING:
    from ._arrays import Bytes

__all__ = ["Progress", "Solver", "apply", "bfs_counts", "expand", "parse", "random", "solved", "text"]

_CUBIES = {20: "cubies"}
_EITHER = {20: "cubies", 54: "facelets"}


class Solver(Tabled[_native.CubeSolver]):
    """Solves cubes optimally with one heuristic in one metric.

    Args:
        heuristic: a name that ``cube-opt heuristics`` lists, such as ``"manhattan-max"``, ``"korf97"`` or
            ``"square-4"``; by default the strongest that fits the memory and whose tables exist or can
            be built within a minute.
        metric: ``"htm"``, in which any turn of a face is a move, or ``"qtm"``, in which a half turn is two.
        memory: the budget for tables, in bytes or such as ``"4GiB"``; by default three quarters of what is
            available.
        threads: the threads of a search; by default one for each core.
        tables: the directory of tables; by default ``$OPTIMAL_PUZZLES_TABLES`` or the cache directory, as
            for the command lines. Tables that are missing are built now.
        progress: how to report the building of tables (see :class:`optimal_puzzles.cube.Progress`).

    Raises:
        InvalidArgument: for an unknown heuristic.
        PuzzleError: when the tables exceed the memory.
        TableError: for a table that is damaged or of another version.
    """

    _instance = "cube"

    def __init__(
        self,
        heuristic: str | None = None,
        *,
        metric: str = "htm",
        memory: Memory = None,
        threads: int | None = None,
        tables: Directory = None,
        progress: ProgressArgument = None,
    ) -> None:
        self._native = _native.CubeSolver(
            heuristic, metric, size(memory), threads, directory(tables), reporter(progress)
        )
        self.metric = metric

    def _texts(self, instances: Any) -> list[str]:
        return _texts(instances)

    def _widths(self) -> dict[int, str]:
        return _CUBIES


def solved() -> Bytes:
    """The solved cube: ``uint8``, shape ``(1, 20)``, cubies."""
    import numpy as np

    return np.array([[*range(8), *range(12)]], dtype=np.uint8)


def random(count: int, seed: int) -> Bytes:
    """Uniformly random cubes, those of ``cube-opt scramble --count COUNT --seed SEED``.

    Returns:
        ``uint8``, shape ``(count, 20)``, cubies.
    """
    return _arrays.out(_native.cube_random(count, seed), count, 20)


def expand(cubes: Any, metric: str = "htm") -> tuple[Bytes, list[str]]:
    """The cubes after each move.

    Args:
        cubes: shape ``(n, 20)``, cubies.
        metric: the moves: the 18 of ``"htm"`` or the 12 of ``"qtm"``.

    Returns:
        The children, ``uint8``, shape ``(n, moves, 20)``, and the names of the moves in order.
    """
    rows = _arrays.rows(cubes, _CUBIES)
    children, names = _native.cube_expand(rows.tobytes(), metric)
    return _arrays.out(children, len(rows), len(names), 20), names


def apply(cubes: Any, moves: str) -> Bytes:
    """Each cube after some moves.

    Args:
        cubes: shape ``(n, 20)``, cubies.
        moves: turns of faces, wide turns, slices and rotations that leave the whole cube as it is held.

    Returns:
        ``uint8``, shape ``(n, 20)``, cubies.
    """
    rows = _arrays.rows(cubes, _CUBIES)
    return _arrays.out(_native.cube_apply(rows.tobytes(), moves), len(rows), 20)


def bfs_counts(
    depth: int, metric: str = "htm", *, memory: Memory = None, progress: ProgressArgument = None
) -> list[int]:
    """The number of cubes at each distance from the solved one, from 0 to ``depth`` moves."""
    return _native.cube_counts(depth, metric, size(memory), reporter(progress))


def parse(texts: str | Sequence[str]) -> Bytes:
    """Cubes written in any notation, as an array.

    Returns:
        ``uint8``, shape ``(n, 20)``, cubies.

    Raises:
        InvalidInstance: with the faults of all strings.
    """
    given = [texts] if isinstance(texts, str) else list(texts)
    return _arrays.out(_native.cube_parse(given), len(given), 20)


def text(cubes: Any, format: str = "facelets") -> list[str]:
    """Cubes as strings.

    Args:
        cubes: shape ``(n, 20)``, cubies.
        format: ``"facelets"`` or ``"reid"``.
    """
    return _native.cube_text(_arrays.rows(cubes, _CUBIES).tobytes(), format)


def _texts(instances: Any) -> list[str]:
    """The instances as strings that the extension module reads."""
    if isinstance(instances, str):
        raise TypeError("expected a sequence of cubes, not a string")
    if not _arrays.is_array(instances):
        return list(instances)
    rows = _arrays.rows(instances, _EITHER)
    if rows.shape[1] == 54:
        return _native.facelet_texts(rows.tobytes())
    return _native.cube_text(rows.tobytes(), "reid")
