"""What players do with their chances: whom they attack, and which cards and abilities they use or leave.

Counted at the one door for decisions, over all games of a block, and only in instrumented kernels.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest, rest
from sim.kernel.jit import leaf, shared

from .flags import DEATH_MESA, INSTRUMENTED, WORDS
from .names import (
    ANYBODY,
    BANG,
    CAT_BALOU,
    CONVERT,
    CURSE,
    DEATH_AND_TAXES,
    DECAY,
    DRY_SPELL,
    DUEL,
    END,
    GHOST_STORIES,
    GUILTY_CONSCIENCE,
    JAIL,
    MISSED,
    NIGHTMARE,
    NOBODY,
    NOTHING,
    ONE,
    OTHER,
    OTHERS,
    PANIC,
    PASS,
    PLAY,
    POSSESS,
    SPOOK,
    TERRIFY,
    THE_EAST_WIND,
    UNFINISHED_BUSINESS,
    answer_target,
    answer_what,
)
from .questions import candidate_cards, legal_targets
from .seats import count_living, is_alive, is_ghost

PARTS = ("early", "middle", "late")
"""Parts of a game: until the first elimination; while more than LATE_ALIVE live; the rest."""
EARLY, MIDDLE, LATE = map(np.int64, range(3))
LATE_ALIVE = 3

OF_GHOSTS = np.int64(4)
"""What is added to the role of an attacker who is a ghost, and the column of targets who are."""

ATTACKS = 1 << BANG | 1 << MISSED | 1 << DUEL | 1 << PANIC | 1 << CAT_BALOU | 1 << JAIL
"""What the living do to somebody."""

HAUNTINGS = 1 << CURSE | 1 << DEATH_AND_TAXES | 1 << THE_EAST_WIND | 1 << DRY_SPELL | 1 << DECAY | 1 << GHOST_STORIES
HAUNTINGS |= 1 << GUILTY_CONSCIENCE | 1 << POSSESS | 1 << NIGHTMARE | 1 << SPOOK | 1 << TERRIFY
HAUNTINGS |= 1 << UNFINISHED_BUSINESS
"""Dead Men's cards that harm the living player they name."""


@shared
def count_habits(game, rules, tables, seat, given):
    """Counts what the asked seat could answer, and what it does."""
    if INSTRUMENTED:
        own = game.own[seat]
        habits = game.script.habits
        kind = np.int64(own.question.kind)
        what = answer_what(given)
        cards = answering_effects(game.public, own, rules, tables)
        choice = count_others(game.public, own, rules, tables, habits, what) or cards != 0
        if kind == PLAY:
            before = np.int64(habits.could_play)
            habits.could_play = before | cards
            cards &= ~before
            count_attack(game, tables, habits, seat, what, answer_target(given))
        while cards != 0:
            habits.chances[kind, lowest(cards)] += 1
            cards &= cards - 1
        if what < OTHER:
            habits.given[kind, np.int64(tables.effect[what])] += 1
        if choice:
            habits.asked[kind] += 1
            habits.acted[kind] += 0 if what == END or what == PASS else 1


@leaf
def answering_effects(public, own, rules, tables):
    """The effects of the cards that are answers to the question of a seat: bit e for effect e."""
    found = NOTHING
    for w in range(WORDS):
        cards = candidate_cards(own, w)
        while cards != 0:
            card = lowest(cards) + 64 * w
            cards = rest(cards)
            if legal_targets(public, own, rules, tables, card, ANYBODY) != 0:
                found |= ONE << np.int64(tables.effect[card])
    return found


@leaf
def count_others(public, own, rules, tables, habits, what):
    """Counts the answers that are no cards. Returns whether there is one besides the end of phase 2."""
    choice = False
    for k in range(len(OTHERS)):
        if legal_targets(public, own, rules, tables, OTHER + k, ANYBODY) != 0:
            habits.offered[k] += 1
            choice = choice or OTHER + k != END
    if what >= OTHER:
        habits.taken[what - OTHER] += 1
    return choice


@leaf
def count_attack(game, tables, habits, seat, what, target):
    """Counts a play against somebody by the roles in force."""
    if target == NOBODY:
        return
    public = game.public
    attacker, attacked = np.int64(game.own[seat].role), np.int64(game.own[target].role)
    if DEATH_MESA:
        if is_ghost(public, seat):
            harmful = what == CONVERT
            if what < OTHER:
                harmful = HAUNTINGS >> np.int64(tables.effect[what]) & 1 != 0
            if harmful and is_alive(public, target):
                habits.attacks[part_of_game(game), attacker + OF_GHOSTS, attacked] += 1
            return
        if is_ghost(public, target):
            attacked = OF_GHOSTS
    if what < OTHER:
        if ATTACKS >> np.int64(tables.effect[what]) & 1 != 0:
            habits.attacks[part_of_game(game), attacker, attacked] += 1


@leaf
def part_of_game(game):
    """Which of the PARTS it is."""
    if game.record.deaths == 0:
        return EARLY
    return LATE if count_living(game.public) <= LATE_ALIVE else MIDDLE
