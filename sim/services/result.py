"""What a run of one set-up found: endings, win rates and metrics with intervals, as rows, JSON and a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.game import Metric, Rules, Tallies, X, Y
from sim.services.statistics import ratio_interval

if TYPE_CHECKING:
    import pandas

SCHEMA = 1
"""Version of the JSON object; raised when a key changes its meaning or goes."""

ENDING = "ending"
"""Group of the metrics ``ending.<name>``."""

WIN_RATE = "win_rate"
"""First part of the metrics ``win_rate.<group>.<name>``."""

WIN_GROUPS = ("role", "team", "character", "seat")
"""Groups of the win rates."""

SHARE = "share"
"""Unit of a metric that is a part of a whole: in each game 0 ≤ numerator ≤ denominator."""


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """A run of one set-up.

    ``command`` and ``version`` are those of the program, ``strategies`` the names by role (``default`` included).
    ``declared`` holds the metrics of the rows of ``tallies.sums``, ``ending_names`` and then ``moment_names`` those of
    ``tallies.examples``, ``notes`` what in the rules is assumed.
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
        return tuple(_row(metric, sums) for metric, sums in zip(self.declared, self.tallies.sums, strict=True))

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

    def to_json(self) -> dict[str, Any]:
        """The object that ``--json`` prints (schema 1); what is not known is null.

        An interrupted run has two keys more: ``partial`` (true) and ``games_asked``; rules with assumptions have
        ``notes``.
        """
        tallies = self.tallies
        notes = {"notes": list(self.notes)} if self.notes else {}
        asked = {"partial": True, "games_asked": self.games_asked} if self.partial else {}
        return {
            "schema": SCHEMA,
            "command": self.command,
            "version": self.version,
            "game": self.game,
            "rules": _json_rules(self.rules),
            "strategies": dict(self.strategies),
            "seed": self.seed,
            "games": tallies.games,
            **asked,
            **notes,
            "unfinished": tallies.unfinished,
            "illegal": tallies.illegal,
            "seconds": self.seconds,
            "games_per_s": _json_value(self.games_per_s),
            "endings": [_json_row(row) for row in self.endings],
            "win_rate": [_json_row(row) for row in self.win_rates],
            "metrics": [_json_row(row, leave_out=("group", "unit")) for row in self.metrics],
            "examples": self.examples,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """A tidy table, one row a metric, with the fields of ``MetricRow`` as columns."""
        import pandas

        return pandas.DataFrame([asdict(row) for row in self.metrics], columns=list(MetricRow.__dataclass_fields__))


def _row(metric: Metric, sums: np.ndarray) -> MetricRow:
    bounded = metric.unit == SHARE
    interval = ratio_interval([int(s) for s in sums], bounded=bounded)
    counts = int(sums[Y]), int(sums[X])
    return MetricRow(metric.name, metric.group, metric.unit, *counts, **asdict(interval))


def _ending(name: str, row: MetricRow) -> EndingRow:
    return EndingRow(name, row.numerator, row.estimate, row.low, row.high)


def _win(row: MetricRow) -> WinRow:
    name = row.name.removeprefix(f"{WIN_RATE}.{row.group}.")
    return WinRow(row.group, name, row.denominator, row.numerator, row.estimate, row.low, row.high)


def _json_rules(rules: Rules) -> dict[str, Any]:
    """Every parameter with its value, defaults included; preset and expansions first."""
    values = {name: _json_value(value) for name, value in rules.values.items()}
    return {"preset": rules.preset, "expansions": list(rules.expansions), **values}


def _json_row(row: EndingRow | WinRow | MetricRow, leave_out: Sequence[str] = ()) -> dict[str, Any]:
    return {name: _json_value(value) for name, value in asdict(row).items() if name not in leave_out}


def _json_value(value: Any) -> Any:
    """The value as JSON has it: plain numbers, paths as text, and null for what is not finite."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Path):
        return value.as_posix()
    return None if isinstance(value, float) and not math.isfinite(value) else value
