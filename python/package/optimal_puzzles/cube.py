"""Rubik's cube: shortest solutions, heuristics in batches, random cubes, counts.

A cube is a string (moves such as ``"R U2 F'"``, 54 facelets, or Reid's 20 cubies; the empty string is the solved
cube), a sequence of such words, or numbers as a sequence, an array or bytes:

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
from .errors import InvalidArgument

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._arrays import Bytes

__all__ = [
    "Progress",
    "Solver",
    "apply",
    "bfs_counts",
    "exact",
    "expand",
    "facelets",
    "parse",
    "random",
    "solved",
    "text",
]

_CUBIES = {20: "cubies"}
_EITHER = {20: "cubies", 54: "facelets"}


class Solver(Tabled[_native.CubeSolver]):
    """Solves cubes optimally with one heuristic, in one metric, with all moves or some of them, to one goal.

    The goal is the solved cube, unless ``goal``, ``goal_set`` or pieces are named. Pieces are a string such as
    ``"UF,URF"``, a face's letter for all its pieces, ``"corners"`` or ``"edges"``.

    Args:
        heuristic: a name that ``cube-opt heuristics`` lists, such as ``"manhattan-max"``, ``"korf97"`` or
            ``"square-4"``; by default the strongest that fits the memory and whose tables exist or can
            be built within a minute. Chosen moves and goals that leave something open have tables of their own.
        metric: ``"htm"``, in which any turn of a face is a move, ``"qtm"``, in which a half turn is two,
            ``"stm"``, in which a turn of a slice is also one move, or ``"axial"``, in which turns of two
            opposite faces at once are one move.
        moves: the moves to solve with, such as ``"U R M"``, instead of all turns of faces. Goals that leave something
            open need turns of faces.
        goal: another cube to reach.
        goal_set: a goal by its name, such as ``"cross"``, or several, such as ``"222,roux1"``, of which any will do;
            ``cube-opt help solve`` explains the names.
        bottom: the face at the bottom, for ``goal_set`` and ``auf``; ``"D,U"`` or ``"any"`` for the best of several.
        front: the face at the front, for a ``goal_set`` that depends on it; also a list or ``"any"``.
        auf: whether to accept the goal up to a final turn of the top.
        only: solve these pieces and ignore all others.
        only_position: solve the position of these pieces, not their orientation.
        only_orientation: solve the orientation of these pieces, wherever they are.
        ignore: ignore these pieces.
        unique: of all solutions that are equivalent under symmetry, find only one.
        order: the order of the branches within a bound: ``"operators"`` or ``"deepest"``; by default that of the papers
            for their heuristics, the deepest first for others.
        memory: the budget for tables, in bytes or such as ``"4GiB"``; by default three quarters of what is
            available.
        threads: the threads of a search; by default one for each core.
        tables: the directory of tables; by default ``$OPTIMAL_PUZZLES_TABLES`` or the cache directory, as for the
            command lines. Missing tables are built now.
        progress: how to report the building of tables (see :class:`optimal_puzzles.cube.Progress`).

    Raises:
        InvalidArgument: for an unknown heuristic, or arguments that cannot be combined.
        PuzzleError: when the tables exceed the memory.
        TableError: for a table that is damaged or of another version.
    """

    _instance = "cube"
    _shorten = _native.cube_improve
    _follows_from_moves = True
    _solves_anew = True
    _lists_all = True

    def __init__(
        self,
        heuristic: str | None = None,
        *,
        metric: str | None = None,
        moves: str | None = None,
        goal: Any = None,
        goal_set: str | None = None,
        bottom: str | None = None,
        front: str | None = None,
        auf: bool = False,
        only: str | None = None,
        only_position: str | None = None,
        only_orientation: str | None = None,
        ignore: str | None = None,
        unique: bool = False,
        order: str | None = None,
        memory: Memory = None,
        threads: int | None = None,
        tables: Directory = None,
        progress: ProgressArgument = None,
    ) -> None:
        given = {
            "metric": metric,
            "moves": moves,
            "goal": None if goal is None else _text(goal),
            "goal_set": goal_set,
            "bottom": bottom,
            "front": front,
            "auf": "" if auf else None,
            "only": only,
            "only_position": only_position,
            "only_orientation": only_orientation,
            "ignore": ignore,
        }
        options = {name: text for name, text in given.items() if text is not None}
        self._native = _native.CubeSolver(
            heuristic, options, size(memory), threads, directory(tables), reporter(progress)
        )
        self._more = {"is_up_to_symmetry": unique, "order": order}
        self._remember(
            **{**given, "heuristic": heuristic, "auf": auf or None, "unique": unique or None, "order": order},
            memory=memory,
            threads=threads,
            tables=directory(tables),
        )

    @property
    def metric(self) -> str:
        """The metric: ``"htm"``, ``"qtm"``, ``"stm"`` or ``"axial"``."""
        return self._native.metric()

    def _text(self, instance: Any) -> str:
        return _text(instance)

    def _texts(self, instances: Any) -> list[str]:
        return _cube_texts(instances)

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
    return _arrays.out(_native.cube_random(*_arrays.drawn(count, seed)), count, 20)


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
        moves: turns of faces, wide turns, slices and rotations that together leave the cube in the same orientation.

    Returns:
        ``uint8``, shape ``(n, 20)``, cubies.
    """
    rows = _arrays.rows(cubes, _CUBIES)
    return _arrays.out(_native.cube_apply(rows.tobytes(), moves), len(rows), 20)


