"""A plain player: lays gear, draws, heals, then attacks by role and by who has been hostile to the Sheriff.

He knows what lies open: roles of the dead, and who acted against whom. Whoever acted against the Sheriff is a suspect;
whoever acted against a suspect is trusted while others are at hand. He is about as deep as a first evening's table.
"""

from __future__ import annotations

import numpy as np

from sim.bang.core.cards import count_with_effect, explodes, first_card, first_with_effect, has, is_heart
from sim.bang.core.flags import DEATH_MESA, WORDS
from sim.bang.core.names import (
    ANSWER,
    ANY_TURN,
    ANYBODY,
    BAD_MOON_RISING,
    BANG,
    BARREL,
    BEER,
    BLOOD_JUICE,
    BONUS_ANSWER,
    CALAMITY_JANET,
    CAT_BALOU,
    CEMETARY,
    CHARACTER,
    CONVERT,
    DEAD_DUEL,
    DEPUTY,
    DESICRATE_GRAVE,
    DISCARD,
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
    GRAVES,
    HAND,
    HIDDEN_STASH,
    IN_MEMORIAM,
    INDIANS,
    INTERVENE,
    JAIL,
    KEEP,
    LAST_TESTAMENT,
    LOOK,
    MIRAGE_ANSWER,
    MISSED,
    MUSTANG,
    NEGATE,
    NO_CARD,
    NO_EFFECT,
    NOBODY,
    NOBODY_BIT,
    NOTHING,
    OTHER,
    OUTLAW,
    PANIC,
    PASS,
    PAY,
    PLAY,
    POLTERGEIST,
    POSSESSED,
    PROPER_BURIAL,
    RANSOM,
    RENEGADE,
    RESURRECT,
    RETURN,
    REVEAL,
    ROB_GRAVE,
    SALOON,
    SAVE,
    SCOPE,
    SEANCE,
    SECOND_CHARACTER,
    SECOND_SEAT,
    SHERIFF,
    SID,
    SOURCE,
    STORE,
    SYPHON,
    TAKE,
    USE_BONUS,
    USE_JOURDONNAIS,
    USE_SID,
    VOLCANIC,
    WARN_ANSWER,
    WEAPON,
    answer,
)
from sim.bang.core.questions import (
    bang_allowed,
    can_use_sid,
    is_legal,
    play_targets,
    sheriff_mask,
    without_same_name,
)
from sim.bang.core.seats import count_living, ghosts, is_ghost, living, others, reach, within
from sim.kernel.bits import highest, lowest, rest
from sim.kernel.jit import leaf

# What a card is worth to him, by effect in the order of names.EFFECTS: picks the best, gives up the worst.
WORTH = np.array(
    [
        *(0, 44, 45, 60, 25, 42, 43, 70, 85, 47, 48, 46, 50, 40, 62, 63, 65, 20, 10),
        *(40, 15, 55, 45, 42, 12, 30, 25, 44, 46, 20, 14, 50, 18, 35, 22, 52, 48, 47, 26, 80, 60, 54, 41, 5, 70),
    ],
    np.int8,
)
WORTH_OF_A_KNOWN_CARD = 60
WORTH_OF_A_SHOT = 70

SCARCE = 8
"""So few cards left, the others being buried, he would only draw the same ones again and again."""

# Dead Men's cards for friends, against other ghosts, on everybody; the others are for foes.
HELPFUL = 1 << CEMETARY | 1 << BLOOD_JUICE | 1 << LAST_TESTAMENT | 1 << HIDDEN_STASH | 1 << PROPER_BURIAL
HELPFUL |= 1 << IN_MEMORIAM
AT_GHOSTS = 1 << DESICRATE_GRAVE | 1 << ROB_GRAVE | 1 << SYPHON
AT_ALL = 1 << BAD_MOON_RISING | 1 << POLTERGEIST
HELPFUL_SECOND = 1 << ROB_GRAVE | 1 << SEANCE

