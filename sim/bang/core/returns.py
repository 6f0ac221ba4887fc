"""The dead Renegade comes back: as Sheriff (Scofflaw, DM-60 … DM-66) or as a Zombie (DM-68 … DM-78)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest, rest
from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import (
    add_to_hand,
    discard,
    draw_cards,
    enter_play,
    has,
    refresh_ability,
)
from .flags import WORDS
from .funnel import (
    N_BULLETS_FULL,
    N_GOODS_FULL,
    N_RENEGADES_DEAD,
    N_RENEGADES_DEAD_OPEN,
    N_ZOMBIE_RETURNS,
)
from .ghost_plays import SCOFFLAW_RETURN, ZOMBIE_RETURN
from .ghosts import dig_up, dig_up_blind, discard_ghost_hand, discard_goods
from .journal import note
from .names import (
    DISCARD,
    DRAW_PHASE,
    E_BULLET,
    E_DISCARDED,
    E_RESURRECTED,
    JAIL,
    MILLION,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OUTLAW,
    PASS,
    PLAY_PHASE,
    RENEGADE,
    RESURRECT,
    RETURN,
    SHERIFF,
    TURN_OVER,
    answer_what,
)
from .questions import allow, pose, without_same_name
from .seats import assign_strategy, ghosts, is_alive, living, weapon


@leaf
def is_scofflaw(game, rules):
    """DM-60: the dead Renegade who has just killed the Sheriff and comes back for it, −1 if there is none.

    Where he has killed all the living, Vengeance comes first (DM-53).
    """
    public = game.public
    sheriff = np.int64(public.sheriff)
    none = np.int64(NO_SEAT)
    if sheriff < 0 or is_alive(public, sheriff) or rules.dm_renegade_return != SCOFFLAW_RETURN:
        return none
    if living(public) == 0 and rules.dm_vengeance != 0:
        return none
    killer = np.int64(game.record.killer[sheriff])
    again = rules.dm_scofflaw_max == 0 or public.scofflaws < rules.dm_scofflaw_max
    if killer < 0 or not again or np.int64(game.by_ghost) >> sheriff & 1 == 0:
        return none
    return killer if public.known_role[killer] == RENEGADE else none


@leaf
def highest_life(public):
    """The highest life among the living."""
    most = np.int64(0)
    left = living(public)
    while left != 0:
        most = max(most, np.int64(public.life[lowest(left)]))
        left &= left - 1
    return most


@leaf
def printed_maximum(game, tables, seat):
    """DM-R3: the life printed on the character; without a character the maximum there is."""
    character = np.int64(game.public.character[seat])
    return np.int64(tables.printed_life[character]) if character >= 0 else np.int64(game.public.max_life[seat])


@leaf
def revive(game, tables, seat, life, maximum):
    """A ghost is a living player again; his Dead Men's cards are discarded (DM-65, DM-78)."""
    public = game.public
    public.ghosts = ghosts(public) & ~(1 << seat)
    assign_strategy(game, seat, np.int64(game.dealt_role[seat]))
    public.alive = living(public) | 1 << seat
    public.roles_left[np.int64(game.own[seat].role)] += 1
    public.life[seat] = life
    public.max_life[seat] = maximum
    game.record.waited += public.turn - game.record.died_in_turn[seat]
    game.record.died_in_turn[seat] = 0
    refresh_ability(game, tables, seat)
    discard_ghost_hand(game, seat)
    note(game, E_RESURRECTED, seat, life, np.int64(game.own[seat].role), np.int64(maximum), NOTHING)


@leaf
def count_dead_renegade(game):
    """For the funnels: one more dead Renegade, and whether Sheriff and an Outlaw live, so that a Scofflaw is open."""
    public = game.public
    game.record.funnel[N_RENEGADES_DEAD] += 1
    sheriff_lives = public.sheriff >= 0 and is_alive(public, np.int64(public.sheriff))
    game.record.funnel[N_RENEGADES_DEAD_OPEN] += 1 if sheriff_lives and public.roles_left[OUTLAW] > 0 else 0


