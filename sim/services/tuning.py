"""The question of a search for better play: whose weights are tuned, in what games, and what they are to bring.

Everybody but the tuned player goes on as he always does: a fixed field. Weights live in tables, so that other values
compile nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sim.errors import UserError, unknown
from sim.game import Compiling, Game, Metric, Rules, Session, Strategy, Tallies, Weight, X
from sim.services import batch, paired, registry
from sim.services.evolution import Values
from sim.services.result import WIN_RATE

ROLE = "role"

PROBE_GAMES = 1000
"""Games in which a weight must change something at one of its limits, or it is left alone."""

CHUNK = 256
CHUNKS_PER_THREAD = 8
"""A generation is few games by many: small chunks, so that the threads end about together."""


@dataclass(frozen=True)
class Question:
    """Who is tuned, in what field, and what for.

    ``role``, or of that role only ``part`` (such as ``ghost``; empty: what the key of the role is for). ``player`` is
    the strategy to be tuned, as the field has it, and ``weights`` are those of its weights that may change.
    """

    game: Game
    rules: Rules
    strategies: Mapping[str, Strategy]
    role: str
    part: str
    player: Strategy
    weights: tuple[Weight, ...]
    metric: Metric
    lowest: bool

    @property
    def key(self) -> str:
        """The key of the tuned player's strategy."""
        return f"{self.part}.{self.role}" if self.part else self.role

    @property
    def wanted(self) -> str:
        """Whether the metric is to be as high or as low as it goes."""
        return "lowest" if self.lowest else "highest"

    @property
    def start(self) -> Values:
        """The values of the weights as they are set now."""
        return tuple(self.values(self.player)[weight.name] for weight in self.weights)

    @staticmethod
    def values(player: Strategy) -> dict[str, int]:
        """All weights of a strategy by name."""
        return dict(zip((weight.name for weight in registry.weights_in(player)), player.weights, strict=True))

    def tuned(self, values: Values) -> Strategy:
        """The tuned player with these values of ``weights``."""
        changed = self.values(self.player)
        changed.update(zip((weight.name for weight in self.weights), values, strict=True))
        defaults = {weight.name: weight.default for weight in registry.weights_in(self.player)}
        words = [f"{name}={value}" for name, value in changed.items() if value != defaults[name]]
        words += [word for word in self.player.changed if word.partition("=")[0] == registry.MISTAKES]
        return replace(self.player, weights=tuple(changed.values()), changed=tuple(words))

    def options(self, values: Values) -> list[str]:
        """What ``--strategy`` is given for everybody, the tuned player with these values."""
        players = {**self.strategies, self.key: self.tuned(values)}
        return registry.as_words({key: one.text for key, one in players.items()})


def question(
    game: Game,
    rules: Rules,
    strategies: Mapping[str, Strategy],
    role: str,
    part: str = "",
    weights: Sequence[str] = (),
    metric: str | None = None,
    lowest: bool = False,
) -> Question:
    """The question in these words: ``weights`` by name, none for all; ``metric`` by name, None for the role's wins.

    Raises UserError for names that do not exist, and players without weights.
    """
    declared = {row.name: row for row in game.metrics(rules)}
    roles = [row.name.rpartition(".")[2] for row in declared.values() if row.group == ROLE]
    if role not in roles:
        raise unknown("role", role, roles, "--role")
    _check_part(game, rules, role, part)
    wanted = metric if metric is not None else f"{WIN_RATE}.{ROLE}.{role}"
    if wanted not in declared:
        raise unknown("metric", wanted, declared, "--metric")
    keys = ([f"{part}.{role}", part] if part else []) + [role, registry.DEFAULT]
    player = next(strategies[key] for key in keys if key in strategies)
    chosen = _chosen(game, player, keys[0], weights)
    return Question(game, rules, strategies, role, part, player, chosen, declared[wanted], lowest)


def _check_part(game: Game, rules: Rules, role: str, part: str) -> None:
    parts = [front for front, dot, back in (key.rpartition(".") for key in game.strategy_keys(rules)) if back == role]
    parts = [front for front in parts if front]
    if part and not parts:
        raise UserError(f"--part {part}: by these rules a {role} has no part of its own; name the expansion that has")
    if part and part not in parts:
        raise unknown("part", part, parts, "--part")


