"""Shorter solutions from long ones: against the command lines, and replayed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from conftest import program

from optimal_puzzles import _native, cube, hanoi, search, tiles
from optimal_puzzles.errors import InvalidArgument, InvalidInstance
from optimal_puzzles.results import Improved, Result

SKEWB = search.Puzzle.builtin("skewb")


@pytest.fixture(scope="module")
def cubes() -> cube.Solver:
    return cube.Solver("corners", threads=2)


def test_cubes_with_and_without_a_scramble(cubes: cube.Solver) -> None:
    found = cubes.improve("R U F", "F' U2 U R' L L'")
    assert isinstance(found, Improved) and isinstance(found, Result)
    assert (found.moves, found.given, found.upper) == ("F' U' R'", 6, 3)
    assert found.proved and found.locally_optimal
    alone, rotated = cubes.improve_batch(None, ["R R U U'", "x U x' F'"], window=5)
    assert (alone.moves, alone.window, rotated.moves) == ("R2", 5, "")
    scrambles = ["R U R' U R U2 R' " * times for times in (2, 3)]
    solutions = ["R U2 R' U' R U' R' " * times for times in (2, 3)]
    for given in (scrambles, cube.parse(scrambles)):
        for solution, scramble in zip(cubes.improve_batch(given, solutions, window=6), scrambles):
            assert solution.moves is not None and solution.upper == len(solution.moves.split())
            assert np.array_equal(cube.apply(cube.parse(scramble), solution.moves), cube.solved())
            assert Improved.from_json(solution.to_json()) == solution


def test_solving_anew_helps_where_windows_do_not(cubes: cube.Solver) -> None:
    walk = "R U F' L2 D B R2 U' F D2 L' B2 U R' D F2 L U2 B' R D' L2 F U R B D L' F' U2 R' B2"
    windows, anew = (cubes.improve(None, walk, window=5, anew=anew) for anew in (False, True))
    assert windows.upper is not None and anew.upper is not None and anew.upper < windows.upper
    assert anew.moves is not None and _native.cube_replay(f"({walk})'", anew.moves, "htm") == anew.upper


def test_boards(tables: str) -> None:
    solver = tiles.Solver("md", size="3x3", threads=1)
    found = solver.improve("1 2 0 3 4 5 6 7 8", "LRLL")
    assert (found.moves, found.given, found.proved) == ("LL", 4, True)
    assert solver.improve([1, 2, 0, 3, 4, 5, 6, 7, 8], "2 2 2 1").moves == "LL"
    board = "8 6 7 2 5 4 3 0 1"
    there_and_back = "LRRL" * 3
    best = solver.solve(board).moves
    assert best is not None
    long = solver.improve(board, there_and_back + best, window=10)
    assert (long.upper, long.lower, long.given) == (27, 19, 27 + 12)
    assert solver.improve(board, best, window=8, ties=2, seed=1, anew=True).upper == 27


def test_paths_of_towers() -> None:
    solver = hanoi.Solver()
    moves = "1:0>1 1:1>2 1:2>3"
    one, other = solver.improve("0000", moves), solver.improve_batch([[0, 0, 0, 0]], [moves])[0]
    assert (one.moves, one.given, one.proved) == ("1:0>3", 3, True) and other.moves == one.moves
    with pytest.raises(InvalidInstance):
        solver.improve("0000", "2:0>1")
    with pytest.raises(InvalidArgument):
        hanoi.Solver(3).improve("000", "1:0>1")


def test_permutation_puzzles() -> None:
    solver = search.Solver(search.Puzzle.builtin("2x2x2"), threads=2)
    found = solver.improve("R U F2", "F2 U U2 R'")
    assert (found.moves, found.given, found.lower, found.upper) == ("F2 U' R'", 4, 0, 3)
    steps = SKEWB.moves
    walk = [steps[number % len(steps)] for number in range(0, 60, 7)]
    state = SKEWB.apply(SKEWB.solved, " ".join(walk))
    back = " ".join(name[:-1] if name.endswith("'") else name + "'" for name in reversed(walk))
    short = search.Solver(SKEWB).improve(state, back + " " + steps[0] + " " + steps[0] + " " + steps[0])
    assert short.moves is not None and short.upper is not None and short.upper <= len(walk)
    assert np.array_equal(SKEWB.apply(state, short.moves)[0], SKEWB.solved)
    with pytest.raises(InvalidArgument):
        search.Solver(SKEWB, goal=state).improve(state, "")


def test_every_fault_is_named(cubes: cube.Solver) -> None:
    with pytest.raises(InvalidInstance) as error:
        cubes.improve_batch(["R", "U", "F"], ["R'", "Q", "F2"])
    assert [fault.split(":")[0] for fault in error.value.faults] == ["number 1", "number 2"]
    for wrong in ({"window": 0}, {"window": -1}, {"seed": -1}, {"time_limit": -1.0}):
        with pytest.raises(InvalidArgument):
            cubes.improve("R", "R'", **wrong)
    with pytest.raises(ValueError):
        cubes.improve_batch(["R"], ["R'", "U'"])
    board = tiles.Solver("md", size="3x3")
    with pytest.raises(InvalidArgument):
        board.improve(None, "LL")
    with pytest.raises(InvalidArgument):
        tiles.Solver(size="3x3", metric="multi").improve("1 2 0 3 4 5 6 7 8", "L2")
    with pytest.raises(InvalidArgument):
        hanoi.Solver().improve("0000", "1:0>1", anew=True)
    with pytest.raises(InvalidArgument):
        cube.Solver(moves="U R").improve("U", "U'")


def test_an_exception_of_the_callback_ends_the_batch(cubes: cube.Solver) -> None:
    def stop(progress: cube.Progress) -> None:
        raise RuntimeError(progress.phase)

    with pytest.raises(RuntimeError, match="solutions"):
        cubes.improve(None, "R U F D " * 40, window=12, progress=stop)


def test_records_equal_those_of_the_command_lines(cubes: cube.Solver) -> None:
    def without_time(record: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in record.items() if name not in ("seconds", "version", "link")}

    cases: list[tuple[list[str], Improved]] = [
        (
            ["cube-opt", "--heuristic", "corners", "--threads", "2", "R U F; F' U2 U R' L L'"],
            cubes.improve("R U F", "F' U2 U R' L L'"),
        ),
        (
            ["tile24", "1 2 0 3 4 5 6 7 8; LRLL"],
            tiles.Solver("md", size="3x3").improve("1 2 0 3 4 5 6 7 8", "LRLL"),
        ),
        (["hanoi4", "0000; 1:0>1 1:1>2"], hanoi.Solver().improve("0000", "1:0>1 1:1>2")),
    ]
    for words, ours in cases:
        theirs = json.loads(program(words[0], "improve", "--json", *words[1:]))
        assert without_time(ours.to_dict()) == without_time(theirs)
