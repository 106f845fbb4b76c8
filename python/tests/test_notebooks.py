"""The notebooks run; what they say is asserted in them."""

from __future__ import annotations

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_a_notebook_runs(path: object) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert any(cell.get("outputs") for cell in notebook.cells)


def test_each_puzzle_has_a_notebook() -> None:
    assert {path.stem for path in NOTEBOOKS} == {"cube", "evaluation", "hanoi", "search", "tiles"}