# Sets of effects, to see at a glance what a hand can do. Of a set he takes the lowest or the highest effect.
SINGLE_GEAR = 1 << BARREL | 1 << SCOPE | 1 << MUSTANG | 1 << DYNAMITE
HEALS = 1 << BEER | 1 << SALOON
WEAPONS = 1 << WEAPON | 1 << VOLCANIC
ROBBERIES = 1 << PANIC | 1 << CAT_BALOU
RAIDS = 1 << GATLING | 1 << INDIANS
ATTACKS = ROBBERIES | RAIDS | 1 << JAIL  # those that need no BANG!
NUISANCES = 1 << JAIL | 1 << DYNAMITE
TO_SPARE = 1 << GENERAL_STORE | 1 << NO_EFFECT | 1 << SALOON | 1 << JAIL | 1 << DYNAMITE
TO_MISS = 1 << MISSED | 1 << DUEL | 1 << INDIANS
TO_KEEP = 1 << BEER | 1 << BANG


@leaf
def decide(public, own, rules, tables):
    """The answer to ``own.question``."""
    kind = own.question.kind
    if kind == PLAY:
        if DEATH_MESA:
            return play_among_ghosts(public, own, rules, tables)
        return play(public, own, rules, tables)
    if kind == ANSWER:
        return dodge(own, tables)
    if DEATH_MESA:
        if kind >= NEGATE:
            return answer_among_ghosts(public, own, rules, tables)
    if kind == DISCARD or kind == PAY:
        return give_away(own, tables)
    if kind == STORE or kind == KEEP:
        return answer(best(own.question.cards, tables), NOBODY)
    if kind == TAKE:
        return take(own, tables)
    if kind == SAVE:
        return save(public, own, rules, tables)
    if kind == REVEAL:
        return pick_revealed(own, tables)
    if kind == SOURCE:
        return draw_source(public, own, rules, tables)
    if kind == CHARACTER:
        return keep_character(own, tables)
    if kind == SID:
        return answer(USE_SID if public.life[own.seat] == 1 else PASS, NOBODY)
    return give_bang(own, tables)  # INDIANS_ANSWER, DUEL_ANSWER


@leaf
def give_away(own, tables):
    """The hand card he can best do without."""
    if DEATH_MESA:  # not all hand cards may be asked for, or other cards are
        wanted = first_with_effect(own.hand, tables, least_wanted(own)) if own.effects != 0 else np.int64(NO_CARD)
        if wanted == NO_CARD or not has(own.question.cards, wanted):
            return answer(spare(own.question.cards, tables), NOBODY)
        return answer(wanted, NOBODY)
    return answer(first_with_effect(own.hand, tables, least_wanted(own)), NOBODY)


@leaf
def play(public, own, rules, tables):
    """What to play next: life, cards, gear, then attacks. The numbers of the effects are his order.

    The General Store, which serves his foes too, he visits only for want of a BANG!.
    """
    seat = np.int64(own.seat)
    effects = np.int64(own.effects)
    supplies = 1 << DRAW if effects & 1 << BANG != 0 else 1 << DRAW | 1 << GENERAL_STORE
    if DEATH_MESA:
        if public.draw_size + public.discard_size < SCARCE:
            supplies = 0
    useful = effects & (supplies | SINGLE_GEAR & ~np.int64(public.effects_in_play[seat]))
    if effects & HEALS != 0 and public.life[seat] < public.max_life[seat]:
        useful |= effects & remedies(public, rules, seat)
    if useful != 0:
        card = first_with_effect(own.hand, tables, lowest(useful))
        if is_affordable(public, tables, seat, card):
            return answer(card, NOBODY)
    if effects & WEAPONS != 0:
        card = better_weapon(public, own, tables, seat)
        if card != NO_CARD and is_affordable(public, tables, seat, card):
            return answer(card, NOBODY)
    given = attack(public, own, rules, tables, seat, effects)
    if given == answer(END, NOBODY) and spends_cards_for_life(public, rules, seat):
        return answer(USE_SID, NOBODY)
    return given


@leaf
def remedies(public, rules, seat):
    """What heals him: a Saloon, which heals his foes too, only at his last life point."""
    beer = 1 << BEER if count_living(public) > 2 or rules.beer_with_two_players != 0 else 0
    saloon = 1 << SALOON if public.life[seat] == 1 else 0
    return beer | saloon


