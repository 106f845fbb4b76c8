"""Towers of Hanoi: against known counts, the command line, and laws."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from conftest import FIXTURES, program
from hypothesis import given, settings
from hypothesis import strategies as st

from optimal_puzzles import hanoi
from optimal_puzzles.errors import InvalidArgument, InvalidInstance
from optimal_puzzles.results import read_json_lines


def test_known_lengths_and_radii() -> None:
    lines = (FIXTURES / "hanoi" / "known-counts.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        discs = int(row["discs"])
        if discs > 11:
            continue
        counts = hanoi.bfs_counts(discs)
        assert len(counts) - 1 == int(row["radius"]) and sum(counts) == 4**discs
        assert counts[-1] == int(row["states_at_radius"])
        if discs >= 8:
            found = hanoi.radius(discs, small=7)
            assert (found.depth, found.farthest.shape) == (len(counts) - 1, (counts[-1], discs))
        assert hanoi.Solver().solve(discs).length == int(row["length"])


@pytest.mark.parametrize("discs, database", [(3, None), (9, 9), (9, 5), (12, 7)])
def test_bounds_are_admissible(discs: int, database: int | None) -> None:
    states = hanoi.random(60, 7, discs=discs)
    for goal in (3, 0):
        solver, goals = hanoi.Solver(threads=1), str(goal) * discs
        lengths = [one.length for one in solver.solve_batch([f"{state} {goals}" for state in hanoi.text(states)])]
        values = hanoi.heuristic_batch(states, goal=goal, database=database)
        assert values.dtype == np.uint8 and values.shape == (60,)
        assert all(length is not None and value <= length for value, length in zip(values, lengths))
        if database in (None, discs):
            assert values.tolist() == lengths
    # All discs but the greatest on two pegs: half of the way.
    assert hanoi.heuristic_batch([[1, 2] * 6], goal=None, database=7).tolist() == [0]


def test_bounds_of_compressed_databases() -> None:
    heuristic = hanoi.Heuristic(18, database=14, threads=2)
    assert [table.name for table in heuristic.tables] == ["hanoi4-peg3-14-10", "hanoi4-peg3-4-4"]
    states = hanoi.random(10_000, 3, discs=18)
    values = heuristic.heuristic_batch(states)
    children, legal, _ = hanoi.expand(states[:200])
    below = heuristic.heuristic_batch(children.reshape(-1, 18)).reshape(200, -1)
    assert values.min() > 20 and below.shape == legal.shape
    # The tower itself, and what is one move from the goal.
    ends = np.array([[0] * 18, [3] * 18, [3] * 17 + [1]])
    assert heuristic.heuristic_batch(ends).tolist()[1:] == [0, 1]
    assert 100 < heuristic.heuristic_batch(ends)[0] <= 225


def test_bounds_refuse_by_name() -> None:
    with pytest.raises(InvalidInstance, match="there is no peg 4") as error:
        hanoi.heuristic_batch([[0, 1], [4, 0], [0, 9]])
    assert [fault.split(":")[0] for fault in error.value.faults] == ["number 1", "number 2"]
    with pytest.raises(InvalidArgument, match="no peg 4"):
        hanoi.Heuristic(4, goal=4)
    for discs, database in ((20, 5), (12, 13), (12, 0), (31, 25)):
        with pytest.raises(InvalidArgument, match=f"database of {database} discs"):
            hanoi.Heuristic(discs, database=database)
    with pytest.raises(ValueError, match=r"\(n, 5\)"):
        hanoi.Heuristic(5).heuristic_batch([[0, 1]])


def test_all_pegs_are_counted() -> None:
    assert sum(hanoi.bfs_counts(5, 3)) == 3**5
    assert sum(hanoi.bfs_counts(4, 5)) == 5**4


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(1, 7), st.sampled_from([3, 4]))
def test_solutions_solve(seed: int, discs: int, pegs: int) -> None:
    ends = hanoi.random(2, seed, discs=discs, pegs=pegs)
    result = hanoi.Solver(pegs, threads=1).solve(ends)
    assert result.proved and result.moves is not None
    assert result.length == len(result.moves.split())
    assert np.array_equal(hanoi.apply(ends[0], result.moves, pegs=pegs)[0], ends[1])


def test_children_are_one_move_away() -> None:
    states = hanoi.random(5, 1, discs=6)
    children, legal, _ = hanoi.expand(states)
    solver = hanoi.Solver(threads=1)
    for state, its, flags in zip(states, children, legal):
        for child, flag in zip(its, flags):
            assert solver.solve(np.stack([state, child])).length == flag


def test_proofs() -> None:
    found = hanoi.verify(13)
    assert found.proved == found.presumed == 97 and found.table is not None
    assert hanoi.verify(12, threshold="below").proved == 81
    corners = hanoi.verify(13, method="corners", small=5)
    assert corners.proved == found.proved and corners.unique_states is None and (corners.corners_entered or 0) > 0
    result = hanoi.Solver().solve(14)
    assert (result.length, result.heuristic) == (113, "two splittings") and result.tables


def test_results_equal_those_of_the_command_line() -> None:
    theirs = read_json_lines(program("hanoi4", "solve", "--discs", "9", "--json"))[0]
    mine = hanoi.Solver().solve(9)
    assert (mine.instance, mine.length, mine.moves) == (theirs.instance, theirs.length, theirs.moves)


def test_bad_input() -> None:
    solver = hanoi.Solver()
    with pytest.raises(InvalidInstance) as error:
        solver.solve_batch(["0000 3333", "00x0 4333", "000"])
    assert {fault.split(":")[0] for fault in error.value.faults} == {"number 1", "number 2"}
    with pytest.raises(InvalidInstance):
        hanoi.Solver(7)
    with pytest.raises(InvalidInstance):
        hanoi.expand(np.full((1, 3), 4))
    with pytest.raises(ValueError, match=r"\(2, discs\)"):
        solver.solve(np.zeros(4, dtype=np.uint8))
    with pytest.raises(InvalidArgument, match="cannot be used"):
        hanoi.verify(20, database=7)
    with pytest.raises(InvalidArgument, match="small discs must be 7 to 9"):
        hanoi.radius(9, small=10)
    with pytest.raises(InvalidArgument, match="at least 8 discs"):
        hanoi.radius(7)
    with pytest.raises(ValueError, match="threshold"):
        hanoi.verify(12, threshold="half")
    with pytest.raises(ValueError, match="method"):
        hanoi.verify(12, method="layers")


def test_towers_have_one_solution_that_is_always_proved() -> None:
    with pytest.raises(InvalidArgument, match="proves the solution of a tower shortest"):
        hanoi.Solver().solve("000", within=1)
    with pytest.raises(InvalidArgument, match="one solution of a tower"):
        hanoi.Solver().solve("000", all=True)
