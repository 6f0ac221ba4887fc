"""The chart of a run: endings, teams and roles with their intervals, and the funnels of the game."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.errors import UserError, nearest
from sim.files import check_writable, write_whole
from sim.game import SHARE, Metric
from sim.reports.bars import Rate, scale
from sim.reports.look import BLUE, GREEN, INK, ORANGE, PURPLE, clean, interval, look, png, svg
from sim.reports.numbers import percent, quantity
from sim.reports.summary import again, heading
from sim.services.result import MetricRow, Result
from sim.services.statistics import LEVEL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
OPTION = "--plot"

WIDTH = 10.0
ROW, STEP, PANEL, TOP, BOTTOM = 0.27, 0.42, 0.72, 0.85, 0.55
"""Inches: the chart; the heights of a row, of a step of a funnel and of what a panel has besides; the margins."""

LEFT, RIGHT = 0.25, 0.56
"""Shares of the width: where the axes begin and end; left of them stand the names, right of them the numbers."""

LABEL_WIDTH, NUMBERS_WIDTH = 36, 80
"""Characters of a line left and right of a funnel."""

COMMAND_WIDTH = 112
"""Characters of the command that fit on a line."""


class Line(NamedTuple):
    """A row of a panel: what it is, its rate, and the numbers beside it, smaller ones under them."""

    name: str
    rate: Rate
    text: str
    more: str = ""


class Panel(NamedTuple):
    """Rows under a title; ``is_road``: the steps of a funnel, not rates with intervals."""

    title: str
    lines: Sequence[Line]
    colour: str
    is_road: bool = False

    @property
    def height(self) -> float:
        """Inches, with its title and axis."""
        return PANEL + len(self.lines) * (STEP if self.is_road else ROW)


def check(path: Path) -> None:
    """Raises UserError unless a chart can be written there. To be called before games are played."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        close = nearest(suffix, SUFFIXES) or SUFFIXES
        has = f"{suffix!r} is no kind of picture that is drawn" if suffix else "the name has no ending"
        raise UserError(f"{OPTION}: {path}: {has}; write {' or '.join(f'{path.stem}{s}' for s in close)}")
    check_writable(path, OPTION)


def draw(result: Result, title: str, options: str, path: Path) -> None:
    """Writes the chart; the same result gives the same bytes.

    ``title`` names the game, ``options`` give the set-up on the command line, as for ``summary``. Raises UserError.
    """
    with look():
        figure = _figure(result, title, options)
        content = svg(figure) if path.suffix.lower() == ".svg" else png(figure)
    write_whole(path, content)


def _figure(result: Result, title: str, options: str) -> Figure:
    from matplotlib.figure import Figure

    roads = _roads(result)
    panels = [*_panels(result), *roads]
    # Funnels have one scale, so that their steps can be compared.
    longest = max((line.rate.high for road in roads for line in road.lines), default=0)
    what, changed, who = heading(result, title)
    under = [*textwrap.wrap(changed, COMMAND_WIDTH), f"{_played(result)}  ·  {who}"]
    command = _broken(again(result, options))
    above, below = TOP + 0.2 * (len(under) - 1), BOTTOM + 0.17 * (len(command) - 1)
    height = above + below + sum(panel.height for panel in panels)
    figure = Figure(figsize=(WIDTH, height))

    def write(text: str, inches_down: float, **style: Any) -> None:
        figure.text(0.02, 1 - inches_down / height, text, color=INK, va="center", **style)

    write(what, 0.28, fontsize=14, fontweight="bold")
    for k, line in enumerate(under):
        write(line, 0.6 + 0.2 * k, fontsize=9)
    for k, line in enumerate(command):
        write(line, height - below + 0.35 + 0.17 * k, fontsize=7.5, family="DejaVu Sans Mono")
    down = above
    for panel in panels:
        inner = panel.height - PANEL
        bottom = 1 - (down + 0.3 + inner) / height
        axes = figure.add_axes((LEFT, bottom, RIGHT - LEFT, inner / height))
        _draw(axes, panel, longest * 1.02 if panel.is_road else scale(_known(panel)))
        down += panel.height
    return figure


