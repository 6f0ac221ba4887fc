"""Playing until a rate is known: intervals that hold at all looks, and one end for any division of the work."""

from __future__ import annotations

import dataclasses
import json
import math

import naive
import numpy as np
import pytest
from scipy.stats import binom
from toy import CAREFUL, STUBBORN, TOY

import sim
from sim.errors import UserError
from sim.game import Metric, Tallies
from sim.services import batch, precision
from sim.services.statistics import LEVEL, PSEUDO_GAMES, anytime_interval, rate_interval, ratio_interval

RULES = TOY.resolve({"players": 4})
DECLARED = TOY.metrics(RULES)
ENDINGS = len(TOY.endings(RULES))
SESSION = TOY.session(RULES, {"default": CAREFUL, "dealer": STUBBORN})


def most_failures(repetitions, level=LEVEL):
    """So many of the repetitions fail at most, but for one run in 10^9, if each fails with probability 1 − level."""
    return binom.isf(1e-9, repetitions, 1 - level)


def of_games(count, n, **more):
    return anytime_interval((count, n, count, count, n), bounded=True, **more)


@pytest.mark.parametrize("pseudo_games", [1, 50, 10_000, 10**7])
@pytest.mark.parametrize(("count", "n"), [(0, 1), (0, 5000), (1, 5000), (40, 100), (9999, 10_000), (10**6, 10**7)])
def test_the_limits_are_where_the_mixture_refutes(count, n, pseudo_games):
    interval = of_games(count, n, pseudo_games=pseudo_games)
    assert interval.low <= interval.estimate == count / n <= interval.high
    assert (interval.low == 0 or count > 0) and (interval.high == 1 or count < n)
    refuted = -math.log(1 - LEVEL)
    for limit in (interval.low, interval.high):
        found = naive.log_mixture(
            np.float64(count), np.float64(n - count), min(max(limit, 1e-9), 1 - 1e-9), pseudo_games
        )
        if limit in (0, 1):
            assert found < refuted
        else:
            assert found == pytest.approx(refuted, rel=1e-4)


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.005])
@pytest.mark.parametrize("pseudo_games", [20, 1000])
def test_who_looks_after_every_game_is_seldom_wrong(rate, pseudo_games):
    """Of runs looked at after each of 3,000 games few are ever wrong, as promised; with Wilson's interval many."""
    rng = np.random.default_rng([int(rate * 1000), pseudo_games])
    runs, games = 1500, np.arange(1, 3001)
    wrong = wrong_with_wilson = 0
    for _ in range(runs):
        yes = (rng.random(games.size) < rate).cumsum()
        wrong += bool((naive.log_mixture(yes, games - yes, rate, pseudo_games) >= -math.log(1 - LEVEL)).any())
        centre, spread = (yes + 1.92) / (games + 3.84), 1.96 / (games + 3.84) * np.sqrt(yes * (1 - yes / games) + 0.96)
        wrong_with_wilson += bool((abs(rate - centre) > spread)[30:].any())
    assert wrong <= most_failures(runs)
    assert wrong_with_wilson > 3 * most_failures(runs)


def cumulated(y, x):
    """The five sums of each run, first index, after each of its games."""
    return np.stack([np.cumsum(part, axis=1) for part in (y, x, y * y, x * y, x * x)], axis=2)


LOOKS = np.unique(np.geomspace(100, 4000, 30).astype(int)) - 1


@pytest.mark.parametrize(("bounded", "truth"), [(True, 0.2), (False, 4.0)], ids=["clustered rate", "mean"])
def test_looks_at_clustered_rates_and_means_are_seldom_wrong(bounded, truth):
    rng = np.random.default_rng(8)
    runs = 200
    x = rng.integers(0, 4, (runs, LOOKS[-1] + 1))
    y = rng.binomial(x, rng.beta(2 * truth, 2 - 2 * truth, x.shape)) if bounded else rng.poisson(truth * x)
    wrong = wrong_if_looked_once = 0
    for sums in cumulated(y, x):
        looks = [sums[look].tolist() for look in LOOKS]
        anytime = [anytime_interval(look, bounded=bounded, pseudo_games=300) for look in looks]
        fixed = [ratio_interval(look, bounded=bounded) for look in looks]
        wrong += any(not found.low <= truth <= found.high for found in anytime)
        wrong_if_looked_once += any(not found.low <= truth <= found.high for found in fixed)
    assert wrong <= most_failures(runs)
    assert wrong_if_looked_once > most_failures(runs)


def test_they_are_not_much_wider_than_intervals_for_one_look():
    for half_width, rate in ((0.01, 0.3), (0.002, 0.05), (0.002, 0.5)):
        wanted = precision.target(f"{100 * half_width:g}pp", None, DECLARED)
        n = int(9.5 * rate * (1 - rate) / half_width**2)
        anytime, once = of_games(int(rate * n), n, pseudo_games=wanted.pseudo_games), rate_interval(int(rate * n), n)
        assert 1.4 < (anytime.high - anytime.low) / (once.high - once.low) < 1.75


def test_nothing_is_known_of_a_mean_that_has_not_varied():
    assert math.isnan(anytime_interval((0, 500, 0, 0, 500), bounded=False).low)
    assert math.isnan(anytime_interval((0, 0, 0, 0, 0), bounded=True).estimate)
    with pytest.raises(ValueError, match="not a rate"):
        anytime_interval((3, 2, 9, 6, 4), bounded=True)