def exact(max_depth: int, metric: str = "htm") -> tuple[Bytes, npt.NDArray[np.intp]]:
    """All cubes of at most ``max_depth`` moves, and their exact distances to the solved cube, for :func:`search.audit`.

    Returns:
        Cubes, ``uint8``, shape ``(n, 20)``, cubies, and distances, shape ``(n,)``.
    """
    return _arrays.layers(solved(), lambda rows: expand(rows, metric)[0].reshape(-1, 20), max_depth)


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


def facelets(cubes: Any, faces: str = "URFDLB") -> Bytes:
    """The colours of cubes as numbers.

    Args:
        cubes: shape ``(n, 20)``, cubies.
        faces: the order of the faces, each row by row; the colour of the first one is 0.

    Returns:
        ``uint8``, shape ``(n, 54)``. Solvers read rows in the default order.
    """
    import numpy as np

    if sorted(faces) != sorted("URFDLB"):
        raise InvalidArgument(f"faces must be the letters U R F D L B in some order, not {faces!r}")
    letters = np.frombuffer("".join(text(cubes)).encode(), dtype=np.uint8).reshape(-1, 6, 9)
    colours = np.zeros(128, dtype=np.uint8)
    colours[[ord(face) for face in faces]] = np.arange(6)
    return colours[letters[:, ["URFDLB".index(face) for face in faces]]].reshape(-1, 54)


def text(cubes: Any, format: str = "facelets") -> list[str]:
    """Cubes as strings.

    Args:
        cubes: shape ``(n, 20)``, cubies.
        format: ``"facelets"`` or ``"reid"``.
    """
    return _native.cube_text(_arrays.rows(cubes, _CUBIES).tobytes(), format)


def _text(instance: Any) -> str:
    """One cube as a string that the extension module reads; a sequence of words is joined."""
    if isinstance(instance, str):
        return instance
    words = list(_arrays.leaves(instance))
    if isinstance(instance, (list, tuple)) and all(isinstance(word, str) for word in words):
        return ("" if len(words) == 54 else " ").join(words)
    return _texts(_arrays.row(instance, _EITHER, "cube"))[0]


def _cube_texts(cubes: Any) -> list[str]:
    """Several cubes as strings that the extension module reads."""
    if _arrays.is_array(cubes):
        return _texts(cubes)
    return [_text(one) for one in _arrays.several(cubes, "cube")]


def _texts(rows: Any) -> list[str]:
    """Rows of numbers as strings that the extension module reads."""
    rows = _arrays.rows(rows, _EITHER)
    if rows.shape[1] == 54:
        return _native.facelet_texts(rows.tobytes())
    return _native.cube_text(rows.tobytes(), "reid")
