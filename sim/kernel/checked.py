"""``jit`` for code whose indices are not trusted: the same names; an index out of bounds raises IndexError."""

from __future__ import annotations

from sim.kernel.jit import checked_part, entry

__all__ = ["entry", "leaf", "shared"]

leaf = shared = checked_part