def _chosen(game: Game, player: Strategy, key: str, names: Sequence[str]) -> tuple[Weight, ...]:
    """The weights of these names, or all that can have more than one value. Raises UserError."""
    declared = {weight.name: weight for weight in registry.weights_in(player)}
    if all(weight.least == weight.most for weight in declared.values()):
        able = [name for name in registry.strategy_names(game.name) if registry.weights_of(game.name, name)]
        raise UserError(
            f"strategy {player.name} has no weights to tune; name one that has, for example "
            f"--strategy {key}={able[0] if able else 'my.py:decide'}"
        )
    for name in names:
        if name not in declared:
            raise unknown("weight", name, declared, f"--weights: strategy {player.name}")
        if declared[name].least == declared[name].most:
            raise UserError(f"--weights: {name} can only be {declared[name].least}; leave it out")
    return tuple(
        weight for name, weight in declared.items() if weight.least < weight.most and (not names or name in names)
    )


class Field:
    """The games of a question. Called, it measures: see ``climbing.Measure``.

    ``progress`` is told games played so far and ``expected`` games; a game played by several is as many games.
    """

    def __init__(self, asked: Question, seed: int, threads: int, compiling: Compiling | None = None) -> None:
        """Compiles, if need be, and tries a user's files at both limits of their weights. Raises UserError."""
        self.asked = asked
        self.seed = seed
        self.threads = threads
        self.progress: batch.Progress | None = None
        self.expected = 0
        self._played = 0
        self._row = list(asked.game.metrics(asked.rules)).index(asked.metric)
        self._session(asked.start, compiling)
        self._session(tuple(weight.least for weight in asked.weights))
        self._session(tuple(weight.most for weight in asked.weights))

    def __call__(self, base: Values, others: Sequence[Values], first: int, games: int) -> paired.Pairs:
        """Raises KeyboardInterrupt when interrupted, for half a measurement is none."""
        sessions = [(self._session(values), self._row) for values in others]
        chunk = max(1, min(CHUNK, games // (CHUNKS_PER_THREAD * self.threads)))
        tell = batch.onwards(self.progress, self._played, self.expected, 1 + len(others))
        found, outcome = paired.play(self._session(base), sessions, self.seed, games, self.threads, chunk, tell, first)
        if outcome.interrupted:
            raise KeyboardInterrupt
        self._played += games * (1 + len(others))
        return found

    def leave_idle(self) -> list[str]:
        """Leaves weights alone that change nothing in 1,000 games, neither at the least nor at the highest value.

        Returns their names. Raises UserError if there are no others, and KeyboardInterrupt.
        """
        start, weights = self.asked.start, self.asked.weights
        usual = self._probe(start)
        found = []
        for k, weight in enumerate(weights):
            ends = [(*start[:k], value, *start[k + 1 :]) for value in (weight.least, weight.most)]
            if all(_same(usual, self._probe(values)) for values in ends if values != start):
                found.append(weight)
        if len(found) == len(weights):
            raise UserError(
                f"--role {self.asked.role}: no weight of {self.asked.player.name} changes anything in "
                f"{PROBE_GAMES:,} games; name another player, or the --weights that are to be tuned all the same"
            )
        self.asked = replace(self.asked, weights=tuple(weight for weight in weights if weight not in found))
        return [weight.name for weight in found]

    def check_role(self) -> None:
        """Raises UserError if nobody is dealt the role, and KeyboardInterrupt."""
        sums = self._probe(self.asked.start).sums
        rows = zip(self.asked.game.metrics(self.asked.rules), sums, strict=True)
        dealt = {row.name.rpartition(".")[2]: int(counts[X]) for row, counts in rows if row.group == ROLE}
        if dealt[self.asked.role] == 0:
            there = ", ".join(role for role, count in dealt.items() if count > 0)
            raise UserError(f"--role {self.asked.role}: by these rules nobody is dealt it; there are: {there}")

    def _session(self, values: Values, compiling: Compiling | None = None) -> Session:
        asked = self.asked
        players = {**asked.strategies, asked.key: asked.tuned(values)}
        return asked.game.session(asked.rules, players, compiling=compiling)

    def _probe(self, values: Values) -> Tallies:
        game, rules = self.asked.game, self.asked.rules
        examples = len(game.endings(rules)) + len(game.moments(rules))
        session = self._session(values)
        found, outcome = batch.play(
            session, len(game.metrics(rules)), examples, self.seed, PROBE_GAMES, self.threads, chunk=CHUNK
        )
        if outcome.interrupted:
            raise KeyboardInterrupt
        return found


def _same(one: Tallies, other: Tallies) -> bool:
    """Whether the games came out alike in all that is counted."""
    counts = [(tallies.decisions, tallies.turns) for tallies in (one, other)]
    return counts[0] == counts[1] and np.array_equal(one.sums, other.sums)
