"""Where cards are and how they move: hands, cards in play, the two piles (B-18, B-19)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest, nth, popcount, rest
from sim.kernel.jit import leaf, shared
from sim.kernel.piles import draw_at_random, lay_down, shuffle_into, take_top
from sim.kernel.streams import GAMMA, below

from .flags import DEATH_MESA, WORDS
from .journal import note
from .lasting import calm, is_under
from .names import (
    E_DISCARDED,
    E_DRAWN,
    E_LAID,
    E_MOVED,
    E_REVEALED,
    E_SHUFFLED,
    E_TAKEN,
    HEARTS,
    LIVING_EFFECTS,
    MUSTANG,
    NIGHTMARE,
    NO_ABILITY,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    PAUL_REGRET,
    ROSE_DOOLAN,
    SCOPE,
    SEATS,
    SID_KETCHUM,
    SPADES,
    SUZY_LAFAYETTE,
    VOLCANIC,
    VULTURE_SAM,
    WEAPON,
)
from .seats import working

CHANGES_DISTANCE = 1 << MUSTANG | 1 << SCOPE
IS_WEAPON = 1 << WEAPON | 1 << VOLCANIC


@leaf
def has(cards, card):
    """Whether a card set holds a card."""
    return cards[card >> 6] & bit(card & 63) != 0


@leaf
def holds_effect(cards, tables, effect):
    """Whether a card set holds a card with an effect."""
    found = np.uint64(0)
    for w in range(WORDS):
        found |= cards[w] & tables.of_effect[effect, w]
    return found != 0


@leaf
def first_with_effect(cards, tables, effect):
    """The first card of a set with an effect, NO_CARD if there is none."""
    for w in range(WORDS):
        found = cards[w] & tables.of_effect[effect, w]
        if found != 0:
            return lowest(found) + 64 * w
    return NO_CARD


@leaf
def count_with_effect(cards, tables, effect):
    """How many cards of a set have an effect."""
    count = 0
    for w in range(WORDS):
        count += popcount(cards[w] & tables.of_effect[effect, w])
    return count


@leaf
def count_cards(cards):
    """How many cards a set holds."""
    count = np.int64(0)
    for w in range(WORDS):
        count += popcount(cards[w])
    return count


@leaf
def first_card(cards):
    """The first card of a set, NO_CARD if it is empty."""
    for w in range(WORDS):
        if cards[w] != 0:
            return lowest(cards[w]) + 64 * w
    return NO_CARD


@leaf
def in_hand(own, effect):
    """Whether a hand holds a card with an effect."""
    return np.int64(own.effects) >> effect & 1 != 0


@leaf
def effects_of(cards, tables):
    """The effects of the cards of a set, as a bit mask; the Dead Men's cards are left out."""
    effects = np.int64(0)
    for effect in range(len(LIVING_EFFECTS)):
        if holds_effect(cards, tables, effect):
            effects |= 1 << effect
    return effects


@leaf
def effects_in_front(public, tables, seat):
    """The effects of the working cards in front of a seat, as a bit mask."""
    effects = np.int64(0)
    for effect in range(len(LIVING_EFFECTS)):
        for w in range(WORDS):
            if working(public, seat, w) & tables.of_effect[effect, w] != 0:
                effects |= 1 << effect
    return effects


@leaf
def add_to_hand(game, tables, seat, card):
    """A card enters a hand unseen."""
    own = game.own[seat]
    own.hand[card >> 6] |= bit(card & 63)
    own.effects = np.int64(own.effects) | 1 << np.int64(tables.effect[card])
    game.public.hand_size[seat] += 1


@leaf
def show_to_all(game, seat, card):
    """Everybody saw this card enter the hand of a seat."""
    game.public.seen_in_hand[seat, card >> 6] |= bit(card & 63)


@leaf
def remove_from_hand(game, tables, seat, card):
    """A named card leaves a hand."""
    own = game.own[seat]
    w = card >> 6
    gone = ~bit(card & 63)
    own.hand[w] &= gone
    effect = np.int64(tables.effect[card])
    was_last = np.int64(not holds_effect(own.hand, tables, effect))
    own.effects = np.int64(own.effects) & ~(was_last << effect)
    game.public.seen_in_hand[seat, w] &= gone
    game.public.hand_size[seat] -= 1
    if DEATH_MESA:
        if game.glimpses != 0:
            for viewer in range(SEATS):
                game.own[viewer].glimpsed[seat, w] &= gone


@leaf
def discard(game, card):
    """A card goes on top of the discard pile."""
    lay_down(game.discard_pile, card)
    game.public.discard_top = card
    game.public.discard_size += 1


@shared
def reshuffle(game):
    """B-18: the discard pile becomes the new deck."""
    shuffle_into(game.discard_pile, game.draw_pile)
    game.public.draw_size = game.draw_pile.count
    game.public.discard_size = 0
    game.public.discard_top = NO_CARD
    note(game, E_SHUFFLED, NO_SEAT, game.draw_pile.count, NOTHING, NOTHING, NOTHING)


