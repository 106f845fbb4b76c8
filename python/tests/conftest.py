"""The common part of the tests: the fixtures' folder, the command lines, a directory of tables."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"

# A shell starts background jobs with interruptions ignored; tests of Ctrl-C need them.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The directory of tables, the command lines' too; small ones are built in it."""
    directory = os.environ.get("OPTIMAL_PUZZLES_TABLES") or str(tmp_path_factory.mktemp("tables"))
    os.environ["OPTIMAL_PUZZLES_TABLES"] = directory
    return directory


def program(name: str, *arguments: str) -> str:
    """The output of a command line. Skips the test where it is not built."""
    folder = Path(os.environ.get("PROGRAMS", ROOT / "target" / "release"))
    path = folder / name
    if not path.exists():
        pytest.skip(f"there is no {path}: build it, or name its folder in PROGRAMS")
    done = subprocess.run([path, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def known_positions(metric: str) -> list[int]:
    """The number of cubes at each distance, from the fixtures."""
    counts = json.loads((FIXTURES / "cube" / "known-counts.json").read_text())["positions"][metric]
    return [int(count) for count in counts]
