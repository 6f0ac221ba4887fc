"""Losing life, saving oneself, and being eliminated (B-28 … B-37)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest, popcount
from sim.kernel.jit import leaf, shared

from .ask import ask
from .cards import (
    discard_everything,
    discard_from_hand,
    draw_cards,
    hand_over_everything,
    in_hand,
    refresh_ability,
    steal_blind,
)
from .endings import test_victory
from .fading import count_other_use, void_effects
from .flags import DEATH_MESA, WORDS
from .funnel import (
    N_DAMAGE,
    N_GHOSTS_MADE,
    N_GOODS_AT_DEATH,
    N_KILLS,
    N_KILLS_OF_OUTLAWS,
)
from .ghosts import bury_everything, draw_dead, draw_goods
from .journal import note
from .lasting import is_under
from .names import (
    BART_CASSIDY,
    BEER,
    BLOOD_JUICE,
    DEPUTY,
    DRY_SPELL,
    E_FALLEN,
    E_GHOST,
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
    SEATS,
    SHERIFF,
    SID,
    SID_KETCHUM,
    USE_SID,
    answer_what,
)
from .questions import allow, allow_effect, can_use_sid, may_do_more, pose
from .returns import come_back_as_sheriff, count_dead_renegade, is_scofflaw
from .seats import assign_strategy, count_living, ghosts, is_alive, is_ghost, living, next_of, others


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
    if DEATH_MESA:
        if rules.dm_count_ghosts_as_players != 0:
            return rules.beer_with_two_players != 0 or popcount(living(public) | ghosts(public)) > 2
    return rules.beer_with_two_players != 0 or count_living(public) > 2


@leaf
def may_drink(public, rules, seat, effect):
    """DM-C07: whether a card with this effect heals a player; the strictness of Dry Spell is a rule (OP-57)."""
    if DEATH_MESA:
        if is_under(public, seat, DRY_SPELL):
            if effect == BEER:
                return False
            return rules.dm_dry_spell_set == 0 or (effect == BLOOD_JUICE and rules.dm_dry_spell_set == 1)
    return True


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
        beer = in_hand(own, BEER) and may_drink(public, rules, seat, BEER)
        if not (sid or beer) or not may_do_more(public, rules, seat):
            return
        question = pose(game, seat, SAVE, NO_SEAT, NO_CARD, ONE - np.int64(public.life[seat]))
        if beer:
            allow_effect(question, own.hand, tables, BEER)
        if sid:
            allow(question, USE_SID)
        allow(question, PASS)
        chosen = answer_what(ask(game, rules, tables, seat))
        if chosen == PASS:
            return
        count_other_use(game, rules, tables, seat)
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
    wound(game, rules, tables, seat, points, responsible, kind)
    eliminate_if_dead(game, rules, seat, responsible, kind)


@leaf
def wound(game, rules, tables, seat, points, responsible, kind):
    """Life points are lost, and saved as far as he can and wants to."""
    public = game.public
    public.life[seat] -= points
    responsible = credited(game, rules, responsible)
    note(game, E_LIFE, seat, -points, np.int64(public.life[seat]), responsible, kind)
    game.unsettled = np.int64(game.unsettled) | 1 << seat
    game.wounds[seat] += points
    game.wounded_by[seat] = responsible
    if DEATH_MESA:
        if is_ghost(public, responsible):
            game.record.funnel[N_DAMAGE] += points
    if public.life[seat] <= 0:
        save_oneself(game, rules, tables, seat)


@leaf
def credited(game, rules, responsible):
    """B-29, DM-52: who is credited; whatever Possess plays is the ghost's doing, unless the rules say otherwise."""
    if DEATH_MESA:
        if game.possessor >= 0 and rules.dm_possess_credit == 0:
            return np.int64(game.possessor)
    return responsible


@leaf
def eliminate_if_dead(game, rules, seat, responsible, kind):
    """A player at 0 or below is eliminated; what his wounds would trigger is void."""
    if game.public.life[seat] <= 0:
        game.wounds[seat] = 0
        fall(game, rules, seat, credited(game, rules, responsible), kind)


