"""Estimates with intervals, from integer sums over games.

The unit of observation is the game. All inputs are exact integers; floats appear here for the first time.
scipy is imported inside the functions, and only ``scipy.special``: ``scipy.stats`` costs a second of every start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

LEVEL = 0.95
"""Confidence of every interval unless the caller says otherwise."""

SMALL_COUNT = 10
"""Below this many successes or failures the exact interval replaces Wilson's."""

FEW_EVENTS = 30
"""Below so many events in at least four times as many games, a mean gets Poisson limits in place of those of t."""

PSEUDO_GAMES = 10_000
"""What the mixtures behind intervals that hold at any time are worth, unless the caller says otherwise."""

EDGE_WIDTH = 1e-10
"""How exactly limits without a formula are found, beside p (1 − p)."""

LIMITS_KEPT = 8192
"""So many limits and quantiles are kept: the thousands of cells of a sweep ask for the same ones again and again."""

NO_DATA = "none"
"""Method of an interval without observations."""


@dataclass(frozen=True)
class Interval:
    """An estimate between its confidence limits; ``method`` names how the limits were found.

    Limits that cannot be known from the data are nan; without any data the estimate is nan too.
    """

    estimate: float
    low: float
    high: float
    method: str


def rate_interval(count: int, n: int, level: float = LEVEL) -> Interval:
    """The rate ``count / n`` of independent games: Wilson, or Clopper–Pearson where counts are small.

    Never seen gives the limits 0 and an upper bound. Raises ValueError unless 0 ≤ count ≤ n.
    """
    count, n = int(count), int(n)
    if not 0 <= count <= n:
        raise ValueError(f"a rate needs 0 <= count <= n, not {count} of {n}")
    if n == 0:
        return _no_data()
    low, high, method = proportion(float(count), float(n - count), level)
    return Interval(count / n, low, high, method)


def ratio_interval(sums: Sequence[int], *, bounded: bool, level: float = LEVEL) -> Interval:
    """The ratio Σy / Σx, where a game gives y of x: the ratio estimator with the game as cluster.

    ``sums`` are the five integers of one row of ``Tallies.sums`` (Y, X, YY, XY, XX). ``bounded`` says that 0 ≤ y ≤ x in
    each game: then the ratio is a rate, and its limits stay within 0 and 1. Otherwise it is a mean of something that is
    never negative, with limits at equal distance, unless few games have any of it. Raises ValueError for sums that no
    games can have.
    """
    y, x, yy, xy, xx = _checked(sums, bounded)
    if x == 0:
        return _no_data()
    if not bounded:
        return _mean(y, x, yy, xy, xx, level)
    low, high, method = proportion(*_counts(y, x, yy, xy, xx), level)
    return Interval(y / x, low, high, f"{_clustered(y, x, yy, xx)}{method}")


def anytime_interval(
    sums: Sequence[int], *, bounded: bool, pseudo_games: float = PSEUDO_GAMES, level: float = LEVEL
) -> Interval:
    """The ratio Σy / Σx with limits that hold at every number of games at once: a confidence sequence.

    Whoever looks again and again while games are played, and stops whenever he likes, has the true ratio within the
    limits at all of his looks with probability ``level``. Arguments and errors are those of ``ratio_interval``;
    ``pseudo_games`` may be any positive number that does not depend on the games. At about eight times as many games
    the limits are tightest (1.55 times the width for a number fixed before); at a tenth or a hundred times of that
    they are a quarter wider.

    A rate of games: the two-sided beta-binomial mixture, exact at every number of games (Howard, Ramdas, McAuliffe,
    Sekhon: Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals of Statistics 49, 2021,
    proposition 7). Other rates: the same of the effective number of units (see ``_effective_units``). Means: Robbins'
    normal mixture with the linearised variance, valid for many games (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas:
    Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024, theorem 2.2).
    """
    y, x, yy, xy, xx = _checked(sums, bounded)
    if x == 0:
        return _no_data()
    if not bounded:
        return _mean_sequence(y, x, yy, xy, xx, pseudo_games, level)
    low, high = mixture_limits(*_counts(y, x, yy, xy, xx), pseudo_games, level)
    return Interval(y / x, low, high, f"{_clustered(y, x, yy, xx)}anytime beta-binomial")


