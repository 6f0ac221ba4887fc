"""The turn: its phases in order (B-10 … B-16), Dynamite and Jail, and the characters who draw in their own way."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf, shared
from sim.kernel.piles import put_on_top, take_top

from .ask import ask, ask_what_to_play
from .cards import (
    add_to_hand,
    discard,
    discard_from_hand,
    draw_cards,
    enter_play,
    explodes,
    first_card,
    first_in_play,
    is_heart,
    leave_play,
    remake_empty_deck,
    show_to_all,
    steal_blind,
    take_from_deck,
)
from .damage import lose_life, offer_sid, settle, suzy_draws, use_sid
from .dead_cards import collect_taxes, end_of_turn_effects
from .draw_check import draw_check
from .effects import play_card
from .fading import begin_effects, count_other_use, fade_of_caster, skip_effects
from .flags import DEATH_MESA, INSTRUMENTED, WORDS
from .ghost_turn import convert_at_turn_end, ghost_discard_phase, ghost_draw_phase, ghost_plays_once
from .journal import note
from .lasting import is_under
from .names import (
    BLACK_JACK,
    BY_DYNAMITE,
    DEATH_AND_TAXES,
    DIAMONDS,
    DISCARD,
    DISCARD_PHASE,
    DRAW_PHASE,
    DYNAMITE,
    E_DISCARDED,
    E_DRAWN,
    E_RETURNED,
    E_TAKEN,
    E_TURN,
    END,
    FROM_DECK,
    FROM_DISCARD_PILE,
    FROM_SEAT,
    HEARTS,
    JAIL,
    JESSE_JONES,
    KEEP,
    KIT_CARLSON,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    PEDRO_RAMIREZ,
    PLAY,
    PLAY_PHASE,
    PLAYING,
    SEATS,
    SOURCE,
    TURN_OVER,
    TURN_START,
    UNFINISHED,
    USE_SID,
    answer_target,
    answer_what,
)
from .questions import allow, allow_card, pose, without_same_name
from .returns import offer_return
from .seats import ghosts, hand_limit, is_alive, is_ghost, living, next_of, others, with_some


@leaf
def is_in(game, phase):
    return game.public.phase == phase and game.ending == PLAYING


@leaf
def play_turn(game, rules, tables):
    """From any phase to the start of the next turn. A state copied between two phases can be played on."""
    if is_in(game, TURN_START):
        turn_start(game, rules, tables)
    if is_in(game, DRAW_PHASE):
        draw_phase(game, rules, tables)
    while is_in(game, PLAY_PHASE):
        play_once(game, rules, tables)
    if is_in(game, DISCARD_PHASE):
        discard_phase(game, rules, tables)
    close_turn(game, rules, tables)
    if is_in(game, TURN_OVER):
        next_turn(game, rules)


@leaf
def close_turn(game, rules, tables):
    """What others may do once a turn is over (OP-26); once a turn."""
    if DEATH_MESA:
        if rules.dm_conversion_timing != 0 and is_in(game, TURN_OVER) and game.closed == 0:
            game.closed = 1
            convert_at_turn_end(game, rules, tables)


@leaf
def play_step(game, rules, tables):
    """The same in steps, for what looks at the state between them: one phase, or one play of phase 2."""
    phase = game.public.phase
    if phase == PLAY_PHASE:
        play_once(game, rules, tables)
    elif phase == TURN_START:
        turn_start(game, rules, tables)
    elif phase == DRAW_PHASE:
        draw_phase(game, rules, tables)
    elif phase == DISCARD_PHASE:
        discard_phase(game, rules, tables)
    else:
        next_turn(game, rules)


@leaf
def go_on(game, rules, phase):
    """The next phase, unless the player in turn has been eliminated."""
    if is_alive(game.public, np.int64(game.public.in_turn)):
        game.public.phase = phase
    else:
        end_turn_of_dead(game, rules)


@leaf
def end_turn_of_dead(game, rules):
    """A player eliminated in his own turn: it is over, or goes on as a ghost turn (OP-6)."""
    public = game.public
    public.phase = TURN_OVER
    if DEATH_MESA:
        if rules.dm_die_in_own_turn != 0 and is_ghost(public, np.int64(public.in_turn)):
            public.phase = DRAW_PHASE


@leaf
def next_turn(game, rules):
    """B-8: play goes clockwise to the next player in play (B-46: not for ever)."""
    public = game.public
    if public.turn >= rules.turn_cap:
        game.ending = UNFINISHED
        return
    begin_turn(game, next_of(living(public) | ghosts(public), np.int64(public.in_turn)))


@leaf
def begin_turn(game, seat):
    public = game.public
    if INSTRUMENTED:
        game.script.last_seat = public.in_turn if public.turn > 0 else NO_SEAT
        game.script.phase_3_done = 0
        game.script.habits.could_play = 0
    public.in_turn = seat
    public.phase = TURN_START
    public.turn += 1
    public.decisions = 0
    public.bangs_played = 0
    if DEATH_MESA:
        begin_turn_among_ghosts(game)
    game.record.turns_begun[seat] += 1
    note(game, E_TURN, seat, public.turn & 0x7FFF, public.turn >> 15, NOTHING, NOTHING)


@leaf
def begin_turn_among_ghosts(game):
    """Nothing has been played or converted in this turn."""
    public = game.public
    game.closed = 0
    public.dead_plays = 0
    public.dead_successes = 0
    public.ghost_bangs = 0
    public.uses = 0
    for seat in range(SEATS):
        public.conversions[seat] = 0


@shared
def ghost_turn_start(game, rules, tables, seat):
    """DM-11: what he cast until now ends; perhaps he comes back."""
    returned = offer_return(game, rules, tables, seat)
    suzy_draws(game, tables)
    game.public.phase = PLAY_PHASE if returned else DRAW_PHASE


@leaf
def turn_start(game, rules, tables):
    """B-10 steps 4 and 5."""
    public = game.public
    seat = np.int64(public.in_turn)
    if DEATH_MESA:
        fade_of_caster(game, rules, tables, seat)
        if is_ghost(public, seat):
            ghost_turn_start(game, rules, tables, seat)
            return
        suzy_draws(game, tables)
    dynamite = first_in_play(public, tables, seat, DYNAMITE)
    if dynamite != NO_CARD:
        check_dynamite(game, rules, tables, seat, dynamite)
        if game.ending != PLAYING or not is_alive(public, seat):
            end_turn_of_dead(game, rules)
            return
    jail = first_in_play(public, tables, seat, JAIL)
    if jail != NO_CARD:
        free = is_heart(tables, draw_check(game, rules, tables, seat))
        leave_play(game, tables, seat, jail)
        discard(game, jail)
        note(game, E_DISCARDED, seat, jail, NOTHING, NOTHING, NOTHING)
        if not free:
            public.phase = TURN_OVER
            if DEATH_MESA:
                skip_effects(game, rules, tables, seat)
            return
    if DEATH_MESA:
        begin_effects(game, seat)
    public.phase = DRAW_PHASE


@shared
def check_dynamite(game, rules, tables, seat, card):
    """B-71: it explodes, or passes to the next player to the left who has none in play, if there is one."""
    leave_play(game, tables, seat, card)
    if explodes(tables, draw_check(game, rules, tables, seat)):
        discard(game, card)
        note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)
        lose_life(game, rules, tables, seat, np.int64(tables.amount[card]), NO_SEAT, BY_DYNAMITE)
        settle(game, rules, tables)
    else:
        receiver = next_of(living(game.public), seat)
        while receiver != seat and without_same_name(game.public, tables, card, 1 << receiver) == 0:
            receiver = next_of(living(game.public), receiver)
        enter_play(game, tables, receiver, card)


@leaf
def draw_phase(game, rules, tables):
    """B-11 and the characters who draw otherwise: CH-2, CH-5, CH-7, CH-10."""
    public = game.public
    seat = np.int64(public.in_turn)
    ability = public.ability[seat]
    count = np.int64(rules.draw_count)
    if DEATH_MESA:
        if is_ghost(public, seat):
            ghost_draw_phase(game, rules, tables, seat)
            return
        if is_under(public, seat, DEATH_AND_TAXES):
            count = max(0, count - collect_taxes(game, rules, tables, seat))
    if count == 0:
        go_on(game, rules, PLAY_PHASE)
        return
    if ability == KIT_CARLSON:
        choose_of_three(game, rules, tables, seat, count)
    elif ability == JESSE_JONES or ability == PEDRO_RAMIREZ:
        draw_first_elsewhere(game, rules, tables, seat, ability)
        draw_cards(game, tables, seat, count - 1)
    elif ability == BLACK_JACK and count >= 2:
        draw_and_show_second(game, tables, seat, count)
    else:
        draw_cards(game, tables, seat, count)
    go_on(game, rules, PLAY_PHASE)


@shared
def draw_first_elsewhere(game, rules, tables, seat, ability):
    """CH-5 from another hand, CH-10 from the discard pile: the first card only."""
    public = game.public
    question = pose(game, seat, SOURCE, NO_SEAT, NO_CARD, ONE)
    allow(question, FROM_DECK)
    if ability == PEDRO_RAMIREZ:
        if public.discard_size > 0:
            allow(question, FROM_DISCARD_PILE)
    else:
        hands = with_some(public.hand_size, others(public, seat))
        if hands != 0:
            allow(question, FROM_SEAT)
            question.targets = hands
    given = ask(game, rules, tables, seat)
    source = answer_what(given)
    if source == FROM_SEAT:
        steal_blind(game, tables, seat, answer_target(given))
        suzy_draws(game, tables)
    elif source == FROM_DISCARD_PILE:
        take_from_discards(game, tables, seat)
    else:
        draw_cards(game, tables, seat, 1)


@leaf
def take_from_discards(game, tables, seat):
    """CH-10: the top of the discard pile, seen by all."""
    public = game.public
    pile = game.discard_pile
    pile.count -= 1
    card = np.int64(pile.cards[pile.count])
    public.discard_size = pile.count
    public.discard_top = pile.cards[pile.count - 1] if pile.count > 0 else NO_CARD
    add_to_hand(game, tables, seat, card)
    show_to_all(game, seat, card)
    note(game, E_TAKEN, seat, card, NO_SEAT, NOTHING, NOTHING)


@shared
def draw_and_show_second(game, tables, seat, count):
    """CH-2: a red second card brings one more."""
    draw_cards(game, tables, seat, 1)
    second = take_from_deck(game)
    if second == NO_CARD:
        return
    add_to_hand(game, tables, seat, second)
    show_to_all(game, seat, second)
    note(game, E_DRAWN, seat, second, ONE, NOTHING, NOTHING)
    red = tables.suit[second] == HEARTS or tables.suit[second] == DIAMONDS
    draw_cards(game, tables, seat, count - 2 + (1 if red else 0))


@shared
def choose_of_three(game, rules, tables, seat, count):
    """CH-7: looks at the top three cards, keeps ``count``, puts the others back on top in their order."""
    own = game.own[seat]
    wanted = max(3, count)
    enough = game.draw_pile.count >= wanted  # then looking does not empty the deck (B-18)
    looked = 0
    while looked < wanted:
        card = take_top(game.draw_pile) if enough else take_from_deck(game)
        if card == NO_CARD:
            break
        own.looked[looked] = card
        looked += 1
    for left in range(min(count, looked), 0, -1):
        keep_one(game, rules, tables, seat, looked, left)
    for k in range(looked - 1, -1, -1):
        if own.looked[k] != NO_CARD:
            put_on_top(game.draw_pile, own.looked[k])
            note(game, E_RETURNED, seat, own.looked[k], NOTHING, NOTHING, NOTHING)
    game.public.draw_size = game.draw_pile.count
    remake_empty_deck(game)


@leaf
def keep_one(game, rules, tables, seat, looked, left):
    """One of the cards looked at goes to the hand; ``left`` are to keep, which is no choice if it is all of them."""
    own = game.own[seat]
    question = pose(game, seat, KEEP, NO_SEAT, NO_CARD, left)
    available = 0
    for k in range(looked):
        if own.looked[k] != NO_CARD:
            allow_card(question, np.int64(own.looked[k]))
            available += 1
    chosen = first_card(question.cards) if left == available else answer_what(ask(game, rules, tables, seat))
    for k in range(looked):
        if own.looked[k] == chosen:
            own.looked[k] = NO_CARD
    add_to_hand(game, tables, seat, chosen)
    note(game, E_DRAWN, seat, chosen, NOTHING, NOTHING, NOTHING)


@leaf
def discard_phase(game, rules, tables):
    """B-16: down to the hand limit, one card a question."""
    public = game.public
    seat = np.int64(public.in_turn)
    limit = hand_limit(public, rules, seat)
    if DEATH_MESA:
        if is_ghost(public, seat):
            ghost_discard_phase(game, rules, tables, seat)
            return
    while public.hand_size[seat] > limit and game.ending == PLAYING:
        question = pose(game, seat, DISCARD, NO_SEAT, NO_CARD, np.int64(public.hand_size[seat]) - limit)
        for w in range(WORDS):
            question.cards[w] = game.own[seat].hand[w]
        discard_from_hand(game, tables, seat, answer_what(ask(game, rules, tables, seat)))
    suzy_draws(game, tables)
    public.phase = TURN_OVER
    if INSTRUMENTED:
        game.script.phase_3_done = 1
    if DEATH_MESA:
        if public.lasting_count > 0:
            if INSTRUMENTED:
                game.script.phase_3_done = 0  # a Proper Burial may lift him above the limit
            end_of_turn_effects(game, rules, tables, seat)
            suzy_draws(game, tables)


@leaf
def play_once(game, rules, tables):
    """B-12: one card or ability, resolved to its end, or the end of phase 2."""
    public = game.public
    seat = np.int64(public.in_turn)
    if DEATH_MESA:
        if is_ghost(public, seat):
            ghost_plays_once(game, rules, tables, seat)
            if game.ending == PLAYING:
                offer_sid(game, rules, tables)
            return
    pose(game, seat, PLAY, NO_SEAT, NO_CARD, NOTHING)
    given = ask_what_to_play(game, rules, tables, seat)
    what = answer_what(given)
    if game.ending != PLAYING:
        return
    if what == END:
        public.phase = DISCARD_PHASE
        return
    if what == USE_SID:
        count_other_use(game, rules, tables, seat)
        use_sid(game, rules, tables, seat)
        suzy_draws(game, tables)
    else:
        play_card(game, rules, tables, seat, what, answer_target(given))
    go_on(game, rules, PLAY_PHASE)
    if game.ending == PLAYING:
        offer_sid(game, rules, tables)
