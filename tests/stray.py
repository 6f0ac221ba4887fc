"""A strategy that answers with any number, legal or not: nothing it says may do any harm."""

from __future__ import annotations

from sim.kernel.jit import leaf
from sim.kernel.streams import GAMMA, below


@leaf
def decide(public, own, rules, tables):
    """A number from −1,048,576 to 3,145,727; those below 1,024 name cards."""
    own.dice += GAMMA
    if own.dice & GAMMA > 0 and below(own.dice, 4) > 0:
        return below(own.dice, tables.cards) | below(own.dice, 16) << 16
    return below(own.dice, 1 << 22) - (1 << 20)
