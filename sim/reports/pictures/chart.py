"""What all charts of a report have: where their figures are, their rows and axes, and what they show in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.game import ENDING, SHARE
from sim.reports.figures import Row
from sim.reports.findings import Change, Findings, Value, is_win_rate
from sim.reports.frames import Frame, Scale
from sim.reports.wording import change_texts, plain_value, value_texts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_METRICS = 6
"""Metrics that get charts of their own."""

MOST_ROWS = 60
MOST_SERIES = 6


@dataclass(frozen=True)
class Chart:
    """A chart: the name of its files, its title, how to read it, what it shows in words, and how it is drawn.

    ``table`` is where on the page its figures are.
    """

    name: str
    title: str
    reading: str
    text: str
    table: str
    draw: Callable[[Frame], Figure]


def anchor(kind: str, name: str) -> str:
    """An id, or the name of a file, from the name of a metric or group."""
    return f"{kind}-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}"


def table_of(found: Findings, metric: str) -> str:
    """Where the figures of a metric are on the page."""
    if metric not in found.main:
        return anchor("group", found.values[metric][0].group)
    return anchor("metric", metric) if len(found.cells) > 1 else "figures"


def value_row(value: Value, name: str) -> Row:
    """An estimate with its interval; open if it was never seen, or always."""
    estimate, limits = value_texts(value)
    seen = value.unit != SHARE or 0 < value.numerator < value.denominator
    return Row(name, value.low, value.estimate, value.high, f"{estimate} ({limits})", seen)


def change_row(change: Change, name: str) -> Row:
    """A difference with its interval; open unless it is clear."""
    estimate, limits = change_texts(change)
    return Row(name, change.low, change.estimate, change.high, f"{estimate} ({limits})", change.is_clear)


def at_the_ends(rows: Sequence[Row]) -> tuple[Sequence[Row], str]:
    """At most ``MOST_ROWS`` of the rows, the lowest and the highest, and what is said of the others."""
    if len(rows) <= MOST_ROWS:
        return rows, ""
    by_rate = sorted(rows, key=lambda row: row.middle)
    half = MOST_ROWS // 2
    return (
        [*by_rate[:half], *by_rate[-half:]],
        f"Shown are the {half} lowest and the {half} highest of {len(rows)}; all are in the table.",
    )


def told(rows: Sequence[Row]) -> str:
    """What rows show, for those who cannot see them."""
    by_rate = sorted(rows, key=lambda row: -row.middle)
    if len(rows) <= MOST_SERIES:
        return "; ".join(f"{row.name}: {row.text}" for row in rows)
    return (
        f"{len(rows)} rows. Highest, {by_rate[0].name}: {by_rate[0].text};"
        f" lowest, {by_rate[-1].name}: {by_rate[-1].text}"
    )


def scale_of(found: Findings, *metrics: str) -> Scale:
    """The axis of metrics of one unit, with the goal's target on it if it is about one of them."""
    unit, goal = found.values[metrics[0]][0].unit, found.manifest.goal
    target = goal.target if goal is not None and goal.metric in metrics else None
    shares = {_share(found, metric) for metric in metrics}
    name = (shares.pop() if len(shares) == 1 else "share") if unit == SHARE else unit
    return Scale(unit, name, None if isinstance(target, str) else target)


def _share(found: Findings, metric: str) -> str:
    """Of what the metric is a part."""
    if is_win_rate(metric):
        return "share that won"
    of = "games" if metric.startswith(f"{ENDING}.") else found.manifest.meanings.get(metric, ("", ""))[1]
    return f"share of {of}" if of else "share"


def target_text(scale: Scale) -> str:
    """What is said of the line at the target."""
    return "" if scale.target is None else f"The broken line is the target, {plain_value(scale.target, scale.unit)}."
