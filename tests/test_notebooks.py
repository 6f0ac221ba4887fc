"""The notebooks run from top to bottom, with few games, and lie in the repository without what they put out."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
SIZE = re.compile(r"^games = [\d_]+", re.MULTILINE)


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def code(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_those_that_the_readme_names():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert NOTEBOOKS and all(f"notebooks/{path.name}" in readme for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook = read(path)
    sizes = [cell for cell in code(notebook) if "parameters" in cell.metadata.get("tags", ())]
    assert len(sizes) == 1 and SIZE.match(sizes[0].source)
    sizes[0].source = SIZE.sub("games = 500", sizes[0].source)
    NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [kind for cell in code(notebook) for out in cell.outputs for kind in out.get("data", ())]
    assert "text/html" in shown and "image/png" in shown
    assert not [out for cell in code(notebook) for out in cell.outputs if out.get("name") == "stderr"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_its_outputs(path):
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code(read(path)))
