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
        assert hanoi.Solver().solve(discs).length == int(row["length"])


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
    result = hanoi.Solver().solve(14)
    assert (result.length, result.heuristic) == (113, "two splittings") and result.tables


def test_the_command_line_says_the_same() -> None:
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
    with pytest.raises(ValueError, match="threshold"):
        hanoi.verify(12, threshold="half")
