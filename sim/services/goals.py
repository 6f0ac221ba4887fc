"""Which cells of a sweep are known to miss a number that the designer is after."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sim.services.statistics import effective_counts, mean_variance


def p_against(sums: Sequence[int], *, bounded: bool, target: float) -> float:
    """The probability of a ratio Σy / Σx so far from the target or farther, if the target is true; nan without data.

    ``sums`` and ``bounded`` are those of ``statistics.ratio_interval``. Rates: twice the smaller tail of the binomial
    distribution of the counts, or of as many as tell the same, which is the test that belongs to Clopper's and
    Pearson's interval. Means: the t-test. It is for a number of games that was fixed before.
    """
    y, x = int(sums[0]), int(sums[1])
    if x == 0:
        return math.nan
    if bounded:
        return _of_counts(*effective_counts(sums), target)
    variance, games = mean_variance(sums)
    if variance == 0 or math.isinf(variance):
        return math.nan
    from scipy.special import stdtr

    return 2 * float(stdtr(games - 1, -abs(y / x - target) / math.sqrt(variance)))


def _of_counts(yes: float, no: float, target: float) -> float:
    from scipy.special import betainc

    if target <= 0 or target >= 1:
        return 1.0 if (yes if target <= 0 else no) == 0 else 0.0
    at_least = float(betainc(yes, no + 1, target)) if yes > 0 else 1.0
    at_most = float(betainc(no, yes + 1, 1 - target)) if no > 0 else 1.0
    return min(1.0, 2 * min(at_least, at_most))
