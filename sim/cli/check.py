"""``scofflaw check``: checked mode over many games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import console, options

if TYPE_CHECKING:
    from sim.game import Game, Rules, Strategy
    from sim.services.checking import Check

WALKED = ("preset", "players", "character_choice")
"""The parameters of which, with all expansions, ``--all`` walks every combination."""

CAPS = ("turn_cap", "decision_cap")
"""The parameters that end a game unfinished."""

DRAWN = "options are drawn at random"
STRATEGY = "random"
GAMES = 10_000
GAMES_ALL = 300_000
FAILED = 1


def check(
    games: Annotated[
        int | None,
        options.number("--games", f"How many games; default: {GAMES:,}, with --all {GAMES_ALL:,}."),
    ] = None,
    all_combinations: Annotated[
        bool,
        typer.Option("--all", help=f"Expansions, {', '.join(WALKED)} in all combinations; other options at random."),
    ] = False,
    seed: options.Seed = 1,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: options.StrategySet = None,
) -> None:
    """Play in checked mode: every state is tested, every answer must be legal, every game must end.

    Games may stay unfinished where the strategy random plays, or where turn_cap or decision_cap is changed.

    \b
    scofflaw check --games 5000 --rules draw_count=3
        one set-up
    scofflaw check --all --games 24000
        all expansions, presets and numbers of players
    """
    from sim import api
    from sim.errors import UserError
    from sim.services import registry

    settings = options.settings(players, expansions, rules)
    if all_combinations and settings:
        raise UserError(f"--all walks all rules by itself; leave out {', '.join(settings)}")
    game = registry.game(options.GAME)
    game.resolve(settings)
    choices = strategy or [STRATEGY]
    strategies = registry.assign(game, choices)
    games = games if games is not None else GAMES_ALL if all_combinations else GAMES
    threads = api.check_numbers(games, seed, threads)
    if all_combinations:
        done = _check_all(game, strategies, seed, games, threads, choices)
    else:
        done = _check_one(game, strategies, settings, seed, games, threads, choices)
    if done.interrupted:
        raise typer.Exit(console.INTERRUPTED)
    if done.defects:
        raise typer.Exit(FAILED)


def _check_one(
    game: Game,
    strategies: Mapping[str, Strategy],
    settings: Mapping[str, Any],
    seed: int,
    games: int,
    threads: int,
    choices: list[str],
) -> Check:
    from sim.services import checking

    rules = game.resolve(settings)
    # Compiles, if that has to be done, while this thread listens to Ctrl-C.
    console.in_background(
        lambda: game.session(rules, strategies, checked=True, compiling=console.tell_compiling),
    )
    allowed = _why_games_need_not_end(game, rules, strategies)
    with console.progress_bar() as progress:
        done = checking.check(game, strategies, settings, seed, games, threads, must_end=not allowed, progress=progress)
    _tell("checked", done, choices, allowed)
    return done


def _why_games_need_not_end(game: Game, rules: Rules, strategies: Mapping[str, Strategy]) -> str:
    """Why an unfinished game is no defect of the program; empty if it is one."""
    defaults = {parameter.name: parameter.defaults[rules.preset] for parameter in game.parameters()}
    changed = [f"{name} is {rules[name]}" for name in CAPS if rules[name] != defaults[name]]
    by_chance = {STRATEGY for strategy in strategies.values() if strategy.name == STRATEGY}
    by_chance |= {f"{strategy.name} with mistakes" for strategy in strategies.values() if strategy.mistakes > 0}
    return " and ".join([*changed, *(f"{name} plays" for name in sorted(by_chance))])


def _check_all(
    game: Game, strategies: Mapping[str, Strategy], seed: int, games: int, threads: int, choices: list[str]
) -> Check:
    from sim.services import checking

    console.in_background(
        lambda: game.session(game.resolve({}), strategies, checked=True, compiling=console.tell_compiling),
    )
    total = checking.Check()
    for combination, done in checking.check_all(
        game, strategies, WALKED, seed, games, threads, compiling=console.tell_compiling
    ):
        _tell(combination, done, choices, DRAWN)
        total.add(done)
    _tell("all", total, choices, DRAWN)
    return total


def _tell(what: str, done: Check, choices: list[str], allowed: str) -> None:
    """One line, and under it the games to look at. ``allowed``: why games may stay unfinished."""
    verdict = "interrupted" if done.interrupted else "FAILED" if done.defects else "fine"
    setups = f" in {done.setups} set-ups" if done.setups > 1 else ""
    note = f" (games may stay unfinished: {allowed})" if done.unfinished and allowed else ""
    console.show_line(f"{what}: {done.games:,} games{setups}, {done.unfinished:,} unfinished: {verdict}{note}")
    if done.defects:
        from sim.services import written
    for defect in done.defects:
        given = written.as_options(defect.settings, choices)
        console.show_line(f"  {defect.what}: scofflaw trace --game {defect.game} --seed {defect.seed}{given}")
