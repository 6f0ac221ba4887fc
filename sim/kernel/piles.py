"""Piles of cards: an ordered known top and a rest that is drawn at random when it is needed.

Drawing a random card of the unordered rest is the same as shuffling it beforehand, and costs nothing for the cards
that are never drawn. A pile is a record with the fields of ``pile_fields``.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf
from sim.kernel.streams import GAMMA, below


def pile_fields(capacity: int) -> np.dtype:
    """Fields of a pile: ``cards`` int16 (capacity,), top last, ``count`` of them, the top ``known`` in order."""
    return np.dtype(
        [("stream", np.uint64), ("count", np.int16), ("known", np.int16), ("cards", np.int16, (capacity,))], align=True
    )


@leaf
def draw_at_random(pile, stream, count):
    """Takes one of the lowest ``count`` cards, by the stream's position; the topmost of them fills the gap."""
    i = below(stream, count)
    card = np.int64(pile.cards[i])
    pile.cards[i] = pile.cards[count - 1]
    return card


@leaf
def take_top(pile):
    """Takes the top card, drawn at random unless it is known; −1 when the pile is empty."""
    count = np.int64(pile.count)
    if count == 0:
        return np.int64(-1)
    count -= 1
    pile.count = count
    if pile.known > 0:
        pile.known -= 1
        return np.int64(pile.cards[count])
    pile.stream += GAMMA
    return draw_at_random(pile, pile.stream, count + 1)


@leaf
def put_on_top(pile, card):
    """Puts a card on top, face down but known in order."""
    pile.cards[pile.count] = card
    pile.count += 1
    pile.known += 1


@leaf
def lay_down(pile, card):
    """Adds a card on top of a pile whose order does not matter until it is shuffled (a discard pile)."""
    pile.cards[pile.count] = card
    pile.count += 1


@leaf
def shuffle_into(source, pile):
    """Moves all cards of one pile into another, empty one, shuffled."""
    for i in range(np.int64(source.count)):
        pile.cards[i] = source.cards[i]
    pile.count = source.count
    pile.known = 0
    source.count = 0
    source.known = 0
