"""The journal of a game: what happened, for traces. Only instrumented kernels keep one."""

from __future__ import annotations

from sim.kernel.jit import leaf

from .flags import INSTRUMENTED
from .state import JOURNAL


@leaf
def note(game, event, seat, a, b, c, d):
    """Writes an event (see the ``E_`` names) with a seat and up to four numbers."""
    if INSTRUMENTED:
        script = game.script
        if script.journal_size < JOURNAL:
            row = script.journal[script.journal_size]
            row[0] = event
            row[1] = seat
            row[2] = a
            row[3] = b
            row[4] = c
            row[5] = d
            script.journal_size += 1
