"""What a ghost has at stake: how much he would like each seat to be hurt or helped, and what a lost life point means.

Worth is counted in thousandths of a card of the Sheriff's. Harm, before it is weighed by whom it hits, in tenths of a
card.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.cards import has_in_play
from sim.bang.core.flags import WORDS
from sim.bang.core.ghost_plays import SCOFFLAW_RETURN, ZOMBIE_RETURN
from sim.bang.core.names import (
    BARREL,
    DEPUTY,
    JOURDONNAIS,
    MISSED,
    OUTLAW,
    RENEGADE,
)
from sim.bang.core.seats import is_ghost
from sim.kernel.bits import popcount
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.beliefs import opinion, opinions, packed_with, ring_target
from strategies.bang.standard.weights import GHOST_LIFE, weight

MOST = np.int64(50)
"""What the Sheriff is to an outlaw or, with the other sign, to a deputy."""

SURELY = np.int64(12)
"""Hostility (beliefs.py) from which a player counts as surely against the law."""

HITS = np.array([100, 83, 69, 57, 48, 40, 34, 28], np.int8)
"""Per cent of shots that hit, by the number of hand cards that nobody knows."""

HITS_A_KNOWN_MISSED = np.int64(8)

SHERIFF_IN_SHOWDOWN, RENEGADE_IN_SHOWDOWN = np.int64(30), np.int64(-15)
"""What they are to a dead outlaw when they alone live: neither shall win, and the Sheriff shall fall to a ghost."""

LAST_LIFE = np.int64(90)
"""What the last life point is worth."""

SHERIFF_LOST = np.int64(9000)
"""What it is worth, either way, if a game or the way to win it is lost with the Sheriff."""


@leaf
def stake(stakes, seat):
    """How much a ghost would like a seat to be hurt, −50 … 50."""
    return opinion(stakes, seat)


@shared
def stakes_of(public, own, rules, tables, role):
    """The stakes of all seats for a ghost of a role, as this seat sees them (packed)."""
    packed = np.int64(0)
    everybody = np.int64((1 << np.int64(public.players)) - 1)
    hostilities = opinions(public, own, tables, everybody)
    for seat in range(np.int64(public.players)):
        against = min(max(opinion(hostilities, np.int64(seat)), -SURELY), SURELY)
        packed = packed_with(packed, np.int64(seat), stake_in(public, own, rules, role, np.int64(seat), against))
    return packed


@leaf
def stake_in(public, own, rules, role, seat, against):
    """``against``: how surely the seat is against the law (positive) or for it (negative), −12 … 12."""
    if public.sheriff < 0:
        return MOST if ring_target(public, own) >> seat & 1 != 0 else np.int64(0)
    if role == RENEGADE:
        return stake_of_renegade(public, own, rules, seat, against)
    if role == OUTLAW and is_showdown(public) and not is_ghost(public, seat):
        return SHERIFF_IN_SHOWDOWN if seat == public.sheriff else RENEGADE_IN_SHOWDOWN
    side = np.int64(-1 if role == OUTLAW else 1)
    if seat == public.sheriff:
        return -side * MOST
    if public.known_role[seat] == RENEGADE:
        return np.int64(15 if role == OUTLAW or is_ghost(public, seat) else 30)
    if not is_ghost(public, seat) and public.roles_left[OUTLAW if role == OUTLAW else DEPUTY] == 0:
        return np.int64(15 if role == OUTLAW else 30)  # nobody of his team is left alive
    if role == OUTLAW:
        return -against * 30 // SURELY if against > 0 else 2 - against * 22 // SURELY
    return against * 30 // SURELY + prior(public) if against >= 0 else against * 30 // SURELY


@leaf
def is_showdown(public):
    """Whether only the Sheriff and a Renegade live."""
    if public.sheriff < 0 or public.roles_left[OUTLAW] + public.roles_left[DEPUTY] > 0:
        return False
    return public.roles_left[RENEGADE] == 1


@leaf
def prior(public):
    """What a ghost of the law thinks of somebody who has done nothing."""
    against = public.roles_left[OUTLAW] + public.roles_left[RENEGADE]
    return np.int64(5) if against > public.roles_left[DEPUTY] else np.int64(0)


@leaf
def must_strike(public):
    """Whether the law has the upper hand, or another Renegade is alive to profit."""
    return public.roles_left[RENEGADE] > 0 or public.roles_left[DEPUTY] + 1 > public.roles_left[OUTLAW]


@leaf
def stake_of_renegade(public, own, rules, seat, against):
    """A dead Renegade.

    Scofflaw: he strikes at the Sheriff in time, else waits for his last life point; one enemy of the law must be left
    then. Zombie: he wants the game to last, so he is for whoever is about to lose it.
    """
    if seat == own.seat and own.role == RENEGADE:
        return np.int64(-MOST)
    enemies_left = public.roles_left[OUTLAW] + public.roles_left[RENEGADE]
    if rules.dm_renegade_return == ZOMBIE_RETURN:
        if seat == public.sheriff:
            return np.int64(-20 if public.life[seat] == 1 else 0)
        return -against * 15 // SURELY if enemies_left <= 1 else np.int64(0)
    if seat == public.sheriff:
        return np.int64(30 if must_strike(public) else 20 if public.life[seat] == 1 else 0)
    if is_ghost(public, seat):
        return np.int64(15)
    return -against * 25 // SURELY if enemies_left <= 1 else against * 15 // SURELY


@leaf
def life_worth(own, tables, life):
    """What a life point is worth to somebody with so many; to a Renegade, who gains by deaths alone, little."""
    if life <= 1:
        return LAST_LIFE
    return 8 // life + (np.int64(0) if own.role == RENEGADE else weight(own, tables, GHOST_LIFE))


@leaf
def hit_chance(public, own, tables, seat):
    """Per cent: how likely a shot at a seat hits, as this player sees it."""
    known = np.int64(0)
    stops = np.uint64(0)
    for w in range(WORDS):
        seen = public.seen_in_hand[seat, w] | own.glimpsed[seat, w]
        known += popcount(seen)
        stops |= seen & tables.of_effect[MISSED, w]
    if stops != 0:
        return HITS_A_KNOWN_MISSED
    unknown = max(np.int64(public.hand_size[seat]) - known, 0)
    chance = np.int64(HITS[min(unknown, 7)])
    if has_in_play(public, seat, BARREL):
        chance = chance * 3 // 4
    if public.ability[seat] == JOURDONNAIS:
        chance = chance * 3 // 4
    return chance


@shared
def wound_gain(public, own, rules, tables, stakes, role, seat, by):
    """What it is worth to a ghost of ``role`` that ``by`` takes a life point from a seat."""
    life = np.int64(public.life[seat])
    if seat == public.sheriff and life == 1:
        by_renegade = is_ghost(public, by) and public.known_role[by] == RENEGADE
        if by_renegade and rules.dm_renegade_return == SCOFFLAW_RETURN:
            if role == RENEGADE:
                return SHERIFF_LOST if by == own.seat or own.role != RENEGADE else np.int64(0)
            return -SHERIFF_LOST * 2 // 3
        if role == RENEGADE:
            return -SHERIFF_LOST
    if role == OUTLAW and life == 1 and is_showdown(public):  # DM-56: only his own team's kill is his victory
        by_outlaw = is_ghost(public, by) and public.known_role[by] == OUTLAW
        return SHERIFF_LOST if by_outlaw and seat == public.sheriff else -SHERIFF_LOST
    return 2 * stake(stakes, seat) * life_worth(own, tables, life)
