"""``scofflaw run``: plays one set-up and tells who wins."""

from __future__ import annotations

import typer

from sim.cli import console, options


def run(
    games: options.Games = 100_000,
    seed: options.Seed = 1,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
    json: options.Json = False,
) -> None:
    """Play many games and tell who wins, with error bars."""
    from sim import api
    from sim.services import registry

    settings = options.settings(players, expansions, rules)
    game = registry.game(options.GAME)
    resolved = game.resolve(settings)
    strategies = registry.assign(game, strategy or [api.DEFAULT_STRATEGY])
    threads = api.check_numbers(games, seed, threads)
    session = console.in_background(
        lambda: game.session(resolved, strategies, compiling=console.tell_compiling),
    )
    with console.progress_bar() as progress:
        result = api.play(session, game, resolved, strategies, games, seed, threads, progress)
    if json:
        console.show_json(result.to_json())
    else:
        from sim.reports.summary import summary

        console.show(*summary(result, game.title, threads, options.as_options(settings, strategy)))
    if result.partial:
        raise typer.Exit(console.INTERRUPTED)
