"""What a study leaves for readers: tidy tables of its cells and differences, and the manifest."""

from __future__ import annotations

import importlib.metadata
import json
import math
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sim
from sim.errors import UserError
from sim.files import write_whole
from sim.game import SHARE, Metric, X, Y
from sim.services import differences
from sim.services.experiment import Cell
from sim.services.result import json_rules
from sim.services.results import CELLS, DIFFERENCES, MANIFEST, SCHEMA
from sim.services.setups import Setup, core_digest
from sim.services.statistics import Interval, anytime_interval, ratio_interval
from sim.services.store import UNFINISHED
from sim.services.study import Played, Study, Total

if TYPE_CHECKING:
    import pyarrow

GROUP_CELLS = 256
"""Cells that are written at once: memory does not grow with their number."""

PACKAGES = ("numba", "numpy", "pandas", "pyarrow", "scipy")

CELL_COLUMNS = (
    ("metric", "text"), ("group", "text"), ("unit", "text"), ("numerator", "int"), ("denominator", "int"),
    ("estimate", "float"), ("low", "float"), ("high", "float"), ("n", "int"), ("method", "text"),
)  # fmt: skip
DIFFERENCE_COLUMNS = (
    ("metric", "text"), ("group", "text"), ("unit", "text"), ("rate", "float"), ("baseline", "float"),
    ("estimate", "float"), ("low", "float"), ("high", "float"), ("n", "int"), ("differing", "int"),
    ("reduction", "float"), ("p", "float"), ("p_adjusted", "float"), ("method", "text"),
)  # fmt: skip

Row = dict[str, Any]


