"""Options that several commands have, and what they mean together."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from sim.errors import UserError

GAME = "bang"
"""The game that the commands play."""

Games = Annotated[int, typer.Option("--games", metavar="N", help="How many games to play.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Master seed: the same seed gives the same games.")]
Threads = Annotated[
    int | None,
    typer.Option("--threads", metavar="T", help="How many games to play at once; default: one a processor."),
]
Players = Annotated[int | None, typer.Option("--players", metavar="P", help="Number of players.")]
Expansions = Annotated[
    str | None, typer.Option("--expansions", metavar="NAME,NAME", help="Expansions to play with; none by default.")
]
RulesSet = Annotated[
    list[str] | None,
    typer.Option("--rules", metavar="KEY=VALUE", help="A rule to change (see: scofflaw rules). May be repeated."),
]
StrategySet = Annotated[
    list[str] | None,
    typer.Option("--strategy", metavar="[ROLE=]NAME", help="Who plays, everybody or one role. May be repeated."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def settings(players: int | None, expansions: str | None, rules: Iterable[str] | None) -> dict[str, str]:
    """The settings that the options give. Raises UserError for texts that are no KEY=VALUE, and names set twice."""
    found: dict[str, str] = {}
    given = [("players", str(players))] if players is not None else []
    given += [("expansions", expansions)] if expansions is not None else []
    for name, value in [*given, *map(_pair, rules or ())]:
        if name in found:
            raise UserError(f"{name} is set twice, to {found[name]} and to {value}; leave one out")
        found[name] = value
    return found


def _pair(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise UserError(f"--rules {text!r}: write KEY=VALUE, for example --rules players=5")
    return name.strip(), value.strip()


def as_options(settings: Mapping[str, Any], strategies: Iterable[str] | None) -> str:
    """The options that give these settings and strategies, as they are written in a shell; a space in front of each."""
    words: list[str] = []
    for name, value in settings.items():
        words += [f"--{name}", str(value)] if name in ("players", "expansions") else ["--rules", f"{name}={value}"]
    for strategy in strategies or ():
        words += ["--strategy", strategy]
    return "".join(f" {shlex.quote(word)}" for word in words)
