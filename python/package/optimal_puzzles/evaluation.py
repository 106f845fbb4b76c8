"""Evaluation of a solver on a suite: the share of instances solved, the share solved optimally, the gap, nodes and time.

The lengths of a suite are proved, and the referee replays each solution, so the figures do not rest on what a solver says of
itself.

>>> from optimal_puzzles import evaluate, suites
>>> suite = suites.load("seeded-15").first(3)
>>> print(evaluate(suite.solver("korf96"), suite).summary()["optimal"])
3
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, Union

from .errors import InvalidArgument, InvalidInstance, PuzzleError
from .results import Result
from .suites import Instance, Suite

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

__all__ = ["Attempt", "Evaluation", "Row", "evaluate", "table"]


@dataclass(frozen=True)
class Attempt:
    """The answer of a solver that counts its nodes.

    Attributes:
        moves: the solution, as a string or a sequence of moves; ``None`` if it found none.
        nodes: the number of nodes that it generated.
        seconds: its time, if that is not the time of the call.
    """

    moves: Union[str, Sequence[str], None]
    nodes: int | None = None
    seconds: float | None = None


#: A function from an instance as a string to a solution, or an object with a method ``solve`` that does so.
Solver = Union[Callable[[str], Any], Any]


@dataclass(frozen=True)
class Row:
    """The outcome of one instance.

    Attributes:
        instance: the instance, with what is proved about it.
        length: the length of the solution; ``None`` if it is unsolved.
        nodes: the number of nodes generated, if the solver counts them.
        seconds: the wall-clock time.
        reason: why the instance is unsolved; empty if it is solved.
    """

    instance: Instance
    length: int | None
    nodes: int | None
    seconds: float
    reason: str = ""

    @property
    def gap(self) -> int | None:
        """The moves beyond the optimum; ``None`` if the instance is unsolved, or its optimum not known."""
        if self.length is None:
            return None
        if self.length == self.instance.lower:
            return 0
        return None if self.instance.optimal is None else self.length - self.instance.optimal


#: The columns of the table of instances.
_COLUMNS = ("id", "length", "lower", "upper", "gap", "nodes", "seconds", "reason")
#: The columns of the table of evaluations.
_SUMMARY = ("solver", "suite", "instances", "solved", "optimal", "share", "mean gap", "nodes", "seconds")


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The outcome of a solver on a suite.

    Attributes:
        solver: the solver's name.
        suite: the suite.
        rows: the outcome of each instance, in order.
    """

    solver: str
    suite: Suite
    rows: tuple[Row, ...]

    def __repr__(self) -> str:
        found = self.summary()
        return f"Evaluation({self.solver!r}, {self.suite.name!r}, {found['optimal']} of {found['instances']} optimal)"

    def summary(self) -> dict[str, Any]:
        """The figures of the suite.

        ``share`` is that of the instances solved optimally among those whose optimum is known or was reached; ``mean gap``
        the mean over those that are solved; ``nodes`` and ``seconds`` are totals. ``None`` where there is nothing to count.
        """
        judged = [row for row in self.rows if row.gap is not None or row.instance.optimal is not None]
        gaps = [row.gap for row in self.rows if row.gap is not None]
        nodes = [row.nodes for row in self.rows if row.nodes is not None]
        optimal = gaps.count(0)
        return {
            "solver": self.solver,
            "suite": self.suite.name,
            "instances": len(self.rows),
            "solved": sum(row.length is not None for row in self.rows),
            "optimal": optimal,
            "share": optimal / len(judged) if judged else None,
            "mean gap": fmean(gaps) if gaps else None,
            "nodes": sum(nodes) if nodes else None,
            "seconds": sum(row.seconds for row in self.rows),
        }

    def table(self, form: str = "text") -> str:
        """The outcomes of the instances as a table: ``"text"``, ``"markdown"`` or ``"csv"``."""
        return _written(_COLUMNS, [[_cell(row, name) for name in _COLUMNS] for row in self.rows], form)

    def to_frame(self) -> pandas.DataFrame:
        """The outcomes of the instances as a pandas data frame.

        Raises:
            ImportError: if pandas is not installed.
        """
        import pandas

        return pandas.DataFrame([[_cell(row, name) for name in _COLUMNS] for row in self.rows], columns=list(_COLUMNS))

    def plot(self, axes: Axes | None = None) -> Axes:
        """Plots the length of each solution against the optimum, or the best known bounds.

        Args:
            axes: where to plot; by default new axes.

        Raises:
            ImportError: if Matplotlib is not installed.
        """
        if axes is None:
            from matplotlib import pyplot

            axes = pyplot.figure().add_subplot()
        ordered = sorted((row.instance.lower, row.length) for row in self.rows if row.length is not None)
        places = list(range(len(ordered)))
        axes.plot(places, [length for _, length in ordered], ".", label=self.solver)
        axes.plot(places, [lower for lower, _ in ordered], "_", color="black", label="proved lower bound")
        axes.set_xlabel(f"instances of {self.suite.name}, easiest first")
        axes.set_ylabel("moves")
        axes.legend()
        return axes


