"""How Dead Men's cards in force end, and how they wait for turns (DM-11, OP-54, OP-55)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit
from sim.kernel.jit import leaf, shared

from .cards import add_to_hand, begin_to_work, discard, refresh_ability, show_to_all
from .flags import DEATH_MESA
from .ghosts import lay_off
from .journal import note
from .lasting import DELAYED, drop_lasting, is_under, refresh_under
from .names import (
    DRY_SPELL,
    E_DEAD_DISCARDED,
    E_DISCARDED,
    E_MOVED,
    NIGHTMARE,
    NOTHING,
    PROPER_BURIAL,
    TERRIFY,
    THE_EAST_WIND,
)

UNTIL_NEXT_TURN = 1 << THE_EAST_WIND | 1 << DRY_SPELL | 1 << NIGHTMARE | 1 << TERRIFY
"""Effects that end when the turn of the caster's seat begins (DM-11, OP-54)."""


@shared
def fade(game, rules, tables, i):
    """Entry i of the list ends: what it changed is put right."""
    public = game.public
    effect = np.int64(public.lasting[i].effect)
    on = np.int64(public.lasting[i].on)
    card = np.int64(public.lasting[i].card)
    from_hand = np.int64(public.lasting[i].from_hand)
    drop_lasting(game, i)
    if effect == NIGHTMARE:
        refresh_ability(game, tables, on)
    elif effect == PROPER_BURIAL:
        lay_off(game, card)
        note(game, E_DEAD_DISCARDED, on, card, NOTHING, NOTHING, NOTHING)
    elif effect == TERRIFY:
        end_terror(game, rules, tables, on, card, from_hand)


@leaf
def end_terror(game, rules, tables, on, card, from_hand):
    """OP-68: the terrified card returns to where it came from, or is discarded."""
    public = game.public
    public.terrified[card >> 6] &= ~bit(card & 63)
    if rules.dm_terrify_after != 0:
        public.in_play[on, card >> 6] &= ~bit(card & 63)
        discard(game, card)
        note(game, E_MOVED, on, card, NOTHING, NOTHING, NOTHING)
        note(game, E_DISCARDED, on, card, NOTHING, NOTHING, NOTHING)
    elif from_hand != 0:
        public.in_play[on, card >> 6] &= ~bit(card & 63)
        note(game, E_MOVED, on, card, NOTHING, NOTHING, NOTHING)
        add_to_hand(game, tables, on, card)
        show_to_all(game, on, card)
    else:
        begin_to_work(game, tables, on, card)


@shared
def fade_of_caster(game, rules, tables, caster):
    """DM-11: what was cast until his next turn ends."""
    public = game.public
    for i in range(np.int64(public.lasting_count) - 1, -1, -1):
        if public.lasting[i].caster == caster and UNTIL_NEXT_TURN >> np.int64(public.lasting[i].effect) & 1 != 0:
            fade(game, rules, tables, i)


@shared
def begin_effects(game, seat):
    """The turn of a seat really takes place: what waited for it is in force."""
    public = game.public
    for i in range(np.int64(public.lasting_count)):
        if public.lasting[i].on == seat:
            public.lasting[i].active = 1
    refresh_under(game)


@shared
def skip_effects(game, rules, tables, seat):
    """OP-55: a skipped turn puts off what waited for it, or ends it."""
    if rules.dm_delayed_on_skip != 0:
        public = game.public
        for i in range(np.int64(public.lasting_count) - 1, -1, -1):
            if public.lasting[i].on == seat and DELAYED >> np.int64(public.lasting[i].effect) & 1 != 0:
                fade(game, rules, tables, i)


@shared
def void_effects(game, rules, tables, seat):
    """OP-55, DM-C06: what was in force on an eliminated player ends; a terrified card goes with his others."""
    public = game.public
    for i in range(np.int64(public.lasting_count) - 1, -1, -1):
        entry = public.lasting[i]
        bound = entry.on == seat or (entry.effect == THE_EAST_WIND and entry.rival == seat)
        if bound and entry.effect != TERRIFY:
            fade(game, rules, tables, i)


@shared
def count_use(game, rules, tables, seat):
    """DM-C10, DM-C16: the player in turn plays or uses a card; a Proper Burial on him is over."""
    public = game.public
    if public.in_turn == seat:
        public.uses += 1
        if is_under(public, seat, PROPER_BURIAL):
            for i in range(np.int64(public.lasting_count) - 1, -1, -1):
                entry = public.lasting[i]
                if entry.on == seat and entry.effect == PROPER_BURIAL and entry.active != 0:
                    fade(game, rules, tables, i)


@leaf
def count_other_use(game, rules, tables, seat):
    """OP-61: the same for what is no card played from the hand: abilities, answers in the own turn."""
    if DEATH_MESA:
        if rules.dm_use_definition == 0:
            count_use(game, rules, tables, seat)
