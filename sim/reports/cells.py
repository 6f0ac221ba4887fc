"""The cells of an experiment for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from sim.game import SHARE, Tallies, X, Y
from sim.reports.findings import findings
from sim.reports.listing import as_written, readable
from sim.reports.numbers import UNKNOWN, percent, points, quantity
from sim.reports.summary import ANYTIME_INTERVAL, INTERVAL
from sim.reports.verdict import verdict
from sim.services.differences import SURE
from sim.services.experiment import Cell, Experiment
from sim.services.results import HEADLINE_GROUPS, TEAM, Manifest, Results
from sim.services.statistics import ratio_interval
from sim.services.written import text_of

if TYPE_CHECKING:
    import pandas

MOST_CELLS = 60
"""Cells that a terminal shows; the others are in the files."""


def lines(found: Results) -> Iterator[Any]:
    """What was asked and played, the answer in words, then tables of the cells and the differences."""
    manifest = found.manifest
    yield Text(manifest.question or manifest.name, style="bold")
    games = [cell.games for cell in manifest.cells]
    each = f"{games[0]:,}" if min(games) == max(games) else f"{min(games):,} to {max(games):,}"
    cells = f"{len(games):,} cells of {each} games" if len(games) > 1 else f"{each} games"
    yield f"{manifest.title}: {cells}, seed {manifest.cells[0].seed}"
    if manifest.partial:
        yield Text("Stopped before the end: start the same command again and it goes on.", style="bold red")
    for note in manifest.notes:
        yield Text(note, style="yellow")
    yield from doubts(manifest.unfinished, manifest.illegal)
    if manifest.missed is not None:
        yield Text(manifest.missed, style="bold red")
    metrics = shown(found)
    yield ""
    yield from verdict(findings(_only(found, metrics)))
    yield ""
    yield f"Rates and means, ± half of the {_interval(found.cells)}"
    yield _table(found.cells, metrics, manifest, _value)
    if (told := _goal(manifest)) is not None:
        yield told
    if found.differences is not None:
        yield ""
        interval = _interval(found.differences)
        yield f"Against the baseline, the same deals: points and means more or less, ± half of the {interval}"
        there = [metric for metric in metrics if (found.differences["metric"] == metric).any()]
        yield _table(found.differences, there, manifest, _change)
    if len(games) > MOST_CELLS:
        yield f"These are the first {MOST_CELLS} of {len(games):,} cells; all are in {found.folder / 'cells.parquet'}"


def _only(found: Results, metrics: Sequence[str]) -> Results:
    """The results with the rows of these metrics: an experiment may have a million others."""

    def chosen(table: pandas.DataFrame) -> pandas.DataFrame:
        return table[table["metric"].isin(metrics)]

    return replace(
        found, cells=chosen(found.cells),
        differences=None if found.differences is None else chosen(found.differences),
    )  # fmt: skip


def _interval(table: pandas.DataFrame) -> str:
    """What the intervals of a table are called."""
    return ANYTIME_INTERVAL if table["method"].str.contains("anytime").any() else INTERVAL


def _goal(manifest: Manifest) -> str | None:
    """How many cells surely miss the number that is the goal."""
    judged = [cell.p_target_adjusted for cell in manifest.cells if cell.p_target_adjusted is not None]
    if manifest.goal is None or not judged:
        return None
    missed = sum(p < SURE for p in judged)
    goal = f"{manifest.goal.metric} = {manifest.goal.target:g}"
    return f"Goal {goal}: {missed} of {len(judged)} cells surely miss it (p below {SURE:g}, corrected for their number)"


def line(experiment: Experiment, cell: Cell, tallies: Tallies) -> str:
    """A cell that is finished, in a line: its swept values, and the first of the metrics that are shown."""
    report, goal = experiment.file.report.metrics, experiment.file.goal
    declared = experiment.game.metrics(cell.setup.rules)
    usual = next((metric.name for metric in declared if metric.group == TEAM), declared[0].name)
    wanted = report[0] if report else goal.metric if goal else usual
    texts = [f"{name}={text_of(cell.values[name])}" for name in experiment.swept]
    for metric, sums in zip(declared, tallies.sums.tolist(), strict=True):
        if metric.name == wanted:
            found = ratio_interval(sums, bounded=metric.unit == SHARE)
            row = {"unit": metric.unit, "numerator": sums[Y], "denominator": sums[X], **asdict(found)}
            texts.append(f"  {metric.name} {_value(row)}")
    return " ".join(texts)


def doubts(unfinished: int, illegal: int) -> Iterator[Any]:
    """Why figures may be wrong: games that came to no end, and answers that were not legal."""
    for what, count in (("games came to no end", unfinished), ("answers were not legal", illegal)):
        if count:
            yield Text(f"{count:,} {what}: look at them before you believe these figures.", style="bold red")


def shown(found: Results) -> list[str]:
    """The metrics to show: those that the experiment names, else the win rates of the teams, else the endings."""
    if found.manifest.named:
        return found.manifest.named
    for group in HEADLINE_GROUPS:
        there = found.cells[(found.cells["group"] == group) & (found.cells["denominator"] > 0)]
        if not there.empty:
            return list(dict.fromkeys(there["metric"]))
    return list(dict.fromkeys(found.cells["metric"]))[:6]


def _table(rows: pandas.DataFrame, metrics: Sequence[str], manifest: Manifest, text: Any) -> Table:
    """A row a cell, or without a sweep a row a metric."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    swept = manifest.swept
    by_metric = {name: part.set_index("cell") for name, part in rows[rows["metric"].isin(metrics)].groupby("metric")}
    if not swept:
        for heading in ("metric", ""):
            table.add_column(heading, justify="left" if heading else "right")
        for metric in metrics:
            table.add_row(metric, text(by_metric[metric].iloc[0]))
        return readable(table)
    for name in (*swept, *metrics):
        table.add_column(name, justify="left" if name in swept else "right")
    for cell in manifest.cells[:MOST_CELLS]:
        texts = [text(by_metric[m].loc[cell.cell]) if cell.cell in by_metric[m].index else "" for m in metrics]
        table.add_row(*(as_written(cell.values[name]) for name in swept), *texts)
    return readable(table)


def _value(row: Any) -> str:
    if math.isnan(row["estimate"]):
        return UNKNOWN
    if row["unit"] != SHARE:
        return _with_half(quantity(row["estimate"], row["low"], row["high"])[0], _half(row))
    counts = int(row["numerator"]), int(row["denominator"])
    estimate, _ = percent(*counts, row["estimate"], row["low"], row["high"])
    return estimate if estimate[0] in "<>" else _with_half(estimate, 100 * _half(row))


def _change(row: Any) -> str:
    if math.isnan(row["estimate"]):
        return UNKNOWN
    if row["unit"] != SHARE:
        return _with_half(f"{row['estimate']:+.2f}", _half(row))
    return _with_half(points(row["estimate"], row["low"], row["high"])[0], 100 * _half(row))


def _with_half(estimate: str, half: float) -> str:
    """An estimate and half of its interval, as far as they are known."""
    if estimate == UNKNOWN:
        return UNKNOWN
    return f"{estimate} ± {UNKNOWN if math.isnan(half) else f'{half:.2g}'}"


def _half(row: Any) -> float:
    return float(row["high"] - row["low"]) / 2
