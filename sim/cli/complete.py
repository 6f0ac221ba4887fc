"""What the shell offers when the user presses Tab: names of rules, strategies, metrics, expansions, topics.

A shell shows nothing rather than a traceback: whatever goes wrong, there is nothing to offer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.game import Game

Names = Callable[[], Iterable[str]]
Completion = Callable[[str], list[str]]


def _completion(names: Names) -> Completion:
    """Offers the names that begin as the user has begun, and says nothing of what goes wrong."""

    @wraps(names)
    def offered(incomplete: str) -> list[str]:
        try:
            return [name for name in names() if name.startswith(incomplete)]
        except Exception:  # a broken installation, a file that cannot be read: the command itself will tell
            return []

    offered.__annotations__ = {"incomplete": str, "return": list[str]}
    del offered.__wrapped__  # type: ignore[attr-defined]  # typer would read the parameters of that one
    return offered


def _game() -> Game:
    from sim.cli import options
    from sim.services import registry

    return registry.game(options.GAME)


@_completion
def rules() -> Iterable[str]:
    """Settings as ``--rules`` takes them: with their values where these can be listed, else up to the ``=``."""
    for parameter in _game().parameters():
        values = ("true", "false") if parameter.type == "bool" else parameter.choices
        yield from (f"{parameter.name}={value}" for value in values or ("",))


@_completion
def rule_names() -> Iterable[str]:
    """Names of rules."""
    return [parameter.name for parameter in _game().parameters()]


@_completion
def presets() -> Iterable[str]:
    """Names of presets."""
    return next(parameter.choices for parameter in _game().parameters() if parameter.name == "preset")


@_completion
def strategies() -> Iterable[str]:
    """Strategies, and each for each role."""
    from sim.services import registry

    game = _game()
    names = registry.strategy_names(game.name)
    return [*names, *(f"{key}={name}" for key in game.strategy_keys() for name in names)]


@_completion
def roles() -> Iterable[str]:
    """Roles that there are without any expansion; those of expansions are the same."""
    game = _game()
    return [row.name.rpartition(".")[2] for row in game.metrics(game.resolve({})) if row.group == "role"]


@_completion
def metrics() -> Iterable[str]:
    """Metrics of the game with everything that it plays."""
    game = _game()
    return [metric.name for metric in game.metrics(game.resolve({"expansions": ",".join(game.expansions)}))]


@_completion
def topics() -> Iterable[str]:
    """Topics of the guide."""
    from sim.reports import guide

    return guide.topics()


@_completion
def results() -> Iterable[str]:
    """Folders of experiments."""
    from sim.services import results as folders

    return folders.names()


def expansions(incomplete: str) -> list[str]:
    """Expansions, the last of a list with commas."""
    before, comma, begun = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _expansion_names(begun) if name not in before.split(",")]


@_completion
def _expansion_names() -> Iterable[str]:
    return _game().expansions
