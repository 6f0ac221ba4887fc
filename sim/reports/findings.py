"""What an experiment found, as reports ask for it: by metric and by set-up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from sim.services.differences import SURE
from sim.services.result import WIN_RATE
from sim.services.results import HEADLINE_GROUPS, Manifest, Results, SetUp

if TYPE_CHECKING:
    import pandas

ASSUMPTIONS = ("strategy", "strategies", "deck", "cards")
"""Settings that stand for what is not known of a game, unless the manifest names others."""

MOST_SHOWN = 6
"""Metrics that the report shows first if nobody says which."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class Value:
    """A metric in a set-up: one row of ``cells.parquet``."""

    cell: int
    metric: str
    group: str
    unit: str
    numerator: int
    denominator: int
    estimate: float
    low: float
    high: float
    n: int
    method: str


@dataclass(frozen=True)
class Change:
    """A metric in a set-up less that of the baseline: one row of ``differences.parquet``."""

    cell: int
    metric: str
    group: str
    unit: str
    rate: float
    baseline: float
    estimate: float
    low: float
    high: float
    n: int
    differing: int
    reduction: float
    p: float
    p_adjusted: float
    method: str

    @property
    def is_clear(self) -> bool:
        """Whether chance alone hardly makes such a difference, all comparisons considered."""
        return self.p_adjusted < SURE


@dataclass(frozen=True, eq=False)
class Findings:
    """The values and changes of an experiment, and which of them come first."""

    manifest: Manifest
    values: Mapping[str, Sequence[Value]] = field(repr=False)
    changes: Mapping[tuple[int, str], Change] = field(repr=False)

    @cached_property
    def cells(self) -> dict[int, SetUp]:
        """The set-ups that were played, by number."""
        played = {value.cell for values in self.values.values() for value in values}
        return {cell.cell: cell for cell in self.manifest.cells if cell.cell in played}

    @property
    def swept(self) -> list[str]:
        """The settings that differ between set-ups."""
        return self.manifest.swept

    @cached_property
    def numeric(self) -> list[str]:
        """Swept settings that are numbers."""
        return [name for name in self.swept if len(self.levels(name)) > 1 and all(map(_is_number, self.levels(name)))]

    def levels(self, name: str, cells: Iterable[int] | None = None) -> list[Any]:
        """The values of a swept setting: numbers in order, others as they come."""
        chosen = self.cells if cells is None else cells
        found = list(dict.fromkeys(self.cells[cell].values[name] for cell in chosen))
        return sorted(found) if all(map(_is_number, found)) else found

    @cached_property
    def is_grid(self) -> bool:
        """Whether every value of each swept setting was played with every value of the others."""
        return math.prod(len(self.levels(name)) for name in self.swept) == len(self.cells)

    @cached_property
    def main(self) -> list[str]:
        """The metrics that the report is about: those asked for, the goal's first; else who wins."""
        goal = [self.manifest.goal.metric] if self.manifest.goal is not None else []
        asked = list(dict.fromkeys([*goal, *self.manifest.report.metrics]))
        if asked:
            return asked
        for group in HEADLINE_GROUPS:
            found = [name for name in self.group(group) if any(v.numerator for v in self.values[name])]
            if found:
                return found[:MOST_SHOWN]
        return list(self.values)[:MOST_SHOWN]

    @property
    def headline(self) -> str:
        """The metric that the verdict is about."""
        return self.main[0]

    @cached_property
    def assumptions(self) -> list[str]:
        """Swept settings that stand for what is not known of the game."""
        if self.manifest.assumptions is not None:
            return self.manifest.assumptions
        return [name for name in self.swept if name.split(".")[0] in ASSUMPTIONS]

    @cached_property
    def groups(self) -> list[str]:
        """The groups of the metrics, in the order of the game."""
        return list(dict.fromkeys(values[0].group for values in self.values.values()))

    def group(self, name: str) -> list[str]:
        """The metrics of a group of which there was anything to count."""
        return [metric for metric, values in self.values.items() if values[0].group == name and self.known(metric)]

    def known(self, metric: str) -> list[Value]:
        """The values of a metric in the set-ups in which there was anything to count."""
        return [value for value in self.values.get(metric, ()) if value.denominator > 0]

    def value(self, cell: int, metric: str) -> Value | None:
        """The value of a metric in a set-up, None if nothing was counted there."""
        return self._by_cell.get((cell, metric))

    @cached_property
    def _by_cell(self) -> dict[tuple[int, str], Value]:
        return {(value.cell, metric): value for metric in self.values for value in self.known(metric)}

    def change(self, cell: int, metric: str) -> Change | None:
        """The difference from the baseline, None if it is not known."""
        return self.changes.get((cell, metric))

    def changes_of(self, metric: str) -> list[Change]:
        """The differences of a metric, in the order of the set-ups."""
        return [change for (_, name), change in self.changes.items() if name == metric]

    def split(self, apart: Iterable[str]) -> Iterator[tuple[dict[str, Any], list[int]]]:
        """The set-ups that differ in nothing but the settings ``apart``, with what they have in common."""
        left = set(apart)
        found: dict[tuple[Any, ...], tuple[dict[str, Any], list[int]]] = {}
        for number, cell in self.cells.items():
            common = {name: value for name, value in cell.values.items() if name not in left}
            found.setdefault(tuple(common.values()), (common, []))[1].append(number)
        yield from found.values()


def findings(results: Results) -> Findings:
    """Takes the tables of an experiment apart."""
    values: dict[str, list[Value]] = {}
    for value in _rows(results.cells, Value):
        values.setdefault(value.metric, []).append(value)
    changes = [] if results.differences is None else _rows(results.differences, Change)
    known = {(row.cell, row.metric): row for row in changes if math.isfinite(row.estimate)}
    return Findings(results.manifest, values, known)


def is_win_rate(metric: str) -> bool:
    """Whether it is the rate of winning of somebody: ``win_rate.<group>.<name>``."""
    return metric.startswith(f"{WIN_RATE}.") and metric.count(".") == 2


def _rows(table: pandas.DataFrame, kind: type[Row]) -> list[Row]:
    names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    columns = (table[name].tolist() for name in names)
    return [kind(*row) for row in zip(*columns, strict=True)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
