"""A comparison of two set-ups for people: first what it comes to in words, then the figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

import sim
from sim.game import SHARE
from sim.reports.cells import doubts
from sim.reports.listing import readable
from sim.reports.numbers import UNKNOWN, half_width, points, quantity
from sim.reports.summary import ANYTIME_INTERVAL, INTERVAL
from sim.services.compare import Others, Range, change, spread
from sim.services.differences import CORRECTIONS, SURE, adjusted
from sim.services.manifest import Row
from sim.services.result import SCHEMA, json_rules
from sim.services.study import Study
from sim.services.until import LARGER, SMALLER
from sim.services.written import reproducing

LEAST_P = 0.0001


@dataclass(frozen=True)
class Found:
    """A comparison that was played.

    ``rows`` are those of the table of differences, ``asked`` is the metric that was asked for, if one was. ``others``
    is the same comparison by other strategies and with other decks, and ``other_rows`` are its differences.
    ``unfinished`` are the games of all of them that came to no end, ``illegal`` the answers that were not legal.
    """

    study: Study
    rows: Sequence[Row]
    asked: str | None = None
    others: Others | None = None
    other_rows: Sequence[Row] = ()
    partial: bool = False
    unfinished: int = 0
    illegal: int = 0

    @property
    def change(self) -> str:
        """What one side has otherwise than the other, in words."""
        cell = self.study.experiment.cells[0]
        assert cell.baseline is not None
        return change(cell.setup, cell.baseline)

    @property
    def who(self) -> dict[str, str]:
        """The metrics that the verdict is about and whom each tells of; without a word for it, the metric itself."""
        cell, game = self.study.experiment.cells[0], self.study.experiment.game
        subjects = dict(game.subjects(cell.setup.rules))
        first = {} if self.asked is None else {self.asked: subjects.get(self.asked, self.asked)}
        there = {row["metric"] for row in self.rows if not math.isnan(row["estimate"])}
        return {metric: name for metric, name in {**first, **subjects}.items() if metric in there}

    def is_sure(self, metric: str) -> bool:
        """Whether a metric of the verdict differs for sure, as many being judged as the verdict has."""
        correction = self.study.experiment.file.report.correction
        p = dict(zip(self.who, adjusted([self.row(each)["p"] for each in self.who], correction), strict=True))
        return p[metric] < SURE

    def range(self, metric: str) -> Range | None:
        """The range of a difference over everything that was varied, the comparison itself included."""
        if not self.other_rows:
            return None
        return spread([*self.rows, *self.other_rows], metric)

    @property
    def answer(self) -> str | None:
        """What is known about the question when to stop, if there was one."""
        if self.study.until is None:
            return None
        row = self.row(self.study.until.metric)
        return self.study.until.answer(row["low"], row["high"])

    def row(self, metric: str) -> Row:
        """The first row of a metric."""
        return next(row for row in self.rows if row["metric"] == metric)


def verdict(found: Found) -> Iterator[str]:
    """What it comes to, a sentence each."""
    if found.study.until is not None:
        yield _answer(found)
    if not found.who:
        yield "Too few games to tell anything; play more: --games."
    for metric, who in found.who.items():
        yield _sentence(found, found.row(metric), who) + _over(found, metric)


def lines(found: Found) -> Iterator[Any]:
    """The report, part by part: text and tables."""
    experiment = found.study.experiment
    rules = experiment.cells[0].setup.rules
    yield Text(f"{experiment.game.title}, {rules['players']} players: {found.change}", style="bold")
    games = found.rows[0]["n"]
    yield f"{games:,} games of seed {experiment.cells[0].seed} on both sides, with the same deals"
    yield from doubts(found.unfinished, found.illegal)
    if found.study.interrupted:
        yield Text("Interrupted: these are the first results.", style="bold red")
    elif found.partial:
        yield Text("Interrupted: by other strategies and decks some results are missing.", style="bold red")
    for note in _notes(found):
        yield Text(note, style="yellow")
    yield ""
    for sentence in verdict(found):
        yield Text(sentence, style="bold")
    yield ""
    if found.who:
        yield from _figures(found)
    if found.other_rows:
        yield from _others(found)


def decided(study: Study) -> Iterator[str]:
    """In how many of the cells the question is answered, if there is one."""
    if study.until is not None:
        answered = sum(each.done and each.reached for each in study.played)
        yield f"Known in {answered} of {len(study.played)} cells: {study.until.asked} ({study.until.metric})"


def _notes(found: Found) -> list[str]:
    """What the game says of the rules of either side."""
    cell, game = found.study.experiment.cells[0], found.study.experiment.game
    assert cell.baseline is not None
    return list(dict.fromkeys([*game.notes(cell.setup.rules), *game.notes(cell.baseline.rules)]))


def _answer(found: Found) -> str:
    until, row = found.study.until, found.rows[0]
    assert until is not None
    by = f"{100 * until.by:g} points" if until.bounded else f"{until.by:g}"
    games = f"{row['n']:,} games"
    if found.answer == LARGER:
        return f"Known after {games}: {until.metric} differs by more than {by}."
    if found.answer == SMALLER:
        return f"Known after {games}: {until.metric} differs by less than {by}."
    return f"Undecided after {games}, the most that were allowed (--games): is it more than {by} or less?"


def _sentence(found: Found, row: Row, who: str) -> str:
    if math.isnan(row["low"]):
        return f"Too few games differ to tell about {who}."
    size, half = _amount(row), _half(row)
    unit = "points" if row["unit"] == SHARE else row["unit"]
    if not found.is_sure(row["metric"]):
        return f"No difference is known for {who}: {size} ± {half} {unit}"
    more = row["estimate"] > 0
    subject = found.change.replace("leaving", "Leaving", 1)
    amount = f"{size.lstrip('+-')} ± {half} {unit}"
    if who != row["metric"]:
        return f"{subject} {'gives' if more else 'costs'} {who} {amount}"
    return f"{subject} {'raises' if more else 'lowers'} {who} by {amount}"


def _over(found: Found, metric: str) -> str:
    """What becomes of it by other strategies and with other decks."""
    limits = found.range(metric)
    if limits is None:
        return ""
    assert found.others is not None
    over = " and ".join(found.others.over)
    scale = 100 if found.row(metric)["unit"] == SHARE else 1
    half = half_width(scale * limits.half_width, "")
    places = len(half.partition(".")[2])
    low, high = (f"{scale * end:+.{places}f}" for end in (limits.low, limits.high))
    sure = found.is_sure(metric)  # only then a word, such as "costs", says which way
    if sure and limits.low > 0:
        return f"; over {over} {low[1:]} to {high[1:]} (each ± {half} or less)"
    if sure and limits.high < 0:
        return f"; over {over} {high[1:]} to {low[1:]} (each ± {half} or less)"
    return f"; over {over} anything from {low} to {high} (each ± {half} or less)"


def _figures(found: Found) -> Iterator[Any]:
    anytime = found.study.anytime is not None
    interval = ANYTIME_INTERVAL if anytime else INTERVAL
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for column in ("rate", "baseline", "difference", interval, "p", "corrected", "pairing", "games that differ"):
        table.add_column(column, justify="right")
    shown = [row for row in found.rows if row["rate"] or row["baseline"]]
    for row in shown:
        if not math.isnan(row["estimate"]):
            table.add_row(row["metric"], *_cells(row))
    yield readable(table)
    correction = CORRECTIONS[found.study.experiment.file.report.correction]
    yield (
        f"Differences of shares are percentage points. Corrected: p by {correction}, for {len(found.rows)} figures are "
        "judged at once. Pairing: how many times as many games it would take without the same deals."
    )


def _cells(row: Row) -> tuple[str, ...]:
    share = row["unit"] == SHARE
    values = [f"{100 * row[side]:.2f} %" if share else f"{row[side]:,.2f}" for side in ("rate", "baseline")]
    limits = points(row["estimate"], row["low"], row["high"])[1] if share else _limits(row)
    reduction = UNKNOWN if math.isinf(row["reduction"]) else f"{row['reduction']:.1f}"
    p = (_p(row["p"]), _p(row["p_adjusted"]))
    return (*values, _amount(row), limits, *p, reduction, f"{row['differing']:,}")


def _limits(row: Row) -> str:
    return quantity(row["estimate"], row["low"], row["high"])[1]


def _p(p: float) -> str:
    if math.isnan(p):
        return UNKNOWN
    return f"< {LEAST_P:.4f}" if p < LEAST_P else f"{p:.4f}"


def _amount(row: Row) -> str:
    if row["unit"] == SHARE:
        return points(row["estimate"], row["low"], row["high"])[0]
    text = quantity(row["estimate"], row["low"], row["high"])[0]
    return text if text.startswith("-") else f"+{text}"


def _half(row: Row) -> str:
    half = (row["high"] - row["low"]) / 2
    return half_width(100 * half if row["unit"] == SHARE else half, "")


def _others(found: Found) -> Iterator[Any]:
    """The same comparison, one strategy or assumption changed at a time."""
    others, who = found.others, found.who
    assert others is not None
    title = f"The same by other {' and '.join(others.over)}, {others.experiment.games:,} games each"
    yield Text(f"\n{title}: points more or less", style="bold")
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for name in who.values():
        table.add_column(name, justify="right")
    for cell in others.experiment.cells:
        rows = {row["metric"]: row for row in found.other_rows if row["cell"] == cell.number}
        if rows:
            table.add_row(others.changed(cell), *(f"{_amount(rows[each])} ± {_half(rows[each])}" for each in who))
    yield readable(table)


def as_json(found: Found, command: str) -> dict[str, Any]:
    """The comparison as one object of schema 1."""
    study = found.study
    cell = study.experiment.cells[0]
    assert cell.baseline is not None
    sides = (("one", cell.setup), ("other", cell.baseline))
    content: dict[str, Any] = {
        "schema": SCHEMA, "command": "compare", "version": sim.__version__, "game": study.experiment.game.name,
        "again": command, "change": found.change, "seed": cell.seed, "games": found.rows[0]["n"],
        "partial": study.interrupted, "unfinished": found.unfinished, "illegal": found.illegal, "notes": _notes(found),
        **{
            side: {"rules": json_rules(made.rules), "strategies": dict(made.strategies), "options": reproducing(made)}
            for side, made in sides
        },
        "verdict": list(verdict(found)),
        "differences": [_plain(row) for row in found.rows],
    }  # fmt: skip
    if study.until is not None:
        until = study.until
        content["until"] = {"asked": until.asked, "metric": until.metric, "by": until.by, "answer": found.answer}
    if found.other_rows and found.others is not None:
        ranges = {metric: vars(limits) for metric in found.who if (limits := found.range(metric)) is not None}
        content["others"] = {
            "over": list(found.others.over),
            "games": found.others.experiment.games,
            "ranges": ranges,
            "cells": [{"cell": each.number, "values": each.values} for each in found.others.experiment.cells],
            "differences": [_plain(row) for row in found.other_rows if row["metric"] in found.who],
        }
    return content


def _plain(row: Row) -> Row:
    """A row for JSON, which knows no numbers that are none."""
    return {name: None if isinstance(v, float) and not math.isfinite(v) else v for name, v in row.items()}
