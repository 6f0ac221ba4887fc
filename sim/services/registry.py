"""Finds games and strategies by name, through the entry points of installed packages.

A package announces a game in the group ``scofflaw.games`` (``bang = sim.bang.game:BANG``) and a strategy in the group
``scofflaw.strategies`` (``bang.simple = strategies.bang.simple:decide``). Ours have no other standing than anybody's.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from sim.errors import UserError, unknown
from sim.game import Game, Strategy

GAMES = "scofflaw.games"
STRATEGIES = "scofflaw.strategies"

DEFAULT = "default"
"""The key of the strategy of everybody without one of his own."""


def game(name: str) -> Game:
    """The game of this name. Raises UserError with the nearest names."""
    found = {entry.name: entry for entry in entry_points(group=GAMES)}
    if name not in found:
        raise unknown("game", name, found)
    loaded: Game = found[name].load()
    return loaded


def strategy_names(game_name: str) -> list[str]:
    """The names of all strategies for a game, sorted."""
    return sorted(_strategies(game_name))


def strategy(game_name: str, name: str) -> Strategy:
    """The strategy of this name for a game; its file is found, not imported.

    Raises UserError with the nearest names.
    """
    if name.endswith(".py") or ".py:" in name:
        raise UserError(
            f"strategy {name!r}: this version plays installed strategies only, not a file; "
            f"installed for {game_name}: {', '.join(strategy_names(game_name))}"
        )
    found = _strategies(game_name)
    if name not in found:
        raise unknown("strategy", name, found)
    return Strategy(name, _source(found[name]), found[name].attr)


def description(game_name: str, name: str) -> str:
    """The first line of a strategy's file, which says what it does. Raises UserError."""
    text = ast.get_docstring(ast.parse(strategy(game_name, name).source.read_text(encoding="utf-8")))
    return text.splitlines()[0] if text else ""


def assign(of_game: Game, choices: Iterable[str]) -> dict[str, Strategy]:
    """Strategies by role from texts such as ``simple`` (everybody) and ``renegade=random``.

    Raises UserError for unknown roles and strategies, a role named twice, and roles without a strategy.
    """
    named: dict[str, str] = {}
    for choice in choices:
        key, separator, name = choice.partition("=")
        key, name = (key.strip(), name.strip()) if separator else (DEFAULT, choice.strip())
        if separator and not (key and name):
            raise UserError(
                f"strategy {choice!r}: write ROLE=NAME, with one of {', '.join(of_game.strategy_keys())} and one of "
                f"{', '.join(strategy_names(of_game.name))}"
            )
        if key in named:
            who = "everybody" if key == DEFAULT else key
            raise UserError(f"strategy: {who} has two of them, {named[key]!r} and {name!r}; name one")
        named[key] = name
    return from_names(of_game, named)


def from_names(of_game: Game, names: Mapping[str, str]) -> dict[str, Strategy]:
    """Strategies by role from their names. Raises UserError like ``assign``."""
    keys = of_game.strategy_keys()
    for key, name in names.items():
        if key not in keys:
            raise unknown("role", str(key), keys, "strategy")
        if not isinstance(name, str):
            installed = ", ".join(strategy_names(of_game.name))
            raise UserError(f"strategy of {key}: {name!r} is not a name in quotes; installed: {installed}")
    if DEFAULT not in names:
        raise UserError(
            "strategy: nothing is said about the other roles; name a strategy for everybody as well, "
            f"one of {', '.join(strategy_names(of_game.name))}"
        )
    return {key: strategy(of_game.name, name) for key, name in names.items()}


def _strategies(game_name: str) -> dict[str, EntryPoint]:
    prefix = f"{game_name}."
    entries = (entry for entry in entry_points(group=STRATEGIES) if entry.name.startswith(prefix))
    return {entry.name.removeprefix(prefix): entry for entry in entries}


def _source(entry: EntryPoint) -> Path:
    """The file of an entry point's module; only the packages around it are imported."""
    spec = importlib.util.find_spec(entry.module)
    if spec is None or spec.origin is None:
        raise UserError(f"strategy {entry.name}: its module {entry.module} is not there; install its package again")
    return Path(spec.origin)
