"""What a kernel is compiled for. Each kernel has its own copy of this file; a branch on a false flag costs nothing."""

from __future__ import annotations

WORDS = 2
"""64-bit words of a card set: 2 hold up to 128 cards."""

DEATH_MESA = False
"""The eliminated play on as ghosts."""

INSTRUMENTED = False
"""Journal, scripts, habits and checked mode are compiled in (the same games, slower)."""

CACHE = False
"""The machine code is kept on disk."""