@leaf
def take_from_deck(game):
    """The top card of the deck, NO_CARD when there is none anywhere; an emptied deck is made anew at once (B-18)."""
    remake_empty_deck(game)
    card = take_top(game.draw_pile)
    game.public.draw_size = game.draw_pile.count
    remake_empty_deck(game)
    return card


@leaf
def remake_empty_deck(game):
    """B-18: an empty deck is made anew as soon as there are discards."""
    if game.draw_pile.count == 0 and game.discard_pile.count > 0:
        reshuffle(game)


@leaf
def draw_unknown(game, tables, seat, count):
    """The same from a deck that lasts and has no known card: nothing has to be looked at between two cards."""
    own = game.own[seat]
    pile = game.draw_pile
    stream = pile.stream
    left = np.int64(pile.count)
    effects = np.int64(own.effects)
    for _ in range(count):
        stream += GAMMA
        card = draw_at_random(pile, stream, left)
        left -= 1
        own.hand[card >> 6] |= bit(card & 63)
        effects |= 1 << np.int64(tables.effect[card])
        note(game, E_DRAWN, seat, card, NOTHING, NOTHING, NOTHING)
    own.effects = effects
    pile.stream = stream
    pile.count = left
    game.public.draw_size = left
    game.public.hand_size[seat] += count


@shared
def draw_cards(game, tables, seat, count):
    """A player draws cards from the deck into his hand."""
    if game.draw_pile.known == 0 and game.draw_pile.count > count:
        draw_unknown(game, tables, seat, count)
        return
    for _ in range(count):
        card = take_from_deck(game)
        if card == NO_CARD:
            return
        add_to_hand(game, tables, seat, card)
        note(game, E_DRAWN, seat, card, NOTHING, NOTHING, NOTHING)


@leaf
def reveal(game, seat):
    """B-19: the top card is turned over for a "draw!"; the caller discards it. NO_CARD when there is none."""
    card = take_from_deck(game)
    if card != NO_CARD:
        note(game, E_REVEALED, seat, card, NOTHING, NOTHING, NOTHING)
    return card


@leaf
def discard_from_hand(game, tables, seat, card):
    """A player discards a card he names."""
    remove_from_hand(game, tables, seat, card)
    discard(game, card)
    note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)


@leaf
def pick_blind(game, taker, cards, count):
    """A random card of a set of ``count`` ≥ 1 cards, by the taker's own dice."""
    game.picks[taker] += GAMMA
    n = below(game.picks[taker], count)
    card = np.int64(NO_CARD)
    for w in range(WORDS):
        here = popcount(cards[w])
        if n < here:
            card = nth(cards[w], n) + 64 * w
            break
        n -= here
    return card


@shared
def take_blind(game, tables, taker, victim):
    """Removes a random card from a hand, by the taker's own dice. The hand must not be empty.

    The others cannot tell which card went, so no card of that hand counts as known any more.
    """
    card = pick_blind(game, taker, game.own[victim].hand, np.int64(game.public.hand_size[victim]))
    remove_from_hand(game, tables, victim, card)
    for w in range(WORDS):
        game.public.seen_in_hand[victim, w] = np.uint64(0)
    return card


@leaf
def steal_blind(game, tables, taker, victim):
    """A random hand card of the victim goes to the taker's hand."""
    card = take_blind(game, tables, taker, victim)
    add_to_hand(game, tables, taker, card)
    note(game, E_TAKEN, taker, card, victim, ONE, NOTHING)


@shared
def refresh_distances(game, tables, seat):
    """B-21, B-22: how far a seat is seen, sees and shoots, after its cards in play or its ability changed."""
    public = game.public
    ability = public.ability[seat]
    far = 1 if ability == PAUL_REGRET else 0
    near = 1 if ability == ROSE_DOOLAN else 0
    gun = np.int64(0)
    for w in range(WORDS):
        cards = working(public, seat, w)
        far += popcount(cards & tables.of_effect[MUSTANG, w])
        near += popcount(cards & tables.of_effect[SCOPE, w])
        if cards & tables.weapons[w] != 0:
            gun = np.int64(tables.range[lowest(cards & tables.weapons[w]) + 64 * w])
    public.weapon_range[seat] = gun
    public.near[seat] = near
    me = 1 << seat
    seen_far, seen_farther = np.int64(public.far[0]), np.int64(public.far[1])
    public.far[0] = seen_far | me if far >= 1 else seen_far & ~me
    public.far[1] = seen_farther | me if far >= 2 else seen_farther & ~me


@leaf
def has_in_play(public, seat, effect):
    """Whether a card with an effect lies in front of a seat."""
    return np.int64(public.effects_in_play[seat]) >> effect & 1 != 0


