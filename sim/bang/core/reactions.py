"""What ghosts do when a living player is attacked: Mirage and Warn (DM-C15, DM-C22, DM-27), and the suit bonus."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest, rest
from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import add_to_hand
from .flags import WORDS
from .funnel import (
    N_BONUSES,
    N_CONTESTABLE,
    N_GOODS_LOST,
    N_MIRRORED,
    N_NEGATABLE,
    N_NEGATED,
    N_PLAYS,
    N_REACTIONS,
    N_WARN_CONVERSIONS,
    N_WARNED,
)
from .ghost_plays import (
    can_convert,
    conversion_cost,
    may_play_more,
    may_warn_for,
    price_of_card,
    price_of_conversion,
)
from .ghosts import dig_up_blind, discard_dead, draw_goods, lay_off, remove_dead, take_back
from .journal import note
from .names import (
    BONUS_ANSWER,
    CONVERT,
    CONVERTED,
    DEPUTY,
    E_NEGATED,
    E_REDIRECTED,
    E_TAKEN,
    FIRST_DEAD,
    HEARTS,
    MIRAGE,
    MIRAGE_ANSWER,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OTHER,
    PASS,
    PLAYING,
    SPADES,
    USE_BONUS,
    WARN,
    WARN_ANSWER,
    answer_target,
    answer_what,
)
from .negation import ANY_COLOUR, colour, is_negated, pay_dead
from .questions import allow, allow_card, any_card_allowed, pose
from .seats import ghosts, is_ghost, living, neighbours, next_of

NEGATED_NEVER, BY_DESIGNATED, BY_ANY, BY_SAME_COLOUR = 0, 1, 2, 3
"""Values of dm_conversion_negation."""


@leaf
def forget_price(game):
    for w in range(WORDS):
        game.price_paid[w] = np.uint64(0)


@shared
def refund(game, rules, seat):
    """OP-16: what a negated play has cost comes back, if the rules say so."""
    if rules.dm_refund_on_negation != 0:
        for w in range(WORDS):
            cards = game.price_paid[w]
            while cards != 0:
                take_back(game, seat, lowest(cards) + 64 * w)
                cards = rest(cards)


@shared
def pay_for_card(game, rules, tables, seat, card):
    """A ghost lays off the card he plays, pays for it, and the play counts (DM-19 … DM-22)."""
    public = game.public
    price = price_of_card(public, rules, tables, seat, card)
    public.caster = seat
    public.converted = 0
    forget_price(game)
    remove_dead(game, seat, card)
    pay_dead(game, rules, tables, seat, price, card)
    lay_off(game, card)
    if public.in_turn == seat:
        public.dead_plays += 1
    else:
        game.record.funnel[N_REACTIONS] += 1
    game.record.funnel[N_PLAYS] += 1
    game.record.played[np.int64(tables.effect[card]) - FIRST_DEAD] += 1


@shared
def stands(game, rules, tables, seat, card):
    """Whether a card just played is not negated."""
    game.record.funnel[N_NEGATABLE] += 1
    game.record.funnel[N_CONTESTABLE] += 1
    if is_negated(game, rules, tables, seat, card, colour(tables, card)):
        game.record.funnel[N_NEGATED] += 1
        game.record.stopped[np.int64(tables.effect[card]) - FIRST_DEAD] += 1
        note(game, E_NEGATED, seat, card, NOTHING, NOTHING, NOTHING)
        refund(game, rules, seat)
        return False
    if game.public.in_turn == seat:
        game.public.dead_successes += 1
    return True


@shared
def convert_cards(game, rules, tables, seat):
    """The cards of a conversion, designated first, and its price. Returns the designated card (OP-22).

    ``game.colours`` are the colours by which it can be negated, 0 if it cannot.
    """
    public = game.public
    cost = conversion_cost(public, rules, seat)
    price = price_of_conversion(public, rules, seat)
    public.caster = seat
    public.converted = 1
    forget_price(game)
    designated = np.int64(NO_CARD)
    alike = True
    for left in range(cost, 0, -1):
        question = pose(game, seat, CONVERTED, NO_SEAT, NO_CARD, left)
        for w in range(WORDS):
            question.cards[w] = game.own[seat].dead_hand[w]
        card = answer_what(ask(game, rules, tables, seat))
        discard_dead(game, seat, card)
        if designated == NO_CARD:
            designated = card
        alike = alike and colour(tables, card) == colour(tables, designated)
    pay_dead(game, rules, tables, seat, price, designated)
    public.conversions[seat] += 1
    way = rules.dm_conversion_negation
    game.colours = colour(tables, designated)
    if way == BY_ANY:
        game.colours = ANY_COLOUR
    elif way == NEGATED_NEVER or (way == BY_SAME_COLOUR and not alike):
        game.colours = NOTHING
    return designated


@shared
def conversion_stands(game, rules, tables, seat, designated):
    """Whether a conversion is not negated."""
    game.record.funnel[N_CONTESTABLE] += 1 if game.colours != 0 else 0
    if is_negated(game, rules, tables, seat, designated, np.int64(game.colours)):
        note(game, E_NEGATED, seat, designated, ONE, NOTHING, NOTHING)
        refund(game, rules, seat)
        return False
    return True


@leaf
def allow_affordable(question, game, rules, tables, seat, effect):
    """Adds the Dead Men's cards of one effect that the ghost can pay for; in his own turn only if he may play again."""
    public = game.public
    if public.in_turn != seat or may_play_more(public, rules):
        for w in range(WORDS):
            cards = game.own[seat].dead_hand[w] & tables.of_effect[effect, w]
            while cards != 0:
                card = lowest(cards) + 64 * w
                cards = rest(cards)
                if public.dead_hand_size[seat] > price_of_card(public, rules, tables, seat, card):
                    allow_card(question, card)


