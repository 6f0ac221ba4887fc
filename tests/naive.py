"""Plain references: the definition of a thing, written without any cleverness, to compare the real code with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist

import numpy as np
from scipy.special import gammaln

from sim.game import EXAMPLES_KEPT, Session


def last_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The border between low, where something holds, and high, where it does not."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def wilson(count: int, n: int, level: float) -> tuple[float, float]:
    """Every rate from which the count seen is no more than z standard deviations away."""
    z = NormalDist().inv_cdf((1 + level) / 2)

    def near(rate: float) -> bool:
        return abs(count - n * rate) <= z * math.sqrt(n * rate * (1 - rate))

    seen = count / n
    return last_true(lambda rate: not near(rate), 0.0, seen), last_true(near, seen, 1.0)


def binomial(k: int, n: int, rate: float) -> float:
    """Probability of k successes in n games."""
    return math.comb(n, k) * rate**k * (1 - rate) ** (n - k)


def clopper_pearson(count: int, n: int, level: float) -> tuple[float, float]:
    """Every rate at which neither a count this high nor a count this low is too unlikely."""
    tail = (1 - level) / 2

    def too_high(rate: float) -> bool:
        return sum(binomial(k, n, rate) for k in range(count, n + 1)) < tail

    def not_too_low(rate: float) -> bool:
        return sum(binomial(k, n, rate) for k in range(count + 1)) >= tail

    low = last_true(too_high, 0.0, count / n) if count else 0.0
    return low, last_true(not_too_low, count / n, 1.0) if count < n else 1.0


def sums(y: Sequence[int], x: Sequence[int]) -> tuple[int, int, int, int, int]:
    """The five sums of one metric over games, as in ``Tallies.sums``."""
    pairs = [(int(a), int(b)) for a, b in zip(y, x, strict=True)]
    return (
        sum(a for a, _ in pairs),
        sum(b for _, b in pairs),
        sum(a * a for a, _ in pairs),
        sum(a * b for a, b in pairs),
        sum(b * b for _, b in pairs),
    )


def ratio_variance(y: Sequence[int], x: Sequence[int]) -> Fraction:
    """Variance of Σy / Σx, linearised, game by game in fractions; small samples as ``sim.services.statistics`` says."""
    total = sum(int(b) for b in x)
    ratio = Fraction(sum(int(a) for a in y), total)
    squares = sum((int(a) - ratio * int(b)) ** 2 for a, b in zip(y, x, strict=True))
    games = Fraction(total**2, sum(int(b) ** 2 for b in x))
    return squares / total**2 * games / (games - 1)


def effective_units(y: Sequence[int], x: Sequence[int]) -> Fraction:
    """The effective sample of a clustered rate that is neither 0 nor 1."""
    total = sum(int(b) for b in x)
    rate = Fraction(sum(int(a) for a in y), total)
    seen = ratio_variance(y, x) / (rate * (1 - rate) / total)
    worst = Fraction(sum(int(b) ** 2 for b in x), total)
    deciding = total / worst
    if seen:
        deciding = min(deciding, total * min(rate, 1 - rate) / seen)
    return total / ((deciding * seen + worst) / (deciding + 1))


def endings_one_by_one(session: Session, seed: int, first: int, count: int, number_of_endings: int) -> list[int]:
    """The ending of each game, each played alone, told by the one row of examples of endings that it fills."""
    found = []
    for game in range(first, first + count):
        examples = session.play(seed, game, 1, np.zeros(1, np.uint8)).examples[:number_of_endings]
        ending, place = np.argwhere(examples >= 0).squeeze(0)
        assert (examples[ending, place], place) == (game, 0)
        found.append(int(ending))
    return found


def examples(endings: Sequence[int], first: int, number_of_endings: int) -> list[list[int]]:
    """The first game numbers of each ending, filled up with −1."""
    rows: list[list[int]] = []
    for ending in range(number_of_endings):
        games = [first + i for i, found in enumerate(endings) if found == ending]
        rows.append([*games, *[-1] * EXAMPLES_KEPT][:EXAMPLES_KEPT])
    return rows


def log_mixture(yes: np.ndarray, no: np.ndarray, rate: float, pseudo_games: float) -> np.ndarray:
    """The logarithm of how much likelier counts are under a beta mixture around a rate than under the rate itself."""
    a, b = pseudo_games * rate, pseudo_games * (1 - rate)
    mixed = gammaln(a + yes) + gammaln(b + no) - gammaln(a + b + yes + no) - gammaln(a) - gammaln(b) + gammaln(a + b)
    return np.asarray(mixed - yes * math.log(rate) - no * math.log1p(-rate))
