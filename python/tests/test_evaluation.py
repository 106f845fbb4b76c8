"""Evaluation of solvers, and suites of files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from optimal_puzzles import evaluate, hanoi, search, suites, tiles
from optimal_puzzles.errors import InvalidArgument, InvalidInstance, PuzzleError
from optimal_puzzles.evaluation import Attempt, table
from optimal_puzzles.suites import Instance, Suite

BOARDS = Suite(
    "boards",
    "tiles",
    "3x3",
    "test",
    (Instance(1, "1 2 0 3 4 5 6 7 8", 2), Instance(2, "3 1 2 0 4 5 6 7 8", 1), Instance(3, "1 0 2 3 4 5 6 7 8", 1)),
)


def test_the_packages_solvers_are_optimal() -> None:
    for name in ("seeded-15", "seeded-hanoi"):
        suite = suites.load(name).first(5)
        found = evaluate(suite.solver(), suite)
        assert found.summary()["optimal"] == 5 and found.summary()["mean gap"] == 0
        assert all(row.nodes is not None and row.seconds > 0 for row in found.rows)


def test_each_outcome_is_told() -> None:
    answers = {
        BOARDS[0].text: Attempt("RLLL", nodes=7, seconds=0.5),
        BOARDS[1].text: ["D"],
        BOARDS[2].text: None,
    }

    def toy(text: str) -> object:
        return answers[text]

    found = evaluate(toy, BOARDS)
    reasons = [row.reason for row in found.rows]
    assert reasons[0].startswith("move 1 (R)") and "not at the goal" in reasons[1] and reasons[2] == "no solution"
    answers = {BOARDS[0].text: Attempt("LRLL", 7, 0.5), BOARDS[1].text: ["U"], BOARDS[2].text: "L"}
    found = evaluate(toy, BOARDS, name="toy")
    assert [row.gap for row in found.rows] == [2, 0, 0]
    assert found.rows[0].nodes == 7 and found.rows[0].seconds == 0.5
    summary = found.summary()
    assert summary["solved"] == 3 and summary["share"] == pytest.approx(2 / 3)
    assert summary["mean gap"] == pytest.approx(2 / 3) and summary["nodes"] == 7
    assert repr(found) == "Evaluation('toy', 'boards', 2 of 3 optimal)"


def test_an_exception_is_a_reason() -> None:
    def fails(text: str) -> str:
        raise RuntimeError("out of luck")

    found = evaluate(fails, BOARDS)
    assert [row.reason for row in found.rows] == ["RuntimeError: out of luck"] * 3
    assert found.summary()["share"] == 0 and found.summary()["mean gap"] is None


def test_a_solution_below_the_proved_bound_is_an_error() -> None:
    wrong = Suite("wrong", "tiles", "3x3", "test", (Instance(1, "1 2 0 3 4 5 6 7 8", 4),))
    with pytest.raises(PuzzleError, match="below its proved lower bound 4"):
        evaluate(lambda text: "LL", wrong)


def test_instances_with_bounds() -> None:
    bounded = Suite(
        "bounded",
        "tiles",
        "3x3",
        "test",
        (Instance(1, BOARDS[0].text, lower=2, upper=6), Instance(2, BOARDS[1].text, lower=0)),
    )
    found = evaluate(lambda text: {BOARDS[0].text: "LL"}.get(text, "DUU"), bounded)
    # The first reaches its lower bound; nothing is known of the second's optimum.
    assert [row.gap for row in found.rows] == [0, None]
    assert found.summary()["share"] == 1
    proved = bounded.with_results(tiles.Solver("md", size="3x3").solve_batch(bounded.texts))
    assert [instance.optimal for instance in proved] == [2, 1]
    with pytest.raises(InvalidInstance, match="exceeds"):
        Instance(1, "", lower=3, upper=2)
    with pytest.raises(InvalidInstance, match="results for"):
        bounded.with_results([])


def test_tables() -> None:
    found = evaluate(tiles.Solver("md", size="3x3"), BOARDS)
    rows = list(csv.DictReader(io.StringIO(found.table("csv"))))
    assert [row["length"] for row in rows] == ["2", "1", "1"] and rows[0]["reason"] == ""
    assert found.table("markdown").splitlines()[1].startswith("| --- |")
    assert table([found, found]).splitlines()[1].split()[:5] == ["md", "boards", "3", "3", "3"]
    assert len(table([found], "csv").splitlines()) == 2
    with pytest.raises(InvalidArgument, match="markdown"):
        found.table("html")
    frame = pytest.importorskip("pandas")
    assert isinstance(found.to_frame(), frame.DataFrame)


def test_the_plot_has_a_point_for_each_solved_instance() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = evaluate(tiles.Solver("md", size="3x3"), BOARDS).plot()
    lengths, bounds = (list(np.asarray(line.get_ydata())) for line in axes.get_lines())
    assert lengths == bounds == [1, 1, 2]


def test_every_puzzle_is_replayed() -> None:
    cubes = Suite("cubes", "cube", "", "test", (Instance(1, "R U2", 3),), metric="qtm")
    assert cubes.replay(cubes[0], "U2 R'") == 3
    with pytest.raises(InvalidInstance, match="rejects"):
        cubes.replay(cubes[0], "U2 R")
    skewb = search.Puzzle.builtin("skewb")
    states = Suite("skewb", "search", "", "test", (Instance(1, "R U B", 3),), definition=skewb)
    assert evaluate(states.solver(), states).summary()["optimal"] == 1
    with pytest.raises(InvalidInstance, match="rejects"):
        states.replay(states[0], "B' U' R")
    towers = Suite("towers", "hanoi", "", "test", (Instance(1, "000 333"),))
    assert towers.replay(towers[0], hanoi.Solver().solve("000 333").moves or "") == 5
    with pytest.raises(InvalidInstance, match="rejects"):
        towers.replay(towers[0], "0-1")


def test_suites_of_files(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("# boards\n1 2 0 3 4 5 6 7 8\n\n3 1 2 0 4 5 6 7 8\n")
    suite = suites.read(plain, "tiles", size="3x3")
    assert suite.texts == BOARDS.texts[:2] and suite[0].optimal is None and suite.name == "plain"
    results = suite.solver("md").solve_batch(suite.texts)
    records = tmp_path / "records.jsonl"
    records.write_text("".join(result.to_json() + "\n" for result in results))
    assert [instance.optimal for instance in suites.read(records, "tiles", size="3x3")] == [2, 1]
    columns = tmp_path / "columns.csv"
    columns.write_text("id,instance,lower,upper\n7,1 2 0 3 4 5 6 7 8,2,4\n8,3 1 2 0 4 5 6 7 8,,\n")
    found = suites.read(columns, "tiles", size="3x3")
    assert [(one.id, one.lower, one.upper) for one in found] == [(7, 2, 4), (8, 0, None)]
    columns.write_text("instance,optimal\n1 2 0 3 4 5 6 7 8,two\n")
    with pytest.raises(InvalidInstance, match="line 2"):
        suites.read(columns, "tiles", size="3x3")
    records.write_text('{"schema": 2}\n')
    with pytest.raises(InvalidInstance, match="line 1"):
        suites.read(records, "tiles", size="3x3")
    # No such puzzle; boards without a size; a permutation puzzle without its definition.
    for puzzle in ("chess", "tiles", "search"):
        with pytest.raises(InvalidArgument):
            suites.read(plain, puzzle)
