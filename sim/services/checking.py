"""Checked mode over many games: does every state make sense, is every answer legal, does every game end?

``check`` plays one set-up. ``check_all`` walks every combination of some parameters; most of its games are played
with further options drawn at random from their ranges.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from sim.errors import UserError
from sim.game import Compiling, Fault, Game, Session, Strategy, Tallies
from sim.parameters import Parameter
from sim.services import batch

BATCH = 500
"""Games of ``check_all`` between two draws of options."""

CHUNK = 125
"""Games a thread plays at a time: small, so that a batch keeps several threads busy."""

CHANGED = 1 / 8
"""Chance that an option, or a family of options, is drawn."""

FAMILY_DRAWN = 4
"""Families of at most so many options are drawn as a whole: the numbers of the roles make sense only together."""

TRIES = 200
"""Draws of one option, or family, until its values make sense; then it is left alone."""

WIDEST = 10
"""Values, from the lowest up, that a number is drawn from."""

UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Defect:
    """What is wrong in one game: its set-up, seed and number, so that it can be looked at."""

    what: str
    settings: Mapping[str, Any]
    seed: int
    game: int


@dataclass
class Check:
    """What came of checking some games: how many, in how many set-ups, and the first defect of each set-up."""

    games: int = 0
    setups: int = 0
    unfinished: int = 0
    interrupted: bool = False
    defects: list[Defect] = field(default_factory=list)

    def add(self, other: Check) -> None:
        """Adds the games of another check."""
        self.games += other.games
        self.setups += other.setups
        self.unfinished += other.unfinished
        self.interrupted |= other.interrupted
        self.defects += other.defects


def check(
    game: Game,
    strategies: Mapping[str, Strategy],
    settings: Mapping[str, Any],
    seed: int,
    games: int,
    threads: int,
    *,
    first: int = 0,
    must_end: bool = True,
    chunk: int = batch.CHUNK,
    progress: batch.Progress | None = None,
    compiling: Compiling | None = None,
) -> Check:
    """Plays games ``first`` … of one set-up in checked mode. ``must_end``: an unfinished game is a defect.

    Raises UserError for settings that make no sense.
    """
    rules = game.resolve(settings)
    session = game.session(rules, strategies, checked=True, compiling=compiling)
    endings = game.endings(rules)
    rows = len(game.metrics(rules))
    try:
        tallies, outcome = batch.play(
            session,
            rows,
            len(endings) + len(game.moments(rules)),
            seed,
            games,
            threads,
            first=first,
            chunk=chunk,
            progress=progress,
        )
    except Fault as fault:
        return Check(games, 1, defects=[Defect(fault.what, settings, seed, fault.game)])
    done = Check(tallies.games, 1, tallies.unfinished, outcome.interrupted)
    if tallies.illegal:
        found = _first_illegal(session, seed, first, games)
        done.defects.append(Defect("a strategy gave an illegal answer", settings, seed, found))
    if must_end and tallies.unfinished:
        done.defects.append(Defect("the game did not end", settings, seed, _example(tallies, endings)))
    return done


def check_all(
    game: Game,
    strategies: Mapping[str, Strategy],
    walked: Sequence[str],
    seed: int,
    games: int,
    threads: int,
    compiling: Compiling | None = None,
) -> Iterator[tuple[str, Check]]:
    """Checks every combination of expansions and ``walked`` parameters with an equal share of the games, at least one
    each. Combinations that make no sense are left out.

    Yields each combination as text (``preset=seed players=5``) with what came of it. The first set-up of a combination
    is played as it is; there an unfinished game is a defect. The others have options drawn at random.
    """
    parameters = {parameter.name: parameter for parameter in game.parameters()}
    values = itertools.product(_subsets(game.expansions), *(_values(parameters[name]) for name in walked))
    set_ups = [dict(zip(("expansions", *walked), combination, strict=True)) for combination in values]
    if not game.expansions:
        set_ups = [{name: fixed[name] for name in walked} for fixed in set_ups]
    set_ups = [fixed for fixed in set_ups if _makes_sense(game, fixed)]
    share = max(1, games // len(set_ups))
    for number, fixed in enumerate(set_ups):
        random = Random(f"{seed} {number}")
        total = Check()
        for first in range(0, share, BATCH):
            settings = {**fixed, **draw_options(game, fixed, random)} if first else fixed
            count = min(BATCH, share - first)
            done = check(
                game, strategies, settings, seed, count, threads,
                first=number * share + first, must_end=first == 0, chunk=CHUNK, compiling=compiling,
            )  # fmt: skip
            total.add(done)
            if done.interrupted:
                break
        yield " ".join(f"{name}={_text(value)}" for name, value in fixed.items() if value != ()), total
        if total.interrupted:
            return


def draw_options(game: Game, fixed: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Some options with values from their ranges, such that they make sense together with the ``fixed`` settings.

    Files cannot be drawn; the caps on turns and decisions are left alone, for a game that is cut short tests little.
    """
    in_use = game.resolve(fixed).values
    can_be_drawn = (
        p for p in game.parameters() if p.name in in_use and p.type != "path" and not p.name.endswith("_cap")
    )
    drawn: dict[str, Any] = {}
    for group in _groups([p for p in can_be_drawn if p.name not in fixed], random):
        for _ in range(TRIES):
            more = {parameter.name: random.choice(_values(parameter)) for parameter in group}
            if _makes_sense(game, {**fixed, **drawn, **more}):
                drawn |= more
                break
    return drawn


def _subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of some of the names, none and all included."""
    return itertools.chain.from_iterable(itertools.combinations(names, count) for count in range(len(names) + 1))


def _text(value: Any) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _makes_sense(game: Game, settings: Mapping[str, Any]) -> bool:
    try:
        game.resolve(settings)
    except UserError:
        return False
    return True


def _groups(parameters: Sequence[Parameter], random: Random) -> Iterator[Sequence[Parameter]]:
    """Which parameters are changed."""
    families: dict[str, list[Parameter]] = {}
    for parameter in parameters:
        family, dot, _ = parameter.name.partition(".")
        families.setdefault(family if dot else parameter.name, []).append(parameter)
    for members in families.values():
        together = len(members) <= FAMILY_DRAWN
        for group in [members] if together else [[member] for member in members]:
            if random.random() < CHANGED:
                yield group


def _values(parameter: Parameter) -> list[Any]:
    """The values of a parameter, of a wide range the lowest ones."""
    if parameter.low is None or parameter.high is None:
        return list(parameter.choices) or [False, True]
    if parameter.type == "float":
        return [parameter.low, (parameter.low + parameter.high) / 2, parameter.high]
    low, high = int(parameter.low), int(parameter.high)
    return list(range(low, min(high, low + WIDEST - 1) + 1))


def _first_illegal(session: Session, seed: int, first: int, games: int) -> int:
    """The first game with an illegal answer; there must be one."""
    stop = np.zeros(1, np.uint8)
    return next(number for number in range(first, first + games) if session.play(seed, number, 1, stop).illegal)


def _example(tallies: Tallies, endings: Sequence[str]) -> int:
    return int(tallies.examples[list(endings).index(UNFINISHED)][0])
