"""``scofflaw bestresponse``: tunes the weights of one role's player."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import complete, console, options
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.services.climbing import Found, Search
    from sim.services.searchfile import SearchFile
    from sim.services.tuning import Field

FIELD = "standard"


def bestresponse(
    role: Annotated[
        str,
        typer.Option(
            "--role",
            metavar="ROLE",
            help="Whose player is tuned; the others stay as they are.",
            autocompletion=complete.roles,
        ),
    ],
    part: Annotated[
        str, typer.Option("--part", metavar="PART", help="Only a part of the role's play: ghost, for its dead.")
    ] = "",
    weights: Annotated[
        str, typer.Option("--weights", metavar="NAME,NAME", help="What is tuned; by default all that matters.")
    ] = "",
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="What it is tuned for (see: scofflaw metrics); by default how often the role wins.",
            autocompletion=complete.metrics,
        ),
    ] = None,
    lowest: Annotated[bool, typer.Option("--lowest", help="The metric is to be low, not high.")] = False,
    starts: Annotated[
        int | None,
        options.number(
            "--starts", "Climbs, 20 by default: the first from the weights as they are, the others from anywhere."
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        options.number("--rounds", "Generations of a climb at most, 25 by default."),
    ] = None,
    games: Annotated[
        int | None,
        options.number("--games", "Games that each set of weights plays in a climb, 4,000 by default."),
    ] = None,
    final_games: Annotated[
        int | None,
        options.number(
            "--final-games", "Fresh games to choose the winner by, 100,000 by default; and as many to measure it by."
        ),
    ] = None,
    seed: options.Seed = 1,
    threads: options.Threads = None,
    players: options.Players = None,
    expansions: options.Expansions = None,
    rules: options.RulesSet = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="[ROLE=]NAME",
            help=f"Who plays, the tuned player included; {FIELD} by default. May be repeated.",
            autocompletion=complete.strategies,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Where the search is kept; results/bestresponse-ROLE.json by default."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Find the weights by which a role plays best while all others play as they do.

    Many climbs by an evolution strategy, then fresh games, which the search has not seen, for what was gained.
    Everything measured is kept in a file: after Ctrl-C the same command goes on where it stopped.

    \b
    scofflaw bestresponse --role renegade
        a quarter of an hour or more; --starts, --rounds, --games, --final-games say how thorough it is
    scofflaw bestresponse --role outlaw --weights spare_bang,outlaw_caution --starts 3 --rounds 10 --out spare.json
        two weights alone
    scofflaw bestresponse --role deputy --metric turns --lowest --starts 5 --out short.json
        what the Deputies can do for a short game
    """
    from sim import api
    from sim.game import SHARE
    from sim.reports import bestresponse as report
    from sim.services import bestresponse as best
    from sim.services import climbing, registry, tuning, written
    from sim.services.searchfile import SearchFile

    settings = options.settings(players, expansions, rules)
    game = registry.game(options.GAME)
    strategies = registry.assign(game, strategy or [FIELD])
    names = [name.strip() for name in weights.split(",") if name.strip()]
    asked = tuning.question(game, game.resolve(settings), strategies, role, part, names, metric, lowest)
    given = {"starts": starts, "rounds": rounds, "games": games, "final_games": final_games}
    amounts = {name: climbing.USUAL[name] if number is None else number for name, number in given.items()}
    options.check(**amounts)
    threads = api.check_numbers(amounts["games"], seed, threads)
    field = console.in_background(lambda: tuning.Field(asked, seed, threads, console.tell_compiling))
    field.check_role()
    idle = [] if names else field.leave_idle()
    asked = field.asked
    plan = climbing.Search(asked.weights, asked.start, lowest, asked.metric.unit == SHARE, seed=seed, **amounts)
    api.check_number("games in all", plan.end_game, 1, api.MOST_GAMES)
    kept = SearchFile(_file(out, asked.key), best.settings(asked, plan), field)
    found = best.BestResponse(asked, plan, _search(plan, kept, field), idle, kept.seconds)
    playing = written.as_options(settings, asked.options(found.found.winner.values))
    kept.finish(found.to_json(playing))
    if json:
        console.show_json(found.to_json(playing))
    else:
        console.show(*report.lines(found, game.title, playing))


def _search(plan: Search, kept: SearchFile, field: Field) -> Found:
    """The search, told on stderr; after Ctrl-C it is told how to go on, and the program ends."""
    from sim.services import climbing

    left = plan.most_played - kept.played
    if not kept.finished:
        console.tell(f"Kept in {kept.path}; at most {left:,} games to play. After Ctrl-C the same command goes on.")
    try:
        with console.progress_bar() as progress:
            field.progress, field.expected = progress, left
            return climbing.search(plan, kept)
    except KeyboardInterrupt:
        console.tell(f"Interrupted. What was measured is in {kept.path}; the same command goes on from there.")
        raise typer.Exit(console.INTERRUPTED) from None


def _file(out: Path | None, player: str) -> Path:
    """Where the search is kept. Raises UserError if the usual folder cannot be made."""
    if out is not None:
        return out
    from sim.services.results import ROOT

    try:
        ROOT.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"--out: {ROOT} cannot be made here: {error.strerror}; name a file") from None
    return ROOT / f"bestresponse-{player}.json"
