"""Plays any legal option, all with the same chance."""

from __future__ import annotations

from sim.bang.core.questions import any_option
from sim.kernel.jit import leaf


@leaf
def decide(public, own, rules, tables):
    """One of the options, drawn from the seat's own dice."""
    return any_option(public, own, rules, tables)
