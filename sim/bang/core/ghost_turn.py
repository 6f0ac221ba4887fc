"""The turn of a ghost (DM-9 … DM-28): what he draws, plays, converts and discards; Possess."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import bit, lowest, rest
from sim.kernel.jit import leaf, shared

from .ask import ask, ask_what_to_play
from .cards import discard_from_hand, has, pick_blind, remove_from_hand
from .damage import settle
from .dead_cards import (
    bad_moon_rising,
    blood_juice,
    card_to_give,
    card_to_take,
    cemetary,
    decay,
    desicrate_grave,
    haunt,
    hidden_stash,
    impose,
    is_attempt,
    last_testament,
    ransom_all,
    rob_grave,
    seance,
    second_seat,
    syphon,
    terrify,
    unfinished_business,
)
from .effects import resolve
from .flags import WORDS
from .funnel import (
    GOODS_TURNS,
    N_AFFORDABLE_TURNS,
    N_CONVERSIONS,
    N_FIRST_TURN,
    N_GOODS_FIRST_TURN,
    N_ONE_TEAM_AFFORDABLE,
    N_ONE_TEAM_PLAYS,
    N_ONE_TEAM_TURNS,
    N_PLAYED_TURNS,
    N_SHERIFF_ATTACKS,
    N_SHERIFF_ATTACKS_OPEN,
    N_VENGEANCE_OPEN,
    N_VENGEANCE_PLAYS,
    N_ZOMBIE_DRAWS,
)
from .ghost_plays import ZOMBIE_RETURN, can_convert, conversion_targets, ghost_targets, is_exchanged
from .ghosts import dead_renegades, discard_dead, draw_dead, draw_goods, is_one_team, share_hands
from .lasting import rivals_of
from .names import (
    ANY_TURN,
    BAD_MOON_RISING,
    BANG,
    BLOOD_JUICE,
    BONUS_ANSWER,
    BY_POLTERGEIST,
    BY_SPOOK,
    CALAMITY_JANET,
    CAT_BALOU,
    CEMETARY,
    CONVERT,
    DECAY,
    DESICRATE_GRAVE,
    DISCARD,
    DISCARD_PHASE,
    DUEL,
    END,
    FIRST_DEAD,
    GATLING,
    GIVE,
    HIDDEN_STASH,
    INDIANS,
    JAIL,
    LAST_TESTAMENT,
    LOOK,
    MISSED,
    NO_CARD,
    NO_EFFECT,
    NO_SEAT,
    NOBODY,
    NOBODY_BIT,
    NOTHING,
    ONE,
    OTHER,
    PANIC,
    PASS,
    PLAY,
    PLAY_PHASE,
    PLAYING,
    POLTERGEIST,
    POSSESS,
    POSSESSED,
    RENEGADE,
    ROB_GRAVE,
    SEANCE,
    SPOOK,
    SYPHON,
    TERRIFY,
    THE_EAST_WIND,
    TURN_OVER,
    UNFINISHED_BUSINESS,
    USE_BONUS,
    answer_target,
    answer_what,
)
from .negation import RED, colour
from .questions import allow, allow_card, pose, sheriff_mask, with_cards, without_same_name
from .reactions import bonus, conversion_stands, convert_cards, pay_for_card, stands
from .seats import is_ghost, living, next_of, others, reach, within


@leaf
def ghost_draw_phase(game, rules, tables, seat):
    """DM-12."""
    draw_dead(game, rules, seat, np.int64(rules.dm_ghost_draw))
    count_chances(game, rules, tables, seat)
    game.public.phase = PLAY_PHASE


@shared
def count_chances(game, rules, tables, seat):
    """For the funnels: what the ghost could play in this turn."""
    public = game.public
    record = game.record
    own = game.own[seat]
    record.ghost_turns[seat] += 1
    turn = np.int64(record.ghost_turns[seat])
    if turn <= GOODS_TURNS:
        record.funnel[N_FIRST_TURN + turn - 1] += 1
        record.funnel[N_GOODS_FIRST_TURN + turn - 1] += np.int64(public.buried_size[seat])
    affordable = conversion_targets(public, rules, seat) != 0
    for w in range(WORDS):
        cards = own.dead_hand[w]
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            if ghost_targets(public, own, rules, tables, card) != 0:
                record.held[np.int64(tables.effect[card]) - FIRST_DEAD] += 1
                affordable = True
    game.one_team = 1 if is_one_team(public, rules) else 0
    record.funnel[N_ONE_TEAM_TURNS] += game.one_team
    if affordable:
        record.funnel[N_AFFORDABLE_TURNS] += 1
        record.funnel[N_ONE_TEAM_AFFORDABLE] += game.one_team


@leaf
def ghost_discard_phase(game, rules, tables, seat):
    """DM-13: down to the ghosts' hand limit, one card a question."""
    public = game.public
    if public.dead_plays > 0 or public.conversions[seat] > 0:
        game.record.funnel[N_PLAYED_TURNS] += 1
    if game.one_team != 0:
        game.record.funnel[N_ONE_TEAM_PLAYS] += public.dead_plays
    limit = np.int64(rules.dm_ghost_hand_limit)
    while public.dead_hand_size[seat] > limit and game.ending == PLAYING:
        question = pose(game, seat, DISCARD, NO_SEAT, NO_CARD, np.int64(public.dead_hand_size[seat]) - limit)
        for w in range(WORDS):
            question.cards[w] = game.own[seat].dead_hand[w]
        discard_dead(game, seat, answer_what(ask(game, rules, tables, seat)))
    public.phase = TURN_OVER


