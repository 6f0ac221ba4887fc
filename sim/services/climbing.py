"""Looks for the weights by which a player does best, and then for how far to believe it.

From many starting points an evolution strategy climbs. All members of a generation, and the weights as they were set,
play the same games, for only their order counts; the next generation plays others. On a fixed set of games a climb
would learn these games by heart, the more the longer it lasts; so it cannot, and the luck of one generation is gone in
the next. What is left of luck is that the best of many measurements is a lucky one. So each climb nominates two: the
best member it ever saw, and the centre at which it ended, which rests on all of its games. All nominees play fresh
games, which choose the winner; and the winner plays others, fresh again, which alone tell what was gained.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from sim.errors import UserError
from sim.game import Weight
from sim.services.evolution import Climb, Values
from sim.services.paired import Pairs
from sim.services.result import json_value

BEST, CENTRE, START = "best", "centre", "start"
"""Kinds of nominees: the best member that a climb saw, where it ended, and the weights as they were."""

USUAL = {"starts": 20, "rounds": 25, "games": 4000, "final_games": 100_000}
"""How much is played unless the user says otherwise."""

MOST_STARTS, MOST_ROUNDS = 1000, 10_000

PIECE = 10_000
"""So many games of a long measurement are one measurement: what an interrupt can cost."""


class Measure(Protocol):
    """Plays games ``first`` … ``first + games − 1`` by ``base`` and by each of the others, and compares."""

    def __call__(self, base: Values, others: Sequence[Values], first: int, games: int) -> Pairs: ...


@dataclass(frozen=True)
class Gain:
    """By how much one player does better than another: in the unit of the metric, more being better.

    ``differing`` counts the games that came out otherwise for the metric; where there is none, nothing is known but
    that it is rare.
    """

    estimate: float
    low: float
    high: float
    differing: int

    def to_json(self) -> dict[str, float | None]:
        """The four numbers, null for what is not known."""
        return {name: json_value(value) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Search:
    """What is varied, from where, and how much is played.

    ``starts`` climbs, the first from ``start``, of ``rounds`` generations at most; each member plays ``games`` games.
    Games are numbered: those of the climbs come first, then those that choose the winner, then those that tell the
    gain, ``final_games`` each. Each weight has two values or more. ``lowest``: less of the metric is better;
    ``bounded``: it is a share.
    """

    weights: tuple[Weight, ...]
    start: Values
    lowest: bool
    bounded: bool
    starts: int
    rounds: int
    games: int
    final_games: int
    seed: int

    def climb(self, number: int) -> Climb:
        """Climb ``number``, from 0, at its beginning."""
        return Climb(self.weights, self.start if number == 0 else None, (self.seed, number))

    def first_game(self, climb: int, generation: int) -> int:
        """The first game of a generation; after the last one comes that of the centre."""
        return (climb * (self.rounds + 1) + generation) * self.games

    @property
    def choice_game(self) -> int:
        """The first of the games that choose the winner."""
        return self.first_game(self.starts, 0)

    @property
    def final_game(self) -> int:
        """The first of the games that tell the gain."""
        return self.choice_game + self.final_games

    @property
    def end_game(self) -> int:
        """The first game that is never played."""
        return self.final_game + self.final_games

    @property
    def most_played(self) -> int:
        """How many games it takes at most, a game by several players counting for each of them."""
        climbing = self.rounds * (self.climb(0).size + 1) + 2
        return self.starts * self.games * climbing + self.final_games * (2 * self.starts + 1 + len(self.weights) + 2)

    @property
    def amounts(self) -> dict[str, int]:
        """How much is played, by the names of the options."""
        return {name: getattr(self, name) for name in ("seed", "starts", "rounds", "games", "final_games")}

    def loss(self, pairs: Pairs, k: int) -> float:
        """How bad other ``k`` was; infinite where nothing was counted."""
        y, x = (int(part) for part in pairs.sums[k, 2:])
        return math.inf if x == 0 else (y / x if self.lowest else -y / x)

    def gain_over_base(self, pairs: Pairs, k: int) -> Gain:
        """By how much other ``k`` did better than the base."""
        return self._gain(pairs, k, not self.lowest)

    def gain_of_base(self, pairs: Pairs, k: int) -> Gain:
        """By how much the base did better than other ``k``."""
        return self._gain(pairs, k, self.lowest)

    def _gain(self, pairs: Pairs, k: int, turned: bool) -> Gain:
        found, differing = pairs.difference(k, bounded=self.bounded), int(pairs.differing[k])
        if turned:
            return Gain(0 - found.estimate, 0 - found.high, 0 - found.low, differing)
        return Gain(found.estimate, found.low, found.high, differing)


@dataclass(frozen=True)
class Nominee:
    """What a climb proposes: ``kind`` is BEST or CENTRE, ``believed`` the gain that the climb measured.

    START is what is chosen when no proposal does better.
    """

    climb: int
    kind: str
    values: Values
    believed: Gain


@dataclass(frozen=True)
class Found:
    """What a search has found. ``generations`` of each climb; ``choice`` compares the start with each candidate.

    ``final`` compares the winner with the start and then with itself with one of ``changed`` set back, one after the
    other.
    """

    generations: tuple[int, ...]
    nominees: tuple[Nominee, ...]
    candidates: tuple[Values, ...]
    choice: Pairs
    winner: Nominee
    changed: tuple[int, ...]
    final: Pairs


def search(plan: Search, measure: Measure) -> Found:
    """The whole search. The same plan and the same measurements give the same result. Raises UserError."""
    climbs = [_climb(plan, measure, number) for number in range(plan.starts)]
    nominees = tuple(nominee for _, proposed in climbs for nominee in proposed)
    candidates = tuple(dict.fromkeys(nominee.values for nominee in nominees))
    choice = _in_pieces(measure, plan.start, candidates, plan.choice_game, plan.final_games)
    winner = _chosen(plan, nominees, candidates, choice)
    best = winner.values
    changed = tuple(k for k, value in enumerate(best) if value != plan.start[k])
    set_back = [(*best[:k], plan.start[k], *best[k + 1 :]) for k in changed]
    final = _in_pieces(measure, best, [plan.start, *set_back], plan.final_game, plan.final_games)
    return Found(tuple(count for count, _ in climbs), nominees, candidates, choice, winner, changed, final)


def _climb(plan: Search, measure: Measure, number: int) -> tuple[int, tuple[Nominee, Nominee]]:
    """One climb: how many generations it had, and whom it nominates."""
    climb = plan.climb(number)
    best: Nominee | None = None
    generations = 0
    while generations < plan.rounds and not (generations and climb.ended):
        members = climb.ask()
        pairs = measure(plan.start, members, plan.first_game(number, generations), plan.games)
        if number == generations == 0:
            _check_counted(plan, pairs)
        climb.tell([plan.loss(pairs, k) for k in range(len(members))])
        for k, values in enumerate(members):
            gain = plan.gain_over_base(pairs, k)
            if best is None or gain.estimate > best.believed.estimate or math.isnan(best.believed.estimate):
                best = Nominee(number, BEST, values, gain)
        generations += 1
    pairs = measure(plan.start, [climb.centre], plan.first_game(number, plan.rounds), plan.games)
    centre = Nominee(number, CENTRE, climb.centre, plan.gain_over_base(pairs, 0))
    return generations, (best or centre, centre)


def _chosen(plan: Search, nominees: Sequence[Nominee], candidates: Sequence[Values], choice: Pairs) -> Nominee:
    """The nominee that does best in the games of the choice, or else the start."""
    best = min(range(len(candidates)), key=lambda k: plan.loss(choice, k))
    if plan.gain_over_base(choice, best).estimate > 0:
        return next(nominee for nominee in nominees if nominee.values == candidates[best])
    return Nominee(0, START, plan.start, Gain(0, 0, 0, 0))


def _check_counted(plan: Search, pairs: Pairs) -> None:
    if not pairs.sums[:, [1, 3]].any():
        raise UserError(
            f"nothing to search by: in {plan.games:,} games the metric had nothing to count, whatever the weights; "
            f"name a metric that counts per game, or play more games"
        )


def _in_pieces(measure: Measure, base: Values, others: Sequence[Values], first: int, games: int) -> Pairs:
    """A long measurement in pieces."""
    total = Pairs.empty(len(others))
    for start in range(0, games, PIECE):
        total.add(measure(base, others, first + start, min(PIECE, games - start)))
    return total
