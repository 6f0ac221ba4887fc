"""How much a living player wants each other one hurt: by his role, by what he believes, and by who is left."""

from __future__ import annotations

import numpy as np

from sim.bang.core.names import DEPUTY, OUTLAW, RENEGADE, SHERIFF
from sim.bang.core.questions import sheriff_mask
from sim.bang.core.seats import others
from sim.kernel.bits import lowest, popcount
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.beliefs import MOST, opinion, opinions, others_left, packed_with, ring_target
from strategies.bang.standard.weights import LAW_CAUTION, OUTLAW_CAUTION, RENEGADE_BALANCE, RENEGADE_ON_UNKNOWN, weight

# How much somebody is wanted hurt, packed a byte a seat as opinions are.
ARCHFOE, FOE, LIKELY, RIVAL = np.int64(60), np.int64(50), np.int64(40), np.int64(25)
SPARED, FRIEND = np.int64(-30), np.int64(-45)


@shared
def desires(public, own, tables):
    """How much each other living player is wanted hurt, packed, a byte a seat; whom nobody hurts has −64."""
    seats = others(public, np.int64(own.seat))
    role = np.int64(own.role)
    if public.sheriff < 0:
        return ring_desires(public, own, seats)
    hidden = seats & ~sheriff_mask(public)
    beliefs = opinions(public, own, tables, hidden)
    blamed, cleared, top = np.int64(0), np.int64(0), -MOST
    left = hidden
    while left != 0:
        found = opinion(beliefs, lowest(left))
        left &= left - 1
        blamed += 1 if found > 0 else 0
        cleared += 1 if found < 0 else 0
        top = max(top, found)
    if role == SHERIFF or role == DEPUTY:
        return desires_of_law(public, own, tables, hidden, beliefs, blamed, cleared, top)
    if role == OUTLAW:
        return desires_of_outlaw(public, own, tables, hidden, beliefs, blamed)
    return desires_of_renegade(public, own, tables, hidden, beliefs)


@leaf
def ring_desires(public, own, seats):
    """B-2: the own target, then whoever else there is."""
    packed = np.int64(0)
    target = ring_target(public, own)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        packed = packed_with(packed, seat, ARCHFOE if target >> seat & 1 != 0 else RIVAL)
    return packed


@leaf
def odds(foes, others_spared, caution):
    """How much to hurt somebody unknown: one of so many foes and so many whom ``caution`` spares."""
    foes, others_spared = max(foes, 0), max(others_spared, 0)
    return (LIKELY * foes - caution * others_spared) // max(1, foes + others_spared)


@leaf
def desires_of_law(public, own, tables, hidden, beliefs, blamed, cleared, top):
    """Suspects; unknown players by the odds; the most hostile when only a Renegade is left."""
    packed = np.int64(0)
    foes = np.int64(public.roles_left[OUTLAW]) + np.int64(public.roles_left[RENEGADE])
    mates = others_left(public, own, DEPUTY)
    caution = weight(own, tables, LAW_CAUTION)
    last_hunt = public.roles_left[OUTLAW] == 0
    unknown = odds(foes - blamed, mates - cleared, caution)
    if last_hunt:
        equal = count_equal(hidden, beliefs, top)
        unknown = FOE if equal <= foes else odds(foes, equal - foes, caution)
    sheriff = sheriff_mask(public) & ~(1 << np.int64(own.seat))
    if sheriff != 0:
        packed = packed_with(packed, lowest(sheriff), -MOST)
    while hidden != 0:
        seat = lowest(hidden)
        hidden &= hidden - 1
        found = opinion(beliefs, seat)
        wanted = unknown
        if mates <= 0:
            wanted = FOE if found > 0 else RIVAL if found < 0 else LIKELY
        elif last_hunt:
            wanted = unknown if found == top else SPARED
        elif found != 0:
            wanted = FOE if found > 0 else FRIEND
        packed = packed_with(packed, seat, wanted)
    return packed


@leaf
def count_equal(seats, beliefs, value):
    """How many seats have this number in a packed set."""
    count = np.int64(0)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        count += 1 if opinion(beliefs, seat) == value else 0
    return count


@leaf
def desires_of_outlaw(public, own, tables, hidden, beliefs, blamed):
    """The Sheriff first, then his friends; suspects are mates."""
    mates = others_left(public, own, OUTLAW)
    strangers = popcount(hidden) - mates
    unknown = odds(strangers, mates - blamed, weight(own, tables, OUTLAW_CAUTION))
    packed = packed_with(np.int64(0), np.int64(public.sheriff), ARCHFOE)
    while hidden != 0:
        seat = lowest(hidden)
        hidden &= hidden - 1
        found = opinion(beliefs, seat)
        wanted = RIVAL if mates <= 0 or found < 0 else FRIEND if found > 0 else unknown
        packed = packed_with(packed, seat, wanted)
    return packed


@leaf
def desires_of_renegade(public, own, tables, hidden, beliefs):
    """The stronger side loses first; the Sheriff is spared until nobody else is left."""
    outlaws = np.int64(public.roles_left[OUTLAW])
    law = np.int64(public.roles_left[DEPUTY])
    alone = hidden == 0
    packed = packed_with(np.int64(0), np.int64(public.sheriff), ARCHFOE if alone else -MOST)
    outlaws_lead = outlaws * weight(own, tables, RENEGADE_BALANCE) >= law
    while hidden != 0:
        seat = lowest(hidden)
        hidden &= hidden - 1
        found = opinion(beliefs, seat)
        wanted = FOE
        if outlaws > 0:
            wanted = weight(own, tables, RENEGADE_ON_UNKNOWN)
            if found > 0:
                wanted = FOE if outlaws_lead else SPARED
            elif found < 0:
                wanted = SPARED if outlaws_lead else FOE
        packed = packed_with(packed, seat, wanted)
    return packed
