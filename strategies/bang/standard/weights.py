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
    ("ghost_life", 20, 10, 60, "what a life point, not the last one, is worth to a ghost, in tenths of a card"),
    ("ghost_hold", 450, 0, 2000, "what a Dead Men's card kept for the others' turns is worth, 1000: a Sheriff's card"),
    ("ghost_patience", 1500, 0, 5000, "the same to a dead Renegade who waits for his shot at the Sheriff"),
    ("ghost_warn", 800, 0, 5000, "what the cards for a Missed! for the Sheriff are worth to a dead deputy besides"),
    ("ghost_negate", 300, 0, 5000, "how much a contest of ghosts has to promise"),
    ("ghost_goods", 1000, 0, 5000, "what a buried card is worth to a Renegade who wants to return as a Zombie"),
)
(
    HIT_ON_SHERIFF, HELP_FOR_SHERIFF, HIT_ON_SUSPECT, HIT_ON_LAW, GHOST_LIFE, GHOST_HOLD, GHOST_PATIENCE, GHOST_WARN,
    GHOST_NEGATE, GHOST_GOODS,
) = map(np.int64, range(10))  # fmt: skip


@leaf
def weight(own, tables, k):
    """Weight k of the strategy that plays this seat."""
    return np.int64(tables.weights[np.int64(own.strategy), k])
