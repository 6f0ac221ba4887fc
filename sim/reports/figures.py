"""The charts of a report, each in any width: intervals in rows, lines with bands, and the steps of a funnel.

In a narrow chart names stand above their rows, not beside them. Lengths are inches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.reports.frames import (
    AXIS,
    LETTER,
    LINE,
    MARGIN,
    WIDE,
    Frame,
    Scale,
    beside,
    canvas,
    key,
    place,
    shorten,
    write,
)
from sim.reports.look import DASHES, FAINT, GREY, INK, MARKERS, PAPER, SERIES, clean, interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 0.12
NAMES, NUMBERS = 2.9, 2.7
"""The most room for names beside rows, and for numbers."""

ROW, HIGH_ROW, HEADING = 0.27, 0.44, 0.34
MOST_TICKS = 12

NOTED = 0.72
"""Right of lines, where the target and the baseline are named."""

CLOSE = 0.1
"""Two such names closer than this part of the axis would lie over each other."""


class Row(NamedTuple):
    """An estimate between its limits, its name and its numbers; an open point is a bound, or not clear."""

    name: str
    low: float
    middle: float
    high: float
    text: str
    filled: bool = True


class Block(NamedTuple):
    """Rows under a heading; no heading if there is no text."""

    heading: str
    rows: Sequence[Row]


class Series(NamedTuple):
    """A line: places along the axis, and estimates between limits."""

    name: str
    x: Sequence[float]
    low: Sequence[float]
    middle: Sequence[float]
    high: Sequence[float]


class Step(NamedTuple):
    """A step of a funnel: its name, how often in 100 games each series comes so far, and the numbers beside it."""

    name: str
    often: Sequence[float]
    texts: Sequence[str]


def dots(frame: Frame, blocks: Sequence[Block], scale: Scale) -> Figure:
    """Estimates with intervals, a row each."""
    rows = [row for block in blocks for row in block.rows]
    names_wide = min(NAMES, LETTER * max(len(row.name) for row in rows))
    numbers_wide = min(NUMBERS, LETTER * max(len(row.text) for row in rows))
    high = _row_height(frame, rows)
    inner = sum(len(block.rows) * high + (HEADING if block.heading else 0) for block in blocks)
    figure = canvas(frame, MARGIN + inner + AXIS)
    left = MARGIN + (0.05 if frame.is_narrow else names_wide + GAP)
    right = 0.1 if frame.is_narrow else numbers_wide + GAP
    axes = place(figure, left, frame.top, frame.width - left - right - MARGIN, inner)
    _prepare(axes, scale, [value for row in rows for value in row[1:4]])
    axes.set_ylim(inner, 0)
    axes.set_yticks([])
    down = 0.0
    for block in blocks:
        if block.heading:
            beside(axes, down + HEADING / 2, block.heading, -left + MARGIN, fontweight="bold")
            down += HEADING
        for row in block.rows:
            _row(axes, row, scale.factor, down, high, frame, left)
            down += high
    return figure


def _row_height(frame: Frame, rows: Sequence[Row]) -> float:
    """In a narrow chart name and numbers share a line, or have one each where that is too short for any of them."""
    if not frame.is_narrow:
        return ROW
    letters = max(len(row.name) + len(row.text) for row in rows) + 2
    return HIGH_ROW if letters * LETTER < frame.width - 2 * MARGIN else HIGH_ROW + LINE


def _prepare(axes: Axes, scale: Scale, values: Sequence[float]) -> None:
    axes.set_xlim(*scale.limits(values))
    clean(axes, "x")
    axes.xaxis.set_major_formatter(scale.tick)
    axes.locator_params(axis="x", nbins=5 if axes.get_figure().get_size_inches()[0] < WIDE else 7)  # type: ignore[union-attr]
    axes.set_xlabel(scale.name, fontsize=8)
    if scale.signed:
        axes.axvline(0, color=INK, linewidth=1)
    if scale.target is not None:
        axes.axvline(scale.factor * scale.target, color=INK, linewidth=1.2, linestyle=(0, (4, 2)))


def _row(axes: Axes, row: Row, factor: float, down: float, high: float, frame: Frame, left: float) -> None:
    middle = down + (high - 0.13 if frame.is_narrow else 0.5 * high)
    if not math.isnan(row.low):
        interval(axes, middle, (factor * row.low, factor * row.high), factor * row.middle, SERIES[0], row.filled)
    if not frame.is_narrow:
        beside(axes, middle, shorten(row.name, NAMES), -GAP, ha="right")
        beside(axes, middle, row.text, GAP, at_end=True)
        return
    # Above the marks there are the lines of the grid, which names and numbers hide.
    style: dict[str, Any] = {"bbox": {"facecolor": PAPER, "edgecolor": "none", "pad": 2.5}}
    beside(axes, down + 0.13, shorten(row.name, frame.width - 2 * MARGIN), MARGIN - left, **style)
    if high > HIGH_ROW:
        beside(axes, down + 0.13 + LINE, row.text, MARGIN - left, **style)
    else:
        beside(axes, down + 0.13, row.text, 0.0, at_end=True, ha="right", **style)


def lines(
    frame: Frame, series: Sequence[Series], across: str, scale: Scale, baseline: Series | None = None,
    joined: bool = True,
) -> Figure:  # fmt: skip
    """Estimates along a setting, each line with the band of its interval; unjoined points have bars instead.

    ``baseline``: what the same metric is in the baseline.
    """
    names = [one.name for one in series]
    legend = LINE * len(names) + 0.05 if len(names) > 1 else 0.0
    inner = 2.4 if frame.is_narrow else 2.9
    figure = canvas(frame, MARGIN + legend + inner + AXIS + 0.28)
    left = 0.62
    right = NOTED if baseline is not None or scale.target is not None else 0.25
    axes = place(figure, left, frame.top + legend + 0.28, frame.width - left - right, inner)
    write(figure, MARGIN, frame.top + legend + 0.08, scale.name, fontsize=8)
    key(figure, frame, names, lined=joined)
    shown = [*series, *([baseline] if baseline is not None else [])]
    values = [value for one in shown for part in (one.low, one.middle, one.high) for value in part]
    axes.set_ylim(*scale.limits(values))
    clean(axes, "y")
    axes.yaxis.set_major_formatter(scale.tick)
    axes.set_xlabel(across, fontsize=8)
    places = sorted({x for one in series for x in one.x})
    if len(places) <= MOST_TICKS:
        axes.set_xticks(places, [f"{x:g}" for x in places])
    for k, one in enumerate(series):
        _line(axes, one, k, scale, joined)
    _marks(axes, scale, baseline)
    return figure


def _marks(axes: Axes, scale: Scale, baseline: Series | None) -> None:
    """Lines at the baseline and at the target, with their names."""
    marks: list[tuple[float, str, str, Any]] = []
    if baseline is not None:
        marks.append((scale.factor * baseline.middle[-1], f"baseline\n{baseline.name}", GREY, ":"))
    if scale.target is not None:
        marks.append((scale.factor * scale.target, "target", INK, (0, (4, 2))))
    low, high = axes.get_ylim()
    heights = sorted(y for y, *_ in marks)
    close = len(heights) > 1 and heights[1] - heights[0] < CLOSE * (high - low)
    for y, text, colour, line in marks:
        axes.axhline(y, color=colour, linestyle=line, linewidth=1.3)
        va = "center" if not close else "top" if y == heights[0] else "bottom"
        axes.annotate(
            text, (1, y), xycoords=axes.get_yaxis_transform(), xytext=(4, 0), textcoords="offset points", va=va,
            fontsize=8, annotation_clip=False,
        )  # fmt: skip


def _line(axes: Axes, one: Series, k: int, scale: Scale, joined: bool) -> None:
    colour, marker = SERIES[k % len(SERIES)], MARKERS[k % len(MARKERS)]
    low, middle, high = ([scale.factor * y for y in part] for part in (one.low, one.middle, one.high))
    if joined:
        axes.fill_between(one.x, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(one.x, middle, color=colour, linestyle=DASHES[k % len(DASHES)], linewidth=1.8)
    else:
        axes.vlines(one.x, low, high, color=colour, linewidth=1.6)
    axes.plot(one.x, middle, marker, color=colour, markersize=5, clip_on=False)


def steps(frame: Frame, rows: Sequence[Step], names: Sequence[str]) -> Figure:
    """The steps of a funnel from top to bottom, a bar for each series: how often in 100 games it comes so far."""
    count = max(1, len(names))
    bar = 0.15 if count > 1 else 0.2
    high = bar * count + (0.46 if frame.is_narrow or count > 1 else 0.3)
    legend = LINE * len(names) + 0.05 if len(names) > 1 else 0.0
    inner = high * len(rows)
    figure = canvas(frame, MARGIN + legend + inner + AXIS)
    left, right = MARGIN + 0.05, 0.95
    axes = place(figure, left, frame.top + legend, frame.width - left - right, inner)
    key(figure, frame, names, lined=False)
    axes.set_ylim(inner, 0)
    axes.set_xlim(0, 1.02 * max((value for row in rows for value in row.often), default=1.0) or 1.0)
    axes.set_yticks([])
    clean(axes, "x")
    axes.set_xlabel("in 100 games", fontsize=8)
    for k, row in enumerate(rows):
        beside(axes, k * high + 0.12, shorten(row.name, frame.width - 2 * MARGIN), 0.0)
        for s, (often, text) in enumerate(zip(row.often, row.texts, strict=True)):
            y = k * high + 0.24 + bar * (s + 0.5)
            axes.barh(y, often, height=0.85 * bar, color=SERIES[s % len(SERIES)])
            axes.annotate(
                text, (often, y), xytext=(4, 0), textcoords="offset points", va="center_baseline", fontsize=8,
                annotation_clip=False,
            )  # fmt: skip
    axes.spines["left"].set(visible=True, color=FAINT)
    return figure
