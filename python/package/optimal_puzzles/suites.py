"""Instances with known optimal lengths.

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
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import InvalidArgument

__all__ = ["Instance", "Suite", "load", "names"]


@dataclass(frozen=True)
class Instance:
    """An instance of a suite.

    Attributes:
        id: its number, as in its source.
        text: the instance, in the form that the puzzle's solver reads.
        optimal: the length of its shortest solutions, in moves.
    """

    id: int
    text: str
    optimal: int


@dataclass(frozen=True, repr=False)
class Suite:
    """Instances of one puzzle, in the order of their source.

    Attributes:
        name: the suite's name.
        puzzle: the module that solves them: ``"cube"``, ``"tiles"`` or ``"hanoi"``.
        size: for sliding tiles, the board, such as ``"4x4"``, with the blank first in the goal; otherwise empty.
        source: where the instances come from.
        instances: the instances.
    """

    name: str
    puzzle: str
    size: str
    source: str
    instances: tuple[Instance, ...]

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