@shared
def ghost_plays_once(game, rules, tables, seat):
    """One play of a ghost, resolved to its end, or the end of his phase 2."""
    if rules.dm_ghost_team_info != 0:
        share_hands(game, rules)
    pose(game, seat, PLAY, NO_SEAT, NO_CARD, NOTHING)
    given = ask_what_to_play(game, rules, tables, seat)
    what, target = answer_what(given), answer_target(given)
    if game.ending != PLAYING:
        return
    if what == END:
        game.public.phase = DISCARD_PHASE
    elif what == CONVERT:
        convert(game, rules, tables, seat, target)
    elif target == NOBODY and is_exchanged(game.public, rules, np.int64(tables.effect[what])):
        discard_dead(game, seat, what)  # OP-78
        draw_dead(game, rules, seat, ONE)
    else:
        play_dead_card(game, rules, tables, seat, what, target)


@leaf
def play_dead_card(game, rules, tables, seat, card, target):
    """DM-39: targets and price, negation, effect and its consequences, suit bonus."""
    effect = np.int64(tables.effect[card])
    nobody_there = target == NOBODY and effect != BAD_MOON_RISING and effect != POLTERGEIST
    second = np.int64(NO_SEAT)
    taken = np.int64(NO_CARD)
    if not nobody_there:
        if effect == THE_EAST_WIND or effect == SEANCE:
            second = second_seat(game, rules, tables, seat, card, others(game.public, target))
        elif effect == ROB_GRAVE:
            second = second_seat(game, rules, tables, seat, card, living(game.public))
        elif effect == DECAY or effect == TERRIFY:
            taken = card_to_take(game, rules, tables, seat, card, target, effect)
        elif effect == LAST_TESTAMENT:
            taken = card_to_give(game, rules, tables, seat, card, GIVE, seat)
    pay_for_card(game, rules, tables, seat, card)
    at_all = game.public.known_role[seat] == RENEGADE and (effect == BAD_MOON_RISING or effect == POLTERGEIST)
    attempt = (effect == SPOOK or effect == UNFINISHED_BUSINESS) and is_attempt(game.public, seat, target)
    if attempt:
        game.record.funnel[N_SHERIFF_ATTACKS] += 1
    elif at_all:
        game.record.funnel[N_VENGEANCE_PLAYS] += 1
    if effect != SYPHON and not stands(game, rules, tables, seat, card):
        return
    if attempt:
        game.record.funnel[N_SHERIFF_ATTACKS_OPEN] += 1
    elif at_all:
        game.record.funnel[N_VENGEANCE_OPEN] += 1
    changed = False
    if not nobody_there and game.ending == PLAYING:
        changed = work(game, rules, tables, seat, card, target, second, taken, effect)
    settle(game, rules, tables)
    game.possessor = NO_SEAT
    if changed:
        game.record.worked[effect - FIRST_DEAD] += 1
        game.record.ghost_successes[seat] += 1
    if effect == SYPHON:
        game.public.dead_successes += 1
    if changed or rules.dm_bonus_condition == 0:
        bonus(game, rules, tables, seat, card)


