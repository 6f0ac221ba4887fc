"""Traces: one game of a seed, told line by line, and a piece of it saved as a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from sim.documents import Document, written
from sim.errors import UserError
from sim.game import Compiling, Game, Line, Recording, Rules, Shown, Strategy
from sim.services.scenarios import ScriptError, read_scenario

MOST_TRIED = 20
"""Scenarios that are run to see whether they pass: the first nearly always does."""


def trace_game(
    game: Game,
    rules: Rules,
    strategies: Mapping[str, Strategy],
    seed: int,
    number: int,
    compiling: Compiling | None = None,
) -> Sequence[Line]:
    """What happens in game ``number`` of a master seed: the same game as a run plays. Raises UserError."""
    return _recording(game, rules, strategies, seed, number, compiling).lines()


def save_scenario(
    game: Game,
    rules: Rules,
    strategies: Mapping[str, Strategy],
    seed: int,
    number: int,
    at: int,
    compiling: Compiling | None = None,
) -> str:
    """A scenario file (TOML) of decision ``at`` of a game and of the rest of that turn; it passes when it is run.

    Raises UserError for a decision that the game does not have, and where chance cannot be reproduced: what a file
    cannot say, such as which hand card is taken unseen, must come about by one of the seeds that are tried.
    """
    recording = _recording(game, rules, strategies, seed, number, compiling)
    for data in islice(recording.saved(at), MOST_TRIED):
        text = written(data)
        if _passes(text):
            return text
    raise UserError(
        f"decision {at} of game {number} cannot be saved: with none of the seeds tried does chance repeat itself in "
        "the rest of the turn; take a later decision of this turn, or one of another turn"
    )


def _recording(
    game: Game, rules: Rules, strategies: Mapping[str, Strategy], seed: int, number: int, compiling: Compiling | None
) -> Recording:
    if not isinstance(game, Shown):
        raise UserError(f"{game.title} has no traces")
    if number < 0:
        raise UserError(f"game {number}: games are numbered from 0")
    return game.recording(rules, strategies, seed, number, compiling)


def _passes(text: str) -> bool:
    scenario = read_scenario(Document(text, "the scenario to be saved"))
    try:
        scenario.run(scenario.script.seed)
    except ScriptError:
        return False
    return True