@shared
def fall(game, rules, seat, responsible, kind):
    """B-34: the role is revealed and the player leaves the circle; his cards go when the card is resolved (B-37)."""
    public = game.public
    record = game.record
    role = np.int64(game.own[seat].role)
    public.alive = living(public) & ~(1 << seat)
    public.known_role[seat] = role
    public.roles_left[role] -= 1
    game.fallen[game.fallen_count] = seat
    game.fallen_count += 1
    if record.deaths < SEATS:
        record.dead[record.deaths] = seat
    record.deaths += 1
    record.early_deaths += 1 if record.turns_begun[seat] == 0 else 0
    record.ever_dead = np.int64(record.ever_dead) | 1 << seat
    record.death_kinds[kind] += 1
    if record.first_death == 0:
        record.first_death = public.turn
    if role == OUTLAW:
        record.dead_outlaws += 1
        record.outlaws_by_outlaws += 1 if responsible >= 0 and game.own[responsible].role == OUTLAW else 0
    record.died_in_turn[seat] = public.turn
    record.killer[seat] = responsible
    if DEATH_MESA:
        remember_killer(game, seat, responsible, role)
    if public.players == 3 and responsible >= 0 and responsible != seat and game.target_hit < 0:
        if role == target_of(np.int64(game.own[responsible].role)) and not is_ghost(public, responsible):
            game.target_hit = responsible
    note(game, E_FALLEN, seat, role, responsible, kind, NOTHING)


