"""The tables of a report: a row a metric and set-up, the difference from the baseline beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sim.reports.findings import Findings, Value
from sim.reports.numbers import UNKNOWN
from sim.reports.pictures.chart import anchor
from sim.reports.verdict import spreads
from sim.reports.wording import (
    change_texts,
    change_unit,
    plain_value,
    set_up,
    setting_text,
    short_set_up,
    title,
    unit_text,
    value_texts,
)
from sim.services.results import SetUp

INTERVAL = "95 % interval"
GROUP_TITLES = {
    "ending": "How games end", "team": "Teams", "role": "Roles as dealt", "seat": "Seats, from the first player",
    "character": "Characters", "game": "Length, survival and other figures",
}  # fmt: skip


@dataclass(frozen=True)
class Column:
    """A column: its heading, whether rows can be sorted by it, whether it holds numbers."""

    name: str
    sorts: bool = True
    is_number: bool = True


@dataclass(frozen=True)
class Table:
    """A table of texts; the first column names the rows. ``note`` says what is counted."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]] = field(repr=False)
    note: str = ""


def main_tables(found: Findings) -> list[Table]:
    """The tables of what the report is about: one a metric, or one for all if there is one set-up."""
    if len(found.cells) > 1:
        return [_table(found, anchor("metric", name), title(name), [name], by_metric=False) for name in found.main]
    return [_table(found, "figures", "The figures of this report", found.main)]


def other_tables(found: Findings) -> Iterator[Table]:
    """All figures, a table a group."""
    for group in found.groups:
        metrics = found.group(group)
        if metrics:
            name = GROUP_TITLES.get(group, group.capitalize())
            yield _table(found, anchor("group", group), name, metrics, in_full=False)


def funnel_tables(found: Findings) -> Iterator[Table]:
    """The steps of the funnels in all set-ups, in games and in their own cases."""
    columns = [
        Column("step", is_number=False), *(Column(name) for name in found.swept), Column("in 100 games"),
        Column("counted"), Column("of"), Column("rate or mean"), Column(INTERVAL, sorts=False),
    ]  # fmt: skip
    for name, metrics in found.manifest.funnels.items():
        rows = []
        for metric in metrics:
            for value in found.values.get(metric, ()):
                often = f"{100 * value.numerator / value.n:,.3g}" if value.n else UNKNOWN
                rows.append([
                    metric, *_settings(found, value.cell), often, f"{value.numerator:,}", f"{value.denominator:,}",
                    *_estimate(value),
                ])  # fmt: skip
        yield Table(anchor("funnel-table", name), name, columns, rows)


def spread_table(found: Findings) -> Table | None:
    """Between what values the headline moves with what is not known."""
    rows = spreads(found)
    if not rows:
        return None
    free = [name for name in found.swept if name not in found.assumptions]
    columns = [*(Column(name) for name in free), *(Column(name) for name in ("lowest", INTERVAL, "with"))]
    columns += [Column(name) for name in ("highest", INTERVAL, "with")]
    cells = [
        [*map(setting_text, row.common.values()), *_end(found, row.lowest), *_end(found, row.highest)] for row in rows
    ]
    return Table("spread", f"{title(found.headline)}: range over the assumptions", columns, cells)


def _end(found: Findings, value: Value) -> list[str]:
    values = found.cells[value.cell].values
    return [*_estimate(value), short_set_up({name: values[name] for name in found.assumptions})]


def _table(
    found: Findings, name: str, heading: str, metrics: Sequence[str], by_metric: bool = True, in_full: bool = True
) -> Table:
    """Rows of some metrics; ``in_full``: with all that is known of the differences."""
    columns = [Column("metric", is_number=False)] if by_metric else []
    columns += [Column(setting) for setting in found.swept]
    columns += [Column("value"), Column(INTERVAL, sorts=False), Column("of")]
    before = len(columns)
    compared = bool(found.changes) and any(found.changes_of(metric) for metric in metrics)
    if compared:
        columns += [Column("difference"), Column(INTERVAL, sorts=False), Column("p, corrected")]
        columns += [Column("baseline"), Column("games that differ"), Column("gain by pairing")] if in_full else []
    rows = [
        [*([metric] if by_metric else []), *_settings(found, value.cell), *_estimate(value), f"{value.denominator:,}",
         *(_compared(found, value)[: len(columns) - before] if compared else [])]
        for metric in metrics for value in found.known(metric)
    ]  # fmt: skip
    note = "" if by_metric else _meaning(found, metrics[0])
    return Table(name, heading, columns, rows, note)


def _meaning(found: Findings, metric: str) -> str:
    counts, of = found.manifest.meanings.get(metric, ("", ""))
    return f"{metric}: {counts}, counted over {of}." if counts else metric


def _settings(found: Findings, cell: int) -> list[str]:
    return [setting_text(value) for value in found.cells[cell].values.values()]


def _estimate(value: Value) -> list[str]:
    estimate, limits = value_texts(value)
    return [estimate + unit_text(value.unit) if estimate != UNKNOWN else estimate, limits]


def _compared(found: Findings, value: Value) -> list[str]:
    change = found.change(value.cell, value.metric)
    if change is None:
        return [UNKNOWN] * 6
    estimate, limits = change_texts(change)
    return [
        f"{estimate} {change_unit(change.unit)}", limits, _p(change.p_adjusted),
        plain_value(change.baseline, change.unit), f"{100 * change.differing / change.n:.3g} %",
        f"× {change.reduction:.3g}",
    ]  # fmt: skip


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.2g}"


def name_of(cell: SetUp) -> str:
    """What a set-up is called."""
    return set_up(cell.values) or "The set-up"
