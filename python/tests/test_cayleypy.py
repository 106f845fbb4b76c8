"""CayleyPy's graphs as puzzles and back; its growth data; our bounds as its predictor. The package itself, without Torch."""

from __future__ import annotations

import numpy as np
import pytest
from absent import without

from optimal_puzzles import search
from optimal_puzzles.cayleypy import Bound, from_graph, to_graph
from optimal_puzzles.errors import InvalidArgument

without("torch", "numba", "scipy", "h5py", "kagglehub")
cayleypy = pytest.importorskip("cayleypy")

#: Data sets of growth with the graphs that they are of, and the greatest size that is counted here.
GROWTH = [
    ("lrx_cayley_growth", lambda key: cayleypy.PermutationGroups.lrx(int(key)), 9),
    ("lx_cayley_growth", lambda key: cayleypy.PermutationGroups.lx(int(key)), 8),
    ("top_spin_cayley_growth", lambda key: cayleypy.PermutationGroups.top_spin(int(key)), 8),
    ("pancake_cayley_growth", lambda key: cayleypy.PermutationGroups.pancake(int(key)), 8),
    ("burnt_pancake_cayley_growth", lambda key: cayleypy.PermutationGroups.burnt_pancake(int(key)), 6),
    ("full_reversals_cayley_growth", lambda key: cayleypy.PermutationGroups.full_reversals(int(key)), 7),
    ("coxeter_cayley_growth", lambda key: cayleypy.PermutationGroups.coxeter(int(key)), 8),
    ("all_transpositions_cayley_growth", lambda key: cayleypy.PermutationGroups.all_transpositions(int(key)), 7),
    ("lrx_coset_growth", lambda key: cayleypy.PermutationGroups.lrx(len(key)).with_central_state(key), 9),
    ("top_spin_coset_growth", lambda key: cayleypy.PermutationGroups.top_spin(len(key)).with_central_state(key), 9),
]


@pytest.mark.parametrize("name, graph, most", GROWTH, ids=[name for name, *_ in GROWTH])
def test_growth_is_reproduced(name: str, graph: object, most: int) -> None:
    assert callable(graph)
    data = cayleypy.load_dataset(name)
    sizes = {key: len(key) if "coset" in name else int(key) for key in data}
    keys = [key for key in data if 3 < sizes[key] <= most][:12]
    assert keys
    for key in keys:
        assert from_graph(graph(key)).bfs_counts() == data[key], f"{name}, {key}"


def test_puzzles_become_graphs() -> None:
    for name in ("pancake-6", "lights-out-3x3", "skewb"):
        puzzle = search.Puzzle.builtin(name)
        graph = to_graph(puzzle, name)
        assert graph.name == name and graph.generator_names == puzzle.moves
        again = from_graph(graph)
        assert again.bfs_counts(4) == puzzle.bfs_counts(4)
        # A generator permutes a state as the move does.
        state = puzzle.random(1, 3)
        for number, generator in enumerate(graph.generators):
            assert np.array_equal(state[0][generator], puzzle.expand(state)[0][number])
    for refused in ("dino", "square-1"):
        with pytest.raises(InvalidArgument, match="distinct pieces"):
            to_graph(search.Puzzle.builtin(refused))


def test_matrices_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="matrices"):
        from_graph(cayleypy.MatrixGroups.heisenberg())


def test_bounds_as_a_predictor() -> None:
    class Graph:
        """The part of ``CayleyGraph`` that ``Predictor`` uses; the class itself is one of tensors."""

        definition = cayleypy.PermutationGroups.lrx(7)
        device, batch_size = "cpu", 10_000

    bound = Bound(Graph)
    states, distances = bound.puzzle.exact()
    predictor = cayleypy.Predictor(Graph, bound)
    found = predictor(states)
    assert found.dtype == np.float32 and (found <= distances).all() and found.max() > 0


def test_states_with_equal_labels() -> None:
    graph = cayleypy.PermutationGroups.lrx(6).with_central_state("000111")
    bound = Bound(graph)
    assert bound.rows([[0, 0, 0, 1, 1, 1]]).tolist() == [[0, 1, 2, 3, 4, 5]]
    assert bound.predict(np.array([[0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 1, 1]])).tolist() == [0, 1]
    with pytest.raises(InvalidArgument, match="labels"):
        bound.rows([[0, 0, 0, 0, 1, 1]])
