"""The "draw!" (B-19): reveal the top card of the deck, compare, discard it."""

from __future__ import annotations

from sim.kernel.jit import shared

from .ask import ask
from .cards import discard, reveal
from .names import LUCKY_DUKE, NO_CARD, NO_SEAT, ONE, REVEAL, answer_what
from .questions import allow_card, pose


@shared
def draw_check(game, rules, tables, seat):
    """A player "draw!"s: the card that counts, or NO_CARD when there is none anywhere. CH-8 picks one of two."""
    first = reveal(game, seat)
    if first == NO_CARD:
        return first
    if game.public.ability[seat] != LUCKY_DUKE:
        discard(game, first)
        return first
    second = reveal(game, seat)
    if second == NO_CARD:
        discard(game, first)
        return first
    question = pose(game, seat, REVEAL, NO_SEAT, NO_CARD, ONE)
    allow_card(question, first)
    allow_card(question, second)
    chosen = answer_what(ask(game, rules, tables, seat))
    discard(game, first)
    discard(game, second)
    return chosen
