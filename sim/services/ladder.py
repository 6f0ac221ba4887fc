"""Which of two strategies plays better: every role alone goes from the one to the other, in games otherwise the same.

A field is what everybody else plays. In the field of ``B`` the players of a role change from ``B`` to ``A``; in the
field of ``A`` they change from ``A`` to ``B``. Both times the step is what the role wins more by ``A``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import sim
from sim.game import Game, Rules, Strategy
from sim.services import batch, paired, registry
from sim.services.result import SCHEMA, WIN_RATE

ROLE = "role"
ALL, LIVING = "all", "living"
"""Parts of a role's decisions; others are what stands before the dot in a key, such as ``ghost``."""


@dataclass(frozen=True)
class Step:
    """One role (or its dead alone) in one field: ``one`` and ``other`` are its rates of winning by the two strategies.

    ``part`` is which decisions of the role were changed: ``all``, ``living`` or ``ghost``. ``estimate`` = ``one`` −
    ``other``; ``differing`` counts the games that came out differently for the role.
    """

    players: int
    field: str
    role: str
    part: str
    one: float
    other: float
    estimate: float
    low: float
    high: float
    differing: int
    games: int


@dataclass(frozen=True)
class Ladder:
    """All steps of a comparison of two strategies."""

    game: str
    one: str
    other: str
    rules: Mapping[str, Any]
    expansions: Sequence[str]
    preset: str
    seed: int
    games: int
    steps: Sequence[Step]
    seconds: float
    partial: bool

    def to_json(self) -> dict[str, Any]:
        """The object that ``scofflaw ladder --json`` prints: ``steps`` has one object a step, fields as in ``Step``."""
        return {
            "schema": SCHEMA,
            "command": "ladder",
            "version": sim.__version__,
            "game": self.game,
            "one": self.one,
            "other": self.other,
            "preset": self.preset,
            "expansions": list(self.expansions),
            "rules": dict(self.rules),
            "seed": self.seed,
            "games": self.games,
            **({"partial": True} if self.partial else {}),
            "steps": [asdict(step) for step in self.steps],
            "seconds": self.seconds,
        }


def climb(
    game: Game,
    tables: Sequence[Rules],
    one: Strategy,
    other: Strategy,
    seed: int,
    games: int,
    threads: int,
    progress: batch.Progress | None = None,
) -> Ladder:
    """Compares two strategies by rules for one or more numbers of players.

    ``games`` is for each of the rules and fields. After an interrupt the steps are those that were finished. Raises
    UserError like ``Game.session``.
    """
    steps: list[Step] = []
    seconds, done, interrupted = 0.0, 0, False
    fields = (other, one) if one != other else (other,)
    whole = len(tables) * len(fields) * games
    for rules in tables:
        for field in fields:
            rest = one if field == other else other
            swaps = _swaps(game, rules)
            base = game.session(rules, _all(game, rules, field, rest))
            rows = [_row(game, rules, role) for role, _, _ in swaps]
            changed = [
                (game.session(rules, {**_all(game, rules, field, rest), key: rest}), row)
                for (_, _, key), row in zip(swaps, rows, strict=True)
            ]
            tell = batch.onwards(progress, done, whole)
            pairs, outcome = paired.play(base, changed, seed, games, threads, progress=tell)
            seconds += outcome.seconds
            done += games
            interrupted = interrupted or outcome.interrupted
            for k, (role, part, _) in enumerate(swaps):
                if pairs.sums[k, 1] > 0:
                    steps.append(_step(rules, field, role, part, pairs, k, rest == one))
            if interrupted:
                break
        if interrupted:
            break
    first = tables[0]
    named = {name: first[name] for name in sorted(first.named - {"players", "expansions", "preset"})}
    return Ladder(
        game.name, one.text, other.text, named, first.expansions, first.preset, seed, games, steps, seconds, interrupted
    )


def _swaps(game: Game, rules: Rules) -> list[tuple[str, str, str]]:
    """Whose strategy is changed: role, part of its decisions, and the key for it."""
    roles = [metric.name.rpartition(".")[2] for metric in game.metrics(rules) if metric.group == ROLE]
    keys = [key for key in game.strategy_keys(rules) if key.rpartition(".")[2] in roles]
    whole = LIVING if any("." in key for key in keys) else ALL
    return [(role, part or whole, key) for key in keys for part, _, role in [key.rpartition(".")]]


def _all(game: Game, rules: Rules, field: Strategy, rest: Strategy) -> dict[str, Strategy]:
    """Everybody by the strategy of the field. ``rest`` is named too, though nobody plays it: see ``Game.session``."""
    return {registry.DEFAULT: rest, **{key: field for _, _, key in _swaps(game, rules)}}


def _row(game: Game, rules: Rules, role: str) -> int:
    """The place of the role's rate of winning."""
    return [metric.name for metric in game.metrics(rules)].index(f"{WIN_RATE}.{ROLE}.{role}")


def _step(
    rules: Rules, field: Strategy, role: str, part: str, pairs: paired.Pairs, k: int, swapped_is_one: bool
) -> Step:
    found = pairs.difference(k, bounded=True)  # the field less the swapped
    if swapped_is_one:
        found = replace(
            found, one=found.other, other=found.one, estimate=-found.estimate, low=-found.high, high=-found.low
        )
    return Step(
        rules["players"], field.text, role, part, found.one, found.other, found.estimate, found.low, found.high,
        int(pairs.differing[k]), pairs.games,
    )  # fmt: skip
