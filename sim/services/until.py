"""Comparisons that stop by themselves: once a difference is known to be larger than some number, or smaller."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sim.errors import UserError, shortened
from sim.game import SHARE, Metric
from sim.services.differences import Difference
from sim.services.paired import Pairs

LARGER, SMALLER, UNDECIDED = "larger", "smaller", "undecided"

_QUESTION = re.compile(r"\s*difference\s*>\s*([0-9]*\.?[0-9]+)\s*(pp)?\s*")


@dataclass(frozen=True)
class Until:
    """The question whether ``metric`` differs by more than ``by`` (0.005 is half a percentage point), either way.

    ``bounded``: the metric is a share. ``asked`` is how the user wrote it.
    """

    asked: str
    metric: str
    by: float
    bounded: bool

    def difference(self, pairs: Pairs, compared: Sequence[str]) -> Difference:
        """The difference so far, with limits that hold at all looks together."""
        return pairs.difference(compared.index(self.metric), bounded=self.bounded, anytime=self.by)

    def is_decided(self, pairs: Pairs, compared: Sequence[str]) -> bool:
        """Whether the answer is known."""
        found = self.difference(pairs, compared)
        return self.answer(found.low, found.high) != UNDECIDED

    def answer(self, low: float, high: float) -> str:
        """What limits that hold at any time tell: LARGER, SMALLER (within ``by`` both ways) or UNDECIDED."""
        if low > self.by or high < -self.by:
            return LARGER
        return SMALLER if low > -self.by and high < self.by else UNDECIDED


def until(asked: str, metric: Metric) -> Until:
    """What a question such as ``difference > 0.5pp`` means for a metric. Raises UserError."""
    share = metric.unit == SHARE
    example = "difference > 0.5pp (percentage points)" if share else f"difference > 0.5 (in {metric.unit})"
    found = _QUESTION.fullmatch(asked)
    if found is None:
        raise UserError(f"--until {shortened(repr(asked), 80)} is no such question; write for example {example}")
    number, points = float(found[1]), found[2] is not None
    if points != share:
        counted = "a share, which differs by percentage points" if share else f"counted in {metric.unit}"
        raise UserError(f"--until {asked!r}, but {metric.name} is {counted}; write for example {example}")
    by = number / 100 if points else number
    if not math.isfinite(by) or (share and by >= 1):
        raise UserError(f"--until {asked!r}: no difference is so large; write for example {example}")
    return Until(asked.strip(), metric.name, by, share)
