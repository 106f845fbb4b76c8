"""Puzzles and lower bounds for CayleyPy, and its graphs as puzzles.

CayleyPy is imported where a graph is made, and nowhere else: :func:`from_graph` reads any object with the fields of
``CayleyGraphDef``, and what :class:`Bound` returns are NumPy arrays, which ``Predictor`` takes.

>>> from optimal_puzzles import search
>>> from optimal_puzzles.cayleypy import from_graph, to_graph
>>> graph = to_graph(search.Puzzle.builtin("pancake-6"))  # doctest: +SKIP
>>> from_graph(graph).bfs_counts()  # doctest: +SKIP
[1, 5, 20, 79, 199, 281, 133, 2]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .errors import InvalidArgument
from .search import Puzzle, Solver

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Bound", "from_graph", "to_graph"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*'?")


def to_graph(puzzle: Puzzle, name: str = "") -> Any:
    """The puzzle as a ``CayleyGraphDef``: its counted moves are the generators, the solved state is the central one.

    Args:
        puzzle: a puzzle without free rotations and without rules that block moves, whose pieces are all distinct.
        name: the name of the graph.

    Raises:
        ImportError: if CayleyPy is not installed.
        InvalidArgument: for another puzzle.
    """
    import numpy as np
    from cayleypy import CayleyGraphDef

    children = puzzle.expand(puzzle.solved[None])[0]
    scrambled = puzzle.random(64, 0, steps=50)
    # A move of distinct pieces carries the sticker at one point to one other point, in every state.
    if puzzle.rotations or not np.array_equal(puzzle.expand(scrambled), scrambled[:, children]):
        raise InvalidArgument("a graph needs distinct pieces, no free rotations, and moves that nothing blocks")
    generators = [[int(point) for point in child] for child in children]
    return CayleyGraphDef.create(generators, generator_names=list(puzzle.moves), name=name)


def from_graph(graph: Any) -> Puzzle:
    """The puzzle of a ``CayleyGraphDef`` (or a ``CayleyGraph``) of permutations.

    Each generator is one move. Elements of the central state that are equal are pieces that look alike. Names that are not
    those of moves are replaced by ``m0``, ``m1`` and so on.

    Raises:
        InvalidArgument: for a graph of matrices.
        InvalidInstance: with everything that is wrong with the generators.
    """
    graph = getattr(graph, "definition", graph)
    generators, central = list(graph.generators_permutations), list(graph.central_state)
    if not generators:
        raise InvalidArgument("only graphs of permutations are puzzles, not those of matrices")
    names = list(graph.generator_names)
    if len(set(names)) < len(names) or not all(_NAME.fullmatch(name) for name in names):
        names = [f"m{number}" for number in range(len(generators))]
    if central == list(range(len(central))):
        return Puzzle(dict(zip(names, generators)))
    # Labels are numbered from 0 in the order of their first places.
    order = {label: number for number, label in enumerate(dict.fromkeys(central))}
    orbit, turns = "PLACES", [0] * len(central)
    definition = {
        "name": graph.name or "graph",
        "orbits": [{"orbitName": orbit, "numPieces": len(central), "numOrientations": 1}],
        "defaultPattern": {orbit: {"pieces": [order[label] for label in central], "orientation": turns}},
        "moves": {
            name: {orbit: {"permutation": [int(place) for place in generator], "orientationDelta": turns}}
            for name, generator in zip(names, generators)
        },
    }
    return Puzzle.from_kpuzzle(definition, metric="generators")


class Bound:
    """Lower bounds on the distances to the central state, for ``Predictor``: exact where the solver has a table of all
    states.

    >>> predictor = cayleypy.Predictor(graph, Bound(graph))  # doctest: +SKIP

    Args:
        graph: a ``CayleyGraphDef`` or a ``CayleyGraph``.
        options: arguments of :class:`optimal_puzzles.search.Solver`, such as ``memory``.

    Attributes:
        puzzle: the puzzle of the graph.
        solver: its solver.
    """

    def __init__(self, graph: Any, **options: Any) -> None:
        graph = getattr(graph, "definition", graph)
        self._central = [int(label) for label in graph.central_state]
        self.puzzle = from_graph(graph)
        self.solver = Solver(self.puzzle, **options)

    def rows(self, states: Any) -> npt.NDArray[np.uint8]:
        """States of CayleyPy as rows of the puzzle: at each point one of the stickers with its label.

        Args:
            states: a tensor or array, shape ``(n, size)``.
        """
        import numpy as np

        given = np.asarray(states.cpu() if hasattr(states, "cpu") else states).reshape(-1, len(self._central))
        stickers = np.argsort(self._central, kind="stable")
        if not np.array_equal(np.sort(given, axis=1), np.broadcast_to(np.sort(self._central), given.shape)):
            raise InvalidArgument("states have the labels of the central state")
        rows = np.empty(given.shape, dtype=np.uint8)
        np.put_along_axis(rows, np.argsort(given, axis=1, kind="stable"), stickers.astype(np.uint8)[None], axis=1)
        return rows

    def predict(self, states: Any) -> npt.NDArray[np.float32]:
        """The bound of each state, shape ``(n,)``."""
        import numpy as np

        return self.solver.heuristic_batch(self.rows(states)).astype(np.float32)
