"""Cubes: against known counts, the command line, and laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conftest import known_positions, program
from hypothesis import given, settings
from hypothesis import strategies as st

from optimal_puzzles import cube, tiles
from optimal_puzzles.errors import InvalidArgument, InvalidInstance
from optimal_puzzles.results import read_json_lines

MOVES = [face + turn for face in "URFDLB" for turn in ("", "2", "'")]
scrambles = st.lists(st.sampled_from(MOVES), min_size=1, max_size=5).map(" ".join)


@pytest.fixture(scope="module")
def solver() -> cube.Solver:
    return cube.Solver("manhattan-max", threads=2)


@pytest.mark.parametrize("metric", ["htm", "qtm"])
def test_known_counts(metric: str) -> None:
    assert cube.bfs_counts(5, metric) == known_positions(metric)[:6]


def test_the_layers_of_expand_are_the_known_counts() -> None:
    layer: npt.NDArray[np.uint8] = cube.solved()
    seen = {layer.tobytes()}
    sizes = [1]
    for _ in range(3):
        children = np.unique(cube.expand(layer)[0].reshape(-1, 20), axis=0)
        layer = np.array([child for child in children if child.tobytes() not in seen])
        seen.update(child.tobytes() for child in layer)
        sizes.append(len(layer))
    assert sizes == known_positions("htm")[:4]


@settings(max_examples=50, deadline=None)
@given(scrambles)
def test_a_solution_solves_and_is_no_longer_than_the_scramble(scramble: str) -> None:
    result = cube.Solver("manhattan-max", threads=1).solve(scramble)
    assert result.proved and result.length is not None and result.moves is not None
    assert result.length == result.lower_bound and result.length <= len(scramble.split())
    assert result.length == len(result.moves.split())
    assert np.array_equal(cube.apply(cube.parse(scramble), result.moves), cube.solved())


def test_facelets_are_numbers_in_any_order_of_faces() -> None:
    cubes = cube.random(3, 4)
    numbers = cube.facelets(cubes)
    assert ["".join("URFDLB"[colour] for colour in row) for row in numbers] == cube.text(cubes)
    near = cube.facelets(cube.parse("R U F2"))[0]
    assert cube.Solver("manhattan-max").solve(near).length == 3
    solved = cube.facelets(cube.solved(), "UDLRBF")[0]
    assert solved.tolist() == [colour for colour in range(6) for _ in range(9)]
    with pytest.raises(InvalidArgument):
        cube.facelets(cubes, "URFDL")


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_every_form_is_the_same_cube(seed: int) -> None:
    cubies = cube.random(2, seed)
    for form in ("facelets", "reid"):
        assert np.array_equal(cube.parse(cube.text(cubies, form)), cubies)


def test_arrays_of_cubies_and_facelets(solver: cube.Solver) -> None:
    cubies = cube.apply(cube.parse(["R U F2", "D L'"]), "B")
    letters = cube.text(cubies)
    facelets = np.array([["URFDLB".index(letter) for letter in text] for text in letters])
    lengths = [[result.length for result in solver.solve_batch(form)] for form in (cubies, facelets, letters)]
    assert lengths == [[4, 3], [4, 3], [4, 3]]
    assert solver.solve(cubies[0]).length == 4
    assert solver.solve(facelets[1]).length == 3


def test_the_heuristic_is_a_lower_bound_in_batches(solver: cube.Solver) -> None:
    cubies = cube.solved()
    for depth in range(4):
        values = solver.heuristic_batch(cubies)
        assert values.dtype == np.uint8 and values.shape == (len(cubies),) and values.max() <= depth
        cubies = cube.expand(cubies)[0].reshape(-1, 20)


def test_bad_input(solver: cube.Solver) -> None:
    with pytest.raises(InvalidInstance) as error:
        solver.solve("U" * 27 + "R" * 27)
    assert len(error.value.faults) > 1
    with pytest.raises(InvalidInstance) as error:
        solver.solve_batch(["R U", "R Q", "X"])
    assert [fault.split(":")[0] for fault in error.value.faults] == ["number 1", "number 2"]
    with pytest.raises(TypeError, match=r"\(n, 20\) of cubies"):
        solver.heuristic_batch(np.zeros((2, 20)))
    with pytest.raises(ValueError, match=r"\(n, 20\) of cubies, not \(2, 21\)"):
        solver.heuristic_batch(np.zeros((2, 21), dtype=np.uint8))
    with pytest.raises(ValueError, match="from 0 to 255"):
        solver.heuristic_batch(np.full((1, 20), -1))
    twisted = cube.solved()
    twisted[0, 0] += 16
    with pytest.raises(InvalidInstance, match="twisted"):
        solver.heuristic_batch(twisted)
    with pytest.raises(InvalidArgument, match="the names are"):
        cube.Solver("best")
    with pytest.raises(InvalidArgument):
        cube.Solver("manhattan-max", metric="stm")
    with pytest.raises(InvalidArgument):
        cube.Solver("manhattan-max", threads=0)
    with pytest.raises(InvalidArgument, match="is not a size"):
        cube.Solver("manhattan-max", memory="much")


def test_limits_prove_a_bound(solver: cube.Solver) -> None:
    result = solver.solve("R U F D", max_depth=3)
    assert (result.proved, result.length, result.lower_bound) == (False, None, 4)
    hard = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    result = solver.solve(hard, time_limit=0.2)
    assert not result.proved and result.lower_bound is not None and result.lower_bound > 3


def test_results_equal_those_of_the_command_line() -> None:
    scrambles = ["R U R' U'", "M", "F R B2 D'"]
    lines = program("cube-opt", "solve", "--json", "--heuristic", "manhattan-max", *scrambles)
    ours = cube.Solver("manhattan-max").solve_batch(scrambles)
    for mine, theirs in zip(ours, read_json_lines(lines)):
        assert (mine.instance, mine.length, mine.moves) == (theirs.instance, theirs.length, theirs.moves)
        assert (mine.heuristic, mine.metric, mine.tables) == (theirs.heuristic, theirs.metric, theirs.tables)
    texts = program("cube-opt", "scramble", "--count", "3", "--seed", "5", "--format", "facelets").split()
    assert texts == cube.text(cube.random(3, 5))


def test_goals_moves_slices_and_all_solutions() -> None:
    assert cube.Solver(metric="stm", moves="U M").solve("M U").length == 2
    alone = cube.Solver(moves="U R").solve("R U R' U'")
    assert alone.length == 4 and set(alone.moves or "") <= set("UR' 2")
    assert cube.Solver(goal_set="cross").solve("R U F2 L").length == 3
    assert cube.Solver(goal_set="cross,222", bottom="any", front="any").solve("U2 R").length == 0
    assert cube.Solver("manhattan-max", goal="R U").solve("R").moves == "U"
    assert cube.Solver(only="DF,DR,DB,DL").solve("U2 D").length == 1
    assert cube.Solver(goal_set="cross", auf=True, bottom="U").solve("L D").length == 1
    every = cube.Solver("manhattan-max", threads=1).solve("R2 L2 U2 D2 F2 B2", all=True)
    assert len(every.solutions) == 6 and every.moves == every.solutions[0]
    unique = cube.Solver("manhattan-max", unique=True, threads=1).solve("R2 L2 U2 D2 F2 B2", all=True)
    assert len(unique.solutions) < 6
    longer = cube.Solver("manhattan-max").solve("R2 L2 U2 D2 F2 B2", extra=0)
    assert longer.length == 6 and sorted(longer.solutions) == sorted(every.solutions)
    for order in ("operators", "deepest"):
        assert cube.Solver("manhattan-max", order=order).solve("R U F").length == 3
    refused: list[dict[str, Any]] = [
        {"goal_set": "nothing"},
        {"goal_set": "cross,nothing"},
        {"goal_set": "eo", "front": "D"},
        {"metric": "qqq"},
        {"moves": "Q"},
        {"only": "QQ"},
        {"bottom": "x", "auf": True},
        {"goal_set": "cross", "only": "UF"},
        {"goal_set": "cross", "moves": "U M"},
        {"goal_set": "cross", "moves": "U R", "metric": "stm"},
    ]
    for arguments in refused:
        with pytest.raises(InvalidArgument):
            cube.Solver(**arguments)
    with pytest.raises(InvalidArgument, match="order"):
        cube.Solver("manhattan-max", order="best").solve("R")
    assert cube.Solver("manhattan-max", unique=True).solve("R").length == 1
    reduction = cube.Solver(goal_set="htr", moves="U D R2 L2 F2 B2")
    found = reduction.solve("U R2 F2 D L2 U' B2")
    assert found.moves is not None and set(found.moves.split()) <= set("U U2 U' D D2 D' R2 L2 F2 B2".split())
    with pytest.raises(InvalidInstance, match="do not solve"):
        reduction.solve("F")


def test_one_of_all_shortest_solutions_is_chosen_at_random() -> None:
    solver = cube.Solver("manhattan-max")
    every = set(solver.solve("R2 L2 U2 D2 F2 B2", all=True).solutions)
    chosen = [solver.solve("R2 L2 U2 D2 F2 B2", random=seed) for seed in range(40)]
    assert {one.moves for one in chosen} <= every and len({one.moves for one in chosen}) > 2
    assert all(one.length == 6 and one.seed == seed for seed, one in enumerate(chosen))
    batch = solver.solve_batch(["R2 L2 U2 D2 F2 B2"] * 3, random=7)
    assert [one.moves for one in batch] == [one.moves for one in chosen[7:10]]
    with pytest.raises(InvalidArgument, match="random"):
        solver.solve("R", random=1, all=True)
    with pytest.raises(InvalidArgument, match="at random"):
        tiles.Solver("md", size="3x3").solve("1 0 2 3 4 5 6 7 8", random=1)


def test_the_next_move_is_the_first_of_a_solution() -> None:
    assert cube.Solver("manhattan-max").solve("R U F2").next_move == "F2"
    assert cube.Solver("manhattan-max").solve("").next_move is None
    assert tiles.Solver("md", size="3x3").solve("1 2 0 3 4 5 6 7 8").next_move == "L"
