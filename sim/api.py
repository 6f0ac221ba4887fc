"""The Python interface behind the commands: one set-up played, its result returned."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sim
from sim.errors import UserError, shortened
from sim.game import Compiling, Game, Rules, Session, Strategy
from sim.services import batch, registry
from sim.services import precision as until
from sim.services.batch import DEFAULT_GAMES, MOST_GAMES, MOST_SEED, check_number
from sim.services.result import Result

if TYPE_CHECKING:
    from sim.services.results import Results

DEFAULT_SEED = 1
MOST_THREADS = 1024


def run(
    game: str = "bang",
    rules: Mapping[str, Any] | None = None,
    strategies: Mapping[str, registry.How] | str = registry.DEFAULT_STRATEGY,
    games: int | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    progress: batch.Progress | None = None,
    compiling: Compiling | None = None,
    precision: str | None = None,
    metric: str | None = None,
) -> Result:
    """Plays one set-up and tells who wins, with intervals.

    Parameters
    ----------
    game : name of an installed game.
    rules : parameters by name, typed or as text, such as ``{"players": 5, "preset": "official"}``; the others have the
        default of the preset. ``scofflaw rules`` lists them.
    strategies : the name of the strategy of all players, or names by role, such as
        ``{"default": "simple", "renegade": "random"}``; keys are also ``ghost`` and ``ghost.renegade`` and so on. A
        name may have settings: ``"simple,mistakes=0.1"`` or ``{"name": "simple", "mistakes": 0.1}``; a file of your own
        is named ``"my.py:function"``. ``scofflaw strategies`` lists the installed ones with their settings.
    games : 1 … 10^12, by default 100,000; with ``precision`` the most that are played, then 10,000,000 by default.
    seed : 0 … 2^63 − 1; the same seed gives the same games.
    threads : how many work at once, by default as many as there are processors. The result does not depend on it.
    progress : called now and then with the games played so far and the games asked for (with ``precision``, those that
        are expected to be needed).
    compiling : called when machine code for these strategies has to be made first, half a minute, with ghosts a minute.
    precision : play until this half-width is reached: ``"0.2pp"`` (percentage points) for a share, ``"0.5"`` for a
        mean. The intervals of the result then hold at any time, and ``result.precision`` tells how it ended. The result
        still depends on nothing but the set-up and the seed.
    metric : what is to be known so exactly, by default all endings. ``scofflaw metrics`` lists the names.

    Returns the result; after Ctrl-C that of the games played so far, with ``result.partial`` true. Raises ``UserError``
    for names, values and combinations that cannot be.
    """
    if not isinstance(game, str):
        raise UserError(f'game: {game!r} is not a name; write for example game="bang"')
    chosen = registry.game(game)
    if rules is not None and not isinstance(rules, Mapping):
        raise UserError(f'rules: {rules!r} does not map names to values; write for example rules={{"players": 5}}')
    resolved = chosen.resolve(rules or {})
    if not isinstance(strategies, (str, Mapping)):
        raise UserError(
            f"strategies: {strategies!r} is neither a name nor maps roles to names; "
            f'write for example strategies={{"default": "simple", "renegade": "random"}}'
        )
    named = {registry.DEFAULT: strategies} if isinstance(strategies, str) else strategies
    players = registry.from_names(chosen, named)
    wanted = target(chosen, resolved, precision, metric)
    games = games if games is not None else default_games(wanted)
    threads = check_numbers(games, seed, threads)
    session = chosen.session(resolved, players, compiling=compiling)
    return play(session, chosen, resolved, players, games, seed, threads, progress, wanted)


def experiment(
    asked: str | Path | Mapping[str, Any],
    out: str | Path | None = None,
    games: int | None = None,
    threads: int | None = None,
    backend: str = "threading",
    scheduler: str | None = None,
    compiling: Compiling | None = None,
) -> Results:
    """Plays an experiment and returns what it found; what was played before in the same folder is not played again.

    Parameters
    ----------
    asked : the path of an experiment file, or its content as a mapping, such as
        ``{"question": "…", "sweep": {"players": [4, 7]}}``. ``scofflaw guide experiments`` tells what it can have.
    out : the folder for the results, by default ``results/<name of the file>``; a mapping needs one.
    games : how many games a cell has, in place of what ``asked`` says.
    threads : how many games are played at once. The result does not depend on it.
    backend, scheduler : where they are played: ``threading``, ``loky`` (processes), or ``dask`` with the address of a
        scheduler.
    compiling : called when machine code has to be made first.

    Returns the tables ``cells`` and ``differences`` (pandas), the ``manifest`` and the ``folder``; after Ctrl-C those
    of the games played so far. Raises ``UserError`` for mistakes in what is asked, and for a folder that cannot be
    written.
    """
    from sim.services import experiment, results, tables
    from sim.services.executor import workers
    from sim.services.study import Study

    if isinstance(asked, Mapping):
        if out is None:
            raise UserError('experiment: name a folder for the results, for example out="results/mine"')
        resolved = experiment.of_tables(asked, Path(out).name, games=games)
    elif not isinstance(asked, (str, os.PathLike)):
        raise UserError(
            f"experiment: {shortened(repr(asked), 80)} is neither the path of a file nor a mapping; write for example "
            'experiment({"question": "…", "sweep": {"players": [4, 7]}}, out="results/mine")'
        )
    else:
        resolved = experiment.read(Path(asked), games)
    who = workers(backend, check_threads(threads), scheduler)
    folder = Path(out) if out is not None else results.ROOT / resolved.name
    command = f"sim.experiment({str(asked)!r})" if not isinstance(asked, Mapping) else ""
    with Study(resolved, folder, who) as study:
        study.prepare(compiling)
        study.play()
        tables.publish(study, command)
    return results.read(folder)


def play(
    session: Session,
    game: Game,
    rules: Rules,
    strategies: Mapping[str, Strategy],
    games: int,
    seed: int,
    threads: int,
    progress: batch.Progress | None = None,
    wanted: until.Target | None = None,
) -> Result:
    """``run`` for a session that is there already; the numbers must have passed ``check_numbers``.

    ``wanted``: play until this is known, at most ``games`` games.
    """
    declared, endings, moments = game.metrics(rules), game.endings(rules), game.moments(rules)
    examples = len(endings) + len(moments)
    reached = None
    if wanted is None:
        tallies, outcome = batch.play(session, len(declared), examples, seed, games, threads, progress=progress)
    else:
        tallies, outcome, reached = until.play(
            session, declared, examples, seed, games, threads, wanted, progress=progress
        )
        games = games if outcome.interrupted else tallies.games
    return Result(
        command="run",
        version=sim.__version__,
        game=game.name,
        rules=rules,
        strategies={key: strategy.text for key, strategy in strategies.items()},
        seed=seed,
        games_asked=games,
        tallies=tallies,
        declared=declared,
        ending_names=endings,
        moment_names=moments,
        notes=game.notes(rules),
        funnels=game.funnels(rules),
        precision=reached,
        seconds=outcome.seconds,
    )


def target(game: Game, rules: Rules, precision: str | None, metric: str | None) -> until.Target | None:
    """What is to be known how exactly, or None for a number of games. Raises UserError."""
    if precision is not None:
        return until.target(precision, metric, game.metrics(rules))
    if metric is not None:
        raise UserError(f"metric {metric!r}: nothing is said about how exactly; add a precision such as 0.2pp")
    return None


def default_games(wanted: until.Target | None) -> int:
    """How many games are played, or with a precision at most."""
    return DEFAULT_GAMES if wanted is None else until.MOST_GAMES


def check_numbers(games: int, seed: int, threads: int | None) -> int:
    """Tests the numbers of a run and returns how many threads to use. Raises UserError."""
    check_number("games", games, 1, MOST_GAMES)
    check_number("seed", seed, 0, MOST_SEED)
    return check_threads(threads)


def check_threads(threads: int | None) -> int:
    """How many threads to use, by default one a processor. Raises UserError."""
    if threads is not None:
        check_number("threads", threads, 1, MOST_THREADS)
        return threads
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1
