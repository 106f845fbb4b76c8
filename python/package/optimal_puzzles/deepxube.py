"""Any puzzle of this package as a domain of DeepXube, and our lower bounds as its heuristics.

DeepXube is imported when :func:`domain` is called, and not before.

>>> from optimal_puzzles import search
>>> from optimal_puzzles.deepxube import domain, heuristic
>>> skewb = search.Puzzle.builtin("skewb")
>>> xube = domain(skewb)  # doctest: +SKIP
>>> bound = heuristic(search.Solver(skewb))
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

from . import cube, tiles
from .errors import InvalidArgument
from .search import Puzzle, Solver

if TYPE_CHECKING:
    from ._arrays import Bytes

__all__ = ["domain", "heuristic"]


class _Moves:
    """The moves of a puzzle on rows."""

    def __init__(self, puzzle: Union[Puzzle, str], metric: str, goal: Any) -> None:
        import numpy as np

        #: The states after each move of each row, shape ``(n, moves, width)``.
        self.expand: Callable[[Bytes], Bytes]
        if isinstance(puzzle, Puzzle):
            self.expand, self.names, self.goal = puzzle.expand, puzzle.moves, puzzle.solved
            near = puzzle.random(8, 1, steps=20)
        elif puzzle == "cube":
            self.expand, self.goal = (lambda rows: cube.expand(rows, metric)[0]), cube.solved()[0]
            self.names = cube.expand(cube.solved(), metric)[1]
            near = cube.random(1, 1)
        else:
            size = tiles._size(puzzle)
            self.expand = lambda rows: tiles.expand(rows, size=size)[0]
            self.goal = tiles.exact(0, size=size, goal=goal)[0][0]
            self.names = list(tiles.expand(self.goal[None], size=size)[2])
            near = tiles.random(64, 1, size=size, goal=goal)
        # The move that undoes each: wherever a move changes a state, the other leads back.
        children = self.expand(near)
        changed = (children != near[:, None]).any(axis=2)
        back = self.expand(children.reshape(-1, near.shape[1])).reshape(*children.shape[:2], -1, near.shape[1])
        returns = (back == near[:, None, None]).all(axis=3) | ~changed[:, :, None]
        undone = returns.all(axis=0)
        if not undone.any(axis=1).all():
            raise InvalidArgument("DeepXube walks backwards from the goal: each move needs one that undoes it")
        self.inverse = np.argmax(undone, axis=1)


def domain(puzzle: Union[Puzzle, str], *, metric: str = "htm", goal: Any = "blank-first") -> Any:
    """The domain of a puzzle, for DeepXube's training and pathfinding: all moves cost 1, and its states have a field ``row``,
    the row of this package.

    A move that is blocked, such as one of the blank off the board, leaves a state as it is, as in DeepXube's own domains.

    Args:
        puzzle: a :class:`~optimal_puzzles.search.Puzzle`; ``"cube"``; or the size of a board, such as ``"4x4"``.
        metric: of a cube: ``"htm"`` or ``"qtm"``.
        goal: of a board.

    Raises:
        ImportError: if DeepXube is not installed.
        InvalidArgument: for a puzzle with a move that no other move undoes.
    """
    import numpy as np
    from deepxube.base.domain import Action, ActsEnumFixed, Goal, GoalStartRevWalkableActsRev, State

    class Row(State):  # type: ignore[misc]
        """A state."""

        def __init__(self, row: Bytes) -> None:
            self.row = row

        def __hash__(self) -> int:
            return hash(self.row.tobytes())

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Row) and np.array_equal(self.row, other.row)

    class Move(Action):  # type: ignore[misc]
        """A move, by its number and name."""

        def __init__(self, number: int, name: str) -> None:
            self.number, self.name = number, name

        def __hash__(self) -> int:
            return self.number

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Move) and self.number == other.number

        def __repr__(self) -> str:
            return self.name

    class RowGoal(Goal):  # type: ignore[misc]
        """The goal state."""

        def __init__(self, row: Bytes) -> None:
            self.row = row

    class PuzzleDomain(ActsEnumFixed, GoalStartRevWalkableActsRev):  # type: ignore[misc]
        """The domain of a puzzle."""

        def __init__(self) -> None:
            super().__init__()
            self.moves = _Moves(puzzle, metric, goal)
            self.actions = [Move(number, name) for number, name in enumerate(self.moves.names)]

        def get_actions_fixed(self) -> list[Move]:
            return list(self.actions)

        def state(self, row: Bytes) -> Row:
            """The state of a row."""
            return Row(np.ascontiguousarray(row, dtype=np.uint8))

        def _children(self, states: list[Row]) -> Bytes:
            return self.moves.expand(np.stack([state.row for state in states]))

        def next_state(self, states: list[Row], actions: list[Move]) -> tuple[list[Row], list[float]]:
            children = self._children(states)
            after = [self.state(own[action.number]) for own, action in zip(children, actions)]
            return after, [1.0] * len(states)

        def expand(self, states: list[Row]) -> tuple[list[list[Row]], list[list[Move]], list[list[float]]]:
            children = [[self.state(child) for child in own] for own in self._children(states)]
            return children, [self.get_actions_fixed() for _ in states], [[1.0] * len(self.actions) for _ in states]

        def is_solved(self, states: list[Row], goals: list[RowGoal]) -> list[bool]:
            return [np.array_equal(state.row, goal.row) for state, goal in zip(states, goals)]

        def sample_goalstate_goal_pairs(self, num: int) -> tuple[list[Row], list[RowGoal]]:
            return [self.state(self.moves.goal)] * num, [RowGoal(self.moves.goal)] * num

        def sample_rev_state(self, states: list[Row]) -> tuple[list[Row], list[Move], list[float]]:
            # Of the moves that change a state, one leads to the state before; its inverse leads back.
            before, actions = [], []
            for state, children in zip(states, self._children(states)):
                number = random.choice(np.flatnonzero((children != state.row).any(axis=1)).tolist())
                before.append(self.state(children[number]))
                actions.append(self.actions[int(self.moves.inverse[number])])
            return before, actions, [1.0] * len(states)

    return PuzzleDomain()


def heuristic(solver: Union[Solver, cube.Solver, tiles.Solver]) -> Callable[[list[Any], list[Any]], list[float]]:
    """The solver's lower bounds as a heuristic of DeepXube (``HeurFnV``) for the states of :func:`domain`.

    The bound is the distance to the solver's own goal, which must be that of the domain.
    """

    def bounds(states: list[Any], goals: list[Any]) -> list[float]:
        import numpy as np

        values = solver.heuristic_batch(np.stack([state.row for state in states]))
        return [float(value) for value in values]

    return bounds
