"""Which cells a sweep has: every combination, or points spread evenly over what the settings can be."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from sim.errors import UserError, unknown

KIND, SAMPLES = "kind", "samples"
GRID, LATIN, SOBOL = "grid", "lhs", "sobol"
KINDS = (GRID, LATIN, SOBOL)
MOST_SAMPLES = 1_000_000


def points(sweep: Mapping[str, Any], seed: int) -> list[dict[str, Any]]:
    """The swept values of each cell, in order; one point without values if nothing is swept.

    ``sweep``: lists of values by setting, all combined. With ``kind`` ``lhs`` (Latin hypercube) or ``sobol`` and
    ``samples``: so many points; two numbers are then the ends of a range, whole if both are; other lists are
    choices. Raises UserError.
    """
    kind = sweep.get(KIND, GRID)
    settings = {name: values for name, values in sweep.items() if name not in (KIND, SAMPLES)}
    if kind not in KINDS:
        raise unknown("kind of sweep", str(kind), KINDS, KIND)
    for name, values in settings.items():
        if not isinstance(values, list) or not values:
            raise UserError(f"{name} is {values!r}; valid: a list of values, such as {name} = [3, 4, 5]")
        if kind == GRID and any(values[i] in values[:i] for i in range(len(values)) if not isinstance(values[i], bool)):
            raise UserError(f"{name} has a value twice: {values}")
    if kind == GRID:
        if SAMPLES in sweep:
            raise UserError(f'{SAMPLES} goes with kind = "{LATIN}" or "{SOBOL}"; a grid has every combination')
        return [dict(zip(settings, values, strict=True)) for values in product(*settings.values())]
    return _spread(kind, sweep.get(SAMPLES), settings, seed)


def _spread(kind: str, samples: Any, settings: Mapping[str, Sequence[Any]], seed: int) -> list[dict[str, Any]]:
    from scipy.stats import qmc

    if isinstance(samples, bool) or not isinstance(samples, int) or not 1 <= samples <= MOST_SAMPLES:
        raise UserError(f"{SAMPLES} is {samples!r}; valid: 1..{MOST_SAMPLES}, the number of cells")
    if not settings:
        raise UserError(f"{KIND} is {kind!r}, but nothing is swept; name a setting, such as draw_count = [1, 3]")
    if kind == SOBOL and samples & (samples - 1):
        raise UserError(f"{SAMPLES} is {samples}; Sobol points are balanced in powers of two only: 16, 32, 64 …")
    engine = qmc.LatinHypercube if kind == LATIN else qmc.Sobol
    rows = engine(d=len(settings), rng=seed).random(samples)
    names, lists = list(settings), list(settings.values())
    return [
        {name: _within(values, float(u)) for name, values, u in zip(names, lists, row, strict=True)} for row in rows
    ]


def _within(values: Sequence[Any], u: float) -> Any:
    """The value at a share 0 ≤ u < 1 of a range or of choices."""
    if len(values) == 2 and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        low, high = values
        if isinstance(low, int) and isinstance(high, int):
            return low + int(u * (high - low + 1))
        return low + u * (high - low)
    return values[int(u * len(values))]


def seed_of(seed: int, cell: int) -> int:
    """The seed of a cell that is not paired with the others: 63 bits of a digest."""
    return int.from_bytes(hashlib.sha256(f"{seed} {cell}".encode()).digest()[:8], "big") >> 1
