"""Playing a card: one short function an effect (B-50 … B-71, and the abilities that change them)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit
from sim.kernel.jit import leaf, shared

from .ask import ask
from .attack import duel, gatling, indians, shoot
from .cards import (
    add_to_hand,
    discard,
    draw_cards,
    enter_play,
    first_card,
    has,
    leave_play,
    remove_from_hand,
    show_to_all,
    steal_blind,
    take_blind,
    take_from_deck,
)
from .damage import beer_works, gain_life, pay, settle
from .flags import WORDS
from .journal import note
from .names import (
    BANG,
    BEER,
    CAT_BALOU,
    DRAW,
    DUEL,
    DYNAMITE,
    E_DISCARDED,
    E_REVEALED,
    E_TAKEN,
    GATLING,
    GENERAL_STORE,
    HAND,
    INDIANS,
    JAIL,
    MISSED,
    NO_CARD,
    NOTHING,
    ONE,
    PANIC,
    SALOON,
    SLAB_THE_KILLER,
    STORE,
    TAKE,
    VOLCANIC,
    WEAPON,
    answer_what,
)
from .questions import allow, pose
from .seats import count_living, living, next_of, weapon


@leaf
def act_against(public, seat, target):
    """Remembers a hostile act (what everybody saw)."""
    public.hostile[seat, target] = min(np.int64(public.hostile[seat, target]) + 1, 255)
    public.last_hostile[seat, target] = public.turn
    public.attackers[target] = np.int64(public.attackers[target]) | 1 << seat
    public.victims[seat] = np.int64(public.victims[seat]) | 1 << target


@leaf
def act_for(public, seat, target):
    """Remembers a friendly act: Jail or Dynamite taken away from another."""
    public.friendly[seat, target] = min(np.int64(public.friendly[seat, target]) + 1, 255)
    public.last_friendly[seat, target] = public.turn


@leaf
def play_card(game, rules, tables, seat, card, target):
    """Plays a card from hand to its end, consequences included. ``target`` is a seat, or NOBODY."""
    effect = tables.effect[card]
    remove_from_hand(game, tables, seat, card)
    if tables.second_card[card] > 0:
        pay(game, rules, tables, seat, np.int64(tables.second_card[card]), card)
    if effect == JAIL:
        act_against(game.public, seat, target)
        enter_play(game, tables, target, card)
    elif has(tables.blue, card):
        equip(game, tables, seat, card)
    else:
        discard(game, card)
        brown(game, rules, tables, seat, card, target, effect)
    settle(game, rules, tables)


@leaf
def brown(game, rules, tables, seat, card, target, effect):
    """A brown card is in the discard pile while it is resolved (B-18)."""
    public = game.public
    if effect == BANG or effect == MISSED:
        bang(game, rules, tables, seat, card, target)
    elif effect == BEER:
        if beer_works(public, rules):
            gain_life(game, seat, tables.amount[card])
    elif effect == SALOON:
        saloon(game, tables, seat, card)
    elif effect == DRAW:
        draw_cards(game, tables, seat, np.int64(tables.amount[card]))
    elif effect == PANIC or effect == CAT_BALOU:
        rob(game, rules, tables, seat, card, target, effect)
    elif effect == GENERAL_STORE:
        general_store(game, rules, tables, seat, card)
    elif effect == GATLING:
        gatling(game, rules, tables, seat, card)
    elif effect == INDIANS:
        indians(game, rules, tables, seat, card)
    elif effect == DUEL:
        act_against(public, seat, target)
        duel(game, rules, tables, seat, target, card)


@leaf
def bang(game, rules, tables, seat, card, target):
    """B-50; CH-13 asks for two Missed!."""
    public = game.public
    public.bangs_played += 1
    act_against(public, seat, target)
    needed = np.int64(rules.slab_the_killer_missed) if public.ability[seat] == SLAB_THE_KILLER else 1
    shoot(game, rules, tables, seat, target, card, needed)


@shared
def saloon(game, tables, seat, card):
    """B-53: every player in play regains life, clockwise from the user's left, the user last."""
    waiting = living(game.public)
    drinker = seat
    while waiting != 0:
        drinker = next_of(waiting, drinker)
        waiting &= ~(1 << drinker)
        gain_life(game, drinker, tables.amount[card])


@shared
def rob(game, rules, tables, seat, card, target, effect):
    """B-58: one card in play of the user's choice, or a random hand card; Panic! takes it, Cat Balou discards it."""
    public = game.public
    question = pose(game, seat, TAKE, target, card, ONE)
    for w in range(WORDS):
        question.cards[w] = public.in_play[target, w]
    if public.hand_size[target] > 0:
        allow(question, HAND)
    taken = answer_what(ask(game, rules, tables, seat))
    if taken == HAND:
        act_against(public, seat, target)
        if effect == PANIC:
            steal_blind(game, tables, seat, target)
        else:
            taken = take_blind(game, tables, seat, target)
            discard(game, taken)
            note(game, E_DISCARDED, target, taken, NOTHING, NOTHING, NOTHING)
    else:
        if tables.effect[taken] == JAIL or tables.effect[taken] == DYNAMITE:
            act_for(public, seat, target)
        else:
            act_against(public, seat, target)
        leave_play(game, tables, target, taken)
        if effect == PANIC:
            add_to_hand(game, tables, seat, taken)
            show_to_all(game, seat, taken)
            note(game, E_TAKEN, seat, taken, target, NOTHING, NOTHING)
        else:
            discard(game, taken)
            note(game, E_DISCARDED, target, taken, NOTHING, NOTHING, NOTHING)


@shared
def general_store(game, rules, tables, seat, card):
    """B-59: one card a player is revealed; each takes one, clockwise from the user. Later players may get none."""
    public = game.public
    for _ in range(count_living(public)):
        offered = take_from_deck(game)
        if offered != NO_CARD:
            public.on_offer[offered >> 6] |= bit(offered & 63)
            note(game, E_REVEALED, seat, offered, ONE, NOTHING, NOTHING)
    waiting = living(public)
    picker = seat
    while waiting != 0 and first_card(public.on_offer) != NO_CARD:
        waiting &= ~(1 << picker)
        question = pose(game, picker, STORE, seat, card, ONE)
        for w in range(WORDS):
            question.cards[w] = public.on_offer[w]
        chosen = answer_what(ask(game, rules, tables, picker))
        public.on_offer[chosen >> 6] &= ~bit(chosen & 63)
        add_to_hand(game, tables, picker, chosen)
        show_to_all(game, picker, chosen)
        if waiting != 0:
            picker = next_of(waiting, picker)


@shared
def equip(game, tables, seat, card):
    """Lays a blue card in front of its player; another weapon replaces the one there (B-15)."""
    effect = tables.effect[card]
    if effect == WEAPON or effect == VOLCANIC:
        old = weapon(game.public, tables, seat)
        if old != NO_CARD:
            leave_play(game, tables, seat, old)
            discard(game, old)
            note(game, E_DISCARDED, seat, old, NOTHING, NOTHING, NOTHING)
    enter_play(game, tables, seat, card)
