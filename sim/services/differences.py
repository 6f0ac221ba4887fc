"""Differences between two set-ups that played the same games, from integer sums over pairs of games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sim.services.statistics import LEVEL, PSEUDO_GAMES, SMALL_COUNT, mixture_half

CORRECTIONS = {"holm": "holm", "bh": "fdr_bh"}
"""How p-values of many cells are judged together, and what statsmodels calls it: Holm's (no false alarm at all in 95 of
100 experiments) or Benjamini–Hochberg (of the alarms at most 5 % are false)."""

MCNEMAR, LINEARISED = "exact McNemar", "paired t"


@dataclass(frozen=True)
class Difference:
    """Two rates of the same games and the first less the second, with its limits.

    ``reduction`` is how many times as many games it would take to know it as well from games that are not paired.
    ``p`` is the probability of a difference as large or larger if there is none, by the test that ``method`` names.
    """

    one: float
    other: float
    estimate: float
    low: float
    high: float
    reduction: float
    p: float
    method: str


def paired_difference(
    sums: Sequence[int],
    products: Sequence[Sequence[int]],
    games: int,
    level: float = LEVEL,
    pseudo_games: float | None = None,
) -> Difference:
    """The difference of two ratios Σy / Σx − Σy' / Σx' over pairs of games, y, x, y', x' being those of one pair.

    ``sums`` are the sums of the four, ``products`` those of their products. The variance is that of the linearised
    ratios, the pair of games being the unit (Cochran: Sampling Techniques, 3rd ed., section 6.18), in whole numbers.
    With ``pseudo_games`` the limits hold at any number of games at once, for many games (see
    ``statistics.anytime_interval``); none while too few games differ to know the variance.
    """
    y, x, y_other, x_other = (int(s) for s in sums)
    if games < 2 or x == 0 or x_other == 0:
        return Difference(*[math.nan] * 7, LINEARISED)
    one, other = Fraction(y, x), Fraction(y_other, x_other)
    mean, mean_other = Fraction(x, games), Fraction(x_other, games)
    slopes = [1 / mean, -one / mean, -1 / mean_other, other / mean_other]

    def spread(parts: range) -> Fraction:
        pairs = ((i, j) for i in parts for j in parts)
        return sum((slopes[i] * slopes[j] * int(products[i][j]) for i, j in pairs), Fraction(0))

    together, apart = spread(range(4)), spread(range(2)) + spread(range(2, 4))
    variance = float(together / games / (games - 1))
    estimate = float(one - other)
    half = (
        _half(variance, games, level) if pseudo_games is None else _anytime_half(variance, games, pseudo_games, level)
    )
    p, method = _p(y, y_other, products, games, estimate, variance)
    reduction = float(apart / together) if together else math.inf
    return Difference(float(one), float(other), estimate, estimate - half, estimate + half, reduction, p, method)


def _half(variance: float, games: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(games - 1, (1 + level) / 2)) * math.sqrt(variance)


def _anytime_half(variance: float, games: int, pseudo_games: float, level: float) -> float:
    if variance * games * games < SMALL_COUNT:
        return math.nan
    return mixture_half(variance, games / pseudo_games, level)


def anytime_pseudo_games(half_width: float) -> float:
    """The ``pseudo_games`` with which limits for any time are about tightest where a difference is known so exactly."""
    return max(1.0, PSEUDO_GAMES * (0.01 / half_width) ** 2 / 8)


def _p(
    y: int, y_other: int, products: Sequence[Sequence[int]], games: int, estimate: float, variance: float
) -> tuple[float, str]:
    """McNemar's exact test where each game counts once in both, won or not; else the t-test of the differences."""
    own, cross, other = int(products[0][0]), int(products[0][2]), int(products[2][2])
    if own == y and other == y_other and all(int(products[i][j]) == games for i, j in ((1, 1), (3, 3), (1, 3))):
        return mcnemar(y - cross, y_other - cross), MCNEMAR
    if variance == 0:
        return (1.0 if estimate == 0 else 0.0), LINEARISED
    from scipy.special import stdtr

    return 2 * float(stdtr(games - 1, -abs(estimate) / math.sqrt(variance))), LINEARISED


def mcnemar(only_one: int, only_other: int) -> float:
    """The exact two-sided p-value of McNemar's test: of the games that differ, half should go either way.

    McNemar: Note on the sampling error of the difference between correlated proportions, Psychometrika 12, 1947.
    """
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(only_one, only_other), only_one + only_other, 0.5)))


def adjusted(p: Sequence[float], correction: str) -> list[float]:
    """P-values corrected for how many there are (see ``CORRECTIONS``); nan stays nan and does not count."""
    known = [value for value in p if not math.isnan(value)]
    if len(known) < 2:
        return list(p)
    from statsmodels.stats.multitest import multipletests

    corrected = iter(multipletests(known, method=CORRECTIONS[correction])[1])
    return [value if math.isnan(value) else float(next(corrected)) for value in p]
