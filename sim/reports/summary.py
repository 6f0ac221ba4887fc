"""The report of a run for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from sim.game import SHARE
from sim.reports.bars import Rate, RateTable
from sim.reports.listing import as_written
from sim.reports.numbers import half_width, percent, quantity, rounded_up
from sim.services.bestresponse import BestResponse
from sim.services.habits import Habits
from sim.services.precision import MOST_GAMES, Reached
from sim.services.result import TURN_SECONDS, MetricRow, Result, WinRow
from sim.services.statistics import LEVEL

OWN_TABLES = ("ending", "game", "team", "role", "seat", "character")
"""Groups that the report has tables of its own for."""

INTERVAL = f"{100 * LEVEL:.0f} % interval"
ANYTIME_INTERVAL = f"{100 * LEVEL:.0f} % anytime interval"

BEFORE_FIRST_TURN = "eliminated_before_first_turn"
WAITING = "waiting"
"""Metrics of the section on waiting, which games that have them get."""

WIN_TABLES = (
    ("team", "Teams", "won by a member"),
    ("role", "Roles as dealt", "won"),
    ("seat", "Seats, clockwise from the first player", "won"),
    ("character", "Characters", "won"),
)
"""Group, title and meaning of the rate of each table of win rates, in the order of the report."""


def summary(
    result: Result, title: str, threads: int, options: str, turn_seconds: float = TURN_SECONDS
) -> Iterator[Any]:
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
            yield from _wins(name, meaning, best_first, result)
    yield from _others(result)
    yield from _waiting(result, turn_seconds)
    for group in dict.fromkeys(row.group for row in result.metrics if row.group not in OWN_TABLES):
        yield from _group(group, [row for row in result.metrics if row.group == group], result)
    yield from _examples(result, options)
    yield from _closing(result, threads, options, turn_seconds)


def heading(result: Result | Habits | BestResponse, title: str) -> tuple[str, str, str]:
    """What was played, what is not as the preset has it (empty if nothing is), and by whom."""
    rules = result.rules
    expansions = ", ".join(rules.expansions) if rules.expansions else "no expansion"
    others = [f", {role} {name}" for role, name in result.strategies.items() if role != "default"]
    changed = sorted(rules.named - {"players", "preset"})
    return (
        f"{title}, {rules['players']} players, {expansions}, preset {rules.preset}",
        f"Changed: {', '.join(f'{name}={as_written(rules[name])}' for name in changed)}" if changed else "",
        f"Strategy: {result.strategies['default']}{''.join(others)}",
    )


def again(result: Result, options: str) -> str:
    """The command that plays the same games."""
    reached = result.precision
    if reached is None:
        return f"scofflaw run --games {result.games_asked} --seed {result.seed}{options}"
    metric = f" --metric {reached.target.metric}" if reached.target.metric is not None else ""
    cap = f" --games {reached.cap}" if reached.cap != MOST_GAMES else ""
    return f"scofflaw run --precision {reached.target.asked}{metric}{cap} --seed {result.seed}{options}"


def _heading(result: Result, title: str) -> Iterator[Any]:
    what, changed, who = heading(result, title)
    yield Text(what, style="bold")
    if changed:
        yield changed
    yield who
    played = f"{result.tallies.games:,}"
    if result.partial:
        yield Text(
            f"Interrupted: these are the first results, of {played} of {result.games_asked:,} games.", style="bold red"
        )
    elif result.precision is None:
        yield f"{played} games of seed {result.seed}"
    else:
        yield from _precision(result.precision, played, result.seed)
    for note in result.notes:
        yield Text(note, style="yellow")


def _precision(reached: Reached, played: str, seed: int) -> Iterator[Any]:
    asked = reached.target.asked
    known = half_width(reached.half_width, asked)
    widest = f"{reached.widest}{'' if reached.target.metric else ', the widest ending,'}"
    if reached.reached:
        yield f"{played} games of seed {seed}; by then {widest} was known to ± {known} ({asked} asked for)"
    else:
        takes = f"; it takes about {rounded_up(reached.needed):,} games" if reached.needed is not None else ""
        yield Text(
            f"{played} games of seed {seed}, the cap: {widest} is known to ± {known}, not to {asked}{takes} (--games)",
            style="bold red",
        )
    yield "The intervals hold however often one looks (anytime-valid): wider than those of a fixed number of games."


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _interval(result: Result) -> str:
    """The heading over intervals."""
    return INTERVAL if result.precision is None else ANYTIME_INTERVAL


def _endings(result: Result) -> Iterator[Any]:
    yield _title("How games end")
    table = RateTable(("ending", "games", "share", _interval(result)), legend=True)
    for row in result.endings:
        cells = percent(row.count, result.tallies.games, row.rate, row.low, row.high)
        table.add((row.name, f"{row.count:,}", *cells), Rate(row.low, row.rate, row.high))
    yield table


def _wins(title: str, meaning: str, rows: Iterable[WinRow], result: Result) -> Iterator[Any]:
    yield _title(title)
    table = RateTable(("", "of", meaning, _interval(result)))
    for row in rows:
        cells = percent(row.wins, row.n, row.rate, row.low, row.high)
        table.add((row.name, f"{row.n:,}", *cells), Rate(row.low, row.rate, row.high))
    yield table


def _others(result: Result) -> Iterator[Any]:
    yield _title("Other figures (scofflaw metrics tells what they count)")
    yield _figures([row for row in result.metrics if row.group == "game"], result, keep_whole=True)


def _figures(rows: Iterable[MetricRow], result: Result, keep_whole: bool) -> RateTable:
    """Shares, with bars, and means, without."""
    table = RateTable(("", "of", "value", _interval(result), "unit"), keep_whole)
    for row in rows:
        if row.denominator > 0:
            rate = Rate(row.low, row.estimate, row.high) if row.unit == SHARE else None
            table.add((row.name, f"{row.denominator:,}", *_value(row)), rate)
    return table


def _waiting(result: Result, turn_seconds: float) -> Iterator[Any]:
    """What a game asks of the patience of the players, where these figures are counted."""
    rows = {row.name: row for row in result.metrics}
    minutes = {row.name: row for row in result.minutes(turn_seconds) if rows[row.name].denominator > 0}
    if WAITING not in rows or not minutes:
        return
    yield _title(f"Waiting, if a turn takes {turn_seconds:g} seconds (--turn-seconds)")
    if BEFORE_FIRST_TURN in rows:
        share, limits = _value(rows[BEFORE_FIRST_TURN])[:2]
        yield f"Eliminated before their first turn: {share} of all players ({limits})"
    table = RateTable(("", "of", "minutes", _interval(result)))
    for name, row in minutes.items():
        table.add((name, f"{rows[name].denominator:,}", *quantity(row.estimate, row.low, row.high)), None)
    yield table


def _group(group: str, rows: Sequence[MetricRow], result: Result) -> Iterator[Any]:
    """The metrics of a group that only some games have. Those named ``kind.thing.figure`` share a row a thing."""
    yield _title(group.capitalize())
    if not all(row.name.count(".") == 2 for row in rows):
        yield _figures(rows, result, keep_whole=False)
        return
    figures = list(dict.fromkeys(row.name.split(".")[2] for row in rows))
    values = {tuple(row.name.split(".")[1:]): row for row in rows}
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for figure in figures:
        table.add_column(figure, justify="right")
    for thing in dict.fromkeys(row.name.split(".")[1] for row in rows):
        table.add_row(thing, *(_short(values[thing, figure]) for figure in figures))
    yield table
    yield from _never(result.never[group], rows)


def _never(by_figure: Mapping[str, Sequence[str]], rows: Sequence[MetricRow]) -> Iterator[str]:
    """What did not happen to some things in this run, a line a figure; or that everything happened to each."""
    found = {figure: things for figure, things in by_figure.items() if things}
    for figure, things in found.items():
        yield f"Never {figure}: {', '.join(things)}"
    if not found and all(row.denominator > 0 for row in rows):
        yield f"Each was {', '.join(by_figure)} at least once."


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


def _closing(result: Result, threads: int, options: str, turn_seconds: float) -> Iterator[Any]:
    tallies = result.tallies
    yield _title("This run")
    for what, count in (("Unfinished games", tallies.unfinished), ("Illegal answers of strategies", tallies.illegal)):
        yield Text(f"{what}: {count:,}", style="bold red" if count else "")
    on = "1 thread" if threads == 1 else f"{threads} threads"
    yield f"Played in {result.seconds:.2f} s on {on}: {result.games_per_s:,.0f} games/s"
    seconds = f" --turn-seconds {turn_seconds:g}" if turn_seconds != TURN_SECONDS else ""
    yield f"Again: {again(result, options)}{seconds}"
