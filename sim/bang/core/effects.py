"""Playing a card: one short function an effect (B-50 … B-71, and the abilities that change them)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, popcount
from sim.kernel.jit import leaf, shared

from .ask import ask
from .attack import allow_symbol, duel, gatling, indians, shoot
from .cards import (
    add_to_hand,
    discard,
    discard_from_hand,
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
from .damage import beer_works, gain_life, may_drink, pay, settle
from .fading import count_use
from .flags import DEATH_MESA, WORDS
from .ghosts import bury, lose_dead_at_random
from .journal import note
from .lasting import is_under, remembered_killers, rivals_of
from .names import (
    BANG,
    BEER,
    BY_SHOT,
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
    IN_MEMORIAM,
    INDIANS,
    JAIL,
    MISSED,
    NO_CARD,
    NO_SEAT,
    NOBODY,
    NOTHING,
    ONE,
    PANIC,
    PAY,
    SALOON,
    SEVERAL,
    SLAB_THE_KILLER,
    STORE,
    TAKE,
    TERRIFY,
    VOLCANIC,
    WEAPON,
    answer_what,
)
from .questions import allow, pose
from .seats import ghosts, is_ghost, living, next_of, weapon


@leaf
def act_against(game, seat, target):
    """Remembers a hostile act (what everybody saw); what a ghost does through Possess is not the player's act."""
    public = game.public
    if DEATH_MESA:
        if game.possessor >= 0:
            return
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
def attacked(game, rules, seat, target, is_shot):
    """DM-C26: remembers whom a player has attacked last, SEVERAL for more than one; DM-C00 says what counts."""
    if DEATH_MESA:
        if is_shot or rules.dm_attack_set == 0:
            game.public.last_attacked[seat] = target


@leaf
def play_card(game, rules, tables, seat, card, target):
    """Plays a card from hand to its end, consequences included. ``target`` is a seat, or NOBODY."""
    remove_from_hand(game, tables, seat, card)
    if tables.second_card[card] > 0:
        pay(game, rules, tables, seat, np.int64(tables.second_card[card]), card)
    if DEATH_MESA:
        pay_second_symbol(game, rules, tables, seat, card, target)
        count_use(game, rules, tables, seat)
    resolve(game, rules, tables, seat, card, target, seat)
    settle(game, rules, tables)


once = shared if DEATH_MESA else leaf
"""With ghosts, what a card does has two callers, and its code should be there once."""


@once
def resolve(game, rules, tables, seat, card, target, asker):
    """What a card does that is paid for. ``asker`` chooses what it takes: the player, or who possesses him."""
    effect = tables.effect[card]
    if effect == JAIL:
        act_against(game, seat, target)
        enter_play(game, tables, target, card)
    elif has(tables.blue, card):
        equip(game, tables, target if target < NOBODY else seat, card)
    else:
        discard(game, card)
        brown(game, rules, tables, seat, card, target, effect, asker)


@leaf
def pay_second_symbol(game, rules, tables, seat, card, target):
    """DM-C06: an attack on a rival takes two cards with the BANG! symbol."""
    effect = np.int64(tables.effect[card])
    rivals = rivals_of(game.public, seat)
    if rivals == 0:
        return
    struck = target < NOBODY and rivals >> target & 1 != 0
    if rules.dm_east_wind_scope == 0:
        if not struck or (effect != BANG and effect != MISSED):
            return
    else:
        struck = struck and (effect == BANG or effect == MISSED or effect == DUEL)
        if not struck and effect != INDIANS and effect != GATLING:
            return
    question = pose(game, seat, PAY, NO_SEAT, card, ONE)
    allow_symbol(question, game.public, game.own[seat], tables, seat, BANG)
    discard_from_hand(game, tables, seat, answer_what(ask(game, rules, tables, seat)))


@leaf
def brown(game, rules, tables, seat, card, target, effect, asker):
    """A brown card is in the discard pile while it is resolved (B-18)."""
    public = game.public
    if effect == BANG or effect == MISSED:
        bang(game, rules, tables, seat, card, target)
    elif effect == BEER:
        if beer_works(public, rules) and may_drink(public, rules, seat, BEER):
            gain_life(game, seat, tables.amount[card])
    elif effect == SALOON:
        saloon(game, rules, tables, seat, card)
    elif effect == DRAW:
        draw_cards(game, tables, seat, np.int64(tables.amount[card]))
    elif effect == PANIC or effect == CAT_BALOU:
        rob(game, rules, tables, seat, card, target, effect, asker)
    elif effect == GENERAL_STORE:
        general_store(game, rules, tables, seat, card)
    elif effect == GATLING:
        attacked(game, rules, seat, SEVERAL, True)
        gatling(game, rules, tables, seat, card)
    elif effect == INDIANS:
        attacked(game, rules, seat, SEVERAL, False)
        indians(game, rules, tables, seat, card)
    elif effect == DUEL:
        act_against(game, seat, target)
        attacked(game, rules, seat, target, False)
        duel(game, rules, tables, seat, target, card)


