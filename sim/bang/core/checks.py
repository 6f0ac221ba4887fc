"""Checked mode: after every step the state must make sense. Instrumented kernels only; the games are the same."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, popcount
from sim.kernel.jit import leaf, shared

from .cards import count_cards, effects_in_front, effects_of
from .flags import DEATH_MESA, INSTRUMENTED, WORDS
from .names import (
    CARD_MISSING,
    CARD_TWICE,
    DISTANCE,
    GHOST_WRONG,
    HAND_LIMIT,
    HAND_SIZE,
    LASTING_WRONG,
    LIFE_BOUNDS,
    MUSTANG,
    NO_FAULT,
    PAUL_REGRET,
    PILE_CORRUPT,
    PROPER_BURIAL,
    ROLE_COUNTS,
    ROSE_DOOLAN,
    SCOPE,
    SEATS,
    SUZY_LAFAYETTE,
    TURN_ORDER,
    TURN_OVER,
    TURN_START,
    WOUND_LEFT,
)
from .seats import ghosts, hand_limit, is_alive, living, next_of, working


@shared
def check(game, rules, tables):
    """Notes the first thing that is wrong with the state between two steps."""
    if INSTRUMENTED:
        if game.script.fault == NO_FAULT:
            fault = fault_of_cards(game, tables)
            if fault == NO_FAULT:
                fault = fault_of_seats(game, rules, tables)
            if DEATH_MESA:
                if fault == NO_FAULT:
                    fault = fault_of_ghosts(game, rules, tables)
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
            if DEATH_MESA:
                if seen & game.buried[seat, w] != 0:
                    return CARD_TWICE
                seen |= game.buried[seat, w]
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
        if public.effects_in_play[seat] != effects_in_front(public, tables, seat):
            return CARD_MISSING
        for w in range(WORDS):
            if public.seen_in_hand[seat, w] & ~game.own[seat].hand[w] != 0:
                return HAND_SIZE
        if count_cards(game.own[seat].hand) != public.hand_size[seat]:
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
def count_working(public, tables, seat, effect):
    """How many working cards with an effect lie in front of a seat."""
    count = np.int64(0)
    for w in range(WORDS):
        count += popcount(working(public, seat, w) & tables.of_effect[effect, w])
    return count


@leaf
def fault_of_ghosts(game, rules, tables):
    """Each Dead Men's card is in one place, the dead are ghosts, and effects are in force on the living only."""
    public = game.public
    for w in range(WORDS):
        seen = np.uint64(0)
        in_play = np.uint64(0)
        for seat in range(np.int64(public.players)):
            if seen & game.own[seat].dead_hand[w] != 0:
                return CARD_TWICE
            seen |= game.own[seat].dead_hand[w]
            in_play |= public.in_play[seat, w]
            known = game.own[seat].goods[w]
            if public.seen_buried[seat, w] & ~game.buried[seat, w] != 0 or known & ~game.buried[seat, w] != 0:
                return GHOST_WRONG
        if public.terrified[w] & ~in_play != 0:
            return LASTING_WRONG
        for pile in (game.dead_pile, game.dead_discards):
            for i in range(np.int64(pile.count)):
                card = np.int64(pile.cards[i])
                if card >> 6 == w:
                    if seen & bit(card & 63) != 0:
                        return CARD_TWICE
                    seen |= bit(card & 63)
        for i in range(np.int64(public.lasting_count)):
            card = np.int64(public.lasting[i].card)
            if public.lasting[i].effect == PROPER_BURIAL and card >> 6 == w:
                if seen & bit(card & 63) != 0:
                    return CARD_TWICE
                seen |= bit(card & 63)
        if (seen | game.removed_dead[w]) != tables.dead_deck[w] or seen & game.removed_dead[w] != 0:
            return CARD_MISSING
    if public.dead_draw_size != game.dead_pile.count or public.dead_discard_size != game.dead_discards.count:
        return PILE_CORRUPT
    if living(public) | ghosts(public) != (1 << np.int64(public.players)) - 1 or living(public) & ghosts(public) != 0:
        return GHOST_WRONG
    for seat in range(np.int64(public.players)):
        if count_cards(game.own[seat].dead_hand) != public.dead_hand_size[seat]:
            return GHOST_WRONG
        if count_cards(game.buried[seat]) != public.buried_size[seat]:
            return GHOST_WRONG
        at_rest = public.phase == TURN_OVER or public.in_turn != seat
        if at_rest and public.dead_hand_size[seat] > max(np.int64(rules.dm_ghost_hand_limit), 4 * SEATS):
            return HAND_LIMIT
        if is_alive(public, seat) and (public.dead_hand_size[seat] != 0 or public.buried_size[seat] != 0):
            return GHOST_WRONG
    for i in range(np.int64(public.lasting_count)):
        if not is_alive(public, np.int64(public.lasting[i].on)):
            return LASTING_WRONG
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
        far = count_working(public, tables, seat, MUSTANG) + (1 if ability == PAUL_REGRET else 0)
        near = count_working(public, tables, seat, SCOPE) + (1 if ability == ROSE_DOOLAN else 0)
        seen_far = (np.int64(public.far[0]) >> seat & 1) + (np.int64(public.far[1]) >> seat & 1)
        if is_alive(public, seat) and (far != seen_far or near != public.near[seat]):
            return DISTANCE
    for role in range(4):
        if roles >> (8 * role) & 255 != tables.role_count[role]:
            return ROLE_COUNTS
    may_be_in_turn = living(public) | ghosts(public)
    if turn < 0 or turn >= public.players or (public.phase != TURN_OVER and may_be_in_turn >> turn & 1 == 0):
        return TURN_ORDER
    last = np.int64(game.script.last_seat)
    if public.phase == TURN_START and last >= 0 and turn != next_of(may_be_in_turn, last):
        return TURN_ORDER
    limit = hand_limit(public, rules, turn)
    if public.ability[turn] == SUZY_LAFAYETTE:
        limit = max(limit, 1)
    ended_by_hand = public.phase == TURN_OVER and is_alive(public, turn) and game.script.phase_3_done != 0
    if ended_by_hand and public.hand_size[turn] > limit:
        return HAND_LIMIT
    return NO_FAULT if living(public) != 0 else LIFE_BOUNDS