@leaf
def remember_killer(game, seat, responsible, role):
    """DM-52: who eliminated whom, and whether it was a ghost."""
    public = game.public
    public.killer[seat] = responsible
    public.zombies = np.int64(public.zombies) & ~(1 << seat)
    game.by_ghost = np.int64(game.by_ghost) & ~(1 << seat)
    if role == RENEGADE:
        count_dead_renegade(game)
    if responsible >= 0:
        public.killed = np.int64(public.killed) | 1 << responsible
        if is_ghost(public, responsible):
            game.by_ghost = np.int64(game.by_ghost) | 1 << seat
            game.record.funnel[N_KILLS] += 1
            game.record.funnel[N_KILLS_OF_OUTLAWS] += 1 if role == OUTLAW else 0


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
            due = due or penitent_of(game, rules, fallen) == seat
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

    Victory is tested first (B-40, B-45, DM-10). Then come the abilities it triggered, the player in turn first, then
    clockwise (B-39), then the consequences of the eliminations, in their order (B-37).
    """
    if game.ending == PLAYING:
        cards_first = False
        if DEATH_MESA:
            cards_first = rules.dm_elimination_order != 0
        if game.fallen_count > 0 and not cards_first:
            decide_game(game, rules, tables)
        if game.ending == PLAYING:
            triggers(game, rules, tables)
        for i in range(np.int64(game.fallen_count)):
            consequences(game, rules, tables, np.int64(game.fallen[i]))
        if DEATH_MESA:
            if game.fallen_count > 0 and cards_first and game.ending == PLAYING:
                decide_game(game, rules, tables)
                if game.ending == PLAYING:
                    suzy_draws(game, tables)
    game.fallen_count = 0
    game.unsettled = 0


@leaf
def decide_game(game, rules, tables):
    """Whether the game is decided; a Scofflaw returns first (DM-53, DM-R2)."""
    if DEATH_MESA:
        scofflaw = is_scofflaw(game, rules)
        if scofflaw >= 0:
            come_back_as_sheriff(game, rules, tables, scofflaw)
    test_victory(game, rules)


@shared
def consequences(game, rules, tables, seat):
    """B-37 for one elimination: his cards, then reward or penalty (none of these once the game is won, B-45)."""
    public = game.public
    if DEATH_MESA:
        if game.ending == PLAYING and not is_alive(public, seat):
            leave_goods(game, rules, tables, seat)
            pay_for_elimination(game, rules, tables, seat)
            become_ghost(game, rules, tables, seat)
            suzy_draws(game, tables)
    else:
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
def leave_goods(game, rules, tables, seat):
    """DM-2, DM-3: the cards of an eliminated player become his buried goods, unless Vulture Sam takes them."""
    public = game.public
    void_effects(game, rules, tables, seat)
    takers = np.int64(public.sam) & living(public)
    if takers != 0:
        before = public.hand_size[lowest(takers)]
        hand_over_everything(game, tables, seat, lowest(takers))
        taken = np.int64(public.hand_size[lowest(takers)] - before)
        if rules.dm_goods_enabled != 0 and rules.dm_vulture_sam_compensation != 0:
            draw_goods(game, rules, seat, taken)
    elif rules.dm_goods_enabled != 0:
        bury_everything(game, rules, tables, seat)
    else:
        discard_everything(game, tables, seat)


@leaf
def pay_for_elimination(game, rules, tables, seat):
    """B-35, B-36 and, if a ghost has done it, OP-40 and OP-41."""
    public = game.public
    responsible = np.int64(game.record.killer[seat])
    role = np.int64(game.own[seat].role)
    if responsible >= 0 and np.int64(game.by_ghost) >> seat & 1 != 0:
        reward = np.int64(rules.dm_ghost_outlaw_reward)
        if role == OUTLAW and reward > 0:
            note(game, E_REWARD, responsible, reward, role, NOTHING, NOTHING)
            if not is_ghost(public, responsible):  # he has come back meanwhile
                draw_cards(game, tables, responsible, reward)
            elif rules.dm_ghost_outlaw_reward_to == 0:
                draw_goods(game, rules, responsible, reward)
            else:
                draw_dead(game, rules, responsible, reward)
        penitent = penitent_of(game, rules, seat)
        if penitent >= 0 and is_alive(public, penitent):
            penalty(game, tables, penitent)
    elif responsible >= 0 and is_alive(public, responsible):
        reward_or_penalty(game, rules, tables, responsible, role)


@leaf
def penitent_of(game, rules, fallen):
    """Who pays the penalty of B-36 for an elimination, −1 if nobody does; OP-41 for a possessed Sheriff."""
    killer = np.int64(game.record.killer[fallen])
    if DEATH_MESA:
        if np.int64(game.by_ghost) >> fallen & 1 != 0:
            possessed = killer == game.possessor and rules.dm_possess_penalty != 0
            killer = np.int64(game.possessed) if possessed else np.int64(NO_SEAT)
    if killer < 0 or rules.sheriff_penalty == 0 or game.own[fallen].role != DEPUTY:
        return np.int64(NO_SEAT)
    return killer if game.own[killer].role == SHERIFF else np.int64(NO_SEAT)


@shared
def become_ghost(game, rules, tables, seat):
    """DM-4, DM-8: the character is turned down, and the first Dead Men's cards are drawn."""
    public = game.public
    public.ghosts = ghosts(public) | 1 << seat
    assign_strategy(game, seat, np.int64(game.dealt_role[seat]))
    refresh_ability(game, tables, seat)
    public.bullets[seat] = 0
    game.record.funnel[N_GOODS_AT_DEATH] += np.int64(public.buried_size[seat])
    game.record.ghosts_ever = np.int64(game.record.ghosts_ever) | 1 << seat
    game.record.funnel[N_GHOSTS_MADE] += 1
    oblige(game, rules, seat)
    note(game, E_GHOST, seat, np.int64(public.buried_size[seat]), NOTHING, NOTHING, NOTHING)
    draw_dead(game, rules, seat, np.int64(rules.dm_death_draw))


@leaf
def oblige(game, rules, seat):
    """OP-69: with true roles a ghost knows whom he has to eliminate."""
    found = np.int64(0)
    if rules.dm_unfinished_business_fallback != 0:
        for other in range(np.int64(game.public.players)):
            if other != seat and is_obliged(np.int64(game.own[seat].role), np.int64(game.own[other].role)):
                found |= 1 << other
    game.own[seat].obliged = found


@leaf
def is_obliged(role, other):
    """OP-69 with true roles: whom a role has to eliminate."""
    if role == OUTLAW:
        return other == SHERIFF
    return role == RENEGADE or other == OUTLAW or other == RENEGADE


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
        penalty(game, tables, responsible)


@shared
def penalty(game, tables, sheriff):
    """B-36."""
    note(game, E_PENALTY, sheriff, NOTHING, NOTHING, NOTHING, NOTHING)
    game.record.penalties += 1
    discard_everything(game, tables, sheriff)
