"""Forest plots of the differences from the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sim.reports.figures import Block, Row, dots
from sim.reports.findings import Change, Findings
from sim.reports.frames import Scale
from sim.reports.pictures.chart import MOST_METRICS, Chart, anchor, at_the_ends, change_row, table_of, told
from sim.reports.wording import change_unit, joined, short_set_up, title

MOST_TOGETHER = 24
"""Differences that one chart shows of several metrics; else each metric has its own."""


def of_differences(found: Findings) -> Iterator[Chart]:
    """With one set-up a chart a unit, a row a metric; with several a block a metric, as long as they are few."""
    by_unit: dict[str, list[Change]] = {}
    for metric in found.main if len(found.cells) == 1 else found.main[:MOST_METRICS]:
        for change in found.changes_of(metric):
            by_unit.setdefault(change.unit, []).append(change)
    for changes in by_unit.values():
        if len(found.cells) == 1:
            name = f"Differences from the baseline, in {change_unit(changes[0].unit)}"
            yield forest(name, changes, [change_row(c, title(c.metric)) for c in changes], "figures")
        else:
            yield from _by_set_up(found, changes)


def _by_set_up(found: Findings, changes: Sequence[Change]) -> Iterator[Chart]:
    """The differences of several metrics of one unit, together if there is room for all of them in one chart."""
    swept = joined(found.swept)
    metrics = list(dict.fromkeys(change.metric for change in changes))
    blocks = []
    for metric in metrics:
        some = [change for change in changes if change.metric == metric]
        rows = [change_row(change, short_set_up(found.cells[change.cell].values)) for change in some]
        if len(metrics) == 1 or len(changes) > MOST_TOGETHER:
            yield forest(f"{title(metric)}, less the baseline, by {swept}", some, rows, table_of(found, metric))
        else:
            blocks.append(Block(title(metric), rows))
    if blocks:
        yield _chart(f"Change from the baseline, by {swept}", changes, blocks, table_of(found, metrics[0]), "")


def forest(name: str, changes: Sequence[Change], rows: Sequence[Row], table: str) -> Chart:
    """The chart of some differences of one unit; ``rows`` are these with their names."""
    shown, left_out = at_the_ends(rows)
    return _chart(name, changes, [Block("", shown)], table, left_out)


def _chart(name: str, changes: Sequence[Change], blocks: Sequence[Block], table: str, reading: str) -> Chart:
    unit = change_unit(changes[0].unit)
    scale = Scale(changes[0].unit, f"difference, {'percentage ' * (unit == 'points')}{unit}", signed=True)
    texts = [f"{block.heading}: {told(block.rows)}" if block.heading else told(block.rows) for block in blocks]
    return Chart(
        anchor("difference", changes[0].metric), name, reading, ". ".join(texts), table,
        partial(dots, blocks=blocks, scale=scale),
    )  # fmt: skip
