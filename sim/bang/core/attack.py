"""Shots (B-25 … B-27), Duel (B-55) and Indians! (B-57)."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import discard_from_hand, first_in_play, in_hand, is_heart
from .damage import lose_life, suzy_draws
from .draw_check import draw_check
from .names import (
    ANSWER,
    BANG,
    BARREL,
    BY_DUEL,
    BY_INDIANS,
    BY_SHOT,
    CALAMITY_JANET,
    DUEL_ANSWER,
    INDIANS_ANSWER,
    JOURDONNAIS,
    MISSED,
    NO_CARD,
    NO_SEAT,
    ONE,
    OTHER,
    PASS,
    PLAYING,
    USE_JOURDONNAIS,
    answer_what,
)
from .questions import allow, allow_card, allow_effect, any_card_allowed, pose
from .seats import is_alive, next_of, others


@shared
def shoot(game, rules, tables, attacker, target, card, needed):
    """B-25: one shot at one target, which ``needed`` Missed! stop."""
    if not defends(game, rules, tables, attacker, target, card, needed) and game.ending == PLAYING:
        lose_life(game, rules, tables, target, np.int64(tables.amount[card]), attacker, BY_SHOT)


@leaf
def defends(game, rules, tables, attacker, target, card, needed):
    """Whether the target finds the Missed! needed: first "draw!" defences, each once (B-26), then single cards."""
    public = game.public
    own = game.own[target]
    barrel = first_in_play(public, tables, target, BARREL)
    innate = public.ability[target] == JOURDONNAIS
    if barrel == NO_CARD and not innate and not has_symbol(public, own, target, MISSED):
        return False
    while needed > 0:
        question = pose(game, target, ANSWER, attacker, card, needed)
        allow_symbol(question, public, own, tables, target, MISSED)
        if barrel != NO_CARD:
            allow_card(question, barrel)
        if innate:
            allow(question, USE_JOURDONNAIS)
        elif not any_card_allowed(question):
            return False
        allow(question, PASS)
        chosen = answer_what(ask(game, rules, tables, target))
        if chosen == PASS:
            return False
        if chosen == USE_JOURDONNAIS or chosen == barrel:
            if chosen == barrel:
                barrel = np.int64(NO_CARD)
            else:
                innate = False
            if is_heart(tables, draw_check(game, rules, tables, target)):
                needed -= 1
        else:
            discard_from_hand(game, tables, target, chosen)
            needed -= 1
            barrel = np.int64(NO_CARD)
            innate = False
            if needed > 0:
                suzy_draws(game, tables)  # CH-14c
    return True


@leaf
def has_symbol(public, own, seat, effect):
    """Whether a hand holds a card that counts as BANG! or as Missed!; for CH-3 either serves as the other."""
    return in_hand(own, effect) or (
        public.ability[seat] == CALAMITY_JANET and in_hand(own, BANG if effect == MISSED else MISSED)
    )


@leaf
def allow_symbol(question, public, own, tables, seat, effect):
    """Allows the hand cards that count as BANG! or as Missed!; for CH-3 either serves as the other."""
    allow_effect(question, own.hand, tables, effect)
    if public.ability[seat] == CALAMITY_JANET:
        allow_effect(question, own.hand, tables, BANG if effect == MISSED else MISSED)


@shared
def gives_bang(game, rules, tables, seat, kind, source, card):
    """Whether a player discards a BANG! against Indians! or in a Duel."""
    if not has_symbol(game.public, game.own[seat], seat, BANG):
        return False
    question = pose(game, seat, kind, source, card, ONE)
    allow_symbol(question, game.public, game.own[seat], tables, seat, BANG)
    allow(question, PASS)
    chosen = answer_what(ask(game, rules, tables, seat))
    if chosen >= OTHER:
        return False
    discard_from_hand(game, tables, seat, chosen)
    return True


@shared
def gatling(game, rules, tables, seat, card):
    """B-56: a shot at every other player, clockwise from the left (B-38)."""
    waiting = others(game.public, seat)
    target = seat
    while waiting != 0:
        target = next_of(waiting, target)
        waiting &= ~(1 << target)
        shoot(game, rules, tables, seat, target, card, ONE)


@shared
def indians(game, rules, tables, seat, card):
    """B-57: each other player, and then the user himself if the rules say so, gives a BANG! or loses life."""
    waiting = others(game.public, seat)
    target = seat
    while waiting != 0:
        target = next_of(waiting, target)
        waiting &= ~(1 << target)
        answer_indians(game, rules, tables, target, seat, card, seat)
    if rules.indians_includes_player != 0 and is_alive(game.public, seat):
        answer_indians(game, rules, tables, seat, seat, card, NO_SEAT)


@leaf
def answer_indians(game, rules, tables, target, seat, card, responsible):
    if not gives_bang(game, rules, tables, target, INDIANS_ANSWER, seat, card) and game.ending == PLAYING:
        lose_life(game, rules, tables, target, np.int64(tables.amount[card]), responsible, BY_INDIANS)


@shared
def duel(game, rules, tables, challenger, challenged, card):
    """B-55: BANG! by BANG!, the challenged player first. Nobody is responsible for a challenger who loses (B-29)."""
    seat, rival = challenged, challenger
    while gives_bang(game, rules, tables, seat, DUEL_ANSWER, rival, card):
        seat, rival = rival, seat
    if game.ending == PLAYING:
        responsible = challenger if seat == challenged else NO_SEAT
        lose_life(game, rules, tables, seat, np.int64(tables.amount[card]), responsible, BY_DUEL)
