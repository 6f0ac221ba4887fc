"""``scofflaw trace``: one game, told line by line, or a piece of it saved as a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import console, options


def trace(
    game: Annotated[
        int,
        options.number("--game", "Number of the game, from 0."),
    ],
    seed: options.Seed = 1,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
    save_scenario: Annotated[
        Path | None, typer.Option("--save-scenario", metavar="FILE", help="Save decision N of the game as a scenario.")
    ] = None,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="The decision to save, by its number.")] = None,
) -> None:
    """Show one game of a run: a line an event, the decisions numbered.

    \b
    scofflaw trace --game 7
        the eighth game of seed 1
    scofflaw trace --game 7 --save-scenario position.toml --at 30
        its position before decision 30, as a file
    """
    from sim import api
    from sim.errors import UserError
    from sim.services import registry, tracing

    if (save_scenario is None) != (at is None):
        raise UserError("--save-scenario FILE and --at N belong together: write both or neither")
    if at is not None and at < 1:
        raise UserError(f"--at is {at}; decisions are numbered from 1, as the trace shows them")
    api.check_number("game", game, 0, api.MOST_GAMES - 1)
    api.check_number("seed", seed, 0, api.MOST_SEED)
    played = registry.game(options.GAME)
    resolved = played.resolve(options.settings(players, expansions, rules))
    strategies = registry.assign(played, strategy or [registry.DEFAULT_STRATEGY])
    setup = (played, resolved, strategies, seed, game)
    if save_scenario is None or at is None:
        lines = console.in_background(lambda: tracing.trace_game(*setup, compiling=console.tell_compiling))
        for line in lines:
            number = "" if line.decision is None else f"{line.decision}"
            console.show_line(f"{number:>5}  {line.text}")
        return
    text = console.in_background(lambda: tracing.save_scenario(*setup, at, compiling=console.tell_compiling))
    _write(save_scenario, text)
    console.show_line(f"saved: scofflaw scenario {save_scenario}")


def _write(path: Path, text: str) -> None:
    from sim.errors import UserError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}; choose another place") from None
