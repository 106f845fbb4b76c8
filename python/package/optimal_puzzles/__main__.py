"""The programs of the command line: ``python -m optimal_puzzles cube-opt solve "R U F2"``.

Installing the package also installs them by their names: ``cube-opt``, ``tile24``, ``hanoi4``, ``puzzle-opt``.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from . import _native

__all__: list[str] = []

_USAGE = """\
usage: python -m optimal_puzzles PROGRAM ...

Programs (each has --help):
  cube-opt    Rubik's cube
  tile24      sliding tiles
  hanoi4      Towers of Hanoi
  puzzle-opt  permutation puzzles
"""


def _run(*words: str) -> NoReturn:
    code = _native.run_program(list(words))
    # The handler of signals is the program's from now on, so the interpreter does not continue.
    sys.stdout.flush()
    os._exit(code)


def cube_opt() -> NoReturn:
    """The program ``cube-opt``."""
    _run("cube-opt", *sys.argv[1:])


def tile24() -> NoReturn:
    """The program ``tile24``."""
    _run("tile24", *sys.argv[1:])


def hanoi4() -> NoReturn:
    """The program ``hanoi4``."""
    _run("hanoi4", *sys.argv[1:])


def puzzle_opt() -> NoReturn:
    """The program ``puzzle-opt``."""
    _run("puzzle-opt", *sys.argv[1:])


_PROGRAMS = {"cube-opt": cube_opt, "tile24": tile24, "hanoi4": hanoi4, "puzzle-opt": puzzle_opt}


def main() -> NoReturn:
    """Runs the program that the first argument names."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in _PROGRAMS:
        _run(name, *sys.argv[2:])
    is_help = name in ("-h", "--help", "help")
    print(_USAGE, end="", file=sys.stdout if is_help else sys.stderr)
    sys.exit(0 if is_help else 2)


if __name__ == "__main__":
    main()
