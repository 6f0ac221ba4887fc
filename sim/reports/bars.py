"""Tables of rates in which each has a bar, as far as the terminal has room for one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from sim.reports.listing import readable

LEAST_WIDTH, MOST_WIDTH = 10, 30
"""Characters of a bar: below the least there is none."""

GAP = 2
"""Characters between columns."""

UNLIMITED = 10_000

SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""What the whole width may stand for: each table takes the smallest that all its intervals fit in."""


class Glyphs(NamedTuple):
    """The characters up to the interval, in it up to the rate, and in it above the rate."""

    solid: str
    below: str
    above: str


BLOCKS, ASCII = Glyphs("█", "▓", "░"), Glyphs("#", "=", "-")


class Rate(NamedTuple):
    """A rate and its limits, 0 … 1."""

    low: float
    estimate: float
    high: float


@dataclass
class RateTable:
    """A table whose first column is text and whose others are numbers, with bars for the rows that have a rate."""

    columns: Sequence[str]
    keep_whole: bool = True
    legend: bool = False
    rows: list[tuple[Sequence[str], Rate | None]] = field(default_factory=list)

    def add(self, cells: Sequence[str], rate: Rate | None) -> None:
        """Adds a row; a rate that is not known (nan) has no bar."""
        self.rows.append((cells, None if rate is None or math.isnan(rate.low) else rate))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self._table()
        needed = Measurement.get(console, options.update(width=UNLIMITED), table).maximum
        width = min(MOST_WIDTH, options.max_width - needed - GAP)
        rates = [rate for _, rate in self.rows if rate is not None]
        if width < LEAST_WIDTH or not rates:
            yield table
            return
        glyphs = BLOCKS if _can_show(console.encoding, BLOCKS) else ASCII
        top = scale(rates)
        bars = [bar(rate, top, width, glyphs) if rate is not None else "" for _, rate in self.rows]
        yield self._table((axis(top, width), bars))
        if self.legend:
            yield Text(
                f"Bars: {glyphs.solid} up to the interval, {glyphs.below} in it up to the rate,"
                f" {glyphs.above} in it above the rate",
                style="dim",
            )

    def _table(self, bars: tuple[str, Sequence[str]] | None = None) -> Table:
        table = Table(box=None, padding=(0, GAP, 0, 0))
        for k, column in enumerate(self.columns):
            table.add_column(column, justify="right" if k else "left")
        if bars is not None:
            table.add_column(bars[0], style="cyan", no_wrap=True)
        for k, (cells, _) in enumerate(self.rows):
            added: tuple[Any, ...] = () if bars is None else (bars[1][k],)
            table.add_row(*cells, *added)
        return readable(table) if self.keep_whole else table


def scale(rates: Sequence[Rate]) -> float:
    """The rate at the right end of the bars of a table."""
    highest = max(rate.high for rate in rates)
    return next((top for top in SCALES if highest <= top), 1.0)


def axis(top: float, width: int) -> str:
    """The heading over bars: what their ends stand for."""
    return f"0{f'{100 * top:.0f} %':>{width - 1}}"


def bar(rate: Rate, top: float, width: int, glyphs: Glyphs) -> str:
    """A bar as long as the rate, its interval drawn in it; an interval has at least one character."""
    low, middle, high = (width * min(value, top) / top for value in rate)
    first = min(round(low), width - 1)
    last = max(first + 1, round(high))
    split = min(last, max(first + 1, round(middle)))
    return glyphs.solid * first + glyphs.below * (split - first) + glyphs.above * (last - split)


def _can_show(encoding: str, glyphs: Glyphs) -> bool:
    try:
        "".join(glyphs).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
