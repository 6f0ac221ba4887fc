"""``scofflaw bench``: how fast games are played, and what a start costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from sim.cli import console, options


def bench(
    games: options.Games = 100_000,
    seed: options.Seed = 1,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
    full: Annotated[
        bool, typer.Option("--full", help="Also measure memory and starts, cold (half a minute) and warm.")
    ] = False,
    executor: Annotated[
        bool,
        typer.Option("--executor", help="Measure what the workers of each kind (run --backend) cost, nothing else."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Measure games a second on this machine.

    \b
    scofflaw bench --players 5
        how fast games with five players are
    scofflaw bench --full
        and what a start costs
    scofflaw bench --executor
        which --backend is the right one here
    """
    from sim import api
    from sim.services import benchmark, registry

    settings = options.settings(players, expansions, rules)
    game = registry.game(options.GAME)
    resolved = game.resolve(settings)
    choices = strategy or [registry.DEFAULT_STRATEGY]
    strategies = registry.assign(game, choices)
    threads = api.check_numbers(games, seed, threads)
    if executor:
        _executor(settings, choices, seed, games, threads, json)
        return
    session = console.in_background(
        lambda: game.session(resolved, strategies, compiling=console.tell_compiling),
    )
    speed, interrupted = benchmark.speed(session, game, resolved, ",".join(choices), seed, games, threads)
    started = benchmark.start(game, settings, strategies, games) if full and not interrupted else None
    if json:
        console.show_json(benchmark.to_json(speed, started))
    else:
        from sim.reports.speed import lines

        console.show(*lines(speed, started))
    if interrupted:
        raise typer.Exit(console.INTERRUPTED)


def _executor(
    settings: Mapping[str, Any], choices: Sequence[str], seed: int, games: int, threads: int, json: bool
) -> None:
    """What workers cost."""
    from sim.reports import speed
    from sim.services import overhead, registry, setups

    game = registry.game(options.GAME)
    setup = setups.setup(game, settings, registry.by_role(game, choices))
    console.in_background(lambda: setup.session(console.tell_compiling))
    found = overhead.measure(setup, seed, games, threads)
    if json:
        console.show_json(overhead.to_json(found))
    else:
        for line in speed.costs(found):
            console.show(line)
