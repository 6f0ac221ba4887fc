"""Negation: the duel of ghosts over a played card (DM-29 … DM-38)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest
from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import has
from .flags import WORDS
from .funnel import N_DUEL_CARDS, N_DUELS, N_DUELS_TURNED, N_INTERVENTIONS
from .ghost_plays import price_of_negation
from .ghosts import dead_renegades, discard_dead, team_of
from .names import (
    DEAD_DUEL,
    DIAMONDS,
    HEARTS,
    INTERVENE,
    NEGATE,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OTHER,
    PASS,
    PAY,
    answer_target,
    answer_what,
)
from .questions import allow, any_card_allowed, pose
from .seats import ghosts, next_of

BLACK, RED, ANY_COLOUR = np.int64(1), np.int64(2), np.int64(3)
"""Sets of colours."""

OFF, COLOUR_DUEL, SINGLE_CARD = 0, 1, 2
"""Values of dm_negation."""

AFTER_DECLINE, PRE_EMPT = 1, 2
"""Values of dm_renegade_intervention."""


@leaf
def colour(tables, card):
    """Red are hearts and diamonds."""
    return RED if tables.suit[card] == HEARTS or tables.suit[card] == DIAMONDS else BLACK


@leaf
def opposite(colours):
    """The colours that answer these."""
    return (colours & BLACK) << 1 | (colours & RED) >> 1


@leaf
def allow_colours(question, hand, tables, colours):
    """Adds the Dead Men's cards of some colours to the answers of a question."""
    for w in range(WORDS):
        if colours & BLACK != 0:
            question.cards[w] |= hand[w] & (tables.of_suit[0, w] | tables.of_suit[3, w])
        if colours & RED != 0:
            question.cards[w] |= hand[w] & (tables.of_suit[1, w] | tables.of_suit[2, w])


@shared
def pay_dead(game, rules, tables, seat, count, card):
    """A ghost discards ``count`` Dead Men's cards of his choice as a price; one question a card."""
    for left in range(count, 0, -1):
        question = pose(game, seat, PAY, NO_SEAT, card, left)
        for w in range(WORDS):
            question.cards[w] = game.own[seat].dead_hand[w]
        paid = answer_what(ask(game, rules, tables, seat))
        discard_dead(game, seat, paid)
        game.price_paid[paid >> 6] |= bit(paid & 63)


@shared
def card_for_duel(game, rules, tables, seat, kind, source, card, colours, helped):
    """A Dead Men's card that a ghost discards in a duel, NO_CARD if he does not or cannot.

    ``helped``: the party (or, for an opening, the parties) for which he does it; 0: for himself. The answer names the
    seat; the card stays in his hand.
    """
    if game.public.dead_hand_size[seat] <= price_of_negation(game.public, rules, seat):
        return np.int64(NO_CARD)
    question = pose(game, seat, kind, source, card, ONE)
    allow_colours(question, game.own[seat].dead_hand, tables, colours)
    if not any_card_allowed(question):
        return np.int64(NO_CARD)
    question.targets = helped
    allow(question, PASS)
    given = ask(game, rules, tables, seat)
    if answer_what(given) >= OTHER:
        return np.int64(NO_CARD)
    game.helped = answer_target(given)
    return answer_what(given)


@shared
def spend_in_duel(game, rules, tables, seat, card):
    """A card of a duel is discarded, with what it costs besides (OP-18)."""
    discard_dead(game, seat, card)
    game.record.funnel[N_DUEL_CARDS] += 1
    pay_dead(game, rules, tables, seat, price_of_negation(game.public, rules, seat), card)


@leaf
def openers(game, rules, caster):
    """DM-37: ghosts who may open a duel over a card of the caster."""
    seats = ghosts(game.public) & ~(1 << caster)
    if rules.dm_negation_openers != 0:
        left = seats
        while left != 0:
            seat = lowest(left)
            left &= left - 1
            if team_of(game, rules, seat) == team_of(game, rules, caster):
                seats &= ~(1 << seat)
    return seats


