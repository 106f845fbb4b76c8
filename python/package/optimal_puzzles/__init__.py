"""Provably shortest solutions of Rubik's cube, sliding tiles, Towers of Hanoi and permutation puzzles.

Modules:
    cube: Rubik's cube.
    tiles: sliding tiles from 2x2 to 10x10.
    hanoi: Towers of Hanoi on three or four pegs.
    search: permutation puzzles and heuristics of your own.
    suites: instances with known optimal lengths.
    results: the results of solvers.
    errors: the exceptions.
    cluster: solving on a cluster, by Dask (``pip install optimal-puzzles[cluster]``).

>>> from optimal_puzzles import cube
>>> cube.Solver(heuristic="manhattan-max").solve("R U R' U'").length
4
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._native import VERSION as __version__

if TYPE_CHECKING:
    from . import cluster, cube, errors, hanoi, results, search, suites, tiles

__all__ = ["__version__", "cube", "errors", "hanoi", "results", "search", "suites", "tiles"]


def __getattr__(name: str) -> Any:
    """Imports a module when it is first used."""
    if name in __all__ or name == "cluster":
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
