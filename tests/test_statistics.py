"""Intervals: against plain references, against scipy and statsmodels, and by their coverage."""

from __future__ import annotations

import math
import subprocess
import sys

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, ttest_1samp
from statsmodels.stats.proportion import proportion_confint

from sim.services.statistics import NO_DATA, SMALL_COUNT, rate_interval, ratio_interval

COUNTS = [(0, 1), (1, 1), (0, 30), (3, 30), (9, 200), (10, 200), (100, 200), (190, 200), (191, 200), (200, 200)]
LARGE = [(0, 10**9), (7, 10**9), (10**9 - 7, 10**9), (333_333_333, 10**9)]


def limits(interval):
    return interval.low, interval.high


@pytest.mark.parametrize(("count", "n"), COUNTS)
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_rate_interval_is_its_definition(count, n, level):
    interval = rate_interval(count, n, level)
    small = min(count, n - count) < SMALL_COUNT
    expected = (naive.clopper_pearson if small else naive.wilson)(count, n, level)
    assert interval.estimate == count / n
    assert interval.method == ("clopper-pearson" if small else "wilson")
    assert limits(interval) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("count", "n"), COUNTS + LARGE)
def test_rate_interval_agrees_with_scipy_and_statsmodels(count, n):
    interval = rate_interval(count, n)
    exact = interval.method == "clopper-pearson"
    scipy = binomtest(count, n).proportion_ci(0.95, method="exact" if exact else "wilson")
    statsmodels = proportion_confint(count, n, alpha=0.05, method="beta" if exact else "wilson")
    assert limits(interval) == pytest.approx((scipy.low, scipy.high), rel=1e-6, abs=1e-11)  # its root finder's limit
    assert limits(interval) == pytest.approx(statsmodels, rel=1e-6, abs=1e-15)


def test_never_seen_has_an_upper_bound():
    interval = rate_interval(0, 1000)
    assert (interval.estimate, interval.low) == (0.0, 0.0)
    assert interval.high == pytest.approx(1 - 0.025 ** (1 / 1000))


def test_no_games_is_no_data():
    nothing = (0, 0, 0, 0, 0)
    ratios = [ratio_interval(nothing, bounded=bounded) for bounded in (True, False)]
    for interval in (rate_interval(0, 0), *ratios):
        assert interval.method == NO_DATA
        assert all(math.isnan(value) for value in (interval.estimate, interval.low, interval.high))


@pytest.mark.parametrize(("count", "n"), [(-1, 5), (6, 5)])
def test_impossible_rates_are_refused(count, n):
    with pytest.raises(ValueError, match="0 <= count <= n"):
        rate_interval(count, n)


def test_impossible_sums_are_refused():
    with pytest.raises(ValueError, match="not a rate"):
        ratio_interval(naive.sums([3], [2]), bounded=True)
    with pytest.raises(ValueError, match="no games"):
        ratio_interval((5, 5, 0, 9, 1), bounded=False)


game = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted)
games = st.lists(game, min_size=1, max_size=60)


@given(games)
def test_a_clustered_rate_keeps_its_promises(pairs):
    y, x = zip(*pairs, strict=True)
    interval = ratio_interval(naive.sums(y, x), bounded=True)
    if sum(x) == 0:
        assert interval.method == NO_DATA
        return
    assert interval.estimate == sum(y) / sum(x)
    assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
    if sum(y) == 0:
        assert interval.high > 0
    other = ratio_interval(naive.sums([b - a for a, b in pairs], x), bounded=True)
    assert limits(other) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-9)


@given(games)
def test_effective_units_are_their_definition(pairs):
    y, x = zip(*pairs, strict=True)
    several_games = sum(b > 0 for b in x) > 1
    units_are_games = max(x) <= 1
    if not 0 < sum(y) < sum(x) or not several_games or units_are_games:
        return
    units, rate = float(naive.effective_units(y, x)), sum(y) / sum(x)
    interval = ratio_interval(naive.sums(y, x), bounded=True)
    method = "beta" if min(rate, 1 - rate) * units < SMALL_COUNT else "wilson"
    expected = proportion_confint(units * rate, units, method=method)
    assert interval.method == {"beta": "clustered clopper-pearson", "wilson": "clustered wilson"}[method]
    assert limits(interval) == pytest.approx(expected, abs=1e-9)


