"""Plays until a rate is known as exactly as asked for, and then no more.

The games are looked at when the first 1,000, 2,000, … of them have been played, all of these and no others. So where
play ends depends on the set-up and the seed alone, never on threads, chunks or the clock. The intervals hold at all
looks together (see ``statistics.anytime_interval``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sim.errors import UserError, shortened, unknown
from sim.game import ENDING, SHARE, Metric, Session, Tallies
from sim.services import batch
from sim.services.statistics import PSEUDO_GAMES, Interval, anytime_interval

MOST_GAMES = 10_000_000
"""The cap on the games unless the user sets one: minutes."""

FIRST_LOOK = 1000
LOOKS_PER_TENFOLD = 10
"""From ten thousand games on, the next look comes after a tenth of the games there are."""

LEAST_PSEUDO_GAMES = 1.0
PSEUDO_SHARE = 0.05
"""Times 1 / half-width²: the ``pseudo_games`` with which rates from 1 % to 99 % need the fewest games, or nearly so."""

CHUNKS_PER_THREAD = 8
"""So that the threads end about together at a look."""

_PRECISION = re.compile(r"([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?) *(pp)?")


@dataclass(frozen=True)
class Target:
    """What is to be known how exactly: ``half_width`` in the unit of the metrics (0.002 is 0.2 percentage points).

    ``asked`` is how the user wrote it; ``metric`` is None for all endings, of which the widest decides.
    """

    asked: str
    half_width: float
    metric: str | None
    pseudo_games: float

    def rows(self, declared: Sequence[Metric]) -> tuple[int, ...]:
        """Those of the metrics that must all be so exact. Set-ups have different ones, and so other rows."""
        return _rows(self.metric, declared)


@dataclass(frozen=True)
class Reached:
    """How it ended: ``looks`` taken, the games that were the ``cap``, and the widest metric with its half-width.

    ``reached`` is False when the cap or an interrupt came first; ``needed`` is then about how many games it would take.
    """

    target: Target
    cap: int
    looks: int
    widest: str
    half_width: float
    reached: bool
    needed: int | None


def target(asked: str, metric: str | None, declared: Sequence[Metric]) -> Target:
    """What ``asked``, such as ``0.2pp``, means for a metric, or without one for all endings.

    Raises UserError for what is no half-width, for unknown metrics and for a half-width in the wrong unit.
    """
    rows = _rows(metric, declared)
    unit = declared[rows[0]].unit
    found = _PRECISION.fullmatch(asked.strip()) if isinstance(asked, str) else None
    if found is None:
        raise UserError(f"precision: {shortened(repr(asked), 80)} is no half-width; write for example {_example(unit)}")
    number, points = float(found[1]), found[2] is not None
    name = metric or "the rate of an ending"
    if points != (unit == SHARE):
        counted = "a share, and its half-width is in percentage points" if unit == SHARE else f"counted in {unit}"
        raise UserError(f"precision: {asked!r}, but {name} is {counted}; write for example {_example(unit)}")
    half_width = number / 100 if points else number
    if not 0 < half_width < (0.5 if points else math.inf):
        raise UserError(f"precision: {asked!r} is out of range; a half-width is above 0{' and below 50pp' * points}")
    pseudo = max(LEAST_PSEUDO_GAMES, PSEUDO_SHARE / half_width**2) if points else PSEUDO_GAMES
    return Target(f"{found[1]}{found[2] or ''}", half_width, metric, pseudo)


def _rows(metric: str | None, declared: Sequence[Metric]) -> tuple[int, ...]:
    names = [row.name for row in declared]
    if metric is None:
        return tuple(i for i, row in enumerate(declared) if row.group == ENDING)
    if metric not in names:
        raise unknown("metric", str(metric), names)
    return (names.index(metric),)


def _example(unit: str) -> str:
    return "0.2pp (percentage points)" if unit == SHARE else f"0.5 (in {unit})"


def looks(cap: int) -> Iterator[int]:
    """The numbers of games after which they are looked at; the last is the cap."""
    games = 0
    while games < cap:
        step = games // LOOKS_PER_TENFOLD // FIRST_LOOK * FIRST_LOOK
        games = min(cap, games + max(FIRST_LOOK, step))
        yield games


def play(
    session: Session,
    declared: Sequence[Metric],
    examples_count: int,
    seed: int,
    cap: int,
    threads: int,
    wanted: Target,
    chunk: int = batch.CHUNK,
    progress: batch.Progress | None = None,
) -> tuple[Tallies, batch.Outcome, Reached]:
    """Plays games 0, 1, … until the interval of each target metric has at most the half-width, or the cap is reached.

    ``progress`` is called with the games played and those that are expected to be needed. An interrupt ends play with
    what was played. Otherwise as ``batch.play``.
    """
    run = _Run(Tallies.empty(len(declared), examples_count), cap)
    try:
        for look in looks(cap):
            before = run.tallies.games
            games = look - before
            part, outcome = batch.play(
                session, len(declared), examples_count, seed, games, threads, before,
                max(1, min(chunk, games // (CHUNKS_PER_THREAD * threads))),
                batch.onwards(progress, before, run.expected(wanted)),
            )  # fmt: skip
            run.add(part, outcome, wanted, declared)
            if run.interrupted or run.half_width <= wanted.half_width:
                break
    except KeyboardInterrupt:  # between two looks
        run.interrupted = True
    reached = not run.interrupted and run.half_width <= wanted.half_width
    needed = None if reached or run.interrupted else _needed(run.tallies.games, run.half_width, wanted)
    end = Reached(wanted, cap, run.looks, run.widest, run.half_width, reached, needed)
    return run.tallies, batch.Outcome(run.seconds, run.interrupted), end


@dataclass
class _Run:
    """What has been played so far, and how exactly the widest target metric is known."""

    tallies: Tallies
    cap: int
    seconds: float = 0.0
    looks: int = 0
    widest: str = ""
    half_width: float = math.inf
    interrupted: bool = False

    def add(self, part: Tallies, outcome: batch.Outcome, wanted: Target, declared: Sequence[Metric]) -> None:
        """Adds the games up to a look, and looks. The tallies are replaced in one step, whenever Ctrl-C comes."""
        total = Tallies.empty(*(len(rows) for rows in (self.tallies.sums, self.tallies.examples)))
        total.add(self.tallies)
        total.add(part)
        self.tallies = total
        self.seconds += outcome.seconds
        self.looks += 1
        self.interrupted = outcome.interrupted
        self.widest, self.half_width = widest_of(wanted, declared, total.sums)

    def expected(self, wanted: Target) -> int:
        """About how many games it will be in all."""
        return min(self.cap, _needed(self.tallies.games, self.half_width, wanted) or self.cap)


def widest_of(wanted: Target, declared: Sequence[Metric], sums: np.ndarray) -> tuple[str, float]:
    """The target metric with the widest interval and its half-width; one of unknown limits is wider than any other."""
    halves = {declared[i].name: _half_width(interval(wanted, declared[i], sums[i])) for i in wanted.rows(declared)}
    name = max(halves, key=lambda name: halves[name])
    return name, halves[name]


def interval(wanted: Target, metric: Metric, sums: np.ndarray) -> Interval:
    """The interval of a metric that holds at all looks."""
    return anytime_interval([int(s) for s in sums], bounded=metric.unit == SHARE, pseudo_games=wanted.pseudo_games)


def _half_width(found: Interval) -> float:
    return math.inf if math.isnan(found.low) else (found.high - found.low) / 2


def _needed(games: int, half: float, wanted: Target) -> int | None:
    """About how many games it takes in all: widths shrink like 1 / √games."""
    if math.isinf(half) or math.isnan(half):
        return None
    return math.ceil(games * (half / wanted.half_width) ** 2)
