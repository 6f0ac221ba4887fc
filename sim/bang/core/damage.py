"""Losing life, saving oneself, and being eliminated (B-28 … B-37)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest
from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import (
    discard_everything,
    discard_from_hand,
    draw_cards,
    hand_over_everything,
    in_hand,
    steal_blind,
)
from .endings import test_victory
from .flags import WORDS
from .journal import note
from .names import (
    BART_CASSIDY,
    BEER,
    DEPUTY,
    E_FALLEN,
    E_LIFE,
    E_PENALTY,
    E_REWARD,
    EL_GRINGO,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OUTLAW,
    PASS,
    PAY,
    PLAYING,
    RENEGADE,
    SAVE,
    SHERIFF,
    SID,
    SID_KETCHUM,
    USE_SID,
    answer_what,
)
from .questions import allow, allow_effect, can_use_sid, pose
from .seats import count_living, is_alive, living, next_of, others


@leaf
def gain_life(game, seat, points):
    """B-6: life regained, never above the maximum."""
    public = game.public
    life = min(np.int64(public.life[seat]) + np.int64(points), np.int64(public.max_life[seat]))
    if life != public.life[seat]:
        note(game, E_LIFE, seat, life - np.int64(public.life[seat]), life, NO_SEAT, NOTHING)
        public.life[seat] = life


@leaf
def beer_works(public, rules):
    """B-32: with two players in play Beer has no effect."""
    return rules.beer_with_two_players != 0 or count_living(public) > 2


@shared
def pay(game, rules, tables, seat, count, card):
    """A player discards ``count`` hand cards of his choice as a price, one question a card."""
    for left in range(count, 0, -1):
        question = pose(game, seat, PAY, NO_SEAT, card, left)
        for w in range(WORDS):
            question.cards[w] = game.own[seat].hand[w]
        discard_from_hand(game, tables, seat, answer_what(ask(game, rules, tables, seat)))


@shared
def use_sid(game, rules, tables, seat):
    """CH-12: cards for life."""
    pay(game, rules, tables, seat, np.int64(rules.sid_ketchum_cost), NO_CARD)
    if game.ending == PLAYING:
        gain_life(game, seat, rules.sid_ketchum_heal)


@leaf
def offer_sid(game, rules, tables):
    """CH-12 outside the own turn, between two completely resolved cards."""
    public = game.public
    seats = np.int64(public.sid) & others(public, np.int64(public.in_turn))
    if seats != 0:
        if seats & (seats - 1) != 0 or can_use_sid(public, rules, lowest(seats)):  # one seat is settled at a glance
            offer_sid_to(game, rules, tables, seats)


@shared
def offer_sid_to(game, rules, tables, seats):
    """Offers it to seats, clockwise from the player in turn."""
    public = game.public
    seat = np.int64(public.in_turn)
    while seats != 0:
        seat = next_of(seats, seat)
        seats &= ~(1 << seat)
        while can_use_sid(public, rules, seat) and game.ending == PLAYING:
            question = pose(game, seat, SID, NO_SEAT, NO_CARD, NOTHING)
            allow(question, USE_SID)
            allow(question, PASS)
            if answer_what(ask(game, rules, tables, seat)) == PASS:
                break
            use_sid(game, rules, tables, seat)
            suzy_draws(game, tables)


@shared
def save_oneself(game, rules, tables, seat):
    """B-31: Beers and CH-12, in any order, as long as he is at 0 or below and wants to."""
    public = game.public
    own = game.own[seat]
    while public.life[seat] <= 0:
        sid = public.ability[seat] == SID_KETCHUM and public.hand_size[seat] >= rules.sid_ketchum_cost
        if not sid and not in_hand(own, BEER):
            return
        question = pose(game, seat, SAVE, NO_SEAT, NO_CARD, ONE - np.int64(public.life[seat]))
        allow_effect(question, own.hand, tables, BEER)
        if sid:
            allow(question, USE_SID)
        allow(question, PASS)
        chosen = answer_what(ask(game, rules, tables, seat))
        if chosen == PASS:
            return
        if chosen == USE_SID:
            use_sid(game, rules, tables, seat)
        else:
            discard_from_hand(game, tables, seat, chosen)
            if beer_works(public, rules):
                gain_life(game, seat, tables.amount[chosen])


@shared
def lose_life(game, rules, tables, seat, points, responsible, kind):
    """B-28, B-30: life points are lost at once; at 0 or below the player saves himself or is eliminated.

    ``responsible`` is the seat that is credited (B-29), −1 for nobody. What the loss triggers waits for ``settle``.
    """
    public = game.public
    public.life[seat] -= points
    note(game, E_LIFE, seat, -points, np.int64(public.life[seat]), responsible, kind)
    game.unsettled = np.int64(game.unsettled) | 1 << seat
    if public.life[seat] <= 0:
        save_oneself(game, rules, tables, seat)
        if public.life[seat] <= 0:
            fall(game, seat, responsible, kind)
            return
    game.wounds[seat] += points
    game.wounded_by[seat] = responsible


@shared
def fall(game, seat, responsible, kind):
    """B-34: the role is revealed and the player leaves the circle; his cards go when the card is resolved (B-37)."""
    public = game.public
    record = game.record
    role = np.int64(game.own[seat].role)
    public.alive = living(public) & ~(1 << seat)
    public.known_role[seat] = role
    public.roles_left[role] -= 1
    game.fallen[game.fallen_count] = seat
    game.fallen_count += 1
    record.dead[record.deaths] = seat
    record.deaths += 1
    record.died_in_turn[seat] = public.turn
    record.killer[seat] = responsible
    record.death_kind[seat] = kind
    if public.players == 3 and responsible >= 0 and responsible != seat and game.target_hit < 0:
        if role == target_of(np.int64(game.own[responsible].role)):
            game.target_hit = responsible
    note(game, E_FALLEN, seat, role, responsible, kind, NOTHING)


@leaf
def target_of(role):
    """B-2: the Deputy hunts the Renegade, the Renegade the Outlaw, the Outlaw the Deputy."""
    return RENEGADE if role == DEPUTY else OUTLAW if role == RENEGADE else DEPUTY


@leaf
def suzy_draws(game, tables):
    """CH-14: living players with this ability and no card draw one."""
    draw_when_empty(game, tables, np.int64(game.public.suzy) & living(game.public))


@leaf
def draw_when_empty(game, tables, seats):
    """Those of the seats that have no hand card draw one."""
    public = game.public
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        if public.hand_size[seat] == 0:
            draw_cards(game, tables, seat, 1)


@leaf
def wound_triggers(game, rules, tables, seat):
    """CH-1 and CH-4, once for each point lost to the card just resolved."""
    public = game.public
    wounds = np.int64(game.wounds[seat])
    game.wounds[seat] = 0
    if not is_alive(public, seat):
        return
    if public.ability[seat] == BART_CASSIDY:
        draw_cards(game, tables, seat, wounds * rules.bart_cassidy_draw)
    elif public.ability[seat] == EL_GRINGO:
        shooter = np.int64(game.wounded_by[seat])
        if shooter >= 0 and shooter != seat and is_alive(public, shooter):
            for _ in range(wounds):
                if public.hand_size[shooter] > 0:
                    steal_blind(game, tables, seat, shooter)
                    suzy_draws(game, tables)


@leaf
def triggers(game, rules, tables):
    """B-39: abilities triggered by the card just resolved, the player in turn first, then clockwise."""
    public = game.public
    waiting = np.int64(game.unsettled) | np.int64(public.suzy)
    seat = np.int64(public.in_turn)
    if waiting >> seat & 1 == 0:
        seat = next_of(waiting, seat)
    while True:
        waiting &= ~(1 << seat)
        if np.int64(public.suzy) >> seat & 1 != 0 and not awaits_penalty(game, rules, seat):
            draw_when_empty(game, tables, living(public) & 1 << seat)
        if game.wounds[seat] > 0:
            wound_triggers(game, rules, tables, seat)
        if waiting == 0:
            return
        seat = next_of(waiting, seat)


@leaf
def awaits_penalty(game, rules, seat):
    """CH-14f: whether a Sheriff is about to lose everything, before he draws for an empty hand."""
    due = False
    if rules.sheriff_penalty != 0 and game.own[seat].role == SHERIFF:
        for i in range(np.int64(game.fallen_count)):
            fallen = np.int64(game.fallen[i])
            due = due or (game.own[fallen].role == DEPUTY and game.record.killer[fallen] == seat)
    return due


@leaf
def settle(game, rules, tables):
    """What follows a completely resolved card or effect, if there is anything."""
    if game.unsettled != 0:
        settle_all(game, rules, tables)
    elif game.ending == PLAYING:
        suzy_draws(game, tables)


@shared
def settle_all(game, rules, tables):
    """The consequences in their order.

    Victory is tested first (B-40, B-45). Then come the abilities it triggered, the player in turn first, then clockwise
    (B-39), then the consequences of the eliminations, in their order (B-37).
    """
    if game.ending == PLAYING:
        if game.fallen_count > 0:
            test_victory(game, rules)
        if game.ending == PLAYING:
            triggers(game, rules, tables)
        for i in range(np.int64(game.fallen_count)):
            consequences(game, rules, tables, np.int64(game.fallen[i]))
    game.fallen_count = 0
    game.unsettled = 0


@shared
def consequences(game, rules, tables, seat):
    """B-37 for one elimination: his cards, then reward or penalty (none of these once the game is won, B-45)."""
    public = game.public
    takers = np.int64(public.sam) & living(public)
    if takers != 0:
        hand_over_everything(game, tables, seat, lowest(takers))
    else:
        discard_everything(game, tables, seat)
    responsible = np.int64(game.record.killer[seat])
    if game.ending == PLAYING and responsible >= 0 and is_alive(public, responsible):
        reward_or_penalty(game, rules, tables, responsible, np.int64(game.own[seat].role))
    suzy_draws(game, tables)


@leaf
def reward_or_penalty(game, rules, tables, responsible, role):
    """B-35, B-36; with three players B-2c."""
    reward = np.int64(rules.deputy_reward)
    if game.public.players == 3:
        reward = np.int64(rules.outlaw_reward) if rules.three_player_reward == 0 else 0
    elif role == OUTLAW:
        reward = np.int64(rules.outlaw_reward)
    elif role == RENEGADE:
        reward = np.int64(rules.renegade_reward)
    if reward > 0:
        note(game, E_REWARD, responsible, reward, role, NOTHING, NOTHING)
        draw_cards(game, tables, responsible, reward)
    if role == DEPUTY and game.own[responsible].role == SHERIFF and rules.sheriff_penalty != 0:
        note(game, E_PENALTY, responsible, NOTHING, NOTHING, NOTHING, NOTHING)
        game.record.penalties += 1
        discard_everything(game, tables, responsible)
