"""What a card is worth to its holder and a character to its player."""

from __future__ import annotations

import numpy as np

from sim.bang.core.cards import count_with_effect
from sim.bang.core.flags import DEATH_MESA, WORDS
from sim.bang.core.lasting import is_under
from sim.bang.core.names import (
    BANG,
    BARREL,
    BEER,
    CALAMITY_JANET,
    DRY_SPELL,
    MISSED,
    MUSTANG,
    NO_CARD,
    SCOPE,
    VOLCANIC,
    WEAPON,
    WILLY_THE_KID,
)
from sim.bang.core.questions import bang_symbols
from sim.bang.core.seats import count_living, has_volcanic
from sim.kernel.bits import lowest, rest
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.weights import SPARE_BANG, VOLCANIC_WORTH, weight

LASTING_GEAR = 1 << BARREL | 1 << SCOPE | 1 << MUSTANG
WEAPONS = 1 << WEAPON | 1 << VOLCANIC
GEAR = LASTING_GEAR | WEAPONS

# What a card is worth in hand, by effect in the order of names.EFFECTS, and what one more of the same loses.
WORTH = np.array(
    [
        *(0, 55, 62, 65, 34, 42, 38, 60, 90, 50, 52, 30, 44, 46, 50, 58, 60, 36, 20),
        *(40, 15, 55, 45, 42, 12, 30, 25, 44, 46, 20, 14, 50, 18, 35, 22, 52, 48, 47, 26, 80, 60, 54, 41, 5, 70),
    ],
    np.int8,
)
# What it is worth to have lying in front of oneself, as seen by a robber.
GEAR_WORTH = np.array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 52, 38, 48, 54, 0, 0], np.int8)
HAND_WORTH = np.int64(42)

# What an ability is worth to its owner, in the order of names.ABILITIES, in tenths of a life point.
ABILITY_WORTH = np.array([0, 16, 10, 4, 8, 14, 7, 5, 2, 5, 0, 6, 3, 6, 6, 6, 5], np.int8)


@leaf
def many_bangs(public, seat):
    """Whether he may play more than one BANG! a turn."""
    return public.ability[seat] == WILLY_THE_KID or has_volcanic(public, seat)


@leaf
def is_dry(public, seat):
    """DM-C07: whether no Beer helps a player."""
    if DEATH_MESA:
        return is_under(public, seat, DRY_SPELL)
    return False


@leaf
def worth(public, own, tables, card, copies):
    """What a card is worth to hold, ``copies`` others of its effect being there already."""
    effect = np.int64(tables.effect[card])
    seat = np.int64(own.seat)
    value = np.int64(WORTH[effect])
    if 1 << effect & (LASTING_GEAR | WEAPONS) != 0:
        if copies > 0 or np.int64(public.effects_in_play[seat]) >> effect & 1 != 0:
            return np.int64(8)
        if effect == WEAPON and tables.range[card] <= public.weapon_range[seat]:
            return np.int64(8)
        return value
    if effect == BANG:
        if public.ability[seat] == CALAMITY_JANET:
            return np.int64(WORTH[MISSED]) - 4 * copies
        if copies > 0 and not many_bangs(public, seat):
            return weight(own, tables, SPARE_BANG) - 5 * copies
        return value
    if effect == BEER and (count_living(public) == 2 or is_dry(public, seat)):
        return np.int64(5)
    return value - 6 * copies


@shared
def choose(public, own, tables, cards, sign):
    """The card of a set that is worth most (sign 1) or least (−1) to hold, seen what else is in the hand."""
    found = np.int64(NO_CARD)
    most = np.int64(-1000)
    for w in range(WORDS):
        left = cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            copies = count_with_effect(own.hand, tables, np.int64(tables.effect[card]))
            if sign < 0:
                copies -= 1
            value = sign * worth(public, own, tables, card, copies)
            if value > most:
                most = value
                found = card
    return found


@leaf
def better_weapon(public, own, tables, seat):
    """A weapon worth more than the one in front of him, NO_CARD if there is none."""
    widest = np.int64(count_living(public)) // 2 + 1
    volcanic = np.int64(10)
    if public.ability[seat] != WILLY_THE_KID:
        spare = bang_symbols(public, own, tables) - (1 if public.bangs_played == 0 else 0)
        volcanic += weight(own, tables, VOLCANIC_WORTH) * max(0, spare)
    most = volcanic if has_volcanic(public, seat) else 10 * min(widest, np.int64(public.weapon_range[seat]))
    most = max(most, 10)
    found = np.int64(NO_CARD)
    for w in range(WORDS):
        cards = own.hand[w] & tables.weapons[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            worth = volcanic if tables.effect[card] == VOLCANIC else 10 * min(widest, np.int64(tables.range[card]))
            if worth > most:
                most = worth
                found = card
    return found


@leaf
def character_worth(tables, character):
    """In tenths of a life point."""
    return 10 * np.int64(tables.printed_life[character]) + np.int64(ABILITY_WORTH[tables.ability[character]])
