"""What a study leaves for readers: tidy tables of its cells and differences, and the manifest."""

from __future__ import annotations

import importlib.metadata
import json
import math
import os
import platform
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sim
from sim.errors import UserError
from sim.files import write_whole
from sim.game import SHARE, Metric, Rules, X, Y
from sim.services import differences
from sim.services.experiment import STRATEGIES, Cell, Experiment
from sim.services.paired import Pairs
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

ADJUSTED = "p_adjusted"

CELL_COLUMNS = (
    ("metric", "text"), ("group", "text"), ("unit", "text"), ("numerator", "int"), ("denominator", "int"),
    ("estimate", "float"), ("low", "float"), ("high", "float"), ("n", "int"), ("method", "text"),
)  # fmt: skip
DIFFERENCE_COLUMNS = (
    ("metric", "text"), ("group", "text"), ("unit", "text"), ("rate", "float"), ("baseline", "float"),
    ("estimate", "float"), ("low", "float"), ("high", "float"), ("n", "int"), ("differing", "int"),
    ("reduction", "float"), ("p", "float"), (ADJUSTED, "float"), ("method", "text"),
)  # fmt: skip

Row = dict[str, Any]


def publish(study: Study, options: Callable[[Setup], str], command: str) -> None:
    """Writes the tables and then the manifest of a study into its folder, each in one step.

    ``options`` gives those of ``scofflaw run`` and ``trace`` that make a set-up, ``command`` is what made the study.
    Raises UserError for a disk that cannot be written.
    """
    cells: list[Row] = []
    swept = _Swept(study.experiment)
    columns = swept.schema(CELL_COLUMNS)
    pairs = _Gathered(swept.schema(DIFFERENCE_COLUMNS))

    def rows() -> Iterator[pyarrow.Table]:
        for each in study.played:
            if each.games == 0:
                continue
            total = study.total(each)
            place = swept.row(each.cell)
            cells.append(_about(study, each, total, options))
            if total.pairs is not None:
                pairs.add(place, list(_pair_rows(study, each, total.pairs)))
            yield _table(columns, place | _cell_columns(study, each, total))

    _write(study.folder / CELLS, columns, rows())
    if study.experiment.file.compare is not None:
        correction = study.experiment.file.report.correction
        _write(study.folder / DIFFERENCES, pairs.schema, pairs.judged(correction))
    else:
        (study.folder / DIFFERENCES).unlink(missing_ok=True)
    content = json.dumps(_manifest(study, cells, options, command), indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(study.folder / MANIFEST, content.encode() + b"\n")


def difference_rows(study: Study) -> list[Row]:
    """The rows of the table of differences of what has been played, without writing anything; nan is not known."""
    swept = _Swept(study.experiment)
    pairs = _Gathered(swept.schema(DIFFERENCE_COLUMNS))
    for each in study.played:
        total = study.total(each)
        if total.pairs is not None and total.pairs.games > 0:
            pairs.add(swept.row(each.cell), list(_pair_rows(study, each, total.pairs)))
    rows = (row for table in pairs.judged(study.experiment.file.report.correction) for row in table.to_pylist())
    return [{name: math.nan if value is None else value for name, value in row.items()} for row in rows]


class _Swept:
    """The columns that say which cell a row is about."""

    def __init__(self, experiment: Experiment) -> None:
        self._kinds = experiment.kinds

    def row(self, cell: Cell) -> Row:
        """The number of a cell and its swept values."""
        values = {name: _plain(cell.values[name], kind) for name, kind in self._kinds.items()}
        return {"cell": cell.number, **values}

    def schema(self, columns: Sequence[tuple[str, str]]) -> pyarrow.Schema:
        """That of a table with these columns besides."""
        import pyarrow

        types = {
            "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(), "text": pyarrow.string(),
        }  # fmt: skip
        fields = [(name, types[kind]) for name, kind in (*self._kinds.items(), *columns)]
        return pyarrow.schema([("cell", pyarrow.int32()), *fields])


class _Gathered:
    """The rows of all differences: what chance makes likely in one of many cells is known only when all are there."""

    def __init__(self, schema: pyarrow.Schema) -> None:
        self.schema = schema
        self._tables: list[pyarrow.Table] = []
        self._p: dict[str, list[float]] = defaultdict(list)

    def add(self, place: Row, rows: Sequence[Row]) -> None:
        """Adds the rows of a cell, without what says which one it is."""
        for row in rows:
            self._p[row["metric"]].append(row["p"])
        if rows:
            self._tables.append(_table(self.schema, place | {name: [row[name] for row in rows] for name in rows[0]}))

    def judged(self, correction: str) -> Iterator[pyarrow.Table]:
        """The rows, cell by cell, with p-values corrected for how many are judged together.

        Those are all cells for each metric, or, with only one cell, all its metrics.
        """
        if len(self._tables) == 1:
            together = iter(differences.adjusted([p for each in self._p.values() for p in each], correction))
            adjusted = dict.fromkeys(self._p, together)
        else:
            adjusted = {name: iter(differences.adjusted(p, correction)) for name, p in self._p.items()}
        place = self.schema.get_field_index(ADJUSTED)
        for table in self._tables:
            column = [next(adjusted[name]) for name in table["metric"].to_pylist()]
            yield table.set_column(place, self.schema.field(place), _array(column, self.schema.field(place)))


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


def _cell_columns(study: Study, each: Played, total: Total) -> Row:
    """The columns of a cell's rows, one row a metric."""
    declared = study.experiment.game.metrics(each.cell.setup.rules)
    sums = total.tallies.sums.tolist()
    found = [_interval(study, metric, row) for metric, row in zip(declared, sums, strict=True)]
    return {
        "metric": [metric.name for metric in declared],
        "group": [metric.group for metric in declared],
        "unit": [metric.unit for metric in declared],
        "numerator": [row[Y] for row in sums],
        "denominator": [row[X] for row in sums],
        **{name: [getattr(interval, name) for interval in found] for name in ("estimate", "low", "high", "method")},
        "n": total.tallies.games,
    }


def _interval(study: Study, metric: Metric, sums: Sequence[int]) -> Interval:
    wanted = study.experiment.wanted
    bounded = metric.unit == SHARE
    if wanted is not None:
        return anytime_interval(sums, bounded=bounded, pseudo_games=wanted.pseudo_games)
    return anytime_interval(sums, bounded=bounded) if study.stops_early else ratio_interval(sums, bounded=bounded)


def _pair_rows(study: Study, each: Played, pairs: Pairs) -> Iterator[Row]:
    declared = {metric.name: metric for metric in study.experiment.game.metrics(each.cell.setup.rules)}
    for row, name in enumerate(study.compared(each.cell)):
        found = pairs.difference(row, bounded=declared[name].unit == SHARE, anytime=study.anytime)
        yield {
            "metric": name, "group": declared[name].group, "unit": declared[name].unit,
            "rate": found.one, "baseline": found.other, "estimate": found.estimate, "low": found.low,
            "high": found.high, "n": pairs.games, "differing": int(pairs.differing[row]),
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
        "assumptions": _assumptions(experiment, every_rules.values()),
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


def _assumptions(experiment: Experiment, rules: Iterable[Rules]) -> list[str]:
    """The swept settings that stand for what is not known of the game: who plays, and what is guessed about it."""
    guessed = {name for each in rules for kind in experiment.game.assumptions(each).values() for name in kind}
    return [name for name in experiment.swept if name.startswith(STRATEGIES) or name in guessed]


def _baseline(study: Study, first: Cell, options: Callable[[Setup], str]) -> Row:
    """What the first cell was compared with; where others were compared with something else, they say so."""
    assert first.baseline is not None
    games = study.played[0].games
    return {**_of_setup(first.baseline), "seed": first.seed, "games": games, "options": options(first.baseline)}


def _of_setup(setup: Setup) -> Row:
    """Rules and strategies of a set-up, every default included; files by the names that the user gave them."""
    rules = {**json_rules(setup.rules), **{name: setup.settings[name] for name in setup.files}}
    return {"rules": rules, "strategies": {key: text_of(how) for key, how in setup.strategies.items()}}


def _write(path: Path, schema: pyarrow.Schema, tables: Iterable[pyarrow.Table]) -> None:
    """Writes tables one after the other under another name, which the file loses when it is whole. Raises UserError."""
    import pyarrow
    import pyarrow.parquet

    unfinished = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with pyarrow.parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            for number, group in groupby(enumerate(tables), lambda numbered: numbered[0] // GROUP_CELLS):
                del number
                writer.write_table(pyarrow.concat_tables([schema.empty_table(), *(table for _, table in group)]))
        os.replace(unfinished, path)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror or error}; make room, or choose another --out"
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _table(schema: pyarrow.Schema, columns: Mapping[str, Any]) -> pyarrow.Table:
    """A table of columns, what is no list being the same in all rows. What is not known is empty."""
    import pyarrow

    rows = max(len(values) for values in columns.values() if isinstance(values, list))
    wide = (columns.get(name) for name in schema.names)
    lists = (values if isinstance(values, list) else [values] * rows for values in wide)
    arrays = [_array(values, field) for values, field in zip(lists, schema, strict=True)]
    return pyarrow.table(arrays, schema=schema)


def _array(values: Sequence[Any], field: pyarrow.Field) -> pyarrow.Array:
    import pyarrow

    return pyarrow.array(values, field.type, from_pandas=True)
