"""An experienced player: weighs who is on whose side, what each card is worth to him, and what a fight will cost."""

from __future__ import annotations

from strategies.bang.simple import decide as decide_simply
from sim.kernel.jit import leaf


@leaf
def decide(public, own, rules, tables):
    """The answer to ``own.question``."""
    return decide_simply(public, own, rules, tables)
