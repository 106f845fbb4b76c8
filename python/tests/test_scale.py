"""The model of scale against what was measured: tests/data/scale*.json, written by `tools/scale.py measure`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "python" / "tools"))

pytest.importorskip("distributed")

import scale  # noqa: E402

MEASURED = [json.loads(path.read_text()) for path in sorted((Path(__file__).parent / "data").glob("scale*.json"))]
#: One worker and two, on a machine of two cores.
(DATA,) = (data for data in MEASURED if data["instance"] == "korf-felner-50, number 5")
#: Up to sixteen workers, on a machine of sixteen cores.
(MANY,) = (data for data in MEASURED if data is not DATA)
RUNS = [(data, run) for data in MEASURED for run in data["runs"]]


def test_the_simulation_is_exact_where_it_can_be_counted() -> None:
    assert scale.simulate([3.0, 1.0, 1.0, 1.0], 2, 0.0) == 3.0
    assert scale.simulate([1.0, 1.0, 1.0, 3.0], 2, 0.0) == 4.0
    assert scale.simulate([1.0] * 10, 100, 0.0) == 1.0
    # The scheduler is the limit.
    assert scale.simulate([0.0] * 100, 100, 0.5) == pytest.approx(50.0)
    assert sum(scale.sample([1.0, 3.0], 100.0, 50)) == pytest.approx(100.0)


@pytest.mark.parametrize("data, run", RUNS, ids=[f"{run['workers']} workers" for _, run in RUNS])
def test_measured_runs_are_simulated_within_a_quarter(data: dict[str, Any], run: dict[str, Any]) -> None:
    simulated = scale.simulate(run["units"], run["workers"], data["dispatch"])
    assert simulated == pytest.approx(run["wall"], rel=0.25)


def test_sixteen_workers_are_predicted_from_four() -> None:
    few, many = (next(run for run in MANY["runs"] if run["workers"] == count) for count in (4, 16))
    assert scale.simulate(few["units"], 16, MANY["dispatch"]) == pytest.approx(many["wall"], rel=0.25)


def test_the_expected_work_ranks_units_as_the_search_does() -> None:
    def ranks(values: list[float]) -> list[int]:
        return sorted(range(len(values)), key=sorted(range(len(values)), key=lambda at: values[at]).__getitem__)

    expected, found = ranks(DATA["expected"]), ranks(DATA["generated"])
    middle = (len(found) - 1) / 2
    shared = sum((one - middle) * (other - middle) for one, other in zip(expected, found))
    assert shared / sum((one - middle) ** 2 for one in found) > 0.8


def test_predictions_are_ordered() -> None:
    lines = scale.predict(DATA, [60.0, 86_400.0])
    assert len(lines) == 2 and all(line.count("|") == len(scale.WORKERS) for line in lines)
    units = scale.sample(DATA["runs"][0]["units"], 3600.0, 4000)
    times = [scale.simulate(units, workers, DATA["dispatch"]) for workers in scale.WORKERS]
    assert times == sorted(times, reverse=True)
