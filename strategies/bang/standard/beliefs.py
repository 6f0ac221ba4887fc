"""Who is on whose side, as far as one seat can tell: roles that lie open, and who acted against whom.

Nothing is remembered from one question to the next: everything follows from what lies open and the own role.
Hostility is measured from the law's side: positive for those who are likely against the law.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.flags import DEATH_MESA
from sim.bang.core.names import DEPUTY, HIDDEN, OUTLAW, RENEGADE, SHERIFF
from sim.bang.core.questions import sheriff_mask
from sim.bang.core.seats import count_living, is_alive, living, others
from sim.kernel.bits import lowest, popcount
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.weights import (
    HIT_ON_ONESELF,
    HIT_ON_SHERIFF,
    HIT_ON_SUSPECT,
    weight,
)

SURE = np.int64(1000)
"""Hostility of somebody whose role lies open; with the other sign for the law."""

MOST = np.int64(63)
"""Numbers about seats are cut off there, so that a byte a seat holds them."""

ENOUGH = np.int64(3)
"""More acts of one player against another say nothing new."""


@leaf
def role_seen(public, own, seat):
    """The role of a seat as this player knows it, HIDDEN if he does not."""
    return np.int64(own.role) if seat == own.seat else np.int64(public.known_role[seat])


@leaf
def first_sheriff(public):
    """The Sheriff who was dealt: whoever acted against a former one is still suspect. −1 with three players."""
    if DEATH_MESA:
        return np.int64(public.dealt_sheriff)
    return np.int64(public.sheriff)


@leaf
def with_role(public, role):
    """The seats, living or dead, whose role lies open and is this one."""
    found = np.int64(0)
    for seat in range(np.int64(public.players)):
        if public.known_role[seat] == role:
            found |= 1 << seat
    return found


@leaf
def blamed(public):
    """Whoever acted against the Sheriff and is not known to be of the law, and the outlaws that lie open."""
    sheriff = first_sheriff(public)
    if sheriff < 0:
        return np.int64(0)
    found = np.int64(public.attackers[sheriff])
    if DEATH_MESA or popcount(living(public)) < public.players:
        return found & ~with_role(public, DEPUTY) & ~with_role(public, SHERIFF) | with_role(public, OUTLAW)
    return found


@leaf
def acts_against(public, seat, seats):
    """How often a player acted against these seats, ENOUGH for each at most."""
    count = np.int64(0)
    seats &= np.int64(public.victims[seat])
    while seats != 0:
        victim = lowest(seats)
        seats &= seats - 1
        count += min(np.int64(public.hostile[seat, victim]), ENOUGH)
    return count


@leaf
def evidence(public, own, tables, seat, suspects):
    """The hostility of a seat whose role is hidden, from what it did to the Sheriff, to suspects and to oneself."""
    if public.victims[seat] == 0:
        return np.int64(0)
    score = weight(own, tables, HIT_ON_SHERIFF) * min(np.int64(public.hostile[seat, first_sheriff(public)]), ENOUGH)
    score -= weight(own, tables, HIT_ON_SUSPECT) * acts_against(public, seat, suspects & ~(1 << seat))
    if own.role == DEPUTY:
        score += weight(own, tables, HIT_ON_ONESELF) * min(np.int64(public.hostile[seat, own.seat]), ENOUGH)
    elif own.role == OUTLAW:
        score -= weight(own, tables, HIT_ON_ONESELF) * min(np.int64(public.hostile[seat, own.seat]), ENOUGH)
    return score


@shared
def hostility(public, own, tables, seat):
    """How likely a seat is against the law (positive) or for it (negative); 0: nothing is known."""
    role = role_seen(public, own, seat)
    if role != HIDDEN:
        return SURE if role == OUTLAW or role == RENEGADE else -SURE
    if first_sheriff(public) < 0:
        return np.int64(0)
    return evidence(public, own, tables, seat, blamed(public))


@shared
def opinions(public, own, tables, seats):
    """The hostility of each of these seats, packed (``opinion``)."""
    packed = np.int64(0)
    suspects = blamed(public)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        role = role_seen(public, own, seat)
        if role == HIDDEN:
            packed = packed_with(packed, seat, evidence(public, own, tables, seat, suspects))
        else:
            packed = packed_with(packed, seat, SURE if role == OUTLAW or role == RENEGADE else -SURE)
    return packed


@leaf
def opinion(packed, seat):
    """One seat's number out of a packed set, between −MOST and MOST; a seat not in the set has −MOST − 1."""
    return (packed >> 8 * seat & 127) - 64


@leaf
def packed_with(packed, seat, value):
    """A packed set with one more seat in it."""
    return packed | max(-MOST, min(MOST, value)) + 64 << 8 * seat


@leaf
def leaning(public, own, tables, sign):
    """The other living seats that lean against the law (sign 1) or towards it (−1)."""
    found = np.int64(0)
    left = others(public, np.int64(own.seat))
    packed = opinions(public, own, tables, left)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        if sign * opinion(packed, seat) > 0:
            found |= 1 << seat
    return found


@leaf
def ring_target(public, own):
    """B-2: the own target while he lives, else whoever is left (three players)."""
    wanted = RENEGADE if own.role == DEPUTY else OUTLAW if own.role == RENEGADE else DEPUTY
    alive = others(public, np.int64(own.seat))
    found = with_role(public, wanted) & alive
    return found if found != 0 else alive


@leaf
def others_left(public, own, role):
    """How many other living players have a role."""
    himself = 1 if own.role == role and is_alive(public, np.int64(own.seat)) else 0
    return np.int64(public.roles_left[role]) - himself


@leaf
def no_deputy_left(public, own):
    """Whether nobody but the Sheriff can be of the law, oneself apart."""
    return others_left(public, own, DEPUTY) <= 0


@leaf
def renegade_helps_law(public):
    """Whether a Renegade takes the law's side for now: while the outlaws are the stronger side."""
    return public.roles_left[OUTLAW] > public.roles_left[DEPUTY]


@shared
def enemies(public, own, tables):
    """The other living seats against which this player, living or dead, plays. Unknown ones are not among them.

    A dead Renegade plays against the Sheriff: only his death by the Renegade's hand helps him.
    """
    if public.sheriff < 0:
        return ring_target(public, own)
    alive = others(public, np.int64(own.seat))
    sheriff = sheriff_mask(public) & alive
    role = np.int64(own.role)
    if role == SHERIFF or role == DEPUTY:
        return alive & ~sheriff if no_deputy_left(public, own) else leaning(public, own, tables, 1)
    if role == OUTLAW:
        if others_left(public, own, OUTLAW) <= 0:
            return alive
        return leaning(public, own, tables, -1)
    if not is_alive(public, np.int64(own.seat)):
        return sheriff
    if count_living(public) == 2:
        return alive
    if renegade_helps_law(public):
        return leaning(public, own, tables, 1)
    return leaning(public, own, tables, -1) & ~sheriff


@shared
def friends(public, own, tables):
    """The other living seats for which this player plays: none for a Renegade, none with three players."""
    role = np.int64(own.role)
    if public.sheriff < 0 or role == RENEGADE:
        return np.int64(0)
    if role == OUTLAW:
        if others_left(public, own, OUTLAW) <= 0:
            return np.int64(0)
        return leaning(public, own, tables, 1)
    if no_deputy_left(public, own):
        return sheriff_mask(public) & others(public, np.int64(own.seat))
    return leaning(public, own, tables, -1)
