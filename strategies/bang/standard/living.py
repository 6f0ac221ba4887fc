"""The living: gear, life, and whom to hurt, spare, jail and rob.

How much he wants each other player hurt is one small number a seat, ``desires``; what a card does for him is weighed
with it. Where legality is in question, ``aims`` asks the rules.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.cards import count_with_effect, first_with_effect
from sim.bang.core.flags import DEATH_MESA, WORDS
from sim.bang.core.lasting import is_under
from sim.bang.core.names import (
    ANYBODY,
    BANG,
    BEER,
    CALAMITY_JANET,
    CAT_BALOU,
    DEPUTY,
    DRAW,
    DUEL,
    DYNAMITE,
    END,
    FIRST_CHARACTER,
    FROM_DECK,
    FROM_DISCARD_PILE,
    FROM_SEAT,
    GATLING,
    GENERAL_STORE,
    HAND,
    IN_MEMORIAM,
    INDIANS,
    JAIL,
    LUCKY_DUKE,
    MISSED,
    NO_CARD,
    NOBODY,
    OTHER,
    OUTLAW,
    PANIC,
    RENEGADE,
    SALOON,
    SECOND_CHARACTER,
    USE_SID,
    answer,
)
from sim.bang.core.questions import bang_allowed, bang_symbols, play_targets
from sim.bang.core.seats import count_living, ghosts
from sim.kernel.bits import lowest, rest
from sim.kernel.jit import leaf, shared
from strategies.bang.simple import SCARCE, is_affordable, spends_cards_for_life
from strategies.bang.standard.beliefs import opinion
from strategies.bang.standard.desires import SPARED, desires
from strategies.bang.standard.targets import (
    raid_pays,
    saloon_helps,
    whom_to_hurt,
    whom_to_jail,
    whom_to_lay,
    whom_to_rob,
)
from strategies.bang.standard.weights import BANGS_KEPT_FROM_GHOSTS, DUEL_STRENGTH, GEAR_OVER_HAND, LAY_DYNAMITE, weight
from strategies.bang.standard.worth import (
    GEAR_WORTH,
    HAND_WORTH,
    LASTING_GEAR,
    WEAPONS,
    better_weapon,
    character_worth,
    is_dry,
    worth,
)

ROBBERIES = 1 << PANIC | 1 << CAT_BALOU
RAIDS = 1 << GATLING | 1 << INDIANS
TOUCHING = ROBBERIES | RAIDS | 1 << JAIL | 1 << DUEL | 1 << SALOON
"""Cards that help or hurt somebody else, so that it matters who is whose friend. Shots are asked about apart."""

AVERAGE_WORTH = np.int64(50)
"""What an unknown card of the deck is worth in hand."""


@shared
def aims(public, own, rules, tables, card):
    """The seats at which a hand card may be played now (NOBODY_BIT: at none of them; 0: not at all)."""
    return play_targets(public, own, rules, tables, card, ANYBODY)


@leaf
def is_scarce(public):
    """Whether so few cards are left, the others being buried, that he would only see the same ones again and again."""
    if DEATH_MESA:
        return public.draw_size + public.discard_size < SCARCE
    return False


@leaf
def may_play(public, own, rules, tables, card):
    """Whether a card for himself may be played: without ghosts, when there is a card for its price."""
    if DEATH_MESA:
        return aims(public, own, rules, tables, card) != 0
    return is_affordable(public, tables, np.int64(own.seat), card)


@leaf
def play(public, own, rules, tables):
    """What to play next: cards, gear, life, then attacks."""
    seat = np.int64(own.seat)
    effects = np.int64(own.effects)
    useful = effects & (1 << DRAW | LASTING_GEAR & ~np.int64(public.effects_in_play[seat]))
    if effects & 1 << BEER != 0 and public.life[seat] < public.max_life[seat]:
        if count_living(public) > 2 or rules.beer_with_two_players != 0:
            useful |= 1 << BEER
    if is_dry(public, seat):
        useful &= ~(1 << BEER)
    if DEATH_MESA:
        if is_scarce(public):
            useful &= ~(1 << DRAW)
            # Nor play one card for ever: Suzy Lafayette draws it again, and he robs her of it again.
            effects &= ~(1 << GENERAL_STORE | 1 << SALOON | 1 << GATLING | 1 << PANIC)
    while useful != 0:
        card = first_with_effect(own.hand, tables, lowest(useful))
        useful &= useful - 1
        if may_play(public, own, rules, tables, card):
            return answer(card, NOBODY)
    if effects & WEAPONS != 0:
        card = better_weapon(public, own, tables, seat)
        if card != NO_CARD and may_play(public, own, rules, tables, card):
            return answer(card, NOBODY)
    given = answer(END, NOBODY)
    if touches_others(public, rules, tables, seat, effects):
        given = attack(public, own, rules, tables, seat, effects)
    if given == answer(END, NOBODY):
        given = supplies(public, own, rules, tables, seat, effects)
    if given == answer(END, NOBODY) and spends_cards_for_life(public, rules, seat):
        return answer(USE_SID, NOBODY)
    return given


@leaf
def touches_others(public, rules, tables, seat, effects):
    """Whether there is any card left for which it matters who is whose friend."""
    if effects & TOUCHING != 0:
        return True
    shots = effects & (1 << BANG | 1 << MISSED if public.ability[seat] == CALAMITY_JANET else 1 << BANG)
    return shots != 0 and (bang_allowed(public, rules, tables, seat) or ghosts(public) != 0)


@leaf
def attack(public, own, rules, tables, seat, effects):
    """What needs to know who is whose friend, else the end. In the order Saloon, Jail, robbery, raid, shot."""
    wanted = desires(public, own, tables)
    if effects & 1 << SALOON != 0 and saloon_helps(public, wanted, seat):
        card = first_with_effect(own.hand, tables, SALOON)
        if aims(public, own, rules, tables, card) != 0:
            return answer(card, NOBODY)
    if effects & 1 << JAIL != 0:
        card = first_with_effect(own.hand, tables, JAIL)
        target = whom_to_jail(public, wanted, aims(public, own, rules, tables, card))
        if target >= 0:
            return answer(card, target)
    robberies = effects & ROBBERIES
    while robberies != 0:
        card = first_with_effect(own.hand, tables, lowest(robberies))
        robberies &= robberies - 1
        allowed = aims(public, own, rules, tables, card)
        target = whom_to_rob(public, own, tables, wanted, allowed)
        if DEATH_MESA:
            if target < 0 and tables.effect[card] == CAT_BALOU:
                target = whom_to_lay(public, own, allowed)
        if target >= 0:
            return answer(card, target)
    raids = effects & RAIDS
    while raids != 0:
        effect = lowest(raids)
        raids &= raids - 1
        if raid_pays(public, own, tables, wanted, seat, effect):
            card = first_with_effect(own.hand, tables, effect)
            if aims(public, own, rules, tables, card) != 0:
                return answer(card, NOBODY)
    bangs = bang_symbols(public, own, tables)
    if bangs > 0:
        return shoot_or_duel(public, own, rules, tables, wanted, seat, effects, bangs)
    return answer(END, NOBODY)


@leaf
def shoot_or_duel(public, own, rules, tables, wanted, seat, effects, bangs):
    """A Duel with BANG!s to spare, then a shot."""
    if effects & 1 << DUEL != 0:
        card = first_with_effect(own.hand, tables, DUEL)
        target = whom_to_hurt(public, own, tables, wanted, aims(public, own, rules, tables, card))
        if target >= 0 and bangs * weight(own, tables, DUEL_STRENGTH) >= public.hand_size[target]:
            return answer(card, target)
    if bang_allowed(public, rules, tables, seat) and not shoots_for_ever(public, seat):
        card = first_with_effect(own.hand, tables, BANG)
        if card == NO_CARD:
            card = first_with_effect(own.hand, tables, MISSED)
        target = whom_to_hurt(public, own, tables, wanted, aims(public, own, rules, tables, card))
        if target >= 0:
            return answer(card, target)
    if DEATH_MESA:
        if ghosts(public) != 0 and bangs > weight(own, tables, BANGS_KEPT_FROM_GHOSTS):
            card = first_with_effect(own.hand, tables, BANG)
            if card != NO_CARD:
                target = whom_to_lay(public, own, aims(public, own, rules, tables, card))
                if target >= 0:
                    return answer(card, target)
    return answer(END, NOBODY)


@leaf
def shoots_for_ever(public, seat):
    """Whether he might draw the BANG! that he plays again and again, since so few cards are left."""
    if DEATH_MESA:
        return is_scarce(public) and (public.bangs_played > 0 or is_under(public, seat, IN_MEMORIAM))
    return False


@leaf
def supplies(public, own, rules, tables, seat, effects):
    """At the end: Dynamite, and the General Store, which serves his foes too."""
    card = np.int64(NO_CARD)
    if effects & 1 << DYNAMITE != 0 and lays_dynamite(public, own, tables, seat):
        card = first_with_effect(own.hand, tables, DYNAMITE)
    elif effects & 1 << GENERAL_STORE != 0:
        card = first_with_effect(own.hand, tables, GENERAL_STORE)
    if card != NO_CARD and aims(public, own, rules, tables, card) != 0:
        return answer(card, NOBODY)
    return answer(END, NOBODY)


@leaf
def lays_dynamite(public, own, tables, seat):
    """Whether Dynamite is likelier to hurt foes than friends; Lucky Duke need not fear it."""
    level = weight(own, tables, LAY_DYNAMITE)
    role = own.role
    least = 1 if role == OUTLAW else 2 if role == RENEGADE else 3 if role == DEPUTY else 4
    return level >= least or (public.ability[seat] == LUCKY_DUKE and level > 0)


@leaf
def take(public, own, tables):
    """Frees a friend; from a foe the best gear or a hand card."""
    question = own.question
    source = np.int64(question.source)
    hand = np.int64(question.others) >> (HAND - OTHER) & 1 != 0
    burden = first_with_effect(question.cards, tables, JAIL)
    if burden == NO_CARD:
        burden = first_with_effect(question.cards, tables, DYNAMITE)
    if burden != NO_CARD and opinion(desires(public, own, tables), source) <= SPARED:
        return answer(burden, NOBODY)
    found = np.int64(HAND) if hand else np.int64(NO_CARD)
    most = HAND_WORTH if hand else np.int64(-1)
    for w in range(WORDS):
        left = question.cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            effect = np.int64(tables.effect[card])
            gear = np.int64(GEAR_WORTH[effect])
            if gear > 0:
                gear += weight(own, tables, GEAR_OVER_HAND)
            if gear > most:
                most = gear
                found = card
    return answer(found, NOBODY)


@leaf
def draw_source(public, own, tables):
    """CH-10 takes a good discard; CH-5 robs whoever is no friend."""
    question = own.question
    if np.int64(question.others) >> (FROM_DISCARD_PILE - OTHER) & 1 != 0:
        top = np.int64(public.discard_top)
        copies = count_with_effect(own.hand, tables, np.int64(tables.effect[top]))
        good = worth(public, own, tables, top, copies) >= AVERAGE_WORTH
        return answer(FROM_DISCARD_PILE if good else FROM_DECK, NOBODY)
    wanted = desires(public, own, tables)
    targets = np.int64(question.targets)
    found = -1
    most = np.int64(-10)
    while targets != 0:
        seat = lowest(targets)
        targets &= targets - 1
        if opinion(wanted, seat) > most:
            most = opinion(wanted, seat)
            found = seat
    return answer(FROM_SEAT, found) if found >= 0 else answer(FROM_DECK, NOBODY)


@leaf
def keep_character(own, tables):
    """The one that is worth more: life points, and what the ability brings."""
    first, second = np.int64(own.dealt[0]), np.int64(own.dealt[1])
    return answer(FIRST_CHARACTER if is_better(tables, first, second) else SECOND_CHARACTER, NOBODY)


@leaf
def is_better(tables, first, second):
    return character_worth(tables, first) >= character_worth(tables, second)
