"""Puzzles and heuristics of your own.

A permutation puzzle is data: generators, the name of a built-in puzzle, or a file as cubing.js, twips, twsearch, ksolve
and GAP write it. Its states are arrays of shape ``(points,)``, ``uint8``: the sticker at each point, where sticker ``p``
is at point ``p`` in the solved puzzle. A puzzle given by generators has one point for each place. Otherwise a place has
one point for each orientation that counts in its orbit, and the orbits follow each other.

States of pieces that look alike, and states that differ by a free rotation, are one state. Functions take any row of it
and return the same row for all.

:class:`Solver` solves such a puzzle with a learned automaton and pattern databases. :func:`ida_star` solves it, a
cube or a board with your own heuristic, and :func:`audit` shows where that heuristic is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _arrays, _native, cube, tiles
from ._progress import Progress, ProgressArgument, reporter
from ._solve import Directory, Memory, Tabled, directory, size
from .errors import Interrupted, InvalidArgument, InvalidInstance, PuzzleError
from .results import HeuristicCheck, Result

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._arrays import Bytes

__all__ = [
    "Audit",
    "Builtin",
    "Group",
    "Heuristic",
    "HeuristicError",
    "Progress",
    "Puzzle",
    "Solver",
    "audit",
    "builtins",
    "ida_star",
]

#: A heuristic: from states, ``uint8``, shape ``(n, width)``, to values, numbers, shape ``(n,)``: lower bounds
#: on the number of moves. Fractions count as the next whole number, infinity as "cannot be solved".
Heuristic = Callable[[Any], Any]
#: What is so much above a whole number by rounding counts as that number.
_ROUNDING = 1e-4


class HeuristicError(PuzzleError, ValueError):
    """A heuristic that raised an exception, or returned NaN or the wrong number of values.

    Attributes:
        batch: the number of the batch, from 0.
    """

    def __init__(self, message: str, batch: int) -> None:
        super().__init__(f"batch {batch}: {message}")
        self.batch = batch


class Builtin(NamedTuple):
    """A built-in puzzle or family of puzzles.

    Attributes:
        name: its name; capital letters stand for numbers.
        example: a name for :meth:`Puzzle.builtin`, with numbers in place of the capital letters.
        about: its description.
    """

    name: str
    example: str
    about: str


def builtins() -> list[Builtin]:
    """The built-in puzzles, as ``puzzle-opt list`` prints them."""
    return [Builtin(*entry) for entry in _native.permutation_builtins()]


class Group(NamedTuple):
    """The group that the counted moves of a puzzle generate.

    Attributes:
        order: its order.
        factors: the prime factors of the order.
        proved: whether the order is proved; otherwise it is a lower bound.
        rotations: the number of free rotations; ``None`` if there are too many.
        positions: the number of positions, where states that differ by a free rotation are one; ``None`` if only a count
            finds it.
        shapes: the number of shapes of a puzzle whose rules block moves, such as square-1: the group is then that of the
            strings of moves that keep the solved shape; ``None`` for other puzzles.
    """

    order: int
    factors: str
    proved: bool
    rotations: int | None
    positions: int | None
    shapes: int | None


class Puzzle:
    """A permutation puzzle.

    Args:
        generators: the moves by name, or without names: permutations of the same length. The piece at place
            ``move[p]`` moves to place ``p``.
        metric: the powers of a move that count as one move: ``"generators"``, the move alone, ``"inverses"``, also its
            inverse, or ``"powers"``, all of them (``U``, ``U2``, ``U'``).

    Raises:
        InvalidInstance: with everything that is wrong with the moves.

    >>> Puzzle([[1, 0, 2, 3], [2, 1, 0, 3], [3, 2, 1, 0]]).bfs_counts()
    [1, 3, 6, 11, 3]
    """

    def __init__(
        self, generators: Mapping[str, Sequence[int]] | Sequence[Sequence[int]], *, metric: str = "generators"
    ) -> None:
        named = (
            list(generators.items())
            if isinstance(generators, Mapping)
            else [(f"m{number}", move) for number, move in enumerate(generators)]
        )
        listed = [(name, [int(place) for place in move]) for name, move in named]
        for name, move in listed:
            if any(place < 0 for place in move):
                raise InvalidArgument(f"move {name} has a negative place")
        self._native = _native.PermutationPuzzle.from_generators(listed, metric)
        self._source: tuple[Callable[..., Puzzle], tuple[Any, ...]] = (_of_generators, (listed, metric))

    def __repr__(self) -> str:
        return f"search.Puzzle({self.points} points, {len(self.moves)} moves)"

    def __reduce__(self) -> tuple[Callable[..., Puzzle], tuple[Any, ...]]:
        return self._source

    @classmethod
    def from_kpuzzle(
        cls,
        definition: str | Mapping[str, Any] | PathLike[str],
        *,
        metric: str = "powers",
        moves: str | None = None,
        rotations: str | None = None,
        free: str | None = None,
    ) -> Puzzle:
        """The puzzle of a KPuzzle definition: a JSON string, the parsed mapping, or a ``pathlib.Path`` to a file.

        A string is always read as JSON. Derived moves do not count, but :meth:`apply` makes them. An orbit whose
        orientations are ignored (``orientationMod`` 1) has one point for each place.

        Args:
            definition: the definition.
            metric: the powers of a move that count as one move: ``"powers"``, all of them, so that a half turn is one
                move, ``"inverses"`` or ``"generators"``.
            moves: the names of the moves that count; by default those of the definition.
            rotations: the names of the rotations of the whole puzzle that are free; by default none.
            free: the names of moves that cost nothing, and so do their powers, such as ``"U D"`` to count the twists of
                square-1; by default none. Not for :meth:`exact` and heuristics of one's own.

        Raises:
            InvalidInstance: with everything that is wrong with the definition.
        """
        if isinstance(definition, Mapping):
            definition = json.dumps(definition)
        elif not isinstance(definition, str):
            definition = Path(definition).read_text(encoding="utf-8")
        elif not definition.lstrip().startswith("{"):
            fault = f"a string is read as JSON; of a file, give pathlib.Path({definition[:80]!r})"
            raise InvalidInstance("not a KPuzzle", [fault])
        return cls._made("from_text", definition, metric, moves, rotations, free)

    @classmethod
    def from_file(
        cls,
        path: str | PathLike[str],
        *,
        metric: str = "powers",
        moves: str | None = None,
        rotations: str | None = None,
        free: str | None = None,
    ) -> Puzzle:
        """The puzzle of a file: KPuzzle JSON, ``.tws`` or ``.def`` of twsearch and ksolve, or generators as in GAP.

        Args:
            path: the file.
            metric: the powers of a move that count as one move: ``"powers"``, ``"inverses"`` or ``"generators"``.
            moves: the names of the moves that count, such as ``"U R F"``; by default those of the file.
            rotations: the names of the rotations of the whole puzzle that are free; by default those of the file,
                ``""`` for none.
            free: the names of moves that cost nothing, and so do their powers, such as ``"U D"`` to count the twists of
                square-1; by default none. Not for :meth:`exact` and heuristics of one's own.

        Raises:
            InvalidInstance: with everything that is wrong with the definition.
        """
        return cls._made("from_text", Path(path).read_text(encoding="utf-8"), metric, moves, rotations, free)

    @classmethod
    def builtin(
        cls,
        name: str,
        *,
        metric: str = "powers",
        moves: str | None = None,
        rotations: str | None = None,
        free: str | None = None,
    ) -> Puzzle:
        """A built-in puzzle by its name, as :func:`builtins` lists it: ``"skewb"``, ``"2x2x2"``, ``"pancake-8"``.

        Args:
            name: the name.
            metric: the powers of a move that count as one move: ``"powers"``, ``"inverses"`` or ``"generators"``.
            moves: the names of the moves that count; by default those of the puzzle.
            rotations: the names of the rotations of the whole puzzle that are free; by default those of the puzzle,
                ``""`` for none.
            free: the names of moves that cost nothing, and so do their powers, such as ``"U D"`` to count the twists of
                square-1; by default none. Not for :meth:`exact` and heuristics of one's own.

        Raises:
            InvalidArgument: for a name that no built-in puzzle has.

        >>> Puzzle.builtin("skewb").bfs_counts(3)
        [1, 8, 48, 288]
        """
        return cls._made("builtin", name, metric, moves, rotations, free)

    @classmethod
    def _made(cls, how: str, *arguments: Any) -> Puzzle:
        puzzle = cls.__new__(cls)
        puzzle._native = getattr(_native.PermutationPuzzle, how)(*arguments)
        puzzle._source = (_made, (how, *arguments))
        return puzzle

    @property
    def points(self) -> int:
        """The width of a state."""
        return self._native.points()

    @property
    def moves(self) -> list[str]:
        """The names of the moves, in order."""
        return self._native.moves()

    @property
    def rotations(self) -> list[str]:
        """The names of the rotations of the whole puzzle that are free."""
        return self._native.rotations()

    @property
    def orbits(self) -> list[tuple[str, int, int]]:
        """The name, the number of pieces and the number of orientations of each orbit."""
        return self._native.orbits()

    @property
    def remarks(self) -> list[str]:
        """Remarks on the definition and the choice of moves: ignored fields, moves that may be rotations."""
        return self._native.remarks()

    @property
    def solved(self) -> Bytes:
        """The solved state, shape ``(points,)``."""
        import numpy as np

        return np.arange(self.points, dtype=np.uint8)

    def apply(self, states: Any, moves: str | Sequence[str]) -> Bytes:
        """Each state after some moves: names, separated by spaces, or an algorithm such as ``"[R: U] (F R)3"``.

        Args:
            states: shape ``(n, points)``.

        Returns:
            ``uint8``, shape ``(n, points)``.
        """
        rows = self._rows(states)
        text = moves if isinstance(moves, str) else " ".join(moves)
        return _arrays.out(self._native.apply(rows.tobytes(), text), *rows.shape)

    def expand(self, states: Any) -> Bytes:
        """The states after each move. A move that a rule of the puzzle blocks leaves the state as it is.

        Args:
            states: shape ``(n, points)``.

        Returns:
            ``uint8``, shape ``(n, moves, points)``.
        """
        rows = self._rows(states)
        return _arrays.out(self._native.expand(rows.tobytes()), len(rows), len(self.moves), self.points)

    def parse(self, texts: str | Sequence[str], form: str | None = None) -> Bytes:
        """States as people write them, as an array.

        Args:
            texts: scrambles, KPuzzle patterns as JSON, states of twsearch, or permutations.
            form: ``"moves"``, ``"pattern"``, ``"scr"`` or ``"permutation"``; detected by default.

        Returns:
            ``uint8``, shape ``(n, points)``.

        Raises:
            InvalidInstance: with the faults of all strings.
        """
        given = [texts] if isinstance(texts, str) else list(texts)
        return _arrays.out(self._native.parse(given, form), len(given), self.points)

    def text(self, states: Any) -> list[str]:
        """States as KPuzzle patterns, the JSON that ``puzzle-opt solve`` reads.

        Args:
            states: shape ``(n, points)``.
        """
        return self._native.patterns(self._rows(states).tobytes())

    def definition(self, form: str = "kpuzzle") -> str:
        """The definition in another form, as ``puzzle-opt convert`` prints it.

        Args:
            form: ``"kpuzzle"``, ``"tws"`` or ``"gap"``.

        Raises:
            InvalidInstance: for parts that the form cannot express and that must not be left out.
        """
        return self._native.write(form)[0]

    def group(self, *, threads: int | None = None, progress: ProgressArgument = None) -> Group | None:
        """The group that the counted moves generate; ``None`` for a puzzle with more than 20,000 points, or with rules that
        do not form shapes.

        >>> group = Puzzle.builtin("2x2x2").group()
        >>> group.order, group.positions, group.rotations
        (88179840, 3674160, 24)
        """
        found = self._native.group(threads, reporter(progress))
        if found is None:
            return None
        order, factors, proved, rotations, positions, shapes = found
        count = None if positions is None else int(positions)
        return Group(int(order), factors, proved, rotations, count, shapes)

    def random(self, count: int, seed: int, *, steps: int | None = None) -> Bytes:
        """Uniformly random states, those of ``puzzle-opt random`` with the same seed.

        Args:
            count: the number of states.
            seed: the random seed.
            steps: instead, make this many random moves from the solved state. Such states are not necessarily uniformly
                distributed, but they exist for every puzzle.

        Returns:
            ``uint8``, shape ``(count, points)``.

        Raises:
            InvalidArgument: without ``steps``, for a puzzle whose group is not known.
        """
        count, seed = _arrays.drawn(count, seed)
        drawn = self._native.uniform(count, seed) if steps is None else self._native.random(count, seed, steps)
        return _arrays.out(drawn, count, self.points)

    def bfs_counts(
        self,
        max_depth: int | None = None,
        *,
        goal: Any = None,
        ignore: Sequence[str] = (),
        ignore_orientation: Sequence[str] = (),
        alike: Sequence[str] = (),
        memory: Memory = None,
        threads: int | None = None,
        progress: ProgressArgument = None,
    ) -> list[int]:
        """The number of states at each distance from the goal, in moves.

        Without ``max_depth``, all states that moves reach are counted. The goal is that of :class:`Solver`: states that
        differ only in what it leaves open are one. Of several goals, the nearest counts.

        >>> Puzzle.builtin("3x3x3").bfs_counts(ignore=["CORNERS"], alike=["EDGES"])
        [1, 2, 25, 202, 620, 900, 285, 13]

        Raises:
            PuzzleError: when the states exceed the memory.
            InvalidArgument: for places that do not exist, or goals that do not leave the same pieces open.
            InvalidInstance: with everything that is wrong with the states of ``goal``.
        """
        opened = _opened(ignore, ignore_orientation, alike)
        return self._native.counts(max_depth, self._goals(goal), opened, size(memory), threads, reporter(progress))

    def _goals(self, goal: Any) -> list[str]:
        """The states of ``goal`` as strings."""
        if goal is None:
            return []
        if isinstance(goal, (list, tuple)) and not all(isinstance(piece, int) for piece in goal):
            return [self._state_text(one) for one in goal]
        return [self._state_text(goal)]

    def _state_text(self, state: Any) -> str:
        if isinstance(state, str):
            return state
        return self.text(_arrays.row(state, {self.points: "stickers"}, "state"))[0]

    def exact(
        self,
        max_depth: int | None = None,
        *,
        memory: Memory = None,
        threads: int | None = None,
        progress: ProgressArgument = None,
    ) -> tuple[Bytes, npt.NDArray[np.intp]]:
        """All states of at most ``max_depth`` moves, and their exact distances to the solved state.

        Returns:
            States, ``uint8``, shape ``(n, points)``, and distances, shape ``(n,)``.
        """
        import numpy as np

        layers = self._native.layers(max_depth, size(memory), threads, reporter(progress))
        arrays = [_arrays.out(layer, -1, self.points) for layer in layers]
        depths = np.repeat(np.arange(len(arrays)), [len(array) for array in arrays])
        return np.concatenate(arrays), depths

    def _rows(self, states: Any) -> Bytes:
        return _arrays.rows(states, {self.points: "stickers"})


def _opened(*options: Sequence[str]) -> list[list[str]]:
    """The places that each option leaves open; a string is a list of one."""
    return [[places] if isinstance(places, str) else list(places) for places in options]


def _of_generators(moves: list[tuple[str, list[int]]], metric: str) -> Puzzle:
    return Puzzle(dict(moves), metric=metric)


def _made(how: str, *arguments: Any) -> Puzzle:
    return Puzzle._made(how, *arguments)


class Solver(Tabled[_native.PermutationSolver]):
    """Solves a permutation puzzle optimally.

    A state is a string in any form that :meth:`Puzzle.parse` detects, or an array of shape ``(points,)``. Free rotations
    in a solution are not counted.

    Its automaton forbids strings of moves that duplicate others, so of the solutions with one effect only one is found.
    A search begins with a table of the states near the goal. Longer searches load or build pattern databases: then the
    heuristic is the greatest distance in some databases, each of which keeps some pieces and ignores the others, or the
    distance in a table of all states.

    The search of an unsolvable state may not end where some pieces look alike or some states are illegal: give
    ``max_depth`` or ``time_limit`` then. Otherwise such a state is recognized without a search.

    Args:
        puzzle: the puzzle.
        patterns: for each database its pieces, numbered over all orbits in order, an empty list for no databases; by
            default chosen for the memory. Pieces that look alike are kept together.
        goal: the state to reach, or a list of states, of which the nearest is reached; by default the solved state.
        ignore: places of the goal whose pieces do not matter, such as ``["EDGES", "CORNERS:0-3,7"]``: an orbit, and
            its places numbered from 0.
        ignore_orientation: places of the goal whose pieces may have any orientation.
        alike: sets of places of the goal whose pieces are interchangeable, one string for each set.
        learn: the length of the longest strings to learn, 0 for none; by default chosen so that there are about
            300,000 strings.
        order: the order of the branches within a bound: ``"deepest"``, the default, or ``"operators"``.
        memory: the budget for the databases: bytes, or such as ``"4GiB"``.
        threads: the threads of a search; by default one for each core.
        tables: the directory of tables; by default ``$OPTIMAL_PUZZLES_TABLES`` or the cache directory, as for the
            command lines. With ``patterns``, missing tables are built now; otherwise when they are needed.
        progress: how to report the building.

    Raises:
        InvalidArgument: for pieces or places that do not exist, databases that exceed the memory, or a puzzle that is too
            large.
        InvalidInstance: with everything that is wrong with the states of ``goal``.
    """

    _instance = "state"
    _shorten = _native.permutation_improve
    _follows_from_moves = True
    _lists_all = True

    def __init__(
        self,
        puzzle: Puzzle,
        patterns: Sequence[Sequence[int]] | None = None,
        *,
        goal: Any = None,
        ignore: Sequence[str] = (),
        ignore_orientation: Sequence[str] = (),
        alike: Sequence[str] = (),
        learn: int | None = None,
        order: str | None = None,
        memory: Memory = None,
        threads: int | None = None,
        tables: Directory = None,
        progress: ProgressArgument = None,
    ) -> None:
        chosen = None if patterns is None else [[int(piece) for piece in pattern] for pattern in patterns]
        if any(piece < 0 for pattern in chosen or [] for piece in pattern):
            raise InvalidArgument("pieces are numbered from 0")
        self.puzzle, self._more = puzzle, {"order": order}
        goals = puzzle._goals(goal)
        opened = _opened(ignore, ignore_orientation, alike)
        self._native = _native.PermutationSolver(
            puzzle._native,
            goals,
            opened,
            chosen,
            learn,
            size(memory),
            threads,
            directory(tables),
            reporter(progress),
        )
        self._remember(
            puzzle=puzzle,
            patterns=chosen,
            goal=goals or None,
            ignore=opened[0] or None,
            ignore_orientation=opened[1] or None,
            alike=opened[2] or None,
            learn=learn,
            order=order,
            memory=memory,
            threads=threads,
            tables=directory(tables),
        )

    @property
    def table_counts(self) -> list[list[int]]:
        """The number of entries at each distance, of each database."""
        return self._native.counts()

    @property
    def automaton_states(self) -> int:
        """The number of states of the learned automaton."""
        return self._native.automaton_states()

    def _text(self, instance: Any) -> str:
        return self.puzzle._state_text(instance)

    def _texts(self, instances: Any) -> list[str]:
        if _arrays.is_array(instances):
            return self.puzzle.text(instances)
        return super()._texts(instances)

    def _widths(self) -> dict[int, str]:
        return {self.puzzle.points: "stickers"}


def ida_star(
    puzzle: Union[Puzzle, str],
    state: Any,
    heuristic: Heuristic,
    *,
    admissible: bool = False,
    batch: int = 4096,
    max_depth: int | None = None,
    time_limit: float | None = None,
    threads: int = 1,
    metric: str = "htm",
    goal: Any = "blank-first",
    progress: ProgressArgument = None,
) -> Result:
    """A solution by IDA* with a heuristic that evaluates many states at once: a shortest one, if no value exceeds the
    distance.

    Only the caller can assert this, with ``admissible``. Without it the result is not ``proved``, and its lower bound
    is 0. After the search the heuristic is checked with some hundred more values: along the solution, around the
    goal, and on states that were evaluated twice (``check`` of the result). If this shows that a value exceeds a
    distance, the result is not ``proved`` either. :func:`audit` compares a heuristic with distances.

    Args:
        puzzle: a :class:`Puzzle`; ``"cube"``; or the size of a board, such as ``"4x4"``.
        state: a state of the puzzle, a cube or a board.
        heuristic: from states, ``uint8``, shape ``(n, points)``, ``(n, 20)`` or ``(n, cells)``, to ``n``
            values, such as a neural network's.
        admissible: asserts that the heuristic never exceeds the distance.
        batch: the approximate number of states evaluated at once.
        max_depth: give up once every solution is longer than this many moves.
        time_limit: give up after this many seconds, with the bound by then.
        threads: the number of parts of a batch that are evaluated at the same time. This helps heuristics that
            release the interpreter's lock, as NumPy and PyTorch do.
        metric: of a cube: ``"htm"`` or ``"qtm"``.
        goal: of a board.
        progress: how to report the number of states evaluated.

    Raises:
        HeuristicError: for a heuristic that raises (its exception is the cause), returns NaN or a wrong
            number of values.
        Interrupted: at Ctrl-C, with the bound by then.
    """
    if threads < 1:
        raise InvalidArgument(f"threads must be at least 1, not {threads}")
    how = _How(batch, max_depth, time_limit, threads)
    valued = _Valued(heuristic, threads, reporter(progress))
    expand: Callable[[Bytes], Bytes]
    after: Callable[[Bytes, str], Bytes]
    if isinstance(puzzle, Puzzle):
        of = puzzle
        row = _arrays.row(state, {of.points: "stickers"}, "state")
        records, stop = valued.search(_native.permutation_search, of._native, row.tobytes(), how)
        expand, after = of.expand, of.apply
    elif puzzle == "cube":
        text = cube._text(state)
        row = cube.parse(text)
        records, stop = valued.search(_native.cube_search, text, metric, how)
        expand, after = (lambda rows: cube.expand(rows, metric)[0]), cube.apply
    else:
        board = tiles._size(puzzle)
        row = tiles.parse(tiles._text(state), size=board, goal=goal)
        records, stop = valued.search(_native.tile_search, row.tobytes(), board, tiles._text(goal), how)
        expand = lambda rows: tiles.expand(rows, size=board)[0]  # noqa: E731
        after = lambda rows, move: tiles.apply(rows, move, size=board)  # noqa: E731
    results = [Result.from_json(record) for record in records]
    if not admissible:
        results = [_unproved(result) for result in results]
    if isinstance(stop, KeyboardInterrupt):
        raise Interrupted(results) from None
    if stop is not None:
        raise stop
    result = results[0]
    if result.moves is None:
        return replace(result, check=valued.check([], [], None))
    # With free rotations, or moves such as [x: U], the words of a solution are not one for each move.
    turned = isinstance(puzzle, Puzzle) and bool(puzzle.rotations or any(" " in name for name in puzzle.moves))
    words = [] if turned else result.moves.split()
    moves = list(result.moves) if isinstance(puzzle, str) and puzzle != "cube" else words
    rows = [row]
    for move in moves:
        rows.append(after(rows[-1], move))
    known = [(len(moves) - at, here) for at, here in enumerate(rows)]
    # The cube is held in another orientation, so its moves have other names.
    if turned or puzzle == "cube" and not (rows[-1] == cube.solved()).all():
        known = []
    around = _exact(puzzle) if isinstance(puzzle, Puzzle) else _around(rows[-1] if known else row[:0], expand)
    check = valued.check(known, around, expand)
    return replace(_unproved(result) if check.refutes else result, check=check)


def _unproved(result: Result) -> Result:
    """The result without the claims that rest on the heuristic alone."""
    return replace(result, proved=False, lower_bound=None if result.lower_bound is None else 0)


#: About how many states around the goal are checked.
_AROUND = 300


def _around(goal: Bytes, expand: Callable[[Bytes], Bytes]) -> list[tuple[int, Bytes]]:
    """The states nearest to a goal with their distances, for puzzles whose moves can be undone."""
    import numpy as np

    layers, seen = [(0, goal)], {here.tobytes() for here in goal}
    while layers[-1][1].size and len(seen) < _AROUND:
        depth, layer = layers[-1]
        children = np.unique(expand(layer).reshape(-1, layer.shape[1]), axis=0)
        new = [child for child in children if child.tobytes() not in seen]
        seen.update(child.tobytes() for child in new)
        layers.append((depth + 1, np.array(new, dtype=np.uint8).reshape(-1, layer.shape[1])))
    return layers


def _exact(puzzle: Puzzle) -> list[tuple[int, Bytes]]:
    """The states nearest to the solved one, with their distances."""
    most, count = 0, 0
    while True:
        states, distances = puzzle.exact(most)
        if len(states) >= _AROUND or len(states) == count:
            return [(int(distance), states[distances == distance]) for distance in set(distances.tolist())]
        most, count = most + 1, len(states)


class _How(NamedTuple):
    batch: int
    max_depth: int | None
    time_limit: float | None
    threads: int


#: How many states' values are remembered, to compare them when the search comes back to them.
_REMEMBERED = 1 << 16
#: How many states are expanded to compare their values with their children's.
_EXPANDED = 256


class _Valued:
    """A heuristic as the extension module calls it."""

    def __init__(
        self, heuristic: Heuristic, threads: int, report: Callable[[str, str, int], None] | None
    ) -> None:
        self.heuristic, self.threads, self.report = heuristic, threads, report
        self.batch, self.states, self.again, self.changing = 0, 0, 0, 0
        self.known: dict[bytes, float] = {}
        self.pool: ThreadPoolExecutor | None = None

    def search(
        self, search: Callable[..., tuple[list[str], BaseException | None]], *arguments: Any
    ) -> tuple[list[str], BaseException | None]:
        """Calls a search with this heuristic as the last argument but one."""
        *first, how = arguments
        if self.report:
            self.report("begin", "states valued", 0)
        with ThreadPoolExecutor(self.threads) as self.pool:
            found = search(*first, self, how)
        self.pool = None
        if self.report:
            self.report("end", "", 0)
        return found

    def __call__(self, rows: bytes, count: int) -> bytes:
        import numpy as np

        states = _arrays.out(bytearray(rows), count, -1)
        values = self.values(states)
        self.batch += 1
        self.states += count
        if self.report:
            self.report("update", "", self.states)
        self.remember(states, values)
        most = np.iinfo(np.uint32).max
        return np.where(values < most, values, most).astype("<u4").tobytes()

    def values(self, states: Bytes) -> npt.NDArray[np.float64]:
        """The values, as whole moves."""
        import numpy as np

        if self.pool is None or self.threads == 1 or len(states) < 2 * self.threads:
            found = _values(self.heuristic, states, self.batch)
        else:
            parts = np.array_split(states, self.threads)
            valued = [self.pool.submit(_values, self.heuristic, part, self.batch) for part in parts]
            found = np.concatenate([part.result() for part in valued])
        whole: npt.NDArray[np.float64] = np.ceil(np.maximum(found, 0) - _ROUNDING)
        return whole

    def remember(self, states: Bytes, values: npt.NDArray[np.float64]) -> None:
        """Compares the values of one state in sixteen with earlier values of the same state."""
        import numpy as np

        some = states.astype(np.uint32) @ np.arange(1, 2 * states.shape[1], 2, dtype=np.uint32) % 16 == 0
        for state, value in zip(states[some], values[some].tolist()):
            key = state.tobytes()
            before = self.known.get(key)
            if before is not None:
                self.again += 1
                self.changing += before != value
            elif len(self.known) < _REMEMBERED:
                self.known[key] = value

    def check(
        self,
        path: list[tuple[int, Bytes]],
        around: list[tuple[int, Bytes]],
        expand: Callable[[Bytes], Bytes] | None,
    ) -> HeuristicCheck:
        """Checks values against known ways to the goal, and those of neighbours against each other."""
        import numpy as np

        known = [(moves, rows) for moves, rows in [*path, *around] if len(rows)]
        inadmissible = inconsistent = 0
        if known and expand is not None:
            states = np.concatenate([rows for _, rows in known])
            moves = np.concatenate([np.full(len(rows), moves) for moves, rows in known])
            values = self.values(states)
            self.remember(states, values)
            inadmissible = int((values > moves).sum())
            some, own = states[:_EXPANDED], values[:_EXPANDED]
            children = expand(some)
            below = self.values(children.reshape(-1, children.shape[2])).reshape(children.shape[:2])
            inconsistent = int((own[:, np.newaxis] > below + 1).sum())
        count = sum(len(rows) for _, rows in known)
        return HeuristicCheck(count + self.again, inadmissible, inconsistent, self.changing)


def _values(heuristic: Heuristic, states: Bytes, batch: int) -> npt.NDArray[np.float64]:
    """The heuristic's values as numbers, checked."""
    import numpy as np

    try:
        given = heuristic(states)
    except Exception as error:
        raise HeuristicError(f"the heuristic raised {type(error).__name__}: {error}", batch) from error
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise HeuristicError(f"the heuristic returned no numbers: {error}", batch) from error
    if values.shape != (len(states),):
        raise HeuristicError(f"expected values of shape ({len(states)},), not {values.shape}", batch)
    if np.isnan(values).any():
        number = int(np.isnan(values).argmax())
        raise HeuristicError(f"the value of state {number} is NaN", batch)
    return values


@dataclass(frozen=True)
class Audit:
    """The result of comparing a heuristic with exact distances.

    Attributes:
        states: the number of states that were compared.
        admissible: whether no value exceeds the distance.
        inadmissible: the numbers of the states whose value does, from 0, worst first.
        overestimates: the excess of each of these values, in moves.
        mean_value: the mean value.
        mean_distance: the mean distance.
        by_distance: for each distance that occurs: the states there, their mean value, their greatest value,
            and how many of them are overestimated.
    """

    states: int
    admissible: bool
    inadmissible: tuple[int, ...]
    overestimates: tuple[float, ...]
    mean_value: float
    mean_distance: float
    by_distance: dict[int, tuple[int, float, float, int]]


def audit(heuristic: Heuristic, states: Any, distances: Any, *, batch: int = 65536) -> Audit:
    """Compares a heuristic with exact distances.

    Args:
        heuristic: as for :func:`ida_star`.
        states: ``uint8``, shape ``(n, width)``, such as :meth:`Puzzle.exact` returns.
        distances: the exact distances, shape ``(n,)``.
        batch: the number of states evaluated at once.

    Raises:
        HeuristicError: for a heuristic that raises, returns NaN or a wrong number of values.
    """
    import numpy as np

    rows, exact = np.asarray(states), np.asarray(distances, dtype=np.float64)
    if rows.ndim != 2 or exact.shape != (len(rows),):
        raise ValueError(f"expected states (n, width) and distances (n,), not {rows.shape} and {exact.shape}")
    if not len(rows) or batch < 1:
        raise ValueError("expected at least one state, and batches of at least one")
    parts = [rows[start : start + batch] for start in range(0, len(rows), batch)]
    values = np.concatenate([_values(heuristic, part, number) for number, part in enumerate(parts)])
    over = np.ceil(values - _ROUNDING) - exact
    wrong = np.flatnonzero(over > 0)
    wrong = wrong[np.argsort(-over[wrong], kind="stable")]
    by_distance = {}
    for distance in np.unique(exact):
        here = exact == distance
        by_distance[int(distance)] = (
            int(here.sum()),
            float(values[here].mean()),
            float(values[here].max()),
            int((over[here] > 0).sum()),
        )
    return Audit(
        states=len(rows),
        admissible=not len(wrong),
        inadmissible=tuple(wrong.tolist()),
        overestimates=tuple((values - exact)[wrong].tolist()),
        mean_value=float(values.mean()),
        mean_distance=float(exact.mean()),
        by_distance=by_distance,
    )
