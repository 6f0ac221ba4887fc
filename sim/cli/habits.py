"""``scofflaw habits``: what scripted players do with their chances."""

from __future__ import annotations

import typer

from sim.cli import console, options

GAMES = 5000


def habits(
    games: options.Games = GAMES,
    seed: options.Seed = 1,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
    json: options.Json = False,
) -> None:
    """Tell what the players do with their chances: whom they attack, what they use and what they leave.

    Attacks by role in each part of the game; for each card, ability and kind of decision how often there was a chance
    and how often it was taken; and what was never taken. So stupid or one-sided play shows.

    \b
    scofflaw habits
        the plain player, seven players
    scofflaw habits --expansions death_mesa --games 1000
        with ghosts and their cards
    scofflaw habits --strategy simple,mistakes=0.2 --players 5
        players who err in a fifth of their decisions
    """
    from sim import api
    from sim.reports import habits as report
    from sim.services import habits as watching
    from sim.services import registry

    game = registry.game(options.GAME)
    resolved = game.resolve(options.settings(players, expansions, rules))
    strategies = registry.assign(game, strategy or [registry.DEFAULT_STRATEGY])
    threads = api.check_numbers(games, seed, threads)
    counter = console.in_background(
        lambda: watching.counter(game, resolved, strategies, compiling=console.tell_compiling)
    )
    with console.progress_bar() as progress:
        found = watching.watch(counter, game, resolved, strategies, seed, games, threads, progress)
    if json:
        console.show_json(found.to_json())
    else:
        console.show(*report.lines(found, game.title))
    if found.partial:
        raise typer.Exit(console.INTERRUPTED)
