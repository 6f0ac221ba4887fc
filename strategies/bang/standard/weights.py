"""What the strategy weighs: one row a weight, in the order of the parameter vector. No other file holds such a number.

A row is name, default, least, most, meaning. Weights live in the tables, by strategy, so that changing one compiles
nothing anew.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf

WEIGHTS = (
    ("ghost_life", 20, 0, 60, "what a life point, not the last one, is worth to a ghost, in tenths of a card"),
    ("ghost_hold", 450, 0, 2000, "what a Dead Men's card kept for the others' turns is worth, 1000: a Sheriff's card"),
    ("ghost_warn", 400, 0, 5000, "what the cards for a Missed! for the Sheriff are worth to a dead deputy besides"),
    ("ghost_goods", 1000, 0, 5000, "what a buried card is worth to a Renegade who wants to return as a Zombie"),
    ("hit_on_sheriff", 6, 0, 20, "how much an act against the Sheriff makes a player a suspect"),
    ("hit_on_suspect", 4, 0, 20, "how much all but the Sheriff trust a player for an act against a suspect"),
    ("hit_without_outlaws", 12, 0, 60, "how much an act against anybody else speaks once no outlaw is left"),
    ("law_caution", 100, 0, 120, "how much the law spares an unknown player who may be a deputy"),
    ("outlaw_caution", 80, 0, 120, "how much an outlaw spares an unknown player who may be another one"),
    ("renegade_balance", 1, 0, 4, "how few outlaws must be left for a Renegade to hunt deputies before them"),
    ("aim_at_weak", 40, 0, 120, "how much a life point less makes a target better"),
    ("duel_strength", 4, 0, 10, "how many hand cards of a foe a BANG! in the own hand outweighs before a Duel"),
    ("raid_for_self", 40, 0, 200, "how much the own life point counts before Indians!"),
    ("gear_over_hand", 0, -60, 20, "how much a robber likes what lies open more than a hand card"),
    ("volcanic", 15, 0, 60, "what a spare BANG! adds to a Volcanic, in tenths of a step of range"),
    ("lay_dynamite", 1, 0, 4, "who lays Dynamite: 0 nobody, 1 outlaws, 2 also the Renegade, 3 also deputies, 4 all"),
    ("spare_bang", 45, 0, 80, "what a second BANG! in hand is worth"),
    ("bangs_kept_from_ghosts", 0, 0, 9, "how many BANG!s he keeps before he spends one on the cards of a ghost"),
    ("rob_unknown", 31, 0, 60, "how far from a foe somebody may be whom the Sheriff and outlaws rob"),
)
GHOST_LIFE, GHOST_HOLD, GHOST_WARN, GHOST_GOODS = map(np.int64, range(4))
(
    HIT_ON_SHERIFF, HIT_ON_SUSPECT, HIT_WITHOUT_OUTLAWS, LAW_CAUTION,
    OUTLAW_CAUTION, RENEGADE_BALANCE, AIM_AT_WEAK, DUEL_STRENGTH,
    RAID_FOR_SELF, GEAR_OVER_HAND, VOLCANIC_WORTH, LAY_DYNAMITE, SPARE_BANG,
    BANGS_KEPT_FROM_GHOSTS, ROB_UNKNOWN,
) = map(np.int64, range(4, 19))  # fmt: skip


@leaf
def weight(own, tables, k):
    """Weight k of the strategy that plays this seat."""
    return np.int64(tables.weights[np.int64(own.strategy), k])
