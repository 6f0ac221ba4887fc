"""Which charts an experiment gets: what was asked first, then how games end, funnels, and what every game has."""

from __future__ import annotations

from dataclasses import replace

from sim.reports.findings import Findings
from sim.reports.pictures.across import of_main
from sim.reports.pictures.chart import Chart
from sim.reports.pictures.differences import of_differences
from sim.reports.pictures.funnels import of_funnels
from sim.reports.pictures.kinds import of_families, of_groups


def charts(found: Findings) -> list[Chart]:
    """All charts, in the order of the page; no two have one name."""
    chosen = [*of_differences(found), *of_main(found), *of_groups(found), *of_funnels(found), *of_families(found)]
    names: dict[str, int] = {}
    unique = []
    for chart in chosen:
        names[chart.name] = names.get(chart.name, 0) + 1
        number = names[chart.name]
        unique.append(replace(chart, name=f"{chart.name}-{number}") if number > 1 else chart)
    return unique
