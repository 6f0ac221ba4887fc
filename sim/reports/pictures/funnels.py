"""Funnels: roads that few go to their end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sim.game import SHARE
from sim.reports.figures import Step, steps
from sim.reports.findings import Findings, Value
from sim.reports.pictures.chart import Chart, anchor
from sim.reports.wording import set_up, title, value_texts

MOST_FUNNELS = 4
"""Set-ups that a funnel shows beside each other."""


def of_funnels(found: Findings) -> Iterator[Chart]:
    """The funnels in which anybody got beyond the first step."""
    cells, which = _compared(found)
    for name, metrics in found.manifest.funnels.items():
        taken = [[_value(found, cell, metric) for cell in cells] for metric in metrics]
        if not any(value is not None and value.numerator for row in taken[1:] for value in row):
            continue
        rows = [_step(found, metric, values) for metric, values in zip(metrics, taken, strict=True)]
        told = "; ".join(f"{row.name}: {', '.join(row.texts)}" for row in rows)
        reading = "How often a hundred games come so far; in brackets, what part that is of the cases that could."
        yield Chart(
            anchor("funnel", name), name, f"{reading} {which}".strip(), f"In 100 games. {told}",
            anchor("funnel-table", name),
            partial(steps, rows=rows, names=[set_up(found.cells[cell].values) for cell in cells]),
        )  # fmt: skip


def _compared(found: Findings) -> tuple[list[int], str]:
    """The set-ups that funnels show, and why these."""
    if len(found.cells) <= MOST_FUNNELS:
        return list(found.cells), ""
    values = sorted(found.known(found.headline), key=lambda value: value.estimate)
    chosen = sorted({values[0].cell, values[-1].cell}) if values else list(found.cells)[:1]
    what = title(found.headline)
    return chosen, f"Shown are the two of {len(found.cells)} set-ups with the lowest and the highest “{what}”."


def _value(found: Findings, cell: int, metric: str) -> Value | None:
    """Also where nothing could be counted, for nobody came there."""
    return next((value for value in found.values.get(metric, ()) if value.cell == cell), None)


def _step(found: Findings, metric: str, values: Sequence[Value | None]) -> Step:
    often = [100 * value.numerator / value.n if value is not None and value.n else 0.0 for value in values]
    texts = []
    for value, rate in zip(values, often, strict=True):
        is_part = value is not None and value.denominator > 0 and value.unit == SHARE
        part = f" ({value_texts(value)[0]})" if value is not None and is_part else ""
        texts.append((f"{rate:,.3g}" if rate else "never") + part)
    counts, _ = found.manifest.meanings.get(metric, (metric, ""))
    return Step(counts, often, texts)
