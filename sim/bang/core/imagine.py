"""From what a seat knows to a full state: hidden cards and roles filled in at random (design: nobody peeks)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest, popcount, rest
from sim.kernel.jit import leaf, shared
from sim.kernel.streams import GAMMA, below, rollout_key

from .cards import add_to_hand, effects_of
from .flags import WORDS
from .names import HIDDEN, NO_SEAT, PLAYING, SEATS, SHERIFF
from .seats import is_alive
from .setup import seed_streams


@shared
def imagine(game, public, own, tables, discards, key, decision, rollout):
    """Fills ``game`` with a state that agrees with what one seat knows.

    ``public``, ``own``: the records of that seat, from another block. ``discards``: the pile as it lies, which
    everybody saw grow. The hidden cards and roles and all further chance come from ``rollout_key(key, decision,
    rollout)``; nothing is read that the seat does not know. ``game.public`` must already be a copy of ``public``.
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
        game.own[seat].strategy = game.strategy_of_role[np.int64(game.own[seat].role)]


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
            game.own[seat].hand[w] = known
            game.public.hand_size[seat] += popcount(known)
        game.own[seat].effects = effects_of(game.own[seat].hand, tables)
        if is_alive(public, seat) and seat != me:
            fill_hand(game, tables, seat, wanted)
    game.public.draw_size = game.draw_pile.count


@leaf
def fill_hand(game, tables, seat, wanted):
    from_pile = game.draw_pile
    while game.public.hand_size[seat] < wanted and from_pile.count > 0:
        from_pile.stream += GAMMA
        i = below(from_pile.stream, from_pile.count)
        card = np.int64(from_pile.cards[i])
        from_pile.count -= 1
        from_pile.cards[i] = from_pile.cards[from_pile.count]
        add_to_hand(game, tables, seat, card)
