"""The living: gear, life, and whom to hurt, spare, jail and rob.

How much he wants each other player hurt is one small number a seat, ``desires``; what a card does for him is weighed
with it. Where legality is in question, ``aims`` asks the rules.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.cards import count_with_effect, first_with_effect
from sim.bang.core.flags import DEATH_MESA, WORDS
from sim.bang.core.names import (
    ANYBODY,
    BANG,
    BARREL,
    BART_CASSIDY,
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
    INDIANS,
    JAIL,
    LUCKY_DUKE,
    MISSED,
    MUSTANG,
    NO_CARD,
    NOBODY,
    OTHER,
    OUTLAW,
    PANIC,
    PASS,
    RENEGADE,
    SALOON,
    SCOPE,
    SECOND_CHARACTER,
    SHERIFF,
    USE_JOURDONNAIS,
    USE_SID,
    VOLCANIC,
    WEAPON,
    WILLY_THE_KID,
    answer,
)
from sim.bang.core.questions import bang_allowed, bang_symbols, play_targets, sheriff_mask
from sim.bang.core.seats import count_living, ghosts, has_volcanic, living, others
from sim.kernel.bits import lowest, popcount, rest
from sim.kernel.jit import leaf, shared
from strategies.bang.simple import SCARCE, spends_cards_for_life
from strategies.bang.standard.beliefs import MOST, opinion, opinions, others_left, packed_with, ring_target
from strategies.bang.standard.weights import (
    AIM_AT_FEW_CARDS,
    AIM_AT_WEAK,
    AVOID_BARREL,
    BANGS_KEPT_FROM_GHOSTS,
    DEPUTY_CAUTION,
    DUEL_PRIDE,
    DUEL_STRENGTH,
    GEAR_OVER_HAND,
    LAY_DYNAMITE,
    LIFE_FOR_BART,
    LIFE_FOR_TWO_MISSED,
    OUTLAW_CAUTION,
    OUTLAW_LAYS_RENEGADE,
    PEDRO_TAKES,
    RAID_FOR_SELF,
    RAID_LEVEL,
    RENEGADE_BALANCE,
    RENEGADE_ON_UNKNOWN,
    ROB_UNKNOWN,
    SHERIFF_CAUTION,
    SPARE_BANG,
    STORE_FOES,
    VOLCANIC_WORTH,
    weight,
)

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

LASTING_GEAR = 1 << BARREL | 1 << SCOPE | 1 << MUSTANG
WEAPONS = 1 << WEAPON | 1 << VOLCANIC
GEAR = LASTING_GEAR | WEAPONS
NUISANCES = 1 << JAIL | 1 << DYNAMITE
ROBBERIES = 1 << PANIC | 1 << CAT_BALOU
RAIDS = 1 << GATLING | 1 << INDIANS

THOUGHTFUL = ROBBERIES | RAIDS | 1 << JAIL | 1 << DUEL | 1 << DYNAMITE | 1 << GENERAL_STORE | 1 << SALOON

# How much somebody is wanted hurt, packed a byte a seat as opinions are.
ARCHFOE, FOE, LIKELY, RIVAL = np.int64(60), np.int64(50), np.int64(40), np.int64(25)
SPARED, FRIEND = np.int64(-30), np.int64(-45)


@shared
def desires(public, own, tables):
    """How much each other living player is wanted hurt, packed, a byte a seat; whom nobody hurts has −64."""
    seats = others(public, np.int64(own.seat))
    role = np.int64(own.role)
    if public.sheriff < 0:
        return ring_desires(public, own, seats)
    hidden = seats & ~sheriff_mask(public)
    beliefs = opinions(public, own, tables, hidden)
    blamed, cleared, top = np.int64(0), np.int64(0), -MOST
    left = hidden
    while left != 0:
        found = opinion(beliefs, lowest(left))
        left &= left - 1
        blamed += 1 if found > 0 else 0
        cleared += 1 if found < 0 else 0
        top = max(top, found)
    if role == SHERIFF or role == DEPUTY:
        return desires_of_law(public, own, tables, hidden, beliefs, blamed, cleared, top)
    if role == OUTLAW:
        return desires_of_outlaw(public, own, tables, hidden, beliefs, blamed)
    return desires_of_renegade(public, own, tables, hidden, beliefs)


@leaf
def ring_desires(public, own, seats):
    """B-2: the own target, then whoever else there is."""
    packed = np.int64(0)
    target = ring_target(public, own)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        packed = packed_with(packed, seat, ARCHFOE if target >> seat & 1 != 0 else RIVAL)
    return packed


@leaf
def odds(foes, others_spared, caution):
    """How much to hurt somebody unknown: one of so many foes and so many whom ``caution`` spares."""
    foes, others_spared = max(foes, 0), max(others_spared, 0)
    return (LIKELY * foes - caution * others_spared) // max(1, foes + others_spared)


@leaf
def desires_of_law(public, own, tables, hidden, beliefs, blamed, cleared, top):
    """Suspects; unknown players by the odds; the most hostile when only a Renegade is left."""
    packed = np.int64(0)
    foes = np.int64(public.roles_left[OUTLAW]) + np.int64(public.roles_left[RENEGADE])
    mates = others_left(public, own, DEPUTY)
    caution = weight(own, tables, SHERIFF_CAUTION if own.role == SHERIFF else DEPUTY_CAUTION)
    last_hunt = public.roles_left[OUTLAW] == 0
    unknown = odds(foes - blamed, mates - cleared, caution)
    if last_hunt:
        equal = count_equal(hidden, beliefs, top)
        unknown = FOE if equal <= foes else odds(foes, equal - foes, caution)
    sheriff = sheriff_mask(public) & ~(1 << np.int64(own.seat))
    if sheriff != 0:
        packed = packed_with(packed, lowest(sheriff), -MOST)
    while hidden != 0:
        seat = lowest(hidden)
        hidden &= hidden - 1
        found = opinion(beliefs, seat)
        wanted = unknown
        if mates <= 0:
            wanted = FOE if found > 0 else RIVAL if found < 0 else LIKELY
        elif last_hunt:
            wanted = unknown if found == top else SPARED
        elif found != 0:
            wanted = FOE if found > 0 else FRIEND
        packed = packed_with(packed, seat, wanted)
    return packed


@leaf
def count_equal(seats, beliefs, value):
    """How many seats have this number in a packed set."""
    count = np.int64(0)
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        count += 1 if opinion(beliefs, seat) == value else 0
    return count


@leaf
def desires_of_outlaw(public, own, tables, hidden, beliefs, blamed):
    """The Sheriff first, then his friends; suspects are mates."""
    mates = others_left(public, own, OUTLAW)
    strangers = popcount(hidden) - mates
    unknown = odds(strangers, mates - blamed, weight(own, tables, OUTLAW_CAUTION))
    packed = packed_with(np.int64(0), np.int64(public.sheriff), ARCHFOE)
    while hidden != 0:
        seat = lowest(hidden)
        hidden &= hidden - 1
        found = opinion(beliefs, seat)
        wanted = RIVAL if mates <= 0 or found < 0 else FRIEND if found > 0 else unknown
        packed = packed_with(packed, seat, wanted)
    return packed


@leaf
def desires_of_renegade(public, own, tables, hidden, beliefs):
    """The stronger side loses first; the Sheriff is spared until nobody else is left."""
    outlaws = np.int64(public.roles_left[OUTLAW])
    law = np.int64(public.roles_left[DEPUTY])
    alone = hidden == 0
    packed = packed_with(np.int64(0), np.int64(public.sheriff), ARCHFOE if alone else -MOST)
    outlaws_lead = outlaws * weight(own, tables, RENEGADE_BALANCE) >= 10 * law
    while hidden != 0:
        seat = lowest(hidden)
        hidden &= hidden - 1
        found = opinion(beliefs, seat)
        wanted = FOE
        if outlaws > 0:
            wanted = weight(own, tables, RENEGADE_ON_UNKNOWN)
            if found > 0:
                wanted = FOE if outlaws_lead else SPARED
            elif found < 0:
                wanted = SPARED if outlaws_lead else FOE
        packed = packed_with(packed, seat, wanted)
    return packed


@shared
def aims(public, own, rules, tables, card):
    """The seats at which a hand card may be played now (NOBODY_BIT: at none of them; 0: not at all)."""
    return play_targets(public, own, rules, tables, card, ANYBODY)


@leaf
def play(public, own, rules, tables):
    """What to play next: cards, gear, life, then attacks."""
    seat = np.int64(own.seat)
    effects = np.int64(own.effects)
    useful = effects & (1 << DRAW | LASTING_GEAR & ~np.int64(public.effects_in_play[seat]))
    if effects & 1 << BEER != 0 and public.life[seat] < public.max_life[seat]:
        if count_living(public) > 2 or rules.beer_with_two_players != 0:
            useful |= 1 << BEER
    if DEATH_MESA:
        if public.draw_size + public.discard_size < SCARCE:
            useful &= ~(1 << DRAW)
            effects &= ~(1 << GENERAL_STORE)
    while useful != 0:
        card = first_with_effect(own.hand, tables, lowest(useful))
        useful &= useful - 1
        if aims(public, own, rules, tables, card) != 0:
            return answer(card, NOBODY)
    if effects & WEAPONS != 0:
        card = better_weapon(public, own, tables, seat)
        if card != NO_CARD and aims(public, own, rules, tables, card) != 0:
            return answer(card, NOBODY)
    given = answer(END, NOBODY)
    if has_more_to_play(public, rules, tables, seat, effects):
        given = attack(public, own, rules, tables, seat, effects)
    if given == answer(END, NOBODY) and spends_cards_for_life(public, rules, seat):
        return answer(USE_SID, NOBODY)
    return given


@leaf
def has_more_to_play(public, rules, tables, seat, effects):
    """Whether there is any card left that is worth a thought about the others."""
    if effects & THOUGHTFUL != 0:
        return True
    shots = effects & (1 << BANG | 1 << MISSED if public.ability[seat] == CALAMITY_JANET else 1 << BANG)
    return shots != 0 and (bang_allowed(public, rules, tables, seat) or ghosts(public) != 0)


@leaf
def many_bangs(public, seat):
    """Whether he may play more than one BANG! a turn."""
    return public.ability[seat] == WILLY_THE_KID or has_volcanic(public, seat)


@leaf
def better_weapon(public, own, tables, seat):
    """A weapon worth more than the one in front of him, NO_CARD if there is none."""
    widest = np.int64(count_living(public)) // 2 + 1
    volcanic = np.int64(10)
    if public.ability[seat] != WILLY_THE_KID:
        spare = bang_symbols(public, own, tables) - 1
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


@shared
def attack(public, own, rules, tables, seat, effects):
    """The rest of the turn: what needs to know who is whose friend. In the order Saloon, Jail, robbery, raid, shot."""
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
                target = whom_to_lay(public, own, tables, allowed)
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
    return supplies(public, own, rules, tables, wanted, seat, effects)


@leaf
def shoot_or_duel(public, own, rules, tables, wanted, seat, effects, bangs):
    """A Duel with BANG!s to spare, then a shot."""
    if effects & 1 << DUEL != 0:
        card = first_with_effect(own.hand, tables, DUEL)
        target = whom_to_hurt(public, own, tables, wanted, aims(public, own, rules, tables, card))
        if target >= 0 and bangs * weight(own, tables, DUEL_STRENGTH) >= public.hand_size[target]:
            return answer(card, target)
    if bang_allowed(public, rules, tables, seat):
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
                target = whom_to_lay(public, own, tables, aims(public, own, rules, tables, card))
                if target >= 0:
                    return answer(card, target)
    return supplies(public, own, rules, tables, wanted, seat, effects)


@leaf
def whom_to_lay(public, own, tables, allowed):
    """DM-42, DM-43: the foe among the ghosts who holds the most cards; −1 for nobody."""
    found = -1
    most = np.int64(0)
    allowed &= ghosts(public)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        if haunts(own, tables, np.int64(public.known_role[seat])) and public.dead_hand_size[seat] > most:
            most = np.int64(public.dead_hand_size[seat])
            found = seat
    return found


@leaf
def haunts(own, tables, role):
    """Whether a ghost of this role plays against him."""
    if own.role == OUTLAW:
        return role == DEPUTY or (role == RENEGADE and weight(own, tables, OUTLAW_LAYS_RENEGADE) != 0)
    return role == OUTLAW or (role == RENEGADE and own.role != RENEGADE)


@leaf
def supplies(public, own, rules, tables, wanted, seat, effects):
    """At the end: Dynamite, and the General Store, which serves his foes too."""
    card = np.int64(NO_CARD)
    if effects & 1 << DYNAMITE != 0 and lays_dynamite(public, own, tables, seat):
        card = first_with_effect(own.hand, tables, DYNAMITE)
    elif effects & 1 << GENERAL_STORE != 0 and store_helps(public, own, tables, wanted, seat):
        card = first_with_effect(own.hand, tables, GENERAL_STORE)
    if card != NO_CARD and aims(public, own, rules, tables, card) != 0:
        return answer(card, NOBODY)
    return answer(END, NOBODY)


@leaf
def store_helps(public, own, tables, wanted, seat):
    """Whether he visits the General Store, which gives each foe a card too."""
    foes = np.int64(0)
    left = others(public, seat)
    while left != 0:
        foes += 1 if opinion(wanted, lowest(left)) > SPARED else 0
        left &= left - 1
    return foes <= weight(own, tables, STORE_FOES)


@leaf
def lays_dynamite(public, own, tables, seat):
    """Whether Dynamite is likelier to hurt foes than friends; Lucky Duke need not fear it."""
    level = weight(own, tables, LAY_DYNAMITE)
    role = own.role
    least = 1 if role == OUTLAW else 2 if role == RENEGADE else 3 if role == DEPUTY else 4
    return level >= least or (public.ability[seat] == LUCKY_DUKE and level > 0)


@leaf
def saloon_helps(public, wanted, seat):
    """Whether more of his side are hurt than of the others."""
    gain = 2 if public.life[seat] < public.max_life[seat] else 0
    left = others(public, seat)
    while left != 0:
        other = lowest(left)
        left &= left - 1
        if public.life[other] < public.max_life[other]:
            desire = opinion(wanted, other)
            gain += 1 if desire <= SPARED else -1 if desire > 0 else 0
    return gain > 0


@leaf
def whom_to_jail(public, wanted, allowed):
    """The foe with the most cards to play; −1 for nobody."""
    found = -1
    most = np.int64(0)
    allowed &= living(public)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        desire = opinion(wanted, seat)
        if desire > 0:
            score = desire * 4 + 10 * np.int64(public.hand_size[seat])
            if score > most:
                most = score
                found = seat
    return found


@leaf
def loot(public, own, tables, seat):
    """What a robber finds at a foe's: the worth of the best he could take, 0 if it is not worth a card."""
    worth = HAND_WORTH if public.hand_size[seat] > 0 else np.int64(0)
    gear = np.int64(public.effects_in_play[seat]) & GEAR
    while gear != 0:
        worth = max(worth, np.int64(GEAR_WORTH[lowest(gear)]) + weight(own, tables, GEAR_OVER_HAND))
        gear &= gear - 1
    return worth