@leaf
def work(game, rules, tables, seat, card, target, second, taken, effect):
    """The effect of a card that was not negated. Returns whether it changed anything."""
    if effect == SPOOK:
        return haunt(game, rules, tables, seat, target, card, BY_SPOOK)
    if effect == UNFINISHED_BUSINESS:
        return unfinished_business(game, rules, tables, seat, target, card)
    if effect == POSSESS:
        return possess(game, rules, tables, seat, target, card)
    if effect == BAD_MOON_RISING:
        return bad_moon_rising(game, rules, tables, seat, card)
    if effect == POLTERGEIST:
        return ransom_all(game, rules, tables, seat, card, ONE, BY_POLTERGEIST)
    if effect == CEMETARY:
        return cemetary(game, rules, tables, target, card)
    if effect == BLOOD_JUICE:
        return blood_juice(game, rules, tables, target)
    if effect == DESICRATE_GRAVE:
        return desicrate_grave(game, rules, tables, seat, target, card)
    if effect == DECAY:
        return decay(game, rules, tables, seat, target, card, taken)
    if effect == LAST_TESTAMENT:
        return last_testament(game, rules, tables, seat, target, taken)
    if effect == HIDDEN_STASH:
        return hidden_stash(game, tables, target)
    if effect == ROB_GRAVE:
        return rob_grave(game, rules, tables, seat, target, second)
    if effect == TERRIFY:
        return terrify(game, tables, seat, target, taken)
    if effect == SYPHON:
        return syphon(game, seat, target)
    if effect == SEANCE:
        return seance(game, seat, target, second)
    return impose(game, rules, tables, seat, target, second, card, effect)


@shared
def convert(game, rules, tables, seat, target):
    """DM-26: two Dead Men's cards make a Spook!; DM-71: or, in the Zombie variant, a normal card for the goods."""
    designated = convert_cards(game, rules, tables, seat)
    if rules.dm_renegade_return == ZOMBIE_RETURN:
        if rules.dm_zombie_conversion_negatable == 0 or conversion_stands(game, rules, tables, seat, designated):
            draw_for_zombie(game, rules, tables, seat)
        return
    if game.public.in_turn == seat and rules.dm_conversion_counts_as_play != 0:
        game.public.dead_plays += 1
    game.record.funnel[N_CONVERSIONS] += 1
    attempt = is_attempt(game.public, seat, target)
    game.record.funnel[N_SHERIFF_ATTACKS] += 1 if attempt else 0
    if not conversion_stands(game, rules, tables, seat, designated):
        return
    if game.public.in_turn == seat and rules.dm_conversion_counts_as_play != 0:
        game.public.dead_successes += 1
    game.record.funnel[N_SHERIFF_ATTACKS_OPEN] += 1 if attempt else 0
    hit = False
    if game.ending == PLAYING:
        hit = haunt(game, rules, tables, seat, target, designated, BY_SPOOK)
    settle(game, rules, tables)
    if hit:
        game.record.ghost_successes[seat] += 1
    if rules.dm_conversion_bonus != 0 and (hit or rules.dm_bonus_condition == 0):
        bonus(game, rules, tables, seat, designated)


@shared
def draw_for_zombie(game, rules, tables, seat):
    """DM-71: one card into the buried goods; a black one may be shown for another."""
    public = game.public
    game.record.funnel[N_ZOMBIE_DRAWS] += 1
    more = True
    while more and game.ending == PLAYING:
        more = False
        if draw_goods(game, rules, seat, ONE) == 0:
            return
        drawn = np.int64(game.last_buried)
        black = colour(tables, drawn) != RED
        if black and rules.dm_zombie_black_bonus > 0 and public.draw_size + public.discard_size > 0:
            question = pose(game, seat, BONUS_ANSWER, NO_SEAT, drawn, ONE)
            allow(question, USE_BONUS)
            allow(question, PASS)
            if answer_what(ask(game, rules, tables, seat)) == USE_BONUS:
                public.seen_buried[seat, drawn >> 6] |= bit(drawn & 63)
                if rules.dm_zombie_black_chain != 0:
                    more = True
                else:
                    draw_goods(game, rules, seat, ONE)


