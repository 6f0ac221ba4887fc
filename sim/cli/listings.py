"""``scofflaw rules``, ``cards``, ``metrics`` and ``strategies``: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.cli import console, options


def rules(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these, or those that begin so.")
    ] = None,
    diff: Annotated[
        str | None, typer.Option("--diff", metavar="PRESET", help="Only what differs from this preset.")
    ] = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
) -> None:
    """List the rules that can be changed: value, default, range, rule id and meaning."""
    from sim.reports.listing import rules_listing
    from sim.services import registry

    game = registry.game(options.GAME)
    resolved = game.resolve(options.settings(players, expansions, rules))
    console.show(*rules_listing(game, resolved, names or (), diff))


def cards(
    players: options.Players = None, expansions: options.Expansions = None, rules: options.RulesSet = None
) -> None:
    """List the cards that these rules play with."""
    from sim.reports.listing import card_tables
    from sim.services import registry

    game = registry.game(options.GAME)
    console.show(*card_tables(game, game.resolve(options.settings(players, expansions, rules))))


def metrics(
    players: options.Players = None, expansions: options.Expansions = None, rules: options.RulesSet = None
) -> None:
    """List everything that is counted, with its unit and what it is a share of."""
    from sim.reports.listing import metrics_table
    from sim.services import registry

    game = registry.game(options.GAME)
    console.show(metrics_table(game, game.resolve(options.settings(players, expansions, rules))))


def strategies() -> None:
    """List the strategies that are installed, and by what each can be set."""
    from sim.reports.listing import strategy_listing
    from sim.services import registry

    for name in registry.strategy_names(options.GAME):
        console.show(
            *strategy_listing(
                name, registry.description(options.GAME, name), registry.weights_of(options.GAME, name)
            )
        )
