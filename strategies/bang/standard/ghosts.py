"""The dead: which Dead Men's card on whom, when to pay, when to hold, and when to contest what another ghost plays.

What a play gains is in ghost_gains.py. Cards kept from turn to turn have a worth too: they contest, warn and redirect.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.cards import count_cards, first_card
from sim.bang.core.flags import WORDS
from sim.bang.core.ghost_plays import (
    ZOMBIE_RETURN,
    conversion_cost,
    price_of_card,
    price_of_conversion,
    targets_of_effect,
)
from sim.bang.core.ghosts import is_one_team
from sim.bang.core.names import (
    ANY_TURN,
    ANYBODY,
    BANG,
    BONUS_ANSWER,
    CAT_BALOU,
    CONVERT,
    CONVERTED,
    DEAD_DUEL,
    DEPUTY,
    DISCARD,
    DUEL,
    DYNAMITE,
    END,
    FROM_SEAT,
    GRAVES,
    HAND,
    HEARTS,
    INTERVENE,
    JAIL,
    MIRAGE,
    MIRAGE_ANSWER,
    MISSED,
    NEGATE,
    NO_CARD,
    NOBODY,
    NOBODY_BIT,
    NOTHING,
    OTHER,
    PANIC,
    PASS,
    PAY,
    PLAY,
    POSSESSED,
    RANSOM,
    RENEGADE,
    RESURRECT,
    RETURN,
    SECOND_SEAT,
    SPADES,
    SPOOK,
    TAKE,
    THE_EAST_WIND,
    USE_BONUS,
    USE_JOURDONNAIS,
    WARN,
    WARN_ANSWER,
    answer,
)
from sim.bang.core.questions import play_targets
from sim.bang.core.seats import living, neighbours
from sim.kernel.bits import lowest, rest
from sim.kernel.jit import leaf, shared
from strategies.bang.simple import SCARCE, best
from strategies.bang.standard.ghost_gains import (
    A_CARD,
    GEAR_WORTH,
    NO_GAIN,
    best_rival,
    best_use,
    gain_of,
    gift_gain,
    goods_worth,
    packed,
    target_of,
)
from strategies.bang.standard.ghost_stakes import hit_chance, stake, stakes_of, wound_gain
from strategies.bang.standard.weights import (
    GHOST_HOLD,
    GHOST_WARN,
    weight,
)
from strategies.bang.standard.worth import choose

WINS_ALONE = np.array([100, 58, 34, 26, 22], np.int8)
"""Per cent of duels won with one card of the right colour, by the rival's cards."""

GHOST_PATIENCE = np.int64(200)
"""Turns after which ghosts keep nothing back: with the deck in the graves the living may be unable to end a game."""

WINS_WITH_MORE = np.array([100, 95, 78, 66, 60], np.int8)
"""The same with two cards or more."""

RENEGADES_SPOOK = np.int64(15)
"""Harm, in tenths of a card, of the buried goods that a Zombie's conversion brings."""


@leaf
def ghost_decision(public, own, rules, tables):
    """The answer of a ghost to his question."""
    question = own.question
    kind = question.kind
    stakes = stakes_of(public, own, rules, tables, np.int64(own.role))
    if kind == PLAY:
        return haunt(public, own, rules, tables, stakes)
    if kind == NEGATE or kind == DEAD_DUEL or kind == INTERVENE:
        return contest(public, own, rules, tables, stakes)
    if kind == MIRAGE_ANSWER:
        return redirect(public, own, rules, tables, stakes)
    if kind == WARN_ANSWER:
        return warn(public, own, rules, tables, stakes)
    if kind == BONUS_ANSWER:
        return take_bonus(public, own, rules, tables, stakes)
    if kind == SECOND_SEAT:
        return name_second(public, own, rules, tables, stakes)
    if kind == POSSESSED:
        return play_for_possessed(public, own, rules, tables, stakes)
    if kind == TAKE:
        return lay_hand_on(own, tables, stakes)
    if kind == RETURN:
        return answer(RESURRECT, NOBODY)
    if kind == ANY_TURN:
        return convert_any_time(public, own, rules, tables, stakes)
    if kind == DISCARD or kind == PAY or kind == CONVERTED:
        return answer(least_kept(public, own, rules, tables, stakes, own.question.cards), NOBODY)
    return answer(best(question.cards, tables), NOBODY)  # GIVE, GRAVES, LOOK


# The own turn


