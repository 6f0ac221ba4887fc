"""Paired comparisons, and the ladder of two strategies."""

from __future__ import annotations

import numpy as np
import pytest
import toy

import sim
from sim.game import Session
from sim.services import ladder, paired, registry
from sim.services.differences import paired_difference

GAMES = 400
SEED = 8
RULES = toy.TOY.resolve({"players": 4})
NAMES = [metric.name for metric in toy.TOY.metrics(RULES)]
GUEST = NAMES.index("win_rate.role.guest")
RANK = NAMES.index("winning_rank")


def toy_session(dealer: sim.game.Strategy, guest: sim.game.Strategy) -> Session:
    return toy.TOY.session(RULES, {"default": toy.STUBBORN, "dealer": dealer, "guest": guest})


def by_hand(base: Session, other: Session, row: int) -> np.ndarray:
    """Numerators and denominators of both in every game, (games, 4)."""
    found = []
    for game in range(GAMES):
        sums = [session.play(SEED, game, 1, np.zeros(1, np.uint8)).sums[row] for session in (base, other)]
        found.append([sums[0][0], sums[0][1], sums[1][0], sums[1][1]])
    return np.array(found)


@pytest.mark.parametrize("threads, chunk", [(1, 4096), (2, 64), (3, 7)])
def test_pairs_are_the_same_games_by_both(threads, chunk):
    base = toy_session(toy.CAREFUL, toy.CAREFUL)
    others = [toy_session(toy.STUBBORN, toy.CAREFUL), toy_session(toy.CAREFUL, toy.STUBBORN)]
    pairs, _ = paired.play(base, [(others[0], RANK), (others[1], GUEST)], SEED, GAMES, threads, chunk)
    assert pairs.games == GAMES
    for k, row in ((0, RANK), (1, GUEST)):
        both = by_hand(base, others[k], row)
        assert (pairs.sums[k] == both.sum(axis=0)).all()
        assert (pairs.products[k] == both.T @ both).all()
        assert pairs.differing[k] == (both[:, :2] != both[:, 2:]).any(axis=1).sum() > 0


def difference(both: np.ndarray, bounded: bool = True) -> sim.services.differences.Difference:
    differing = int((both[:, :2] != both[:, 2:]).any(axis=1).sum())
    sums, products = both.sum(axis=0).tolist(), (both.T @ both).tolist()
    return paired_difference(sums, products, len(both), bounded=bounded, differing=differing)


def test_the_difference_is_that_of_the_jackknife():
    """Leaving out one pair after the other tells the variance of any statistic, without a formula of its own."""
    both = by_hand(toy_session(toy.CAREFUL, toy.CAREFUL), toy_session(toy.CAREFUL, toy.STUBBORN), RANK)
    found = difference(both, bounded=False)
    y, x, y_other, x_other = both.sum(axis=0)
    assert found.estimate == pytest.approx(y / x - y_other / x_other, rel=1e-12)
    assert (found.one, found.other) == (pytest.approx(y / x), pytest.approx(y_other / x_other))
    left = both.sum(axis=0) - both
    without = left[:, 0] / left[:, 1] - left[:, 2] / left[:, 3]
    error = np.sqrt((len(both) - 1) / len(both) * ((without - without.mean()) ** 2).sum())
    assert (found.high - found.low) / 2 == pytest.approx(1.966 * error, rel=0.01)


def test_the_interval_holds_the_true_difference_as_often_as_it_says():
    random = np.random.default_rng(3)
    hits, runs = 0, 2000
    for _ in range(runs):
        common = random.random(300)
        both = np.stack([common < 0.5, np.ones(300), common + 0.1 * random.random(300) < 0.45, np.ones(300)], 1)
        found = difference(both.astype(np.int64))
        hits += found.low <= 0.5 - 0.4 <= found.high
    assert abs(hits / runs - 0.95) < 0.03  # six standard deviations of 0.0049


def test_pairing_pays_when_games_are_alike():
    random = np.random.default_rng(4)
    common = random.random(4000)
    alike = np.stack([common < 0.5, np.ones(4000), common < 0.48, np.ones(4000)], 1).astype(np.int64)
    apart = np.stack([common < 0.5, np.ones(4000), random.random(4000) < 0.48, np.ones(4000)], 1).astype(np.int64)
    assert difference(alike).reduction > 15
    assert difference(apart).reduction == pytest.approx(1, abs=0.1)
    same = difference(np.ones((50, 4), np.int64))
    assert (same.estimate, same.p) == (0, 1)
    assert same.high == -same.low == pytest.approx(0.071, abs=0.001)  # never, in 50 games
    assert np.isnan(difference(np.zeros((50, 4), np.int64)).estimate)


def toy_ladder(one: sim.game.Strategy, other: sim.game.Strategy) -> ladder.Ladder:
    return ladder.climb(toy.TOY, [toy.TOY.resolve({"players": n}) for n in (2, 3)], one, other, SEED, GAMES, 2)


def test_who_swaps_bad_cards_is_above_who_never_swaps():
    found = toy_ladder(toy.CAREFUL, toy.STUBBORN)
    assert {(step.players, step.field, step.role) for step in found.steps} == {
        (players, field, role)
        for players in (2, 3)
        for field in ("careful", "stubborn")
        for role in ("dealer", "guest")
    }
    assert all(step.low > 0 for step in found.steps)
    assert all(step.games == GAMES and 0 < step.differing < GAMES for step in found.steps)
    back = toy_ladder(toy.STUBBORN, toy.CAREFUL)
    key = lambda step: (step.players, step.field, step.role)  # noqa: E731
    for step, turned in zip(sorted(found.steps, key=key), sorted(back.steps, key=key), strict=True):
        assert (step.one, step.other, step.estimate) == (turned.other, turned.one, -turned.estimate)
        assert (step.low, step.high) == (-turned.high, -turned.low)


def test_the_steps_are_the_rates_of_plain_runs():
    bang = registry.game("bang")
    simple, random = (registry.strategy("bang", name) for name in ("simple", "random"))
    found = ladder.climb(bang, [bang.resolve({"players": 5})], simple, random, SEED, 500, 2)
    assert {step.role for step in found.steps} == {"sheriff", "deputy", "outlaw", "renegade"}
    for step in found.steps:
        other = "random" if step.field == "simple" else "simple"
        rates = []
        for mine in (step.field, other):
            chosen = {"default": step.field, step.role: mine}
            run = sim.run(rules={"players": 5}, strategies=chosen, games=500, seed=SEED)
            rates.append(next(row.rate for row in run.win_rates if (row.group, row.name) == ("role", step.role)))
        assert (step.one, step.other) == (tuple(rates) if step.field == "simple" else tuple(reversed(rates)))
    four = ladder.climb(bang, [bang.resolve({"players": 4})], simple, simple, SEED, 50, 1)
    assert [(step.role, step.estimate, step.differing) for step in four.steps] == [
        (role, 0, 0) for role in ("sheriff", "outlaw", "renegade")
    ]