@shared
def is_negated(game, rules, tables, caster, card, colours):
    """Whether a play comes to nothing. ``colours``: those of what is played; opponents need the opposite."""
    if rules.dm_negation == OFF or colours == 0:
        return False
    wanted = opposite(colours)
    waiting = openers(game, rules, caster)
    if rules.dm_negation_order != 0:
        ask_sealed(game, rules, tables, caster, card, wanted, waiting)
    duels = np.int64(0)
    seat = caster
    while waiting != 0:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        if rules.dm_negation_order != 0:
            opening = np.int64(game.sealed[seat])
            if opening != NO_CARD and not has(game.own[seat].dead_hand, opening):
                opening = np.int64(NO_CARD)  # spent for a party of an earlier duel
        else:
            opening = card_for_duel(game, rules, tables, seat, NEGATE, caster, card, wanted, NOTHING)
        if opening != NO_CARD:
            duels += 1
            if is_lost(game, rules, tables, caster, seat, seat, card, opening):
                return True
            if rules.dm_negation_max_duels != 0 and duels >= rules.dm_negation_max_duels:
                return False
    if rules.dm_renegade_open_for_other != 0 and duels == 0:
        return opened_for_another(game, rules, tables, caster, card, wanted)
    return False


@leaf
def ask_sealed(game, rules, tables, caster, card, wanted, waiting):
    """OP-12: all decide unseen whether they would open, and with which card."""
    seat = caster
    while waiting != 0:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        game.sealed[seat] = card_for_duel(game, rules, tables, seat, NEGATE, caster, card, wanted, NOTHING)


@leaf
def opened_for_another(game, rules, tables, caster, card, wanted):
    """OP-15: a dead Renegade discards the opening card for another ghost, who then is the opponent."""
    waiting = dead_renegades(game.public) & ~(1 << caster)
    seat = caster
    while waiting != 0:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        parties = openers(game, rules, caster) & ~(1 << seat)
        if parties != 0:
            opening = card_for_duel(game, rules, tables, seat, INTERVENE, caster, card, wanted, parties)
            if opening != NO_CARD:
                game.record.funnel[N_INTERVENTIONS] += 1
                return is_lost(game, rules, tables, caster, np.int64(game.helped), seat, card, opening)
    return False


@shared
def is_lost(game, rules, tables, caster, opponent, spender, card, opening):
    """DM-31, DM-32: the duel between caster and opponent, once the opening card is named; who cannot answer loses."""
    game.record.funnel[N_DUELS] += 1
    spend_in_duel(game, rules, tables, spender, opening)
    if rules.dm_negation == SINGLE_CARD:
        return True
    last = opening
    party, rival = caster, opponent
    turned = NOTHING
    while True:
        wanted = opposite(colour(tables, last))
        found = np.int64(NO_CARD)
        helper = party
        if rules.dm_renegade_intervention == PRE_EMPT:
            helper = intervention(game, rules, tables, party, rival, card, wanted)
            found = np.int64(game.offered)
        if found == NO_CARD:
            helper = party
            found = card_for_duel(game, rules, tables, party, DEAD_DUEL, rival, card, wanted, NOTHING)
            if found == NO_CARD and rules.dm_renegade_intervention == AFTER_DECLINE:
                helper = intervention(game, rules, tables, party, rival, card, wanted)
                found = np.int64(game.offered)
        if found == NO_CARD:
            game.record.funnel[N_DUELS_TURNED] += turned
            return party == caster
        if helper != party:
            game.record.funnel[N_INTERVENTIONS] += 1
            turned = ONE
        spend_in_duel(game, rules, tables, helper, found)
        last = found
        party, rival = rival, party


@shared
def intervention(game, rules, tables, party, rival, card, wanted):
    """DM-35: dead Renegades who are no duellists may answer for a party, clockwise from it.

    Returns who does; the card is in ``game.offered``, NO_CARD if nobody does.
    """
    game.offered = NO_CARD
    waiting = dead_renegades(game.public) & ~(1 << party) & ~(1 << rival)
    seat = party
    while waiting != 0:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        found = card_for_duel(game, rules, tables, seat, INTERVENE, rival, card, wanted, 1 << party)
        if found != NO_CARD:
            game.offered = found
            return seat
    return party
