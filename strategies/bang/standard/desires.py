"""How much a living player wants each other one hurt: by his role, by what he believes, and by who is left."""

from __future__ import annotations

import numpy as np

from sim.bang.core.names import DEPUTY, OUTLAW, RENEGADE
from sim.bang.core.questions import sheriff_mask
from sim.bang.core.seats import others
from sim.kernel.bits import lowest, popcount
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.beliefs import (
    MOST,
    above,
    opinion,
    opinions,
    others_left,
    packed_alike,
    packed_with,
    ring_target,
    verdicts,
)
from strategies.bang.standard.weights import LAW_CAUTION, OUTLAW_CAUTION, RENEGADE_BALANCE, weight

# How much somebody is wanted hurt, packed a byte a seat as opinions are.
ARCHFOE, FOE, LIKELY, RIVAL = np.int64(60), np.int64(50), np.int64(40), np.int64(25)
SPARED, FRIEND = np.int64(-30), np.int64(-45)

PATIENCE = np.int64(100)
"""Turns after which the law grows less cautious, turn by turn, and nobody shoots at ghosts any more: else a game might
never end, a hidden Renegade waiting, or most of the deck being buried."""


@shared
def desires(public, own, tables):
    """How much each other living player is wanted hurt, packed, a byte a seat; whom nobody hurts has −64."""
    seats = others(public, np.int64(own.seat))
    if public.sheriff < 0:
        return ring_desires(public, own, seats)
    hidden = seats & ~sheriff_mask(public)
    if own.role == OUTLAW:
        return desires_of_outlaw(public, own, tables, hidden)
    if own.role == RENEGADE:
        return desires_of_renegade(public, own, tables, hidden)
    return desires_of_law(public, own, tables, hidden)


@leaf
def ring_desires(public, own, seats):
    """B-2: the own target, then whoever else there is."""
    target = ring_target(public, own)
    return packed_alike(seats & target, ARCHFOE) | packed_alike(seats & ~target, RIVAL)


@leaf
def odds(foes, others_spared, caution):
    """How much to hurt somebody unknown: one of so many foes and so many whom ``caution`` spares."""
    foes, others_spared = max(foes, 0), max(others_spared, 0)
    return max(-MOST, (LIKELY * foes - caution * others_spared) // max(1, foes + others_spared))


@leaf
def caution_of_law(public, own, tables):
    return max(0, weight(own, tables, LAW_CAUTION) - max(0, np.int64(public.turn) - PATIENCE))


@leaf
def with_sheriff(public, own):
    """The start of a packed set for the law: nobody hurts the Sheriff, himself included."""
    return packed_alike(sheriff_mask(public) & ~(1 << np.int64(own.seat)), -MOST)


@leaf
def with_hidden(packed, hidden, blamed, cleared, suspect, friend, unknown):
    """A packed set with those besides whose roles are hidden: suspects, those who are trusted, and the others."""
    packed |= packed_alike(blamed, suspect) | packed_alike(cleared, friend)
    return packed | packed_alike(hidden & ~(blamed | cleared), unknown)


@leaf
def desires_of_law(public, own, tables, hidden):
    """Suspects; unknown players by the odds; everybody when no deputy is left."""
    outlaws = np.int64(public.roles_left[OUTLAW])
    mates = others_left(public, own, DEPUTY)
    if outlaws == 0 and mates > 0:
        return desires_of_last_hunt(public, own, tables, hidden)
    blamed, cleared = verdicts(public, own, tables, hidden)
    friend, unknown = RIVAL, LIKELY
    if mates > 0:
        friend = FRIEND
        foes = outlaws + np.int64(public.roles_left[RENEGADE])
        unknown = odds(foes - popcount(blamed), mates - popcount(cleared), caution_of_law(public, own, tables))
    return with_hidden(with_sheriff(public, own), hidden, blamed, cleared, FOE, friend, unknown)


@leaf
def desires_of_last_hunt(public, own, tables, hidden):
    """Only Renegades are left: the most hostile, if it can be told who that is."""
    packed = with_sheriff(public, own)
    foes = np.int64(public.roles_left[RENEGADE])
    beliefs = opinions(public, own, tables, hidden)
    top = -MOST
    left = hidden
    while left != 0:
        top = max(top, opinion(beliefs, lowest(left)))
        left &= left - 1
    hunted = hidden & above(beliefs, top - 1)
    equal = popcount(hunted)
    most_hostile = FOE if equal <= foes else odds(foes, equal - foes, caution_of_law(public, own, tables))
    return packed | packed_alike(hunted, most_hostile) | packed_alike(hidden & ~hunted, SPARED)


@leaf
def desires_of_outlaw(public, own, tables, hidden):
    """The Sheriff first, then his friends; suspects are mates."""
    packed = packed_with(np.int64(0), np.int64(public.sheriff), ARCHFOE)
    mates = others_left(public, own, OUTLAW)
    if mates <= 0:
        return packed | packed_alike(hidden, RIVAL)
    blamed, cleared = verdicts(public, own, tables, hidden)
    strangers = popcount(hidden) - mates
    unknown = odds(strangers, mates - popcount(blamed), weight(own, tables, OUTLAW_CAUTION))
    return with_hidden(packed, hidden, blamed, cleared, FRIEND, RIVAL, unknown)


@leaf
def desires_of_renegade(public, own, tables, hidden):
    """Outlaws first while they are many, then deputies; the Sheriff is spared until nobody else is left."""
    packed = packed_with(np.int64(0), np.int64(public.sheriff), ARCHFOE if hidden == 0 else -MOST)
    outlaws = np.int64(public.roles_left[OUTLAW])
    if outlaws == 0:
        return packed | packed_alike(hidden, FOE)
    blamed, cleared = verdicts(public, own, tables, hidden)
    if outlaws > weight(own, tables, RENEGADE_BALANCE) or public.roles_left[DEPUTY] == 0:
        return with_hidden(packed, hidden, blamed, cleared, FOE, SPARED, RIVAL)
    return with_hidden(packed, hidden, blamed, cleared, SPARED, FOE, RIVAL)
