"""Cards of the dead: ghost hands, the Dead Men's Deck (DM-8 … DM-15), buried goods (DM-2, DM-17)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest, rest
from sim.kernel.jit import leaf, shared
from sim.kernel.piles import lay_down, shuffle_into, take_top

from .cards import (
    add_to_hand,
    discard,
    has,
    leave_play,
    pick_blind,
    remove_from_hand,
    show_to_all,
    take_from_deck,
)
from .flags import WORDS
from .journal import note
from .names import (
    DEPUTY,
    DYNAMITE,
    E_BURIED,
    E_DEAD_DISCARDED,
    E_DEAD_DRAWN,
    E_DEAD_TAKEN,
    E_DISCARDED,
    E_DUG_UP,
    E_SHUFFLED,
    JAIL,
    MILLION,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OUTLAW,
    RENEGADE,
    SEATS,
)
from .seats import ghosts, is_ghost


@leaf
def team_of(game, rules, seat):
    """The team of a role that is open: Outlaws, Deputies, and each Renegade for himself (OP-30)."""
    return team(np.int64(game.public.known_role[seat]), rules, seat)


@leaf
def team(role, rules, seat):
    if role == OUTLAW:
        return np.int64(0)
    if role == DEPUTY:
        return np.int64(1)
    return np.int64(2) if rules.dm_renegades_one_team != 0 else 2 + seat


@shared
def is_one_team(public, rules):
    """DM-22: whether all ghosts are of one team, or there is only one."""
    left = ghosts(public)
    if left == 0:
        return False
    first = lowest(left)
    wanted = team(np.int64(public.known_role[first]), rules, first)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        if team(np.int64(public.known_role[seat]), rules, seat) != wanted:
            return False
    return True


@leaf
def dead_renegades(public):
    """The ghosts who are Renegades."""
    found = np.int64(0)
    left = ghosts(public)
    while left != 0:
        seat = lowest(left)
        left &= left - 1
        if public.known_role[seat] == RENEGADE:
            found |= 1 << seat
    return found


# The Dead Men's Deck


@shared
def draw_dead(game, rules, seat, count):
    """DM-8, DM-12: a ghost draws; an empty deck is made anew when a card is needed (DM-15)."""
    public = game.public
    for _ in range(count):
        if game.dead_pile.count == 0 and rules.dmd_reshuffle != 0:
            shuffle_into(game.dead_discards, game.dead_pile)
            public.dead_discard_size = 0
            public.dead_discard_top = NO_CARD
            note(game, E_SHUFFLED, NO_SEAT, np.int64(game.dead_pile.count), ONE, NOTHING, NOTHING)
        card = take_top(game.dead_pile)
        public.dead_draw_size = game.dead_pile.count
        if card == NO_CARD:
            return
        add_dead(game, seat, card)
        note(game, E_DEAD_DRAWN, seat, card, NOTHING, NOTHING, NOTHING)


@leaf
def add_dead(game, seat, card):
    """A Dead Men's card enters a ghost hand."""
    game.own[seat].dead_hand[card >> 6] |= bit(card & 63)
    game.public.dead_hand_size[seat] += 1


@leaf
def remove_dead(game, seat, card):
    """A Dead Men's card leaves a ghost hand."""
    game.own[seat].dead_hand[card >> 6] &= ~bit(card & 63)
    game.public.dead_hand_size[seat] -= 1


@leaf
def lay_off(game, card):
    """A Dead Men's card goes on top of its own discard pile (DM-14)."""
    lay_down(game.dead_discards, card)
    game.public.dead_discard_top = card
    game.public.dead_discard_size += 1


@shared
def discard_dead(game, seat, card):
    """A ghost discards a Dead Men's card he names."""
    remove_dead(game, seat, card)
    lay_off(game, card)
    note(game, E_DEAD_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)


@shared
def pick_from_discards(game, card):
    """A card is taken out of the Dead Men's discard pile again."""
    pile = game.dead_discards
    last = np.int64(pile.count) - 1
    found = False
    for i in range(last):
        found = found or pile.cards[i] == card
        if found:
            pile.cards[i] = pile.cards[i + 1]
    pile.count = last
    game.public.dead_discard_size = last
    game.public.dead_discard_top = pile.cards[last - 1] if last > 0 else NO_CARD


@shared
def take_back(game, seat, card):
    """OP-16: a card already discarded returns to the ghost hand that paid it."""
    pick_from_discards(game, card)
    add_dead(game, seat, card)
    note(game, E_DEAD_TAKEN, seat, card, seat, NOTHING, NOTHING)


@shared
def lose_dead_at_random(game, ghost, taker):
    """DM-42, DM-R8: a random card of a ghost hand goes to the Dead Men's discard pile; the taker picks blindly."""
    if game.public.dead_hand_size[ghost] > 0:
        size = np.int64(game.public.dead_hand_size[ghost])
        discard_dead(game, ghost, pick_blind(game, taker, game.own[ghost].dead_hand, size))


