"""The effects of the Dead Men's cards (DM-C01 … DM-C26), a short function each, and how they end.

Each function returns whether it changed anything (OP-28).
"""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit
from sim.kernel.jit import leaf, shared

from .ask import ask
from .attack import allow_symbol, shoot
from .cards import (
    add_to_hand,
    cease_to_work,
    count_cards,
    discard,
    discard_from_hand,
    draw_cards,
    first_card,
    first_in_play,
    has,
    is_heart,
    leave_play,
    pick_blind,
    refresh_ability,
    remove_from_hand,
    reveal,
    show_to_all,
    take_blind,
)
from .damage import eliminate_if_dead, gain_life, lose_life, may_drink, settle, wound
from .draw_check import draw_check
from .fading import fade
from .flags import WORDS
from .funnel import N_GOODS_LOST, N_SHERIFF_ATTACKS_HIT
from .ghosts import (
    add_dead,
    bury,
    dig_up,
    dig_up_blind,
    draw_goods,
    pick_from_discards,
    receive,
    remove_dead,
)
from .journal import note
from .lasting import NEXT_TURN, add_lasting
from .names import (
    BARREL,
    BLOOD_JUICE,
    BY_BAD_MOON,
    BY_POLTERGEIST,
    BY_UNFINISHED_BUSINESS,
    CURSE,
    CURSED,
    DEATH_AND_TAXES,
    DECAY_ANSWER,
    DIAMONDS,
    DYNAMITE,
    E_DEAD_TAKEN,
    E_DISCARDED,
    E_GLIMPSED,
    E_LAID,
    E_TAKEN,
    FROM_SEAT,
    GRAVES,
    HAND,
    HEARTS,
    IN_MEMORIAM,
    JAIL,
    JOURDONNAIS,
    MISSED,
    NIGHTMARE,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OTHER,
    PASS,
    PAY,
    PLAYING,
    PROPER_BURIAL,
    RANSOM,
    RENEGADE,
    SECOND_SEAT,
    SPADES,
    TAKE,
    TERRIFY,
    THE_EAST_WIND,
    USE_JOURDONNAIS,
    answer_target,
    answer_what,
)
from .questions import allow, allow_card, allow_effect, any_card_allowed, pose
from .reactions import give_goods
from .seats import is_alive, is_ghost, living, next_of

# What a play names besides its first target


@shared
def second_seat(game, rules, tables, seat, card, seats):
    """The second seat that a card names, NO_SEAT if there is none to name."""
    if seats == 0:
        return np.int64(NO_SEAT)
    question = pose(game, seat, SECOND_SEAT, NO_SEAT, card, ONE)
    question.targets = seats
    allow(question, FROM_SEAT)
    return answer_target(ask(game, rules, tables, seat))


@shared
def card_to_take(game, rules, tables, seat, card, target, effect):
    """Decay and Terrify: a card in play of the target, or (Terrify) HAND."""
    public = game.public
    question = pose(game, seat, TAKE, target, card, ONE)
    for w in range(WORDS):
        question.cards[w] = public.in_play[target, w]
        if effect == TERRIFY:
            question.cards[w] &= ~public.terrified[w]
    if effect == TERRIFY and public.hand_size[target] > 0:
        allow(question, HAND)
    return answer_what(ask(game, rules, tables, seat))


@shared
def card_to_give(game, rules, tables, seat, card, kind, owner):
    """A buried card of an owner, chosen by the ghost; at random if he may not look at his own (OP-9)."""
    if owner == seat and rules.dm_goods_owner_sees == 0:
        return pick_blind(game, seat, game.buried[owner], np.int64(game.public.buried_size[owner]))
    question = pose(game, seat, kind, owner, card, ONE)
    for w in range(WORDS):
        question.cards[w] = game.buried[owner, w]
    return answer_what(ask(game, rules, tables, seat))


# The cards


@shared
def impose(game, rules, tables, caster, on, rival, card, effect):
    """Cards that wait for a turn of the target, or last until the caster's next one."""
    other = rival if effect == THE_EAST_WIND else np.int64(NO_SEAT)
    if effect == IN_MEMORIAM:
        killer = np.int64(game.public.killer[caster])
        if killer >= 0 and is_alive(game.public, killer):
            other = killer
    lying = np.int64(NO_CARD)
    if effect == PROPER_BURIAL:
        pick_from_discards(game, card)  # it lies on the table until it is finished (DM-33)
        lying = card
    add_lasting(game, effect, caster, on, other, lying, NOTHING)
    if effect == NIGHTMARE:
        refresh_ability(game, tables, on)
    return True


