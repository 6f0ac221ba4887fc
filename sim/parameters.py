"""Rules parameters: what may be set, to which values, and what holds when nothing is set.

A game declares its parameters in one CSV table. Validation, ``scofflaw rules``, the ``[rules]`` table of
experiments, sweeps and the documentation all come from that table. This module knows no game.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from sim.errors import UserError, nearest

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(_[0-9]+)*")

_FAULTS = {
    "bool": "is neither true nor false",
    "int": "is not a whole number",
    "float": "is not a number",
    "choice": "is not text in quotes",
    "path": "is not the path of a file, in quotes",
}


@dataclass(frozen=True)
class Parameter:
    """One switchable rule.

    ``type`` is ``bool``, ``int``, ``float``, ``choice`` or ``path``. ``low`` and ``high`` are the limits of a number,
    both allowed (None for the other types), ``choices`` the values of a choice. ``defaults`` gives the value under
    each preset, in the type of the parameter. ``rule`` holds the ids of the rules it switches, ``meaning`` one
    sentence for people. A name such as ``copies.<card>`` is a family: see ``expand``.
    """

    name: str
    part: str
    type: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    defaults: Mapping[str, Any]
    rule: str
    meaning: str

    @property
    def valid(self) -> str:
        """The valid values, for people: ``3..8``, ``true, false``, ``reach, any`` or ``a file, or empty``."""
        if self.low is not None:
            return f"{self.low}..{self.high}"
        return {"bool": "true, false", "path": "a file, or empty"}.get(self.type, ", ".join(self.choices))

    @property
    def family(self) -> str:
        """What the names of a family begin with (``copies.`` of ``copies.<card>``); empty for a single parameter."""
        return self.name[: self.name.index("<")] if "<" in self.name else ""

    def expand(self, members: Iterable[str]) -> tuple[Parameter, ...]:
        """The parameters of a family, one a member (plain names), each with the family's type, limits and defaults."""
        return tuple(replace(self, name=f"{self.family}{member}") for member in members)

    def parse(self, value: Any, where: str = "") -> Any:
        """The value in the type of the parameter.

        Takes text, as from the command line, or a typed value, as from a TOML file. Typed values are taken
        strictly: a truth value is no number, a number no choice, 7.0 no whole number. Raises UserError.
        """
        parsed = _CONVERTERS[self.type](value)
        if parsed is None:
            raise self._error(value, _FAULTS[self.type], where)
        if self.low is not None and self.high is not None and not self.low <= parsed <= self.high:
            raise self._error(value, "is out of range", where)
        if self.type == "choice" and parsed not in self.choices:
            raise self._error(value, "is not one of its values", where)
        return parsed

    def _error(self, value: Any, fault: str, where: str) -> UserError:
        """The error that names the parameter, the fault and what would be right, the nearest choice first."""
        close = nearest(str(value), self.choices)
        choices = [*close, *(c for c in self.choices if c not in close)]
        place = f"{where}: " if where else ""
        return UserError(f"{place}{self.name}: {value!r} {fault}; valid: {', '.join(choices) or self.valid}")


def read_parameters(path: Path) -> tuple[Parameter, ...]:
    """The parameters declared in a CSV table, in its order; families are rows of their own, not expanded.

    Columns: name, game_part, type, values (``3..8`` or ``reach|any``), one column of defaults for each preset, rule,
    meaning. Raises UserError for a default that is not a valid value.
    """
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns = list(reader.fieldnames or ())
        presets = columns[columns.index("values") + 1 : columns.index("rule")]
        return tuple(_declared(row, presets) for row in reader)


def _declared(row: Mapping[str, str], presets: Iterable[str]) -> Parameter:
    """One row of the table as a parameter."""
    kind, values = row["type"], row["values"]
    low = high = None
    if kind in ("int", "float"):
        low, high = (_CONVERTERS[kind](limit) for limit in values.split(".."))
    choices = tuple(values.split("|")) if kind == "choice" else ()
    bare = Parameter(row["name"], row["game_part"], kind, low, high, choices, {}, row["rule"], row["meaning"])
    return replace(bare, defaults={preset: bare.parse(row[preset], f"default of {preset}") for preset in presets})


def _bool(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value)
    return value if isinstance(value, bool) else None


def _int(value: Any) -> int | None:
    if isinstance(value, str):
        # int() alone would also take blanks and the digits of other scripts; the bound keeps it clear of its own limit.
        return int(value) if len(value) <= 100 and _WHOLE_NUMBER.fullmatch(value) else None
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def _float(value: Any) -> float | None:
    if not isinstance(value, (str, Real)) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


_CONVERTERS: Mapping[str, Callable[[Any], Any]] = {
    "bool": _bool,
    "int": _int,
    "float": _float,
    "choice": _text,
    "path": _text,
}
"""From what the user wrote to a value of the type; None where it is not of that type."""
