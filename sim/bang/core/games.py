"""The entry points of a kernel: ranges of games into tallies, and one game step by step."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import entry, leaf, shared

from .checks import check
from .flags import CACHE, DEATH_MESA, INSTRUMENTED
from .funnel import SHOWN
from .names import ENDINGS, NO_FAULT, PLAYING, TURN_OVER
from .setup import deal
from .tally import X, Y, tally
from .turn import close_turn, play_step, play_turn

COUNTERS = ("games", "illegal", "decisions", "turns", "fault", "fault_game")
"""The counters that ``play_games`` fills beside the sums."""
GAMES, ILLEGAL, DECISIONS, TURNS, FAULT, FAULT_GAME = range(6)


@entry(CACHE)
def play_games(blocks, rules_table, tables_table, seed, first, count, sums, examples, counters, stop, rows, each):
    """Plays games first … first + count − 1 and adds them to ``sums`` (metrics, 5), ``examples`` and ``counters``.

    ``blocks``, ``rules_table``, ``tables_table``: arrays of one record each; the block is used up. ``each`` (count, r,
    2) receives numerator and denominator of every single game for the metrics ``rows``, of which there may be none.
    """
    game = blocks[0]
    rules = rules_table[0]
    tables = tables_table[0]
    for number in range(first, first + count):
        if stop[0] != 0:
            break
        deal(game, rules, tables, seed, number)
        play_on(game, rules, tables)
        close_record(game)
        for k in range(len(rows)):
            each[number - first, k, Y] = -sums[rows[k], Y]
            each[number - first, k, X] = -sums[rows[k], X]
        tally(game, sums)
        for k in range(len(rows)):
            each[number - first, k, Y] += sums[rows[k], Y]
            each[number - first, k, X] += sums[rows[k], X]
        ending = np.int64(game.record.ending)
        if examples[ending, examples.shape[1] - 1] < 0:  # the last of them is still free
            keep_example(examples, ending, number)
        if DEATH_MESA:
            for moment in range(len(SHOWN)):
                row = len(ENDINGS) + moment
                if game.record.funnel[SHOWN[moment]] > 0 and examples[row, examples.shape[1] - 1] < 0:
                    keep_example(examples, row, number)
        counters[GAMES] += 1
        counters[ILLEGAL] += game.record.illegal
        counters[DECISIONS] += game.record.decisions
        counters[TURNS] += game.record.turns
        if INSTRUMENTED and game.script.fault != NO_FAULT and counters[FAULT] == 0:
            counters[FAULT] = game.script.fault
            counters[FAULT_GAME] = number


@leaf
def keep_example(examples, ending, number):
    """Writes the number of a game into the first free place of its ending."""
    for k in range(examples.shape[1]):
        if examples[ending, k] < 0:
            examples[ending, k] = number
            break


@entry(CACHE)
def deal_game(blocks, rules_table, tables_table, seed, number):
    """Deals one game into the block."""
    deal(blocks[0], rules_table[0], tables_table[0], seed, number)


@entry(CACHE)
def play_block(blocks, rules_table, tables_table):
    """Plays the game in the block on, to its end, to the end of the turn if the script says so, or to a pause."""
    play_on(blocks[0], rules_table[0], tables_table[0])
    close_record(blocks[0])


@shared
def play_on(game, rules, tables):
    """Plays on from any phase until the game is over."""
    while game.ending == PLAYING:
        if INSTRUMENTED:
            if game.script.checked != 0:
                check(game, rules, tables)
            close_turn(game, rules, tables)
            if game.ending != PLAYING:
                break
            if game.script.stop_at_turn_end != 0 and game.public.phase == TURN_OVER:
                break
            play_step(game, rules, tables)
        else:
            play_turn(game, rules, tables)


@leaf
def close_record(game):
    game.record.ending = game.ending
    game.record.turns = game.public.turn