def effective_counts(sums: Sequence[int]) -> tuple[float, float]:
    """How many games that count once, won and not won, tell as much about a rate as these sums; both may be fractions.

    Raises ValueError for sums that no games can have.
    """
    return _counts(*_checked(sums, bounded=True))


def mean_variance(sums: Sequence[int]) -> tuple[float, float]:
    """The linearised variance of a mean, inf where it cannot be known, and the effective number of games behind it.

    Raises ValueError for sums that no games can have.
    """
    y, x, yy, xy, xx = _checked(sums, bounded=False)
    return _variance(y, x, yy, xy, xx), x * x / xx


def _counts(y: int, x: int, yy: int, xy: int, xx: int) -> tuple[float, float]:
    if not _clustered(y, x, yy, xx):
        return float(y), float(x - y)
    units = _effective_units(y, x, yy, xy, xx)
    return units * (y / x), units * ((x - y) / x)


def _clustered(y: int, x: int, yy: int, xx: int) -> str:
    """What the name of a method begins with; nothing if no game counts more than one unit, so that units are games."""
    return "" if yy == y and xx == x else "clustered "


def _checked(sums: Sequence[int], bounded: bool) -> tuple[int, int, int, int, int]:
    """The five sums as whole numbers of Python. Raises ValueError for sums that no games can have."""
    y, x, yy, xy, xx = map(int, sums)
    if bounded and not (0 <= y <= x and y <= yy <= xy <= xx):
        raise ValueError(f"not a rate: the sums {y, x, yy, xy, xx} have games without 0 <= y <= x")
    if x < 0 or xx * yy < xy * xy:
        raise ValueError(f"no games can have the sums {y, x, yy, xy, xx}")
    return y, x, yy, xy, xx


def _no_data() -> Interval:
    return Interval(math.nan, math.nan, math.nan, NO_DATA)


def proportion(yes: float, no: float, level: float) -> tuple[float, float, str]:
    """Limits of a proportion and the method; the counts may be fractions (an effective sample)."""
    if min(yes, no) < SMALL_COUNT:
        return *_clopper_pearson(yes, no, level), "clopper-pearson"
    return *_wilson(yes, no, level), "wilson"


def _wilson(yes: float, no: float, level: float) -> tuple[float, float]:
    n, z = yes + no, _normal_quantile((1 + level) / 2)
    centre = (yes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(yes * no / n + z * z / 4)
    return centre - half, centre + half


@cache
def _normal_quantile(p: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(p))


@lru_cache(maxsize=LIMITS_KEPT)
def _clopper_pearson(yes: float, no: float, level: float) -> tuple[float, float]:
    from scipy.special import betainccinv, betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(yes, no + 1, tail)) if yes > 0 else 0.0
    high = float(betainccinv(yes + 1, no, tail)) if no > 0 else 1.0
    return low, high


@lru_cache(maxsize=LIMITS_KEPT)
def _t_quantile(freedom: float, p: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, p))


def _variance(y: int, x: int, yy: int, xy: int, xx: int) -> float:
    """Linearised variance of Σy / Σx; inf where a single game has all the units.

    The squared residuals Σ(y − Rx)² are taken in whole numbers (times x²): in floats they would cancel.
    x² / xx is the effective number of games that have units at all, and stands for n in the factor n / (n − 1).
    """
    if x * x == xx:
        return math.inf
    residual = yy * x * x - 2 * y * x * xy + y * y * xx
    return residual / (x * x * (x * x - xx))


def _mean(y: int, x: int, yy: int, xy: int, xx: int, level: float) -> Interval:
    estimate = y / x
    if _is_rare(y, x, yy, xx):
        return Interval(estimate, *_of_events(y, x, yy, level), "clustered poisson")
    variance = _variance(y, x, yy, xy, xx)
    if math.isinf(variance):
        return Interval(estimate, math.nan, math.nan, "clustered t")
    half = _t_quantile(x * x / xx - 1, (1 + level) / 2) * math.sqrt(variance)
    return Interval(estimate, estimate - half, estimate + half, "clustered t")


