"""Which cells a sweep has: every combination, or points spread evenly over what the settings can be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from sim.errors import UserError, unknown
from sim.services.written import text_of

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
        if isinstance(values, Mapping) and values:
            raise UserError(f"{name} is a table; write the whole name in quotes: {_quoted(name, values)}")
        if not isinstance(values, list) or not values:
            raise UserError(f"{name} is {values!r}; valid: a list of values, such as {name} = [3, 4, 5]")
        if _has_twice(values):
            raise UserError(f"{name} has a value twice: {values}")
        if kind != GRID and _is_range(values) and values[0] > values[1]:
            raise UserError(f"{name} goes from {values[0]} to {values[1]}; write [{values[1]}, {values[0]}]")
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


def _quoted(name: str, values: Any) -> str:
    """The first line of a table as a line of its own: ``"copies.beer" = [6, 8]``."""
    while isinstance(values, Mapping) and values:
        inner, values = next(iter(values.items()))
        name = f"{name}.{inner}"
    return f'"{name}" = {json.dumps(values, ensure_ascii=False, default=str)}'


def _has_twice(values: Sequence[Any]) -> bool:
    """Whether two values are the same to the game, which takes 5 and "5" alike."""
    texts, numbers = [text_of(value) for value in values], [v for v in values if isinstance(v, (int, float))]
    return any(len(set(each)) < len(each) for each in (texts, numbers))


def _is_range(values: Sequence[Any]) -> bool:
    """Whether values are the two ends of a range."""
    return len(values) == 2 and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


def _within(values: Sequence[Any], u: float) -> Any:
    """The value at a share 0 ≤ u < 1 of a range or of choices."""
    if _is_range(values):
        low, high = values
        if isinstance(low, int) and isinstance(high, int):
            return low + int(u * (high - low + 1))
        return low + u * (high - low)
    return values[int(u * len(values))]


def seed_of(seed: int, cell: int) -> int:
    """The seed of a cell that is not paired with the others: 63 bits of a digest."""
    return int.from_bytes(hashlib.sha256(f"{seed} {cell}".encode()).digest()[:8], "big") >> 1
