"""Predicted nodes, beside those counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from optimal_puzzles import cube, predict, tiles
from optimal_puzzles.errors import InvalidArgument
from optimal_puzzles.prediction import Values


def nodes_of_all(bound: int) -> Any:
    """The nodes of iterations with this bound from every 3x3 board, and the boards, by the recurrence of the tree: a board's
    nodes are one more than its children's, if its value is at most what is left."""
    boards = tiles.exact(size="3x3")[0]
    values = tiles.Solver("md", size="3x3").heuristic_batch(boards)
    children, exist, letters = tiles.expand(boards, size="3x3")
    powers = 9 ** np.arange(9, dtype=np.int64)
    order = np.argsort(boards @ powers)
    after = order[np.searchsorted((boards @ powers)[order], children @ powers)]
    undone = [letters.index({"U": "D", "D": "U", "L": "R", "R": "L"}[letter]) for letter in letters]
    # The last column is that of no last move.
    nodes = np.zeros((len(boards), 5), dtype=np.int64)
    for left in range(bound + 1):
        below = np.stack([nodes[after[:, move], move] * exist[:, move] for move in range(4)], axis=1)
        total = 1 + below.sum(axis=1)
        found = [total - below[:, undone[last]] for last in range(4)] + [total]
        nodes = np.stack(found, axis=1) * (values <= left)[:, None]
    return boards, nodes[:, 4]


def test_the_mean_over_all_eight_puzzles_is_predicted() -> None:
    solver = tiles.Solver("md", size="3x3", fsm="inverse", threads=1)
    values = Values(solver)
    for bound in (9, 16):
        boards, nodes = nodes_of_all(bound)
        for cell in (0, 1, 4, 5):
            here = (boards == 0).argmax(axis=1) == cell
            (predicted,) = values.expanded(boards[here][0], [bound])
            assert predicted == pytest.approx(nodes[here].mean(), rel=1e-9)
        # These are the nodes that a search counts.
        for at in range(500, len(boards), 20_000):
            iterations = solver.solve(boards[at], max_depth=bound).iterations
            counted = [each.expanded for each in iterations if each.bound == bound and each.complete]
            assert counted in ([], [nodes[at]])


def test_predictions_stand_beside_the_counts() -> None:
    solver = tiles.Solver("md", size="3x3", threads=1)
    result = solver.solve("8 0 6 5 4 7 2 3 1")
    found = predict(solver, "8 0 6 5 4 7 2 3 1")
    assert [each.bound for each in found] == [each.bound for each in result.iterations if each.complete]
    assert [each.counted for each in found] == [each.expanded for each in result.iterations if each.complete]


def test_cubes() -> None:
    """The mean of 200 random cubes; its standard error is 6% of it."""
    solver = cube.Solver("manhattan-max", threads=1)
    values = Values(solver, samples=100_000)
    results = solver.solve_batch(cube.random(200, 5), max_depth=8)
    counted = [sum(each.expanded for each in result.iterations if each.bound == 8) for result in results]
    (predicted,) = values.expanded("", [8])
    assert np.mean(counted) == pytest.approx(predicted, rel=0.2)
    assert predict(solver, "R U F", [0, 1], values=values)[0].counted is None


def test_refused() -> None:
    with pytest.raises(InvalidArgument, match="cannot be predicted"):
        predict(tiles.Solver("pdb", size="3x3"), "1 2 0 3 4 5 6 7 8")
    with pytest.raises(InvalidArgument, match="bounds"):
        predict(tiles.Solver("md", size="3x3"), "1 2 0 3 4 5 6 7 8", [100_000])
