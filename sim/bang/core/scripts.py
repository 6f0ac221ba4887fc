"""Scripts: games whose answers come from a list, for scenarios, traces and saved positions. Instrumented kernels only.

A game that needs an answer beyond its list pauses: the whole state is copied out and the question can be read there.
The caller extends the list and plays again from the start, which takes microseconds.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from sim.kernel.jit import leaf

from .flags import INSTRUMENTED


def copy_block(record: Any, address: int) -> None:
    """Copies a record, byte by byte, to a block of the same kind at an address."""
    ctypes.memmove(int(address), record.__array_interface__["data"][0], record.dtype.itemsize)


@intrinsic
def _copy_block(typing_context: Any, record: Any, address: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        target = builder.inttoptr(arguments[1], ir.IntType(8).as_pointer())
        source = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
        cgutils.raw_memcpy(builder, target, source, ir.Constant(ir.IntType(64), record.size), 1)
        return context.get_dummy_value()

    return types.void(record, types.int64), code


@overload(copy_block)
def _copy_block_compiled(record, address):  # type: ignore[no-untyped-def]
    return lambda record, address: _copy_block(record, np.int64(address))


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