def evaluate(
    solver: Solver,
    suite: Suite,
    *,
    name: str | None = None,
    progress: Callable[[Row], None] | None = None,
) -> Evaluation:
    """Solves each instance of a suite, and compares the solutions with the proved lengths.

    Args:
        solver: a function from an instance as a string to its solution: a string or a sequence of moves, an
            :class:`Attempt`, a :class:`~optimal_puzzles.results.Result`, or ``None`` if it has none. Or an object with a
            method ``solve`` that does so, such as the solvers of this package.
        suite: the instances.
        name: the solver's name in tables; by default that of the function or class.
        progress: called with the outcome of each instance.

    An instance counts as unsolved, with the reason, if the solver raises an exception or the referee rejects its solution.

    Raises:
        PuzzleError: if a solution is shorter than its proved lower bound, so that the suite is wrong.
    """
    call = getattr(solver, "solve", solver)
    if not callable(call):
        raise InvalidArgument(f"a solver is a function or has a method solve, unlike {solver!r}")
    if name is None:
        name = getattr(solver, "heuristic", None) or getattr(solver, "__name__", type(solver).__name__)
    rows = []
    for instance in suite:
        rows.append(_row(call, suite, instance))
        if progress is not None:
            progress(rows[-1])
    return Evaluation(str(name), suite, tuple(rows))


def _row(call: Callable[[str], Any], suite: Suite, instance: Instance) -> Row:
    begun = time.perf_counter()
    try:
        answer = call(instance.text)
    except Exception as error:
        return Row(instance, None, None, time.perf_counter() - begun, f"{type(error).__name__}: {error}")
    attempt = _attempt(answer)
    seconds = time.perf_counter() - begun if attempt.seconds is None else attempt.seconds
    if attempt.moves is None:
        return Row(instance, None, attempt.nodes, seconds, "no solution")
    try:
        length = suite.replay(instance, _text(attempt.moves, suite))
    except InvalidInstance as error:
        return Row(instance, None, attempt.nodes, seconds, "; ".join(error.faults) or error.message)
    if length < instance.lower:
        raise PuzzleError(
            f"number {instance.id} of {suite.name} has a solution of {length} moves, below its proved lower bound "
            f"{instance.lower}"
        )
    return Row(instance, length, attempt.nodes, seconds)


def _attempt(answer: Any) -> Attempt:
    if isinstance(answer, Attempt):
        return answer
    if isinstance(answer, Result):
        return Attempt(answer.moves, answer.generated)
    return Attempt(answer)


def _text(moves: Any, suite: Suite) -> str:
    """A solution as a string."""
    if isinstance(moves, str):
        return moves
    words = [str(move) for move in moves]
    are_letters = suite.puzzle == "tiles" and all(len(word) == 1 and word.isalpha() for word in words)
    return ("" if are_letters else " ").join(words)


def table(evaluations: Iterable[Evaluation], form: str = "text") -> str:
    """The figures of several evaluations as a table: ``"text"``, ``"markdown"`` or ``"csv"``."""
    rows = [list(evaluation.summary().values()) for evaluation in evaluations]
    return _written(_SUMMARY, rows, form)


def _cell(row: Row, name: str) -> Any:
    known = {"id": row.instance.id, "lower": row.instance.lower, "upper": row.instance.upper}
    return known[name] if name in known else getattr(row, name)


def _written(columns: Sequence[str], rows: list[list[Any]], form: str) -> str:
    if form == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
        return text.getvalue()
    cells = [list(columns), *([_shown(cell) for cell in row] for row in rows)]
    if form == "markdown":
        lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in cells]
        return "\n".join([lines[0], f"|{' --- |' * len(columns)}", *lines[1:]]) + "\n"
    if form != "text":
        raise InvalidArgument(f"a table is text, markdown or csv, not {form!r}")
    widths = [max(map(len, column)) for column in zip(*cells)]
    is_number = [
        all(row[at] is None or isinstance(row[at], (int, float)) for row in rows) for at in range(len(columns))
    ]
    padded = [
        [cell.rjust(width) if number else cell.ljust(width) for cell, width, number in zip(row, widths, is_number)]
        for row in cells
    ]
    return "\n".join("  ".join(row).rstrip() for row in padded) + "\n"


def _shown(cell: Any) -> str:
    if cell is None:
        return "-"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