@leaf
def bang(game, rules, tables, seat, card, target):
    """B-50; CH-13 asks for two Missed!. Aimed at a ghost it costs him a card (DM-43)."""
    public = game.public
    if DEATH_MESA:
        if is_ghost(public, target):
            public.ghost_bangs += 1
            public.bangs_played += 1 if rules.dm_bang_vs_ghost_counted != 0 else 0
            act_against(game, seat, target)
            lose_dead_at_random(game, target, seat)
            return
        free = is_under(public, seat, IN_MEMORIAM) and remembered_killers(public, seat) >> target & 1 != 0
        public.bangs_played += 0 if free else 1
        attacked(game, rules, seat, target, True)
    else:
        public.bangs_played += 1
    act_against(game, seat, target)
    needed = np.int64(rules.slab_the_killer_missed) if public.ability[seat] == SLAB_THE_KILLER else 1
    shoot(game, rules, tables, seat, target, card, needed, BY_SHOT, ONE)


@shared
def saloon(game, rules, tables, seat, card):
    """B-53: every player in play regains life, clockwise from the user's left, the user last."""
    waiting = living(game.public)
    drinker = seat
    while waiting != 0:
        drinker = next_of(waiting, drinker)
        waiting &= ~(1 << drinker)
        if may_drink(game.public, rules, drinker, SALOON):
            gain_life(game, drinker, tables.amount[card])


@shared
def rob(game, rules, tables, seat, card, target, effect, asker):
    """B-58: one card in play of the asker's choice, or a random hand card; Panic! takes it, Cat Balou discards it."""
    public = game.public
    question = pose(game, asker, TAKE, target, card, ONE)
    if DEATH_MESA:
        if is_ghost(public, target):  # DM-42
            allow(question, HAND)
            ask(game, rules, tables, asker)
            act_against(game, seat, target)
            lose_dead_at_random(game, target, seat)
            return
    for w in range(WORDS):
        question.cards[w] = public.in_play[target, w]
    if public.hand_size[target] > 0 and target != seat:
        allow(question, HAND)
    taken = answer_what(ask(game, rules, tables, asker))
    if taken == HAND:
        act_against(game, seat, target)
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
            act_against(game, seat, target)
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
    """B-59: one card a player is revealed; each takes one, clockwise from the user. Later players may get none.

    Ghosts choose after the living, for their buried goods (DM-45).
    """
    public = game.public
    guests = living(public)
    if DEATH_MESA:
        if rules.dm_general_store_ghosts != 0:
            guests |= ghosts(public)
    for _ in range(popcount(guests)):
        offered = take_from_deck(game)
        if offered != NO_CARD:
            public.on_offer[offered >> 6] |= bit(offered & 63)
            note(game, E_REVEALED, seat, offered, ONE, NOTHING, NOTHING)
    serve(game, rules, tables, seat, card, living(public), seat)
    if DEATH_MESA:
        late = guests & ~living(public)
        if late != 0:
            serve(game, rules, tables, seat, card, late, next_of(late, seat))


@shared
def serve(game, rules, tables, seat, card, waiting, picker):
    """Players take one card each from what is on offer, clockwise."""
    public = game.public
    while waiting != 0 and first_card(public.on_offer) != NO_CARD:
        waiting &= ~(1 << picker)
        question = pose(game, picker, STORE, seat, card, ONE)
        for w in range(WORDS):
            question.cards[w] = public.on_offer[w]
        chosen = answer_what(ask(game, rules, tables, picker))
        public.on_offer[chosen >> 6] &= ~bit(chosen & 63)
        take_offered(game, rules, tables, picker, chosen)
        if waiting != 0:
            picker = next_of(waiting, picker)


@leaf
def take_offered(game, rules, tables, picker, chosen):
    if DEATH_MESA:
        if is_ghost(game.public, picker):
            bury(game, rules, picker, chosen, ONE)
            return
    add_to_hand(game, tables, picker, chosen)
    show_to_all(game, picker, chosen)


@leaf
def terrified_weapon(public, tables, seat):
    """A weapon that lies in front of a seat without effect and would work again (DM-C23), NO_CARD if there is none."""
    for i in range(np.int64(public.lasting_count)):
        entry = public.lasting[i]
        if entry.effect == TERRIFY and entry.on == seat and entry.from_hand == 0:
            if has(tables.weapons, np.int64(entry.card)):
                return np.int64(entry.card)
    return np.int64(NO_CARD)


@shared
def equip(game, tables, seat, card):
    """Lays a blue card in front of its player; another weapon replaces the one there (B-15)."""
    effect = tables.effect[card]
    if effect == WEAPON or effect == VOLCANIC:
        old = weapon(game.public, tables, seat)
        if DEATH_MESA:
            if old == NO_CARD:
                old = terrified_weapon(game.public, tables, seat)
        if old != NO_CARD:
            leave_play(game, tables, seat, old)
            discard(game, old)
            note(game, E_DISCARDED, seat, old, NOTHING, NOTHING, NOTHING)
    enter_play(game, tables, seat, card)