@shared
def cemetary(game, rules, tables, first, card):
    """DM-C02: all buried goods are turned up; the named player takes two, each other living player clockwise one."""
    public = game.public
    for seat in range(np.int64(public.players)):
        for w in range(WORDS):
            public.seen_buried[seat, w] = game.buried[seat, w]
            public.on_offer[w] |= game.buried[seat, w]
    waiting = living(public)
    taker = first
    while waiting != 0:
        waiting &= ~(1 << taker)
        for _ in range(2 if taker == first else 1):
            take_grave(game, rules, tables, taker, card)
        if waiting != 0:
            taker = next_of(waiting, taker)
    for w in range(WORDS):
        public.on_offer[w] = np.uint64(0)
    return True


@shared
def take_grave(game, rules, tables, taker, card):
    """One card out of all graves, chosen or random (OP-56)."""
    public = game.public
    if first_card(public.on_offer) == NO_CARD:
        return
    if rules.dm_cemetary_choose != 0:
        question = pose(game, taker, GRAVES, NO_SEAT, card, ONE)
        for w in range(WORDS):
            question.cards[w] = public.on_offer[w]
        chosen = answer_what(ask(game, rules, tables, taker))
    else:
        count = np.int64(0)
        for seat in range(np.int64(public.players)):
            count += public.buried_size[seat]
        chosen = pick_blind(game, taker, public.on_offer, count)
    public.on_offer[chosen >> 6] &= ~bit(chosen & 63)
    for seat in range(np.int64(public.players)):
        if has(game.buried[seat], chosen):
            dig_up(game, rules, seat, chosen)
            add_to_hand(game, tables, taker, chosen)
            show_to_all(game, taker, chosen)
            game.record.funnel[N_GOODS_LOST] += 1
            note(game, E_TAKEN, taker, chosen, seat, NOTHING, NOTHING)


@shared
def blood_juice(game, rules, tables, on):
    before = game.public.life[on]
    if may_drink(game.public, rules, on, BLOOD_JUICE):
        gain_life(game, on, 1)
    return game.public.life[on] != before


@shared
def bad_moon_rising(game, rules, tables, caster, card):
    """DM-C04: the top card decides what each living player pays, or gets."""
    turned = reveal(game, caster)
    if turned == NO_CARD:
        return False
    discard(game, turned)
    suit = tables.suit[turned]
    if suit == HEARTS:
        waiting = living(game.public)
        seat = caster
        while waiting != 0:
            seat = next_of(waiting, seat)
            waiting &= ~(1 << seat)
            draw_cards(game, tables, seat, 1)
        return True
    if suit == DIAMONDS:
        return False
    return ransom_all(game, rules, tables, caster, card, 2 if suit == SPADES else 1, BY_BAD_MOON)


@shared
def ransom_all(game, rules, tables, caster, card, price, kind):
    """Each living player, clockwise from the caster, gives up cards or loses a life (DM-C04, DM-C18).

    All choose first, then all who did not pay lose a life together, unless they are to be dealt with one by one
    (OP-37).
    """
    one_by_one = rules.dm_mass_effect_order != 0
    waiting = living(game.public)
    seat = caster
    losers = np.int64(0)
    while waiting != 0 and game.ending == PLAYING:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        if not is_alive(game.public, seat):
            continue
        if not pays_ransom(game, rules, tables, caster, seat, card, price, kind):
            if one_by_one:
                lose_life(game, rules, tables, seat, ONE, caster, kind)
                settle(game, rules, tables)
            else:
                losers |= 1 << seat
    seat = caster
    fallen = losers
    while losers != 0 and game.ending == PLAYING:
        seat = next_of(losers, seat)
        losers &= ~(1 << seat)
        wound(game, rules, tables, seat, ONE, caster, kind)
    while fallen != 0 and game.ending == PLAYING:
        seat = next_of(fallen, seat)
        fallen &= ~(1 << seat)
        eliminate_if_dead(game, rules, seat, caster, kind)
    return True


@leaf
def pays_ransom(game, rules, tables, caster, seat, card, price, kind):
    """Whether a player gives up what is asked; who cannot is not asked."""
    public = game.public
    question = pose(game, seat, RANSOM, caster, card, price)
    for w in range(WORDS):
        if kind == BY_BAD_MOON:
            question.cards[w] = game.own[seat].hand[w] | public.in_play[seat, w]
        else:
            nuisances = tables.of_effect[JAIL, w] | tables.of_effect[DYNAMITE, w]
            question.cards[w] = public.in_play[seat, w] & tables.blue[w] & ~nuisances
    # With "and" Poltergeist asks for a green card too, and there are none in these sets (OP-67).
    impossible = kind == BY_POLTERGEIST and rules.dm_poltergeist_mode != 0
    if impossible or count_cards(question.cards) < price:
        return False
    allow(question, PASS)
    given = answer_what(ask(game, rules, tables, seat))
    if given >= OTHER:
        return False
    give_up(game, tables, seat, given)
    for left in range(price - 1, 0, -1):
        question = pose(game, seat, PAY, caster, card, left)
        for w in range(WORDS):
            question.cards[w] = game.own[seat].hand[w] | public.in_play[seat, w]
        give_up(game, tables, seat, answer_what(ask(game, rules, tables, seat)))
    return True


