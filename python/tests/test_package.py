"""The package itself: import, size, data, types, the documented lines."""

from __future__ import annotations

import filecmp
import os
import re
import shlex
import subprocess
import sys
import venv
import zipfile
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


def test_the_wheel_is_under_10_mb() -> None:
    if "WHEEL" not in os.environ:
        pytest.skip("WHEEL does not name the wheel")
    wheel = Path(os.environ["WHEEL"])
    assert wheel.stat().st_size < 10_000_000
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
            assert instance.optimal is not None
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


@pytest.mark.parametrize("document", ["README.md", "python/README.md", "docs/puzzles.md", "docs/python.md"])
def test_documented_examples_run(document: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        lines = block.splitlines()
        shown = [line.split("# ", 1)[1] for line in lines if line.startswith("print(") and "# " in line]
        assert python(block).splitlines() == shown


def test_documented_commands_run() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\$ python -m (optimal_puzzles .*)\n((?:[^`$].*\n)*)", text, re.MULTILINE)
    assert shown
    for command, answer in shown:
        done = subprocess.run([sys.executable, "-m", *shlex.split(command)], capture_output=True, text=True, check=True)
        assert done.stdout == answer


def test_the_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    if "WHEEL" not in os.environ:
        pytest.skip("WHEEL does not name the wheel")
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([scripts / "pip", "install", "--quiet", os.environ["WHEEL"]], check=True, cwd=tmp_path)
    code = "from optimal_puzzles import cube; print(cube.Solver('manhattan-max').solve(cube.parse('R U')[0]).moves)"
    done = subprocess.run([scripts / "python", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "U' R'\n"
    words = ["tile24", "solve", "1 2 0 3 4 5 6 7 8"]
    for command in ([str(scripts / "tile24"), *words[1:]], [str(scripts / "python"), "-m", "optimal_puzzles", *words]):
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert done.stdout == "2 LL\n"
    with zipfile.ZipFile(os.environ["WHEEL"]) as wheel:
        (metadata,) = (wheel.read(name).decode() for name in wheel.namelist() if name.endswith("METADATA"))
    for line in ("License-Expression: MIT OR Apache-2.0", "Project-URL: Repository, https://", "Requires-Python: >=3.9"):
        assert line in metadata
