"""Inputs as people paste them, and instances as sequences, arrays and bytes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES

from optimal_puzzles import cube, hanoi, search, suites, tiles
from optimal_puzzles.errors import Interrupted, InvalidArgument, InvalidInstance
from optimal_puzzles.results import read_json_lines

LINES = [json.loads(line) for line in (FIXTURES / "pasted" / "inputs.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("line", [line for line in LINES if "alone" in line], ids=lambda line: line["input"][:20])
def test_a_pasted_text_is_read_or_refused_as_the_fixtures_say(line: dict[str, Any]) -> None:
    alone = line["alone"]
    solver: Any
    if line["program"] == "cube-opt":
        solver = cube.Solver("manhattan-max")
    elif line["program"] == "tile24":
        solver = tiles.Solver("korf96", size=alone["size"], goal=alone["goal"])
    else:
        solver = hanoi.Solver(alone["pegs"])
    if "refused" in alone:
        with pytest.raises(InvalidInstance) as error:
            solver.solve(alone["text"])
        assert alone["refused"] in str(error.value)
    else:
        assert [solver.solve(alone["text"]).length] == alone["lengths"]


def test_a_state_with_pegs_from_one_and_the_smallest_disc_first() -> None:
    solver = hanoi.Solver(smallest_first=True, first_peg=1)
    for pair in ("4 2 4 3 1 1 to 1 1 1 1 1 1", ([4, 2, 4, 3, 1, 1], (1,) * 6), np.array([[4, 2, 4, 3, 1, 1], [1] * 6])):
        assert solver.solve(pair).length == 5
    with pytest.raises(InvalidArgument, match="0 or 1"):
        hanoi.Solver(first_peg=2)


def test_towers_are_any_sequence() -> None:
    solver = hanoi.Solver(3)
    for pair in (
        ([[2, 1], [], []], [[2], [1], []]),
        (((2, 1), (), ()), ((2,), (1,), ())),
        ("00", "01"),
        ([0, 0], (0, 1)),
        (bytes([0, 0]), bytes([0, 1])),
        np.array([[0, 0], [0, 1]]),
    ):
        assert solver.solve(pair).length == 1, pair
    assert [result.length for result in solver.solve_batch([3, ("000", "222")])] == [7, 7]


def test_cubes_are_any_sequence() -> None:
    solver = cube.Solver("manhattan-max")
    assert solver.solve("").length == 0
    row = cube.parse("R U F2")[0]
    letters = cube.text(row)[0]
    numbers = ["URFDLB".index(letter) for letter in letters]
    for form in (
        ["R", "U", "F2"],
        ("R", "U F2"),
        list(letters),
        row.tolist(),
        tuple(row.tolist()),
        row,
        row.tobytes(),
        bytearray(row.tobytes()),
        numbers,
        bytes(numbers),
        np.array(numbers).reshape(6, 3, 3),
        [numbers[at : at + 9] for at in range(0, 54, 9)],
    ):
        assert solver.solve(form).length == 3, form
    assert [result.length for result in solver.solve_batch(["R", ["R", "U"], row])] == [1, 2, 3]
    with pytest.raises(ValueError, match="20"):
        solver.solve([1, 2, 3])
    with pytest.raises(ValueError, match="expected one cube, not 2"):
        solver.solve(np.array([row, row]))


def test_boards_are_any_sequence() -> None:
    solver = tiles.Solver("md", size=3, goal="blank-last")
    rows = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]
    for form in (
        rows,
        tuple(map(tuple, rows)),
        sum(rows, []),
        bytes(sum(rows, [])),
        np.array(rows),
        np.array(rows).reshape(1, 9),
        ["1", "2", "3", "4", "5", "6", "7", "_", "8"],
        "[[1, 2, 3], [4, 5, 6], [7, 0, 8]]",
    ):
        assert solver.solve(form).length == 1, form
    assert [result.length for result in solver.solve_batch([rows, "1 2 3 4 5 6 7 8 0"])] == [1, 0]
    assert len(solver.solve_batch(np.array([rows, rows]))) == 2
    assert tiles.random(2, 1, size=(2, 3)).shape == (2, 6)
    assert tiles.Solver("md", size=3, goal=[[1, 2, 3], [8, 0, 4], [7, 6, 5]]).solve([4, 8, 6, 3, 0, 7, 2, 1, 5]).length == 22
    with pytest.raises(TypeError, match="expected a board"):
        solver.solve(3.5)


def test_errors_describe_the_fault() -> None:
    draws: list[Callable[[], object]] = [
        lambda: cube.random(-1, 1),
        lambda: tiles.random(-1, 1),
        lambda: hanoi.random(-1, 1, discs=3),
    ]
    for draw in draws:
        with pytest.raises(InvalidArgument, match="count must be 0 or more, not -1"):
            draw()
    with pytest.raises(InvalidArgument, match="seed"):
        cube.random(1, -1)
    with pytest.raises(InvalidInstance, match="pathlib.Path"):
        search.Puzzle.from_kpuzzle("puzzles/222.json")
    for text, fault in (('{"a":1}', "line 1: not a run record"), ("\n[1]", "line 2: not a run"), ("x", "line 1: not JSON")):
        with pytest.raises(InvalidInstance, match=fault):
            read_json_lines(text)
    stopped = tiles.Solver("md", size=3).solve("8 6 7 2 5 4 3 0 1", max_depth=5)
    error = Interrupted([stopped])
    assert str(error) == f"interrupted: every solution has at least {stopped.lower_bound} moves"
    assert pickle.loads(pickle.dumps(error)).results == error.results


def test_objects_are_printed_as_calls_and_pickled() -> None:
    pancakes = search.Puzzle({"a": [1, 0, 2], "b": [2, 1, 0]})
    for made, printed in (
        (cube.Solver("manhattan-max", metric="qtm"), "cube.Solver(metric='qtm', heuristic='manhattan-max')"),
        (tiles.Solver("md", size=3, threads=1), "tiles.Solver(heuristic='md', size='3x3', goal='blank-first', threads=1, metric='single')"),
        (hanoi.Solver(3), "hanoi.Solver(pegs=3)"),
        (pancakes, "search.Puzzle(3 points, 2 moves)"),
        (search.Solver(pancakes, [[0, 1]]), "search.Solver(puzzle=search.Puzzle(3 points, 2 moves), patterns=[[0, 1]])"),
        (suites.load("korf-100"), "Suite('korf-100', tiles, 4x4, 100 instances)"),
    ):
        assert repr(made) == printed
        assert repr(pickle.loads(pickle.dumps(made))) == printed
    assert pickle.loads(pickle.dumps(pancakes)).bfs_counts() == pancakes.bfs_counts()
    again = pickle.loads(pickle.dumps(cube.Solver("manhattan-max")))
    assert again.solve("R U").length == 2
