"""Results: what they convert to and from."""

from __future__ import annotations

import dataclasses
import json

import pytest
from conftest import program

from optimal_puzzles import cube, errors, results, tiles


def test_results_are_frozen_and_round_trip() -> None:
    solver = tiles.Solver("korf96", size="3x3", threads=1)
    found = solver.solve_batch(["1 0 2 3 4 5 6 7 8", "8 6 7 2 5 4 3 0 1"])
    found.append(solver.solve("8 6 7 2 5 4 3 0 1", max_depth=5))
    with pytest.raises(dataclasses.FrozenInstanceError):
        found[0].length = 7  # type: ignore[misc]
    assert results.read_json_lines(results.to_json_lines(found)) == found
    assert [result.proved for result in found] == [True, True, False]
    assert found[1].length == 27 and found[1].generated == sum(one.generated for one in found[1].iterations)
    assert json.loads(found[2].to_json())["result"] == {"kind": "lower_bound", "length": found[2].lower_bound}


def test_a_record_equals_that_of_the_command_line() -> None:
    line = program("cube-opt", "solve", "--json", "--heuristic", "manhattan-max", "R U F' D").strip()
    # Python and Rust write a small fraction differently (6e-05, 0.00006): compare values and order.
    ours_again = results.Result.from_json(line).to_json()
    theirs = json.loads(line, object_pairs_hook=list)
    # The program says last what it alone says: a link to a player.
    assert theirs.pop()[0] == "link"
    assert json.loads(ours_again, object_pairs_hook=list) == theirs
    ours = cube.Solver("manhattan-max").solve("R U F' D").to_dict()
    assert [*ours, "link"] == list(json.loads(line))


def test_a_data_frame_has_a_row_for_each() -> None:
    pytest.importorskip("pandas")
    solver = cube.Solver("manhattan-max")
    frame = results.to_frame([solver.solve("R U"), solver.solve("R U F", max_depth=2)])
    assert list(frame["lower_bound"]) == [2, 3]
    assert frame["length"][0] == 2 and frame["length"].isna().tolist() == [False, True]


def test_errors_show_message_faults_and_remedy() -> None:
    error = errors.PuzzleError("it failed", ["first", "second"], "try again")
    assert str(error) == "it failed\n  - first\n  - second\nremedy: try again"
    assert issubclass(errors.InvalidInstance, ValueError) and not issubclass(errors.Interrupted, Exception)
