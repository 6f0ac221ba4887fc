"""``scofflaw scenario``: runs scenario files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import console

EXIT_CODES = {"invalid": 2, "failed": 1}
"""By outcome, the gravest first."""


def scenario(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Scenario files, or folders with such files.")],
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", help="Run each with so many seeds: its own and the numbers after it.")
    ] = 1,
) -> None:
    """Run scenario files: a position, decisions, and what must come of them."""
    from sim.services.scenarios import run_scenarios

    verdicts = console.in_background(lambda: run_scenarios(paths, seeds, console.tell_compiling))
    for verdict in verdicts:
        reason = f": {verdict.message}" if verdict.message else ""
        console.show_line(f"{verdict.outcome}  {verdict.path}  {verdict.title}{reason}")
    outcomes = [verdict.outcome for verdict in verdicts]
    if len(outcomes) > 1:
        console.show_line(f"{outcomes.count('passed')} of {len(outcomes)} passed")
    for outcome, code in EXIT_CODES.items():
        if outcome in outcomes:
            raise typer.Exit(code)
