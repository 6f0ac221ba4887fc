"""``scofflaw results``: what experiments left, and what can be done with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import console, options
from sim.errors import UserError

app = typer.Typer(no_args_is_help=True, help="Look at, check, put together and export what experiments left.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A folder in results, or the path of one.")]

FORMATS = (".csv", ".parquet", ".json")


@app.command("list")
def list_() -> None:
    """List the experiments in results, with their questions."""
    from sim.services import results

    there = results.names()
    if not there:
        console.show_line(f"Nothing in {results.ROOT}; play an experiment first: scofflaw run FILE")
    for name in there:
        try:
            manifest = results.read_manifest(results.ROOT / name)
        except UserError as error:
            console.tell(f"scofflaw: {error}")
            continue
        games = sum(cell.games for cell in manifest.cells)
        partial = ", not finished" if manifest.partial else ""
        console.show_line(
            f"{name}: {manifest.question} ({len(manifest.cells):,} cells, {games:,} games{partial})"
        )


@app.command()
def show(name: Name, json: options.Json = False) -> None:
    """Show the cells of an experiment.

    \b
    scofflaw results show draws
        its cells with the metrics that it asks for
    """
    from sim.cli import experiment
    from sim.reports import cells
    from sim.services import results

    found = results.read(results.find(name))
    if json:
        console.show_json(experiment.as_json(found))
    else:
        console.show(*cells.lines(found))


@app.command()
def verify(name: Name) -> None:
    """Check that every file is as it was written; exit code 1 if one is not.

    Games that are damaged are set aside and played again when the experiment is run again; tables are written anew.
    """
    from sim.services import results, upkeep

    folder = results.find(name)
    checked = upkeep.verify(folder)
    for path in checked.damaged:
        console.show_line(f"damaged: {path}")
    tables = results.damage(folder)
    for sentence in tables:
        console.show_line(f"damaged: {sentence}")
    console.show_line(f"{checked.whole} files of games are whole, {len(checked.damaged)} are damaged")
    if checked.damaged:
        console.show_line("Run the experiment again: it plays the games of damaged files once more.")
    if tables:
        console.show_line("Run the experiment again: it writes the tables anew and plays no game twice.")
    if checked.damaged or tables:
        raise typer.Exit(1)


@app.command()
def merge(
    into: Annotated[Path, typer.Argument(metavar="INTO", help="The results folder that the games go to.")],
    others: Annotated[list[Path], typer.Argument(metavar="FROM...", help="Folders of the same experiment.")],
) -> None:
    """Put games that were played elsewhere into one folder; games that are there twice count once.

    \b
    scofflaw results merge results/draws from_the_cluster/draws
        then: scofflaw run draws.toml plays only what is still missing
    """
    from sim.services import upkeep

    copied = upkeep.merge(into, others)
    console.show_line(f"{copied} files copied to {into}; run the experiment again, and those that belong to it count")


@app.command()
def clean(name: Name) -> None:
    """Remove what was set aside as damaged, and what a killed run left half written; no games are lost."""
    from sim.services import results, upkeep

    console.show_line(f"{upkeep.clean(results.find(name)):,} bytes removed")


@app.command()
def export(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FILE.csv, FILE.json or FILE.parquet.")],
    differences: Annotated[
        bool, typer.Option("--differences", help="The differences from the baseline in place of the cells.")
    ] = False,
) -> None:
    """Write the figures as one table, a row a cell and metric, for a spreadsheet or a program.

    \b
    scofflaw results export draws draws.csv
    """
    from sim.files import check_writable, write_whole
    from sim.services import results

    found = results.read(results.find(name))
    table = found.differences if differences else found.cells
    if table is None:
        raise UserError(f"{name}: this experiment compares nothing, so there are no differences")
    if file.suffix not in FORMATS:
        raise UserError(f"{file}: the ending tells the format; valid: {', '.join(FORMATS)}")
    check_writable(file, "export")
    if file.suffix == ".csv":
        content = table.to_csv(index=False).encode()
    elif file.suffix == ".json":
        content = table.to_json(orient="records", indent=1).encode()
    else:
        content = table.to_parquet(index=False)
    write_whole(file, content)
    console.show_line(f"Wrote {file}: {len(table):,} rows")