@leaf
def first_in_play(public, tables, seat, effect):
    """The first working card with an effect in front of a seat, NO_CARD if there is none."""
    if has_in_play(public, seat, effect):
        for w in range(WORDS):
            found = working(public, seat, w) & tables.of_effect[effect, w]
            if found != 0:
                return lowest(found) + 64 * w
    return NO_CARD


@leaf
def enter_play(game, tables, seat, card):
    """A card comes to lie in front of a seat."""
    game.public.in_play[seat, card >> 6] |= bit(card & 63)
    begin_to_work(game, tables, seat, card)
    note(game, E_LAID, seat, card, NOTHING, NOTHING, NOTHING)


@leaf
def begin_to_work(game, tables, seat, card):
    """A card in front of a seat has its effect from now on."""
    public = game.public
    effect = np.int64(tables.effect[card])
    public.effects_in_play[seat] = np.int64(public.effects_in_play[seat]) | 1 << effect
    if 1 << effect & IS_WEAPON != 0:
        public.weapon_range[seat] = tables.range[card]
    elif 1 << effect & CHANGES_DISTANCE != 0:
        refresh_distances(game, tables, seat)


@leaf
def leave_play(game, tables, seat, card):
    """A card in front of a seat is taken away."""
    public = game.public
    public.in_play[seat, card >> 6] &= ~bit(card & 63)
    note(game, E_MOVED, seat, card, NOTHING, NOTHING, NOTHING)
    if DEATH_MESA:
        if has(public.terrified, card):
            calm(game, card)
            return
    cease_to_work(game, tables, seat, card)


@leaf
def cease_to_work(game, tables, seat, card):
    """A card no longer has its effect for a seat."""
    public = game.public
    effect = np.int64(tables.effect[card])
    left = np.uint64(0)
    for w in range(WORDS):
        left |= working(public, seat, w) & tables.of_effect[effect, w]
    was_last = np.int64(left == 0)
    public.effects_in_play[seat] = np.int64(public.effects_in_play[seat]) & ~(was_last << effect)
    if 1 << effect & IS_WEAPON != 0:
        public.weapon_range[seat] = 0  # B-15: there is only one
    elif 1 << effect & CHANGES_DISTANCE != 0:
        refresh_distances(game, tables, seat)


@shared
def refresh_ability(game, tables, seat):
    """The ability in force: that of the character, unless it is off (DM-4, DM-74, DM-C19)."""
    public = game.public
    character = np.int64(public.character[seat])
    ability = np.int64(NO_ABILITY) if character < 0 else np.int64(tables.ability[character])
    if DEATH_MESA:
        asleep = is_under(public, seat, NIGHTMARE) or np.int64(public.ghosts | public.zombies) >> seat & 1 != 0
        if asleep:
            ability = np.int64(NO_ABILITY)
    public.ability[seat] = ability
    refresh_distances(game, tables, seat)
    refresh_watchers(game)


@leaf
def refresh_watchers(game):
    """Which seats have the abilities that others' actions must look for."""
    public = game.public
    public.sid = seats_with(public, SID_KETCHUM)
    public.suzy = seats_with(public, SUZY_LAFAYETTE)
    public.sam = seats_with(public, VULTURE_SAM)


@leaf
def seats_with(public, ability):
    """The seats that have an ability."""
    seats = 0
    for seat in range(np.int64(public.players)):
        if public.ability[seat] == ability:
            seats |= 1 << seat
    return seats


@shared
def discard_everything(game, tables, seat):
    """All cards of a seat go to the discard pile: hand cards first, then those in play (B-34, B-36)."""
    for w in range(WORDS):
        cards = game.own[seat].hand[w]
        while cards != 0:
            discard_from_hand(game, tables, seat, lowest(cards) + 64 * w)
            cards = rest(cards)
    for w in range(WORDS):
        cards = game.public.in_play[seat, w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            leave_play(game, tables, seat, card)
            discard(game, card)
            cards = rest(cards)


@shared
def hand_over_everything(game, tables, giver, taker):
    """CH-15: all cards of one seat, in hand and in play, go to another's hand."""
    for w in range(WORDS):
        cards = game.own[giver].hand[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            remove_from_hand(game, tables, giver, card)
            add_to_hand(game, tables, taker, card)
            note(game, E_TAKEN, taker, card, giver, NOTHING, NOTHING)
            cards = rest(cards)
    for w in range(WORDS):
        cards = game.public.in_play[giver, w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            leave_play(game, tables, giver, card)
            add_to_hand(game, tables, taker, card)
            show_to_all(game, taker, card)
            note(game, E_TAKEN, taker, card, giver, NOTHING, NOTHING)
            cards = rest(cards)


@leaf
def is_heart(tables, card):
    """Whether a "draw!" opens Jail or stops a shot (B-25, B-70)."""
    return card != NO_CARD and tables.suit[card] == HEARTS


@leaf
def explodes(tables, card):
    """Whether a "draw!" sets Dynamite off: spades 2 to 9 (B-71)."""
    return card != NO_CARD and tables.suit[card] == SPADES and tables.rank[card] <= 9
