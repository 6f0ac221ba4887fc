"""Machine code for several set-ups, made at once: compiling keeps one processor busy, and no more."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from contextlib import ExitStack

from sim.game import Compiling
from sim.services import places
from sim.services.setups import Setup

MOST_PROCESSES = os.cpu_count() or 1


class _Cold(Exception):
    """Raised in place of compiling."""


def prepare(setups: Sequence[Setup], compiling: Compiling | None = None) -> None:
    """Compiles what these set-ups need and is not there yet, all but the first in processes of their own.

    ``compiling`` is called before anything is compiled. Raises UserError.
    """
    cold = [setup for setup in setups if _is_cold(setup)]  # the others are ready by that
    with ExitStack() as stack:
        count = min(len(cold), MOST_PROCESSES) - 1
        if count > 0:
            place = places.Processes(count, None)
            stack.callback(place.close, True)
            for setup in cold[1:]:
                place.submit(_compile, setup)
        for setup in cold:
            setup.session(compiling)  # waits for a process that compiles the same, and does it itself if that died


def _is_cold(setup: Setup) -> bool:
    def instead() -> None:
        raise _Cold

    try:
        setup.session(instead)
    except _Cold:
        return True
    return False


def _compile(setup: Setup) -> None:
    gc.disable()  # see console.in_background
    setup.session()