@shared
def convert_at_turn_end(game, rules, tables):
    """OP-26: with conversions at any time, dead Renegades may convert at the end of the others' turns."""
    waiting = dead_renegades(game.public) & ~(1 << np.int64(game.public.in_turn))
    seat = np.int64(game.public.in_turn)
    while waiting != 0:
        seat = next_of(waiting, seat)
        waiting &= ~(1 << seat)
        while game.ending == PLAYING and is_ghost(game.public, seat) and can_convert(game.public, rules, seat):
            question = pose(game, seat, ANY_TURN, NO_SEAT, NO_CARD, ONE)
            question.targets = living(game.public) if rules.dm_renegade_return != ZOMBIE_RETURN else 0
            allow(question, CONVERT)
            allow(question, PASS)
            given = ask(game, rules, tables, seat)
            if answer_what(given) == PASS:
                break
            convert(game, rules, tables, seat, answer_target(given))


@shared
def possess(game, rules, tables, caster, victim, card):
    """DM-C17, DM-R4: a hand card of a living player, played for him as the caster likes."""
    public = game.public
    if public.hand_size[victim] == 0:
        return False
    if rules.dm_possess_selection != 0:
        question = pose(game, caster, LOOK, victim, card, ONE)
        for w in range(WORDS):
            question.cards[w] = game.own[victim].hand[w]
        taken = answer_what(ask(game, rules, tables, caster))
    else:
        taken = pick_blind(game, caster, game.own[victim].hand, np.int64(public.hand_size[victim]))
    targets = possessed_targets(public, rules, tables, victim, taken)
    question = pose(game, caster, POSSESSED, victim, taken, ONE)
    if targets == 0 or public.hand_size[victim] <= tables.second_card[taken]:
        allow(question, PASS)
    else:
        allow_card(question, taken)
        question.targets = targets
    given = ask(game, rules, tables, caster)
    if answer_what(given) >= OTHER:
        return False
    remove_from_hand(game, tables, victim, taken)
    if tables.second_card[taken] > 0:
        pay_possessed(game, rules, tables, caster, victim, np.int64(tables.second_card[taken]))
    game.possessor = caster
    game.possessed = victim
    resolve(game, rules, tables, victim, taken, answer_target(given), caster)
    return True


@leaf
def pay_possessed(game, rules, tables, caster, victim, count):
    """Second cards of a possessed player go at random, by the caster's dice."""
    for _ in range(count):
        paid = pick_blind(game, caster, game.own[victim].hand, np.int64(game.public.hand_size[victim]))
        discard_from_hand(game, tables, victim, paid)


@leaf
def possessed_targets(public, rules, tables, victim, card):
    """Whom a possessed player's card may name: within his distances, himself included (DM-C17)."""
    effect = tables.effect[card]
    me = np.int64(1) << victim
    if effect == NO_EFFECT:
        return NOTHING
    if effect == BANG or effect == MISSED:
        if effect == MISSED and public.ability[victim] != CALAMITY_JANET:
            return NOTHING
        return (reach(public, rules, tables, victim) | me) & ~rivals_of(public, victim)
    if effect == PANIC or effect == CAT_BALOU:
        distance = np.int64(tables.range[card])
        near = within(public, tables, victim, distance) if distance > 0 else others(public, victim)
        targets = with_cards(public, near)
        for w in range(WORDS):
            if public.in_play[victim, w] != 0:
                targets |= me
        return targets
    if effect == DUEL:
        others_there = others(public, victim)
        return others_there & ~rivals_of(public, victim) if rules.dm_east_wind_scope != 0 else others_there
    if effect == INDIANS or effect == GATLING:
        bound = rules.dm_east_wind_scope != 0 and rivals_of(public, victim) != 0
        return NOTHING if bound else NOBODY_BIT
    if effect == JAIL:
        free = without_same_name(public, tables, card, living(public))
        return free if rules.jail_on_sheriff != 0 else free & ~sheriff_mask(public)
    if has(tables.blue, card):
        return without_same_name(public, tables, card, living(public))
    return NOBODY_BIT
