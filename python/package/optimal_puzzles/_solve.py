"""The common part of the solvers: instances as strings in, the extension module's records out as results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, Union

from . import _arrays
from ._progress import ProgressArgument, reporter
from .errors import Interrupted, InvalidArgument
from .results import Improved, Made, Result, TableUse

if TYPE_CHECKING:
    from ._arrays import Bytes

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


#: How solutions are shortened, for the extension module.
class Windows(NamedTuple):
    window: int | None
    ties: int
    seed: int
    anew: bool
    time_limit: float | None


#: The function of the extension module that shortens solutions: of a solver, for puzzles with their moves.
Shorten = Callable[
    [Any, "list[tuple[str | None, str]]", Windows, "Callable[[str, str, int], None] | None"],
    "tuple[list[str], BaseException | None]",
]

#: A gap that every solution has.
ANY_GAP = 2**32 - 1


class _Native(Protocol):
    """A solver of the extension module."""

    def threads(self) -> int: ...
    def solve(
        self,
        instances: list[str],
        max_depth: int | None,
        time_limit: float | None,
        progress: Callable[[str, str, int], None] | None,
    ) -> tuple[list[str], BaseException | None]: ...


class _Tabled(_Native, Protocol):
    """A solver with a heuristic and its tables."""

    def solve(
        self,
        instances: list[str],
        max_depth: int | None,
        time_limit: float | None,
        progress: Callable[[str, str, int], None] | None,
        extra: int | None = None,
        within: int = 0,
        deterministic: bool | None = None,
    ) -> tuple[list[str], BaseException | None]: ...
    def heuristic(self) -> str: ...
    def tables(self) -> list[tuple[str, str]]: ...
    def values(self, rows: bytes) -> bytearray: ...


Native = TypeVar("Native", bound=_Native)
TabledNative = TypeVar("TabledNative", bound=_Tabled)


def size(memory: Memory) -> str | None:
    """Converts a size to the form that the extension module reads."""
    return None if memory is None else str(memory)


def directory(tables: Directory) -> str | None:
    """Converts a path to the form that the extension module reads."""
    return None if tables is None else fspath(tables)


class Remembered:
    """An object that is determined by its arguments: its repr is the call, and its pickle contains the arguments."""

    _arguments: dict[str, Any]

    def _remember(self, **arguments: Any) -> None:
        self._arguments = {name: value for name, value in arguments.items() if value is not None}

    def __repr__(self) -> str:
        name = f"{type(self).__module__.rsplit('.', 1)[-1]}.{type(self).__name__}"
        return f"{name}({', '.join(f'{name}={value!r}' for name, value in self._arguments.items())})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _again, (type(self), self._arguments)


def _again(made: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return made(**arguments)


def solve_all(
    solve: Solve,
    texts: Sequence[str],
    max_depth: int | None,
    time_limit: float | None,
    progress: ProgressArgument,
) -> list[Result]:
    """Solves instances; raises the exception that ended the batch early, if any."""
    return _made(Result, *solve(list(texts), max_depth, time_limit, reporter(progress)))


def _made(made: type[Made], records: list[str], stop: BaseException | None) -> list[Made]:
    """The results in records; raises the exception that ended the batch early, if any."""
    results = [made.from_json(record) for record in records]
    if isinstance(stop, KeyboardInterrupt):
        raise Interrupted(results) from None
    if stop is not None:
        raise stop
    return results


class Instances(Remembered, Generic[Native]):
    """A solver of instances that are strings, sequences or arrays, as its module describes."""

    _native: Native
    #: What an instance is called.
    _instance: ClassVar[str]
    #: How its solutions are shortened.
    _shorten: ClassVar[Shorten]
    #: Whether the puzzle can be left out where only the effect of moves matters.
    _follows_from_moves: ClassVar[bool] = False
    #: Whether puzzles are also solved anew.
    _solves_anew: ClassVar[bool] = False

    def _asking(
        self,
        all: bool,
        extra: int | None,
        within: int,
        quick: bool,
        deterministic: bool | None,
        random: int | None,
    ) -> Solve:
        """The search of the extension module for the wanted solutions."""
        if all or extra is not None or random is not None:
            raise InvalidArgument(f"this solver finds one solution of a {self._instance}, not all of them")
        if within or quick or deterministic:
            raise InvalidArgument(f"this solver always proves the solution of a {self._instance} shortest")
        return self._native.solve

    @property
    def threads(self) -> int:
        """The threads of a search."""
        return self._native.threads()

    def solve(
        self,
        instance: Any,
        *,
        all: bool = False,
        extra: int | None = None,
        within: int = 0,
        quick: bool = False,
        deterministic: bool | None = None,
        random: int | None = None,
        max_depth: int | None = None,
        time_limit: float | None = None,
        progress: ProgressArgument = None,
    ) -> Result:
        """A shortest solution of one instance: a string, a sequence or an array, as the module describes.

        Args:
            instance: the instance.
            all: find every shortest solution; they are in ``solutions`` of the result. Towers have one solution each.
            extra: find also those that are at most this many moves longer and visit no position twice.
            within: stop as soon as the best solution is proved to have at most this many moves too many. ``gap`` of the
                result is the difference.
            quick: stop at the first good solution, whatever its gap.
            deterministic: whether the answer is the first shortest solution in the order of the search, whatever the
                number of threads; by default only for the papers' heuristics.
            random: the seed with which one of all shortest solutions is chosen, each with the same probability: of cubes,
                of those that ``all`` lists; of permutation puzzles too. In a batch, each further instance has the next
                seed.
            max_depth: give up once every solution is proved longer than this many moves.
            time_limit: give up after this many seconds, with the bound proved by then.
            progress: how to report the search.

        Raises:
            InvalidInstance: with everything that is wrong with the instance.
            Interrupted: at Ctrl-C, with the bound proved by then.
        """
        solve = self._asking(all, extra, within, quick, deterministic, random)
        return solve_all(solve, [self._text(instance)], max_depth, time_limit, progress)[0]

    def solve_batch(
        self,
        instances: Any,
        *,
        all: bool = False,
        extra: int | None = None,
        within: int = 0,
        quick: bool = False,
        deterministic: bool | None = None,
        random: int | None = None,
        max_depth: int | None = None,
        time_limit: float | None = None,
        progress: ProgressArgument = None,
    ) -> list[Result]:
        """Shortest solutions of each instance, in order: a sequence of instances, or an array with one more dimension.

        Each is searched on all threads, within ``max_depth`` moves and ``time_limit`` seconds.

        Raises:
            InvalidInstance: before any search, with the faults of all instances.
            Interrupted: at Ctrl-C, with the results by then.
        """
        solve = self._asking(all, extra, within, quick, deterministic, random)
        return solve_all(solve, self._texts(instances), max_depth, time_limit, progress)

    def improve(
        self,
        instance: Any,
        moves: str,
        *,
        window: int | None = None,
        ties: int = 0,
        seed: int = 0,
        anew: bool = False,
        time_limit: float | None = None,
        progress: ProgressArgument = None,
    ) -> Improved:
        """Shortens a solution: each part of it with at most ``window`` moves becomes a shortest one.

        Args:
            instance: what the moves solve. ``None`` for cubes and permutation puzzles: the moves are replaced by fewer with
                the same effect. For towers the first state; the one that the moves lead to is the goal.
            moves: the solution. Rotations of the whole cube are understood, and so are numbers of tiles.
            window: the number of moves in a window, as in ``improve --window`` of the command lines; by default theirs.
            ties: also replaces windows by others of equal length, chosen at random, in this many rounds.
            seed: the seed of ``ties``.
            anew: also solve the cube or board anew, and return the shorter solution.
            time_limit: stop after this many seconds, with the best solution by then.
            progress: how to report the work.

        Raises:
            InvalidInstance: with everything that is wrong with the instance and the moves.
            InvalidArgument: for a puzzle, moves or a goal whose solutions are not shortened.
            Interrupted: at Ctrl-C, with the best solution by then.
        """
        started = [None if instance is None else self._start(instance)]
        return self._improved(started, [moves], Windows(window, ties, seed, anew, time_limit), progress)[0]

    def improve_batch(
        self,
        instances: Any,
        moves: Sequence[str],
        *,
        window: int | None = None,
        ties: int = 0,
        seed: int = 0,
        anew: bool = False,
        time_limit: float | None = None,
        progress: ProgressArgument = None,
    ) -> list[Improved]:
        """Shortens solutions, in order: each on one thread, as many at once as there are threads.

        Args:
            instances: what the moves solve, one instance for each solution, or ``None``, as for :meth:`improve`.
            moves: the solutions.

        Raises:
            InvalidInstance: before any work, with the faults of all solutions.
            Interrupted: at Ctrl-C, with the results by then.
        """
        if isinstance(moves, str):
            raise TypeError("expected a sequence of solutions, not a string")
        started: list[str | None] = [None] * len(moves) if instances is None else list(self._starts(instances))
        return self._improved(started, list(moves), Windows(window, ties, seed, anew, time_limit), progress)

    def _improved(
        self, started: list[str | None], moves: list[str], windows: Windows, progress: ProgressArgument
    ) -> list[Improved]:
        if len(started) != len(moves):
            raise ValueError(f"expected as many instances as solutions, not {len(started)} and {len(moves)}")
        if None in started and not self._follows_from_moves:
            raise InvalidArgument(f"the {self._instance} does not follow from the moves: give it too")
        if windows.anew and not self._solves_anew:
            raise InvalidArgument(f"this solver does not solve a {self._instance} anew")
        for name, number in (("window", windows.window), ("ties", windows.ties), ("seed", windows.seed)):
            if number is not None and number < 0:
                raise InvalidArgument(f"{name} must not be negative: {number}")
        shorten = type(self)._shorten
        return _made(Improved, *shorten(self._native, list(zip(started, moves)), windows, reporter(progress)))

    def _start(self, instance: Any) -> str:
        """The instance of a solution, as a string that the extension module reads."""
        return self._text(instance)

    def _starts(self, instances: Any) -> list[str]:
        """Several of them."""
        return self._texts(instances)

    def _text(self, instance: Any) -> str:
        """The instance as a string that the extension module reads."""
        raise NotImplementedError

    def _texts(self, instances: Any) -> list[str]:
        """Several instances as strings."""
        return [self._text(instance) for instance in _arrays.several(instances, self._instance)]


class Tabled(Instances[TabledNative]):
    """A solver with a heuristic that reads tables."""

    #: The arguments of each search that only this solver has.
    _more: Mapping[str, Any] = {}
    #: Whether it lists all shortest solutions, so that one can be chosen at random.
    _lists_all: ClassVar[bool] = False

    def _asking(
        self,
        all: bool,
        extra: int | None,
        within: int,
        quick: bool,
        deterministic: bool | None,
        random: int | None,
    ) -> Solve:
        longer = extra if extra is not None else 0 if all else None
        gap = ANY_GAP if quick else within
        more = dict(self._more)
        if random is not None:
            if not self._lists_all:
                raise InvalidArgument(f"this solver cannot choose a solution of a {self._instance} at random")
            if longer is not None or gap:
                raise InvalidArgument("random chooses one of all shortest solutions: leave out all, extra, within, quick")
            more["random"] = random
        return partial(self._native.solve, extra=longer, within=gap, deterministic=deterministic, **more)

    @property
    def heuristic(self) -> str:
        """The heuristic's name."""
        return self._native.heuristic()

    @property
    def tables(self) -> tuple[TableUse, ...]:
        """The tables that it reads."""
        return tuple(TableUse(*table) for table in self._native.tables())

    def heuristic_batch(self, states: Any) -> Bytes:
        """The heuristic's value of each state, on all threads.

        Args:
            states: rows, shape ``(n, width)``: cubies of cubes, tiles of boards.

        Returns:
            ``uint8``, shape ``(n,)``: lower bounds on the number of moves.
        """
        rows = _arrays.rows(states, self._widths())
        return _arrays.out(self._native.values(rows.tobytes()), len(rows))

    def _widths(self) -> dict[int, str]:
        """The widths of rows, each with a description."""
        raise NotImplementedError