@shared
def redirect(game, rules, tables, attacker, target, card):
    """DM-C15: ghosts may redirect a direct attack, clockwise from the attacker. Returns who is attacked in the end."""
    waiting = ghosts(game.public)
    seat = attacker
    while waiting != 0 and game.ending == PLAYING:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        moved = mirage_of(game, rules, tables, seat, attacker, target, card)
        if moved != target:
            target = moved
            if rules.dm_mirage_chain == 0:
                return target
            waiting = ghosts(game.public)
            seat = attacker
    return target


@shared
def mirage_of(game, rules, tables, seat, attacker, target, card):
    """One ghost plays Mirages until one works, or does not. Returns the seat attacked then."""
    game.public.aimed_at = target
    while game.ending == PLAYING:
        question = pose(game, seat, MIRAGE_ANSWER, attacker, card, ONE)
        allow_affordable(question, game, rules, tables, seat, MIRAGE)
        question.targets = neighbours(game.public, target, attacker)
        if not any_card_allowed(question) or question.targets == 0:
            return target
        game.record.held[MIRAGE - FIRST_DEAD] += 1
        allow(question, PASS)
        given = ask(game, rules, tables, seat)
        played = answer_what(given)
        if played >= OTHER:
            return target
        pay_for_card(game, rules, tables, seat, played)
        if stands(game, rules, tables, seat, played):
            moved = answer_target(given)
            game.public.aimed_at = moved
            game.record.funnel[N_MIRRORED] += 1
            game.record.worked[MIRAGE - FIRST_DEAD] += 1
            note(game, E_REDIRECTED, moved, target, attacker, NOTHING, NOTHING)
            bonus(game, rules, tables, seat, played)
            return moved
    return target


@shared
def warn(game, rules, tables, attacker, target, card, needed):
    """DM-C22, DM-27: ghosts may play Missed! for the attacked one, clockwise from the attacker.

    Returns how many Missed! are still needed.
    """
    waiting = ghosts(game.public)
    seat = attacker
    while waiting != 0 and needed > 0:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        while needed > 0 and game.ending == PLAYING:
            question = pose(game, seat, WARN_ANSWER, attacker, card, needed)
            allow_affordable(question, game, rules, tables, seat, WARN)
            if game.public.known_role[seat] == DEPUTY and may_warn_for(game.public, rules, target):
                if can_convert(game.public, rules, seat):
                    allow(question, CONVERT)
            if any_card_allowed(question):
                game.record.held[WARN - FIRST_DEAD] += 1
            elif question.others == 0:
                break
            question.targets = 1 << target
            allow(question, PASS)
            given = answer_what(ask(game, rules, tables, seat))
            if given == PASS:
                break
            needed -= warned_by(game, rules, tables, seat, given)
    return needed


@leaf
def warned_by(game, rules, tables, seat, given):
    """One Warn or conversion: 1 if it counts as a Missed!, 0 if it is negated."""
    if given == CONVERT:
        designated = convert_cards(game, rules, tables, seat)
        game.record.funnel[N_WARN_CONVERSIONS] += 1
        if not conversion_stands(game, rules, tables, seat, designated):
            return NOTHING
        game.record.funnel[N_WARNED] += 1
        if rules.dm_conversion_bonus != 0:
            bonus(game, rules, tables, seat, designated)
        return ONE
    pay_for_card(game, rules, tables, seat, given)
    if not stands(game, rules, tables, seat, given):
        return NOTHING
    game.record.funnel[N_WARNED] += 1
    game.record.worked[WARN - FIRST_DEAD] += 1
    bonus(game, rules, tables, seat, given)
    return ONE


@shared
def bonus(game, rules, tables, seat, card):
    """DM-40, DM-41: a spade brings the caster buried goods, a heart gives some of them to a living player."""
    public = game.public
    if game.ending != PLAYING or not is_ghost(public, seat):
        return
    suit = tables.suit[card]
    if suit == SPADES and rules.dm_spade_bonus > 0 and public.draw_size + public.discard_size > 0:
        question = pose(game, seat, BONUS_ANSWER, NO_SEAT, card, ONE)
        allow(question, USE_BONUS)
        allow(question, PASS)
        if answer_what(ask(game, rules, tables, seat)) == USE_BONUS:
            game.record.funnel[N_BONUSES] += 1
            draw_goods(game, rules, seat, np.int64(rules.dm_spade_bonus))
    elif suit == HEARTS and rules.dm_heart_bonus > 0 and public.buried_size[seat] > 0:
        question = pose(game, seat, BONUS_ANSWER, NO_SEAT, card, ONE)
        allow(question, USE_BONUS)
        allow(question, PASS)
        question.targets = living(public)
        given = ask(game, rules, tables, seat)
        if answer_what(given) == USE_BONUS:
            game.record.funnel[N_BONUSES] += 1
            for _ in range(min(np.int64(rules.dm_heart_bonus), np.int64(public.buried_size[seat]))):
                give_goods(game, rules, tables, seat, answer_target(given), seat)


@shared
def give_goods(game, rules, tables, owner, receiver, taker):
    """A random buried card goes to a living player's hand (DM-40, DM-C20); the taker's dice choose it."""
    card = dig_up_blind(game, rules, owner, taker)
    add_to_hand(game, tables, receiver, card)
    game.record.funnel[N_GOODS_LOST] += 1
    note(game, E_TAKEN, receiver, card, owner, ONE, NOTHING)
