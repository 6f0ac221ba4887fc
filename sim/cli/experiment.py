"""Plays experiment files: the part of ``scofflaw run`` that is for files, and of what is like it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import console
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.services.executor import Workers
    from sim.services.study import Progress, Study

MOST_CELLS_DRAWN = 300
"""With more cells the report is written on request only."""

MOST_CELLS_TOLD = 60
"""With more cells only the bar tells how far play is."""

LOOK_SECONDS = 1.0

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Where to write; by default results/NAME, NAME being the file's."),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend", metavar="NAME", help="Who plays: threading (default), loky (processes) or dask (a cluster)."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler of your cluster, such as tcp://host:8786."),
]


def workers(backend: str, threads: int | None, scheduler: str | None) -> Workers:
    """Who plays. Raises UserError."""
    from sim import api
    from sim.services import executor

    return executor.workers(backend, api.check_threads(threads), scheduler)


def play_files(
    files: Sequence[Path], out: Path | None, games: int | None, seed: int | None, who: Workers, json: bool
) -> None:
    """Plays experiment files, writes their results, and shows them; all are read before the first is played."""
    from sim.services import experiment, results
    from sim.services.study import Study

    if json and len(files) > 1:
        raise UserError("--json prints one object: name one experiment file")
    asked = [experiment.read(file, games, seed) for file in files]
    names = [each.name for each in asked]
    if len(set(names)) < len(names):
        raise UserError(f"two of the files have the same name, and would write into one folder: {', '.join(names)}")
    for file, each in zip(files, asked, strict=True):
        folder = results.ROOT / each.name if out is None else out if len(files) == 1 else out / each.name
        _warn_of_another(folder, file)
        with Study(each, folder, who) as study:
            play(study)
            finish(study, _command(file, None if out is None else folder, games, seed), json)
        if file != files[-1]:
            console.show("")


def _warn_of_another(folder: Path, file: Path) -> None:
    """Tells that the tables in a folder are those of another file, which are about to be replaced."""
    from sim.services import results

    try:
        words = shlex.split(results.read_manifest(folder).command)
    except (UserError, ValueError):
        return
    if words[:2] != ["scofflaw", "run"] or len(words) < 3:
        return
    other = Path(words[2])
    if other.is_file() and not other.samefile(file):
        console.tell(
            f"scofflaw: {folder} has the results of {other}, whose tables make way for those of {file}; "
            f"its games stay. To keep both, name another folder: --out FOLDER"
        )


def _command(file: Path, out: Path | None, games: int | None, seed: int | None) -> str:
    changed = [("--games", games), ("--seed", seed), ("--out", out)]
    given = "".join(f" {name} {shlex.quote(str(value))}" for name, value in changed if value is not None)
    return f"scofflaw run {shlex.quote(file.as_posix())}{given}"


def finish(study: Study, command: str, json: bool) -> None:
    """Writes what a study found, and shows it; exits with 130 if it was interrupted."""
    from sim.services import results, tables

    if not any(each.games for each in study.played):
        console.tell("Interrupted before the first games of any cell; what was begun is kept.")
        raise typer.Exit(console.INTERRUPTED)
    tables.publish(study, command)
    found = results.read(study.folder, brief=len(study.played) > MOST_CELLS_DRAWN)
    if json:
        console.show_json(as_json(found))
    else:
        from sim.reports import cells

        console.show(*cells.lines(found))
        page = _how_to_draw(found) if study.interrupted else _page(found)
        console.show("", f"Results: {study.folder}", f"Report: {page}", f"Again: {command}")
    if study.interrupted:
        raise typer.Exit(console.INTERRUPTED)


def _page(found: Any) -> str:
    """Writes the report and says where it is; or how to write it, where that takes long."""
    if len(found.manifest.cells) > MOST_CELLS_DRAWN:
        return _how_to_draw(found)
    from sim.reports import page

    return str(page.write(found))


def _how_to_draw(found: Any) -> str:
    return f"scofflaw report {shlex.quote(str(found.folder))}"


def as_json(found: Any) -> dict[str, Any]:
    """The manifest and the figures that the experiment asks for, as one object of schema 1."""
    from sim.reports import cells

    metrics = cells.shown(found)
    content = found.manifest.model_dump(by_alias=True)
    content["metrics"] = _rows(found.cells, metrics)
    if found.differences is not None:
        content["differences"] = _rows(found.differences, metrics)
    return content


def _rows(table: Any, metrics: Any) -> list[dict[str, Any]]:
    chosen = table[table["metric"].isin(metrics)].astype(object)
    rows: list[dict[str, Any]] = chosen.where(chosen.notna(), None).to_dict("records")
    return rows


def play(study: Study) -> None:
    """Plays a study and shows how far it is: a bar, and above it a line for each finished cell, if they are few."""
    with console.progress_bar() as bar:
        if bar is not None:
            study.tell = _Watch(study, bar)
        console.in_background(lambda: study.prepare(console.tell_compiling))
        study.play()


class _Watch:
    """Tells what has become of a study, cell by cell."""

    def __init__(self, study: Study, bar: Callable[..., None]) -> None:
        self._study, self._bar = study, bar
        self._left = list(study.played) if 1 < len(study.played) <= MOST_CELLS_TOLD else []
        self._looked = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        cells = f"{progress.cells_done:,} of {progress.cells:,} cells"
        lines = self._finished() if time.monotonic() - self._looked > LOOK_SECONDS else []
        for line in (*lines, ""):
            self._bar(progress.games, progress.games_asked, cells, line)

    def _finished(self) -> list[str]:
        from sim.reports import cells

        found = [(each, total) for each in self._left if (total := self._study.so_far(each)) is not None]
        self._left = [each for each in self._left if all(each is not done for done, _ in found)]
        self._looked = time.monotonic()
        return [cells.line(self._study.experiment, each.cell, total.tallies) for each, total in found]


def refuse_with_file(given: Mapping[str, Any]) -> None:
    """Raises UserError for options that say what a file says."""
    for name, value in given.items():
        if value is not None and value != []:
            raise UserError(
                f"--{name} does not go with an experiment file: the file says what is played; change it there"
            )
