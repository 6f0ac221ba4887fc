"""An experienced player: weighs who is on whose side, what each card is worth to him, and what a fight will cost."""

from __future__ import annotations

import numpy as np

from sim.bang.core.flags import DEATH_MESA
from sim.bang.core.names import (
    ANSWER,
    CHARACTER,
    DISCARD,
    KEEP,
    NEGATE,
    NOBODY,
    PASS,
    PAY,
    PLAY,
    REVEAL,
    SAVE,
    SID,
    SOURCE,
    STORE,
    TAKE,
    answer,
)
from sim.bang.core.seats import is_ghost
from sim.kernel.jit import leaf
from strategies.bang.simple import dodge, give_bang, pick_revealed, save
from strategies.bang.standard.ghosts import answer_to_ghosts, ghost_decision
from strategies.bang.standard.living import draw_source, keep_character, play, take
from strategies.bang.standard.weights import WEIGHTS
from strategies.bang.standard.worth import choose

__all__ = ["WEIGHTS", "decide"]


@leaf
def decide(public, own, rules, tables):
    """The answer to ``own.question``."""
    kind = own.question.kind
    if DEATH_MESA:
        if is_ghost(public, np.int64(own.seat)):
            return ghost_decision(public, own, rules, tables)
        if kind >= NEGATE:
            return answer_to_ghosts(public, own, tables)
    if kind == PLAY:
        return play(public, own, rules, tables)
    if kind == ANSWER:
        return dodge(own, tables)
    if kind == DISCARD or kind == PAY:
        return answer(choose(public, own, tables, own.question.cards, -1), NOBODY)
    if kind == STORE or kind == KEEP:
        return answer(choose(public, own, tables, own.question.cards, 1), NOBODY)
    if kind == TAKE:
        return take(public, own, tables)
    if kind == SAVE:
        return save(public, own, rules, tables)
    if kind == REVEAL:
        return pick_revealed(own, tables)
    if kind == SOURCE:
        return draw_source(public, own, tables)
    if kind == CHARACTER:
        return keep_character(own, tables)
    if kind == SID:
        return answer(PASS, NOBODY)
    return give_bang(own, tables)  # INDIANS_ANSWER, DUEL_ANSWER