def test_a_rate_of_games_is_not_clustered():
    y, x = [1] * 40 + [0] * 60 + [0] * 30, [1] * 100 + [0] * 30
    assert ratio_interval(naive.sums(y, x), bounded=True) == rate_interval(40, 100)


def test_units_that_fall_alike_count_as_one_game():
    y, x = [3] * 400 + [0] * 600, [3] * 1000
    clustered, games_only = ratio_interval(naive.sums(y, x), bounded=True), rate_interval(400, 1000)
    assert limits(clustered) == pytest.approx(limits(games_only), abs=1e-4)
    as_if_independent = rate_interval(1200, 3000)
    assert clustered.high - clustered.low > 1.6 * (as_if_independent.high - as_if_independent.low)


def test_never_seen_in_large_games_is_bounded_by_the_games():
    interval = ratio_interval(naive.sums([0] * 200, [50] * 200), bounded=True)
    assert (interval.low, interval.high) == (0.0, pytest.approx(rate_interval(0, 200).high))


def test_a_mean_is_the_classic_one_where_each_game_counts_once():
    values = [3, 5, 5, 9, 12, 4]
    interval = ratio_interval(naive.sums(values, [1] * 6), bounded=False)
    classic = ttest_1samp(values, 0).confidence_interval(0.95)
    assert (interval.estimate, interval.method) == (pytest.approx(np.mean(values)), "clustered t")
    assert limits(interval) == pytest.approx((classic.low, classic.high))
    with_games_that_have_none = ratio_interval(naive.sums([*values, 0, 0], [1] * 6 + [0, 0]), bounded=False)
    assert with_games_that_have_none == interval
    per_half = ratio_interval(naive.sums(values, [2] * 6), bounded=False)
    assert limits(per_half) == pytest.approx((classic.low / 2, classic.high / 2))


def test_the_mean_of_one_game_has_no_known_limits():
    interval = ratio_interval(naive.sums([7], [2]), bounded=False)
    assert interval.estimate == 3.5
    assert math.isnan(interval.low) and math.isnan(interval.high)


def test_sums_of_a_billion_games_do_not_cancel():
    n, mean = 10**9, 10**6
    interval = ratio_interval((n * mean, n, n * mean**2 + n, n * mean, n), bounded=False)
    assert interval.high - interval.low == pytest.approx(2 * 1.959964 / math.sqrt(n), rel=1e-5)


def test_sums_in_machine_integers_do_not_overflow():
    n = 10**9
    row = np.array([n, 3 * n, 2 * n, 3 * n, 9 * n], np.int64)
    for bounded in (True, False):
        assert ratio_interval(row, bounded=bounded) == ratio_interval(row.tolist(), bounded=bounded)


# Coverage. Each bound below is missed by chance once in a million runs; seeds are fixed all the same.


def least_hits(repetitions, coverage):
    """So many of the intervals hold the truth, but for one run in a million, if each does with this probability."""
    return binom.ppf(1e-6, repetitions, coverage)


@pytest.mark.parametrize("n", [5, 40, 300])
def test_exact_coverage_of_the_rate_of_games(n):
    counts = np.arange(n + 1)
    low, high = np.array([limits(rate_interval(int(count), n)) for count in counts]).T
    near_zero = np.geomspace(1e-4, 0.05, 60)
    rates = np.concatenate([near_zero, np.linspace(0.05, 0.95, 91), 1 - near_zero])
    chances = binom.pmf(counts[:, None], n, rates)
    coverage = (chances * ((low[:, None] <= rates) & (rates <= high[:, None]))).sum(axis=0)
    assert coverage.min() > 0.93
    assert coverage.mean() > 0.95


