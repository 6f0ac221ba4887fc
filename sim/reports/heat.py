"""Heat maps: a metric over two settings, with the line along which it meets its target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.reports.frames import AXIS, LETTER, MARGIN, Frame, Scale, canvas, place, write
from sim.reports.look import PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

COLOURS = "cividis"
"""From dark to light; the colour-blind see what the others see."""

BLACK, WHITE = "#000000", "#FEFEFE"
"""On the colours of the map, which are the same in light and dark pages."""

SHADES = 24
TALL, LOW = 0.5, 0.34
LEGEND = 0.36


@dataclass(frozen=True)
class Map:
    """Values in rows from the bottom up, nan where there is none, over two settings.

    ``best``: column and row of a cell to frame; ``is_numeric``: the settings are numbers, so that there are values
    between two columns.
    """

    across: str
    up: str
    columns: Sequence[str]
    rows: Sequence[str]
    values: Sequence[Sequence[float]]
    texts: Sequence[Sequence[str]]
    best: tuple[int, int] | None = None
    is_numeric: bool = True

    def has_line(self, target: float) -> bool:
        """Whether there is a line along which the target is met."""
        values = [value for row in self.values for value in row]
        return (
            self.is_numeric and min(len(self.rows), len(self.columns)) > 1 and not any(map(math.isnan, values))
            and min(values) < target < max(values)
        )  # fmt: skip


def heat(frame: Frame, shown: Map, scale: Scale) -> Figure:
    """The map with its numbers, as far as there is room for them, and the line of the target of the scale."""
    import matplotlib

    left = MARGIN + 0.25 + LETTER * max(len(name) for name in shown.rows)
    wide = frame.width - left - MARGIN - 0.1
    high = (TALL if len(shown.rows) < 8 else LOW) * len(shown.rows)
    figure = canvas(frame, MARGIN + high + AXIS + LEGEND + 0.25)
    write(figure, MARGIN, frame.top + 0.06, f"{shown.up} (up)", fontsize=8)
    axes = place(figure, left, frame.top + 0.2, wide, high)
    colours = matplotlib.colormaps[COLOURS]
    values = [scale.factor * value for row in shown.values for value in row if not math.isnan(value)]
    low, top = min(values), max(values)
    letters = max(len(text) for row in shown.texts for text in row)
    size = min(9.0, 9.0 * wide / len(shown.columns) / (LETTER * letters + 0.06))
    for i, row in enumerate(shown.values):
        for k, value in enumerate(row):
            _cell(axes, k, i, scale.factor * value, shown.texts[i][k] if size >= 6 else "", colours, (low, top), size)
    axes.set(xlim=(-0.5, len(shown.columns) - 0.5), ylim=(-0.5, len(shown.rows) - 0.5))
    axes.set_xticks(range(len(shown.columns)), shown.columns)
    axes.set_yticks(range(len(shown.rows)), shown.rows)
    axes.tick_params(length=0, labelsize=8)
    axes.set_xlabel(shown.across, fontsize=8)
    for spine in axes.spines.values():
        spine.set_visible(False)
    _target(axes, shown, scale)
    if shown.best is not None:
        _outline(axes, *shown.best)
    if low < top:
        _shades(figure, frame, colours, (low, top), scale)
    return figure


def _cell(
    axes: Axes, k: int, i: int, value: float, text: str, colours: Colormap, ends: tuple[float, float], size: float
) -> None:
    if math.isnan(value):
        return
    from matplotlib.patches import Rectangle

    shade = colours((value - ends[0]) / ((ends[1] - ends[0]) or 1))
    axes.add_patch(Rectangle((k - 0.5, i - 0.5), 1, 1, facecolor=shade, edgecolor=PAPER, linewidth=1.5))
    light = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] > 0.5
    if text:
        axes.text(
            k, i, text, ha="center", va="center_baseline", fontsize=size, color=BLACK if light else WHITE, zorder=5,
            bbox={"facecolor": shade, "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip


def _target(axes: Axes, shown: Map, scale: Scale) -> None:
    """The line along which the metric would meet its target, straight between the middles of neighbours."""
    if scale.target is None or not shown.has_line(scale.target):
        return
    for colour, width in ((WHITE, 4.5), (BLACK, 2.0)):
        axes.contour(shown.values, levels=[scale.target], colors=[colour], linewidths=[width])


def _outline(axes: Axes, k: int, i: int) -> None:
    from matplotlib.patches import Rectangle

    for colour, width in ((WHITE, 4.5), (BLACK, 2.0)):
        axes.add_patch(
            Rectangle((k - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor=colour, linewidth=width, zorder=4)
        )


def _shades(figure: Figure, frame: Frame, colours: Colormap, ends: tuple[float, float], scale: Scale) -> None:
    """What the colours stand for, along the bottom."""
    from matplotlib.patches import Rectangle

    height = figure.get_size_inches()[1]
    wide = min(2.6, frame.width - 2 * MARGIN - 0.2)
    axes = place(figure, frame.width - MARGIN - 0.1 - wide, height - 0.4, wide, 0.12)
    for k in range(SHADES):
        axes.add_patch(Rectangle((k / SHADES, 0), 1.02 / SHADES, 1, color=colours(k / (SHADES - 1)), linewidth=0))
    axes.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
    middle = sum(ends) / 2
    axes.set_xticks([0, 0.5, 1], [scale.tick(float(f"{end:.3g}")) for end in (ends[0], middle, ends[1])])
    axes.tick_params(length=0, labelsize=8, pad=2)
    first, _, last = axes.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    for spine in axes.spines.values():
        spine.set_visible(False)