@shared
def give_up(game, tables, seat, card):
    """A player discards a card of his hand or of those in front of him."""
    if has(game.own[seat].hand, card):
        discard_from_hand(game, tables, seat, card)
    else:
        leave_play(game, tables, seat, card)
        discard(game, card)
        note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)


@shared
def desicrate_grave(game, rules, tables, caster, ghost, card):
    """DM-C08: two buried cards of another ghost are discarded."""
    count = min(2, np.int64(game.public.buried_size[ghost]))
    for _ in range(count):
        if rules.dm_desicrate_grave_choose != 0:
            lost = card_to_give(game, rules, tables, caster, card, GRAVES, ghost)
            dig_up(game, rules, ghost, lost)
        else:
            lost = dig_up_blind(game, rules, ghost, caster)
        discard(game, lost)
        game.record.funnel[N_GOODS_LOST] += 1
        note(game, E_DISCARDED, ghost, lost, NOTHING, NOTHING, NOTHING)
    return count > 0


@shared
def decay(game, rules, tables, caster, owner, card, decayed):
    """DM-C09: a card in play is discarded unless its owner gives a Missed! (OP-60)."""
    public = game.public
    if not has(public.in_play[owner], decayed):
        return False
    own = game.own[owner]
    barrel = np.int64(NO_CARD)
    innate = False
    if rules.dm_decay_save_set == 2:
        barrel = first_in_play(public, tables, owner, BARREL)
        innate = public.ability[owner] == JOURDONNAIS
    while True:
        question = pose(game, owner, DECAY_ANSWER, caster, card, ONE)
        if rules.dm_decay_save_set == 0:
            allow_effect(question, own.hand, tables, MISSED)
        else:
            allow_symbol(question, public, own, tables, owner, MISSED)
        if barrel != NO_CARD:
            allow_card(question, barrel)
        if innate:
            allow(question, USE_JOURDONNAIS)
        elif not any_card_allowed(question):
            break
        allow(question, PASS)
        given = answer_what(ask(game, rules, tables, owner))
        if given == PASS:
            break
        if given == USE_JOURDONNAIS:
            innate = False
        elif given == barrel:
            barrel = np.int64(NO_CARD)
        else:
            discard_from_hand(game, tables, owner, given)
            return False
        if is_heart(tables, draw_check(game, rules, tables, owner)):
            return False
    leave_play(game, tables, owner, decayed)
    discard(game, decayed)
    note(game, E_DISCARDED, owner, decayed, NOTHING, NOTHING, NOTHING)
    return True


@shared
def last_testament(game, rules, tables, caster, heir, given):
    """DM-C11: a buried card of the caster's choice goes to another player."""
    if not has(game.buried[caster], given):
        return False
    dig_up(game, rules, caster, given)
    game.record.funnel[N_GOODS_LOST] += 1
    receive(game, rules, tables, heir, given, NOTHING)
    return True


@shared
def hidden_stash(game, tables, on):
    before = game.public.hand_size[on]
    draw_cards(game, tables, on, 1)
    return game.public.hand_size[on] != before


@shared
def rob_grave(game, rules, tables, caster, ghost, receiver):
    """DM-C20: a random buried card of another ghost goes to a living player."""
    if game.public.buried_size[ghost] == 0 or receiver < 0:
        return False
    give_goods(game, rules, tables, ghost, receiver, caster)
    return True


@shared
def syphon(game, caster, ghost):
    """DM-C24: a random card of another ghost hand changes hands."""
    size = np.int64(game.public.dead_hand_size[ghost])
    if size == 0:
        return False
    card = pick_blind(game, caster, game.own[ghost].dead_hand, size)
    remove_dead(game, ghost, card)
    add_dead(game, caster, card)
    note(game, E_DEAD_TAKEN, caster, card, ghost, NOTHING, NOTHING)
    return True


@shared
def seance(game, caster, on, viewer):
    """DM-C25: two random hand cards of a player are shown to the caster and to another living player."""
    hand = game.own[on].hand
    left = min(2, np.int64(game.public.hand_size[on]))
    first = np.int64(NO_CARD)
    while left > 0:
        card = pick_blind(game, caster, hand, np.int64(game.public.hand_size[on]))
        if card != first:
            first = card
            left -= 1
            game.own[caster].glimpsed[on, card >> 6] |= bit(card & 63)
            if viewer >= 0:
                game.own[viewer].glimpsed[on, card >> 6] |= bit(card & 63)
            note(game, E_GLIMPSED, on, card, caster, viewer, NOTHING)
    game.glimpses = 1
    return False


