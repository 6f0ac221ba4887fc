"""The kernel: sets in one integer, random streams, piles. Each is compared with a naive twin or with theory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.kernel import bits, piles, streams
from sim.kernel.jit import entry

WORDS = st.integers(0, 2**64 - 1)


@entry(False)
def compiled_bits(members, out):
    """The compiled twins of the set functions, into an array."""
    out[0] = bits.popcount(members)
    out[1] = bits.lowest(members)
    out[2] = bits.highest(members)
    if members != 0:
        out[3] = bits.popcount(bits.rest(members))
        out[4] = bits.nth(members, out[0] - 1)


@settings(deadline=None)  # the first call compiles
@given(WORDS)
def test_compiled_and_plain_sets_agree(word: int) -> None:
    out = np.zeros(5, np.int64)
    compiled_bits(np.uint64(word), out)
    members = [k for k in range(64) if word >> k & 1]
    assert out[0] == len(members) == bits.popcount(word)
    assert out[1] == (members[0] if members else 64) == bits.lowest(word)
    assert out[2] == (members[-1] if members else -1) == bits.highest(word)
    if members:
        assert out[3] == len(members) - 1
        assert out[4] == members[-1]
        assert bits.lowest(bits.bit(members[0])) == members[0]


@entry(False)
def numbers_of(seed, game, number, n, out):
    """The first numbers below n of one stream."""
    state = streams.stream(streams.game_key(seed, game), number)
    for k in range(out.shape[0]):
        state += streams.GAMMA
        out[k] = streams.below(state, n)


def drawn(seed: int, game: int, number: int, n: int, count: int) -> np.ndarray:
    out = np.zeros(count, np.int64)
    numbers_of(seed, game, number, n, out)
    return out


@pytest.mark.parametrize("n", [2, 3, 7, 80, 120])
def test_numbers_are_uniform(n: int) -> None:
    count = 200_000
    seen = np.bincount(drawn(1, 2, 3, n, count), minlength=n)
    expected = count / n
    chi_square = ((seen - expected) ** 2 / expected).sum()
    # Mean n − 1, variance 2 (n − 1): six standard deviations are passed once in about 10^7 tests.
    assert abs(chi_square - (n - 1)) < 6 * np.sqrt(2 * (n - 1)) + 12


def test_streams_and_games_differ_and_repeat() -> None:
    first = drawn(1, 0, 0, 2**31, 50)
    assert np.array_equal(first, drawn(1, 0, 0, 2**31, 50))
    for other in (drawn(2, 0, 0, 2**31, 50), drawn(1, 1, 0, 2**31, 50), drawn(1, 0, 1, 2**31, 50)):
        assert not np.intersect1d(first, other).size


def test_neighbouring_games_are_uncorrelated() -> None:
    firsts = np.array([drawn(1, game, 1, 2**20, 1)[0] for game in range(4000)]) / 2**20
    correlation = np.corrcoef(firsts[:-1], firsts[1:])[0, 1]
    assert abs(correlation) < 5 / np.sqrt(len(firsts))


PILE = piles.pile_fields(64)


@entry(False)
def empty_pile(pile, stream, cards, known, out):
    """Lays ``cards`` down, ``known`` on top of them, and takes everything off again."""
    pile = pile[0]
    pile.stream = stream
    pile.count = 0
    pile.known = 0
    for k in range(cards):
        piles.lay_down(pile, k)
    for k in range(known):
        piles.put_on_top(pile, 60 - k)
    taken = piles.take_top(pile)
    n = 0
    while taken >= 0:
        out[n] = taken
        n += 1
        taken = piles.take_top(pile)
    return n


def test_a_pile_gives_its_known_top_in_order_and_each_other_card_once() -> None:
    out = np.zeros(64, np.int64)
    taken = empty_pile(np.zeros(1, PILE), np.uint64(5), 40, 3, out)
    assert taken == 43
    assert out[:3].tolist() == [58, 59, 60]
    assert sorted(out[3:43].tolist()) == list(range(40))


def test_the_unknown_rest_of_a_pile_is_shuffled() -> None:
    pile = np.zeros(1, PILE)
    out = np.zeros(64, np.int64)
    places = np.zeros((6, 6))
    rounds = 6000
    for k in range(rounds):
        empty_pile(pile, np.uint64(k * 1_000_003), 6, 0, out)
        places[out[:6], np.arange(6)] += 1
    # Each card comes at each place with probability 1/6: 36 cells, six standard deviations.
    assert np.abs(places - rounds / 6).max() < 6 * np.sqrt(rounds * 5 / 36)
