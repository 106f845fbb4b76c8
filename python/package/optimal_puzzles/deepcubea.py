"""The published test files of DeepCubeA (Agostinelli, McAleer, Shmakov and Baldi 2019), as suites.

The files ``data/cube3/test/data_0.pkl`` and those of ``puzzle15``, ``puzzle24``, ``puzzle35``, ``puzzle48`` and ``lightsout7``
in the repository of DeepCubeA are pickles. They are read without running any code of theirs: the only names that a file may
use are those of its arrays and of its classes of states, and data of this module stands for them.

>>> from optimal_puzzles import deepcubea
>>> suite = deepcubea.read("data/cube3/test/data_0.pkl")  # doctest: +SKIP

Cubes count quarter turns, and boards have the blank last in the goal, as in DeepCubeA. The solutions in a file are replayed, and
their lengths are upper bounds. A board of lights has one set of lights to press up to combinations that change nothing, so the
lengths of ``lightsout7`` are computed, by linear algebra over two elements.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InvalidInstance
from .suites import Instance, Suite

if TYPE_CHECKING:
    from ._arrays import Bytes

__all__ = ["cube_facelets", "lights_length", "read"]

#: The facelet, in the order U R F D L B row by row, at each place of DeepCubeA: faces U D L R B F.
_FACELETS = (
    *(6, 3, 0, 7, 4, 1, 8, 5, 2),
    *(33, 30, 27, 34, 31, 28, 35, 32, 29),
    *(42, 39, 36, 43, 40, 37, 44, 41, 38),
    *(15, 12, 9, 16, 13, 10, 17, 14, 11),
    *(51, 48, 45, 52, 49, 46, 53, 50, 47),
    *(24, 21, 18, 25, 22, 19, 26, 23, 20),
)
_FACES = "UDLRBF"
#: DeepCubeA names the direction of the tile, and we that of the blank.
_OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
#: The types of numbers that arrays may have, and their bytes.
_TYPES = {f"{kind}{size}": size for kind in "iu" for size in (1, 2, 4, 8)} | {"b1": 1, "f4": 4, "f8": 8}


class _Type:
    """The type of an array's numbers."""

    def __init__(self, name: str, *_: Any) -> None:
        if name not in _TYPES:
            raise InvalidInstance("not a test file of DeepCubeA", [f"arrays of type {name!r} are not read"])
        self.name, self.order = name, "<"

    def __setstate__(self, state: Any) -> None:
        if state[1] not in ("<", "|", "="):
            raise InvalidInstance("not a test file of DeepCubeA", [f"byte order {state[1]!r} is not read"])


class _Array:
    """An array of numbers: its shape, type and bytes."""

    numbers: tuple[Any, ...]

    def __init__(self, *_: Any) -> None:
        self.numbers = ()

    def __setstate__(self, state: Any) -> None:
        import numpy as np

        _, shape, kind, _, data = state
        if not (isinstance(kind, _Type) and isinstance(data, bytes) and len(shape) == 1):
            raise InvalidInstance("not a test file of DeepCubeA", ["an array is not a row of numbers"])
        if len(data) != shape[0] * _TYPES[kind.name]:
            raise InvalidInstance("not a test file of DeepCubeA", ["an array has more or fewer bytes than its shape"])
        self.numbers = tuple(np.frombuffer(data, dtype=f"<{kind.name}").tolist())


def _array(*_: Any) -> _Array:
    return _Array()


def _number(kind: Any, data: Any) -> Any:
    """A number of NumPy; only lists of times have them, which are not used."""
    return None


class _State:
    """A state: the array among its fields."""

    numbers: tuple[Any, ...]

    def __setstate__(self, state: Any) -> None:
        parts = state if isinstance(state, tuple) else (state,)
        fields = {name: value for part in parts if isinstance(part, dict) for name, value in part.items()}
        found = [value for value in fields.values() if isinstance(value, _Array)]
        if len(found) != 1:
            raise InvalidInstance("not a test file of DeepCubeA", ["a state does not have one array"])
        self.numbers = found[0].numbers


class _Cube(_State):
    pass


class _Board(_State):
    pass


class _Lights(_State):
    pass


_NAMES: dict[tuple[str, str], Any] = {
    ("environments.cube3", "Cube3State"): _Cube,
    ("environments.n_puzzle", "NPuzzleState"): _Board,
    ("environments.lights_out", "LOState"): _Lights,
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Type,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _array for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): _number for core in ("core", "_core")},
}


