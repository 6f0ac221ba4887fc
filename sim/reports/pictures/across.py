"""The metrics that a report is about, across its set-ups: heat maps, lines along a setting, or rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sim.game import ENDING, SHARE
from sim.reports.figures import Block, Series, dots, lines
from sim.reports.findings import Findings, is_win_rate
from sim.reports.frames import Scale
from sim.reports.heat import Map, heat
from sim.reports.pictures.chart import (
    MOST_METRICS,
    MOST_SERIES,
    Chart,
    anchor,
    at_the_ends,
    scale_of,
    table_of,
    target_text,
    told,
    value_row,
)
from sim.reports.verdict import best, judged
from sim.reports.wording import joined, plain_value, set_up, setting_text, short, short_set_up, title

MOST_MAPS = 6
MOST_PLACES = 4

MAPPED = 2
"""Settings of a heat map."""


def of_main(found: Findings) -> Iterator[Chart]:
    """The charts of the metrics that the report is about."""
    main = [metric for metric in found.main[:MOST_METRICS] if found.known(metric)]
    mapped = _mapped(found)
    if len(found.cells) == 1:
        yield from _alone(found, main)
    elif mapped is not None:
        for metric in main:
            yield from _maps(found, metric, *mapped)
        if len(list(found.split([found.numeric[0]] if found.numeric else found.swept))) <= MOST_SERIES:
            yield from _by_first(found, main[:1])
    elif found.numeric and not found.is_grid:
        for setting in found.numeric if main else ():
            yield along(found, title(main[0]), main[:1], setting, is_sample=True)
    elif found.numeric:
        yield from _by_first(found, main)
    else:
        for metric in main:
            yield _rows(found, metric)


def _alone(found: Findings, metrics: Sequence[str]) -> Iterator[Chart]:
    """One set-up: a row a metric, and a chart a unit, as far as these were asked for."""
    if not found.manifest.report.metrics and found.manifest.goal is None:
        return
    for unit in dict.fromkeys(found.values[metric][0].unit for metric in metrics):
        values = [found.known(metric)[0] for metric in metrics if found.values[metric][0].unit == unit]
        scale = scale_of(found, *(value.metric for value in values))
        if len(values) > 1 or scale.target is not None:
            rows = [value_row(value, title(value.metric)) for value in values]
            name = "Rates of this set-up" if unit == SHARE else f"In {unit}"
            yield Chart(
                anchor("rates", values[0].metric), name, target_text(scale), told(rows), "figures",
                partial(dots, blocks=[Block("", rows)], scale=scale),
            )  # fmt: skip


def _rows(found: Findings, metric: str) -> Chart:
    """A metric, a row a set-up."""
    rows, left_out = at_the_ends([value_row(v, short_set_up(found.cells[v.cell].values)) for v in found.known(metric)])
    scale = scale_of(found, metric)
    reading = f"{target_text(scale)} {left_out}".strip()
    return Chart(
        anchor("rates", metric), f"{title(metric)}, by {joined(found.swept)}", reading, told(rows),
        table_of(found, metric), partial(dots, blocks=[Block("", rows)], scale=scale),
    )  # fmt: skip


def _mapped(found: Findings) -> tuple[str, str] | None:
    """The two settings of the heat maps, if a full grid of two was played."""
    asked = found.manifest.report.heatmap or found.numeric
    if not found.is_grid or len(asked) < MAPPED or any(len(found.levels(name)) < MAPPED for name in asked[:MAPPED]):
        return None
    return asked[0], asked[1]


def _maps(found: Findings, metric: str, across: str, up: str) -> Iterator[Chart]:
    """Heat maps, one for each combination of the other settings."""
    parts = list(found.split([across, up]))
    for common, cells in parts[:MOST_MAPS]:
        scale = scale_of(found, metric)
        shown = _map(found, metric, across, up, cells)
        place = f", {set_up(common)}" if common else ""
        left_out = f" Of {len(parts)} such maps {MOST_MAPS} are shown." if len(parts) > MOST_MAPS else ""
        values = [value for cell in cells if (value := found.value(cell, metric)) is not None]
        if values:
            yield Chart(
                anchor("map", metric), f"{title(metric)}, by {across} and {up}{place}",
                f"{_map_reading(shown, scale)}{left_out}",
                told([value_row(value, set_up(found.cells[value.cell].values)) for value in values]),
                table_of(found, metric), partial(heat, shown=shown, scale=scale),
            )  # fmt: skip


def _map(found: Findings, metric: str, across: str, up: str, cells: Sequence[int]) -> Map:
    columns, rows = found.levels(across), found.levels(up)
    places = {(found.cells[c].values[across], found.cells[c].values[up]): found.value(c, metric) for c in cells}
    grid = [[places.get((column, row)) for column in columns] for row in rows]
    number = _digits(found.values[metric][0].unit, [value.estimate for row in grid for value in row if value])
    goal, marked = found.manifest.goal, None
    if goal is not None and goal.metric == metric and (values := judged(found)):
        chosen = found.cells[best(found, values).cell]
        if chosen.cell in cells:
            marked = (columns.index(chosen.values[across]), rows.index(chosen.values[up]))
    return Map(
        across, up, [setting_text(one) for one in columns], [setting_text(one) for one in rows],
        [[value.estimate if value else float("nan") for value in row] for row in grid],
        [[number(value.estimate) if value else "" for value in row] for row in grid],
        marked, across in found.numeric and up in found.numeric,
    )  # fmt: skip


def _digits(unit: str, estimates: Sequence[float]) -> Callable[[float], str]:
    """How the numbers of a map are written: shares in percent, with two digits at least of the highest."""
    if unit != SHARE:
        return lambda estimate: f"{estimate:.3g}"
    top = 100 * max(estimates)
    places = min(MOST_PLACES, max(1, 1 - math.floor(math.log10(top)))) if top > 0 else 1
    return lambda estimate: f"{100 * estimate:.{places}f}"


def _map_reading(shown: Map, scale: Scale) -> str:
    unit = "percent" if scale.unit == SHARE else scale.unit
    frame = " The frame marks the set-up that comes nearest to the goal." if shown.best is not None else ""
    line = ""
    if scale.target is not None and shown.has_line(scale.target):
        line = (
            f" Along the black line it would be {plain_value(scale.target, scale.unit)}, the target, if it changed"
            " evenly between neighbours."
        )
    return f"The numbers are {unit}; their intervals are in the table.{line}{frame}"


def _by_first(found: Findings, metrics: Sequence[str]) -> Iterator[Chart]:
    """Lines along the first numeric setting: of all metrics of a kind, or of one with a line for each other set-up."""
    across = found.numeric[0]
    if len(found.swept) > 1:
        few = len(list(found.split([across]))) <= MOST_SERIES
        for metric in metrics:
            yield along(found, title(metric), [metric], across) if few else _rows(found, metric)
        return
    kinds: dict[tuple[str, str], list[str]] = {}
    for metric in metrics:
        value = found.values[metric][0]
        kinds.setdefault((value.group, value.unit), []).append(metric)
    for kind in kinds.values():
        yield along(found, _kind_title(found, kind), kind, across)


def _kind_title(found: Findings, metrics: Sequence[str]) -> str:
    if len(metrics) == 1:
        return title(metrics[0])
    if all(map(is_win_rate, metrics)):
        return f"Win rates by {found.values[metrics[0]][0].group}"
    return "How games end" if found.values[metrics[0]][0].group == ENDING else joined([title(m) for m in metrics])


def along(found: Findings, name: str, metrics: Sequence[str], across: str, is_sample: bool = False) -> Chart:
    """Lines along a setting: one a metric, or of one metric one for each combination of the other settings.

    ``is_sample``: no grid was played, and the points are not joined.
    """
    if len(metrics) > 1 or is_sample:
        series = [_series(found, short(metric), metric, across, list(found.cells)) for metric in metrics]
    else:
        series = [_series(found, set_up(rest), metrics[0], across, cells) for rest, cells in found.split([across])]
    scale = scale_of(found, *metrics)
    others = [one for one in found.swept if one != across]
    more = f"The other settings ({joined(others)}) differ between the points." if is_sample and others else ""
    return Chart(
        anchor("by", f"{across}-{metrics[0]}"), f"{name}, across {across}", f"{target_text(scale)} {more}".strip(),
        _told(series, across, scale), table_of(found, metrics[0]),
        partial(lines, series=series, across=across, scale=scale, joined=not is_sample,
                baseline=_baseline(found, metrics, across)),
    )  # fmt: skip


def _series(found: Findings, name: str, metric: str, across: str, cells: Sequence[int]) -> Series:
    values = [value for cell in cells if (value := found.value(cell, metric)) is not None]
    by_place = sorted(values, key=lambda value: found.cells[value.cell].values[across])
    places = [float(found.cells[value.cell].values[across]) for value in by_place]
    return Series(name, places, *([getattr(v, part) for v in by_place] for part in ("low", "estimate", "high")))


def _baseline(found: Findings, metrics: Sequence[str], across: str) -> Series | None:
    """The baseline of a metric, if the chart is of that alone and the baseline is the same for all set-ups."""
    changes = found.changes_of(metrics[0]) if len(metrics) == 1 else []
    if len({change.baseline for change in changes}) != 1:
        return None
    places, rate = found.levels(across), changes[0].baseline
    same = [rate] * len(places)
    return Series(plain_value(rate, changes[0].unit), places, same, same, same)


def _told(series: Sequence[Series], across: str, scale: Scale) -> str:
    """What lines show, for those who cannot see them: where each begins and ends."""
    found = []
    for one in series:
        if one.x:
            first, last = (f"{scale.factor * one.middle[k]:.3g} at {one.x[k]:g}" for k in (0, -1))
            found.append(f"{one.name or scale.name} from {first} to {last}")
    return f"Along {across}, in {'percent' if scale.unit == SHARE else scale.unit}: {'; '.join(found)}"
