"""The one door for decisions: every choice of every player passes through ``ask``."""

from __future__ import annotations

from sim.kernel.jit import shared

from .chosen import choose
from .flags import INSTRUMENTED
from .journal import note
from .names import E_DECISION, NOTHING, ONE, PAUSED, PLAY, PLAYING, UNFINISHED, answer_target, answer_what
from .questions import count_answers, is_legal, passive_answer
from .scripts import pause_for, scripted_answer


@shared
def ask(game, rules, tables, seat):
    """Puts the prepared question of a seat to its strategy (or script) and returns a legal answer.

    A question with one answer is answered without asking (except PLAY). An illegal answer is counted and replaced by
    the passive one. Once the game is over every answer is the passive one, so that a half-resolved card unwinds.
    """
    public = game.public
    own = game.own[seat]
    if game.ending != PLAYING:
        return passive_answer(own)
    if own.question.kind != PLAY and count_answers(own.question) == 1:
        given = passive_answer(own)
        note(game, E_DECISION, seat, own.question.kind, answer_what(given), answer_target(given), NOTHING)
        return given
    public.decisions += 1
    game.record.decisions += 1
    if public.decisions >= rules.decision_cap:
        game.ending = UNFINISHED
        return passive_answer(own)
    if INSTRUMENTED and game.script.active != 0:
        given = scripted_answer(game)
        if given < 0:
            pause_for(game, seat)
            game.ending = PAUSED
            return passive_answer(own)
    else:
        given = choose(public, own, rules, tables)
    if not is_legal(public, own, rules, tables, given):
        game.record.illegal += 1
        given = passive_answer(own)
    note(game, E_DECISION, seat, own.question.kind, answer_what(given), answer_target(given), ONE)
    return given
