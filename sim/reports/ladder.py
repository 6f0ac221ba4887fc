"""The report of a ladder for people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from sim.reports.listing import readable
from sim.reports.numbers import UNKNOWN, points
from sim.reports.summary import INTERVAL
from sim.services.ladder import ALL, Ladder, Step


def lines(found: Ladder, title: str) -> Iterator[Any]:
    """The report, part by part: text and one table a field."""
    expansions = ", ".join(found.expansions) if found.expansions else "no expansion"
    yield Text(f"{title}, {expansions}, preset {found.preset}: {found.one} against {found.other}", style="bold")
    if found.rules:
        yield f"Changed: {', '.join(f'{name}={value}' for name, value in found.rules.items())}"
    yield f"{found.games:,} pairs of games of seed {found.seed} for each number of players and field"
    if found.partial:
        yield Text("Interrupted: the last steps are of fewer games, further ones are missing.", style="bold red")
    for field in dict.fromkeys(step.field for step in found.steps):
        yield Text(f"\nIn a field of {field}: what a role wins by {found.one} and by {found.other}", style="bold")
        yield _table([step for step in found.steps if step.field == field], found)
    better = sum(step.low > 0 for step in found.steps)
    worse = sum(step.high < 0 for step in found.steps)
    yield (
        f"\n{found.one} wins surely more in {better} of {len(found.steps)} steps, surely less in {worse}."
        f" Points are percentage points; the games are the same but for the players who changed."
    )


def _table(steps: list[Step], found: Ladder) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("players")
    table.add_column("role")
    for column in (found.one, found.other, "points more", INTERVAL, "times"):
        table.add_column(column, justify="right")
    for step in steps:
        part = "" if step.part == ALL else f", {step.part}"
        times = f"{step.one / step.other:.2f}" if step.other > 0 else UNKNOWN
        more = points(step.estimate, step.low, step.high)
        table.add_row(str(step.players), step.role + part, _percent(step.one), _percent(step.other), *more, times)
    return readable(table)


def _percent(rate: float) -> str:
    return UNKNOWN if math.isnan(rate) else f"{100 * rate:.1f} %"
