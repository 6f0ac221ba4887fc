"""Who is on whose side, as far as one seat can tell: roles that lie open, and who acted against whom.

Nothing is remembered from one question to the next: everything follows from what lies open and the own role.
Hostility is measured from the law's side: positive for those who are likely against the law.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.flags import DEATH_MESA
from sim.bang.core.names import DEPUTY, HIDDEN, OUTLAW, RENEGADE, SEATS, SHERIFF
from sim.bang.core.questions import sheriff_mask
from sim.bang.core.seats import is_alive, living, others
from sim.kernel.bits import lowest, popcount
from sim.kernel.jit import leaf
from strategies.bang.standard.weights import HIT_ON_SHERIFF, HIT_ON_SUSPECT, HIT_WITHOUT_OUTLAWS, weight

SURE = np.int64(1000)
"""Hostility of somebody whose role lies open; with the other sign for the law."""

MOST = np.int64(63)
"""Numbers about seats are cut off there, so that a byte a seat holds them."""

ENOUGH = np.int64(3)
"""More acts of one player against another say nothing new."""

BYTES = np.array([sum(1 << 8 * k for k in range(SEATS) if seats >> k & 1) for seats in range(1 << SEATS)], np.int64)
"""By set of seats: a 1 in the byte of each of them."""
EACH_BYTE, TOP_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
GATHER = np.uint64(0x0102040810204080)
"""A factor that brings the lowest bits of the eight bytes together in the highest byte."""
_S7, _S56 = np.uint64(7), np.uint64(56)


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
    open_roles = (1 << np.int64(public.players)) - 1
    if not DEATH_MESA:  # with ghosts, those who came back are known too
        open_roles &= ~living(public)
    outlaws, law = np.int64(0), np.int64(0)
    while open_roles != 0:
        seat = lowest(open_roles)
        open_roles &= open_roles - 1
        role = public.known_role[seat]
        outlaws |= np.int64(role == OUTLAW) << seat
        law |= np.int64(role == DEPUTY or role == SHERIFF) << seat
    return (found | outlaws) & ~law


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
def spared_at_the_end(public, suspects):
    """Once no outlaw is left, the living whom nobody but a Renegade has a reason to attack; nobody before."""
    if public.roles_left[OUTLAW] > 0:
        return np.int64(0)
    return living(public) & ~suspects & ~sheriff_mask(public)


@leaf
def evidence(public, own, tables, seat, suspects, spared):
    """The hostility of a seat whose role is hidden, by its acts against the Sheriff, suspects and those spared.

    Acts against suspects count for all but the Sheriff: whoever acts for the law may be the Renegade, and a Sheriff who
    trusts him loses.
    """
    victims = np.int64(public.victims[seat])
    acts = min(np.int64(public.hostile[seat, first_sheriff(public)]), ENOUGH)
    score = weight(own, tables, HIT_ON_SHERIFF) * acts
    if own.role != SHERIFF:
        score -= weight(own, tables, HIT_ON_SUSPECT) * popcount(victims & suspects & ~(1 << seat))
    if victims & spared != 0:
        score += weight(own, tables, HIT_WITHOUT_OUTLAWS) * acts_against(public, seat, spared)
    return score


@leaf
def verdicts(public, own, tables, seats):
    """Which of these seats are likely against the law, and which for it."""
    against, for_it = np.int64(0), np.int64(0)
    suspects = blamed(public)
    spared = spared_at_the_end(public, suspects)
    if suspects == 0 and spared == 0 and not DEATH_MESA:
        return against, for_it  # nobody has done anything that speaks
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        hostility = verdict(public, own, tables, seat, suspects, spared)
        against |= np.int64(hostility > 0) << seat
        for_it |= np.int64(hostility < 0) << seat
    return against, for_it


@leaf
def verdict(public, own, tables, seat, suspects, spared):
    """The hostility of a living seat. Without ghosts those whose roles lie open are dead, but for the Sheriff."""
    role = role_seen(public, own, seat) if DEATH_MESA else HIDDEN
    if role == HIDDEN:
        return evidence(public, own, tables, seat, suspects, spared)
    return SURE if role == OUTLAW or role == RENEGADE else -SURE


@leaf
def opinions(public, own, tables, seats):
    """The hostility of each of these seats, packed (``opinion``)."""
    packed = np.int64(0)
    suspects = blamed(public)
    spared = spared_at_the_end(public, suspects)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        against = verdict(public, own, tables, seat, suspects, spared)
        packed = packed_with(packed, seat, max(-MOST, min(MOST, against)))
    return packed


@leaf
def opinion(packed, seat):
    """One seat's number out of a packed set, between −MOST and MOST; a seat not in the set has −MOST − 1."""
    return (packed >> 8 * seat & 127) - 64


@leaf
def packed_with(packed, seat, value):
    """A packed set with one more seat in it; the number must be between −MOST and MOST."""
    return packed | value + 64 << 8 * seat


@leaf
def packed_alike(seats, value):
    """A packed set in which all of these seats have the same number, between −MOST and MOST."""
    return BYTES[seats] * (value + 64)


@leaf
def above(packed, value):
    """The seats whose number in a packed set is above this one, between −MOST − 1 and MOST."""
    larger = np.uint64(packed) + EACH_BYTE * np.uint64(MOST - value) & TOP_BITS
    return np.int64((larger >> _S7) * GATHER >> _S56)


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