@shared
def come_back_as_sheriff(game, rules, tables, seat):
    """DM-62 … DM-65: the dead Renegade becomes Sheriff, the old one a dead Renegade."""
    public = game.public
    old = np.int64(public.sheriff)
    public.scofflaws += 1
    game.own[old].role = RENEGADE
    public.known_role[old] = RENEGADE
    game.own[seat].role = SHERIFF
    public.known_role[seat] = SHERIFF
    public.sheriff = seat
    printed = printed_maximum(game, tables, seat)
    top = np.int64(rules.dm_scofflaw_life_fixed) if rules.dm_scofflaw_life != 0 else highest_life(public)
    if top == 0:  # nobody is left alive to compare with
        top = printed
    added = np.int64(rules.dm_scofflaw_bonus_life)
    revive(game, tables, seat, min(top, printed) + added, printed + added)
    count_dead_renegade(game)
    if rules.dm_scofflaw_goods == 0:
        take_goods_back(game, rules, tables, seat, NOTHING)
    elif rules.dm_scofflaw_goods == 1:
        take_goods_back(game, rules, tables, seat, np.int64(public.buried_size[seat]) // 2)
    else:
        discard_goods(game, rules, seat)
    draw_cards(game, tables, seat, np.int64(rules.dm_scofflaw_draw))
    if public.in_turn == seat:
        public.phase = TURN_OVER
        if rules.dm_scofflaw_turn == 1:
            public.phase = PLAY_PHASE
        elif rules.dm_scofflaw_turn == 2:
            public.phase = DRAW_PHASE


@shared
def take_goods_back(game, rules, tables, seat, lost):
    """Buried goods come to the hand (or the table, OP-43) after ``lost`` of them, of his choice, are discarded."""
    public = game.public
    for left in range(lost, 0, -1):
        if rules.dm_goods_owner_sees != 0:
            question = pose(game, seat, DISCARD, NO_SEAT, NO_CARD, left)
            for w in range(WORDS):
                question.cards[w] = game.buried[seat, w]
            card = answer_what(ask(game, rules, tables, seat))
            dig_up(game, rules, seat, card)
        else:
            card = dig_up_blind(game, rules, seat, seat)
        discard(game, card)
        note(game, E_DISCARDED, seat, card, NOTHING, NOTHING, NOTHING)
    to_table = public.known_role[seat] == SHERIFF and rules.dm_scofflaw_goods_to != 0
    for w in range(WORDS):
        cards = game.buried[seat, w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            dig_up(game, rules, seat, card)
            if to_table and fits_table(public, tables, seat, card):
                enter_play(game, tables, seat, card)
            else:
                add_to_hand(game, tables, seat, card)


@leaf
def fits_table(public, tables, seat, card):
    """B-14, B-15: a blue card that may lie in front of him; Jail never does in front of a Sheriff (B-70)."""
    if not has(tables.blue, card) or tables.effect[card] == JAIL:
        return False
    second_weapon = has(tables.weapons, card) and weapon(public, tables, seat) != NO_CARD
    return not second_weapon and without_same_name(public, tables, card, 1 << seat) != 0


@shared
def offer_return(game, rules, tables, seat):
    """DM-69, DM-72: the Zombie counter rises; with counter and goods complete the dead Renegade may come back.

    Returns whether he does.
    """
    public = game.public
    if game.own[seat].role != RENEGADE or rules.dm_renegade_return != ZOMBIE_RETURN:
        return False
    if public.bullets[seat] < rules.dm_zombie_bullets:
        public.bullets[seat] += 1
        note(game, E_BULLET, seat, np.int64(public.bullets[seat]), NOTHING, NOTHING, NOTHING)
    full = public.bullets[seat] >= rules.dm_zombie_bullets
    rich = public.buried_size[seat] >= rules.dm_zombie_goods_needed
    game.record.funnel[N_BULLETS_FULL] += 1 if full else 0
    game.record.funnel[N_GOODS_FULL] += 1 if full and rich else 0
    again = rules.dm_zombie_max_returns == 0 or public.returns[seat] < rules.dm_zombie_max_returns
    if not (full and rich and again):
        return False
    question = pose(game, seat, RETURN, NO_SEAT, NO_CARD, ONE)
    allow(question, RESURRECT)
    allow(question, PASS)
    if answer_what(ask(game, rules, tables, seat)) != RESURRECT:
        return False
    come_back_as_zombie(game, rules, tables, seat)
    return True


@leaf
def come_back_as_zombie(game, rules, tables, seat):
    """DM-73 … DM-78."""
    public = game.public
    public.returns[seat] += 1
    public.zombies = np.int64(public.zombies) | 1 << seat
    game.record.funnel[N_ZOMBIE_RETURNS] += 1
    cap = np.int64(rules.dm_zombie_life_cap)
    count = np.int64(public.buried_size[seat])
    lost_share = count * (MILLION - np.int64(rules.dm_zombie_goods_kept))
    lost = lost_share // MILLION if rules.dm_zombie_discard_round == 0 else (lost_share + MILLION - 1) // MILLION
    revive(game, tables, seat, min(cap, highest_life(public)), cap)
    take_goods_back(game, rules, tables, seat, lost)
    draw_cards(game, tables, seat, np.int64(rules.dm_zombie_draw))
