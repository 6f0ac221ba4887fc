"""Experiments for tests, and a program that runs one and can be killed."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.services import experiment, parts, tables
from sim.services import store as stores
from sim.services.executor import Workers
from sim.services.experiment import Experiment
from sim.services.study import Study

HERE = Path(__file__).parent
GAMES = 120


def asked(games: int = GAMES, **tables_of_file: Any) -> dict[str, Any]:
    """The tables of an experiment: eight cells of High Card under watch."""
    return {
        "question": "Does swapping pay?",
        "game": "watched",
        "seed": 5,
        "precision": {"games": games},
        "strategies": {"default": "careful"},
        "sweep": {"players": [2, 3, 4, 6], "strategies.dealer": ["careful", "stubborn"]},
        **tables_of_file,
    }


def of(tables_of_file: Mapping[str, Any]) -> Experiment:
    return experiment.of_tables(tables_of_file, "trial")


def run(tables_of_file: Mapping[str, Any], folder: Path, workers: Workers | None = None, **more: Any) -> Study:
    """Plays and writes an experiment, and leaves its folder."""
    with Study(of(tables_of_file), folder, workers or Workers("threading", 1), **more) as study:
        study.play()
        tables.publish(study, "test")
    return study


def digests(folder: Path) -> dict[str, str]:
    """The tables that a study left, by name."""
    found = (folder / name for name in (tables.CELLS, tables.DIFFERENCES))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found if path.exists()}


def main(file: str, folder: str, backend: str, count: str, chunk: str, slow_seconds: str) -> None:
    """Runs the experiment of a JSON file; ``slow_seconds``: how long each file takes to get its name, twice."""
    parts.CHUNK = int(chunk)
    usual, seconds = os.replace, float(slow_seconds)

    def replace(source: Any, target: Any) -> None:
        time.sleep(seconds)
        usual(source, target)
        time.sleep(seconds)

    if seconds:
        stores.os.replace = replace  # type: ignore[assignment]
    study = run(json.loads(Path(file).read_text()), Path(folder), Workers(backend, int(count)))
    print(json.dumps({"interrupted": study.interrupted, "new": study.new_games}))


if __name__ == "__main__":
    main(*sys.argv[1:])
