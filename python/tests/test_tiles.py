"""Sliding tiles: against known counts, the command line, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import program
from hypothesis import given, settings
from hypothesis import strategies as st

from optimal_puzzles import suites, tiles
from optimal_puzzles.errors import InvalidArgument, InvalidInstance
from optimal_puzzles.results import read_json_lines


def test_known_counts() -> None:
    counts = tiles.bfs_counts("3x3")
    assert (sum(counts), len(counts) - 1, counts[-1]) == (181_440, 31, 2)
    assert tiles.bfs_counts("4x4", max_depth=8) == [1, 2, 4, 10, 24, 54, 107, 212, 446]
    assert sum(tiles.bfs_counts("2x3")) == 360


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**64 - 1), st.sampled_from(["3x3", "2x4", "3x4"]), st.sampled_from(["blank-first", "blank-last"]))
def test_solutions_solve(seed: int, size: str, goal: str) -> None:
    solver = tiles.Solver("korf96", size=size, goal=goal, fsm="inverse", threads=1)
    boards = tiles.random(2, seed, size=size, goal=goal)
    cells = boards.shape[1]
    solved = np.arange(cells) if goal == "blank-first" else np.append(np.arange(1, cells), 0)
    for board, result, value in zip(boards, solver.solve_batch(boards), solver.heuristic_batch(boards)):
        assert result.length is not None and result.moves is not None and value <= result.length
        assert np.array_equal(tiles.apply(board, result.moves, size=size)[0], solved)


def test_several_tiles_move_as_one() -> None:
    solver = tiles.Solver(size="3x3", metric="multi", threads=1)
    result = solver.solve("1 2 0 3 4 5 6 7 8")
    assert (result.length, result.moves) == (1, "L2")
    with pytest.raises(InvalidArgument, match="metric"):
        tiles.Solver("md", size="3x3", metric="multi")


def test_texts_and_rows_are_the_same_boards() -> None:
    boards = tiles.random(5, 4, size="3x4", goal="blank-last")
    assert np.array_equal(tiles.parse(tiles.text(boards), size="3x4", goal="blank-last"), boards)
    assert np.array_equal(tiles.parse("0,1,2,3", size="2x2"), [[0, 1, 2, 3]])
    with pytest.raises(InvalidInstance) as error:
        tiles.parse(["0 2 1 3", "0 1 2 3", "0 1 2"], size="2x2")
    assert {fault.split(":")[0] for fault in error.value.faults} == {"number 0", "number 2"}


def test_expand_and_apply_agree() -> None:
    boards = tiles.random(20, 3, size="3x4")
    children, exist, letters = tiles.expand(boards, size="3x4")
    for board, its, flags in zip(boards, children, exist):
        for child, flag, letter in zip(its, flags, letters):
            if flag:
                assert np.array_equal(tiles.apply(board, letter, size="3x4")[0], child)
            else:
                assert np.array_equal(board, child)
                with pytest.raises(InvalidInstance, match="leaves the board"):
                    tiles.apply(board, letter, size="3x4")


def test_korfs_hundred() -> None:
    suite = suites.load("korf-100")
    results = tiles.Solver().solve_batch(suite.texts)
    assert [result.length for result in results] == [instance.optimal for instance in suite]
    assert all(result.tables for result in results)


def test_values_are_those_of_the_command_line() -> None:
    boards = tiles.random(3, 8)
    for name in ("md", "lc", "korf96"):
        values = tiles.Solver(name).heuristic_batch(boards)
        for board, value in zip(tiles.text(boards), values):
            line = program("tile24", "heuristic", board).splitlines()[0]
            assert dict(part.split() for part in line.split(", "))[name] == str(value)


def test_results_equal_those_of_the_command_line() -> None:
    texts = program("tile24", "random", "--size", "3x3", "--count", "4", "--seed", "2").splitlines()
    boards = tiles.random(4, 2, size="3x3")
    assert texts == tiles.text(boards)
    theirs = read_json_lines(program("tile24", "solve", "--json", "--threads", "1", *texts))
    ours = tiles.Solver(size="3x3", threads=1).solve_batch(boards)
    for mine, their in zip(ours, theirs):
        assert (mine.length, mine.moves, mine.heuristic) == (their.length, their.moves, their.heuristic)
        assert (mine.tables, mine.generated) == (their.tables, their.generated)


def test_bad_input() -> None:
    solver = tiles.Solver("md", size="3x3")
    with pytest.raises(InvalidInstance) as error:
        solver.solve_batch(["1 2 3", "1 0 2 3 4 5 6 7 8", "0 2 1 3 4 5 6 7 8"])
    assert {fault.split(":")[0] for fault in error.value.faults} == {"number 0", "number 2"}
    with pytest.raises(ValueError, match=r"\(n, 9\) of tiles of a 3x3 board, not \(1, 16\)"):
        solver.heuristic_batch(tiles.random(1, 1))
    with pytest.raises(TypeError):
        solver.solve_batch("1 0 2 3 4 5 6 7 8")
    with pytest.raises(InvalidInstance, match="occurs"):
        solver.heuristic_batch(np.zeros((1, 9), dtype=np.uint8))
    for arguments in ({"size": "11x11"}, {"heuristic": "best"}, {"fsm": "none"}):
        with pytest.raises(InvalidArgument):
            tiles.Solver(**arguments)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="16 cells"):
        tiles.bfs_counts("5x5")


def test_all_solutions_of_a_board() -> None:
    solver = tiles.Solver("md", size="2x3", threads=1)
    boards = tiles.random(8, 1, size="2x3")
    for result in solver.solve_batch(boards, all=True):
        assert result.moves == result.solutions[0] and {len(line) for line in result.solutions} == {result.length}
    assert len(solver.solve(boards[4], all=True).solutions) == 2


def test_searches_stop_at_the_gap_that_is_accepted() -> None:
    solver = tiles.Solver("md", size="3x4", goal="blank-last", threads=1)
    boards = tiles.random(3, 9, size="3x4", goal="blank-last")
    for board, proved in zip(boards, solver.solve_batch(boards)):
        assert proved.length is not None
        for most, result in ((4, solver.solve(board, within=4)), (40, solver.solve(board, quick=True))):
            assert result.lower_bound is not None and result.upper_bound is not None and result.gap is not None
            assert result.lower_bound <= proved.length <= result.upper_bound
            assert result.gap == result.upper_bound - result.lower_bound <= most
            assert result.moves is not None and result.proved == (result.gap == 0)
        assert solver.solve(board, deterministic=True).length == proved.length
