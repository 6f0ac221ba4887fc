"""The report of a best response for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from sim.game import SHARE
from sim.reports.listing import readable
from sim.reports.numbers import percent, points, quantity, signed_quantity
from sim.reports.summary import INTERVAL, heading
from sim.services.bestresponse import BestResponse
from sim.services.climbing import BEST, CENTRE, START, Gain
from sim.services.result import MetricRow
from sim.services.statistics import LEVEL

KINDS = {BEST: "best seen", CENTRE: "where it ended"}


def lines(found: BestResponse, title: str, options: str) -> Iterator[Any]:
    """The report, part by part: text and rich tables. ``options`` play the winner (a space in front of each)."""
    yield from _heading(found, title)
    yield from _gain(found)
    if found.found.winner.kind != START:
        yield from _weights(found)
    yield from _climbs(found)
    yield _title("To play with it")
    yield f"scofflaw run{options}"


def _heading(found: BestResponse, title: str) -> Iterator[Any]:
    what, changed, who = heading(found, title)
    asked, plan = found.asked, found.plan
    yield Text(what, style="bold")
    if changed:
        yield changed
    yield who
    unit = "share" if asked.metric.unit == SHARE else asked.metric.unit
    yield (
        f"Tuned: {asked.key}, for the {asked.wanted} {asked.metric.name} "
        f"({unit}: {asked.metric.numerator}, of all {asked.metric.denominator})"
    )
    yield (
        f"{plan.starts} climbs, {found.members:,} sets of weights, {plan.games:,} games each, seed {plan.seed}; "
        f"then {plan.final_games:,} fresh games to choose, and {plan.final_games:,} more to measure"
    )
    if found.idle:
        yield f"Left alone, for they change nothing here: {', '.join(found.idle)}"
    for note in asked.game.notes(asked.rules):
        yield Text(note, style="yellow")


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _gain(found: BestResponse) -> Iterator[Any]:
    """What was gained, and how far the search was off."""
    yield _title("What the best weights bring, in games that nothing was chosen by")
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for column in (found.asked.metric.name, INTERVAL):
        table.add_column(column, justify="right")
    start, won = found.rates()
    unit = "percentage points" if start.unit == SHARE else start.unit
    table.add_row("as it was", *_rate(start))
    if found.found.winner.kind != START:
        table.add_row("tuned", *_rate(won))
        table.add_row(f"gain, in {unit}", *_difference(found, found.gain))
        table.add_row("as the climb believed", *_difference(found, found.found.winner.believed))
        table.add_row("believed too much by", *_difference(found, found.optimism))
    yield readable(table)
    yield _verdict(found)
    per_game = found.per_game()
    if per_game is not None:
        yield (
            f"{start.name} is of {found.asked.metric.denominator}, and how many of these there are is in the players' "
            f"hands too. Per game, {found.asked.metric.numerator}: {per_game.other:.4g} as it was, "
            f"{per_game.one:.4g} tuned."
        )


def _verdict(found: BestResponse) -> str:
    gain = found.gain
    if not any(row.numerator for row in found.rates()):
        return (
            "It never came to that. Look for something less rare first, such as an earlier step on the same road "
            "(scofflaw metrics), or search with more --games."
        )
    if found.found.winner.kind == START:
        return "Nothing that the climbs proposed did better in fresh games: the weights stay as they are."
    if gain.low > 0:
        return "It is surely better."
    if gain.high < 0:
        return "It is surely worse: the search had too few games. Give it more --games or --rounds."
    return "That may be chance: keep the weights as they are, or search with more --games or --rounds."


def _weights(found: BestResponse) -> Iterator[Any]:
    rows = sorted(found.set_back(), key=lambda row: -row.cost.estimate)
    yield _title("The changed weights, and what it costs to set one of them back and no other")
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("weight")
    for column in ("was", "is", "cost", INTERVAL):
        table.add_column(column, justify="right")
    for column in ("matters", "what it is"):
        table.add_column(column)
    for row in rows:
        cells = _difference(found, row.cost)
        surely = "surely" if row.p < 1 - LEVEL else ""
        table.add_row(row.weight.name, str(row.start), str(row.value), *cells, surely, row.weight.meaning)
    yield readable(table)
    yield "Surely: also in view of how many weights are looked at. The others may have moved by chance."


def _climbs(found: BestResponse) -> Iterator[Any]:
    """What each climb came to: a climb that believes much and has little is luck."""
    yield _title("The climbs, and what fresh games say of them")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("climb", "from", "weights"):
        table.add_column(column)
    for column in ("generations", "believed", "fresh", INTERVAL):
        table.add_column(column, justify="right")
    table.add_column("")
    for nominee in found.found.nominees:
        start = "the weights as they were" if nominee.climb == 0 else "anywhere"
        believed, _ = _difference(found, nominee.believed)
        fresh = _difference(found, found.fresh(nominee))
        won = "chosen" if nominee is found.found.winner else ""
        generations = str(found.found.generations[nominee.climb])
        table.add_row(str(nominee.climb + 1), start, KINDS[nominee.kind], generations, believed, *fresh, won)
    yield readable(table)


def _rate(row: MetricRow) -> tuple[str, str]:
    limits = row.estimate, row.low, row.high
    return percent(row.numerator, row.denominator, *limits) if row.unit == SHARE else quantity(*limits)


def _difference(found: BestResponse, gain: Gain) -> tuple[str, str]:
    """In percentage points if the metric is a share."""
    if gain.differing == 0:
        return "0", "no game is other"
    show = points if found.asked.metric.unit == SHARE else signed_quantity
    return show(gain.estimate, gain.low, gain.high)
