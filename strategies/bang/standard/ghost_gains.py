"""What a Dead Men's card gains the team of a ghost, on its best target: one short function for each kind of effect.

Gains and harm are counted as in ghost_stakes.py; harm to a friend is a loss, and harm below 0 helps.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.flags import WORDS
from sim.bang.core.ghost_plays import ZOMBIE_RETURN
from sim.bang.core.names import (
    ABILITIES,
    BAD_MOON_RISING,
    BARREL,
    BLOOD_JUICE,
    CEMETARY,
    CURSE,
    DEATH_AND_TAXES,
    DECAY,
    DEPUTY,
    DESICRATE_GRAVE,
    DRY_SPELL,
    DYNAMITE,
    GHOST_STORIES,
    GUILTY_CONSCIENCE,
    HIDDEN_STASH,
    IN_MEMORIAM,
    JAIL,
    LAST_TESTAMENT,
    LIVING_EFFECTS,
    MUSTANG,
    NOBODY,
    NOTHING,
    POLTERGEIST,
    POSSESS,
    PROPER_BURIAL,
    RENEGADE,
    ROB_GRAVE,
    SCOPE,
    SEANCE,
    SPOOK,
    SYPHON,
    TERRIFY,
    THE_EAST_WIND,
    UNFINISHED_BUSINESS,
    VOLCANIC,
    WEAPON,
)
from sim.bang.core.seats import count_living, ghosts, living, others, reach
from sim.kernel.bits import lowest, popcount
from sim.kernel.jit import leaf, shared
from strategies.bang.standard.ghost_stakes import SHERIFF_LOST, hit_chance, life_worth, stake, wound_gain
from strategies.bang.standard.weights import GHOST_GOODS, GHOST_HOLD, weight

A_CARD = np.int64(10)
"""Harm of losing a card."""

ABILITY_WORTH = np.array([0, 6, 4, 8, 5, 4, 9, 5, 3, 9, 2, 6, 4, 9, 9, 2, 10], np.int8)
"""Harm of losing an ability for a round, in the order of names.ABILITIES."""
assert len(ABILITY_WORTH) == len(ABILITIES)

GEAR_WORTH = np.zeros(len(LIVING_EFFECTS), np.int8)
"""Harm of losing a card in play, by effect; below 0: it is good to be rid of it."""
GEAR_WORTH[WEAPON], GEAR_WORTH[VOLCANIC], GEAR_WORTH[SCOPE] = 9, 11, 8
GEAR_WORTH[MUSTANG], GEAR_WORTH[BARREL], GEAR_WORTH[JAIL], GEAR_WORTH[DYNAMITE] = 12, 14, -16, -8

NO_GAIN = np.int64(-(1 << 40))
"""Less than any card is worth."""


@leaf
def packed(gain, target):
    """A gain and the seat for it, in one number that sorts by gain."""
    return gain << 4 | target


@leaf
def gain_of(found):
    return found >> 4


@leaf
def target_of(found):
    return found & 15


@shared
def best_use(public, own, rules, tables, stakes, role, by, effect, targets):
    """The best target of a card that ghost ``by`` plays, and what it gains a ghost of ``role`` (packed)."""
    if targets >> NOBODY & 1 != 0:
        gain = gain_at_all(public, own, rules, tables, stakes, role, by, effect)
        return packed(gain, NOBODY)
    best = packed(NO_GAIN, NOBODY)
    while targets != 0:
        seat = lowest(targets)
        targets &= targets - 1
        best = max(best, packed(gain_on(public, own, rules, tables, stakes, role, by, effect, seat), seat))
    return best


@leaf
def gain_on(public, own, rules, tables, stakes, role, by, effect, seat):
    """What a card gains on one target."""
    if effect == SPOOK:
        return shot_gain(public, own, rules, tables, stakes, role, seat, by)
    if effect == UNFINISHED_BUSINESS:
        stolen = 2 * A_CARD * stake(stakes, seat) if public.hand_size[seat] > 0 else NOTHING
        return (shot_gain(public, own, rules, tables, stakes, role, seat, by) + stolen) // 2
    if effect == THE_EAST_WIND:
        return gain_of(best_rival(public, rules, tables, stakes, seat, others(public, seat)))
    if effect == CEMETARY:
        return cemetary_gain(public, rules, tables, own, stakes, seat)
    if effect == ROB_GRAVE or effect == DESICRATE_GRAVE or effect == SYPHON:
        return gain_on_ghost(public, own, rules, tables, stakes, by, effect, seat)
    if effect == LAST_TESTAMENT:
        return -2 * (A_CARD + 1) * stake(stakes, seat) - goods_worth(public, own, rules, tables, by)
    if effect == IN_MEMORIAM:
        return memorial_gain(public, rules, tables, stakes, by, seat)
    if effect == SEANCE:
        return 2 * stake(stakes, seat) if public.hand_size[seat] > 1 else NOTHING
    return 2 * stake(stakes, seat) * harm(public, own, tables, effect, seat)


@leaf
def shot_gain(public, own, rules, tables, stakes, role, seat, by):
    """A shot at a seat: it hits, or it costs him a card."""
    hit = hit_chance(public, own, tables, seat)
    wounded = wound_gain(public, own, rules, tables, stakes, role, seat, by)
    return (hit * wounded + (100 - hit) * 2 * stake(stakes, seat) * A_CARD) // 100


@shared
def harm(public, own, tables, effect, seat):
    """How much a card hurts the living player whom it names."""
    hand = np.int64(public.hand_size[seat])
    life = np.int64(public.life[seat])
    if effect == CURSE:
        return np.int64(8 if hand > 0 else 4)
    if effect == DEATH_AND_TAXES:
        return A_CARD + 1
    if effect == HIDDEN_STASH:
        return -A_CARD
    if effect == POSSESS:
        return A_CARD + 6
    if effect == BLOOD_JUICE:
        return -life_worth(own, tables, life) if life < public.max_life[seat] else NOTHING
    if effect == TERRIFY:
        return max(6 + 6 // hand if hand > 0 else NOTHING, gear_harm(public, seat) * 2 // 3)
    if effect == DECAY:
        return gear_harm(public, seat)
    if effect == PROPER_BURIAL:
        return np.int64(-4)
    if is_pending(public, effect, seat):
        return NOTHING
    if effect == GHOST_STORIES:
        return 4 * min(hand + 1, 4) + 6 * max(hand + 1 - life, 0)
    if effect == GUILTY_CONSCIENCE:
        return 3 * min(hand + 1, 5)
    if effect == DRY_SPELL:
        return np.int64(12 if life == 1 else 8 if life == 2 else 4)
    return np.int64(ABILITY_WORTH[public.ability[seat]])  # NIGHTMARE


@leaf
def is_pending(public, effect, seat):
    """Whether a card of this effect is in force on a seat, or waits for his turn."""
    for i in range(np.int64(public.lasting_count)):
        if public.lasting[i].on == seat and public.lasting[i].effect == effect:
            return True
    return False


@leaf
def gear_harm(public, seat):
    """What the card in play is worth that he would miss most; where none is, what he would gladly be rid of."""
    most = np.int64(-99)
    least = np.int64(0)
    effects = np.int64(public.effects_in_play[seat])
    while effects != 0:
        worth = np.int64(GEAR_WORTH[lowest(effects)])
        effects &= effects - 1
        most = max(most, worth)
        least = min(least, worth)
    return most if most > 0 else least


@leaf
def goods_worth(public, own, rules, tables, ghost):
    """What a buried card of a ghost is worth to him: most to a Renegade who collects them."""
    if public.known_role[ghost] == RENEGADE and rules.dm_renegade_return == ZOMBIE_RETURN:
        return weight(own, tables, GHOST_GOODS)
    return np.int64(150)


@leaf
def gift_gain(public, stakes):
    """The living player whom a ghost would most gladly give a card, and what that is worth (packed)."""
    best = packed(NO_GAIN, NOBODY)
    left = living(public)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        best = max(best, packed(-2 * A_CARD * stake(stakes, seat), seat))
    return best


@leaf
def gain_on_ghost(public, own, rules, tables, stakes, by, effect, seat):
    """Cards and goods taken from another ghost; the stake says whether he is of another team."""
    if effect == SYPHON:
        held = np.int64(public.dead_hand_size[seat])
        conversion = 12 if public.known_role[seat] == DEPUTY and held == 2 else 0
        return weight(own, tables, GHOST_HOLD) + 2 * stake(stakes, seat) * (8 + conversion)
    lost = goods_worth(public, own, rules, tables, seat) * stake(stakes, seat) // 15
    if effect == ROB_GRAVE:
        return lost + gain_of(gift_gain(public, stakes))
    return lost * min(np.int64(public.buried_size[seat]), 2)


@leaf
def cemetary_gain(public, rules, tables, own, stakes, first):
    """The named player takes two buried cards, the others one each as far as they go."""
    total = np.int64(0)
    losses = np.int64(0)
    left = ghosts(public)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        size = np.int64(public.buried_size[seat])
        total += size
        losses += size * goods_worth(public, own, rules, tables, seat) * stake(stakes, seat) // 15
    rest_of_them = np.int64(0)
    left = others(public, first)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        rest_of_them -= stake(stakes, seat)
    taken = min(total, count_living(public) + 1)
    share = min(np.int64(100), 100 * max(total - 2, 0) // max(count_living(public) - 1, 1))
    gifts = -stake(stakes, first) * min(total, 2) + rest_of_them * share // 100
    return 2 * A_CARD * gifts + losses * taken // max(total, 1)


@leaf
def memorial_gain(public, rules, tables, stakes, by, seat):
    """In Memoriam: more BANG!s for a friend who can reach the killer, or one more at anybody."""
    killer = np.int64(public.killer[by])
    use = np.int64(3)
    if killer >= 0 and living(public) >> killer & 1 != 0:
        if stake(stakes, killer) <= 0 or reach(public, rules, tables, seat) >> killer & 1 == 0:
            return NOTHING
        use = np.int64(7)
    return -2 * stake(stakes, seat) * (use if public.hand_size[seat] > 1 else use // 2)


@shared
def best_rival(public, rules, tables, stakes, seat, among):
    """The East Wind: the seat that should be kept apart from this one, and what it gains (packed)."""
    best = packed(NO_GAIN, NOBODY)
    reached = reach(public, rules, tables, seat)
    mine = stake(stakes, seat)
    while among != 0:
        other = lowest(among)
        among &= among - 1
        his = stake(stakes, other)
        gain = NOTHING
        if mine * his < 0:  # only foes attack each other
            gain -= 12 * his if reached >> other & 1 != 0 else NOTHING
            gain -= 12 * mine if reach(public, rules, tables, other) >> seat & 1 != 0 else NOTHING
        best = max(best, packed(gain, other))
    return best


@leaf
def gain_at_all(public, own, rules, tables, stakes, role, by, effect):
    """Bad Moon Rising and Poltergeist: what everybody loses; all at one stroke is the Renegade's Vengeance."""
    gain = np.int64(0)
    fallen = np.int64(0)
    if effect != BAD_MOON_RISING and effect != POLTERGEIST:
        return gain
    left = living(public)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        wounded = wound_gain(public, own, rules, tables, stakes, role, seat, by)
        a_card = 2 * stake(stakes, seat) * A_CARD
        cards = np.int64(0)
        for w in range(WORDS):
            cards += popcount(public.in_play[seat, w])
        if effect == POLTERGEIST:
            gear = np.int64(public.effects_in_play[seat]) & ~(1 << JAIL | 1 << DYNAMITE)
            gain += a_card if gear != 0 else wounded
            fallen += 1 if gear == 0 and public.life[seat] == 1 else 0
        else:
            cards += public.hand_size[seat]
            gain += ((2 * a_card if cards > 1 else wounded) + (a_card if cards > 0 else wounded) - a_card) // 4
    if fallen == count_living(public) and public.known_role[by] == RENEGADE and rules.dm_vengeance != 0:
        return 2 * SHERIFF_LOST if by == own.seat else -2 * SHERIFF_LOST
    return gain
