"""What the solvers share: from the extension module's records to results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike, fspath
from typing import Union

from ._progress import ProgressArgument, reporter
from .errors import Interrupted
from .results import Result

__all__: list[str] = []

#: A number of bytes, or a size such as ``"4GiB"``.
Memory = Union[None, int, str]
#: A directory.
Directory = Union[None, str, "PathLike[str]"]
#: Records and what ended the batch early, of the extension module's solvers.
Solve = Callable[
    [list[str], "int | None", "float | None", "Callable[[str, str, int], None] | None"],
    "tuple[list[str], BaseException | None]",
]


def size(memory: Memory) -> str | None:
    """The size as the extension module reads it."""
    return None if memory is None else str(memory)


def directory(tables: Directory) -> str | None:
    """The path as the extension module reads it."""
    return None if tables is None else fspath(tables)


def solve_all(
    solve: Solve,
    texts: Sequence[str],
    max_depth: int | None,
    time_limit: float | None,
    progress: ProgressArgument,
) -> list[Result]:
    """Solves instances; raises what ended the batch early."""
    records, stop = solve(list(texts), max_depth, time_limit, reporter(progress))
    results = [Result.from_json(record) for record in records]
    if isinstance(stop, KeyboardInterrupt):
        raise Interrupted(results) from None
    if stop is not None:
        raise stop
    return results
