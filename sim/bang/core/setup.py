"""Dealing a game: roles, characters, first hands (B-1 … B-8)."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf, shared
from sim.kernel.streams import GAMMA, below, game_key, stream

from .ask import ask
from .cards import draw_cards, refresh_distances, refresh_watchers
from .damage import suzy_draws
from .flags import DEATH_MESA, WORDS
from .funnel import COUNTERS
from .journal import note
from .names import (
    CHARACTER,
    DEAD_EFFECTS,
    DEATHS,
    E_DEALT,
    E_KEPT,
    FIRST_CHARACTER,
    HIDDEN,
    NO_ABILITY,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    PLAYING,
    SEATS,
    SECOND_CHARACTER,
    SHERIFF,
    STREAM_DEAD_PILE,
    STREAM_DRAW_PILE,
    STREAM_PICKS,
    STREAM_SETUP,
    STREAM_STRATEGY,
    answer_what,
)
from .questions import allow, pose
from .seats import assign_strategy
from .turn import begin_turn


@leaf
def seed_streams(game, key):
    """The random streams of a game: each pile and each seat has its own, so that rules change one without another."""
    game.key = key
    game.draw_pile.stream = stream(key, STREAM_DRAW_PILE)
    if DEATH_MESA:
        game.dead_pile.stream = stream(key, STREAM_DEAD_PILE)
    for seat in range(SEATS):
        game.picks[seat] = stream(key, STREAM_PICKS + seat)
        game.own[seat].dice = stream(key, STREAM_STRATEGY + seat)


@leaf
def clear(game, rules):
    """An empty table: nobody has a card, nothing has happened. The strategies of the roles stay assigned."""
    public = game.public
    record = game.record
    players = np.int64(rules.players)
    public.players = players
    public.alive = (1 << players) - 1
    public.turn = 0
    public.decisions = 0
    public.bangs_played = 0
    public.far[0] = 0
    public.far[1] = 0
    public.discard_top = NO_CARD
    public.discard_size = 0
    game.ending = PLAYING
    game.target_hit = NO_SEAT
    game.unsettled = 0
    game.fallen_count = 0
    public.sheriff = NO_SEAT if players == 3 else 0
    record.ending = PLAYING
    record.winners = 0
    record.turns = 0
    record.decisions = 0
    record.illegal = 0
    record.deaths = 0
    record.early_deaths = 0
    record.ever_dead = 0
    record.first_death = 0
    record.waited = 0
    record.dead_outlaws = 0
    record.outlaws_by_outlaws = 0
    for kind in range(len(DEATHS)):
        record.death_kinds[kind] = 0
    record.penalties = 0
    record.showdown = 0
    for w in range(WORDS):
        public.on_offer[w] = np.uint64(0)
        game.removed[w] = np.uint64(0)
    for seat in range(SEATS):
        clear_seat(game, seat)
    if DEATH_MESA:
        clear_ghosts(game)


@shared
def clear_ghosts(game):
    """Nobody has died, and no Dead Men's card has been drawn."""
    public = game.public
    record = game.record
    public.ghosts = 0
    public.dead_discard_size = 0
    public.dead_discard_top = NO_CARD
    public.dead_plays = 0
    public.dead_successes = 0
    public.ghost_bangs = 0
    public.uses = 0
    public.aimed_at = NO_SEAT
    public.caster = NO_SEAT
    public.converted = 0
    public.killed = 0
    public.zombies = 0
    public.scofflaws = 0
    public.dealt_sheriff = public.sheriff
    public.lasting_count = 0
    game.by_ghost = 0
    game.possessor = NO_SEAT
    game.closed = 0
    game.glimpses = 0
    record.ghosts_ever = 0
    for k in range(len(COUNTERS)):
        record.funnel[k] = 0
    for effect in range(len(DEAD_EFFECTS)):
        public.under[effect] = 0
        record.held[effect] = 0
        record.played[effect] = 0
        record.stopped[effect] = 0
        record.worked[effect] = 0
    for w in range(WORDS):
        public.terrified[w] = np.uint64(0)
        game.removed_dead[w] = np.uint64(0)
    for seat in range(SEATS):
        own = game.own[seat]
        own.obliged = 0
        public.dead_hand_size[seat] = 0
        public.buried_size[seat] = 0
        public.conversions[seat] = 0
        public.killer[seat] = NO_SEAT
        public.last_attacked[seat] = NO_SEAT
        public.bullets[seat] = 0
        public.returns[seat] = 0
        record.ghost_turns[seat] = 0
        record.ghost_successes[seat] = 0
        for w in range(WORDS):
            own.dead_hand[w] = np.uint64(0)
            own.goods[w] = np.uint64(0)
            game.buried[seat, w] = np.uint64(0)
            public.seen_buried[seat, w] = np.uint64(0)
            for other in range(SEATS):
                own.team_hands[other, w] = np.uint64(0)
                own.glimpsed[other, w] = np.uint64(0)


@leaf
def full_dead_deck(game, tables):
    """All Dead Men's cards in their pile, in no known order."""
    for k in range(np.int64(tables.dead_cards)):
        game.dead_pile.cards[k] = np.int64(tables.cards) + k
    game.dead_pile.count = tables.dead_cards
    game.dead_pile.known = 0
    game.dead_discards.count = 0
    game.dead_discards.known = 0
    game.public.dead_draw_size = tables.dead_cards