def test_looks_come_at_round_numbers_up_to_the_cap():
    looks = list(precision.looks(10**6))
    assert looks[:10] == [1000 * k for k in range(1, 11)]
    assert looks[-1] == 10**6
    assert all(look % 1000 == 0 for look in looks)
    assert all(after - before <= max(1000, before / 10) for before, after in zip(looks, looks[1:], strict=False))
    assert list(precision.looks(1500)) == [1000, 1500]
    assert list(precision.looks(7)) == [7]


def play(asked, metric=None, cap=6000, threads=2, session=SESSION, **more):
    wanted = precision.target(asked, metric, DECLARED)
    return precision.play(session, DECLARED, ENDINGS, 5, cap, threads, wanted, **more)


@pytest.mark.parametrize(("metric", "asked"), [(None, "2.4pp"), ("swaps", "1.3pp"), ("winning_rank", "0.12")])
def test_play_ends_at_the_same_game_whatever_the_threads_and_chunks(metric, asked):
    first, _, end = play(asked, metric, threads=1)
    assert end.reached and 1000 < first.games < 6000
    for threads, chunk in ((1, 77), (2, 4096), (3, 10), (5, 1000)):
        tallies, _, other = play(asked, metric, threads=threads, chunk=chunk)
        assert other == end
        assert np.array_equal(tallies.sums, first.sums) and np.array_equal(tallies.examples, first.examples)


def test_play_ends_at_the_first_look_that_is_exact_enough():
    _, _, end = play("2.4pp")
    wanted = end.target
    halves = {}
    for look in precision.looks(6000):
        tallies, _ = batch.play(SESSION, len(DECLARED), ENDINGS, 5, look, 2)
        widths = {}
        for row in wanted.rows(DECLARED):
            found = anytime_interval(tallies.sums[row].tolist(), bounded=True, pseudo_games=wanted.pseudo_games)
            widths[DECLARED[row].name] = (found.high - found.low) / 2
        halves[look] = max(widths.values())
        if halves[look] <= 0.024:
            break
    assert len(halves) == end.looks > 1
    assert (max(widths, key=widths.get), halves[look]) == (end.widest, end.half_width)
    assert {DECLARED[row].name for row in wanted.rows(DECLARED)} == {"ending.won", "ending.tied"}


def test_the_cap_ends_what_is_not_known_yet():
    tallies, outcome, end = play("0.5pp", cap=1500)
    assert (tallies.games, end.looks, end.reached, outcome.interrupted) == (1500, 2, False, False)
    assert end.half_width > 0.005
    assert end.needed == math.ceil(1500 * (end.half_width / 0.005) ** 2)


def test_an_interrupt_keeps_what_was_played():
    def progress(played, expected):
        if played > 2000:
            raise KeyboardInterrupt

    tallies, outcome, end = play("0.1pp", cap=10**6, chunk=50, progress=progress)
    assert outcome.interrupted and not end.reached
    assert 2000 < tallies.games < 10**6


def test_progress_goes_on_from_look_to_look():
    told: list[tuple[int, int]] = []
    tallies, _, _ = play("2.4pp", progress=lambda played, expected: told.append((played, expected)))
    played = [entry[0] for entry in told]
    assert played == sorted(played) and played[-1] == tallies.games
    assert all(1 <= games <= expected <= 6000 for games, expected in told)


def test_a_metric_without_observations_is_never_known():
    class Empty:
        def play(self, seed, first, count, stop):
            return dataclasses.replace(Tallies.empty(len(DECLARED), ENDINGS), games=count)

    _, _, end = play("5pp", cap=3000, session=Empty())
    assert (end.reached, end.needed, end.half_width) == (False, None, math.inf)


@pytest.mark.parametrize(
    ("asked", "metric", "message"),
    [
        ("x", None, "'x' is no half-width; write for example 0.2pp"),
        ("-1pp", None, "no half-width"),
        (0.2, None, "no half-width"),
        ("0.2", None, "the rate of an ending is a share.*write for example 0.2pp"),
        ("0.2pp", "winning_rank", "counted in rank; write for example 0.5"),
        ("0pp", None, "out of range"),
        ("50pp", None, "out of range"),
        ("1pp", "swps", "unknown metric 'swps'; did you mean swaps?"),
    ],
)
def test_what_makes_no_sense_is_the_users_mistake(asked, metric, message):
    with pytest.raises(UserError, match=message):
        precision.target(asked, metric, DECLARED)


def test_half_widths_are_in_the_unit_of_the_metric():
    assert precision.target("0.2pp", None, DECLARED).half_width == pytest.approx(0.002)
    mean = precision.target(".5", "winning_rank", DECLARED)
    assert (mean.half_width, mean.pseudo_games) == (0.5, PSEUDO_GAMES)
    assert [DECLARED[row] for row in mean.rows(DECLARED)] == [
        Metric("winning_rank", "game", "rank", "rank that won", "games won")
    ]


def test_a_run_from_python_ends_when_it_is_known():
    results = [sim.run(precision="2pp", metric="win_rate.role.sheriff", threads=threads) for threads in (1, 3)]
    first, other = (result.to_json() for result in results)
    for found in (first, other):
        del found["seconds"], found["games_per_s"]
    assert first == other
    assert json.loads(json.dumps(first, allow_nan=False)) == first
    told = first["precision"]
    assert told["reached"] and told["half_width"] <= told["target"] == pytest.approx(0.02)
    (sheriff,) = (row for row in results[0].metrics if row.name == "win_rate.role.sheriff")
    assert (sheriff.high - sheriff.low) / 2 == told["half_width"]
    assert sheriff.method == "anytime beta-binomial"
    assert not results[0].partial
    with pytest.raises(UserError, match="add a precision"):
        sim.run(metric="turns")
