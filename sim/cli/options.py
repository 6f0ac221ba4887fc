"""Options that several commands have, and what they mean together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from sim.cli import complete
from sim.errors import UserError, shortened

LONGEST_SHOWN = 80
"""Characters of a wrong value that a message shows."""

MOST_TURN_SECONDS = 3600

GAME = "bang"
"""The game that the commands play."""


def whole_number(what: str) -> Callable[[str | int], int]:
    """Reads the whole number of an option. What it returns raises UserError with the valid range."""

    def parse(text: str | int) -> int:
        try:
            return int(text)
        except ValueError:
            least, most = _limits(what)
            shown = shortened(repr(text), LONGEST_SHOWN)
            raise UserError(f"{what}: {shown} is not a whole number; valid: {least}..{most}") from None

    return parse


def check(**numbers: int) -> None:
    """Raises UserError for a number of an option, by name, that is out of its range."""
    from sim import api

    for what, number in numbers.items():
        api.check_number(what, number, *_limits(what))


def _limits(what: str) -> tuple[int, int]:
    # Loaded only for those who need the message.
    from sim import api
    from sim.services import climbing, scenarios

    return {
        "games": (1, api.MOST_GAMES),
        "game": (0, api.MOST_GAMES - 1),
        "seed": (0, api.MOST_SEED),
        "threads": (1, api.MOST_THREADS),
        "seeds": (1, scenarios.MOST_SEEDS),
        "turn_seconds": (1, MOST_TURN_SECONDS),
        "starts": (1, climbing.MOST_STARTS),
        "rounds": (1, climbing.MOST_ROUNDS),
        "final_games": (1, api.MOST_GAMES),
    }[what]


MOST_PLAYERS = 100
"""A range of players may not be longer; the rules say which numbers can be."""


def numbers(what: str, text: str) -> list[int]:
    """The whole numbers of a text such as ``4-8`` or ``5,7``, in order. Raises UserError."""
    found: set[int] = set()
    for part in text.split(","):
        first, separator, last = (end.strip() for end in part.partition("-"))
        ends = (first, last if separator else first)
        if not all(end.isdecimal() and len(end) < 4 for end in ends) or int(ends[1]) - int(ends[0]) > MOST_PLAYERS:
            shown = shortened(repr(text), LONGEST_SHOWN)
            raise UserError(f"--{what} {shown}: write numbers and ranges, for example 4-8 or 5,7")
        found.update(range(int(ends[0]), int(ends[1]) + 1))
    if not found:
        raise UserError(f"--{what} {text!r}: the range is empty; write for example 4-8")
    return sorted(found)


def number(flag: str, help: str, metavar: str = "N") -> Any:
    """An option that takes a whole number."""
    return typer.Option(flag, metavar=metavar, parser=whole_number(flag.strip("-").replace("-", "_")), help=help)


Games = Annotated[int, number("--games", "How many games to play.")]
Seed = Annotated[int, number("--seed", "Master seed: the same seed gives the same games.", "S")]
SeedOfFile = Annotated[int | None, number("--seed", "Master seed, by default 1 or that of the file.", "S")]
Threads = Annotated[int | None, number("--threads", "How many games to play at once; default: one a processor.", "T")]
Players = Annotated[str | None, typer.Option("--players", metavar="P", help="Number of players.")]
Expansions = Annotated[
    str | None,
    typer.Option(
        "--expansions",
        metavar="NAME,NAME",
        help="Expansions to play with; none by default.",
        autocompletion=complete.expansions,
    ),
]
RulesSet = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="KEY=VALUE",
        help="A rule to change (see: scofflaw rules). May be repeated.",
        autocompletion=complete.rules,
    ),
]
StrategySet = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="[ROLE=]NAME",
        help="Who plays, everybody or one role. May be repeated.",
        autocompletion=complete.strategies,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def settings(
    players: str | None, expansions: str | None, rules: Iterable[str] | None, option: str = "--rules"
) -> dict[str, str]:
    """The settings that the options give. Raises UserError for texts that are no KEY=VALUE, and names set twice.

    ``option`` is the one that ``rules`` came by.
    """
    found: dict[str, str] = {}
    given = [("players", players)] if players is not None else []
    given += [("expansions", expansions)] if expansions is not None else []
    for name, value in [*given, *(_pair(text, option) for text in rules or ())]:
        if name in found:
            raise UserError(f"{name} is set twice, to {found[name]} and to {value}; leave one out")
        found[name] = value
    return found


def _pair(text: str, option: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise UserError(f"{option} {text!r}: write KEY=VALUE, for example {option} players=5")
    return name.strip(), value.strip()
