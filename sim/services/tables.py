"""What a study leaves for readers: tidy tables of its cells and differences, and the manifest."""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.errors import UserError
from sim.files import write_whole
from sim.game import SHARE, Metric, X, Y
from sim.services import differences, manifest
from sim.services.experiment import Cell, Experiment
from sim.services.manifest import Row
from sim.services.paired import Pairs
from sim.services.results import (
    ADJUSTED,
    CELL,
    CELL_COLUMNS,
    CELLS,
    DIFFERENCE_COLUMNS,
    DIFFERENCES,
    GAMES,
    MANIFEST,
    PAGE,
    digests,
)
from sim.services.statistics import Interval, anytime_interval, ratio_interval
from sim.services.store import UNFINISHED
from sim.services.study import Played, Study, Total, place

if TYPE_CHECKING:
    import pyarrow

GROUP_CELLS = 256
"""Cells that are written at once: memory does not grow with their number."""


def publish(study: Study, command: str) -> None:
    """Writes the tables and then the manifest of a study into its folder, each in one step.

    ``command`` is what made the study. Raises UserError for a disk that cannot be written.
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
            cells.append(manifest.about(study, each, total))
            if total.pairs is not None:
                pairs.add(place, list(_pair_rows(study, each, total.pairs)))
            yield _table(columns, place | _cell_columns(study, each, total))

    (study.folder / PAGE).unlink(missing_ok=True)  # it shows what was there before
    _write(study.folder / CELLS, columns, rows())
    if study.experiment.file.compare is not None:
        correction = study.experiment.file.report.correction
        _write(study.folder / DIFFERENCES, pairs.schema, pairs.judged(correction))
    else:
        (study.folder / DIFFERENCES).unlink(missing_ok=True)
    _list_games(study)
    about = manifest.content(study, cells, command) | {"tables": digests(study.folder)}
    written = json.dumps(about, indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(study.folder / MANIFEST, written.encode() + b"\n")


def _list_games(study: Study) -> None:
    """Writes the games that are to be listed, played again: a column a metric, its numerator in each game.

    Where a metric is counted per something that is not one in every game, a second column, NAME.of, has how many.
    """
    _remove_listed(study.folder / GAMES)
    wanted = study.experiment.file.report.listed_games
    for each in study.played:
        count = min(wanted, each.games)
        if count == 0:
            continue
        declared = study.experiment.game.metrics(each.cell.setup.rules)
        names = (*study.compared(each.cell), *(metric.name for metric in declared if metric.group == "seat"))
        rows = [place(declared, name) for name in names]
        session = each.cell.setup.session()
        numbers = session.each(each.cell.seed, 0, count, np.zeros(1, np.uint8), rows)[1]
        columns = {"game": np.arange(count)}
        for column, name in enumerate(names):
            columns[name] = numbers[:, column, 0]
            if (numbers[:, column, 1] != 1).any():
                columns[f"{name}.of"] = numbers[:, column, 1]
        _write_listed(study.folder / GAMES / f"{each.cell.number}.parquet", columns)


def _remove_listed(folder: Path) -> None:
    """Removes the tables that an earlier run wrote, and nothing else that a user may have there."""
    for path in folder.glob("*.parquet"):
        if path.stem.isdecimal():
            path.unlink()
    with suppress(OSError):  # not there, or with files of somebody else
        folder.rmdir()


def _write_listed(path: Path, columns: Mapping[str, np.ndarray]) -> None:
    import pyarrow

    table = pyarrow.table(dict(columns))
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"{path.parent}: cannot be made: {error.strerror}") from None
    _write(path, table.schema, [table])


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
        values = {name: manifest.plain(cell.values[name], kind) for name, kind in self._kinds.items()}
        return {CELL: cell.number, **values}

    def schema(self, columns: Mapping[str, str]) -> pyarrow.Schema:
        """That of a table with these columns besides."""
        import pyarrow

        types = {
            "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(), "text": pyarrow.string(),
        }  # fmt: skip
        fields = [(name, types[kind]) for name, kind in (self._kinds | columns).items()]
        return pyarrow.schema([(CELL, pyarrow.int32()), *fields])


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
