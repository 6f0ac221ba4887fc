"""Sets of up to 64 members in one unsigned integer.

Each function has a plain Python body, used with the JIT off, and a compiled twin of one machine instruction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

ONE = np.uint64(1)
NONE = np.uint64(0)


def popcount(members: int) -> int:
    """How many members the set has."""
    return int(members).bit_count()


def lowest(members: int) -> int:
    """The smallest member; 64 for the empty set."""
    members = int(members)
    return (members & -members).bit_length() - 1 if members else 64


def highest(members: int) -> int:
    """The largest member; −1 for the empty set."""
    return int(members).bit_length() - 1


def bit(member: int) -> np.uint64:
    """The set of one member, 0 … 63."""
    return ONE << np.uint64(member)


def rest(members: np.uint64) -> np.uint64:
    """The set without its smallest member; the set must not be empty."""
    return members & (members - ONE)


def nth(members: np.uint64, n: int) -> int:
    """The member with n smaller ones; there must be more than n members."""
    for _ in range(n):
        members = rest(members)
    return lowest(members)


@intrinsic
def _popcount(typing_context: Any, members: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


@intrinsic
def _trailing_zeros(typing_context: Any, members: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), code


@intrinsic
def _leading_zeros(typing_context: Any, members: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), code


@overload(popcount)
def _popcount_compiled(members):  # type: ignore[no-untyped-def]
    return lambda members: _popcount(np.uint64(members))


@overload(lowest)
def _lowest_compiled(members):  # type: ignore[no-untyped-def]
    return lambda members: _trailing_zeros(np.uint64(members))


@overload(highest)
def _highest_compiled(members):  # type: ignore[no-untyped-def]
    return lambda members: 63 - _leading_zeros(np.uint64(members))


@overload(bit)
def _bit_compiled(member):  # type: ignore[no-untyped-def]
    return lambda member: ONE << np.uint64(member)


@overload(rest)
def _rest_compiled(members):  # type: ignore[no-untyped-def]
    return lambda members: members & (members - ONE)


@overload(nth)
def _nth_compiled(members, n):  # type: ignore[no-untyped-def]
    def compiled(members, n):  # type: ignore[no-untyped-def]
        for _ in range(n):
            members = rest(members)
        return lowest(members)

    return compiled