def _is_rare(y: int, x: int, yy: int, xx: int) -> bool:
    """Whether a mean is of events of which few have been seen in many games: their variance is not known then."""
    return y == 0 < x or y * y < yy * min(FEW_EVENTS, x * x / xx / 4)


def _of_events(y: int, x: int, yy: int, level: float) -> tuple[float, float]:
    """Exact Poisson limits (Garwood: Fiducial limits for the Poisson distribution, Biometrika 28, 1936).

    Events are of the size that units have them in on average; while none was seen, that is one unit.
    """
    from scipy.special import gammaincinv

    size = yy / y if y > 0 else 1.0
    events, tail = y / size, (1 - level) / 2
    low = float(gammaincinv(events, tail)) if y > 0 else 0.0
    return size * low / x, size * float(gammaincinv(events + 1, 1 - tail)) / x


def _mean_sequence(y: int, x: int, yy: int, xy: int, xx: int, pseudo_games: float, level: float) -> Interval:
    """A mean with limits for any time; none while nothing varies or little happens: the variance is not known then."""
    method = "clustered anytime normal mixture"
    variance = _variance(y, x, yy, xy, xx)
    if variance == 0 or math.isinf(variance) or _is_rare(y, x, yy, xx):
        return Interval(y / x, math.nan, math.nan, method)
    half = mixture_half(variance, x * x / xx / pseudo_games, level)
    return Interval(y / x, y / x - half, y / x + half, method)


def mixture_half(variance: float, information: float, level: float = LEVEL) -> float:
    """Half-width of Robbins' normal mixture for a mean of this variance; ``information``: games over pseudo-games."""
    return math.sqrt(variance * (1 + 1 / information) * (math.log1p(information) - 2 * math.log(1 - level)))


def mixture_limits(yes: float, no: float, pseudo_games: float, level: float) -> tuple[float, float]:
    """The rates that a beta-binomial mixture around them does not refute; the counts may be fractions.

    For each rate p: the likelihood of the counts, mixed over rates by a beta distribution around p that is worth
    ``pseudo_games`` games, over their likelihood under p is a martingale if p is true. With probability 1 − level at
    most it ever exceeds 1 / (1 − level) (Ville).
    """
    refuted = -math.log(1 - level)

    def holds(p: float) -> bool:
        return mixture_evidence(yes, no, pseudo_games, p) < refuted

    estimate = yes / (yes + no)
    low = _edge(holds, estimate, 0.0) if yes > 0 else 0.0
    high = _edge(holds, estimate, 1.0) if no > 0 else 1.0
    return low, high


def mixture_evidence(yes: float, no: float, pseudo_games: float, p: float) -> float:
    """The logarithm of what the mixture around a rate makes of the counts over what the rate does.

    If the rate is true, it exceeds log(1 / α) at any time with probability α at most (see ``mixture_limits``).
    """
    from scipy.special import betaln, xlog1py, xlogy

    a, b = pseudo_games * p, pseudo_games * (1 - p)
    return float(betaln(a + yes, b + no) - betaln(a, b) - xlogy(yes, p) - xlog1py(no, -p))


def _edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where, between a point at which it holds and one at which it does not, it ceases to hold: the point outside."""
    while True:
        middle = (inside + outside) / 2
        if middle in (inside, outside) or abs(outside - inside) < EDGE_WIDTH * middle * (1 - middle):
            return outside
        if holds(middle):
            inside = middle
        else:
            outside = middle


def _effective_units(y: int, x: int, yy: int, xy: int, xx: int) -> float:
    """How many independent units would tell as much about the rate as these games do: x / design effect.

    The design effect seen in the data is trusted as far as games have decided it. A handful of rare events
    says little about how they cluster, so the worst case, all units of a game falling alike, is mixed in with the
    weight of one game. With no event at all, or one game, only the worst case is left.
    """
    worst = xx / x
    variance = _variance(y, x, yy, xy, xx)
    if y in (0, x) or math.isinf(variance):
        return x / worst
    independent = (y / x) * ((x - y) / x) / x
    seen = variance / independent
    deciding = x * x / xx
    if seen > 0:
        deciding = min(deciding, min(y, x - y) / seen)
    return x * (deciding + 1) / (deciding * seen + worst)
