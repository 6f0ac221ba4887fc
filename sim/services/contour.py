"""Where, between the cells of a sweep, a metric meets a target, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Crossing:
    """A setting at which the metric meets the target, between two neighbouring values that were played.

    ``first`` and ``last`` are the ends of the settings around it that the intervals do not rule out; ``is_open`` says
    that this band goes on beyond the values played, at either end.
    """

    at: float
    first: float
    last: float
    is_open: bool


@dataclass(frozen=True)
class Point:
    """A crossing on the line of a grid: ``x`` and ``y``, and ``along`` which of them (``x`` or ``y``) the band is."""

    x: float
    y: float
    along: str
    first: float
    last: float
    is_open: bool


def crossings(
    settings: Sequence[float],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    target: float,
) -> list[Crossing]:
    """The crossings along one swept setting, whose values rise.

    Between neighbouring cells estimates and limits are straight lines. The band of a crossing has the settings around
    it where the target lies between the lines of the limits. A cell without an estimate (nan) breaks the line; one
    whose limits are nan rules nothing out. A cell that meets the target exactly is one crossing, and a stretch of them
    two, its ends. Raises ValueError for settings that do not rise, and lists of unequal length.
    """
    if any(b <= a for a, b in zip(settings, settings[1:], strict=False)):
        raise ValueError(f"the settings do not rise: {list(settings)}")
    rows = list(zip(settings, estimates, lows, highs, strict=True))
    found = dict.fromkeys(at for k in range(len(rows) - 1) for at in _meetings(rows[k][:2], rows[k + 1][:2], target))
    return [_with_band(at, rows, target) for at in found]


_Place = tuple[float, float]
"""A setting, and what is found there."""
_Cell = tuple[float, float, float, float]
"""A setting, an estimate and its limits."""


def _meetings(one: _Place, other: _Place, target: float) -> Iterator[float]:
    """Where the straight line between two places meets the target; of a line that lies on it, both ends."""
    (x, y), (x_other, y_other) = one, other
    if math.isnan(y) or math.isnan(y_other):
        return
    if y == target:
        yield x
    if (y - target) * (y_other - target) < 0:
        yield x + (x_other - x) * (target - y) / (y_other - y)
    if y_other == target:
        yield x_other


def _with_band(at: float, rows: Sequence[_Cell], target: float) -> Crossing:
    after = next(k for k in range(len(rows)) if rows[k][0] >= at)
    here = rows[after]
    if here[0] != at:
        one, other = rows[after - 1], here
        share = (at - one[0]) / (other[0] - one[0])
        here = (at, target, one[2] + share * (other[2] - one[2]), one[3] + share * (other[3] - one[3]))
    last, open_above = _end(here, [cell for cell in rows if cell[0] > at], target)
    first, open_below = _end(here, [cell for cell in reversed(rows) if cell[0] < at], target)
    return Crossing(at, first, last, open_below or open_above)


def _end(here: _Cell, rows: Sequence[_Cell], target: float) -> tuple[float, bool]:
    """Where the limits cease to have the target between them, from here towards these cells; whether they never do."""
    for cell in rows:
        if math.isnan(cell[1]):
            break
        for limit, is_out in ((2, cell[2] > target), (3, cell[3] < target)):
            if is_out and math.isnan(here[limit]):
                return cell[0], False
            if is_out:
                share = (target - here[limit]) / (cell[limit] - here[limit])
                return here[0] + share * (cell[0] - here[0]), False
        here = cell
    return here[0], True


def contour(
    xs: Sequence[float],
    ys: Sequence[float],
    estimates: Sequence[Sequence[float]],
    lows: Sequence[Sequence[float]],
    highs: Sequence[Sequence[float]],
    target: float,
) -> list[Point]:
    """The points of a grid's lines at which the metric meets the target; the tables have a row for each y.

    Together they are the line on which the target is met, and the bands how far it may be off. Raises ValueError as
    ``crossings`` does.
    """
    points = []
    for k, y in enumerate(ys):
        points += [
            Point(c.at, y, "x", c.first, c.last, c.is_open)
            for c in crossings(xs, estimates[k], lows[k], highs[k], target)
        ]
    for k, x in enumerate(xs):
        seen, low, high = ([row[k] for row in table] for table in (estimates, lows, highs))
        points += [Point(x, c.at, "y", c.first, c.last, c.is_open) for c in crossings(ys, seen, low, high, target)]
    return points
