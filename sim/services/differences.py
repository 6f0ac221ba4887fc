"""Differences between two set-ups that played the same games, from integer sums over pairs of games.

A pair of games that is not equal speaks for the one set-up or for the other. Where a game counts once, won or not, the
pairs are counted so; where it counts several units (three Outlaws, the attacks of a ghost), they are worth as many such
pairs as have the same difference and the same variance (``_Pairs``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sim.services.statistics import (
    LEVEL,
    NO_DATA,
    PSEUDO_GAMES,
    mixture_evidence,
    mixture_half,
    mixture_limits,
    proportion,
)

HOLM, BH = "holm", "bh"
CORRECTIONS = {HOLM: "Holm", BH: "Benjamini–Hochberg"}
"""How p-values of many cells are judged together, and whose correction it is: Holm's (no false alarm at all in 95 of
100 experiments) or Benjamini's and Hochberg's (of the alarms at most 5 % are false)."""

SURE = 0.05
"""Below this p, corrected for how many are judged, a difference counts as sure."""

SHARE_OF_DIFFERING = 0.1
"""Of the probability that limits for any time fail, what is kept for how many games differ at all."""

DEFAULT_WIDTH = 0.005
"""Where limits for any time are about tightest unless the caller says otherwise: half a percentage point."""

FEW_DIFFERING = 30
"""Below so many games that differ, of at least four times as many, nothing is said about a difference of means."""


@dataclass(frozen=True)
class Difference:
    """Two rates of the same games and the first less the second, with its limits.

    ``reduction`` is how many times as many games it would take to know it as well from games that are not paired.
    ``p`` is the probability of a difference as large or larger if there is none. ``method`` names how the limits were
    found, then the test.
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
    *,
    bounded: bool,
    differing: int,
    level: float = LEVEL,
    anytime: float | None = None,
) -> Difference:
    """The difference of two ratios Σy / Σx − Σy' / Σx' over pairs of games, y, x, y', x' being those of one pair.

    ``sums`` are the sums of the four, ``products`` those of their products; ``differing`` pairs have games that are not
    the same. ``bounded`` says that the ratios are rates, 0 ≤ y ≤ x in each game. The variance is that of the linearised
    ratios, the pair of games being the unit (Cochran: Sampling Techniques, 3rd ed., section 6.18), in whole numbers.

    Rates: the limits of the pairs that speak for the one and for the other, put together by squares with the
    correlation of the two (Donner and Zou: Closed-form confidence intervals for functions of the normal mean and
    standard deviation, Statistical Methods in Medical Research 21, 2012), and McNemar's test. Means: those of t, or
    nothing while few games of many differ, for a mean can hang on some that have not been seen yet.

    With ``anytime`` limits and p hold at every number of games at once, however often one looks; the limits are about
    tightest where they are so far from the estimate. Rates: the share of pairs that differ, and of these the share
    that speaks for the one, each by ``statistics.mixture_limits``; exact where a game counts once. Means: Robbins'
    normal mixture, for many games (see ``statistics.anytime_interval``).
    """
    y, x, y_other, x_other = (int(s) for s in sums)
    if games < 2 or x == 0 or x_other == 0:
        nan = math.nan
        return Difference(nan, nan, nan, nan, nan, nan, nan, NO_DATA)
    one, other = Fraction(y, x), Fraction(y_other, x_other)
    mean, mean_other = Fraction(x, games), Fraction(x_other, games)
    slopes = [1 / mean, -one / mean, -1 / mean_other, other / mean_other]

    def spread(parts: range) -> Fraction:
        pairs = ((i, j) for i in parts for j in parts)
        return sum((slopes[i] * slopes[j] * int(products[i][j]) for i, j in pairs), Fraction(0))

    together, apart = spread(range(4)), spread(range(2)) + spread(range(2, 4))
    estimate = float(one - other)
    if bounded:
        largest = max(Fraction(int(products[1][1]), x) / mean, Fraction(int(products[3][3]), x_other) / mean_other)
        found = _Pairs.of(one - other, together, games, largest)
        low, high, p, method = found.judged(level) if anytime is None else found.judged_at_any_time(level, anytime)
    else:
        judge = _mean if anytime is None else _mean_at_any_time
        low, high, p, method = judge(estimate, float(together / games / (games - 1)), games, level)
        if differing < min(FEW_DIFFERING, games / 4):
            low, high, p = math.nan, math.nan, math.nan if differing else 1.0
    reduction = float(apart / together) if together else math.inf
    return Difference(float(one), float(other), estimate, low, high, reduction, p, method)


_Judged = tuple[float, float, float, str]
"""Limits, p-value and method."""


