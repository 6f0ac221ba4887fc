"""``scofflaw scenario``: runs scenario files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sim.cli import console, options
from sim.errors import shortened

LONGEST_TITLE = 120
LONGEST_LINE = 20_000
"""Characters that are shown, so that a file that is no text does not fill the screen."""

EXIT_CODES = {"invalid": 2, "failed": 1}
"""By outcome, the gravest first."""


def scenario(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Scenario files, or folders with such files.")],
    seeds: Annotated[
        int,
        options.number("--seeds", "Run each with so many seeds: its own and the numbers after it."),
    ] = 1,
) -> None:
    """Run scenario files: a position, decisions, and what must come of them.

    \b
    scofflaw scenario position.toml
        one file (scofflaw trace saves such files, scofflaw guide scenarios tells how to write them)
    scofflaw scenario my_rulings --seeds 20
        all files of a folder, each with 20 seeds
    """
    from sim.services.scenarios import run_file, scenario_files

    files, others = scenario_files(paths)
    outcomes: list[str] = []

    def passed() -> str:
        return f"{outcomes.count('passed')} of {len(files)} passed"

    def interrupted() -> str:
        return f"Interrupted in {files[len(outcomes)]}: {passed()} so far"

    for path in files:
        verdict = console.in_background(partial(run_file, path, seeds, console.tell_compiling), interrupted)
        outcomes.append(verdict.outcome)
        title = f"  {shortened(verdict.title, LONGEST_TITLE)}" if verdict.title else ""
        shown = f"{verdict.outcome}  {path}{title}"
        for line in verdict.message.split("\n"):
            console.show_line(shortened(f"{shown}: {line}" if line else shown, LONGEST_LINE))
    if len(files) > 1 or others:
        console.show_line(passed() + _left_out(others))
    for outcome, code in EXIT_CODES.items():
        if outcome in outcomes:
            raise typer.Exit(code)


def _left_out(others: Sequence[Path]) -> str:
    if not others:
        return ""
    what = "1 file is no scenario" if len(others) == 1 else f"{len(others)} files are no scenarios"
    return f"; {what}: {', '.join(map(str, others))}"
