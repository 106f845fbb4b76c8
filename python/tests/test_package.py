"""The package itself: import, size, data, types, the documented lines."""

from __future__ import annotations

import filecmp
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT

import optimal_puzzles
from optimal_puzzles import cube, hanoi, suites, tiles
from optimal_puzzles.errors import InvalidArgument

DATA = ROOT / "python" / "package" / "optimal_puzzles" / "data"


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_importing_is_cheap_and_builds_nothing(tmp_path: Path) -> None:
    code = f"""
import os, sys, time
os.environ["OPTIMAL_PUZZLES_TABLES"] = {str(tmp_path)!r}
begun = time.process_time()
import optimal_puzzles
print(time.process_time() - begun, "numpy" in sys.modules)
from optimal_puzzles import cube, hanoi, search, suites, tiles
print("numpy" in sys.modules)
"""
    # Processor time, and the best of several; well above the 0.05 s that a quiet machine needs at most.
    runs = [python(code).split() for _ in range(5)]
    best = min(float(run[0]) for run in runs)
    print(f"import: {best:.3f} s")
    assert best < 0.5
    assert all(run[1:] == ["False", "False"] for run in runs)
    assert not any(tmp_path.iterdir())


def test_the_wheel_is_under_5_mb() -> None:
    if "WHEEL" not in os.environ:
        pytest.skip("WHEEL does not name the wheel")
    wheel = Path(os.environ["WHEEL"])
    assert wheel.stat().st_size < 5_000_000
    assert "-abi3-" in wheel.name


def test_suites_equal_the_fixtures() -> None:
    files = [path for path in DATA.iterdir() if path.suffix in (".csv", ".txt")]
    assert len(files) >= 4
    for path in files:
        same = [other for other in FIXTURES.rglob(path.name) if filecmp.cmp(path, other, shallow=False)]
        assert same, f"{path.name} is not what fixtures/ has"


@pytest.mark.parametrize("name", suites.names())
def test_suites_can_be_read(name: str) -> None:
    suite = suites.load(name)
    assert len(suite) >= 10 and suite[0].id == 1 and len(suite.texts) == len(list(suite))
    if suite.puzzle == "cube":
        assert len(cube.parse(suite.texts)) == len(suite)
    if suite.puzzle == "tiles":
        values = tiles.Solver("md", size=suite.size).heuristic_batch([text_of(one) for one in suite.texts])
        for instance, value in zip(suite, values):
            assert value <= instance.optimal and (instance.optimal - int(value)) % 2 == 0


def test_seeded_suites_repeat_and_are_solved() -> None:
    boards = suites.load("seeded-15")
    assert boards.texts == tiles.text(tiles.random(100, 1985))
    towers = suites.load("seeded-hanoi")
    states = hanoi.text(hanoi.random(200, 2004, discs=10))
    assert towers.texts == [" ".join(pair) for pair in zip(states[::2], states[1::2])]
    for suite, solver in ((boards, tiles.Solver()), (towers, hanoi.Solver())):
        found = solver.solve_batch(suite.texts[:20])
        assert [one.length for one in found] == [one.optimal for one in suite][:20]


def text_of(board: str) -> list[int]:
    return [int(tile) for tile in board.replace(",", " ").split()]


def test_unknown_suites() -> None:
    with pytest.raises(InvalidArgument, match="korf-100"):
        suites.load("korf-101")


def test_every_module_is_an_attribute() -> None:
    for name in optimal_puzzles.__all__:
        assert getattr(optimal_puzzles, name)
    with pytest.raises(AttributeError):
        optimal_puzzles.chess


@pytest.mark.parametrize("document", ["README.md", "python/README.md", "docs/puzzles.md"])
def test_documented_examples_run(document: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        lines = block.splitlines()
        shown = [line.split("# ", 1)[1] for line in lines if line.startswith("print(") and "# " in line]
        assert python(block).splitlines() == shown
