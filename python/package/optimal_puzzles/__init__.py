"""Provably shortest solutions of Rubik's cube, sliding tiles, Towers of Hanoi and permutation puzzles.

Modules:
    cube: Rubik's cube.
    tiles: sliding tiles from 2x2 to 10x10.
    hanoi: Towers of Hanoi on three or four pegs.
    search: permutation puzzles and heuristics of your own.
    suites: instances with proved lengths or bounds.
    evaluation: a solver of your own on a suite; ``optimal_puzzles.evaluate``.
    prediction: the expected nodes of iterations; ``optimal_puzzles.predict``.
    deepcubea: the published test files of DeepCubeA.
    cayleypy, deepxube: puzzles and lower bounds for these packages.
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
    from . import cluster, cube, errors, evaluation, hanoi, prediction, results, search, suites, tiles
    from .evaluation import evaluate
    from .prediction import predict

__all__ = [
    "__version__",
    "cube",
    "errors",
    "evaluate",
    "evaluation",
    "hanoi",
    "predict",
    "prediction",
    "results",
    "search",
    "suites",
    "tiles",
]

#: Functions that the package itself has, with their modules.
_FUNCTIONS = {"evaluate": "evaluation", "predict": "prediction"}
#: Modules for other packages.
_OTHERS = ("cayleypy", "cluster", "deepcubea", "deepxube")


def __getattr__(name: str) -> Any:
    """Imports a module when it is first used."""
    if name in _FUNCTIONS:
        return getattr(import_module(f"{__name__}.{_FUNCTIONS[name]}"), name)
    if name in __all__ or name in _OTHERS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
