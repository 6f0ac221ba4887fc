"""``scofflaw compare``: what a change does, told from games with the same deals."""

from __future__ import annotations

import shlex
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import complete, console, experiment, options
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.reports.compare import Found
    from sim.services.executor import Workers
    from sim.services.experiment import Experiment
    from sim.services.study import Study
    from sim.services.until import Until

OTHERS = "others"
"""Folder within --out for the same comparison by other strategies and decks."""


def compare(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE FILE]", help="Two experiment files; without them, the options say what."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="KEY=VALUE",
            help="What the other side has instead, such as expansions=none. May be repeated.",
            autocompletion=complete.rules,
        ),
    ] = None,
    against_strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--against-strategy",
            metavar="[ROLE=]NAME",
            help="Who plays on the other side instead, everybody or one role. May be repeated.",
            autocompletion=complete.strategies,
        ),
    ] = None,
    games: Annotated[
        int | None,
        options.number(
            "--games",
            "How many games to play on each side, 100,000 by default; with --until at most so many, by default "
            "1,000,000.",
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="QUESTION",
            help='Play until this is known: "difference > 0.5pp" (percentage points) of a share, "difference > 0.5" of '
            "a mean.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="What --until is about and the verdict begins with (see: scofflaw metrics).",
            autocompletion=complete.metrics,
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out the same comparison by other strategies and decks.")
    ] = False,
    seed: options.SeedOfFile = None,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Keep the games and tables here; otherwise nothing is kept."),
    ] = None,
    backend: experiment.Backend = "threading",
    scheduler: experiment.Scheduler = None,
    json: options.Json = False,
) -> None:
    """Tell what a change does: the same deals played by both sides, and how sure the difference is.

    The options say what is played, as for scofflaw run, and --against what the other side has instead. The same is
    then asked of the other strategies, and of other decks where cards are assumed.

    \b
    scofflaw compare --expansions death_mesa --against expansions=none
        what Death Mesa does to the law, the Outlaws and the Renegade
    scofflaw compare --rules draw_count=3 --against draw_count=2 --players 5 --quick
        three cards a turn instead of two, without asking the other strategies
    scofflaw compare --expansions death_mesa --against expansions=none --until "difference > 0.5pp"
        until it is known whether the law's share of games changes by half a point
    scofflaw compare mine.toml printed.toml
        cell by cell, two experiment files that sweep the same
    """
    from sim.services import compare as comparing
    from sim.services import tables
    from sim.services.until import until as question

    options_given = {"players": players, "expansions": expansions, "rules": rules, "strategy": strategy}
    options_given |= {"against": against, "against-strategy": against_strategy}
    who = experiment.workers(backend, threads, scheduler)
    if files:
        if len(files) != 2:
            raise UserError(f"{len(files)} files: name two experiment files, or none and --against KEY=VALUE")
        experiment.refuse_with_file(options_given)
        asked = comparing.of_files(files[0], files[1], games, seed, metric)
    else:
        asked = _of_options(options_given, games, seed, metric, until is not None)
    stop = None if until is None else question(until, comparing.metric_of(asked, metric))
    command = " ".join(["scofflaw compare", *_given(files, games, seed, metric, until, options_given)])
    command += (f" --out {shlex.quote(str(out))}" if out is not None else "") + (" --quick" if quick else "")
    with ExitStack() as stack:
        folder = out if out is not None else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        study = _play(stack, asked, folder, who, stop)
        if not any(each.games for each in study.played):
            console.tell("Interrupted before the first games.")
            raise typer.Exit(console.INTERRUPTED)
        if out is not None or len(asked.cells) > 1:
            tables.publish(study, command)
        if len(asked.cells) == 1:
            _show_one(_found(stack, study, metric, quick, who, command, out is not None), command, json)
        else:
            _show_many(study, command, json)
    if out is not None and not json:
        console.show_line(f"Results: {out}")
    if study.interrupted:
        raise typer.Exit(console.INTERRUPTED)


def _of_options(
    given: dict[str, Any], games: int | None, seed: int | None, metric: str | None, stops: bool
) -> Experiment:
    from sim import api
    from sim.services import compare, registry
    from sim.services.experiment import Compare

    settings = options.settings(given["players"], given["expansions"], given["rules"])
    game = registry.game(options.GAME)
    game.resolve(settings)
    games = games if games is not None else compare.MOST_GAMES if stops else api.DEFAULT_GAMES
    seed = seed if seed is not None else api.DEFAULT_SEED
    api.check_numbers(games, seed, None)
    changed = options.settings(None, None, given["against"], compare.AGAINST)
    if "strategy" in changed:
        raise UserError("--against strategy=…: write --against-strategy, for example --against-strategy random")
    strategies = registry.by_role(game, given["against-strategy"] or ())
    players = registry.by_role(game, given["strategy"] or ())
    return compare.of_settings(
        game, settings, players, Compare(rules=changed, strategies=strategies), games, seed, metric
    )


def _given(files: Any, games: Any, seed: Any, metric: Any, until: Any, given: dict[str, Any]) -> list[str]:
    """The words of the command line that say what is played."""
    words = [str(file) for file in files or ()]
    for name, value in (*given.items(), ("games", games), ("seed", seed), ("metric", metric), ("until", until)):
        for each in value if isinstance(value, list) else [value]:
            words += [f"--{name}", str(each)] if each is not None else []
    return [shlex.quote(word) for word in words]


def _play(stack: ExitStack, asked: Experiment, folder: Path, who: Workers, stop: Until | None) -> Study:
    """A study that has been played, and lets go of its folder when the stack ends."""
    from sim.services.study import Study

    study = stack.enter_context(Study(asked, folder, who, until=stop))
    experiment.play(study)
    return study


def _found(
    stack: ExitStack, study: Study, metric: str | None, quick: bool, who: Workers, command: str, kept: bool
) -> Found:
    """What a comparison of two set-ups came to, and, if time is given, what becomes of it by other players."""
    from sim.reports.compare import Found
    from sim.services import compare, tables

    rows, (unfinished, illegal) = tables.difference_rows(study), study.doubts()
    others = None if quick or study.interrupted else compare.others(study.experiment, study.played[0].games)
    if others is None:
        return Found(study, rows, metric, unfinished=unfinished, illegal=illegal)
    second = _play(stack, others.experiment, study.folder / OTHERS, who, None)
    if kept and any(each.games for each in second.played):
        tables.publish(second, command)
    study.interrupted = second.interrupted
    more = second.doubts()
    return Found(
        study, rows, metric, others, tables.difference_rows(second), second.interrupted, unfinished + more[0],
        illegal + more[1],
    )  # fmt: skip


def _show_one(found: Found, command: str, json: bool) -> None:
    from sim.reports import compare as report

    if json:
        console.show_json(report.as_json(found, command))
    else:
        console.show(*report.lines(found), f"\nAgain: {command}")


def _show_many(study: Study, command: str, json: bool) -> None:
    from sim.reports import cells
    from sim.reports.compare import decided
    from sim.services import results

    found = results.read(study.folder)
    if json:
        console.show_json({**experiment.as_json(found), "command": "compare"})
    else:
        console.show(*cells.lines(found), *decided(study), f"\nAgain: {command}")