@leaf
def clear_seat(game, seat):
    public = game.public
    own = game.own[seat]
    record = game.record
    for w in range(WORDS):
        own.hand[w] = np.uint64(0)
        public.in_play[seat, w] = np.uint64(0)
        public.seen_in_hand[seat, w] = np.uint64(0)
    own.effects = 0
    own.seat = seat
    own.dealt[0] = HIDDEN
    own.dealt[1] = HIDDEN
    own.set_aside = HIDDEN
    public.hand_size[seat] = 0
    public.effects_in_play[seat] = 0
    public.known_role[seat] = HIDDEN
    public.character[seat] = HIDDEN
    public.ability[seat] = NO_ABILITY
    public.attackers[seat] = 0
    public.victims[seat] = 0
    public.near[seat] = 0
    public.weapon_range[seat] = 0
    for other in range(SEATS):
        public.hostile[seat, other] = 0
        public.friendly[seat, other] = 0
        public.last_hostile[seat, other] = 0
        public.last_friendly[seat, other] = 0
    game.wounds[seat] = 0
    game.wounded_by[seat] = NO_SEAT
    record.turns_begun[seat] = 0
    record.died_in_turn[seat] = 0
    record.killer[seat] = NO_SEAT


@leaf
def full_deck(game, tables):
    """All cards in the draw pile, none of them in a known order."""
    for card in range(np.int64(tables.cards)):
        game.draw_pile.cards[card] = card
    game.draw_pile.count = tables.cards
    game.draw_pile.known = 0
    game.discard_pile.count = 0
    game.discard_pile.known = 0
    game.public.draw_size = tables.cards


@leaf
def deal_roles(game, rules, tables, state):
    """B-1. Seat 0 is the Sheriff's (with three players the Deputy's, B-2): who sits where else is drawn."""
    public = game.public
    players = np.int64(rules.players)
    seat = 0
    for role in range(4):
        public.roles_left[role] = tables.role_count[role]
        for _ in range(np.int64(tables.role_count[role])):
            game.own[seat].role = role
            seat += 1
    for seat in range(1, players - 1):
        state += GAMMA
        other = seat + below(state, players - seat)
        role = np.int64(game.own[seat].role)
        game.own[seat].role = game.own[other].role
        game.own[other].role = role
    for seat in range(players):
        if DEATH_MESA:
            game.dealt_role[seat] = game.own[seat].role
        assign_strategy(game, seat, np.int64(game.own[seat].role))
        if players == 3 or game.own[seat].role == SHERIFF:
            public.known_role[seat] = game.own[seat].role
    return state


@leaf
def deal_characters(game, rules, tables, state):
    """B-5: one or two characters a player, none of them twice."""
    taken = np.uint64(0)
    for seat in range(np.int64(rules.players)):
        for k in range(np.int64(rules.character_choice)):
            state += GAMMA
            character = below(state, tables.characters)
            while taken >> np.uint64(character) & np.uint64(1) != 0:
                state += GAMMA
                character = below(state, tables.characters)
            taken |= np.uint64(1) << np.uint64(character)
            game.own[seat].dealt[k] = character
            note(game, E_DEALT, seat, character, k, NOTHING, NOTHING)
    return state


@leaf
def keep_characters(game, rules, tables):
    """B-5: each keeps one of two, knowing his role and nobody else's choice; then all are turned up."""
    for seat in range(np.int64(rules.players)):
        own = game.own[seat]
        if rules.character_choice == 2:
            question = pose(game, seat, CHARACTER, NO_SEAT, NO_CARD, ONE)
            allow(question, FIRST_CHARACTER)
            allow(question, SECOND_CHARACTER)
            if answer_what(ask(game, rules, tables, seat)) == SECOND_CHARACTER:
                first = np.int64(own.dealt[0])
                own.dealt[0] = own.dealt[1]
                own.dealt[1] = first
            own.set_aside = own.dealt[1]
    for seat in range(np.int64(rules.players)):
        take_character(game, rules, tables, seat, np.int64(game.own[seat].dealt[0]))


@leaf
def take_character(game, rules, tables, seat, character):
    """B-6: the character's life points and ability come into force."""
    public = game.public
    life = np.int64(tables.printed_life[character])
    if game.own[seat].role == SHERIFF:
        life += np.int64(rules.sheriff_extra_life)
    public.character[seat] = character
    public.ability[seat] = tables.ability[character]
    public.life[seat] = life
    public.max_life[seat] = life
    refresh_distances(game, tables, seat)
    note(game, E_KEPT, seat, character, life, NOTHING, NOTHING)


@shared
def deal(game, rules, tables, seed, number):
    """Game ``number`` of a master seed, up to the Sheriff's first turn."""
    key = game_key(seed, number)
    seed_streams(game, key)
    clear(game, rules)
    full_deck(game, tables)
    if DEATH_MESA:
        full_dead_deck(game, tables)
    state = deal_roles(game, rules, tables, stream(key, STREAM_SETUP))
    deal_characters(game, rules, tables, state)
    keep_characters(game, rules, tables)
    refresh_watchers(game)
    for seat in range(np.int64(rules.players)):
        hand = np.int64(game.public.life[seat]) + np.int64(rules.initial_hand_delta)
        draw_cards(game, tables, seat, max(0, hand))
    suzy_draws(game, tables)
    begin_turn(game, 0)


