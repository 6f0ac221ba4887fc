"""What a run of one set-up found: endings, win rates and metrics with intervals, as rows, JSON and a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.game import ENDING, SHARE, Metric, Rules, Tallies, X, Y
from sim.services import precision
from sim.services.precision import Reached
from sim.services.statistics import LEVEL, ratio_interval

if TYPE_CHECKING:
    import pandas

SCHEMA = 1
"""Version of the JSON object; raised when a key changes its meaning or goes."""

WIN_RATE = "win_rate"
"""First part of the metrics ``win_rate.<group>.<name>``."""

GAME, TURNS = "game", "turns"
"""Group and unit of what is counted in turns over whole games."""

TURN_SECONDS = 30.0
"""How long a turn takes at a table, unless the user knows better."""

WIN_GROUPS = ("role", "team", "character", "seat")
"""Groups of the win rates."""


@dataclass(frozen=True)
class MetricRow:
    """One metric: ``estimate`` = ``numerator`` / ``denominator``, both summed over the games, and its limits."""

    name: str
    group: str
    unit: str
    numerator: int
    denominator: int
    estimate: float
    low: float
    high: float
    method: str


@dataclass(frozen=True)
class EndingRow:
    """In how many games (``count``) and at what rate games ended like this."""

    name: str
    count: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class WinRow:
    """How often (``wins`` of ``n``) a role, team, character or seat won; ``n`` counts each player who had it."""

    group: str
    name: str
    n: int
    wins: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class MinutesRow:
    """A metric that counts turns, in minutes."""

    name: str
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """A run of one set-up.

    ``command`` and ``version`` are those of the program, ``strategies`` the names by role (``default`` included).
    ``declared`` holds the metrics of the rows of ``tallies.sums``, ``ending_names`` and then ``moment_names`` those of
    ``tallies.examples``, ``notes`` what in the rules is assumed, ``funnels`` the roads of ``Game.funnels``.
    ``precision`` tells how a run ended that was to go on until a rate was known: all intervals then hold at any time.
    """

    command: str
    version: str
    game: str
    rules: Rules
    strategies: Mapping[str, str]
    seed: int
    games_asked: int
    tallies: Tallies
    declared: Sequence[Metric]
    ending_names: Sequence[str]
    seconds: float
    moment_names: Sequence[str] = ()
    notes: Sequence[str] = ()
    funnels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    precision: Reached | None = None

    @property
    def partial(self) -> bool:
        """True when the run was interrupted before all games were played."""
        return self.tallies.games < self.games_asked

    @property
    def games_per_s(self) -> float:
        """Games a second; nan when no time has passed."""
        return self.tallies.games / self.seconds if self.seconds > 0 else math.nan

    @cached_property
    def metrics(self) -> tuple[MetricRow, ...]:
        """Every metric, in the order of the declaration; endings and win rates are among them."""
        pairs = zip(self.declared, self.tallies.sums, strict=True)
        return tuple(_row(metric, sums, self.precision) for metric, sums in pairs)

    @property
    def endings(self) -> tuple[EndingRow, ...]:
        """The endings in the order of the game."""
        rows = {row.name: row for row in self.metrics if row.group == ENDING}
        return tuple(_ending(name, rows[f"{ENDING}.{name}"]) for name in self.ending_names)

    @property
    def win_rates(self) -> tuple[WinRow, ...]:
        """The rates of winning by role, team, character and seat."""
        return tuple(_win(row) for row in self.metrics if row.group in WIN_GROUPS)

    @property
    def examples(self) -> dict[str, list[int]]:
        """For each ending and moment the lowest game numbers that had it, at most ``EXAMPLES_KEPT``."""
        pairs = zip((*self.ending_names, *self.moment_names), self.tallies.examples, strict=True)
        return {name: [int(game) for game in games if game >= 0] for name, games in pairs}

    @property
    def never(self) -> dict[str, dict[str, list[str]]]:
        """Of metrics named ``kind.thing.figure``, by group and figure: the things that it never happened to.

        A thing to which it could not happen, for another figure already says so, is left out.
        """
        found: dict[str, dict[str, list[str]]] = {}
        for row in self.metrics:
            if row.name.count(".") == 2 and row.group not in WIN_GROUPS:
                _, thing, figure = row.name.split(".")
                things = found.setdefault(row.group, {}).setdefault(figure, [])
                if row.numerator == 0 and row.denominator > 0:
                    things.append(thing)
        return found

    def minutes(self, turn_seconds: float = TURN_SECONDS) -> tuple[MinutesRow, ...]:
        """What is counted in turns over whole games, in minutes, when a turn takes so many seconds."""
        return tuple(
            MinutesRow(row.name, *(value * turn_seconds / 60 for value in (row.estimate, row.low, row.high)))
            for row in self.metrics
            if (row.group, row.unit) == (GAME, TURNS)
        )

    def to_json(self, turn_seconds: float = TURN_SECONDS) -> dict[str, Any]:
        """The object that ``--json`` prints (schema 1); what is not known is null.

        Keys that only some results have: ``partial`` (true) and ``games_asked`` when it was interrupted; ``notes`` for
        rules with assumptions; ``precision`` for a run until a rate was known (see ``_json_precision``); ``minutes``
        (``turn_seconds``, and ``metrics`` with name, estimate, low, high) where turns are counted; ``never`` (by group
        and figure the names of cards) where cards are.
        """
        minutes = [_json_row(row) for row in self.minutes(turn_seconds)]
        tallies = self.tallies
        notes = {"notes": list(self.notes)} if self.notes else {}
        asked = {"partial": True, "games_asked": self.games_asked} if self.partial else {}
        return {
            "schema": SCHEMA,
            "command": self.command,
            "version": self.version,
            "game": self.game,
            "rules": json_rules(self.rules),
            "strategies": dict(self.strategies),
            "seed": self.seed,
            "games": tallies.games,
            **asked,
            **notes,
            **({"precision": _json_precision(self.precision)} if self.precision is not None else {}),
            "unfinished": tallies.unfinished,
            "illegal": tallies.illegal,
            "seconds": self.seconds,
            "games_per_s": json_value(self.games_per_s),
            "endings": [_json_row(row) for row in self.endings],
            "win_rate": [_json_row(row) for row in self.win_rates],
            "metrics": [_json_row(row, leave_out=("group", "unit")) for row in self.metrics],
            **({"minutes": {"turn_seconds": turn_seconds, "metrics": minutes}} if minutes else {}),
            **({"never": self.never} if self.never else {}),
            "examples": self.examples,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """A tidy table, one row a metric, with the fields of ``MetricRow`` as columns."""
        import pandas

        return pandas.DataFrame([asdict(row) for row in self.metrics], columns=list(MetricRow.__dataclass_fields__))


def _row(metric: Metric, sums: np.ndarray, reached: Reached | None) -> MetricRow:
    if reached is None:
        interval = ratio_interval([int(s) for s in sums], bounded=metric.unit == SHARE)
    else:
        interval = precision.interval(reached.target, metric, sums)
    counts = int(sums[Y]), int(sums[X])
    return MetricRow(metric.name, metric.group, metric.unit, *counts, **asdict(interval))


def _ending(name: str, row: MetricRow) -> EndingRow:
    return EndingRow(name, row.numerator, row.estimate, row.low, row.high)


def _win(row: MetricRow) -> WinRow:
    name = row.name.removeprefix(f"{WIN_RATE}.{row.group}.")
    return WinRow(row.group, name, row.denominator, row.numerator, row.estimate, row.low, row.high)


def _json_precision(reached: Reached) -> dict[str, Any]:
    """How a run until a rate was known has ended.

    ``asked`` is what the user wrote, ``metric`` null for all endings; ``half_width`` is that of the ``widest`` of them,
    ``target`` what it was to be, both in the unit of the metric (0.002 is 0.2 percentage points); ``games_needed`` is
    about how many games it would have taken.
    """
    return {
        "asked": reached.target.asked,
        "metric": reached.target.metric,
        "target": reached.target.half_width,
        "reached": reached.reached,
        "widest": reached.widest,
        "half_width": json_value(reached.half_width),
        "level": LEVEL,
        "intervals": "anytime-valid",
        "looks": reached.looks,
        "most_games": reached.cap,
        "games_needed": reached.needed,
    }


def json_rules(rules: Rules) -> dict[str, Any]:
    """Every parameter with its value, defaults included; preset and expansions first."""
    values = {name: json_value(value) for name, value in rules.values.items()}
    return {"preset": rules.preset, "expansions": list(rules.expansions), **values}


def _json_row(row: EndingRow | WinRow | MetricRow | MinutesRow, leave_out: Sequence[str] = ()) -> dict[str, Any]:
    return {name: json_value(value) for name, value in asdict(row).items() if name not in leave_out}


def json_value(value: Any) -> Any:
    """The value as JSON has it: plain numbers, paths as text, and null for what is not finite."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Path):
        return value.as_posix()
    return None if isinstance(value, float) and not math.isfinite(value) else value
