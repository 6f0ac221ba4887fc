"""The questions of Death Mesa: each experiment runs at a reduced size, and asks what its published results answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "experiments" / "death_mesa").glob("*.toml"))
QUESTIONS = [file for file in FILES if "passive.py" not in file.read_text(encoding="utf-8")]
"""Without those that a file of its own plays, whose kernel takes long to compile: ``.ci/run`` asks them."""

PUBLISHED = ROOT / "results" / "death_mesa"
GAMES = 100
IDENTITY = ["cell", "metric", "group", "unit"]


def rows(folder: Path) -> pd.DataFrame:
    """A row for each cell and metric, by what the cell sweeps and the name of the metric."""
    swept = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["swept"]
    table = pd.read_parquet(folder / "cells.parquet")
    return table.set_index([*swept, *IDENTITY])


@pytest.mark.parametrize("question", QUESTIONS, ids=[path.stem for path in QUESTIONS])
def test_a_question_is_asked_again_and_fits_its_answer(question, scofflaw, tmp_path):
    answer = scofflaw("run", question, "--games", GAMES, "--out", tmp_path)
    assert answer.code == 0, answer.err
    assert (tmp_path / "report.html").exists()

    asked, published = rows(tmp_path), rows(PUBLISHED / question.stem)
    assert asked.index.equals(published.index)
    assert set(asked["n"][asked.index.get_level_values("group") == "ending"]) == {GAMES}

    # Of so few games only that they are games of the same kind: six standard errors, and rare ones may come once.
    endings = published.index.get_level_values("group") == "ending"
    there, here = published["estimate"][endings], asked["estimate"][endings]
    assert (np.abs(here - there) <= 6 * np.sqrt(there * (1 - there) / GAMES) + 1.5 / GAMES).all()


def test_every_answer_has_its_question():
    assert {path.stem for path in FILES} == {path.name for path in PUBLISHED.iterdir() if path.is_dir()}
