"""The nodes that iterations of IDA* are expected to expand, by the formula of Korf, Reid and Edelkamp (2001).

A node at depth ``i`` is expanded by the iteration with bound ``c`` if the heuristic's value is at most ``c - i``. So the
iteration expands about the sum of ``N(i) P(c - i)`` nodes, where ``N(i)`` is the number of nodes at depth ``i`` without a
heuristic, and ``P(x)`` the share of states with a value of at most ``x``. Boards are counted by the cell of the blank.

The formula is about the mean over many start states; a single one can be far from it. It is for heuristics whose value a
search takes as it is: ``"md"``, ``"lc"``, ``"korf96"``, ``"pairs"`` and ``"triples"`` of boards, and those of cubes that
search from one end, such as ``"manhattan-max"`` and ``"korf97"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _arrays, _native, cube, tiles
from .errors import InvalidArgument

__all__ = ["Prediction", "Values", "predict"]

#: The values of a solver with pattern databases depend on the bound, or on the end from which a cube is searched.
_REFUSED = ("pdb", "square", "coset")


@dataclass(frozen=True)
class Prediction:
    """The nodes of one iteration.

    Attributes:
        bound: the bound, in moves.
        predicted: the expected number of nodes expanded.
        counted: the number that the search expanded; ``None`` if it did not complete the iteration.
    """

    bound: int
    predicted: float
    counted: int | None = None


class Values:
    """The distribution of a solver's values, for many predictions.

    Args:
        solver: a solver of boards or cubes with one heuristic.
        states: the states whose values count, shape ``(n, cells)`` or ``(n, 20)``; by default all boards of at most 9
            cells, otherwise random states.
        samples: the number of random states.
        seed: their random seed.

    Attributes:
        counts: for each cell of the blank the number of states with each value; for cubes one such list.

    Raises:
        InvalidArgument: for a heuristic whose search takes other values than those of the states.
    """

    def __init__(
        self, solver: Union[tiles.Solver, cube.Solver], states: Any = None, *, samples: int = 200_000, seed: int = 0
    ) -> None:
        import numpy as np

        if solver.heuristic.startswith(_REFUSED):
            raise InvalidArgument(
                f"the nodes of {solver.heuristic} cannot be predicted: its values depend on the search"
            )
        if states is None:
            states = _states(solver, samples, seed)
        rows, values = _arrays.rows(states, solver._widths()), solver.heuristic_batch(states)
        blanks = np.zeros(len(rows)) if isinstance(solver, cube.Solver) else (rows == 0).argmax(axis=1)
        classes = 1 if isinstance(solver, cube.Solver) else rows.shape[1]
        self.solver = solver
        self.counts: list[list[int]] = [np.bincount(values[blanks == each]).tolist() for each in range(classes)]

    def expanded(self, instance: Any, bounds: Sequence[int]) -> list[float]:
        """The expected nodes of iterations with these bounds."""
        if isinstance(self.solver, cube.Solver):
            return _native.cube_expanded(self.solver.metric, self.counts[0], list(bounds))
        text = self.solver._text(instance)
        return _native.tile_expanded(self.solver._native, text, self.counts, list(bounds))


def predict(
    solver: Union[tiles.Solver, cube.Solver],
    instance: Any,
    bounds: Sequence[int] | None = None,
    *,
    values: Values | None = None,
    time_limit: float | None = None,
) -> list[Prediction]:
    """The expected nodes of iterations, beside those counted.

    Args:
        solver: a solver of boards or cubes with one heuristic.
        instance: the start, as for ``solver.solve``.
        bounds: the bounds; no search is made then. By default those that a search of the instance completes.
        values: the distribution of the solver's values; by default ``Values(solver)``.
        time_limit: stop the search after this many seconds.

    Raises:
        InvalidArgument: for a heuristic whose search takes other values than those of the states.
    """
    values = values or Values(solver)
    counted: dict[int, int] = {}
    if bounds is None:
        iterations = solver.solve(instance, time_limit=time_limit).iterations
        counted = {each.bound: each.expanded for each in iterations if each.complete}
        bounds = list(counted)
    found = values.expanded(instance, bounds)
    return [Prediction(bound, nodes, counted.get(bound)) for bound, nodes in zip(bounds, found)]


def _states(solver: Union[tiles.Solver, cube.Solver], samples: int, seed: int) -> Any:
    """The states whose values count by default."""
    if isinstance(solver, cube.Solver):
        return cube.random(samples, seed)
    if tiles._cells(solver.size) <= 9:
        return tiles.exact(size=solver.size, goal=solver.goal)[0]
    return tiles.random(samples, seed, size=solver.size, goal=solver.goal)
