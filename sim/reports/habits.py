"""The report of what players do with their chances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from sim.game import ROW_SHARES, SHARE, CountTable
from sim.reports.listing import readable
from sim.reports.summary import heading
from sim.services.habits import Habits, rates

NONE = "–"


def lines(found: Habits, title: str) -> Iterator[Any]:
    """The report, part by part: text, a table for each of the game's, and what never came about."""
    what, changed, who = heading(found, title)
    yield Text(what, style="bold")
    if changed:
        yield changed
    yield who
    tallies = found.counts.tallies
    yield f"{tallies.games:,} games of seed {found.seed}, {tallies.decisions:,} decisions"
    if found.partial:
        yield Text(f"Interrupted: {found.games_asked:,} games were asked for.", style="bold red")
    for note in found.notes:
        yield Text(note, style="yellow")
    for name, count in (("Unfinished games", tallies.unfinished), ("Illegal answers of strategies", tallies.illegal)):
        if count:
            yield Text(f"{name}: {count:,}", style="bold red")
    for table in found.tables:
        if found.rows(table):
            yield Text(f"\n{table.title}", style="bold")
            yield _table(table, found)
    yield from _never(found)


def _table(table: CountTable, found: Habits) -> Table:
    shown = Table(box=None, padding=(0, 2, 0, 0))
    for key in table.keys:
        shown.add_column(key)
    by_row = table.unit == ROW_SHARES
    for column in (*table.columns, "all" if by_row else "share" if table.unit == SHARE else f"{table.unit} a chance"):
        shown.add_column(column, justify="right")
    for name, row in found.rows(table):
        shares = rates(table, row)
        if by_row:
            cells = [_part(count, share) for count, (_, share) in zip(row, shares, strict=True)] + [f"{sum(row):,}"]
        else:
            cells = [*(f"{count:,}" for count in row), _rate(shares[0][1], table.unit)]
        shown.add_row(*name, *cells)
    return readable(shown)


def _part(count: int, share: float | None) -> str:
    """A count and what part of its row it is."""
    return f"{count:,} {_rate(share, SHARE):>7}" if count else NONE


def _rate(rate: float | None, unit: str) -> str:
    if rate is None:
        return NONE
    return f"{100 * rate:.1f} %" if unit == SHARE else f"{rate:.2f}"


def _never(found: Habits) -> Iterator[Any]:
    """What there were chances for that nobody ever took, a line a table."""
    yield Text("\nChances never taken", style="bold")
    never = [(table.never, found.never[table.name]) for table in found.tables if table.never]
    for words, rows in never:
        if rows:
            yield f"{words}: {', '.join(rows)}"
    if not any(rows for _, rows in never):
        yield "None: every card, answer and decision that there was a chance for was used at least once."