def publish(study: Study, options: Callable[[Setup], str], command: str) -> None:
    """Writes the tables and then the manifest of a study into its folder, each in one step.

    ``options`` gives those of ``scofflaw run`` and ``trace`` that make a set-up, ``command`` is what made the study.
    Raises UserError for a disk that cannot be written.
    """
    cells: list[Row] = []
    pairs: dict[str, list[Row]] = {}

    def rows() -> Iterator[list[Row]]:
        for each in study.played:
            if each.games == 0:
                continue
            total = study.total(each)
            cells.append(_about(study, each, total, options))
            if total.pairs is not None:
                for row in _pair_rows(study, each, total):
                    pairs.setdefault(row["metric"], []).append(row)
            yield [{**_place(study, each.cell), **row} for row in _cell_rows(study, each, total)]

    _write(study.folder / CELLS, _schema(study, CELL_COLUMNS), rows())
    if study.experiment.file.compare is not None:
        _write(study.folder / DIFFERENCES, _schema(study, DIFFERENCE_COLUMNS), [_judged(study, pairs)])
    else:
        (study.folder / DIFFERENCES).unlink(missing_ok=True)
    content = json.dumps(_manifest(study, cells, options, command), indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(study.folder / MANIFEST, content.encode() + b"\n")


def difference_rows(study: Study) -> list[Row]:
    """The rows of the table of differences of what has been played, without writing anything."""
    pairs: dict[str, list[Row]] = {}
    for each in study.played:
        total = study.total(each)
        if total.pairs is not None and total.pairs.games > 0:
            for row in _pair_rows(study, each, total):
                pairs.setdefault(row["metric"], []).append(row)
    return _judged(study, pairs)


def _judged(study: Study, by_metric: Mapping[str, list[Row]]) -> list[Row]:
    """The rows of differences in the order of the cells, with p-values corrected for how many are judged together.

    Those are all cells for each metric, or, with only one cell, all its metrics.
    """
    every = [row for rows in by_metric.values() for row in rows]
    for rows in [every] if len(study.experiment.cells) == 1 else by_metric.values():
        corrected = differences.adjusted([row["p"] for row in rows], study.experiment.file.report.correction)
        for row, p in zip(rows, corrected, strict=True):
            row["p_adjusted"] = p
    return sorted(every, key=lambda row: row["cell"])


def _place(study: Study, cell: Cell) -> Row:
    kinds = study.experiment.kinds
    return {"cell": cell.number, **{name: _plain(cell.values[name], kinds[name]) for name in study.experiment.swept}}


def _plain(value: Any, kind: str) -> Any:
    if kind == "text":
        return text_of(value)
    return float(value) if kind == "float" else value


def text_of(value: Any) -> str:
    """A swept value as people write it: lists with commas, strategies with their settings."""
    if isinstance(value, list):
        return ", ".join(map(text_of, value)) or "none"
    if isinstance(value, Mapping):
        settings = dict(value)
        return ",".join([str(settings.pop("name", "")), *(f"{key}={v}" for key, v in settings.items())])
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell_rows(study: Study, each: Played, total: Total) -> Iterator[Row]:
    declared = study.experiment.game.metrics(each.cell.setup.rules)
    for metric, sums in zip(declared, total.tallies.sums, strict=True):
        yield {
            "metric": metric.name, "group": metric.group, "unit": metric.unit,
            "numerator": int(sums[Y]), "denominator": int(sums[X]),
            **asdict(_interval(study, metric, [int(s) for s in sums])), "n": total.tallies.games,
        }  # fmt: skip


def _interval(study: Study, metric: Metric, sums: Sequence[int]) -> Interval:
    wanted = study.experiment.wanted
    bounded = metric.unit == SHARE
    if wanted is not None:
        return anytime_interval(sums, bounded=bounded, pseudo_games=wanted.pseudo_games)
    return anytime_interval(sums, bounded=bounded) if study.stops_early else ratio_interval(sums, bounded=bounded)


def _pair_rows(study: Study, each: Played, total: Total) -> Iterator[Row]:
    assert total.pairs is not None
    declared = {metric.name: metric for metric in study.experiment.game.metrics(each.cell.setup.rules)}
    for row, name in enumerate(study.compared(each.cell)):
        found = total.pairs.difference(row, bounded=declared[name].unit == SHARE, anytime=study.anytime)
        yield {
            **_place(study, each.cell), "metric": name, "group": declared[name].group, "unit": declared[name].unit,
            "rate": found.one, "baseline": found.other, "estimate": found.estimate, "low": found.low,
            "high": found.high, "n": total.pairs.games, "differing": int(total.pairs.differing[row]),
            "reduction": found.reduction, "p": found.p, "method": found.method,
        }  # fmt: skip


def _about(study: Study, each: Played, total: Total, options: Callable[[Setup], str]) -> Row:
    cell, game, kinds = each.cell, study.experiment.game, study.experiment.kinds
    names = (*game.endings(cell.setup.rules), *game.moments(cell.setup.rules))
    examples = zip(names, total.tallies.examples, strict=True)
    return {
        "cell": cell.number,
        "values": {name: _plain(cell.values[name], kinds[name]) for name in study.experiment.swept},
        "seed": cell.seed,
        "games": each.games,
        **({} if each.reached else {"reached": False}),
        "unfinished": total.tallies.unfinished,
        "illegal": total.tallies.illegal,
        "examples": {name: [int(number) for number in numbers if number >= 0] for name, numbers in examples},
        "options": options(cell.setup),
        **({} if cell.baseline is None else {"baseline_options": options(cell.baseline)}),
    }


def _manifest(study: Study, cells: Sequence[Row], options: Callable[[Setup], str], command: str) -> Row:
    experiment = study.experiment
    first = experiment.cells[0]
    every_rules = {cell.setup.rules.expansions: cell.setup.rules for cell in experiment.cells}
    notes = dict.fromkeys(note for rules in every_rules.values() for note in experiment.game.notes(rules))
    funnels = [experiment.game.funnels(rules) for rules in every_rules.values()]
    goal = experiment.file.goal
    meanings = {
        m.name: (m.numerator, m.denominator) for rules in every_rules.values() for m in experiment.game.metrics(rules)
    }
    return {
        "schema": SCHEMA,
        "name": study.folder.resolve().name,
        "version": sim.__version__,
        "game": experiment.game.name,
        "title": experiment.game.title,
        "question": experiment.file.question,
        "command": command,
        "partial": study.interrupted,
        "experiment": experiment.resolved,
        "swept": list(experiment.swept),
        **_of_setup(first.setup),
        "baseline": None if first.baseline is None else _baseline(study, first, options),
        "goal": None if goal is None else goal.model_dump(),
        "report": experiment.file.report.model_dump(),
        "notes": list(notes),
        "funnels": {title: list(steps) for roads in funnels for title, steps in roads.items()},
        "meanings": meanings,
        "games": sum(row["games"] for row in cells),
        "unfinished": sum(row["unfinished"] for row in cells),
        "illegal": sum(row["illegal"] for row in cells),
        "source": core_digest(experiment.game.name),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "machine": {
            "system": platform.system(), "processor": platform.machine(), "processors": os.cpu_count(),
            "python": platform.python_version(), "backend": study.workers.backend, "workers": study.workers.count,
        },
        "seconds": round(study.seconds, 3),
        "games_per_s": round(study.new_games / study.seconds) if study.seconds > 0 else None,
        "cells": list(cells),
    }  # fmt: skip


def _baseline(study: Study, first: Cell, options: Callable[[Setup], str]) -> Row:
    """What the first cell was compared with; where others were compared with something else, they say so."""
    assert first.baseline is not None
    games = study.played[0].games
    return {**_of_setup(first.baseline), "seed": first.seed, "games": games, "options": options(first.baseline)}


def _of_setup(setup: Setup) -> Row:
    """Rules and strategies of a set-up, every default included; files by the names that the user gave them."""
    rules = {**json_rules(setup.rules), **{name: setup.settings[name] for name in setup.files}}
    return {"rules": rules, "strategies": {key: text_of(how) for key, how in setup.strategies.items()}}


def _schema(study: Study, columns: Sequence[tuple[str, str]]) -> pyarrow.Schema:
    import pyarrow

    types = {
        "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(), "text": pyarrow.string(),
    }  # fmt: skip
    kinds = study.experiment.kinds
    swept = [(name, types[kinds[name]]) for name in study.experiment.swept]
    return pyarrow.schema([("cell", pyarrow.int32()), *swept, *((name, types[kind]) for name, kind in columns)])


def _write(path: Path, schema: pyarrow.Schema, groups: Any) -> None:
    """Writes a table group by group under another name, which it loses when it is whole. Raises UserError."""
    import pyarrow
    import pyarrow.parquet

    unfinished = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with pyarrow.parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            waiting: list[Row] = []
            for number, rows in enumerate(groups, 1):
                waiting += [{name: _known(value) for name, value in row.items()} for row in rows]
                if number % GROUP_CELLS == 0:
                    writer.write_table(pyarrow.Table.from_pylist(waiting, schema=schema))
                    waiting = []
            writer.write_table(pyarrow.Table.from_pylist(waiting, schema=schema))
        os.replace(unfinished, path)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror or error}; make room, or choose another --out"
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _known(value: Any) -> Any:
    """What is not known is empty in tables."""
    return None if isinstance(value, float) and math.isnan(value) else value
