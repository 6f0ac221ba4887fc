"""From what a seat knows to a full state: hidden cards and roles filled in at random (design: nobody peeks)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest, popcount, rest
from sim.kernel.jit import leaf, shared
from sim.kernel.streams import GAMMA, below, rollout_key

from .cards import add_to_hand, effects_of
from .damage import oblige
from .flags import DEATH_MESA, WORDS
from .names import HIDDEN, NO_SEAT, PLAYING, PROPER_BURIAL, RENEGADE, SEATS, SHERIFF
from .seats import assign_strategy, is_alive
from .setup import seed_streams


@shared
def imagine(game, public, own, rules, tables, discards, dead_discards, key, decision, rollout):
    """Fills ``game`` with a state that agrees with what one seat knows.

    ``public``, ``own``: the records of that seat, from another block. ``discards``, ``dead_discards``: the piles as
    they lie, which everybody saw grow. The hidden cards and roles and all further chance come from
    ``rollout_key(key, decision, rollout)``; nothing is read that the seat does not know. ``game.public`` must already
    be a copy of ``public``.
    """
    key = rollout_key(key, decision, rollout)
    seed_streams(game, key)
    state = mix_state(key)
    me = np.int64(own.seat)
    game.ending = PLAYING
    game.unsettled = 0
    game.fallen_count = 0
    game.target_hit = NO_SEAT
    for w in range(WORDS):
        game.removed[w] = np.uint64(0)
    imagine_roles(game, public, own, tables, state)
    imagine_cards(game, public, own, tables, discards, me)
    if DEATH_MESA:
        imagine_dead_cards(game, public, own, tables, dead_discards, me)
        for seat in range(np.int64(public.players)):
            game.dealt_role[seat] = dealt_role_of(public, np.int64(game.own[seat].role), seat)
            assign_strategy(game, seat, np.int64(game.dealt_role[seat]))
            oblige(game, rules, seat)


@leaf
def mix_state(key):
    return key ^ GAMMA


@leaf
def imagine_roles(game, public, own, tables, state):
    """Deals the roles not yet seen to the seats whose role is hidden from this one."""
    players = np.int64(public.players)
    left = np.uint64(0)
    for role in range(4):
        left |= np.uint64(np.int64(tables.role_count[role])) << np.uint64(8 * role)
    hidden = 0
    for seat in range(SEATS):
        game.wounds[seat] = 0
        game.wounded_by[seat] = NO_SEAT
        if seat < players:
            role = np.int64(own.role) if seat == np.int64(own.seat) else np.int64(public.known_role[seat])
            game.own[seat].seat = seat
            game.own[seat].role = role
            if role == HIDDEN:
                hidden += 1
            else:
                left -= np.uint64(1) << np.uint64(8 * role)
            if role == SHERIFF:
                game.public.sheriff = seat
    for seat in range(players):
        if game.own[seat].role == HIDDEN:
            state += GAMMA
            n = below(state, hidden)
            role = 0
            while n >= np.int64(left >> np.uint64(8 * role) & np.uint64(255)):
                n -= np.int64(left >> np.uint64(8 * role) & np.uint64(255))
                role += 1
            game.own[seat].role = role
            left -= np.uint64(1) << np.uint64(8 * role)
            hidden -= 1
        assign_strategy(game, seat, np.int64(game.own[seat].role))


@leaf
def imagine_cards(game, public, own, tables, discards, me):
    """Gives every hand its known cards and random ones besides; what is left is the draw pile."""
    for w in range(WORDS):
        for seat in range(np.int64(public.players)):
            game.own[seat].hand[w] = np.uint64(0)
    for w in range(WORDS):
        unseen = tables.deck[w] & ~own.hand[w]
        for seat in range(np.int64(public.players)):
            unseen &= ~public.in_play[seat, w]
            if seat != me:
                unseen &= ~public.seen_in_hand[seat, w]
                if DEATH_MESA:
                    unseen &= ~own.glimpsed[seat, w]
            if DEATH_MESA:
                unseen &= ~known_goods(public, own, seat, w)
        game.removed[w] = unseen
    for i in range(np.int64(discards.count)):
        card = np.int64(discards.cards[i])
        game.removed[card >> 6] &= ~bit(card & 63)
        game.discard_pile.cards[i] = card
    game.discard_pile.count = discards.count
    game.discard_pile.known = 0
    game.draw_pile.count = 0
    game.draw_pile.known = 0
    for w in range(WORDS):
        cards = game.removed[w]
        while cards != 0:
            game.draw_pile.cards[game.draw_pile.count] = lowest(cards) + 64 * w
            game.draw_pile.count += 1
            cards = rest(cards)
        game.removed[w] = np.uint64(0)
    for seat in range(np.int64(public.players)):
        wanted = np.int64(public.hand_size[seat])
        game.public.hand_size[seat] = 0
        for w in range(WORDS):
            known = own.hand[w] if seat == me else public.seen_in_hand[seat, w]
            if DEATH_MESA:
                if seat != me:
                    known |= own.glimpsed[seat, w]
            game.own[seat].hand[w] = known
            game.public.hand_size[seat] += popcount(known)
        game.own[seat].effects = effects_of(game.own[seat].hand, tables)
        if is_alive(public, seat) and seat != me:
            fill_hand(game, tables, seat, wanted)
    if DEATH_MESA:
        for seat in range(np.int64(public.players)):
            fill_goods(game, public, own, seat)
    game.public.draw_size = game.draw_pile.count


@leaf
def fill_hand(game, tables, seat, wanted):
    from_pile = game.draw_pile
    while game.public.hand_size[seat] < wanted and from_pile.count > 0:
        add_to_hand(game, tables, seat, random_card(from_pile))


@leaf
def dealt_role_of(public, role, seat):
    """The role that a seat was dealt, from the one it has now: only Scofflaws change roles (DM-62, DM-64)."""
    if seat == public.dealt_sheriff:
        return np.int64(SHERIFF)
    return np.int64(RENEGADE) if role == SHERIFF else role


@leaf
def random_card(pile):
    """A random card leaves a pile whose order does not matter; the pile must not be empty."""
    pile.stream += GAMMA
    i = below(pile.stream, pile.count)
    card = np.int64(pile.cards[i])
    pile.count -= 1
    pile.cards[i] = pile.cards[pile.count]
    return card


@leaf
def known_goods(public, own, seat, w):
    """Word w of the buried goods of a seat that the imagining seat knows."""
    return public.seen_buried[seat, w] | own.goods[w] if seat == np.int64(own.seat) else public.seen_buried[seat, w]


@leaf
def fill_goods(game, public, own, seat):
    """Buried goods: those that are known, and random cards besides."""
    held = np.int64(0)
    for w in range(WORDS):
        game.buried[seat, w] = known_goods(public, own, seat, w)
        held += popcount(game.buried[seat, w])
    while held < public.buried_size[seat] and game.draw_pile.count > 0:
        card = random_card(game.draw_pile)
        game.buried[seat, card >> 6] |= bit(card & 63)
        held += 1
    for w in range(WORDS):
        game.own[seat].goods[w] = own.goods[w] if seat == np.int64(own.seat) else np.uint64(0)


@shared
def imagine_dead_cards(game, public, own, tables, dead_discards, me):
    """Gives every ghost hand its known cards and random ones besides; what is left is the Dead Men's Deck."""
    players = np.int64(public.players)
    for i in range(np.int64(dead_discards.count)):
        game.dead_discards.cards[i] = dead_discards.cards[i]
    game.dead_discards.count = dead_discards.count
    game.dead_discards.known = 0
    game.dead_pile.count = 0
    game.dead_pile.known = 0
    game.by_ghost = 0
    game.possessor = NO_SEAT
    game.glimpses = 1
    for w in range(WORDS):
        unseen = tables.dead_deck[w] & ~own.dead_hand[w]
        for seat in range(players):
            if seat != me:
                game.own[seat].dead_hand[w] = own.team_hands[seat, w]
                unseen &= ~own.team_hands[seat, w]
        for i in range(np.int64(dead_discards.count)):
            if np.int64(dead_discards.cards[i]) >> 6 == w:
                unseen &= ~bit(np.int64(dead_discards.cards[i]) & 63)
        for i in range(np.int64(public.lasting_count)):
            entry = public.lasting[i]
            if entry.effect == PROPER_BURIAL and np.int64(entry.card) >> 6 == w:
                unseen &= ~bit(np.int64(entry.card) & 63)
        while unseen != 0:
            game.dead_pile.cards[game.dead_pile.count] = lowest(unseen) + 64 * w
            game.dead_pile.count += 1
            unseen = rest(unseen)
        game.removed_dead[w] = np.uint64(0)
    for seat in range(players):
        if seat != me:
            held = np.int64(0)
            for w in range(WORDS):
                held += popcount(game.own[seat].dead_hand[w])
            while held < public.dead_hand_size[seat] and game.dead_pile.count > 0:
                card = random_card(game.dead_pile)
                game.own[seat].dead_hand[card >> 6] |= bit(card & 63)
                held += 1
    game.public.dead_draw_size = game.dead_pile.count
