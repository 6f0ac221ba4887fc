"""Shots (B-25 … B-27), Duel (B-55) and Indians! (B-57)."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import discard_from_hand, first_in_play, in_hand, is_heart
from .damage import lose_life, suzy_draws
from .draw_check import draw_check
from .fading import count_other_use
from .flags import DEATH_MESA
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
    NOTHING,
    ONE,
    OTHER,
    PASS,
    PLAYING,
    USE_JOURDONNAIS,
    answer_what,
)
from .questions import allow, allow_card, allow_effect, any_card_allowed, may_do_more, pose
from .reactions import redirect, warn
from .seats import ghosts, is_alive, next_of, others


@shared
def shoot(game, rules, tables, attacker, target, card, needed, kind, direct):
    """B-25: one shot, which ``needed`` Missed! stop. Returns whether it hits.

    ``direct``: it has one target, so that a ghost may redirect it (DM-C15). Ghosts react first, Mirage before Warn, or
    once the target's own answers have failed (DM-39, OP-46).
    """
    lacking = needed
    ghosts_last = False
    if DEATH_MESA:
        game.public.aimed_at = target
        if ghosts(game.public) != 0:
            ghosts_last = rules.dm_reaction_order != 0
            if not ghosts_last:
                if direct != 0:
                    target = redirect(game, rules, tables, attacker, target, card)
                lacking = warn(game, rules, tables, attacker, target, card, needed)
    while True:
        lacking = missing(game, rules, tables, attacker, target, card, lacking)
        if not DEATH_MESA or not ghosts_last or lacking == 0 or game.ending != PLAYING:
            break
        if DEATH_MESA:
            moved = redirect(game, rules, tables, attacker, target, card) if direct != 0 else target
            if moved == target:
                lacking = warn(game, rules, tables, attacker, target, card, lacking)
                break
            target = moved
            lacking = needed
    if lacking == 0 or game.ending != PLAYING:
        return False
    lose_life(game, rules, tables, target, np.int64(tables.amount[card]), attacker, kind)
    return True


@leaf
def missing(game, rules, tables, attacker, target, card, needed):
    """How many Missed! the target lacks in the end: first "draw!" defences, each once (B-26), then single cards."""
    public = game.public
    own = game.own[target]
    barrel = first_in_play(public, tables, target, BARREL)
    innate = public.ability[target] == JOURDONNAIS
    if barrel == NO_CARD and not innate and not has_symbol(public, own, target, MISSED):
        return needed
    while needed > 0:
        question = pose(game, target, ANSWER, attacker, card, needed)
        allow_symbol(question, public, own, tables, target, MISSED)
        if barrel != NO_CARD:
            allow_card(question, barrel)
        if innate:
            allow(question, USE_JOURDONNAIS)
        elif not any_card_allowed(question):
            return needed
        allow(question, PASS)
        chosen = answer_what(ask(game, rules, tables, target))
        if chosen == PASS:
            return needed
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
    return needed


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
    if not has_symbol(game.public, game.own[seat], seat, BANG) or not may_do_more(game.public, rules, seat):
        return False
    question = pose(game, seat, kind, source, card, ONE)
    allow_symbol(question, game.public, game.own[seat], tables, seat, BANG)
    allow(question, PASS)
    chosen = answer_what(ask(game, rules, tables, seat))
    if chosen >= OTHER:
        return False
    count_other_use(game, rules, tables, seat)
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
        shoot(game, rules, tables, seat, target, card, ONE, BY_SHOT, NOTHING)


@shared
def indians(game, rules, tables, seat, card):
    """B-57: each other player, and then the user himself if the rules say so, gives a BANG! or loses life."""
    waiting = others(game.public, seat)
    target = seat
    while waiting != 0:
        target = next_of(waiting, target)
        waiting &= ~(1 << target)
        answer_indians(game, rules, tables, target, seat, card, seat)
    himself = rules.indians_includes_player != 0 and is_alive(game.public, seat)
    if DEATH_MESA:
        himself = himself and game.possessor < 0  # DM-54: the possessed player is spared
    if himself:
        answer_indians(game, rules, tables, seat, seat, card, NO_SEAT)


@leaf
def answer_indians(game, rules, tables, target, seat, card, responsible):
    if not gives_bang(game, rules, tables, target, INDIANS_ANSWER, seat, card) and game.ending == PLAYING:
        lose_life(game, rules, tables, target, np.int64(tables.amount[card]), responsible, BY_INDIANS)


@shared
def duel(game, rules, tables, challenger, challenged, card):
    """B-55: BANG! by BANG!, the challenged player first. Nobody is responsible for a challenger who loses (B-29)."""
    if DEATH_MESA:
        if rules.dm_mirage_includes_duel != 0 and rules.dm_attack_set == 0 and ghosts(game.public) != 0:
            challenged = redirect(game, rules, tables, challenger, challenged, card)
    seat, rival = challenged, challenger
    while gives_bang(game, rules, tables, seat, DUEL_ANSWER, rival, card):
        seat, rival = rival, seat
    if game.ending == PLAYING:
        responsible = challenger if seat == challenged else NO_SEAT
        lose_life(game, rules, tables, seat, np.int64(tables.amount[card]), responsible, BY_DUEL)
