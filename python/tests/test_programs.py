"""The programs, as the package installs them and as ``python -m optimal_puzzles`` runs them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import program

MODULE = [sys.executable, "-m", "optimal_puzzles"]


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MODULE, *words], input=stdin, capture_output=True, text=True)


@pytest.mark.parametrize(
    "words, answer",
    [
        (["cube-opt", "solve", "R U", "--heuristic", "manhattan-max"], "2 U' R'"),
        (["tile24", "solve", "1 2 0 3 4 5 6 7 8"], "2 LL"),
        (["hanoi4", "solve", "--discs", "3"], "5 "),
        (["puzzle-opt", "solve", "skewb", "R U"], "2 U' R'"),
    ],
)
def test_each_program_solves(words: list[str], answer: str) -> None:
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(answer)


def test_the_programs_are_those_of_cargo() -> None:
    words = ["solve", "--json", "--heuristic", "manhattan-max", "R U F", "L D"]
    ours, theirs = run("cube-opt", *words).stdout, program("cube-opt", *words)

    def fields(lines: str) -> list[object]:
        records = [json.loads(line) for line in lines.splitlines()]
        return [(record["result"], record["heuristic"], record["version"]) for record in records]

    assert fields(ours) == fields(theirs)
    for name in ("cube-opt", "tile24", "hanoi4", "puzzle-opt"):
        assert run(name, "--help").stdout == program(name, "--help")


def test_scripts_are_installed() -> None:
    for name in ("cube-opt", "tile24", "hanoi4", "puzzle-opt"):
        script = shutil.which(name, path=str(Path(sys.executable).parent))
        if script is None and "WHEEL" not in os.environ:
            pytest.skip("the package is not installed from its wheel")
        assert script is not None, f"{name} is not beside the interpreter"
        done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith(name)


def test_exit_codes_and_usage() -> None:
    assert run("cube-opt", "solve", "R Q").returncode == 3
    assert run("tile24", "nonsense").returncode == 2
    assert run("tile24", "solve", "--max-depth", "1", "1 2 0 3 4 5 6 7 8").returncode == 4
    assert run("chess").returncode == 2 and "cube-opt" in run("chess").stderr
    help_text = run("--help")
    assert help_text.returncode == 0 and "puzzle-opt" in help_text.stdout


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_an_interrupted_program_prints_how_to_resume() -> None:
    words = ["tile24", "solve", "--heuristic", "md", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"]
    with subprocess.Popen([*MODULE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 5
    assert "tile24 solve --heuristic md" in errors
