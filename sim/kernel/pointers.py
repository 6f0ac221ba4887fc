"""Memory by its address: blocks copied, and functions called that were compiled apart from their callers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

POINTER = ir.IntType(8).as_pointer()

PLAIN_FUNCTIONS: list[Callable[..., int]] = []
"""With the JIT off, the functions whose places in this list stand for their addresses."""


def copy_block(record: Any, address: int) -> None:
    """Copies a record, byte by byte, to a block of the same kind at an address."""
    ctypes.memmove(int(address), record.__array_interface__["data"][0], record.dtype.itemsize)


@intrinsic
def _copy_block(typing_context: Any, record: Any, address: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        target = builder.inttoptr(arguments[1], POINTER)
        source = builder.bitcast(arguments[0], POINTER)
        cgutils.raw_memcpy(builder, target, source, ir.Constant(ir.IntType(64), record.size), 1)
        return context.get_dummy_value()

    return types.void(record, types.int64), code


@overload(copy_block)
def _copy_block_compiled(record, address):  # type: ignore[no-untyped-def]
    return lambda record, address: _copy_block(record, np.int64(address))


def call_at(address: int, first: Any, second: Any, third: Any, fourth: Any) -> int:
    """What the function at an address returns, an int64, for the addresses of four records (``jit.outside``)."""
    return PLAIN_FUNCTIONS[address](first, second, third, fourth)


@intrinsic
def _call_at(typing_context: Any, address: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        function = ir.FunctionType(ir.IntType(64), [POINTER] * 4).as_pointer()
        records = [builder.bitcast(record, POINTER) for record in arguments[1:]]
        return builder.call(builder.inttoptr(arguments[0], function), records)

    return types.int64(types.int64, first, second, third, fourth), code


@overload(call_at)
def _call_at_compiled(address, first, second, third, fourth):  # type: ignore[no-untyped-def]
    return lambda address, first, second, third, fourth: _call_at(np.int64(address), first, second, third, fourth)
