"""``scofflaw ladder``: which of two strategies plays better."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.cli import complete, console, options


def ladder(
    one: Annotated[
        str, typer.Argument(metavar="ONE", help="NAME or NAME,KEY=VALUE.", autocompletion=complete.strategies)
    ] = "standard",
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="What it is compared with.", autocompletion=complete.strategies)
    ] = "simple",
    games: options.Games = 20_000,
    seed: options.Seed = 1,
    threads: options.Threads = None,
    players: Annotated[
        str, typer.Option("--players", metavar="P,P or P-P", help="Numbers of players, such as 4-8 or 5,7.")
    ] = "4-8",
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    json: options.Json = False,
) -> None:
    """Tell which of two strategies plays better, role by role.

    Everybody plays OTHER, then one role alone plays ONE instead, in the same games; and the same the other way round.
    With Death Mesa the living and the dead of a role are changed separately. --games is for each number of players and
    each of the two fields.

    \b
    scofflaw ladder
        standard against simple, 4 to 8 players
    scofflaw ladder simple simple,mistakes=0.1 --players 7 --games 5000
        what it costs each role to err in a tenth of its decisions
    """
    from sim import api
    from sim.reports import ladder as report
    from sim.services import ladder as climbing
    from sim.services import registry

    settings = options.settings(None, expansions, rules)
    if "players" in settings:
        from sim.errors import UserError

        raise UserError("--rules players=…: write --players for a ladder, for example --players 5,7")
    game = registry.game(options.GAME)
    tables = [game.resolve({**settings, "players": number}) for number in options.numbers("players", players)]
    first, second = (registry.strategy(game.name, name) for name in (one, other))
    threads = api.check_numbers(games, seed, threads)
    console.in_background(
        lambda: game.session(tables[0], {"default": first, "sheriff": second}, compiling=console.tell_compiling)
    )
    with console.progress_bar() as progress:
        found = climbing.climb(game, tables, first, second, seed, games, threads, progress)
    if json:
        console.show_json(found.to_json())
    else:
        console.show(*report.lines(found, game.title))
    if found.partial:
        raise typer.Exit(console.INTERRUPTED)
