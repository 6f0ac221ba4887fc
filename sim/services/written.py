"""Values and set-ups as people write them: in a sentence, and on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sim.services import registry

if TYPE_CHECKING:
    from sim.services.setups import Setup


def text_of(value: Any) -> str:
    """A swept value as people write it: lists with commas, strategies with their settings."""
    if isinstance(value, list):
        return ", ".join(map(text_of, value)) or "none"
    if isinstance(value, Mapping):
        settings = dict(value)
        return ",".join([str(settings.pop("name", "")), *(f"{key}={v}" for key, v in settings.items())])
    return str(value).lower() if isinstance(value, bool) else str(value)


def values_text(values: Mapping[str, Any]) -> str:
    """The swept values of a cell: ``players=5, draw_count=3``."""
    return ", ".join(f"{name}={text_of(value)}" for name, value in values.items())


def as_options(settings: Mapping[str, Any], strategies: Iterable[str] | None) -> str:
    """The options that give these settings and strategies, as they are written in a shell; a space in front of each."""
    words: list[str] = []
    for name, value in settings.items():
        words += [f"--{name}", str(value)] if name in ("players", "expansions") else ["--rules", f"{name}={value}"]
    for strategy in strategies or ():
        words += ["--strategy", strategy]
    return "".join(f" {shlex.quote(word)}" for word in words)


def reproducing(setup: Setup) -> str:
    """The options of ``scofflaw run`` and ``trace`` that give a set-up, a space in front of each."""
    rules = {name: text_of(value) for name, value in setup.settings.items()}
    players = registry.as_words({key: text_of(how) for key, how in setup.strategies.items()})
    return as_options(rules, players)