@leaf
def is_affordable(public, tables, seat, card):
    """Whether there are hand cards for the card's price."""
    return public.hand_size[seat] > tables.second_card[card]


@leaf
def spends_cards_for_life(public, rules, seat):
    """CH-12: when he would have to discard them anyway."""
    return can_use_sid(public, rules, seat) and public.hand_size[seat] - rules.sid_ketchum_cost >= public.life[seat]


@leaf
def better_weapon(public, own, tables, seat):
    """A weapon that reaches farther than the one in front of him, NO_CARD if there is none."""
    best_range = np.int64(public.weapon_range[seat])
    found = np.int64(NO_CARD)
    for w in range(WORDS):
        cards = own.hand[w] & tables.weapons[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            if tables.range[card] > best_range and without_same_name(public, tables, card, 1 << seat) != 0:
                best_range = np.int64(tables.range[card])
                found = card
    return found


@leaf
def attack(public, own, rules, tables, seat, effects):
    """An attack on a foe in reach, else the end of the phase. A Duel is not begun without a BANG!."""
    attacks = effects & ATTACKS
    shots = effects & (1 << BANG | 1 << MISSED if public.ability[seat] == CALAMITY_JANET else 1 << BANG)
    if shots != 0:
        attacks |= effects & 1 << DUEL
        if bang_allowed(public, rules, tables, seat):
            attacks |= shots & -shots
    if attacks & RAIDS != 0 and not wants_everybody_hurt(public, own):
        attacks &= ~RAIDS
    if attacks == 0:
        return answer(END, NOBODY)
    first, second = foes(public, own, tables, seat)
    while attacks != 0:
        effect = highest(attacks)
        attacks &= ~(1 << effect)
        card = first_with_effect(own.hand, tables, effect)
        if is_affordable(public, tables, seat, card):
            if 1 << effect & RAIDS != 0:
                return answer(card, NOBODY)
            allowed = in_reach(public, rules, tables, seat, effect, card)
            target = weakest(public, first, second, allowed)
            while target >= 0 and is_wasted(public, effect, target):
                allowed &= ~(1 << target)
                target = weakest(public, first, second, allowed)
            if target >= 0:
                return answer(card, target)
    return answer(END, NOBODY)


@leaf
def in_reach(public, rules, tables, seat, effect, card):
    """The seats at which a card may be played as far as distance goes, and the Sheriff's safety from Jail."""
    if effect <= MISSED:
        return reach(public, rules, tables, seat)
    if effect == JAIL and rules.jail_on_sheriff == 0:
        return others(public, seat) & ~sheriff_mask(public)
    distance = np.int64(tables.range[card])
    if 1 << effect & ROBBERIES != 0 and distance > 0:
        return within(public, tables, seat, distance)
    return others(public, seat)


@leaf
def is_wasted(public, effect, target):
    """Whether a foe sits in Jail already, or has nothing worth robbing (Jail and Dynamite are left where they are)."""
    in_play = np.int64(public.effects_in_play[target])
    if effect == JAIL:
        return in_play >> JAIL & 1 != 0
    return 1 << effect & ROBBERIES != 0 and public.hand_size[target] == 0 and in_play & ~NUISANCES == 0


@leaf
def foes(public, own, tables, seat):
    """Seats to attack first, and seats to attack when none of those is in reach."""
    alive = others(public, seat)
    role = own.role
    if public.players == 3:
        return ring_target(public, own, alive), alive & 0
    rest_of_them = alive & ~(1 << np.int64(public.sheriff))
    suspects = np.int64(public.attackers[np.int64(public.sheriff)])  # who ever acted against him
    if role == OUTLAW:
        return alive & ~rest_of_them, rest_of_them & ~suspects
    if role != RENEGADE:
        if suspects & rest_of_them != 0:
            return suspects & rest_of_them, alive & 0
        unknown = rest_of_them & ~trusted(public, suspects)
        return alive & 0, unknown if unknown != 0 else rest_of_them
    if count_living(public) == 2:
        return alive, alive & 0
    if public.roles_left[OUTLAW] == 0:
        return rest_of_them, alive & 0
    if public.roles_left[DEPUTY] + 1 > public.roles_left[OUTLAW]:
        return rest_of_them & ~suspects, rest_of_them & suspects
    return rest_of_them & suspects, rest_of_them & ~suspects


@leaf
def ring_target(public, own, alive):
    """B-2: the own target while he lives, else whoever is left."""
    wanted = RENEGADE if own.role == DEPUTY else OUTLAW if own.role == RENEGADE else DEPUTY
    found = alive & 0
    for seat in range(np.int64(public.players)):
        if public.known_role[seat] == wanted:
            found = found | 1 << seat
    return found & alive if found & alive != 0 else alive


@leaf
def trusted(public, suspects):
    """Who has acted against a suspect."""
    found = suspects & 0
    while suspects != 0:
        found |= np.int64(public.attackers[lowest(suspects)])
        suspects &= suspects - 1
    return found


@leaf
def weakest(public, first, second, allowed):
    """The seat with the fewest life points among the first choice, else the second; −1 if neither is allowed."""
    seats = first & allowed
    if seats == 0:
        seats = second & allowed
    found = -1
    fewest = 127
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        if public.life[seat] < fewest:
            fewest = np.int64(public.life[seat])
            found = seat
    return found


@leaf
def wants_everybody_hurt(public, own):
    """Whether Gatling or Indians! serve his side."""
    if own.role == OUTLAW or count_living(public) == 2 or public.players == 3:
        return True
    more_outlaws = public.roles_left[OUTLAW] >= public.roles_left[DEPUTY]
    if own.role == SHERIFF:
        return more_outlaws
    sheriff_stands = public.life[lowest(sheriff_mask(public))] > 1
    return sheriff_stands and (own.role == RENEGADE or more_outlaws)


@leaf
def dodge(own, tables):
    """Barrel first, then cards if there are enough of them."""
    question = own.question
    barrel = first_with_effect(question.cards, tables, BARREL)
    if barrel != NO_CARD:
        return answer(barrel, NOBODY)
    if np.int64(question.others) >> (USE_JOURDONNAIS - OTHER) & 1 != 0:
        return answer(USE_JOURDONNAIS, NOBODY)
    missed = count_with_effect(question.cards, tables, MISSED)
    if missed + count_with_effect(question.cards, tables, BANG) < question.needed:
        return answer(PASS, NOBODY)
    return answer(first_with_effect(question.cards, tables, MISSED if missed > 0 else BANG), NOBODY)


@leaf
def give_bang(own, tables):
    """Always answers Indians! and Duels."""
    card = first_with_effect(own.question.cards, tables, BANG)
    return answer(card if card != NO_CARD else first_with_effect(own.question.cards, tables, MISSED), NOBODY)


@leaf
def save(public, own, rules, tables):
    """Spends Beers, then other cards, if that saves him."""
    seat = np.int64(own.seat)
    beer = first_with_effect(own.question.cards, tables, BEER)
    gain = np.int64(0)
    if beer != NO_CARD and (count_living(public) > 2 or rules.beer_with_two_players != 0):
        gain = count_with_effect(own.question.cards, tables, BEER) * np.int64(tables.amount[beer])
    if gain >= own.question.needed and gain > 0:
        return answer(beer, NOBODY)
    if np.int64(own.question.others) >> (USE_SID - OTHER) & 1 != 0:
        times = np.int64(public.hand_size[seat]) // np.int64(rules.sid_ketchum_cost)
        if times * rules.sid_ketchum_heal >= own.question.needed:
            return answer(USE_SID, NOBODY)
    return answer(PASS, NOBODY)


@leaf
def least_wanted(own):
    """The effect in his hand he can best do without."""
    effects = np.int64(own.effects)
    group = effects & TO_SPARE
    if group == 0:
        group = effects & TO_MISS
    if group == 0:
        group = effects & ~TO_KEEP
    return lowest(group if group != 0 else effects)


@leaf
def best(cards, tables):
    """The card of a set he likes most."""
    found = np.int64(NO_CARD)
    most = -1
    for w in range(WORDS):
        left = cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            worth = np.int64(WORTH[tables.effect[card]])
            if worth > most:
                most = worth
                found = card
    return found


@leaf
def take(own, tables):
    """The best gear, else a card from the hand."""
    card = best(own.question.cards, tables)
    gear_there = card != NO_CARD and tables.effect[card] != JAIL and tables.effect[card] != DYNAMITE
    if not gear_there and np.int64(own.question.others) >> (HAND - OTHER) & 1 != 0:
        return answer(HAND, NOBODY)
    return answer(card, NOBODY)


@leaf
def pick_revealed(own, tables):
    """A heart if there is one, else the card that does not set off Dynamite (CH-8)."""
    found = np.int64(NO_CARD)
    score = -1
    for w in range(WORDS):
        left = own.question.cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            good = 2 if is_heart(tables, card) else 0 if explodes(tables, card) else 1
            if good > score:
                score = good
                found = card
    return answer(found, NOBODY)


@leaf
def draw_source(public, own, rules, tables):
    """CH-10 takes a good discard; CH-5 robs a foe."""
    question = own.question
    if np.int64(question.others) >> (FROM_DISCARD_PILE - OTHER) & 1 != 0:
        worth = np.int64(WORTH[tables.effect[public.discard_top]])
        return answer(FROM_DISCARD_PILE if worth >= WORTH_OF_A_KNOWN_CARD else FROM_DECK, NOBODY)
    first, second = foes(public, own, tables, np.int64(own.seat))
    target = weakest(public, first, second, np.int64(question.targets))
    return answer(FROM_SEAT, target) if target >= 0 else answer(FROM_DECK, NOBODY)


@leaf
def keep_character(own, tables):
    """The one with more life points."""
    first, second = tables.printed_life[own.dealt[0]], tables.printed_life[own.dealt[1]]
    return answer(FIRST_CHARACTER if first >= second else SECOND_CHARACTER, NOBODY)


# With Death Mesa: what else there is to decide. A ghost helps his side by the same suspicions as in life.


@leaf
def play_among_ghosts(public, own, rules, tables):
    """The same, or a ghost's play; effects in force may forbid what he would do."""
    if is_ghost(public, np.int64(own.seat)):
        given = haunt(public, own, rules, tables)
    else:
        given = play(public, own, rules, tables)
    return given if is_legal(public, own, rules, tables, given) else answer(END, NOBODY)


@leaf
def enemies(public, own):
    """Living seats against which a ghost plays."""
    alive = living(public)
    role = np.int64(own.role)
    if public.sheriff < 0:
        return ring_target(public, own, alive)
    sheriff = sheriff_mask(public)
    suspects = np.int64(public.attackers[np.int64(public.sheriff)]) & alive & ~sheriff
    if role == DEPUTY or role == SHERIFF:
        return suspects if suspects != 0 else alive & ~sheriff
    return alive & sheriff


@leaf
def friends(public, own):
    """Living seats for which a ghost plays: none for a Renegade."""
    alive = living(public)
    if public.sheriff < 0 or own.role == RENEGADE:
        return alive & 0
    sheriff = sheriff_mask(public)
    suspects = np.int64(public.attackers[np.int64(public.sheriff)]) & alive & ~sheriff
    return suspects if own.role == OUTLAW else alive & sheriff


@leaf
def other_teams(public, own):
    """Ghosts of other roles."""
    found = np.int64(0)
    left = ghosts(public) & ~(1 << np.int64(own.seat))
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        if public.known_role[seat] != own.role:
            found |= 1 << seat
    return found


@leaf
def haunt(public, own, rules, tables):
    """The Dead Men's card he likes best that has a target worth it, else a conversion, else the end."""
    foe, friend, rival = enemies(public, own), friends(public, own), other_teams(public, own)
    found = answer(END, NOBODY)
    most = np.int64(0)
    for w in range(WORDS):
        cards = own.dead_hand[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            effect = np.int64(tables.effect[card])
            worth = np.int64(WORTH[effect])
            if worth > most:
                wanted = friend if HELPFUL >> effect & 1 != 0 else rival if AT_GHOSTS >> effect & 1 != 0 else foe
                if AT_ALL >> effect & 1 != 0:
                    wanted = NOBODY_BIT if own.role != DEPUTY else NOTHING
                targets = play_targets(public, own, rules, tables, card, ANYBODY) & wanted
                if targets != 0:
                    most = worth
                    found = answer(card, lowest(targets))
    if own.role == RENEGADE and most < WORTH_OF_A_SHOT:
        targets = play_targets(public, own, rules, tables, np.int64(CONVERT), ANYBODY)
        wanted = targets & (foe | NOBODY_BIT)
        if wanted != 0:
            return answer(CONVERT, lowest(wanted))
    return found


@leaf
def spare(cards, tables):
    """The card of a set that is worth least."""
    found = np.int64(NO_CARD)
    least = np.int64(127)
    for w in range(WORDS):
        left = cards[w]
        while left != 0:
            card = lowest(left) + 64 * w
            left = rest(left)
            worth = np.int64(WORTH[tables.effect[card]])
            if worth < least:
                least = worth
                found = card
    return found


@leaf
def answer_among_ghosts(public, own, rules, tables):
    """Questions that only Death Mesa puts."""
    question = own.question
    kind = question.kind
    targets = np.int64(question.targets)
    seat = np.int64(own.seat)
    if kind == NEGATE or kind == DEAD_DUEL:
        against = np.int64(question.source)
        if kind == NEGATE and (public.known_role[against] == own.role or public.dead_hand_size[seat] < 2):
            return answer(PASS, NOBODY)
        return answer(spare(question.cards, tables), NOBODY)
    if kind == MIRAGE_ANSWER:
        wanted = targets & enemies(public, own)
        if friends(public, own) >> np.int64(public.aimed_at) & 1 != 0 and wanted != 0:
            return answer(spare(question.cards, tables), lowest(wanted))
        return answer(PASS, NOBODY)
    if kind == WARN_ANSWER:
        if friends(public, own) & targets == 0 or question.source == seat:
            return answer(PASS, NOBODY)
        warning = spare(question.cards, tables)
        return answer(warning if warning != NO_CARD else np.int64(CONVERT), lowest(targets))
    if kind == BONUS_ANSWER:
        if targets == 0:
            return answer(USE_BONUS, NOBODY)
        wanted = targets & friends(public, own)
        return answer(USE_BONUS, lowest(wanted)) if wanted != 0 else answer(PASS, NOBODY)
    if kind == RANSOM:
        pays = public.life[seat] <= question.needed
        return answer(spare(question.cards, tables) if pays else np.int64(PASS), NOBODY)
    if kind == GRAVES or kind == LOOK:
        return answer(best(question.cards, tables), NOBODY)
    if kind == POSSESSED:
        card = first_card(question.cards)
        wanted = targets & (enemies(public, own) | NOBODY_BIT)
        return answer(card, lowest(wanted if wanted != 0 else targets)) if card != NO_CARD else answer(PASS, NOBODY)
    if kind == SECOND_SEAT:
        helped = HELPFUL_SECOND >> np.int64(tables.effect[question.card]) & 1 != 0
        wanted = targets & (friends(public, own) if helped else enemies(public, own))
        return answer(FROM_SEAT, lowest(wanted if wanted != 0 else targets))
    if kind == RETURN:
        return answer(RESURRECT, NOBODY)
    if kind == ANY_TURN:
        wanted = targets & enemies(public, own)
        return answer(CONVERT, lowest(wanted)) if wanted != 0 else answer(PASS, NOBODY)
    if kind == INTERVENE:
        return answer(PASS, NOBODY)
    card = spare(question.cards, tables)  # CONVERTED, CURSED, DECAY_ANSWER, GIVE
    return answer(card if card != NO_CARD else np.int64(USE_JOURDONNAIS), NOBODY)
