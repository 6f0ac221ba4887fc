"""What the charts of a report are drawn on: frames of a width, axes of a unit, names beside rows and of series.

Lengths are inches. A narrow chart is made for a phone.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.game import SHARE
from sim.reports.look import DASHES, MARKERS, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, NARROW = 8.2, 3.6
MARGIN = 0.12
LETTER = 0.074
"""About the width of a letter of 9 points."""

TITLE, AXIS, LINE = 0.5, 0.5, 0.2
"""Heights of a title, of an axis with its name, and of a line of text."""

FAR = 0.6
"""An axis does not begin at 0 if the lowest value is further up than this part of the highest."""


class Frame(NamedTuple):
    """The width of a chart and the title in it; a page has its own title above the chart."""

    width: float
    title: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether it is made for a phone."""
        return self.width < (WIDE + NARROW) / 2

    @property
    def top(self) -> float:
        """Where the chart begins, below its title."""
        return MARGIN + (TITLE if self.title else 0)


@dataclass(frozen=True)
class Scale:
    """The axis of the values: their unit, its name, a line at ``target``; ``signed`` for differences, with zero."""

    unit: str
    name: str
    target: float | None = None
    signed: bool = False

    @property
    def factor(self) -> float:
        """What values are multiplied with to be shown."""
        return 100.0 if self.unit == SHARE else 1.0

    def limits(self, values: Iterable[float]) -> tuple[float, float]:
        """The ends of the axis around some values, as they are shown; from 0 unless that is far off."""
        target = [self.target] if self.target is not None else []
        shown = [self.factor * value for value in (*values, *target) if math.isfinite(value)] or [0.0, 1.0]
        if self.signed or 0 <= min(shown) < FAR * max(shown):
            shown.append(0.0)
        low, high = min(shown), max(shown)
        space = 0.06 * (high - low) or 0.5
        low, high = low - space, high + space
        if not self.signed:
            low = max(0.0, low) if min(shown) >= 0 else low
            high = min(100.0, high) if self.unit == SHARE else high
        return low, high

    def tick(self, value: float, _place: Any = None) -> str:
        """A number along the axis."""
        text = f"{value:+,g}" if self.signed and value else f"{value:,g}"
        return f"{text} %" if self.unit == SHARE and not self.signed else text.replace("-", "\N{MINUS SIGN}")


def canvas(frame: Frame, height: float) -> Figure:
    """An empty picture with the title of the frame; ``height`` without it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(frame.width, height + frame.top - MARGIN))
    if frame.title:
        # Bold letters of 11 points are a third wider than those of the text.
        title = shorten(frame.title, (frame.width - 2 * MARGIN) / 1.35)
        write(figure, MARGIN, 0.27, title, fontsize=11, fontweight="bold")
    return figure


def shorten(text: str, inches: float) -> str:
    """The text as far as there is room for it."""
    return textwrap.shorten(text, max(4, int(inches / LETTER)), placeholder=" …")


def write(figure: Figure, left: float, down: float, text: str, **style: Any) -> None:
    """Text in a picture, so many inches from its left and upper edge."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - down / height, text, va="center", **style)


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Axes in a picture, in inches from its left and upper edge."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, 1 - (top + height) / up, width / across, height / up))


def beside(axes: Axes, y: float, text: str, inches: float, at_end: bool = False, **style: Any) -> None:
    """Text beside the axes, at a height in data, so many inches right of their beginning or end."""
    wide = axes.get_position().width * axes.get_figure().get_size_inches()[0]  # type: ignore[union-attr]
    axes.text(
        at_end + inches / wide, y, text, va="center_baseline", clip_on=False,
        **{"transform": axes.get_yaxis_transform(), "fontsize": 9, **style},
    )  # fmt: skip


def key(figure: Figure, frame: Frame, names: Sequence[str], lined: bool) -> None:
    """The names of the series with their marks, a line each, above the axes."""
    if len(names) < 2:
        return
    for k, name in enumerate(names):
        down = frame.top + LINE * (k + 0.4)
        axes = place(figure, MARGIN, down - LINE / 2, 0.45, LINE)
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.axis("off")
        line = DASHES[k % len(DASHES)] if lined else "none"
        axes.plot([0, 1], [0.5, 0.5], color=SERIES[k % len(SERIES)], linestyle=line, linewidth=1.8)
        axes.plot([0.5], [0.5], MARKERS[k % len(MARKERS)], color=SERIES[k % len(SERIES)], markersize=5)
        write(figure, MARGIN + 0.55, down, shorten(name, frame.width - 0.8))
