"""The one door for decisions: every choice of every player passes through ``ask`` or ``ask_what_to_play``."""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf, shared
from sim.kernel.streams import GAMMA, below

from .chosen import choose
from .flags import INSTRUMENTED
from .journal import note
from .names import E_DECISION, MILLION, NOTHING, ONE, PAUSED, PLAY, PLAYING, UNFINISHED, answer_target, answer_what
from .questions import any_option, count_answers, is_legal, passive_answer
from .scripts import pause_for, scripted_answer


@shared
def ask(game, rules, tables, seat):
    """Puts the prepared question of a seat, any but PLAY, to its strategy (or script) and returns a legal answer.

    A question with one answer is answered without asking. An illegal answer is counted and replaced by the passive one.
    Once the game is over every answer is the passive one, so that a half-resolved card unwinds.
    """
    own = game.own[seat]
    if game.ending != PLAYING:
        return passive_answer(own)
    if count_answers(own.question) == 1:
        given = passive_answer(own)
        note(game, E_DECISION, seat, own.question.kind, answer_what(given), answer_target(given), NOTHING)
        return given
    if not may_still_ask(game, rules):
        return passive_answer(own)
    if own.question.kind == PLAY:  # never: it tells the compiler that this copy of the strategy needs no PLAY
        return passive_answer(own)
    return answer_of(game, rules, tables, seat)


@leaf
def ask_what_to_play(game, rules, tables, seat):
    """The same for PLAY, which is asked even if there is only one answer.

    The most frequent question has code of its own, inside the loop of the turn: nobody has to ask which kind it is.
    """
    own = game.own[seat]
    if not may_still_ask(game, rules):
        return passive_answer(own)
    own.question.kind = PLAY  # as it is already: it tells the compiler that this copy needs nothing but PLAY
    return answer_of(game, rules, tables, seat)


@leaf
def may_still_ask(game, rules):
    """Counts a decision; at the cap the game ends unfinished instead (B-46)."""
    public = game.public
    public.decisions += 1
    game.record.decisions += 1
    if public.decisions >= rules.decision_cap:
        game.ending = UNFINISHED
        return False
    return True


@leaf
def answer_of(game, rules, tables, seat):
    """The answer of the strategy or script, if it is legal, else the passive one."""
    public = game.public
    own = game.own[seat]
    if INSTRUMENTED and game.script.active != 0:
        given = scripted_answer(game)
        if given < 0:
            pause_for(game, seat)
            game.ending = PAUSED
            return passive_answer(own)
    elif is_mistaken(own, tables):
        given = any_option(public, own, rules, tables)
    else:
        given = choose(public, own, rules, tables)
    if not is_legal(public, own, rules, tables, given):
        game.record.illegal += 1
        given = passive_answer(own)
    note(game, E_DECISION, seat, own.question.kind, answer_what(given), answer_target(given), ONE)
    return given


@leaf
def is_mistaken(own, tables):
    """Whether chance decides instead of the strategy, as often as its ``mistakes`` say."""
    mistakes = np.int64(tables.mistakes[np.int64(own.strategy)])
    if mistakes == 0:
        return False
    own.dice += GAMMA
    return below(own.dice, MILLION) < mistakes
