"""The results of solvers: the run record that ``--json`` of the command lines prints."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import InvalidInstance

if TYPE_CHECKING:
    import pandas

__all__ = ["HeuristicCheck", "Improved", "Iteration", "Result", "Stage", "TableUse", "read_json_lines", "to_frame", "to_json_lines"]

Made = TypeVar("Made", bound="Result")


@dataclass(frozen=True)
class Stage:
    """The counts of one stage of the heuristic in an iteration.

    Attributes:
        looked_up: generated nodes that reached the stage.
        cut: the number of those nodes that it pruned.
    """

    looked_up: int
    cut: int


@dataclass(frozen=True)
class Iteration:
    """One bound of iterative deepening, or one threshold of a frontier search.

    Attributes:
        bound: the greatest length searched for, in moves.
        complete: whether the whole tree was searched; then the counts do not depend on the threads.
        generated: children produced by operators that the automaton allows.
        expanded: nodes whose children were generated.
        pruned_by_heuristic: generated nodes that the heuristic pruned.
        pruned_by_fsm: applicable operators that the automaton forbade.
        seconds: wall-clock time.
        stages: the heuristic's stages; empty if it has only one.
    """

    bound: int
    complete: bool
    generated: int
    expanded: int
    pruned_by_heuristic: int
    pruned_by_fsm: int
    seconds: float
    stages: tuple[Stage, ...] = ()

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Iteration:
        return cls(
            record["bound"],
            record["complete"],
            record["generated"],
            record["expanded"],
            record["pruned_by_heuristic"],
            record["pruned_by_fsm"],
            record["seconds"],
            tuple(Stage(**stage) for stage in record.get("stages", ())),
        )

    def _record(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            "bound": self.bound,
            "complete": self.complete,
            "generated": self.generated,
            "expanded": self.expanded,
            "pruned_by_heuristic": self.pruned_by_heuristic,
            "pruned_by_fsm": self.pruned_by_fsm,
        }
        if self.stages:
            record["stages"] = [{"looked_up": stage.looked_up, "cut": stage.cut} for stage in self.stages]
        return {**record, "seconds": self.seconds}


@dataclass(frozen=True)
class TableUse:
    """A table that a search read.

    Attributes:
        name: its name in the store of tables.
        checksum: the checksum of its content, in hexadecimal.
    """

    name: str
    checksum: str


@dataclass(frozen=True)
class HeuristicCheck:
    """The faults found in a heuristic of your own. Their absence does not prove that the heuristic is admissible.

    Attributes:
        states: the states whose values were compared: those of the solution, those around the goal, and those that
            the search evaluated more than once.
        inadmissible: states whose value exceeds the length of a known path to the goal: the heuristic is not a lower
            bound.
        inconsistent: moves that lower the value by more than one. The heuristic may still be a lower bound.
        changing: states that got two different values: the heuristic does not depend on the state alone.
    """

    states: int
    inadmissible: int
    inconsistent: int
    changing: int

    @property
    def refutes(self) -> bool:
        """Whether the heuristic is shown not to be a lower bound, or not to depend on the state alone."""
        return self.inadmissible > 0 or self.changing > 0


@dataclass(frozen=True)
class Result:
    """The result of a search for one instance, and its cost.

    Attributes:
        instance: the instance as a string.
        length: the length of a shortest solution in moves; ``None`` if none was found.
        moves: the best solution found, which the referee has replayed; ``None`` if none was found. If ``length`` is
            ``None``, it is not proved shortest.
        proved: whether ``length`` is proved to be the shortest (then it equals ``lower_bound``).
        lower_bound: the proved lower bound on the length of every solution; ``None`` if no solution exists.
        upper_bound: the length of ``moves``; ``None`` if no solution was found.
        iterations: the bounds that were searched, in order.
        tables: the tables that were read.
        metric: the metric: ``htm``, ``qtm``, ``stm`` or ``moves``.
        heuristic: the heuristic's name.
        generated: the total number of children produced.
        expanded: the total number of nodes expanded.
        seconds: the total wall-clock time.
        threads: the threads that searched.
        seed: the random seed, if anything was random.
        version: the program that searched, and its version.
        solutions: all requested solutions, shortest first; ``moves`` is the first of them.
        check: the faults found in a heuristic of your own, by :func:`optimal_puzzles.search.ida_star`.
    """

    instance: str
    length: int | None
    moves: str | None
    proved: bool
    lower_bound: int | None
    iterations: tuple[Iteration, ...]
    tables: tuple[TableUse, ...]
    metric: str
    heuristic: str
    generated: int
    expanded: int
    seconds: float
    threads: int
    seed: int | None
    version: str
    solutions: tuple[str, ...] = ()
    upper_bound: int | None = None
    check: HeuristicCheck | None = None

    @property
    def lower(self) -> int | None:
        """Short for ``lower_bound``."""
        return self.lower_bound

    @property
    def upper(self) -> int | None:
        """Short for ``upper_bound``."""
        return self.upper_bound

    @property
    def next_move(self) -> str | None:
        """The first move of ``moves``; ``None`` if there is none."""
        from . import _native

        if self.moves is None or not self.upper_bound:
            return None
        return _native.first_move(self.upper_bound, self.moves)

    @property
    def gap(self) -> int | None:
        """The difference between the bounds; ``None`` if no solution is known."""
        if self.lower_bound is None or self.upper_bound is None:
            return None
        return self.upper_bound - self.lower_bound

    @classmethod
    def from_dict(cls: type[Made], record: dict[str, Any]) -> Made:
        """The result in a run record, such as a line of ``cube-opt solve --json``.

        Raises:
            InvalidInstance: for anything else.
        """
        try:
            return cls(**cls._fields(record))
        except (KeyError, TypeError, AttributeError) as error:
            what = f"it has no field {error}" if isinstance(error, KeyError) else str(error)
            raise InvalidInstance("not a run record, as --json prints it", [what]) from None

    @classmethod
    def _fields(cls, record: dict[str, Any]) -> dict[str, Any]:
        """The attributes in a run record."""
        ending = record["result"]
        kind = ending["kind"]
        solutions = ending.get("solutions", [])
        length = ending["length"] if kind in ("optimal", "solution") else None
        return dict(
            instance=record["instance"],
            length=length,
            moves=solutions[0] if solutions else record.get("solution"),
            proved=kind == "optimal",
            lower_bound=0 if kind == "solution" else ending.get("length"),
            iterations=tuple(Iteration._of(iteration) for iteration in record["iterations"]),
            tables=tuple(TableUse(**table) for table in record["tables"]),
            metric=record["metric"],
            heuristic=record["heuristic"],
            generated=record["generated"],
            expanded=record["expanded"],
            seconds=record["seconds"],
            threads=record["threads"],
            seed=record.get("seed"),
            version=record["version"],
            solutions=tuple(solutions),
            upper_bound=record.get("upper_bound", length),
        )

    @classmethod
    def from_json(cls: type[Made], line: str) -> Made:
        """The result in a line of JSON."""
        return cls.from_dict(json.loads(line))

    def to_dict(self) -> dict[str, Any]:
        """The run record, as ``--json`` prints it: plain dicts, lists, strings and numbers."""
        ending: dict[str, Any]
        if self.proved:
            ending = {"kind": "optimal", "length": self.length, "solutions": list(self.solutions)}
        elif self.length is not None:
            ending = {"kind": "solution", "length": self.length, "solutions": list(self.solutions)}
        elif self.lower_bound is not None:
            ending = {"kind": "lower_bound", "length": self.lower_bound}
        else:
            ending = {"kind": "exhausted"}
        known = {"lower_bound": self.lower_bound, "upper_bound": self.upper_bound, "solution": self.moves}
        record = {
            "schema": 2,
            "instance": self.instance,
            **{name: value for name, value in known.items() if value is not None},
            "result": ending,
            "metric": self.metric,
            "heuristic": self.heuristic,
            "tables": [{"name": table.name, "checksum": table.checksum} for table in self.tables],
            "iterations": [iteration._record() for iteration in self.iterations],
            "generated": self.generated,
            "expanded": self.expanded,
            "seconds": self.seconds,
            "threads": self.threads,
        }
        if self.seed is not None:
            record["seed"] = self.seed
        return {**record, "version": self.version}

    def to_json(self) -> str:
        """The run record as one line of JSON, without a newline."""
        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Improved(Result):
    """A shortened solution: ``moves``, with ``upper_bound`` moves, and ``lower_bound``.

    Attributes:
        instance: the puzzle, a semicolon and the moves that were given, as ``improve`` of the command lines reads them.
        given: the length of the solution that was given.
        window: the number of moves in a window.
        locally_optimal: whether no window of ``moves`` can be shortened.
    """

    given: int = 0
    window: int = 0
    locally_optimal: bool = False

    @classmethod
    def _fields(cls, record: dict[str, Any]) -> dict[str, Any]:
        own = ("given", "window", "locally_optimal")
        return {**super()._fields(record), **{name: record[name] for name in own}}

    def to_dict(self) -> dict[str, Any]:
        """The record, as ``improve --json`` prints it."""
        more = {"given": self.given, "window": self.window, "locally_optimal": self.locally_optimal}
        return {**super().to_dict(), **more}


def to_json_lines(results: Iterable[Result]) -> str:
    """The records of several results, one per line."""
    return "".join(result.to_json() + "\n" for result in results)


def read_json_lines(text: str) -> list[Result]:
    """The results in lines of JSON, such as the output of ``tile24 solve --json``.

    Raises:
        InvalidInstance: with the number of the first line that is no run record.
    """
    results = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                results.append(Result.from_json(line))
            except InvalidInstance as error:
                raise InvalidInstance(f"line {number}: {error.message}", error.faults) from None
            except json.JSONDecodeError as error:
                raise InvalidInstance(f"line {number}: not JSON", [str(error)]) from None
    return results


def to_frame(results: Iterable[Result]) -> pandas.DataFrame:
    """The results as a pandas data frame, one row each; iterations and tables are left out.

    Columns: ``instance``, ``length``, ``moves``, ``proved``, ``lower_bound``, ``upper_bound``, ``metric``,
    ``heuristic``, ``generated``, ``expanded``, ``seconds``, ``threads``.

    Raises:
        ImportError: if pandas is not installed.
    """
    import pandas

    columns = [
        "instance",
        "length",
        "moves",
        "proved",
        "lower_bound",
        "upper_bound",
        "metric",
        "heuristic",
        "generated",
        "expanded",
        "seconds",
        "threads",
    ]
    rows = [[getattr(result, column) for column in columns] for result in results]
    frame = pandas.DataFrame(rows, columns=columns)
    return frame.astype({"length": "Int64", "lower_bound": "Int64", "upper_bound": "Int64"})
