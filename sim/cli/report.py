"""``scofflaw report``: what an experiment found, as a page and charts."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.cli import complete, console


def report(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The folder of an experiment: its name under results/, or a path.",
            autocompletion=complete.results,
        ),
    ],
) -> None:  # fmt: skip
    """Write the report of an experiment: one page, report.html, and its charts as files.

    \b
    scofflaw report zombie_goods
        writes results/zombie_goods/report.html, and the charts as SVG and PNG under results/zombie_goods/charts
    """
    from sim.reports import page
    from sim.services import results

    console.show_line(f"Report: {page.write(results.read(results.find(name)))}")
