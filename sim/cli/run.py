"""``scofflaw run``: plays one set-up and tells who wins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import complete, console, experiment, options
from sim.errors import UserError

TURN_SECONDS = 30


def run(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...", help="Experiment files (.toml); without one, the options say what is played."
        ),
    ] = None,
    games: Annotated[
        int | None,
        options.number(
            "--games",
            "How many games to play, 100,000 by default; with --precision at most so many, by default 10,000,000.",
        ),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision",
            metavar="WIDTH",
            help="Play until the 95 % interval is at most so wide on each side: 0.2pp (percentage points) for a share, "
            "0.5 for a mean.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="What --precision is about (see: scofflaw metrics); all endings by default.",
            autocompletion=complete.metrics,
        ),
    ] = None,
    seed: options.SeedOfFile = None,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw a chart as well: FILE.png or FILE.svg.")
    ] = None,
    turn_seconds: Annotated[
        int | None,
        options.number(
            "--turn-seconds", "How long a turn takes at your table, for the minutes in the report; 30 by default.", "S"
        ),
    ] = None,
    out: experiment.Out = None,
    backend: experiment.Backend = "threading",
    scheduler: experiment.Scheduler = None,
    json: options.Json = False,
) -> None:
    """Play many games and tell who wins, with error bars: of one set-up, or all that an experiment file asks for.

    \b
    scofflaw run --players 5 --rules sheriff_extra_life=0
        five players, and a Sheriff without his extra life point
    scofflaw run --expansions death_mesa --plot mesa.png
        with ghosts, and with a chart
    scofflaw run --precision 1pp --metric win_rate.role.renegade
        until the Renegade's rate is known to one percentage point
    scofflaw run beers.toml
        all that the file asks for (to begin one: scofflaw new experiment beers); stopped, the same command goes on
    scofflaw run beers.toml zombie.toml --out results/monday
        several files, one after the other, each into a folder of its own there
    """
    if files:
        given = {"precision": precision, "metric": metric, "players": players, "expansions": expansions}
        experiment.refuse_with_file(
            {**given, "rules": rules, "strategy": strategy, "plot": plot, "turn-seconds": turn_seconds}
        )
        experiment.play_files(files, out, games, seed, experiment.workers(backend, threads, scheduler), json)
        return
    if out is not None or scheduler is not None or backend != "threading":
        raise UserError("--out, --backend and --scheduler go with an experiment file: scofflaw run FILE.toml")
    from sim import api
    from sim.services import registry, written

    settings = options.settings(players, expansions, rules)
    game = registry.game(options.GAME)
    resolved = game.resolve(settings)
    strategies = registry.assign(game, strategy or [registry.DEFAULT_STRATEGY])
    wanted = api.target(game, resolved, precision, metric)
    games = games if games is not None else api.default_games(wanted)
    seed = seed if seed is not None else api.DEFAULT_SEED
    threads = api.check_numbers(games, seed, threads)
    turn_seconds = TURN_SECONDS if turn_seconds is None else turn_seconds
    api.check_number("turn_seconds", turn_seconds, 1, options.MOST_TURN_SECONDS)
    given = written.as_options(settings, strategy)
    if plot is not None:
        from sim.reports import chart

        chart.check(plot)
    session = console.in_background(
        lambda: game.session(resolved, strategies, compiling=console.tell_compiling),
    )
    with console.progress_bar() as progress:
        result = api.play(session, game, resolved, strategies, games, seed, threads, progress, wanted)
    if json:
        console.show_json(result.to_json(turn_seconds))
    else:
        from sim.reports.summary import summary

        console.show(*summary(result, game.title, threads, given, turn_seconds))
    if plot is not None and result.tallies.games > 0:
        from sim.reports import chart

        chart.draw(result, game.title, given, plot)
        console.tell(f"Chart: {plot}")
    if result.partial:
        raise typer.Exit(console.INTERRUPTED)