@leaf
def haunt(public, own, rules, tables, stakes):
    """The play that gains most beyond what it costs, or the end of the turn."""
    seat = np.int64(own.seat)
    role = np.int64(own.role)
    held = np.int64(public.dead_hand_size[seat])
    found = answer(END, NOBODY)
    most = np.int64(0)
    for w in range(WORDS):
        cards = own.dead_hand[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            use = use_of_card(public, own, rules, tables, stakes, card)
            if gain_of(use) > most:
                spent = 1 + price_of_card(public, rules, tables, seat, card)
                gain = gain_of(use) - loss_of_spending(public, own, rules, tables, held, spent)
                if gain > most:
                    most = gain
                    found = answer(card, target_of(use))
    if role == RENEGADE:
        targets = play_targets(public, own, rules, tables, np.int64(CONVERT), ANYBODY)
        if targets != 0:
            use = use_of_conversion(public, own, rules, tables, stakes, targets)
            spent = conversion_cost(public, rules, seat) + price_of_conversion(public, rules, seat)
            gain = gain_of(use) - loss_of_spending(public, own, rules, tables, held, spent)
            if gain > most:
                found = answer(CONVERT, target_of(use))
    return found


@shared
def use_of_card(public, own, rules, tables, stakes, card):
    """What a Dead Men's card would gain now, and on whom; its suit counts too. 0 or less: it cannot be played."""
    targets = play_targets(public, own, rules, tables, card, ANYBODY)
    if targets == 0:
        return packed(NO_GAIN, NOBODY)
    seat = np.int64(own.seat)
    effect = np.int64(tables.effect[card])
    use = best_use(public, own, rules, tables, stakes, np.int64(own.role), seat, effect, targets)
    return packed(gain_of(use) + bonus_of_suit(public, own, rules, tables, stakes, card), target_of(use))


@leaf
def bonus_of_suit(public, own, rules, tables, stakes, card):
    """DM-40: a card for the goods, or out of them for a friend."""
    if tables.suit[card] == SPADES:
        return rules.dm_spade_bonus * goods_worth(public, own, rules, tables, np.int64(own.seat))
    if tables.suit[card] == HEARTS and public.buried_size[own.seat] > 0 and rules.dm_heart_bonus > 0:
        return max(gain_of(gift_gain(public, stakes)) - goods_worth(public, own, rules, tables, np.int64(own.seat)), 0)
    return NOTHING


@leaf
def use_of_conversion(public, own, rules, tables, stakes, targets):
    """What the dead Renegade's conversion gains: a shot, or buried goods for the Zombie (DM-26, DM-71)."""
    if rules.dm_renegade_return == ZOMBIE_RETURN:
        return packed(goods_worth(public, own, rules, tables, np.int64(own.seat)) * 3 // 2, NOBODY)
    seat = np.int64(own.seat)
    return best_use(public, own, rules, tables, stakes, np.int64(own.role), seat, np.int64(SPOOK), targets)


@leaf
def loss_of_spending(public, own, rules, tables, held, spent):
    """What is lost with cards that could have been kept until the next turn; no more than the limit can (DM-13)."""
    left = held - spent
    if public.in_turn == own.seat:
        held, left = min(held, rules.dm_ghost_hand_limit), min(left, rules.dm_ghost_hand_limit)
    return worth_of_holding(public, own, rules, tables, held) - worth_of_holding(public, own, rules, tables, left)


@shared
def worth_of_holding(public, own, rules, tables, held):
    """What kept cards are worth: each a little, and to a Deputy those that make a Missed! for the Sheriff more."""
    if public.turn > GHOST_PATIENCE:
        return NOTHING
    worth = held * weight(own, tables, GHOST_HOLD)
    if own.role == DEPUTY and rules.dm_deputy_conversion != 0:
        if held >= rules.dm_deputy_conversion_cost + price_of_conversion(public, rules, np.int64(own.seat)):
            worth += weight(own, tables, GHOST_WARN)
    return worth


@shared
def least_kept(public, own, rules, tables, stakes, cards):
    """Of these Dead Men's cards the one he can best do without."""
    found = np.int64(NO_CARD)
    least = -NO_GAIN
    for w in range(WORDS):
        left = cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            worth = worth_kept(public, own, rules, tables, stakes, card)
            if worth < least:
                least = worth
                found = card
    return found


@leaf
def worth_kept(public, own, rules, tables, stakes, card):
    """What a card promises: a reaction if the price can be paid out of the turn, else what it would gain now."""
    effect = np.int64(tables.effect[card])
    if effect == WARN or effect == MIRAGE:
        return np.int64(0) if is_one_team(public, rules) else np.int64(700)
    targets = targets_of_effect(public, own, rules, np.int64(own.seat), effect)
    if targets == 0:
        return NOTHING
    use = best_use(public, own, rules, tables, stakes, np.int64(own.role), np.int64(own.seat), effect, targets)
    return max(gain_of(use), 0)


@leaf
def convert_any_time(public, own, rules, tables, stakes):
    """OP-26: the conversion at the end of another's turn."""
    targets = np.int64(own.question.targets)
    use = use_of_conversion(public, own, rules, tables, stakes, targets if targets != 0 else NOBODY_BIT)
    if gain_of(use) <= 2 * weight(own, tables, GHOST_HOLD):
        return answer(PASS, NOBODY)
    return answer(CONVERT, target_of(use))


# Contests


@leaf
def contest(public, own, rules, tables, stakes):
    """Whether to open a duel, to go on with it, or to help a party of it, and with which card."""
    question = own.question
    seat = np.int64(own.seat)
    targets = np.int64(question.targets)
    value = value_of_play(public, own, rules, tables, stakes, np.int64(public.caster), np.int64(question.card))
    rivals = np.int64(public.dead_hand_size[question.source])
    party = 1 << seat if question.kind == DEAD_DUEL else targets
    if party != 1 << np.int64(public.caster):  # he would answer for those who want the play to come to nothing
        value = -value
    mine = count_cards(question.cards)
    chance = np.int64(WINS_ALONE[min(rivals, 4)]) if mine < 2 else np.int64(WINS_WITH_MORE[min(rivals, 4)])
    held = np.int64(public.dead_hand_size[seat])
    price = loss_of_spending(public, own, rules, tables, held, np.int64(1))
    if value * chance // 100 <= price:
        return answer(PASS, NOBODY)
    card = least_kept(public, own, rules, tables, stakes, question.cards)
    return answer(card, lowest(targets) if targets != 0 else NOBODY)


@shared
def value_of_play(public, own, rules, tables, stakes, caster, card):
    """What it is worth to this ghost that a play of another (or of his own) stands.

    Its target is not announced; the caster is taken to have chosen what serves him best.
    """
    converted = public.converted != 0
    effect = np.int64(tables.effect[card])
    role = np.int64(public.known_role[caster])
    mine = np.int64(own.role)
    attacked = np.int64(public.aimed_at)
    by = np.int64(public.in_turn)
    if role == DEPUTY if converted else effect == WARN:
        hit = hit_chance(public, own, tables, attacked)
        return -hit * wound_gain(public, own, rules, tables, stakes, mine, attacked, by) // 100
    if effect == MIRAGE and not converted:
        beside = neighbours(public, attacked, by)
        if beside == 0:
            return NOTHING
        moved = foremost(stakes_of(public, own, rules, tables, role), beside, 1)
        now = expected_wound(public, own, rules, tables, stakes, attacked, by)
        return expected_wound(public, own, rules, tables, stakes, moved, by) - now
    if converted and rules.dm_renegade_return == ZOMBIE_RETURN:
        return -2 * RENEGADES_SPOOK * stake(stakes, caster)
    targets = living(public) if converted else targets_of_effect(public, own, rules, caster, effect)
    if targets == 0:
        return NOTHING
    if converted:
        effect = np.int64(SPOOK)
    target = np.int64(NOBODY)
    if targets != NOBODY_BIT:
        theirs = stakes_of(public, own, rules, tables, role)
        target = target_of(best_use(public, own, rules, tables, theirs, role, caster, effect, targets))
    return gain_of(best_use(public, own, rules, tables, stakes, mine, caster, effect, np.int64(1) << target))


# Reactions


@leaf
def redirect(public, own, rules, tables, stakes):
    """Mirage: where the attack does more good, if anywhere."""
    question = own.question
    source = np.int64(question.source)
    now = expected_wound(public, own, rules, tables, stakes, np.int64(public.aimed_at), source)
    best_gain = loss_of_spending(public, own, rules, tables, np.int64(public.dead_hand_size[own.seat]), np.int64(1))
    target = np.int64(NOBODY)
    left = np.int64(question.targets)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        gain = expected_wound(public, own, rules, tables, stakes, seat, source) - now
        if gain > best_gain:
            best_gain = gain
            target = np.int64(seat)
    if target == NOBODY:
        return answer(PASS, NOBODY)
    return answer(first_card(question.cards), target)


@shared
def expected_wound(public, own, rules, tables, stakes, seat, by):
    """What an attack on a seat is worth: a wound, or a card to stop it."""
    hit = hit_chance(public, own, tables, seat)
    wounded = wound_gain(public, own, rules, tables, stakes, np.int64(own.role), seat, by)
    return (hit * wounded + (100 - hit) * 2 * A_CARD * stake(stakes, seat)) // 100


@leaf
def warn(public, own, rules, tables, stakes):
    """A Missed! for a friend: with a Warn, else by a Deputy's conversion."""
    question = own.question
    seat = np.int64(own.seat)
    target = lowest(np.int64(question.targets))
    saved = -expected_wound(public, own, rules, tables, stakes, target, np.int64(question.source))
    saved = saved // np.int64(question.needed)
    held = np.int64(public.dead_hand_size[seat])
    card = first_card(question.cards)
    spent = np.int64(1)
    if card == NO_CARD:
        spent = conversion_cost(public, rules, seat) + price_of_conversion(public, rules, seat)
        card = np.int64(CONVERT)
    if saved <= loss_of_spending(public, own, rules, tables, held, spent):
        return answer(PASS, NOBODY)
    return answer(card, target)


@leaf
def take_bonus(public, own, rules, tables, stakes):
    """DM-40: a card for the own goods unless few are left to play with, out of them for a friend who is worth it."""
    if own.question.targets == 0:
        return answer(USE_BONUS if public.draw_size + public.discard_size >= SCARCE else PASS, NOBODY)
    gift = gift_gain(public, stakes)
    if gain_of(gift) <= goods_worth(public, own, rules, tables, np.int64(own.seat)):
        return answer(PASS, NOBODY)
    return answer(USE_BONUS, target_of(gift))


# What a play names besides


@leaf
def name_second(public, own, rules, tables, stakes):
    """The rival of The East Wind, or the living player who gets or sees the cards."""
    question = own.question
    targets = np.int64(question.targets)
    if tables.effect[question.card] == THE_EAST_WIND:
        first = lowest(living(public) & ~targets)
        return answer(FROM_SEAT, target_of(best_rival(public, rules, tables, stakes, first, targets)))
    return answer(FROM_SEAT, foremost(stakes, targets, -1))


@leaf
def foremost(stakes, seats, sign):
    """Of these seats the one he would most like hurt (sign 1), or least (−1)."""
    found = lowest(seats)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        if sign * stake(stakes, seat) > sign * stake(stakes, found):
            found = seat
    return found


@leaf
def lay_hand_on(own, tables, stakes):
    """A card in front of a player or out of his hand: the best of a foe, what burdens a friend."""
    question = own.question
    side = np.int64(1) if stake(stakes, np.int64(question.source)) > 0 else np.int64(-1)
    found = np.int64(NO_CARD)
    most = np.int64(-99)
    for w in range(WORDS):
        left = question.cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            worth = side * GEAR_WORTH[tables.effect[card]]
            if worth > most:
                most = worth
                found = card
    in_hand = np.int64(question.others) >> (HAND - OTHER) & 1 != 0
    if in_hand and (found == NO_CARD or most < A_CARD):
        return answer(HAND, NOBODY)
    return answer(found, NOBODY)


@leaf
def play_for_possessed(public, own, rules, tables, stakes):
    """Possess: an attack where it hurts a foe most, gear for a friend, Jail and Dynamite for a foe."""
    question = own.question
    card = first_card(question.cards)
    if card == NO_CARD:
        return answer(PASS, NOBODY)
    targets = np.int64(question.targets)
    if targets & NOBODY_BIT != 0:
        return answer(card, NOBODY)
    effect = np.int64(tables.effect[card])
    if effect == BANG or effect == MISSED or effect == DUEL:
        use = best_use(
            public, own, rules, tables, stakes, np.int64(own.role), np.int64(own.seat), np.int64(SPOOK), targets
        )
        return answer(card, target_of(use))
    hurts = effect == PANIC or effect == CAT_BALOU or effect == JAIL or effect == DYNAMITE
    return answer(card, foremost(stakes, targets, 1 if hurts else -1))


# The living, asked by ghosts


@leaf
def answer_to_ghosts(public, own, tables):
    """What a living player gives up for a ghost's card, or takes out of the graves."""
    question = own.question
    life = np.int64(public.life[own.seat])
    if question.kind == GRAVES:
        return answer(choose(public, own, tables, question.cards, 1), NOBODY)
    if question.kind == RANSOM and life > 2 and question.needed > 1:
        return answer(PASS, NOBODY)
    given = choose(public, own, tables, question.cards, -1)  # RANSOM, DECAY_ANSWER, CURSED
    return answer(given if given != NO_CARD else np.int64(USE_JOURDONNAIS), NOBODY)
