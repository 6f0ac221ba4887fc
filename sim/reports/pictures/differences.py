"""Forest plots of the differences from the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sim.reports.figures import Block, Row, dots
from sim.reports.findings import Change, Findings
from sim.reports.frames import Scale
from sim.reports.pictures.chart import MOST_METRICS, Chart, anchor, at_the_ends, change_row, table_of, told
from sim.reports.wording import change_unit, joined, short_set_up, title


def of_differences(found: Findings) -> Iterator[Chart]:
    """A chart a metric, a row a set-up; with one set-up a chart a unit, a row a metric."""
    if len(found.cells) > 1:
        for metric in found.main[:MOST_METRICS] if found.changes else ():
            changes = found.changes_of(metric)
            if changes:
                rows = [change_row(c, short_set_up(found.cells[c.cell].values)) for c in changes]
                name = f"{title(metric)}, less the baseline, by {joined(found.swept)}"
                yield forest(name, changes, rows, table_of(found, metric))
        return
    by_unit: dict[str, list[Change]] = {}
    for metric in found.main:
        for change in found.changes_of(metric):
            by_unit.setdefault(change.unit, []).append(change)
    for changes in by_unit.values():
        name = f"Differences from the baseline, in {change_unit(changes[0].unit)}"
        yield forest(name, changes, [change_row(c, title(c.metric)) for c in changes], "figures")


def forest(name: str, changes: Sequence[Change], rows: Sequence[Row], table: str) -> Chart:
    """The chart of some differences of one unit; ``rows`` are these with their names."""
    unit = change_unit(changes[0].unit)
    scale = Scale(changes[0].unit, f"difference, {'percentage ' * (unit == 'points')}{unit}", signed=True)
    shown, left_out = at_the_ends(rows)
    return Chart(
        anchor("difference", changes[0].metric), name, left_out, told(shown), table,
        partial(dots, blocks=[Block("", shown)], scale=scale),
    )  # fmt: skip
