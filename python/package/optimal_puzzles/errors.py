"""The exceptions. Each lists all faults found, not only the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Result

__all__ = ["Interrupted", "InvalidArgument", "InvalidInstance", "PuzzleError", "TableError"]


class PuzzleError(Exception):
    """Work that failed.

    Attributes:
        message: what went wrong.
        faults: every fault found; those of instance ``i`` of a batch begin with ``number i:``, from 0.
        remedy: the remedy, if one is known.
    """

    def __init__(self, message: str, faults: Sequence[str] = (), remedy: str | None = None) -> None:
        super().__init__(message, tuple(faults), remedy)
        self.message = message
        self.faults = list(faults)
        self.remedy = remedy

    def __str__(self) -> str:
        remedy = [f"remedy: {self.remedy}"] if self.remedy else []
        return "\n".join([self.message, *(f"  - {fault}" for fault in self.faults), *remedy])


class InvalidInstance(PuzzleError, ValueError):
    """An instance that is malformed or cannot be solved."""


class InvalidArgument(PuzzleError, ValueError):
    """An argument that is out of range, or a name that does not exist."""


class TableError(PuzzleError):
    """A table that is damaged, or of another version."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. The work has stopped; the results so far are kept.

    Attributes:
        results: a result for each instance that was begun, in order. The last one may be unsolved, with
            the lower bound that was proved.
    """

    def __init__(self, results: Sequence[Result] = ()) -> None:
        self.results = tuple(results)
        bound = self.lower_bound
        proved = f": every solution has at least {bound} moves" if bound else ""
        super().__init__(f"interrupted{proved}")

    def __reduce__(self) -> tuple[type[Interrupted], tuple[tuple[Result, ...]]]:
        return Interrupted, (self.results,)

    @property
    def lower_bound(self) -> int | None:
        """The bound proved for the instance at which the work stopped, in moves."""
        return self.results[-1].lower_bound if self.results else None
