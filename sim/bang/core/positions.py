"""Entry points for games laid out card by card: scenarios, traces, saved positions. Instrumented kernels only."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import entry
from sim.kernel.piles import take_top
from sim.kernel.streams import game_key

from .cards import effects_in_front, effects_of, refresh_ability, refresh_distances, refresh_watchers
from .damage import oblige
from .endings import test_victory
from .flags import CACHE, DEATH_MESA
from .games import close_record
from .ghosts import look_at_goods
from .lasting import refresh_under
from .names import PLAYING, TURN_OVER
from .questions import option
from .setup import clear, seed_streams
from .turn import next_turn


@entry(CACHE)
def clear_table(blocks, rules_table):
    """An empty table: nobody has a card, nothing has happened."""
    clear(blocks[0], rules_table[0])


@entry(CACHE)
def complete_position(blocks, rules_table, tables_table):
    """Works out what follows from cards, characters and roles once they are laid out, and whether the game is won."""
    game = blocks[0]
    public = game.public
    tables = tables_table[0]
    for seat in range(np.int64(public.players)):
        game.own[seat].effects = effects_of(game.own[seat].hand, tables)
        public.effects_in_play[seat] = effects_in_front(public, tables, seat)
        refresh_distances(game, tables, seat)
    refresh_watchers(game)
    if DEATH_MESA:
        refresh_under(game)
        for seat in range(np.int64(public.players)):
            game.dealt_role[seat] = game.own[seat].role
            look_at_goods(game, rules_table[0], seat)
            oblige(game, rules_table[0], seat)
            refresh_ability(game, tables, seat)
    test_victory(game, rules_table[0])


@entry(CACHE)
def reseed(blocks, seed, number):
    """Starts all random streams as in game ``number`` of a master seed."""
    seed_streams(blocks[0], game_key(seed, number))


@entry(CACHE)
def list_options(blocks, rules_table, tables_table, seat, out):
    """Writes the options of the question of a seat to ``out`` (int64) and returns how many there are."""
    game = blocks[0]
    count = option(game.public, game.own[seat], rules_table[0], tables_table[0], -1)
    for n in range(count):
        out[n] = option(game.public, game.own[seat], rules_table[0], tables_table[0], n)
    return count


@entry(CACHE)
def begin_next_turn(blocks, rules_table):
    """Goes past the end of a turn, to the start of the next one or to the end of the game (B-46)."""
    game = blocks[0]
    if game.ending == PLAYING and game.public.phase == TURN_OVER:
        next_turn(game, rules_table[0])
    close_record(game)


@entry(CACHE)
def draw_order(blocks, dead, out):
    """Writes the cards of the draw pile to ``out`` as they will be drawn, and returns how many; the pile is used up.

    ``dead`` (0 or 1): those of the Dead Men's Deck instead.
    """
    pile = blocks[0].draw_pile
    if DEATH_MESA:
        if dead != 0:
            pile = blocks[0].dead_pile
    count = np.int64(pile.count)
    for i in range(count):
        out[i] = take_top(pile)
    return count
