"""Whom a card is played on, and whether one that meets everybody pays."""

from __future__ import annotations

import numpy as np

from sim.bang.core.names import DEPUTY, INDIANS, JAIL, OUTLAW, RENEGADE, SHERIFF
from sim.bang.core.questions import bang_symbols
from sim.bang.core.seats import ghosts, living, others
from sim.kernel.bits import lowest
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.beliefs import above, opinion
from strategies.bang.standard.desires import PATIENCE, SPARED
from strategies.bang.standard.weights import (
    AIM_AT_WEAK,
    GEAR_OVER_HAND,
    RAID_FOR_SELF,
    ROB_UNKNOWN,
    weight,
)
from strategies.bang.standard.worth import GEAR, GEAR_WORTH, HAND_WORTH

RAID_LEVEL = np.int64(20)
"""How much more foes than friends must suffer from a card that meets everybody."""


@shared
def whom_to_hurt(public, own, tables, wanted, allowed):
    """The most wanted and weakest player; −1 for nobody."""
    found = -1
    most = np.int64(-100000)
    allowed &= above(wanted, 0)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        score = opinion(wanted, seat) * 10 - weight(own, tables, AIM_AT_WEAK) * np.int64(public.life[seat])
        if score > most:
            most = score
            found = seat
    return found


@leaf
def whom_to_jail(public, wanted, allowed):
    """The foe with the most cards to play; −1 for nobody."""
    found = -1
    most = np.int64(0)
    allowed &= above(wanted, 0)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        score = opinion(wanted, seat) * 4 + 10 * np.int64(public.hand_size[seat])
        if score > most:
            most = score
            found = seat
    return found


@leaf
def loot(public, own, tables, seat):
    """What a robber finds at a foe's: the worth of the best he could take, 0 if it is not worth a card."""
    worth = HAND_WORTH if public.hand_size[seat] > 0 else np.int64(0)
    gear = np.int64(public.effects_in_play[seat]) & GEAR
    while gear != 0:
        worth = max(worth, np.int64(GEAR_WORTH[lowest(gear)]) + weight(own, tables, GEAR_OVER_HAND))
        gear &= gear - 1
    return worth


@leaf
def whom_to_rob(public, own, tables, wanted, allowed):
    """The foe with the best loot, or a friend to be freed from Jail; −1 for nobody."""
    found = -1
    most = np.int64(0)
    # Deputies and Renegades, whom everybody takes for somebody else, make enemies by it.
    least = -weight(own, tables, ROB_UNKNOWN) if own.role == SHERIFF or own.role == OUTLAW else np.int64(0)
    allowed &= living(public)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        desire = opinion(wanted, seat)
        score = np.int64(0)
        if desire > least:
            gain = loot(public, own, tables, seat)
            score = gain * 2 + desire if gain > 0 else np.int64(0)
        elif desire <= SPARED and own.role != RENEGADE and np.int64(public.effects_in_play[seat]) >> JAIL & 1 != 0:
            score = np.int64(150)
        if score > most:
            most = score
            found = seat
    return found


@leaf
def whom_to_lay(public, own, allowed):
    """DM-42, DM-43: the foe among the ghosts who holds the most cards; −1 for nobody.

    Not for ever: two who lay ghosts and draw the same cards again would never end the game.
    """
    found = -1
    if public.turn > PATIENCE:
        return found
    most = np.int64(0)
    allowed &= ghosts(public)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        if haunts(own, np.int64(public.known_role[seat])) and public.dead_hand_size[seat] > most:
            most = np.int64(public.dead_hand_size[seat])
            found = seat
    return found


@leaf
def haunts(own, role):
    """Whether a ghost of this role plays against him. A Renegade, who has to outlive everybody, keeps his cards."""
    if own.role == RENEGADE:
        return False
    return role == DEPUTY if own.role == OUTLAW else role == OUTLAW or role == RENEGADE


@leaf
def raid_pays(public, own, tables, wanted, seat, effect):
    """Whether Gatling or Indians! hurt his foes more than his friends, and than himself."""
    total = -RAID_LEVEL
    if effect == INDIANS and bang_symbols(public, own, tables) == 0:
        total -= weight(own, tables, RAID_FOR_SELF) * (4 if public.life[seat] == 1 else 1)
    left = others(public, seat)
    while left != 0:
        other = lowest(left)
        left &= left - 1
        desire = opinion(wanted, other)
        chance = 4 - min(3, np.int64(public.hand_size[other]) // 2)
        total += desire * chance * (3 if public.life[other] == 1 else 1) // 4
    return total > 0


@leaf
def saloon_helps(public, wanted, seat):
    """Whether more of his side are hurt than of the others."""
    gain = 2 if public.life[seat] < public.max_life[seat] else 0
    left = others(public, seat)
    while left != 0:
        other = lowest(left)
        left &= left - 1
        if public.life[other] < public.max_life[other]:
            desire = opinion(wanted, other)
            gain += 1 if desire <= SPARED else -1 if desire > 0 else 0
    return gain > 0