@shared
def discard_ghost_hand(game, seat):
    """All Dead Men's cards of a seat go to their discard pile (DM-65, DM-78)."""
    for w in range(WORDS):
        cards = game.own[seat].dead_hand[w]
        while cards != 0:
            discard_dead(game, seat, lowest(cards) + 64 * w)
            cards = rest(cards)


@shared
def share_hands(game, rules):
    """OP-10: if teams share them, each ghost knows the ghost hands of his team."""
    public = game.public
    for viewer in range(SEATS):
        for seat in range(SEATS):
            shared_with = (
                rules.dm_ghost_team_info != 0
                and is_ghost(public, viewer)
                and is_ghost(public, seat)
                and team_of(game, rules, viewer) == team_of(game, rules, seat)
            )
            for w in range(WORDS):
                hand = game.own[seat].dead_hand[w]
                game.own[viewer].team_hands[seat, w] = hand if shared_with else np.uint64(0)


# Buried goods


@leaf
def look_at_goods(game, rules, seat):
    """OP-9: the owner knows his buried goods, if he may."""
    for w in range(WORDS):
        game.own[seat].goods[w] = game.buried[seat, w] if rules.dm_goods_owner_sees != 0 else np.uint64(0)


@shared
def bury(game, rules, seat, card, seen):
    """A normal card goes to the buried goods of a seat. ``seen``: everybody saw which."""
    public = game.public
    game.buried[seat, card >> 6] |= bit(card & 63)
    if seen != 0:
        public.seen_buried[seat, card >> 6] |= bit(card & 63)
    public.buried_size[seat] += 1
    game.last_buried = card
    look_at_goods(game, rules, seat)
    note(game, E_BURIED, seat, card, NOTHING, NOTHING, NOTHING)


@shared
def dig_up(game, rules, seat, card):
    """A card leaves the buried goods of a seat."""
    public = game.public
    game.buried[seat, card >> 6] &= ~bit(card & 63)
    public.seen_buried[seat, card >> 6] &= ~bit(card & 63)
    public.buried_size[seat] -= 1
    look_at_goods(game, rules, seat)
    note(game, E_DUG_UP, seat, card, NOTHING, NOTHING, NOTHING)


@shared
def dig_up_blind(game, rules, seat, taker):
    """A random buried card, by the taker's own dice; the goods must not be empty.

    The others cannot tell which card went, so none of these goods counts as seen any more.
    """
    card = pick_blind(game, taker, game.buried[seat], np.int64(game.public.buried_size[seat]))
    dig_up(game, rules, seat, card)
    for w in range(WORDS):
        game.public.seen_buried[seat, w] = np.uint64(0)
    return card


@shared
def draw_goods(game, rules, seat, count):
    """Cards of the normal deck go to the buried goods of a ghost (DM-17). Returns how many there were."""
    for drawn in range(count):
        card = take_from_deck(game)
        if card == NO_CARD:
            return np.int64(drawn)
        bury(game, rules, seat, card, NOTHING)
    return np.int64(count)


@shared
def receive(game, rules, tables, seat, card, seen):
    """A normal card comes to a player: to the hand of a living one, to the buried goods of a ghost (DM-17)."""
    if is_ghost(game.public, seat):
        bury(game, rules, seat, card, seen)
    else:
        add_to_hand(game, tables, seat, card)
        if seen != 0:
            show_to_all(game, seat, card)
        note(game, E_DEAD_TAKEN, seat, card, NO_SEAT, NOTHING, NOTHING)


@shared
def discard_goods(game, rules, seat):
    """All buried goods of a seat go to the discard pile."""
    for w in range(WORDS):
        cards = game.buried[seat, w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            dig_up(game, rules, seat, card)
            discard(game, card)
            note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)


@shared
def bury_everything(game, rules, tables, seat):
    """DM-2: hand and table of an eliminated player become his buried goods, as far as the rules keep them."""
    public = game.public
    own = game.own[seat]
    count = np.int64(0)
    for w in range(WORDS):
        cards = own.hand[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            seen = ONE if has(public.seen_in_hand[seat], card) else NOTHING
            remove_from_hand(game, tables, seat, card)
            bury(game, rules, seat, card, seen)
            count += 1
    for w in range(WORDS):
        cards = public.in_play[seat, w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            leave_play(game, tables, seat, card)
            nuisance = tables.effect[card] == JAIL or tables.effect[card] == DYNAMITE
            if nuisance and rules.dm_goods_include_jail_dynamite == 0:
                discard(game, card)
                note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)
            else:
                bury(game, rules, seat, card, ONE)
                count += 1
    for _ in range(count * (MILLION - np.int64(rules.dm_goods_kept)) // MILLION):
        card = dig_up_blind(game, rules, seat, seat)
        discard(game, card)
        note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)