@dataclass(frozen=True)
class _Pairs:
    """Pairs of games: how many speak for the one set-up, how many for the other, and of how many in all.

    The numbers are those of counted pairs, or of as many as tell the same. ``is_counted`` says which.
    """

    plus: float
    minus: float
    all: float
    is_counted: bool

    @classmethod
    def of(cls, estimate: Fraction, together: Fraction, games: int, largest: Fraction) -> _Pairs:
        """The pairs with this difference and this sum of squared deviations.

        ``largest`` is how many times as many units as on average the games have that have most of the units: of so
        many games only one is thought to count, and it may fall either way as a whole. Games that vary less than
        whole ones could count as more.
        """
        whole = games / largest
        variance = together / games / largest
        differing = variance + estimate**2
        if differing >= abs(estimate):
            counts = [whole * (differing + sign * estimate) / 2 for sign in (1, -1)]
            is_counted = largest == 1 and all(count.denominator == 1 for count in counts)
            return cls(float(counts[0]), float(counts[1]), float(whole), is_counted)
        size = float(abs(estimate))
        least = (1 - size) ** 2 / float(whole)  # one game may have been missed that falls wholly the other way
        units = float(whole) * size * (1 - size) / max(float(variance), least)
        units = max(units, float(whole))
        return cls(units * max(float(estimate), 0.0), units * max(-float(estimate), 0.0), units, False)

    @property
    def _clustered(self) -> str:
        return "" if self.is_counted else "clustered "

    def judged(self, level: float) -> _Judged:
        """For a number of games that was fixed before."""
        p, q = self.plus / self.all, self.minus / self.all
        low_p, high_p, method_p = proportion(self.plus, max(0.0, self.all - self.plus), level)
        low_q, high_q, method_q = proportion(self.minus, max(0.0, self.all - self.minus), level)
        others = (1 - p) * (1 - q)
        alike = math.sqrt(p * q / others) if others > 0 else 0.0

        def together(a: float, b: float) -> float:
            return math.sqrt(a * a + b * b + 2 * alike * a * b)

        low = max(-1.0, p - q - together(p - low_p, high_q - q))
        high = min(1.0, p - q + together(high_p - p, q - low_q))
        name = method_p if self.plus < self.minus else method_q  # that of the smaller count
        test = "exact McNemar" if self.is_counted else "McNemar"
        return low, high, mcnemar(self.plus, self.minus), f"{self._clustered}paired {name}, {test}"

    def judged_at_any_time(self, level: float, width: float) -> _Judged:
        """For all numbers of games together."""
        pseudo = _pseudo_games(width)
        fails = 1 - level
        differing = self.plus + self.minus
        method = f"{self._clustered}paired anytime beta-binomial"
        rest = max(0.0, self.all - differing)
        fewest, most = mixture_limits(differing, rest, pseudo, 1 - fails * SHARE_OF_DIFFERING)
        if differing == 0:
            return -most, most, 1.0, method
        low, high = mixture_limits(self.plus, self.minus, pseudo, 1 - fails * (1 - SHARE_OF_DIFFERING))
        ends = (2 * low - 1, 2 * high - 1)
        p = min(1.0, math.exp(-mixture_evidence(self.plus, self.minus, pseudo, 0.5)))
        return ends[0] * (fewest if ends[0] > 0 else most), ends[1] * (most if ends[1] > 0 else fewest), p, method


def _mean(estimate: float, variance: float, games: int, level: float) -> _Judged:
    from scipy.special import stdtr, stdtrit

    method = "paired t"
    if variance == 0:
        return math.nan, math.nan, math.nan, method
    half = float(stdtrit(games - 1, (1 + level) / 2)) * math.sqrt(variance)
    p = 2 * float(stdtr(games - 1, -abs(estimate) / math.sqrt(variance)))
    return estimate - half, estimate + half, p, method


def _mean_at_any_time(estimate: float, variance: float, games: int, level: float) -> _Judged:
    method = "paired anytime normal mixture"
    if variance == 0:
        return math.nan, math.nan, math.nan, method
    information = games / PSEUDO_GAMES
    half = mixture_half(variance, information, level)
    exponent = estimate**2 / variance * information / (1 + information) / 2 - math.log1p(information) / 2
    return estimate - half, estimate + half, min(1.0, math.exp(-exponent)), method


def _pseudo_games(width: float) -> float:
    """What the mixtures behind the limits of rates are worth, so that these are tightest at about this half-width.

    They take about (3 × share of games that differ / width)² games that differ to get there; pseudo-games are best a
    tenth of that, and a tenth or ten times as many do a quarter worse. For a tenth of games that differ this is that.
    """
    return max(1.0, (0.1 / (width or DEFAULT_WIDTH)) ** 2)


def mcnemar(only_one: float, only_other: float) -> float:
    """The exact two-sided p-value of McNemar's test: of the games that differ, half should go either way.

    McNemar: Note on the sampling error of the difference between correlated proportions, Psychometrika 12, 1947. The
    counts may be fractions (see ``_Pairs``).
    """
    from scipy.special import betainc

    fewer, more = sorted((only_one, only_other))
    return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5))) if more > 0 else 1.0


def adjusted(p: Sequence[float], correction: str) -> list[float]:
    """P-values corrected for how many there are (see ``CORRECTIONS``); nan stays nan and does not count.

    Holm: A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979. Benjamini
    and Hochberg: Controlling the false discovery rate, Journal of the Royal Statistical Society B 57, 1995. Not by
    statsmodels, which a table of forty metrics would wait for some seconds.
    """
    values = np.asarray(p, float)
    order = np.argsort(values)[: np.count_nonzero(~np.isnan(values))]  # nan comes last
    known, n = values[order], len(order)
    if correction == HOLM:
        corrected = np.maximum.accumulate(known * np.arange(n, 0, -1))
    else:
        corrected = np.minimum.accumulate((known * n / np.arange(1, n + 1))[::-1])[::-1]
    values[order] = np.minimum(1.0, corrected)
    return [float(value) for value in values]
