"""The list of Dead Men's cards in force, in the order of casting, and the sets of seats kept beside it."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit
from sim.kernel.jit import leaf, shared

from .flags import DEATH_MESA
from .journal import note
from .names import (
    CURSE,
    DEAD_EFFECTS,
    DEATH_AND_TAXES,
    E_FADED,
    E_LASTING,
    FIRST_DEAD,
    GHOST_STORIES,
    GUILTY_CONSCIENCE,
    IN_MEMORIAM,
    NO_SEAT,
    NOTHING,
    PROPER_BURIAL,
    TERRIFY,
    THE_EAST_WIND,
)
from .state import LASTING

NEXT_TURN = 1 << GHOST_STORIES | 1 << IN_MEMORIAM | 1 << GUILTY_CONSCIENCE | 1 << PROPER_BURIAL
"""Effects on the next turn of a seat: they wait until it takes place (OP-55)."""

DELAYED = NEXT_TURN | 1 << CURSE | 1 << DEATH_AND_TAXES
"""Effects that a skipped turn puts off or ends."""


@leaf
def is_under(public, seat, effect):
    """Whether a Dead Men's card is in force on a seat now."""
    if DEATH_MESA:
        return np.int64(public.under[effect - FIRST_DEAD]) >> seat & 1 != 0
    return False


@shared
def refresh_under(game):
    """By effect, the seats on which it is in force; what waits for a turn is not."""
    public = game.public
    for effect in range(len(DEAD_EFFECTS)):
        public.under[effect] = 0
    for i in range(np.int64(public.lasting_count)):
        entry = public.lasting[i]
        effect = np.int64(entry.effect)
        if 1 << effect & NEXT_TURN == 0 or entry.active != 0:
            seats = 1 << np.int64(entry.on)
            if effect == THE_EAST_WIND:
                seats |= 1 << np.int64(entry.rival)
            public.under[effect - FIRST_DEAD] = np.int64(public.under[effect - FIRST_DEAD]) | seats


@shared
def add_lasting(game, effect, caster, on, rival, card, from_hand):
    """A Dead Men's card comes into force. A full list, which no game can fill by the rules, takes no more."""
    public = game.public
    i = np.int64(public.lasting_count)
    if i < LASTING:
        entry = public.lasting[i]
        entry.effect = effect
        entry.caster = caster
        entry.on = on
        entry.rival = rival
        entry.card = card
        entry.from_hand = from_hand
        entry.active = 0
        public.lasting_count = i + 1
        refresh_under(game)
        note(game, E_LASTING, on, effect, caster, rival, card)


@shared
def drop_lasting(game, i):
    """Entry i of the list is over."""
    public = game.public
    note(game, E_FADED, np.int64(public.lasting[i].on), np.int64(public.lasting[i].effect), NOTHING, NOTHING, NOTHING)
    last = np.int64(public.lasting_count) - 1
    for k in range(i, last):
        here = public.lasting[k]
        after = public.lasting[k + 1]
        here.effect = after.effect
        here.caster = after.caster
        here.on = after.on
        here.rival = after.rival
        here.card = after.card
        here.from_hand = after.from_hand
        here.active = after.active
    public.lasting_count = last
    refresh_under(game)


@shared
def calm(game, card):
    """A terrified card leaves play: nothing comes back to it (DM-C23)."""
    public = game.public
    public.terrified[card >> 6] &= ~bit(card & 63)
    for i in range(np.int64(public.lasting_count) - 1, -1, -1):
        if public.lasting[i].effect == TERRIFY and public.lasting[i].card == card:
            drop_lasting(game, i)


@leaf
def rivals_of(public, seat):
    """DM-C06: the seats that this one can attack only with two cards."""
    seats = np.int64(0)
    if DEATH_MESA:
        if is_under(public, seat, THE_EAST_WIND):
            for i in range(np.int64(public.lasting_count)):
                entry = public.lasting[i]
                if entry.effect == THE_EAST_WIND:
                    if entry.on == seat:
                        seats |= 1 << np.int64(entry.rival)
                    elif entry.rival == seat:
                        seats |= 1 << np.int64(entry.on)
    return seats


@leaf
def remembered_killers(public, seat):
    """DM-C12: living killers at whom this seat may shoot without limit in this turn."""
    seats = np.int64(0)
    for i in range(np.int64(public.lasting_count)):
        entry = public.lasting[i]
        if entry.effect == IN_MEMORIAM and entry.on == seat and entry.active != 0 and entry.rival != NO_SEAT:
            seats |= 1 << np.int64(entry.rival)
    return seats & np.int64(public.alive)


@leaf
def extra_bangs(public, seat):
    """DM-C12: further BANG!s of this turn, one for each card whose caster has no living killer."""
    count = 0
    for i in range(np.int64(public.lasting_count)):
        entry = public.lasting[i]
        if entry.effect == IN_MEMORIAM and entry.on == seat and entry.active != 0:
            killer = np.int64(entry.rival)
            if killer < 0 or np.int64(public.alive) >> killer & 1 == 0:
                count += 1
    return count
