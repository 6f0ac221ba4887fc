"""Checked mode: after every step the state must make sense. Instrumented kernels only; the games are the same."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, popcount
from sim.kernel.jit import leaf, shared

from .cards import count_with_effect, effects_of
from .flags import INSTRUMENTED, WORDS
from .names import (
    CARD_MISSING,
    CARD_TWICE,
    DISTANCE,
    HAND_LIMIT,
    HAND_SIZE,
    LIFE_BOUNDS,
    MUSTANG,
    NO_FAULT,
    PAUL_REGRET,
    PILE_CORRUPT,
    ROLE_COUNTS,
    ROSE_DOOLAN,
    SCOPE,
    SUZY_LAFAYETTE,
    TURN_ORDER,
    TURN_OVER,
    TURN_START,
    WOUND_LEFT,
)
from .seats import is_alive, living, next_of


@shared
def check(game, rules, tables):
    """Notes the first thing that is wrong with the state between two steps."""
    if INSTRUMENTED:
        if game.script.fault == NO_FAULT:
            fault = fault_of_cards(game, tables)
            if fault == NO_FAULT:
                fault = fault_of_seats(game, rules, tables)
            if fault != NO_FAULT:
                game.script.fault = fault
                game.script.fault_turn = game.public.turn
                game.script.fault_seat = game.public.in_turn


@leaf
def fault_of_cards(game, tables):
    """Each card is in exactly one place, and the sizes kept beside the sets are right."""
    public = game.public
    for w in range(WORDS):
        seen = game.removed[w]
        for seat in range(np.int64(public.players)):
            if seen & game.own[seat].hand[w] != 0:
                return CARD_TWICE
            seen |= game.own[seat].hand[w]
            if seen & public.in_play[seat, w] != 0:
                return CARD_TWICE
            seen |= public.in_play[seat, w]
        for i in range(np.int64(game.draw_pile.count)):
            card = np.int64(game.draw_pile.cards[i])
            if card >> 6 == w:
                if seen & bit(card & 63) != 0:
                    return CARD_TWICE
                seen |= bit(card & 63)
        for i in range(np.int64(game.discard_pile.count)):
            card = np.int64(game.discard_pile.cards[i])
            if card >> 6 == w:
                if seen & bit(card & 63) != 0:
                    return CARD_TWICE
                seen |= bit(card & 63)
        if seen != tables.deck[w] or public.on_offer[w] != 0:
            return CARD_MISSING
    for seat in range(np.int64(public.players)):
        if game.own[seat].effects != effects_of(game.own[seat].hand, tables):
            return HAND_SIZE
        if public.effects_in_play[seat] != effects_of(public.in_play[seat], tables):
            return CARD_MISSING
        held = 0
        for w in range(WORDS):
            held += popcount(game.own[seat].hand[w])
            if public.seen_in_hand[seat, w] & ~game.own[seat].hand[w] != 0:
                return HAND_SIZE
        if held != public.hand_size[seat]:
            return HAND_SIZE
    top = game.discard_pile.cards[game.discard_pile.count - 1] if game.discard_pile.count > 0 else -1
    if (
        public.draw_size != game.draw_pile.count
        or public.discard_size != game.discard_pile.count
        or public.discard_top != top
        or game.draw_pile.known > game.draw_pile.count
    ):
        return PILE_CORRUPT
    return NO_FAULT


@leaf
def fault_of_seats(game, rules, tables):
    """Life, hands, distances, roles and the seat in turn."""
    public = game.public
    turn = np.int64(public.in_turn)
    roles = np.int64(0)
    for seat in range(np.int64(public.players)):
        roles += 1 << (8 * np.int64(game.own[seat].role))
        life = np.int64(public.life[seat])
        if is_alive(public, seat):
            if life < 1 or life > public.max_life[seat]:
                return LIFE_BOUNDS
            if public.ability[seat] == SUZY_LAFAYETTE and public.hand_size[seat] == 0 and public.draw_size > 0:
                return HAND_SIZE
        elif public.hand_size[seat] != 0 or life > 0 or public.known_role[seat] != game.own[seat].role:
            return LIFE_BOUNDS
        if game.wounds[seat] != 0 or game.fallen_count != 0:
            return WOUND_LEFT
        ability = public.ability[seat]
        far = count_with_effect(public.in_play[seat], tables, MUSTANG) + (1 if ability == PAUL_REGRET else 0)
        near = count_with_effect(public.in_play[seat], tables, SCOPE) + (1 if ability == ROSE_DOOLAN else 0)
        seen_far = (np.int64(public.far[0]) >> seat & 1) + (np.int64(public.far[1]) >> seat & 1)
        if is_alive(public, seat) and (far != seen_far or near != public.near[seat]):
            return DISTANCE
    for role in range(4):
        if roles >> (8 * role) & 255 != tables.role_count[role]:
            return ROLE_COUNTS
    if turn < 0 or turn >= public.players or (public.phase != TURN_OVER and not is_alive(public, turn)):
        return TURN_ORDER
    last = np.int64(game.script.last_seat)
    if public.phase == TURN_START and last >= 0 and turn != next_of(living(public), last):
        return TURN_ORDER
    limit = max(0, np.int64(public.life[turn]) + np.int64(rules.hand_limit_delta))
    if public.ability[turn] == SUZY_LAFAYETTE:
        limit = max(limit, 1)
    ended_by_hand = public.phase == TURN_OVER and is_alive(public, turn) and game.script.phase_3_done != 0
    if ended_by_hand and public.hand_size[turn] > limit:
        return HAND_LIMIT
    return NO_FAULT if living(public) != 0 else LIFE_BOUNDS
