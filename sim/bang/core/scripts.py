"""Scripts: games whose answers come from a list, for scenarios, traces and saved positions. Instrumented kernels only.

A game that needs an answer beyond its list pauses: the whole state is copied out and the question can be read there.
The caller extends the list and plays again from the start, which takes microseconds.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf
from sim.kernel.pointers import copy_block

from .flags import INSTRUMENTED


@leaf
def scripted_answer(game):
    """The next answer of the script, −1 when there is none left."""
    if INSTRUMENTED:
        script = game.script
        if script.next < script.answer_count:
            script.next += 1
            return np.int64(script.answers[script.next - 1])
    return np.int64(-1)


@leaf
def pause_for(game, seat):
    """Leaves the question of a seat, and the whole state, in the snapshot."""
    if INSTRUMENTED:
        game.script.asked = seat
        copy_block(game, game.script.snapshot_at)