@leaf
def whom_to_rob(public, own, tables, wanted, allowed):
    """The foe with the best loot, or a friend to be freed from Jail; −1 for nobody."""
    found = -1
    most = np.int64(0)
    allowed &= living(public)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        desire = opinion(wanted, seat)
        score = np.int64(0)
        if desire > -weight(own, tables, ROB_UNKNOWN):
            gain = loot(public, own, tables, seat)
            score = gain * 2 + desire if gain > 0 else np.int64(0)
        elif desire <= SPARED and own.role != RENEGADE and np.int64(public.effects_in_play[seat]) >> JAIL & 1 != 0:
            score = np.int64(150)
        if score > most:
            most = score
            found = seat
    return found


@leaf
def raid_pays(public, own, tables, wanted, seat, effect):
    """Whether Gatling or Indians! hurt his foes more than his friends, and than himself."""
    total = -weight(own, tables, RAID_LEVEL)
    if effect == INDIANS and bang_symbols(public, own, tables) == 0:
        total -= weight(own, tables, RAID_FOR_SELF) * (4 if public.life[seat] == 1 else 1)
    left = others(public, seat)
    while left != 0:
        other = lowest(left)
        left &= left - 1
        desire = opinion(wanted, other)
        chance = 4 - min(3, np.int64(public.hand_size[other]) // 2)
        total += desire * chance * (3 if public.life[other] == 1 else 1) // 4
    return total > 0


@shared
def whom_to_hurt(public, own, tables, wanted, allowed):
    """The most wanted, weakest and least protected player; −1 for nobody."""
    found = -1
    most = np.int64(-100000)
    allowed &= living(public)
    while allowed != 0:
        seat = lowest(allowed)
        allowed &= allowed - 1
        desire = opinion(wanted, seat)
        if desire > 0:
            score = desire * 10 - weight(own, tables, AIM_AT_WEAK) * np.int64(public.life[seat])
            score -= weight(own, tables, AIM_AT_FEW_CARDS) * min(6, np.int64(public.hand_size[seat]))
            if np.int64(public.effects_in_play[seat]) >> BARREL & 1 != 0:
                score -= weight(own, tables, AVOID_BARREL)
            if score > most:
                most = score
                found = seat
    return found


@shared
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
    if effect == BEER and count_living(public) == 2:
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
def take(public, own, tables):
    """Frees a friend; from a foe the best gear or a hand card."""
    question = own.question
    source = np.int64(question.source)
    hand = np.int64(question.others) >> (HAND - OTHER) & 1 != 0
    if opinion(desires(public, own, tables), source) <= SPARED:
        for effect in (JAIL, DYNAMITE):
            card = first_with_effect(question.cards, tables, effect)
            if card != NO_CARD:
                return answer(card, NOBODY)
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
def dodge(public, own, tables):
    """Barrel first, then cards if there are enough of them, and if a life point is worth that many."""
    question = own.question
    barrel = first_with_effect(question.cards, tables, BARREL)
    if barrel != NO_CARD:
        return answer(barrel, NOBODY)
    if np.int64(question.others) >> (USE_JOURDONNAIS - OTHER) & 1 != 0:
        return answer(USE_JOURDONNAIS, NOBODY)
    missed = count_with_effect(question.cards, tables, MISSED)
    if missed + count_with_effect(question.cards, tables, BANG) < question.needed:
        return answer(PASS, NOBODY)
    life = np.int64(public.life[own.seat])
    if question.needed > 1 and life >= weight(own, tables, LIFE_FOR_TWO_MISSED):
        return answer(PASS, NOBODY)
    if public.ability[own.seat] == BART_CASSIDY and life >= weight(own, tables, LIFE_FOR_BART):
        return answer(PASS, NOBODY)
    return answer(first_with_effect(question.cards, tables, MISSED if missed > 0 else BANG), NOBODY)


@leaf
def give_bang(public, own, tables, is_duel):
    """Answers Indians! always, a Duel unless his only BANG! would be lost with little at stake."""
    question = own.question
    seat = np.int64(own.seat)
    if is_duel and bang_symbols(public, own, tables) == 1:
        if public.life[seat] >= weight(own, tables, DUEL_PRIDE):
            return answer(PASS, NOBODY)
    card = first_with_effect(question.cards, tables, BANG)
    return answer(card if card != NO_CARD else first_with_effect(question.cards, tables, MISSED), NOBODY)


@leaf
def draw_source(public, own, tables):
    """CH-10 takes a good discard; CH-5 robs whoever is no friend."""
    question = own.question
    if np.int64(question.others) >> (FROM_DISCARD_PILE - OTHER) & 1 != 0:
        top = np.int64(public.discard_top)
        copies = count_with_effect(own.hand, tables, np.int64(tables.effect[top]))
        good = worth(public, own, tables, top, copies) >= weight(own, tables, PEDRO_TAKES)
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


@leaf
def character_worth(tables, character):
    """In tenths of a life point."""
    return 10 * np.int64(tables.printed_life[character]) + np.int64(ABILITY_WORTH[tables.ability[character]])
