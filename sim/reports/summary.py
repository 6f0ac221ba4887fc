"""The report of a run for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from sim.reports.listing import readable
from sim.reports.numbers import percent, quantity
from sim.services.result import SHARE, MetricRow, Result, WinRow
from sim.services.statistics import LEVEL

OWN_TABLES = ("ending", "game", "team", "role", "seat", "character")
"""Groups that the report has tables of its own for."""

INTERVAL = f"{100 * LEVEL:.0f} % interval"

WIN_TABLES = (
    ("team", "Teams", "won by a member"),
    ("role", "Roles as dealt", "won"),
    ("seat", "Seats, clockwise from the first player", "won"),
    ("character", "Characters", "won"),
)
"""Group, title and meaning of the rate of each table of win rates, in the order of the report."""


def summary(result: Result, title: str, threads: int, options: str) -> Iterator[Any]:
    """The report, part by part: text and rich tables.

    ``title`` names the game for people; ``options`` are those that give this set-up on the command line (with a space
    in front of each), for the commands to look at examples and to repeat the run.
    """
    yield from _heading(result, title)
    if result.tallies.games == 0:
        return
    yield from _endings(result)
    for group, name, meaning in WIN_TABLES:
        rows = [row for row in result.win_rates if row.group == group and row.n > 0]
        if rows:
            best_first = sorted(rows, key=lambda row: -row.rate) if group == "character" else rows
            yield from _wins(name, meaning, best_first)
    yield from _others(result)
    for group in dict.fromkeys(row.group for row in result.metrics if row.group not in OWN_TABLES):
        yield from _group(group, [row for row in result.metrics if row.group == group])
    yield from _examples(result, options)
    yield from _closing(result, threads, options)


def _heading(result: Result, title: str) -> Iterator[Any]:
    rules = result.rules
    expansions = ", ".join(rules.expansions) if rules.expansions else "no expansion"
    default = result.strategies["default"]
    others = [f", {role} {name}" for role, name in result.strategies.items() if role != "default"]
    yield Text(f"{title}, {rules['players']} players, {expansions}, preset {rules.preset}", style="bold")
    changed = sorted(rules.named - {"players", "preset"})
    if changed:
        yield f"Changed: {', '.join(f'{name}={rules[name]}' for name in changed)}"
    yield f"Strategy: {default}{''.join(others)}"
    if result.partial:
        played = f"{result.tallies.games:,} of {result.games_asked:,}"
        yield Text(f"Interrupted: these are the first results, of {played} games.", style="bold red")
    else:
        yield f"{result.tallies.games:,} games of seed {result.seed}"
    for note in result.notes:
        yield Text(note, style="yellow")


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _table(*columns: str) -> Table:
    """A table whose first column is text and whose others are numbers."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(columns[0])
    for column in columns[1:]:
        table.add_column(column, justify="right")
    return table


def _endings(result: Result) -> Iterator[Any]:
    yield _title("How games end")
    table = _table("ending", "games", "share", INTERVAL)
    for row in result.endings:
        cells = percent(row.count, result.tallies.games, row.rate, row.low, row.high)
        table.add_row(row.name, f"{row.count:,}", *cells)
    yield readable(table)


def _wins(title: str, meaning: str, rows: Iterable[WinRow]) -> Iterator[Any]:
    yield _title(title)
    table = _table("", "of", meaning, INTERVAL)
    for row in rows:
        table.add_row(row.name, f"{row.n:,}", *percent(row.wins, row.n, row.rate, row.low, row.high))
    yield readable(table)


def _others(result: Result) -> Iterator[Any]:
    yield _title("Other figures (scofflaw metrics tells what they count)")
    table = _table("", "of", "value", INTERVAL, "unit")
    for row in result.metrics:
        if row.group == "game" and row.denominator > 0:
            table.add_row(row.name, f"{row.denominator:,}", *_value(row))
    yield readable(table)


def _group(group: str, rows: Sequence[MetricRow]) -> Iterator[Any]:
    """The metrics of a group that only some games have. Those named ``kind.thing.figure`` share a row a thing."""
    yield _title(group.capitalize())
    if not all(row.name.count(".") == 2 for row in rows):
        table = _table("", "of", "value", INTERVAL, "unit")
        for row in rows:
            if row.denominator > 0:
                table.add_row(row.name, f"{row.denominator:,}", *_value(row))
        yield table
        return
    figures = list(dict.fromkeys(row.name.split(".")[2] for row in rows))
    values = {tuple(row.name.split(".")[1:]): row for row in rows}
    table = _table("", *figures)
    for thing in dict.fromkeys(row.name.split(".")[1] for row in rows):
        table.add_row(thing, *(_short(values[thing, figure]) for figure in figures))
    yield table


def _short(row: MetricRow) -> str:
    """A value without its interval, for tables of many; – where there is nothing to count."""
    return _value(row)[0] if row.denominator > 0 else "–"


def _value(row: MetricRow) -> tuple[str, str, str]:
    if row.unit == SHARE:
        return *percent(row.numerator, row.denominator, row.estimate, row.low, row.high), ""
    return *quantity(row.estimate, row.low, row.high), row.unit


def _examples(result: Result, options: str) -> Iterator[Any]:
    yield _title("Games to look at")
    for name, games in result.examples.items():
        for game in games[:1]:
            more = f"   (also {', '.join(map(str, games[1:]))})" if games[1:] else ""
            yield f"{name}: scofflaw trace --game {game} --seed {result.seed}{options}{more}"


def _closing(result: Result, threads: int, options: str) -> Iterator[Any]:
    tallies = result.tallies
    yield _title("This run")
    for what, count in (("Unfinished games", tallies.unfinished), ("Illegal answers of strategies", tallies.illegal)):
        yield Text(f"{what}: {count:,}", style="bold red" if count else "")
    on = "1 thread" if threads == 1 else f"{threads} threads"
    yield f"Played in {result.seconds:.2f} s on {on}: {result.games_per_s:,.0f} games/s"
    yield f"Again: scofflaw run --games {result.games_asked} --seed {result.seed}{options}"