class _Reader(pickle.Unpickler):
    """Reads lists, numbers, text, and the classes above."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _NAMES:
            raise InvalidInstance("not a test file of DeepCubeA", [f"{module}.{name} is not read"])
        return _NAMES[module, name]


@dataclass(frozen=True)
class _File:
    states: Sequence[_State]
    solutions: Sequence[Any]


def _load(path: str | PathLike[str]) -> _File:
    with open(path, "rb") as file:
        try:
            data = _Reader(file).load()
        except InvalidInstance:
            raise
        except Exception as error:
            raise InvalidInstance("not a test file of DeepCubeA", [f"{type(error).__name__}: {error}"]) from None
    states = data.get("states") if isinstance(data, dict) else None
    if not isinstance(states, list) or not states or not all(isinstance(state, type(states[0])) for state in states):
        raise InvalidInstance("not a test file of DeepCubeA", ["it has no list of states of one kind"])
    if not isinstance(states[0], _State) or any(not hasattr(state, "numbers") for state in states):
        raise InvalidInstance("not a test file of DeepCubeA", ["its states are of no known kind"])
    solutions = data.get("solutions", [])
    if not isinstance(solutions, list) or len(solutions) not in (0, len(states)):
        raise InvalidInstance("not a test file of DeepCubeA", ["there is not one solution for each state"])
    return _File(states, solutions)


def read(path: str | PathLike[str]) -> Suite:
    """The suite of a test file.

    Raises:
        InvalidInstance: for any other file, and for solutions in the file that do not solve their states.
    """
    file = _load(path)
    # The puzzle is the folder of the file, as in ``cube3/test/data_0.pkl``, or the file's own name.
    parts = Path(path).resolve().parts
    name = parts[-3] if len(parts) >= 3 and parts[-2] == "test" else Path(path).stem
    source = "Agostinelli et al. 2019"
    if isinstance(file.states[0], _Cube):
        suite = Suite(f"deepcubea-{name}", "cube", "", source, (), metric="qtm")
        return _filled(suite, [cube_facelets(state.numbers) for state in file.states], file.solutions, _turns)
    if isinstance(file.states[0], _Lights):
        return _lights(f"deepcubea-{name}", source, file.states)
    side = isqrt(len(file.states[0].numbers))
    suite = Suite(f"deepcubea-{name}", "tiles", f"{side}x{side}", source, (), goal="blank-last")
    texts = [" ".join(map(str, state.numbers)) for state in file.states]
    return _filled(suite, texts, file.solutions, _directions)


def _filled(suite: Suite, texts: list[str], solutions: Sequence[Any], written: Any) -> Suite:
    from dataclasses import replace

    instances = [Instance(number, text) for number, text in enumerate(texts, 1)]
    if solutions:
        instances = [
            replace(instance, upper=suite.replay(instance, written(solution)))
            for instance, solution in zip(instances, solutions)
        ]
    return replace(suite, instances=tuple(instances))


def cube_facelets(colors: Sequence[int]) -> str:
    """The 54 facelets of a cube of DeepCubeA, in the order U R F D L B.

    Args:
        colors: the number of the sticker at each place, as ``Cube3State`` has them.

    Raises:
        InvalidInstance: unless they are the numbers 0 to 53.
    """
    if sorted(colors) != list(range(54)):
        raise InvalidInstance("not a cube of DeepCubeA", ["its stickers are not the numbers 0 to 53"])
    facelets = [""] * 54
    for place, sticker in enumerate(colors):
        facelets[_FACELETS[place]] = _FACES[sticker // 9]
    return "".join(facelets)


def _turns(solution: Any) -> str:
    """The turns of a cube, each a face and 1 or -1."""
    try:
        return " ".join(face + {1: "", -1: "'"}[way] for face, way in solution)
    except (KeyError, TypeError, ValueError):
        raise InvalidInstance("not a solution of DeepCubeA", [repr(solution)[:80]]) from None


def _directions(solution: Any) -> str:
    """The directions of the tiles that move, as those of the blank."""
    try:
        return "".join(_OPPOSITE[letter] for letter in solution)
    except (KeyError, TypeError):
        raise InvalidInstance("not a solution of DeepCubeA", [repr(solution)[:80]]) from None


def _lights(name: str, source: str, states: Sequence[_State]) -> Suite:
    from .search import Puzzle

    lights = len(states[0].numbers)
    side = isqrt(lights)
    definition = Puzzle.builtin(f"lights-out-{side}x{side}")
    instances = []
    for number, state in enumerate(states, 1):
        on = [int(light) for light in state.numbers]
        presses = _presses(on, side)
        row = _rows_of(definition, presses)
        instances.append(Instance(number, definition.text(row)[0], len(presses)))
    return Suite(name, "search", "", source, tuple(instances), definition=definition)


def _rows_of(definition: Any, presses: Sequence[int]) -> Bytes:
    """The board that pressing some lights makes from the dark one."""
    row: Bytes = definition.solved[None]
    return definition.apply(row, [definition.moves[light] for light in presses]) if presses else row


def lights_length(lights: Sequence[int]) -> int:
    """The number of lights to press on a square board until all are off.

    Args:
        lights: 1 for each light that is on, row by row.

    Raises:
        InvalidInstance: if nothing turns all of them off.
    """
    return len(_presses([int(light) for light in lights], isqrt(len(lights))))


def _presses(lights: list[int], side: int) -> list[int]:
    """The fewest lights to press: by Gaussian elimination, and by trying the combinations that change nothing."""
    cells = side * side
    if len(lights) != cells or any(light not in (0, 1) for light in lights):
        raise InvalidInstance("not a board of lights", [f"{len(lights)} lights, not all 0 or 1"])

    def changed(cell: int) -> int:
        row, column = divmod(cell, side)
        beside = [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return sum(1 << (r * side + c) for r, c in beside if 0 <= r < side and 0 <= c < side)

    # Each entry: the lights that a combination of presses changes, and the combination.
    reduced: list[tuple[int, int]] = []
    quiet: list[int] = []
    for cell in range(cells):
        change, presses = changed(cell), 1 << cell
        for other, combination in reduced:
            if change ^ other < change:
                change, presses = change ^ other, presses ^ combination
        if change:
            reduced.append((change, presses))
            reduced.sort(reverse=True)
        else:
            quiet.append(presses)
    left, found = sum(light << cell for cell, light in enumerate(lights)), 0
    for change, presses in reduced:
        if left ^ change < left:
            left, found = left ^ change, found ^ presses
    if left:
        raise InvalidInstance("not a board of lights that can be turned off")
    best = found
    for count in range(1, len(quiet) + 1):
        for chosen in combinations(quiet, count):
            other = found
            for presses in chosen:
                other ^= presses
            if bin(other).count("1") < bin(best).count("1"):
                best = other
    return [cell for cell in range(cells) if best >> cell & 1]
