"""Questions: what is legal, the list of options, the passive answer. ``ask`` puts them.

A question other than PLAY carries the cards and other answers that may be given. What may be played is worked out by
``play_targets``, card by card, so that a strategy that knows what it wants pays for one card only.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest, popcount, rest
from sim.kernel.jit import leaf, shared
from sim.kernel.streams import GAMMA, below

from .cards import count_with_effect, first_card, has
from .flags import DEATH_MESA, WORDS
from .ghost_plays import ghost_targets, ghosts_with_cards
from .lasting import extra_bangs, is_under, remembered_killers, rivals_of
from .names import (
    ANYBODY,
    BANG,
    CALAMITY_JANET,
    CAT_BALOU,
    CONVERT,
    DUEL,
    DYNAMITE,
    END,
    FROM_SEAT,
    GATLING,
    GHOST_STORIES,
    GUILTY_CONSCIENCE,
    IN_MEMORIAM,
    INDIANS,
    JAIL,
    MISSED,
    NO_CARD,
    NO_EFFECT,
    NOBODY,
    NOBODY_BIT,
    NOTHING,
    OTHER,
    OTHERS,
    PANIC,
    PASS,
    PLAY,
    SID_KETCHUM,
    USE_BONUS,
    USE_SID,
    WILLY_THE_KID,
    answer,
    answer_target,
    answer_what,
)
from .seats import has_volcanic, is_ghost, others, reach, within

NAME_SEATS = 1 << FROM_SEAT - OTHER | 1 << USE_BONUS - OTHER | 1 << CONVERT - OTHER
"""The OTHERS that are meant for a seat, where the question has seats."""

HARMFUL = 1 << BANG | 1 << MISSED | 1 << DUEL | 1 << INDIANS | 1 << GATLING | 1 << DYNAMITE
"""Cards that could damage another player (DM-C14, OP-64)."""


@leaf
def bang_allowed(public, rules, tables, seat):
    """B-13: whether one more BANG! card may be played in this turn."""
    limit = np.int64(rules.bang_limit)
    if DEATH_MESA:
        if is_under(public, seat, IN_MEMORIAM):
            limit += extra_bangs(public, seat)
    return (
        rules.bang_limit == 0
        or public.bangs_played < limit
        or public.ability[seat] == WILLY_THE_KID
        or (rules.volcanic_unlimited != 0 and has_volcanic(public, seat))
    )


@leaf
def with_cards(public, seats):
    """Of these seats, those with a card in hand or in play (B-58)."""
    found = seats & 0
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        any_card = public.hand_size[seat] > 0
        for w in range(WORDS):
            any_card = any_card or public.in_play[seat, w] != 0
        if any_card:
            found |= 1 << seat
    return found


@leaf
def without_same_name(public, tables, card, seats):
    """B-14: of these seats, those with no card of this name in play."""
    found = seats & 0
    kind = tables.kind[card]
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        clash = np.uint64(0)
        for w in range(WORDS):
            clash |= public.in_play[seat, w] & tables.same_name[kind, w]
        if clash == 0:
            found |= 1 << seat
    return found


@leaf
def may_use(public, rules, seat):
    """DM-C10: whether a player may play or use one more card."""
    if DEATH_MESA:
        return public.in_turn != seat or public.uses == 0 or not is_under(public, seat, GHOST_STORIES)
    return True


@leaf
def may_do_more(public, rules, seat):
    """DM-C10, OP-61: the same for what is no card played from the hand: abilities, answers in the own turn."""
    if DEATH_MESA:
        return rules.dm_use_definition != 0 or may_use(public, rules, seat)
    return True


@leaf
def bang_symbols(public, own, tables):
    """How many hand cards of a player can be played as BANG!."""
    count = count_with_effect(own.hand, tables, BANG)
    if public.ability[own.seat] == CALAMITY_JANET:
        count += count_with_effect(own.hand, tables, MISSED)
    return count


@leaf
def within_two_cards(public, own, rules, tables, what, targets):
    """DM-C06: of these targets, those who can be attacked: a rival only with a second card to spend."""
    seat = np.int64(own.seat)
    rivals = rivals_of(public, seat)
    if rivals != 0:
        spare = bang_symbols(public, own, tables)
        spare -= 1 if tables.effect[what] == BANG or tables.effect[what] == MISSED else 0
        enough = spare >= 1 and public.hand_size[seat] > tables.second_card[what] + 1
        if not enough or is_under(public, seat, GHOST_STORIES):
            return targets & ~rivals
    return targets


@leaf
def shot_targets(public, own, rules, tables, what):
    """B-13, B-22: whom a BANG! may name; a ghost's cards too (DM-43)."""
    seat = np.int64(own.seat)
    allowed = bang_allowed(public, rules, tables, seat)
    targets = reach(public, rules, tables, seat)
    if DEATH_MESA:
        if not allowed:
            targets &= remembered_killers(public, seat) if is_under(public, seat, IN_MEMORIAM) else NOTHING
        targets = within_two_cards(public, own, rules, tables, what, targets)
        open_to_all = rules.dm_bang_vs_ghost_max == 0 or public.ghost_bangs < rules.dm_bang_vs_ghost_max
        if rules.dm_bang_vs_ghost != 0 and open_to_all and (allowed or rules.dm_bang_vs_ghost_counted == 0):
            targets |= ghosts_with_cards(public)
        return targets
    return targets if allowed else NOTHING


