"""Where a sweep meets a target: by hand, and against surfaces whose contour is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.services.contour import contour, crossings
from sim.services.goals import p_against

NAN = math.nan


def test_a_crossing_lies_between_the_cells_on_either_side() -> None:
    found = crossings([1, 2, 4], [0.1, 0.2, 0.4], [0.08, 0.18, 0.38], [0.12, 0.22, 0.42], 0.25)
    assert [c.at for c in found] == [pytest.approx(2.5)]
    assert (found[0].first, found[0].last) == (pytest.approx(2.3), pytest.approx(2.7))
    assert not found[0].is_open


def test_the_band_goes_over_cells_that_cannot_be_told_from_the_target() -> None:
    found = crossings([1, 2, 3, 4], [0.1, 0.24, 0.27, 0.5], [0.05, 0.2, 0.2, 0.4], [0.15, 0.3, 0.3, 0.6], 0.25)
    assert [c.at for c in found] == [pytest.approx(2 + 1 / 3)]
    assert found[0].first == pytest.approx(1 + 2 / 3)  # the upper limit rises from 0.15 to 0.3
    assert found[0].last == pytest.approx(3.25)  # the lower limit rises from 0.2 to 0.4
    open_ended = crossings([1, 2], [0.1, 0.3], [0, 0.1], [0.3, 0.5], 0.25)[0]
    assert (open_ended.first, open_ended.last, open_ended.is_open) == (1, 2, True)


@pytest.mark.parametrize(
    ("estimates", "expected"),
    [
        ([0.1, 0.2, 0.3], []),
        ([0.6, 0.4, 0.6], [0.5, 1.5]),
        ([0.4, 0.5, 0.6], [1]),
        ([0.5, 0.5, 0.6], [0, 1]),
        ([0.4, NAN, 0.6], []),
        ([NAN, 0.4, 0.6], [1.5]),
    ],
)
def test_what_counts_as_a_crossing(estimates: list[float], expected: list[float]) -> None:
    found = crossings([0, 1, 2], estimates, estimates, estimates, 0.5)
    assert [c.at for c in found] == pytest.approx(expected)
    assert all(c.first <= c.at <= c.last for c in found)


def test_limits_that_are_not_known_rule_nothing_out() -> None:
    found = crossings([0, 1, 2], [0.1, 0.4, 0.9], [NAN, 0.3, 0.8], [NAN, 0.45, 1.0], 0.5)[0]
    assert (found.at, found.first, found.last) == (pytest.approx(1.2), pytest.approx(12 / 11), pytest.approx(1.4))
    unknown = crossings([0, 1], [0.1, 0.9], [NAN, NAN], [NAN, NAN], 0.5)[0]
    assert (unknown.at, unknown.first, unknown.last, unknown.is_open) == (0.5, 0, 1, True)


def test_settings_that_do_not_rise_are_refused() -> None:
    with pytest.raises(ValueError, match="do not rise"):
        crossings([2, 1], [0, 1], [0, 1], [0, 1], 0.5)
    with pytest.raises(ValueError, match="shorter|longer"):
        crossings([1, 2], [0, 1, 2], [0, 1], [0, 1], 0.5)


def test_the_points_of_a_grid_lie_on_the_contour() -> None:
    xs, ys = [1, 2, 3, 5, 8], [0.0, 1.0, 1.5]
    plane = np.array([[0.1 * x + 0.2 * y for x in xs] for y in ys])
    points = contour(xs, ys, plane, plane - 0.02, plane + 0.02, 0.55)
    assert [(p.along, p.y if p.along == "x" else p.x) for p in points] == [
        ("x", 0), ("x", 1), ("x", 1.5), ("y", 3), ("y", 5),
    ]  # fmt: skip
    for point in points:
        assert 0.1 * point.x + 0.2 * point.y == pytest.approx(0.55)
        at, slope = (point.x, 0.1) if point.along == "x" else (point.y, 0.2)
        assert (point.last - at, at - point.first) == (pytest.approx(0.02 / slope), pytest.approx(0.02 / slope))


def test_the_band_holds_the_true_crossing_as_often_as_the_intervals_hold() -> None:
    """A rate that rises with a setting, each cell seen with an error; the band is of one line of limits, not of two."""
    random = np.random.default_rng(41)
    xs = np.arange(6.0)
    truth, error = 0.2 + 0.1 * xs, 0.015
    hits, widths = 0, []
    for _ in range(2000):
        seen = truth + random.normal(0, error, len(xs))
        found = crossings(xs.tolist(), seen, seen - 1.96 * error, seen + 1.96 * error, 0.45)
        hits += any(c.first <= 2.5 <= c.last for c in found)
        widths += [c.last - c.first for c in found]
    assert hits / 2000 > 0.95
    assert np.mean(widths) < 1.3 * 2 * 1.96 * error / 0.1


# Cells against a target


@pytest.mark.parametrize(("count", "games", "target"), [(0, 50, 0.1), (13, 50, 0.1), (250, 500, 0.5), (50, 50, 0.99)])
def test_p_against_a_target_is_that_of_the_two_tails(count: int, games: int, target: float) -> None:
    from scipy.stats import binom

    tails = binom.cdf(count, games, target), binom.sf(count - 1, games, target)
    found = p_against((count, games, count, count, games), bounded=True, target=target)
    assert found == pytest.approx(min(1, 2 * min(tails)))


def test_p_against_a_target_is_rarely_small_if_it_is_met() -> None:
    random = np.random.default_rng(42)
    small, repetitions = {True: 0, False: 0}, 2000
    for _ in range(repetitions):
        x = np.full(300, 3)
        alike = random.random(300) < 0.5
        y = np.where(alike, 3 * (random.random(300) < 0.3), random.binomial(3, 0.3, 300))
        for bounded, values, target in ((True, y, 0.3), (False, random.poisson(12, 300), 4)):
            sums = values.sum(), x.sum(), (values**2).sum(), (values * x).sum(), (x * x).sum()
            small[bounded] += p_against([int(s) for s in sums], bounded=bounded, target=target) <= 0.05
    for count in small.values():
        assert 0.03 * repetitions < count < 0.07 * repetitions  # four standard deviations


def test_impossible_targets_and_no_data() -> None:
    assert math.isnan(p_against((0, 0, 0, 0, 0), bounded=True, target=0.5))
    assert math.isnan(p_against((7, 1, 49, 7, 1), bounded=False, target=0.5))
    assert p_against((3, 9, 3, 3, 9), bounded=True, target=0.0) == 0
    assert p_against((0, 9, 0, 0, 9), bounded=True, target=0.0) == 1
