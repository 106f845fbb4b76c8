"""Our puzzles as domains of DeepXube, searched by its own A* with our bounds. The package itself, without Torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from absent import without

from optimal_puzzles import cube, search, tiles
from optimal_puzzles.deepxube import domain, heuristic
from optimal_puzzles.errors import InvalidArgument

without("torch", "clingo", "wget", "imageio", "filelock", "tensorboard", "matplotlib", "PIL")
pytest.importorskip("deepxube")

ORDER = search.Puzzle.builtin("pancake-7")
PUZZLES: list[tuple[Any, Any]] = [
    (ORDER, search.Solver(ORDER)),
    ("3x3", tiles.Solver("md", size="3x3")),
    ("cube", cube.Solver("manhattan-max")),
]


def solved(made: Any, bounds: Any, rows: Any) -> list[int]:
    """The lengths that the A* of DeepXube finds."""
    from deepxube.base.pathfinding import FNsHeurV
    from deepxube.pathfinding.graph_search import GraphSearchHeurNodeActsEnum

    find = GraphSearchHeurNodeActsEnum(made, FNsHeurV(bounds))
    states = [made.state(row) for row in rows]
    goals = made.sample_goalstate_goal_pairs(len(states))[1]
    instances = find.make_instances(states, goals)
    find.add_instances(instances)
    while not all(instance.finished() for instance in instances):
        find.step()
    return [int(instance.path_cost()) for instance in instances]


@pytest.mark.parametrize("puzzle, solver", PUZZLES, ids=["pancakes", "tiles", "cube"])
def test_its_search_finds_the_same_lengths(puzzle: Any, solver: Any) -> None:
    made = domain(puzzle)
    starts, _ = made.sample_problem_instances([0, 1, 2, 4, 4])
    rows = np.stack([state.row for state in starts])
    lengths = [result.length for result in solver.solve_batch(rows)]
    assert lengths[0] == 0
    assert solved(made, heuristic(solver), rows) == lengths


def test_a_walk_backwards_can_be_undone() -> None:
    for puzzle, _ in PUZZLES:
        made = domain(puzzle)
        starts, goals = made.sample_problem_instances([5] * 10)
        before, actions, costs = made.sample_rev_state(starts)
        assert made.next_state(before, actions)[0] == starts and costs == [1.0] * 10
        ends, walked, _ = made.random_walk_rev(made.sample_goalstate_goal_pairs(4)[0], [3] * 4)
        for moves in range(3):
            ends, _ = made.next_state(ends, [own[-1 - moves] for own in walked])
        assert made.is_solved(ends, goals[:4]) == [True] * 4


def test_children_are_those_of_the_moves() -> None:
    made = domain("cube", metric="qtm")
    starts, _ = made.sample_problem_instances([3] * 4)
    children, actions, _ = made.expand(starts)
    assert [str(action) for action in actions[0]] == cube.expand(cube.solved(), "qtm")[1]
    for number, action in enumerate(actions[0]):
        assert made.next_state(starts, [action] * 4)[0] == [own[number] for own in children]
    assert len({*children[0]}) == 12 and children[0][0] != children[0][1]


def test_moves_that_cannot_be_undone_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="undoes"):
        domain(search.Puzzle([[1, 2, 3, 4, 0], [1, 0, 2, 3, 4]]))
