"""Instances with proved lengths or bounds: the suites of the package, and files.

===================  ==========================================================================
name                 instances
===================  ==========================================================================
``ten-cubes``        the ten cubes of Korf 1997 (half turns)
``korf-100``         the hundred 15-puzzles of Korf 1985
``korf-felner-50``   the fifty 24-puzzles of Korf and Felner 2002
``korf-taylor-10``   the ten 24-puzzles of Korf and Taylor 1996
``seeded-15``        a hundred 15-puzzles of ``tiles.random(100, seed=1985)``
``seeded-hanoi``     a hundred pairs of states of ten discs, four pegs, of ``hanoi.random`` with seed 2004
===================  ==========================================================================

:func:`load` returns one of them by its name, :func:`read` the suite of a file, and
:func:`optimal_puzzles.deepcubea.read` that of a test file of DeepCubeA.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from .errors import InvalidArgument, InvalidInstance
from .results import Result

if TYPE_CHECKING:
    from .search import Puzzle

__all__ = ["Instance", "Suite", "load", "names", "read"]

_PUZZLES = ("cube", "tiles", "hanoi", "search")


@dataclass(frozen=True)
class Instance:
    """An instance of a suite.

    Attributes:
        id: its number, as in its source.
        text: the instance, in the form that the puzzle's solver reads.
        optimal: the length of its shortest solutions, in moves; ``None`` if it is not proved.
        lower: a proved lower bound on that length.
        upper: the length of the best known solution; ``None`` if none is known.
    """

    id: int
    text: str
    optimal: int | None = None
    lower: int = 0
    upper: int | None = None

    def __post_init__(self) -> None:
        if self.optimal is not None:
            object.__setattr__(self, "lower", self.optimal)
            object.__setattr__(self, "upper", self.optimal)
        elif self.upper is not None and self.lower >= self.upper:
            if self.lower > self.upper:
                raise InvalidInstance(f"number {self.id}: the lower bound {self.lower} exceeds {self.upper}")
            object.__setattr__(self, "optimal", self.upper)


@dataclass(frozen=True, repr=False)
class Suite:
    """Instances of one puzzle, in the order of their source.

    Attributes:
        name: the suite's name.
        puzzle: the module that solves them: ``"cube"``, ``"tiles"``, ``"hanoi"`` or ``"search"``.
        size: for sliding tiles, the board, such as ``"4x4"``; otherwise empty.
        source: where the instances come from.
        instances: the instances.
        metric: of cubes: ``"htm"`` or ``"qtm"``.
        goal: of sliding tiles.
        definition: of the module ``search``, the puzzle.
    """

    name: str
    puzzle: str
    size: str
    source: str
    instances: tuple[Instance, ...]
    metric: str = "htm"
    goal: str = "blank-first"
    definition: Puzzle | None = None

    def __post_init__(self) -> None:
        if self.puzzle not in _PUZZLES:
            raise InvalidArgument(f"puzzle must be one of {', '.join(_PUZZLES)}, not {self.puzzle!r}")
        if self.puzzle == "tiles" and not self.size:
            raise InvalidArgument("a suite of boards needs their size")
        if self.puzzle == "search" and self.definition is None:
            raise InvalidArgument("a suite of a permutation puzzle needs its definition")

    def __repr__(self) -> str:
        size = f", {self.size}" if self.size else ""
        return f"Suite({self.name!r}, {self.puzzle}{size}, {len(self)} instances)"

    def __len__(self) -> int:
        return len(self.instances)

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances)

    def __getitem__(self, at: int) -> Instance:
        return self.instances[at]

    @property
    def texts(self) -> list[str]:
        """The instances as strings, for ``solve_batch``."""
        return [instance.text for instance in self.instances]

    def first(self, count: int) -> Suite:
        """The suite of the first instances."""
        return replace(self, instances=self.instances[:count])

    def solver(self, heuristic: str | None = None, **options: Any) -> Any:
        """The package's solver of the suite's puzzle, metric and goal: ``cube.Solver``, ``tiles.Solver`` and so on.

        Args:
            heuristic: the name of a heuristic of cubes or boards.
            options: further arguments of the solver, such as ``memory``.
        """
        from . import cube, hanoi, search, tiles

        if self.puzzle == "cube":
            return cube.Solver(heuristic, metric=self.metric, **options)
        if self.puzzle == "tiles":
            return tiles.Solver(heuristic, size=self.size, goal=self.goal, **options)
        if heuristic is not None:
            raise InvalidArgument(f"the solver of {self.puzzle} has no heuristics by name")
        if self.puzzle == "hanoi":
            return hanoi.Solver(**options)
        assert self.definition is not None
        return search.Solver(self.definition, **options)

    def replay(self, instance: Instance, moves: str) -> int:
        """The length of a solution, which the referee replays: turns of faces, directions of the blank or numbers of tiles,
        moves of discs, or the names of moves.

        Raises:
            InvalidInstance: with the move that fails, or the end of the moves.
        """
        if self.puzzle == "cube":
            return _native.cube_replay(instance.text, moves, self.metric)
        if self.puzzle == "tiles":
            return _native.tile_replay(instance.text, moves, self.size, self.goal)
        if self.puzzle == "hanoi":
            return _native.tower_replay(instance.text, moves, 4)
        assert self.definition is not None
        return _native.permutation_replay(self.definition._native, instance.text, moves)

    def with_results(self, results: Iterable[Result]) -> Suite:
        """The suite with the bounds and lengths that results prove, one result for each instance, in order.

        Raises:
            InvalidInstance: if there are more or fewer results, or one contradicts what is known.
        """
        proved = list(results)
        if len(proved) != len(self):
            raise InvalidInstance(f"{len(proved)} results for {len(self)} instances")
        instances = []
        for instance, result in zip(self.instances, proved):
            upper = [most for most in (instance.upper, result.upper_bound) if most is not None]
            lower = max(instance.lower, result.lower_bound or 0)
            instances.append(Instance(instance.id, instance.text, None, lower, min(upper) if upper else None))
        return replace(self, instances=tuple(instances))


def read(
    path: str | PathLike[str],
    puzzle: str,
    *,
    size: str = "",
    metric: str = "htm",
    goal: str = "blank-first",
    definition: Puzzle | None = None,
) -> Suite:
    """The suite of a file: one instance per line; or CSV with a header that names the columns ``instance`` and, if they are
    known, ``id``, ``optimal``, ``lower`` and ``upper``; or run records, as the programs print them with ``--json``.

    Args:
        path: the file.
        puzzle: the module that solves the instances: ``"cube"``, ``"tiles"``, ``"hanoi"`` or ``"search"``.
        size: of boards.
        metric: of cubes: ``"htm"`` or ``"qtm"``.
        goal: of boards.
        definition: of a permutation puzzle.

    Raises:
        InvalidInstance: with the number of the first line that cannot be read.
    """
    lines = [
        (number, line.rstrip("\n"))
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    if lines and lines[0][1].lstrip().startswith("{"):
        instances = [_of_record(number, line) for number, line in lines]
    elif lines and "instance" in next(csv.reader([lines[0][1]])):
        instances = _of_csv(lines)
    else:
        instances = [Instance(at, line.strip()) for at, (_, line) in enumerate(lines, 1)]
    return Suite(Path(path).stem, puzzle, size, str(path), tuple(instances), metric, goal, definition)


def _of_record(number: int, line: str) -> Instance:
    try:
        result = Result.from_json(line)
    except (InvalidInstance, json.JSONDecodeError) as error:
        raise InvalidInstance(f"line {number}: not a run record", [str(error)]) from None
    if result.lower_bound is None:
        raise InvalidInstance(f"line {number}: the instance has no solution")
    return Instance(number, result.instance, None, result.lower_bound, result.upper_bound)


def _of_csv(lines: list[tuple[int, str]]) -> list[Instance]:
    rows = csv.DictReader(io.StringIO("\n".join(line for _, line in lines)))
    instances = []
    for at, row in enumerate(rows, 1):
        try:
            known = {name: int(row[name]) for name in ("optimal", "lower", "upper") if row.get(name)}
            instances.append(Instance(int(row.get("id") or at), row["instance"], **known))
        except (TypeError, ValueError) as error:
            raise InvalidInstance(f"line {lines[at][0]}: not a row of the table", [str(error)]) from None
    return instances


@dataclass(frozen=True)
class _File:
    puzzle: str
    size: str
    file: str
    optimal: int
    """The column of the optimal length."""
    source: str


_TEN_CUBES = (16, 17, 17, 17, 18, 18, 18, 18, 18, 18)

_SUITES = {
    "ten-cubes": _File(
        "cube", "", "korf-1997-ten-cubes.txt", 0, "Korf 1997, Table 2; lengths by an independent solver"
    ),
    "korf-100": _File("tiles", "4x4", "korf-1985-hundred.csv", 2, "Korf 1985"),
    "korf-felner-50": _File("tiles", "5x5", "korf-felner-2002-fifty.csv", 2, "Korf and Felner 2002"),
    "korf-taylor-10": _File("tiles", "5x5", "korf-taylor-1996-table-1.csv", 3, "Korf and Taylor 1996, Table 1"),
    "seeded-15": _File("tiles", "4x4", "seeded-15-puzzles.csv", 2, "tiles.random(100, seed=1985)"),
    "seeded-hanoi": _File("hanoi", "", "seeded-pairs.csv", 2, "hanoi.random(200, seed=2004, discs=10), in pairs"),
}


def names() -> list[str]:
    """The names of all suites."""
    return list(_SUITES)


def load(name: str) -> Suite:
    """The suite of this name.

    Raises:
        InvalidArgument: if there is none.
    """
    if name not in _SUITES:
        raise InvalidArgument(f"no suite is named {name!r}; the names are {', '.join(names())}")
    # Imported here, because it takes longer to import than the rest of the package.
    from importlib.resources import files

    kind = _SUITES[name]
    lines = (files("optimal_puzzles") / "data" / kind.file).read_text(encoding="utf-8").splitlines()
    if kind.puzzle == "cube":
        pairs = zip((line for line in lines if line), _TEN_CUBES)
        instances = [Instance(number, text, optimal) for number, (text, optimal) in enumerate(pairs, 1)]
    else:
        rows = csv.reader(line for line in lines if line and not line.startswith("#"))
        instances = [Instance(int(row[0]), row[1], int(row[kind.optimal])) for row in rows]
    return Suite(name, kind.puzzle, kind.size, kind.source, tuple(instances))