@shared
def terrify(game, tables, caster, on, taken):
    """DM-C23: a card of the hand (blind) or in play lies in front of its owner without effect."""
    public = game.public
    from_hand = NOTHING
    if taken == HAND:
        if public.hand_size[on] == 0:
            return False
        from_hand = ONE
        taken = take_blind(game, tables, caster, on)
        public.in_play[on, taken >> 6] |= bit(taken & 63)
        public.terrified[taken >> 6] |= bit(taken & 63)
        note(game, E_LAID, on, taken, NOTHING, NOTHING, NOTHING)
    else:
        if not has(public.in_play[on], taken) or has(public.terrified, taken):
            return False
        public.terrified[taken >> 6] |= bit(taken & 63)
        cease_to_work(game, tables, on, taken)
    add_lasting(game, TERRIFY, caster, on, NO_SEAT, taken, from_hand)
    return True


@shared
def unfinished_business(game, rules, tables, caster, on, card):
    """DM-C26: red takes a card of the hand into the caster's goods, black is a BANG! at him."""
    turned = draw_check(game, rules, tables, on)
    if turned == NO_CARD:
        return False
    suit = tables.suit[turned]
    if suit == HEARTS or suit == DIAMONDS:
        if game.public.hand_size[on] == 0:
            return False
        bury(game, rules, caster, take_blind(game, tables, caster, on), NOTHING)
        return True
    return haunt(game, rules, tables, caster, on, card, BY_UNFINISHED_BUSINESS)


@leaf
def is_attempt(public, seat, target):
    """For the funnels: whether a dead Renegade attacks the Sheriff (DM-60)."""
    return public.known_role[seat] == RENEGADE and target == public.sheriff


@shared
def haunt(game, rules, tables, caster, on, card, kind):
    """DM-C21: a ghost's shot, answered like a BANG!."""
    attempt = is_attempt(game.public, caster, on)
    hit = shoot(game, rules, tables, caster, on, card, ONE, kind, ONE)
    if attempt and hit and game.public.aimed_at == on:
        game.record.funnel[N_SHERIFF_ATTACKS_HIT] += 1
    return hit


# What waits for a turn


@shared
def end_of_turn_effects(game, rules, tables, seat):
    """After the discard phase: Proper Burial's draw, then Curses in the order of casting (DM-R5); the rest ends."""
    public = game.public
    i = np.int64(0)
    while i < public.lasting_count:
        if public.lasting[i].on == seat and public.lasting[i].effect == PROPER_BURIAL and public.lasting[i].active != 0:
            draw_cards(game, tables, seat, 2)
            fade(game, rules, tables, i)
        else:
            i += 1
    i = np.int64(0)
    while i < public.lasting_count and game.ending == PLAYING:
        if public.lasting[i].on == seat and public.lasting[i].effect == CURSE and public.lasting[i].active != 0:
            caster = np.int64(public.lasting[i].caster)
            fade(game, rules, tables, i)
            lose_to_curse(game, rules, tables, seat, caster)
        else:
            i += 1
    for k in range(np.int64(public.lasting_count) - 1, -1, -1):
        entry = public.lasting[k]
        if entry.on == seat and entry.active != 0 and NEXT_TURN >> np.int64(entry.effect) & 1 != 0:
            fade(game, rules, tables, k)


@leaf
def lose_to_curse(game, rules, tables, seat, caster):
    """DM-C01: one more card, of his choice, goes to the caster."""
    if game.public.hand_size[seat] == 0:
        return
    question = pose(game, seat, CURSED, caster, NO_CARD, ONE)
    for w in range(WORDS):
        question.cards[w] = game.own[seat].hand[w]
    card = answer_what(ask(game, rules, tables, seat))
    remove_from_hand(game, tables, seat, card)
    note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)
    receive(game, rules, tables, caster, card, NOTHING)


@shared
def collect_taxes(game, rules, tables, seat):
    """DM-C05: casters draw first, in the order of casting (DM-R6). Returns how many cards the player draws fewer."""
    public = game.public
    fewer = np.int64(0)
    i = np.int64(0)
    while i < public.lasting_count:
        if public.lasting[i].on == seat and public.lasting[i].effect == DEATH_AND_TAXES:
            caster = np.int64(public.lasting[i].caster)
            fade(game, rules, tables, i)
            if is_ghost(public, caster):
                draw_goods(game, rules, caster, ONE)
            else:
                draw_cards(game, tables, caster, 1)
            fewer += 1
        else:
            i += 1
    return fewer
