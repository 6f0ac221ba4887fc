"""All commands, and what becomes of mistakes, interrupts and closed pipes in any of them."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from sim.cli import (
    bench,
    bestresponse,
    check,
    compare,
    guide,
    habits,
    ladder,
    listings,
    new,
    report,
    results,
    run,
    scenario,
    trace,
)
from sim.cli.console import INTERRUPTED, leave_stdout, notices_told, show_line, tell
from sim.errors import UserError

MISTAKE = 2


class Commands(TyperGroup):
    """The group of all commands."""

    def invoke(self, ctx: Any) -> Any:
        """Runs a command: a UserError is printed and exits with 2, Ctrl-C exits with 130, a reader who left with 0."""
        try:
            with notices_told():
                result = super().invoke(ctx)
            sys.stdout.flush()
        except UserError as error:
            tell(f"scofflaw: {error}")
            raise typer.Exit(MISTAKE) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            leave_stdout()
            raise typer.Exit(0) from None
        return result


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


def _version(wanted: bool) -> None:
    if wanted:
        import sim

        show_line(f"scofflaw {sim.__version__}")
        raise typer.Exit


@app.callback()
def scofflaw(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Plays millions of games with scripted strategies and tells, with error bars, what the rules do to the balance.

    \b
    scofflaw run --players 5    who wins with five players
    scofflaw guide              how to ask, and how to read the answers
    """


for command in (
    run.run,
    compare.compare,
    report.report,
    trace.trace,
    scenario.scenario,
    check.check,
    listings.rules,
    listings.cards,
    listings.metrics,
    listings.strategies,
    new.new,
    ladder.ladder,
    bestresponse.bestresponse,
    habits.habits,
    bench.bench,
    guide.guide,
):
    app.command()(command)
app.add_typer(results.app, name="results")
