"""Copies of a game for search: play can go on from them, and nothing hidden gets into them."""

from __future__ import annotations

from sim.kernel.jit import entry

from .flags import CACHE, DEATH_MESA
from .imagine import imagine


@entry(CACHE)
def imagine_block(known, imagined, rules_table, tables_table, seat, decision, rollout):
    """Fills the block ``imagined`` with a state that agrees with what ``seat`` knows of the block ``known``.

    Both are arrays of one record; ``imagined`` already holds copies of the public record, of the record of past events
    and of the seat's own record.
    """
    source = known[0]
    own, discards = source.own[seat], source.discard_pile
    dead = discards
    if DEATH_MESA:
        dead = source.dead_discards
    imagine(
        imagined[0], source.public, own, rules_table[0], tables_table[0], discards, dead, source.key, decision, rollout
    )