@leaf
def can_use_sid(public, rules, seat):
    """CH-12: discard cards for life, not above the maximum."""
    if DEATH_MESA:
        if not may_do_more(public, rules, seat):
            return False
    return (
        public.ability[seat] == SID_KETCHUM
        and public.life[seat] < public.max_life[seat]
        and public.hand_size[seat] >= rules.sid_ketchum_cost
    )


@leaf
def play_targets(public, own, rules, tables, what, among):
    """What the seat in turn may play now (B-12): the seats out of ``among`` that ``what`` may name.

    NOBODY_BIT: it names none. 0: it may not be played. The only place that knows when a card is playable.
    """
    seat = np.int64(own.seat)
    if DEATH_MESA:
        if what != END and is_ghost(public, seat):
            if what < OTHER and not has(own.dead_hand, what):
                return NOTHING
            return (among | NOBODY_BIT) & ghost_targets(public, own, rules, tables, what)
    if what >= OTHER:
        return NOBODY_BIT if what == END or (what == USE_SID and can_use_sid(public, rules, seat)) else 0
    if not has(own.hand, what) or public.hand_size[seat] <= tables.second_card[what]:
        return 0
    effect = tables.effect[what]
    if effect == NO_EFFECT:
        return 0
    if DEATH_MESA:
        if not may_use(public, rules, seat):
            return 0
        if 1 << np.int64(effect) & HARMFUL != 0 and is_under(public, seat, GUILTY_CONSCIENCE):
            return 0
    if effect == BANG or effect == MISSED:
        if effect == MISSED and public.ability[seat] != CALAMITY_JANET:
            return 0
        return among & shot_targets(public, own, rules, tables, what)
    if effect == PANIC or effect == CAT_BALOU:
        return among & robbed_by(public, rules, tables, seat, what)
    if DEATH_MESA:
        if rules.dm_east_wind_scope != 0:
            if effect == DUEL:
                return among & within_two_cards(public, own, rules, tables, what, others(public, seat))
            if effect == INDIANS or effect == GATLING:
                reached = others(public, seat)
                return NOBODY_BIT if within_two_cards(public, own, rules, tables, what, reached) == reached else 0
    if effect == DUEL:
        return among & others(public, seat)
    if effect == JAIL:
        targets = without_same_name(public, tables, what, among & others(public, seat))
        return targets if rules.jail_on_sheriff != 0 else targets & ~sheriff_mask(public)
    if has(tables.blue, what):
        return NOBODY_BIT if without_same_name(public, tables, what, 1 << seat) != 0 else 0
    return NOBODY_BIT


@leaf
def robbed_by(public, rules, tables, seat, card):
    """B-58, DM-42: whom Panic! and Cat Balou may name; ghosts are beyond all distance."""
    distance = np.int64(tables.range[card])
    near = within(public, tables, seat, distance) if distance > 0 else others(public, seat)
    targets = with_cards(public, near)
    if DEATH_MESA:
        if tables.effect[card] == CAT_BALOU or rules.dm_panic_on_ghosts != 0:
            targets |= ghosts_with_cards(public)
    return targets


@leaf
def sheriff_mask(public):
    """The Sheriff's seat as a set, empty with three players."""
    return 1 << np.int64(public.sheriff) if public.sheriff >= 0 else NOTHING


@leaf
def legal_targets(public, own, rules, tables, what, among):
    """Whether ``what`` is an answer to the question of this seat: the seats out of ``among`` that it may name.

    NOBODY_BIT: it names none. 0: it is illegal.
    """
    question = own.question
    if question.kind == PLAY:
        return play_targets(public, own, rules, tables, what, among)
    if what >= OTHER:
        if np.int64(question.others) >> (what - OTHER) & 1 == 0:
            return 0
        return seats_named(question) if names_seats(what) else NOBODY_BIT
    return seats_of_card(question) if has(question.cards, what) else 0


@leaf
def names_seats(what):
    return NAME_SEATS >> (what - OTHER) & 1 != 0


@leaf
def seats_named(question):
    """The seats that an answer may name; nobody, if the question has none."""
    return np.int64(question.targets) if question.targets != 0 else NOBODY_BIT


