"""Charts of metrics of one kind: the endings and winners of one set-up, and how long games last and who survives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sim.game import ENDING, SHARE
from sim.reports.figures import Block, dots
from sim.reports.findings import Findings
from sim.reports.pictures.across import along
from sim.reports.pictures.chart import MOST_SERIES, Chart, anchor, change_row, scale_of, told, value_row
from sim.reports.pictures.differences import forest
from sim.reports.summary import WIN_TABLES
from sim.reports.wording import joined, short, short_set_up
from sim.services.result import GAME, TURNS

BEST_FIRST = "character"


def of_groups(found: Findings) -> Iterator[Chart]:
    """One set-up: how its games end and who wins them, or by how much that differs from the baseline."""
    if len(found.cells) > 1:
        return
    for group, name in ((ENDING, "How games end"), *((group, name) for group, name, _ in WIN_TABLES)):
        metrics = found.group(group)
        changes = [change for metric in metrics for change in found.changes_of(metric)]
        if changes and not set(metrics) <= set(found.main):
            rows = [change_row(change, short(change.metric)) for change in changes]
            yield forest(f"{name}: differences from the baseline", changes, rows, anchor("group", group))
        elif metrics and not changes:
            yield _group(found, name, metrics, best_first=group == BEST_FIRST)


def _group(found: Findings, name: str, metrics: Sequence[str], best_first: bool) -> Chart:
    values = [found.known(metric)[0] for metric in metrics]
    ordered = sorted(values, key=lambda value: -value.estimate) if best_first else values
    rows = [value_row(value, short(value.metric)) for value in ordered]
    return Chart(
        anchor("rates", values[0].group), name, "", told(rows), anchor("group", values[0].group),
        partial(dots, blocks=[Block("", rows)], scale=scale_of(found, *metrics)),
    )  # fmt: skip


def of_families(found: Findings) -> Iterator[Chart]:
    """How long games are, and the shares of one kind, such as ``survived.sheriff``, ``survived.outlaw``."""
    in_turns = [name for name in found.group(GAME) if found.values[name][0].unit == TURNS]
    families = {"How long games are and players wait": in_turns}
    for metric in found.group(GAME):
        if "." in metric and found.values[metric][0].unit == SHARE:
            families.setdefault(metric.split(".")[0].replace("_", " ").capitalize(), []).append(metric)
    for name, metrics in families.items():
        new = [metric for metric in metrics if metric not in found.main]
        if len(new) > 1:
            yield from _family(found, name, new)


def _family(found: Findings, name: str, metrics: Sequence[str]) -> Iterator[Chart]:
    """In rows as long as there are few set-ups, along a numeric setting if there is no other; else in the table."""
    if len(found.swept) == 1 and found.numeric and len(metrics) <= MOST_SERIES:
        yield along(found, name, metrics, found.numeric[0])
        return
    if len(found.cells) > MOST_SERIES:
        return
    if len(found.cells) == 1:
        blocks = [Block("", [value_row(found.known(metric)[0], short(metric)) for metric in metrics])]
    else:
        blocks = [
            Block(short(metric), [value_row(v, short_set_up(found.cells[v.cell].values)) for v in found.known(metric)])
            for metric in metrics
        ]
    rows = [row._replace(name=f"{block.heading} {row.name}".strip()) for block in blocks for row in block.rows]
    by = f", by {joined(found.swept)}" if found.swept else ""
    yield Chart(
        anchor("rates", name), f"{name}{by}", "", told(rows), anchor("group", GAME),
        partial(dots, blocks=blocks, scale=scale_of(found, *metrics)),
    )  # fmt: skip
