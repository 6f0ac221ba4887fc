"""How fast a set-up is played, and what it costs to start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sim.game import Game, Rules, Session, Strategy
from sim.kernel.storage import CACHE_VARIABLE
from sim.services import batch

SCHEMA = 1
WARM_UP = 1000
"""Games played before the clock starts: code and tables are in the processor's caches then."""


@dataclass(frozen=True)
class Speed:
    """Games played on a number of threads. ``seconds`` are those of play; ``ns_per_decision`` is a thread's time."""

    schema: int
    strategy: str
    players: int
    threads: int
    games: int
    seconds: float
    games_per_s: float
    decisions_per_game: float
    turns_per_game: float
    ns_per_decision: float


@dataclass(frozen=True)
class Start:
    """What a start costs, in seconds from nothing to the result of one game.

    ``cold_start_seconds``: without machine code; ``warm_start_seconds``: with it, of which ``warm_parts``.
    ``peak_memory_mb``: of a program that plays the games of the benchmark; None where the system does not tell.
    """

    cold_start_seconds: float
    warm_start_seconds: float
    warm_parts: Mapping[str, float]
    peak_memory_mb: float | None


def speed(
    session: Session, game: Game, rules: Rules, strategy: str, seed: int, games: int, threads: int
) -> tuple[Speed, bool]:
    """Plays ``games`` games and measures; also whether the user interrupted, so that fewer were played."""
    rows, examples = len(game.metrics(rules)), len(game.endings(rules)) + len(game.moments(rules))
    batch.play(session, rows, examples, seed, min(WARM_UP, games), threads)
    tallies, outcome = batch.play(session, rows, examples, seed, games, threads)
    played, decisions = max(tallies.games, 1), max(tallies.decisions, 1)
    found = Speed(
        schema=SCHEMA,
        strategy=strategy,
        players=rules["players"],
        threads=threads,
        games=tallies.games,
        seconds=outcome.seconds,
        games_per_s=tallies.games / outcome.seconds,
        decisions_per_game=tallies.decisions / played,
        turns_per_game=tallies.turns / played,
        ns_per_decision=1e9 * outcome.seconds * threads / decisions,
    )
    return found, outcome.interrupted


def start(game: Game, settings: Mapping[str, Any], strategies: Mapping[str, Strategy], games: int) -> Start:
    """Starts programs of their own, first with an empty cache folder and then with what the first one left there."""
    names = {role: strategy.text for role, strategy in strategies.items()}
    with tempfile.TemporaryDirectory(prefix="scofflaw-bench-") as folder:
        cold = _program(folder, game.name, settings, names, 1)
        warm = _program(folder, game.name, settings, names, 1)
        longer = _program(folder, game.name, settings, names, games)
    return Start(cold["all"], warm.pop("all"), {k: v for k, v in warm.items() if k != "memory"}, longer["memory"])


PROGRAM = """
import json, sys, time
marks = [("", time.perf_counter())]
def mark(what): marks.append((what, time.perf_counter()))
name, settings, strategies, games = json.loads(sys.argv[1])
from sim import api
from sim.services import registry
game = registry.game(name)
mark("imports")
rules = game.resolve(settings)
chosen = registry.from_names(game, strategies)
session = game.session(rules, chosen)
mark("machine code")
result = api.play(session, game, rules, chosen, games, 1, 1)
mark("games")
result.to_json()
mark("statistics")
try:
    import resource
    unit = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
except ImportError:
    memory = None
parts = {what: end - begin for (_, begin), (what, end) in zip(marks, marks[1:])}
print(json.dumps({**parts, "memory": memory}))
"""


def _program(
    folder: str, game: str, settings: Mapping[str, Any], strategies: Mapping[str, str], games: int
) -> dict[str, Any]:
    """What a program of its own measured, with the seconds from its start to its end as ``all``."""
    setup = json.dumps([game, dict(settings), dict(strategies), games])
    environment = {**os.environ, CACHE_VARIABLE: folder}
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, setup], env=environment, capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - started
    measured: dict[str, Any] = json.loads(done.stdout)
    return {"all": seconds, "Python itself": seconds - sum(v for k, v in measured.items() if k != "memory"), **measured}


def to_json(found: Speed, started: Start | None) -> dict[str, Any]:
    """The object that ``scofflaw bench --json`` prints."""
    return {**asdict(found), **(asdict(started) if started is not None else {})}