@leaf
def seats_of_card(question):
    """The same for an answer that is a card: only among ghosts does such a one name a seat."""
    if DEATH_MESA:
        return seats_named(question)
    return NOBODY_BIT


@leaf
def is_legal(public, own, rules, tables, given):
    """Whether an answer is legal. Any integer may be asked about."""
    what, target = answer_what(given), answer_target(given)
    if given == answer(END, NOBODY) and own.question.kind == PLAY:
        return True
    if not 0 <= given < answer(0, NOBODY + 1):
        return False
    if what >= 64 * WORDS and (what < OTHER or what >= OTHER + len(OTHERS)):
        return False
    return legal_targets(public, own, rules, tables, what, np.int64(1) << target) >> target & 1 != 0


@leaf
def candidate_cards(own, w):
    """Word w of the cards that an answer may name: legality is decided by ``legal_targets``."""
    if DEATH_MESA:
        return own.hand[w] | own.dead_hand[w] if own.question.kind == PLAY else own.question.cards[w]
    return own.hand[w] if own.question.kind == PLAY else own.question.cards[w]


@shared
def option(public, own, rules, tables, n):
    """Option n of the question, in the order cards, then the other answers, then seats; −1 when there are fewer.

    With n < 0 the number of options is returned instead.
    """
    count = 0
    for w in range(WORDS):
        cards = candidate_cards(own, w)
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            targets = legal_targets(public, own, rules, tables, card, ANYBODY)
            found = popcount(targets)
            if n >= 0 and n < count + found:
                return nth_target(card, targets, n - count)
            count += found
    for k in range(len(OTHERS)):
        targets = legal_targets(public, own, rules, tables, OTHER + k, ANYBODY)
        found = popcount(targets)
        if n >= 0 and n < count + found:
            return nth_target(OTHER + k, targets, n - count)
        count += found
    return count if n < 0 else -1


@leaf
def any_option(public, own, rules, tables):
    """One of the options, all with the same chance, drawn from the seat's own dice."""
    own.dice += GAMMA
    return option(public, own, rules, tables, below(own.dice, option(public, own, rules, tables, -1)))


@leaf
def nth_target(what, targets, n):
    for _ in range(n):
        targets &= targets - 1
    return answer(what, lowest(targets))


@leaf
def passive_answer(own):
    """Pass, else end, else the first option."""
    question = own.question
    if question.kind == PLAY:
        return answer(END, NOBODY)
    if np.int64(question.others) >> (PASS - OTHER) & 1 != 0:
        return answer(PASS, NOBODY)
    card = first_card(question.cards)
    if card != NO_CARD:
        return answer(card, lowest(seats_of_card(question)))
    what = OTHER + lowest(np.int64(question.others))
    return answer(what, lowest(seats_named(question)) if names_seats(what) else NOBODY)


@leaf
def pose(game, seat, kind, source, card, needed):
    """Begins a question: no card and no other answer is allowed yet. Returns the record to fill in."""
    question = game.own[seat].question
    question.kind = kind
    question.source = source
    question.card = card
    question.needed = needed
    question.others = 0
    question.targets = 0
    for w in range(WORDS):
        question.cards[w] = np.uint64(0)
    return question


@leaf
def allow(question, what):
    """Adds one of the OTHERS to the answers of a question."""
    question.others = np.int64(question.others) | 1 << (what - OTHER)


@leaf
def allow_card(question, card):
    """Adds a card to the answers of a question."""
    question.cards[card >> 6] |= bit(card & 63)


@leaf
def allow_effect(question, hand, tables, effect):
    """Adds the cards of a hand that have an effect to the answers of a question."""
    for w in range(WORDS):
        question.cards[w] |= hand[w] & tables.of_effect[effect, w]


@leaf
def any_card_allowed(question):
    cards = np.uint64(0)
    for w in range(WORDS):
        cards |= question.cards[w]
    return cards != 0


@leaf
def count_answers(question):
    """The number of answers to a question other than PLAY, the seats that they name counted singly."""
    count = np.int64(0)
    for w in range(WORDS):
        count += popcount(question.cards[w])
    if not DEATH_MESA:  # only FROM_SEAT names seats
        if np.int64(question.others) >> (FROM_SEAT - OTHER) & 1 != 0:
            count += popcount(np.int64(question.targets)) - 1
        return count + popcount(np.int64(question.others))
    if question.targets == 0:
        return count + popcount(np.int64(question.others))
    meant_for_seats = np.int64(question.others) & NAME_SEATS
    count = (count + popcount(meant_for_seats)) * popcount(np.int64(question.targets))
    return count + popcount(np.int64(question.others) & ~NAME_SEATS)
