"""Differences of paired games: against definitions, scipy and statsmodels, and by what they promise, simulated."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaln
from scipy.stats import binom, binomtest, multinomial, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests

from sim.services import differences, precision
from sim.services.differences import Difference, adjusted, mcnemar, paired_difference
from sim.services.statistics import rate_interval

LOOKS = np.array(list(precision.looks(100_000)))


def difference(both: np.ndarray, bounded: bool = True, **more: float) -> Difference:
    """Of pairs of games, each y, x, y', x'."""
    both = both.astype(np.int64)
    differing = int((both[:, :2] != both[:, 2:]).any(axis=1).sum())
    sums, products = both.sum(axis=0).tolist(), (both.T @ both).tolist()
    return paired_difference(sums, products, len(both), bounded=bounded, differing=differing, **more)


@cache
def of_counts(only_one: int, only_other: int, in_both: int, games: int, **more: float) -> Difference:
    """Of rates of games, from how many games either side alone won, and both."""
    y, other = only_one + in_both, only_other + in_both
    products = [[y, y, in_both, y], [y, games, other, games], [in_both, other, other, other], [y, games, other, games]]
    differing = only_one + only_other
    return paired_difference([y, games, other, games], products, games, bounded=True, differing=differing, **more)


def least_hits(repetitions: int, coverage: float) -> float:
    """So many of the intervals hold the truth, but for one run in a million, if each does with this probability."""
    return float(binom.ppf(1e-6, repetitions, coverage))


def most_hits(repetitions: int, chance: float) -> float:
    """So many of the repetitions do what each does with this probability, but for one run in a million."""
    return float(binom.isf(1e-6, repetitions, chance))


# Tests


@pytest.mark.parametrize("counts", [(0, 0), (1, 0), (0, 5), (6, 1), (9, 9), (40, 61), (700, 801)])
def test_mcnemar_is_that_of_scipy_and_statsmodels(counts: tuple[int, int]) -> None:
    table = [[3, counts[0]], [counts[1], 4]]
    expected = mcnemar_of_statsmodels(table, exact=True).pvalue if sum(counts) else 1
    assert mcnemar(*counts) == pytest.approx(expected)
    assert mcnemar(*counts) == mcnemar(*reversed(counts)) == of_counts(*counts, 5, 5000).p
    if sum(counts):
        assert mcnemar(*counts) == pytest.approx(binomtest(counts[0], sum(counts)).pvalue)


@pytest.mark.parametrize("games", [*range(1, 30), 100, 999])
def test_if_nothing_differs_p_is_rarely_small(games: int) -> None:
    """Exactly: of games that differ, half go either way; p below any α comes with probability α at most."""
    counts = np.arange(games + 1)
    found = np.array([mcnemar(int(count), int(games - count)) for count in counts])
    chances = binom.pmf(counts, games, 0.5)
    for alpha in (0.001, 0.01, 0.05, 0.2, 0.5):
        small = chances[found <= alpha].sum()
        assert small <= alpha * (1 + 1e-9)
        if games > 900:
            assert small > 0.8 * alpha


def test_p_of_units_within_games_is_rarely_small_if_nothing_differs() -> None:
    """Three Outlaws a game, most games the same on both sides, few and many of them different."""
    random = np.random.default_rng(21)
    repetitions = 1500
    for changing in (0.01, 0.2):
        small = 0
        for _ in range(repetitions):
            found = difference(three_outlaws(random, 500, 0.4, 0.4, changing))
            small += found.p <= 0.05
        assert small <= most_hits(repetitions, 0.05)
    assert small >= least_hits(repetitions, 0.03)  # many differ: no more careful than need be


def test_means_are_compared_by_t() -> None:
    random = np.random.default_rng(22)
    one, other = random.poisson(20, 300), random.poisson(21, 300)
    ones = np.ones(300)
    found = difference(np.stack([one, ones, other, ones], axis=1), bounded=False)
    classic = ttest_rel(one, other)
    limits = classic.confidence_interval(0.95)
    assert (found.estimate, found.p) == (pytest.approx((one - other).mean()), pytest.approx(classic.pvalue))
    assert (found.low, found.high) == (pytest.approx(limits.low), pytest.approx(limits.high))


def test_a_mean_without_any_difference_has_no_known_limits() -> None:
    same = np.stack([np.arange(50), np.ones(50), np.arange(50), np.ones(50)], axis=1)
    for more in ({}, {"anytime": 0.5}):
        found = difference(same, bounded=False, **more)
        assert (found.estimate, found.p) == (0, 1)
        assert math.isnan(found.low) and math.isnan(found.high)


@settings(max_examples=25)  # statsmodels takes its time over Holm's
@given(
    st.lists(st.floats(0, 1) | st.just(math.nan), max_size=12), st.sampled_from([("holm", "holm"), ("bh", "fdr_bh")])
)
def test_corrections_are_those_of_statsmodels(p: list[float], names: tuple[str, str]) -> None:
    found = adjusted(p, names[0])
    known = [k for k, value in enumerate(p) if not math.isnan(value)]
    assert all(math.isnan(found[k]) for k in range(len(p)) if k not in known)
    if known:
        expected = multipletests([p[k] for k in known], method=names[1])[1]
        assert [found[k] for k in known] == pytest.approx(expected)


def test_holm_gives_no_false_alarm_at_all_and_bh_few_among_its_alarms() -> None:
    random = np.random.default_rng(23)
    repetitions, cells, real = 600, 40, 10
    any_false, false_shares = 0, []
    for _ in range(repetitions):
        p = random.random(cells)
        p[:real] /= 5000
        holm, bh = (np.array(adjusted(p.tolist(), name)) < 0.05 for name in ("holm", "bh"))
        any_false += holm[real:].any()
        false_shares.append(bh[real:].sum() / max(1, bh.sum()))
        assert bh[:real].all()
    assert any_false <= most_hits(repetitions, 0.05)
    assert np.mean(false_shares) <= 0.05


# Limits for a number of games that was fixed before


@pytest.mark.parametrize("games", [12, 40])
def test_exact_coverage_of_differences_of_rates(games: int) -> None:
    """Over all that can come of so many games, for shares of games that speak for either side, none and all too."""
    shares = [0, 0.002, 0.02, 0.1, 0.3, 0.49, 0.6, 0.9, 0.98, 1]
    truths = [(p, q) for p in shares for q in shares if p + q <= 1]
    counts = [(a, b) for a in range(games + 1) for b in range(games + 1 - a)]
    limits = np.array([(found.low, found.high) for found in (of_counts(a, b, 0, games) for a, b in counts)])
    coverage = []
    for p, q in truths:
        chances = multinomial.pmf([(a, b, games - a - b) for a, b in counts], games, [p, q, max(0, 1 - p - q)])
        inside = (limits[:, 0] <= p - q + 1e-12) & (p - q - 1e-12 <= limits[:, 1])
        coverage.append(chances[inside].sum())
    assert min(coverage) > 0.93
    assert np.mean(coverage) > 0.95


@pytest.mark.parametrize("games", [1000, 50_000])
@pytest.mark.parametrize(
    ("one", "other"),
    [(0.0001, 0), (0.0004, 0.0004), (0.003, 0), (0.004, 0.001), (0.05, 0.03), (0.4, 0.4), (0.97, 0.01)],
)
def test_coverage_of_differences_of_rates(games: int, one: float, other: float) -> None:
    random = np.random.default_rng([games, int(1e4 * one), int(1e4 * other)])
    repetitions = 2000
    drawn = random.multinomial(games, [one, other, 0.3 * (1 - one - other), 0.7 * (1 - one - other)], repetitions)
    found = [of_counts(int(a), int(b), int(c), games) for a, b, c, _ in drawn]
    assert sum(f.low <= one - other <= f.high for f in found) >= least_hits(repetitions, 0.945)
    sure = 1.96 * math.sqrt((one + other - (one - other) ** 2) / games)
    if games * max(one, other) > 100:
        assert np.mean([f.high - f.low for f in found]) < 1.1 * 2 * sure
    else:  # of three games that differ, or none, some could be either way
        assert np.mean([f.high - f.low for f in found]) < 1.7 * 2 * sure + 2 * 5 / games


def test_limits_where_no_game_differs_are_those_of_never() -> None:
    found = of_counts(0, 0, 300, 1000)
    bound = rate_interval(0, 1000).high
    assert (found.estimate, found.p) == (0, 1)
    assert (found.low, found.high) == (pytest.approx(-bound), pytest.approx(bound))


def test_a_side_that_never_wins_leaves_the_interval_of_the_other() -> None:
    found = of_counts(300, 0, 0, 1000)
    alone = rate_interval(300, 1000)
    assert found.high == pytest.approx(alone.high)
    assert alone.low - 0.001 < found.low < alone.low  # the other could have won a few


def three_outlaws(random: np.random.Generator, games: int, one: float, other: float, changing: float) -> np.ndarray:
    """Three units a game, which fall alike half of the time; only some games can differ between the sides."""
    alike = random.random((games, 1)) < 0.5
    common = np.where(alike, random.random((games, 1)), random.random((games, 3)))
    anew = np.where(alike, random.random((games, 1)), random.random((games, 3)))
    changes = random.random((games, 1)) < changing
    base = (other - one * (1 - changing)) / changing if changing else one
    sides = (common < one).sum(1), np.where(changes, anew < base, common < one).sum(1)
    three = np.full(games, 3)
    return np.stack([sides[0], three, sides[1], three], axis=1)


@pytest.mark.parametrize(
    ("one", "other", "changing"),
    [
        (0.4, 0.41, 0.3),
        (0.4, 0.4, 0.01),
        (0.01, 0.012, 0.2),
        (0.99, 0.985, 0.5),
        (0.3, 0.301, 0.005),
        (0.0, 0.002, 0.01),
    ],
)
def test_coverage_of_differences_of_units_within_games(one: float, other: float, changing: float) -> None:
    random = np.random.default_rng([int(1000 * one), int(1000 * other), int(1000 * changing)])
    repetitions = 1000
    found = [difference(three_outlaws(random, 600, one, other, changing)) for _ in range(repetitions)]
    assert sum(f.low <= one - other <= f.high for f in found) >= least_hits(repetitions, 0.945)
    spread = np.std([f.estimate for f in found])
    assert np.mean([f.high - f.low for f in found]) < 2 * (2.3 * spread + 5 / 600)


@pytest.mark.parametrize(
    ("one", "other", "there"), [(0.5, 0.45, 0.3), (0.02, 0.03, 0.5), (0.98, 0.99, 0.2), (0.5, 0.5, 0.02)]
)
def test_coverage_of_differences_of_conditional_rates(one: float, other: float, there: float) -> None:
    """A show-down won, of the games with a show-down, which are not the same on both sides."""
    random = np.random.default_rng([int(1000 * one), int(1000 * other), int(1000 * there)])
    repetitions, games = 1000, 2500
    hits, widths, estimates = 0, [], []
    for _ in range(repetitions):
        chance, common = random.random(games), random.random(games)
        x, x_other = chance < there, np.where(random.random(games) < 0.8, chance, random.random(games)) < there
        y, y_other = x & (common < one), x_other & (common < other)
        found = difference(np.stack([y, x, y_other, x_other], axis=1))
        hits += found.low <= one - other <= found.high
        widths.append(found.high - found.low)
        estimates.append(found.estimate)
    assert hits >= least_hits(repetitions, 0.945)
    assert np.mean(widths) < 2 * (2.3 * np.std(estimates) + 5 / (games * there))


def test_coverage_of_differences_of_sizes_that_vary() -> None:
    """Attacks of a ghost: none in most games, many in some."""
    random = np.random.default_rng(25)
    repetitions, games, one, other = 1000, 1500, 0.3, 0.33
    hits = 0
    for _ in range(repetitions):
        sizes = random.poisson(random.gamma(0.3, 8, games))
        own = random.beta(2 * one, 2 * (1 - one), games), random.beta(2 * other, 2 * (1 - other), games)
        y, y_other = (random.binomial(sizes, chance) for chance in own)
        found = difference(np.stack([y, sizes, y_other, sizes], axis=1))
        hits += found.low <= one - other <= found.high
    assert hits >= least_hits(repetitions, 0.945)
    assert hits <= repetitions * 0.99


@pytest.mark.parametrize("games", [30, 400])
def test_coverage_of_differences_of_means(games: int) -> None:
    random = np.random.default_rng(games)
    repetitions = 1000
    hits = 0
    for _ in range(repetitions):
        common, x = random.gamma(2, 10, games), random.integers(1, 4, games)
        y, y_other = random.poisson(common * x), random.poisson((common + 1) * x)
        found = difference(np.stack([y, x, y_other, x], axis=1), bounded=False)
        hits += found.low <= -1 <= found.high
    assert least_hits(repetitions, 0.945) <= hits <= repetitions - least_hits(repetitions, 0.03)


@pytest.mark.parametrize("changed", [2, 20, 60])
def test_few_games_with_another_mean_are_no_grounds_for_limits(changed: int) -> None:
    """A penalty that only one side has, in a few games of two thousand."""
    random = np.random.default_rng(changed)
    games, repetitions = 2000, 1000
    ones = np.ones(games)
    known = hits = 0
    for _ in range(repetitions):
        common = random.poisson(0.3, games)
        more = random.poisson(changed / games, games)
        found = difference(np.stack([common + more, ones, common, ones], axis=1), bounded=False)
        if not math.isnan(found.low):
            known += 1
            hits += found.low <= changed / games <= found.high
    if changed == 60:
        assert known == repetitions
        assert hits >= least_hits(repetitions, 0.94)
    else:
        assert known <= 0.05 * repetitions


# What pairs are worth


wins = st.tuples(st.booleans(), st.booleans())


@given(st.lists(wins, min_size=2, max_size=40), st.integers(1, 5))
def test_units_that_always_fall_alike_are_worth_one_game(pairs: list[tuple[bool, bool]], units: int) -> None:
    y, other = np.array(pairs).T
    games = np.ones(len(y))
    single = difference(np.stack([y, games, other, games], axis=1))
    alike = difference(np.stack([y, games, other, games], axis=1) * units)
    assert (alike.low, alike.high, alike.p) == (pytest.approx(single.low), pytest.approx(single.high), single.p)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=2, max_size=30), st.booleans())
def test_the_other_way_round_is_the_negative(rows: list[tuple[int, ...]], anytime: bool) -> None:
    games = np.array([[min(a, b), b, min(c, d), d] for a, b, c, d in rows])
    more = {"anytime": 0.01} if anytime else {}
    one, other = difference(games, **more), difference(games[:, [2, 3, 0, 1]], **more)
    if math.isnan(one.estimate):
        assert math.isnan(other.estimate)
        return
    assert -1 <= one.low <= one.estimate <= one.high <= 1
    assert 0 <= one.p <= 1
    assert (one.low, one.high) == (pytest.approx(-other.high, abs=1e-9), pytest.approx(-other.low, abs=1e-9))
    assert one.p == pytest.approx(other.p)


# Limits that hold however often one looks


def paths(random: np.random.Generator, count: int, one: float, other: float) -> np.ndarray:
    """Of games that are looked at again and again: how many spoke for either side at each look, (count, looks, 2)."""
    steps = np.diff(LOOKS, prepend=0)
    drawn = random.multinomial(steps, [one, other, 1 - one - other], (count, len(steps)))
    return drawn.cumsum(axis=1)[:, :, :2]


def evidence(counts: np.ndarray, share: float) -> np.ndarray:
    """How the mixture sees counts (…, 2) against this share of the first: the logarithm; pseudo-games are 400."""
    one, other = counts[..., 0], counts[..., 1]
    a, b = 400 * share, 400 * (1 - share)
    return betaln(a + one, b + other) - betaln(a, b) - one * np.log(share) - other * np.log(1 - share)


@pytest.mark.parametrize("differing", [0.0002, 0.004, 0.4])
def test_false_alarms_of_who_looks_again_and_again(differing: float) -> None:
    """Nothing differs; where it seems to most, it must not be called sure in more than one path of twenty."""
    random = np.random.default_rng(int(1e4 * differing))
    repetitions = 4000
    drawn = paths(random, repetitions, differing / 2, differing / 2)
    seen = evidence(drawn, 0.5)
    alarms = 0
    for k, (counts, against) in enumerate(zip(drawn, seen, strict=True)):
        if against.max() < 2 and k % 20:
            continue  # an alarm takes log(1 / 0.05), which is 3
        worst = int(against.argmax())
        found = of_counts(*counts[worst].tolist(), 0, int(LOOKS[worst]), anytime=0.005)
        assert found.p == pytest.approx(min(1, math.exp(-against[worst])))
        assert found.p > 0.045 or not found.low <= 0 <= found.high  # the limits keep a tenth for something else
        alarms += found.p <= 0.05 or not found.low <= 0 <= found.high
    assert alarms <= most_hits(repetitions, 0.05)
    if differing > 0.001:
        naive = binom.cdf(drawn.min(axis=2), drawn.sum(axis=2), 0.5).min(axis=1) < 0.025
        assert naive.sum() > 3 * 0.05 * repetitions  # this is what it is for


@pytest.mark.parametrize(("one", "other"), [(0.002, 0), (0.02, 0.01), (0.2, 0.15), (0.5, 0.45)])
def test_coverage_at_all_looks(one: float, other: float) -> None:
    random = np.random.default_rng(int(1000 * one))
    repetitions = 400
    missed, widths = 0, []
    for counts in paths(random, repetitions, one, other):
        worst = int(evidence(counts, one / (one + other)).argmax()) if other else 0
        looks = {0, worst, len(LOOKS) - 1}
        found = [of_counts(*counts[k].tolist(), 0, int(LOOKS[k]), anytime=0.005) for k in looks]
        missed += any(not f.low <= one - other <= f.high for f in found)
        widths.append(found[-1].high - found[-1].low)
    assert missed <= most_hits(repetitions, 0.05)
    fixed = 2 * 1.96 * math.sqrt((one + other - (one - other) ** 2) / LOOKS[-1])
    assert np.mean(widths) < 3 * fixed


def test_looking_again_and_again_finds_what_there_is() -> None:
    """A difference of five points among a fifth of games is known after a few thousand; at fixed numbers, 1,600."""
    random = np.random.default_rng(31)
    needed = []
    for counts in paths(random, 100, 0.125, 0.075):
        found = (of_counts(*row.tolist(), 0, int(n), anytime=0.0) for row, n in zip(counts, LOOKS, strict=True))
        needed.append(next(int(n) for n, f in zip(LOOKS, found, strict=True) if f.low > 0))
    assert np.mean(needed) < 2 * 1600


def test_false_alarms_of_means_looked_at_again_and_again() -> None:
    """Turns, of which few games have others; nothing is said while fewer than ten or so do."""
    random = np.random.default_rng(32)
    repetitions, looks = 300, 15
    alarms, said = 0, 0
    for _ in range(repetitions):
        changed = random.random((looks, 1000)) < 0.02
        more = np.where(changed, random.poisson(9, changed.shape) - random.poisson(9, changed.shape), 0)
        one = random.poisson(20, changed.shape) + 20
        games = np.stack([one + more, np.ones_like(one), one, np.ones_like(one)], axis=-1)
        sums = games.sum(axis=1).cumsum(axis=0)
        products = np.einsum("lni,lnj->lij", games, games).cumsum(axis=0)
        found = [
            paired_difference(s.tolist(), p.tolist(), 1000 * (k + 1), bounded=False, differing=int(d), anytime=0.5)
            for k, (s, p, d) in enumerate(zip(sums, products, (more != 0).sum(axis=1).cumsum(), strict=True))
        ]
        said += not math.isnan(found[-1].low)
        alarms += any(f.low > 0 or f.high < 0 or f.p < 0.05 for f in found)
    assert said == repetitions
    assert alarms <= most_hits(repetitions, 0.05)


def test_an_unknown_width_is_half_a_point() -> None:
    assert of_counts(30, 20, 0, 1000, anytime=0.0) == of_counts(30, 20, 0, 1000, anytime=differences.DEFAULT_WIDTH)
