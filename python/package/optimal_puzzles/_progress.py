"""Progress reports: a callback, or a progress bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

__all__ = ["Progress", "ProgressArgument"]


@dataclass(frozen=True)
class Progress:
    """A report of long work.

    Attributes:
        phase: a description of the phase.
        done: the finished units of the phase.
        total: the total number of units of the phase; 0 if unknown.
        note: a line to show; empty if there is none.
    """

    phase: str
    done: int
    total: int
    note: str = ""


#: ``None`` or ``False``: silent. ``True``: tqdm's bar, if tqdm is installed. Else a function that is
#: called a few times a second; an exception that it raises stops the work.
ProgressArgument = Union[None, bool, Callable[[Progress], object]]


def reporter(progress: ProgressArgument) -> Callable[[str, str, int], None] | None:
    """The callback for the extension module, called from the waiting thread."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _bar()
    return _Caller(progress)


class _Caller:
    def __init__(self, callback: Callable[[Progress], object]) -> None:
        self.callback = callback
        self.phase, self.done, self.total = "", 0, 0

    def __call__(self, kind: str, text: str, number: int) -> None:
        if kind == "begin":
            self.phase, self.done, self.total = text, 0, number
        elif kind == "update":
            self.done = number
        if kind != "end":
            note = text if kind in ("note", "remark") else ""
            self.callback(Progress(self.phase, self.done, self.total, note))


def _bar() -> Callable[[str, str, int], None] | None:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bars: list[Any] = []

    def report(kind: str, text: str, number: int) -> None:
        if kind == "begin":
            bars.append(tqdm(desc=text, total=number or None, leave=False))
        elif kind == "update" and bars:
            bars[-1].update(number - bars[-1].n)
        elif kind == "note" and bars:
            bars[-1].set_postfix_str(text)
        elif kind == "end" and bars:
            bars.pop().close()

    return report
