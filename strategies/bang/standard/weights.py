"""What the strategy weighs: one row a weight, in the order of the parameter vector. No other file holds such a number.

A row is name, default, least, most, meaning. Weights live in the tables, by strategy, so that changing one compiles
nothing anew.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf

WEIGHTS = (
    ("hit_on_sheriff", 6, 0, 20, "how much an act against the Sheriff makes a player a suspect"),
    ("help_for_sheriff", 6, 0, 20, "how much Jail or Dynamite taken off the Sheriff makes a player trusted"),
    ("hit_on_suspect", 4, 0, 20, "how much an act against an outlaw or a suspect makes a player trusted"),
    ("hit_on_law", 2, 0, 20, "how much an act against a deputy or a trusted player makes a player a suspect"),
)
(
    HIT_ON_SHERIFF, HELP_FOR_SHERIFF, HIT_ON_SUSPECT, HIT_ON_LAW,
) = map(np.int64, range(4))  # fmt: skip


@leaf
def weight(own, tables, k):
    """Weight k of the strategy that plays this seat."""
    return np.int64(tables.weights[np.int64(own.strategy), k])