def _broken(command: str) -> list[str]:
    """The lines of a command; an option and its value stay together."""
    joined = re.sub(r"(--[a-z-]+) ", "\\1\N{NO-BREAK SPACE}", command)
    lines = textwrap.wrap(joined, COMMAND_WIDTH, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _played(result: Result) -> str:
    games = f"{result.tallies.games:,} games of seed {result.seed}"
    interrupted = f" (interrupted: {result.games_asked:,} were asked for)" if result.partial else ""
    kind = "anytime-valid intervals" if result.precision is not None else "intervals"
    return f"{games}{interrupted}, {100 * LEVEL:.0f} % {kind}"


def _panels(result: Result) -> list[Panel]:
    endings = [
        Line(row.name, Rate(row.low, row.rate, row.high), _rate(row.count, result.tallies.games, row))
        for row in result.endings
    ]
    found = [Panel("How games end, share of all games", endings, BLUE)]
    for group, name, colour in (
        ("team", "Teams, won by a member", GREEN),
        ("role", "Roles as dealt, share that won", PURPLE),
    ):
        rows = [row for row in result.win_rates if row.group == group and row.n > 0]
        lines = [Line(row.name, Rate(row.low, row.rate, row.high), _rate(row.wins, row.n, row)) for row in rows]
        if lines:
            found.append(Panel(name, lines, colour))
    return found


def _rate(count: int, n: int, row: Any) -> str:
    value, limits = percent(count, n, row.rate, row.low, row.high)
    return f"{value}   ({limits})"


def _roads(result: Result) -> list[Panel]:
    """The funnels in which anybody got beyond the first step."""
    counted = {row.name: (row, metric) for row, metric in zip(result.metrics, result.declared, strict=True)}
    found = []
    for name, steps in result.funnels.items():
        taken = [counted[step] for step in steps]
        if any(row.numerator for row, _ in taken[1:]):
            lines = [_step(row, metric, result.tallies.games) for row, metric in taken]
            found.append(Panel(name, lines, ORANGE, is_road=True))
    return found


def _step(row: MetricRow, metric: Metric, games: int) -> Line:
    """How often a hundred games come so far, and of what this is how large a part."""
    often = row.numerator / games
    if row.denominator == 0:
        more = ""
    elif row.numerator == 0 and row.unit != SHARE:
        more = f"over {row.denominator:,} {metric.denominator}"
    elif row.unit == SHARE:
        share, limits = percent(row.numerator, row.denominator, row.estimate, row.low, row.high)
        more = f"{share} ({limits}) of {row.denominator:,} {metric.denominator}"
    else:
        mean, limits = quantity(row.estimate, row.low, row.high)
        more = f"{mean} ({limits}) over {row.denominator:,} {metric.denominator}"
    return Line(
        metric.numerator, Rate(often, often, often), f"{100 * often:,.3g} in 100 games" if often else "never", more
    )


def _known(panel: Panel) -> list[Rate]:
    return [line.rate for line in panel.lines if not math.isnan(line.rate.low)]


def _draw(axes: Axes, panel: Panel, top: float) -> None:
    """A panel: rows from top to bottom, names on the left, numbers on the right, percent along the bottom."""
    axes.set_title(panel.title, loc="left", fontsize=10, fontweight="bold", color=INK, x=0.0)
    axes.set_xlim(0, 100 * top)
    axes.set_ylim(len(panel.lines) - 0.5, -0.5)
    axes.set_yticks(range(len(panel.lines)), [textwrap.fill(line.name, LABEL_WIDTH) for line in panel.lines])
    clean(axes, "x")
    axes.tick_params(axis="y", length=0, pad=9, labelsize=8 if panel.is_road else 9)
    axes.xaxis.set_major_formatter("{x:g}" if panel.is_road else "{x:g} %")
    if panel.is_road:
        axes.set_xlabel("in 100 games", fontsize=8)
    for k, line in enumerate(panel.lines):
        _row(axes, panel, k, line)


def _row(axes: Axes, panel: Panel, k: int, line: Line) -> None:
    low, middle, high = (100 * value for value in line.rate)
    if panel.is_road:
        axes.barh(k, middle, height=0.6, color=panel.colour)
    elif not math.isnan(low):
        # What was never seen, or always, has an open point: it is a bound.
        interval(axes, k, (low, high), middle, panel.colour, filled=0 < middle < 100)
    place: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "color": INK, "clip_on": False}
    if line.more:
        axes.text(1.03, k - 0.22, line.text, fontsize=9, va="center_baseline", **place)
        more = textwrap.shorten(line.more, NUMBERS_WIDTH, placeholder=" …")
        axes.text(1.03, k + 0.2, more, fontsize=7, va="center_baseline", **place)
    else:
        axes.text(1.03, k, line.text, fontsize=9, va="center_baseline", **place)
