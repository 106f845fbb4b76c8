"""The test files of DeepCubeA, in the form in which its programs wrote them."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from optimal_puzzles import cube, deepcubea, evaluate, search, tiles
from optimal_puzzles.errors import InvalidInstance

#: The moves of DeepCubeA's cube as cycles of places: of the turning face, then of the faces around it.
TURNS = {
    "U": ([0, 2, 8, 6], [1, 5, 7, 3], [20, 38, 29, 47], [23, 41, 32, 50], [26, 44, 35, 53]),
    "R": ([27, 29, 35, 33], [28, 32, 34, 30], [6, 38, 15, 51], [7, 37, 16, 52], [8, 36, 17, 53]),
}


@pytest.fixture(autouse=True)
def environments() -> Iterator[None]:
    """The modules that DeepCubeA has, for writing files; reading them needs none."""
    kinds = {"cube3": ("Cube3State", "colors"), "n_puzzle": ("NPuzzleState", "tiles"), "lights_out": ("LOState", "tiles")}
    modules = {"environments": ModuleType("environments")}
    for module, (name, field) in kinds.items():
        made = ModuleType(f"environments.{module}")
        kind = type(name, (), {"__slots__": [field, "hash"], "__module__": made.__name__})
        setattr(made, name, kind)
        modules[made.__name__] = made
    sys.modules.update(modules)
    yield
    for module in modules:
        del sys.modules[module]


def state(module: str, numbers: Any, dtype: str = "uint8") -> Any:
    kinds = sys.modules[f"environments.{module}"]
    (kind,) = (value for name, value in vars(kinds).items() if name.endswith("State"))
    made = kind()
    setattr(made, kind.__slots__[0], np.array(numbers, dtype=dtype))
    made.hash = None
    return made


def written(folder: Path, name: str, data: Any, protocol: int = 4) -> Path:
    path = folder / name / "test" / "data_0.pkl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(data, protocol=protocol))
    return path


def turned(colors: list[int], move: str) -> list[int]:
    """The stickers after a clockwise turn, as DeepCubeA's program makes it."""
    after = list(colors)
    for cycle in TURNS[move]:
        for place, to in zip(cycle, cycle[1:] + cycle[:1]):
            after[to] = colors[place]
    return after


def test_cubes(tmp_path: Path) -> None:
    words = ["", "U", "R", "R U", "U R U U R", "R R U"]
    states = []
    for word in words:
        colors = list(range(54))
        for move in word.split():
            colors = turned(colors, move)
        states.append(state("cube3", colors, "int64"))
    solutions = [[[move, -1] for move in reversed(word.split())] for word in words]
    data = {"states": states, "times": [np.float64(1.5)] * 6, "solutions": solutions, "num_nodes_generated": [1] * 6}
    suite = deepcubea.read(written(tmp_path, "cube3", data))
    assert (suite.name, suite.puzzle, suite.metric) == ("deepcubea-cube3", "cube", "qtm")
    assert np.array_equal(cube.parse(suite.texts), cube.parse(words))
    assert [instance.upper for instance in suite] == [0, 1, 1, 2, 5, 3]
    proved = suite.with_results(suite.solver("manhattan-max").solve_batch(suite.texts))
    assert [instance.optimal for instance in proved] == [0, 1, 1, 2, 5, 3]


@pytest.mark.parametrize("side, dtype", list(product((4, 6), ("uint8", "int64"))))
def test_boards(tmp_path: Path, side: int, dtype: str) -> None:
    size = f"{side}x{side}"
    boards = tiles.apply(tiles.exact(0, size=size, goal="blank-last")[0], "ULLDRU", size=size)
    # Their directions are those of the tiles, ours those of the blank.
    solution = [{"U": "D", "D": "U", "L": "R", "R": "L"}[way] for way in "DLURRD"]
    data = {"states": [state("n_puzzle", boards[0], dtype)], "solutions": [solution]}
    suite = deepcubea.read(written(tmp_path, f"puzzle{side * side - 1}", data))
    assert (suite.puzzle, suite.size, suite.goal) == ("tiles", size, "blank-last")
    assert suite[0].upper == 6
    found = evaluate(suite.solver("lc"), suite)
    assert found.rows[0].length == 6


def test_lights(tmp_path: Path) -> None:
    lights = np.zeros(49, dtype=np.uint8)
    for row, column in ((0, 0), (3, 3)):
        for r, c in ((row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < 7 and 0 <= c < 7:
                lights[7 * r + c] ^= 1
    suite = deepcubea.read(written(tmp_path, "lightsout7", {"states": [state("lights_out", lights)]}))
    assert suite[0].optimal == 2
    assert suite.definition is not None
    names = [suite.definition.moves[light] for light in (0, 24)]
    assert suite.replay(suite[0], " ".join(names)) == 2


def test_lengths_of_lights_are_the_distances() -> None:
    """Also where some presses change nothing: on a 4x4 board, four combinations out of each sixteen."""
    for side in (2, 3, 4):
        puzzle = search.Puzzle.builtin(f"lights-out-{side}x{side}")
        rows, distances = puzzle.exact()
        step = max(1, len(rows) // 300)
        for row, distance in zip(rows[::step], distances[::step]):
            # A light is on where the sticker of its second side is at its first place.
            on = [int(row[2 * light] != 2 * light) for light in range(side * side)]
            assert deepcubea.lights_length(on) == distance
    with pytest.raises(InvalidInstance, match="turned off"):
        deepcubea.lights_length([1] + [0] * 15)


class Evil:
    def __reduce__(self) -> Any:
        return eval, ("__import__('os').abort()",)


def test_no_code_of_a_file_is_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"

    class Touch:
        def __reduce__(self) -> Any:
            return Path.touch, (marker,)

    for protocol in range(6):
        for evil in (Evil(), {"states": [Evil()]}, {"states": [state("n_puzzle", range(9))], "times": Touch()}):
            if protocol < 2 and isinstance(evil, dict):
                continue
            with pytest.raises(InvalidInstance, match="not a test file"):
                deepcubea.read(written(tmp_path, "evil", evil, protocol))
    assert not marker.exists()


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"states": []},
        {"states": [1, 2]},
        {"states": "text"},
        {"states": [np.zeros(3)]},
    ],
)
def test_other_pickles_are_refused(tmp_path: Path, data: Any) -> None:
    with pytest.raises(InvalidInstance, match="not a test file"):
        deepcubea.read(written(tmp_path, "other", data))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    states = [state("n_puzzle", [1, 2, 3, 4, 5, 6, 7, 8, 0])]
    path = written(tmp_path, "puzzle8", {"states": states})
    whole = path.read_bytes()
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.raises(InvalidInstance):
            deepcubea.read(path)
    rng = np.random.default_rng(1)
    for _ in range(300):
        bytes_ = bytearray(whole)
        bytes_[rng.integers(len(bytes_))] = rng.integers(256)
        path.write_bytes(bytes_)
        try:
            deepcubea.read(path)
        except InvalidInstance:
            pass


def test_solutions_that_do_not_solve_are_refused(tmp_path: Path) -> None:
    data = {"states": [state("n_puzzle", [1, 2, 3, 4, 5, 6, 7, 0, 8])], "solutions": [["U"]]}
    with pytest.raises(InvalidInstance, match="rejects"):
        deepcubea.read(written(tmp_path, "puzzle8", data))
    data["solutions"] = [["X"]]
    with pytest.raises(InvalidInstance, match="not a solution"):
        deepcubea.read(written(tmp_path, "puzzle8", data))
    with pytest.raises(InvalidInstance, match="stickers"):
        deepcubea.cube_facelets([0] * 54)
