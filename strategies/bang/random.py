"""Plays any legal option, all with the same chance."""

from __future__ import annotations

from sim.bang.core.questions import option
from sim.kernel.jit import leaf
from sim.kernel.streams import GAMMA, below


@leaf
def decide(public, own, rules, tables):
    """One of the options, drawn from the seat's own dice."""
    own.dice += GAMMA
    return option(public, own, rules, tables, below(own.dice, option(public, own, rules, tables, -1)))