def intervals(y, x, bounded):
    """One interval a row of games."""
    rows = np.stack([y.sum(1), x.sum(1), (y * y).sum(1), (x * y).sum(1), (x * x).sum(1)], axis=1)
    return [ratio_interval(row, bounded=bounded) for row in rows]


def clustered_games(rng, repetitions, games, rate, alike, sizes):
    """Beta-binomial games: units of a game fall alike with correlation ``alike``; sizes of 0 occur."""
    x = rng.choice(sizes, (repetitions, games))
    spread = 1 / alike - 1 if alike else 0
    chance = rng.beta(rate * spread, (1 - rate) * spread, x.shape) if alike else rate
    return rng.binomial(x, chance), x


@pytest.mark.parametrize("alike", [0.0, 0.2, 0.7])
@pytest.mark.parametrize("sizes", [(3, 3), (0, 1, 2, 5), (20, 60, 100)])
@pytest.mark.parametrize(("games", "rate"), [(400, 0.3), (400, 0.004), (400, 0.99), (1500, 0.001), (40, 0.5)])
def test_coverage_of_clustered_rates(alike, sizes, games, rate):
    rng = np.random.default_rng([int(alike * 10), sizes[-1], games, int(rate * 1000)])
    repetitions = 1500
    y, x = clustered_games(rng, repetitions, games, rate, alike, sizes)
    hits = sum(interval.low <= rate <= interval.high for interval in intervals(y, x, bounded=True))
    assert hits >= least_hits(repetitions, 0.94)


def test_a_clustered_rate_is_not_wider_than_needed():
    rng = np.random.default_rng(5)
    y, x = clustered_games(rng, 1500, 2000, 0.3, 0.2, (3, 3))
    truth = np.std(y.sum(1) / x.sum(1))
    widths = [interval.high - interval.low for interval in intervals(y[:50], x[:50], bounded=True)]
    assert np.mean(widths) == pytest.approx(2 * 1.96 * truth, rel=0.1)


@pytest.mark.parametrize("games", [12, 300])
def test_coverage_of_means(games):
    rng = np.random.default_rng(games)
    repetitions = 3000
    x = rng.integers(1, 4, (repetitions, games))
    y = rng.poisson(4 * x)
    hits = sum(interval.low <= 4 <= interval.high for interval in intervals(y, x, bounded=False))
    assert least_hits(repetitions, 0.94) <= hits <= repetitions - least_hits(repetitions, 1 - 0.965)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("events", [0.5, 3, 12, 25, 45])
def test_coverage_of_means_of_rare_events(events, size):
    """Penalties, of which there are few in two thousand games; each may count several units.

    How many units can only be told from the few that were seen, so that limits are wrong rather more often then.
    """
    rng = np.random.default_rng([int(2 * events), size])
    repetitions, games = 1500, 2000
    y = rng.poisson(events / games, (repetitions, games)) * rng.integers(1, size + 1, (repetitions, games))
    x = np.ones_like(y)
    truth = events * (size + 1) / 2 / games
    found = intervals(y, x, bounded=False)
    assert sum(interval.low <= truth <= interval.high for interval in found) >= least_hits(
        repetitions, 0.94 if size == 1 else 0.9
    )
    ideal = 2 * 1.96 * math.sqrt(events * (size + 1) * (2 * size + 1) / 6) / games
    assert np.mean([interval.high - interval.low for interval in found]) < 1.3 * ideal + 2 * size / games


def test_a_mean_of_what_never_happened_has_a_bound():
    interval = ratio_interval((0, 2000, 0, 0, 2000), bounded=False)
    assert (interval.estimate, interval.low, interval.method) == (0, 0, "clustered poisson")
    assert interval.high == pytest.approx(rate_interval(0, 2000).high, rel=0.01)


def test_intervals_do_not_import_scipy_stats():
    code = (
        "import sys; from sim.services.statistics import rate_interval, ratio_interval\n"
        "rate_interval(1, 9), rate_interval(50, 99), ratio_interval((9, 9, 11, 9, 9), bounded=False)\n"
        "print('scipy.special' in sys.modules, 'scipy.stats' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
