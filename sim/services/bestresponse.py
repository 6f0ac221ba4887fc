"""The best response: how a player plays best against a fixed field, what that gains, and which weights it hangs on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sim
from sim.game import SHARE, Rules, Weight
from sim.services.climbing import START, Found, Gain, Nominee, Search
from sim.services.differences import HOLM, Difference, adjusted
from sim.services.evolution import Values
from sim.services.result import SCHEMA, MetricRow, json_rules, json_value
from sim.services.statistics import ratio_interval
from sim.services.tuning import Question

NAMED_ABOVE = ("name", "group", "unit")
"""Fields of a metric that the JSON object has already told."""


def settings(asked: Question, plan: Search) -> dict[str, Any]:
    """All that the measurements of a search depend on, by name, as its file keeps it."""
    limits = [[weight.least, weight.most, start] for weight, start in zip(plan.weights, plan.start, strict=True)]
    return {
        "version": sim.__version__,
        "game": asked.game.name,
        "rules": json_rules(asked.rules),
        "strategies": {key: one.text for key, one in asked.strategies.items()},
        "player": asked.key,
        "weights": dict(zip([weight.name for weight in plan.weights], limits, strict=True)),
        "metric": asked.metric.name,
        "wanted": asked.wanted,
        **plan.amounts,
    }


@dataclass(frozen=True)
class SetBack:
    """A weight that the winner has otherwise: its value as it was (``start``), and what setting it back costs.

    ``p`` is the probability of such a cost if there is none, corrected (Holm) for the number of changed weights.
    """

    weight: Weight
    start: int
    value: int
    cost: Gain
    p: float


@dataclass(frozen=True)
class BestResponse:
    """The result of a search: the question, how much was played, what was found, and what was left alone.

    ``idle`` are the names of weights that change nothing in these games.
    """

    asked: Question
    plan: Search
    found: Found
    idle: Sequence[str]
    seconds: float

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.asked.rules

    @property
    def strategies(self) -> Mapping[str, str]:
        """The field, by key, as it is written on the command line."""
        return {key: one.text for key, one in self.asked.strategies.items()}

    @property
    def members(self) -> int:
        """How many sets of weights the climbs measured."""
        size = self.plan.climb(0).size
        return sum(self.found.generations) * size + self.plan.starts

    @property
    def gain(self) -> Gain:
        """What the winner gained, by games that nothing was chosen by."""
        return self.plan.gain_of_base(self.found.final, 0)

    @property
    def optimism(self) -> Gain:
        """What the climb believed of the winner, less what fresh games say. The two are of different games."""
        believed, gain = self.found.winner.believed, self.gain
        half = math.hypot(believed.high - believed.estimate, gain.high - gain.estimate)
        estimate = believed.estimate - gain.estimate
        return Gain(estimate, estimate - half, estimate + half, believed.differing + gain.differing)

    def rates(self) -> tuple[MetricRow, MetricRow]:
        """The metric by the weights as they were, and by the winner, in the final games."""
        return self._rate(2), self._rate(0)

    def _rate(self, y: int) -> MetricRow:
        """The metric by one of the two, whose numerators are part ``y`` of the pairs of games."""
        metric, x = self.asked.metric, y + 1
        sums, products = self.found.final.sums[0].tolist(), self.found.final.products[0].tolist()
        counts = sums[y], sums[x], products[y][y], products[y][x], products[x][x]
        interval = ratio_interval(counts, bounded=metric.unit == SHARE)
        return MetricRow(metric.name, metric.group, metric.unit, *counts[:2], **asdict(interval))

    def per_game(self) -> Difference | None:
        """The numerators per game, the winner's less those as it was; None where the rate is one per game."""
        return None if self.found.final.counts_alike(0) else self.found.final.difference_per_game(0)

    def fresh(self, nominee: Nominee) -> Gain:
        """What a nominee gained in the games that chose the winner."""
        if nominee.kind == START:
            return nominee.believed
        return self.plan.gain_over_base(self.found.choice, self.found.candidates.index(nominee.values))

    def set_back(self) -> list[SetBack]:
        """What each change of the winner's is worth: what it costs to set this one back and no other."""
        changed, final = self.found.changed, self.found.final
        places = range(1, 1 + len(changed))
        p = adjusted([final.difference(place, bounded=self.plan.bounded).p for place in places], HOLM)
        return [
            SetBack(
                self.plan.weights[k],
                self.plan.start[k],
                self.found.winner.values[k],
                self.plan.gain_of_base(final, place),
                p[place - 1],
            )
            for k, place in zip(changed, places, strict=True)
        ]

    def to_json(self, options: str) -> dict[str, Any]:
        """The object that ``scofflaw bestresponse --json`` prints.

        ``options``: those that play the winner (``scofflaw run`` takes them). ``rates``: of the start (the weights as
        they were set) and of the winner. ``gain``, ``believed`` (by the climb), ``chosen_at`` and ``optimism`` are in
        the unit of the metric (0.01 of a share is one percentage point), more being better also where the lowest is
        wanted (see ``Gain``); so are the ``cost`` of setting one weight back (its ``p_adjusted``: see ``SetBack``), and
        ``believed`` and ``fresh`` of each nominee. ``per_game`` is there where the players have a say in how much is
        counted at all: the numerators per game.
        """
        asked, plan, winner = self.asked, self.plan, self.found.winner
        start, won = self.rates()
        per_game = self.per_game()
        return {
            "schema": SCHEMA,
            "command": "bestresponse",
            "version": sim.__version__,
            "game": asked.game.name,
            "rules": json_rules(asked.rules),
            "strategies": dict(self.strategies),
            "role": asked.role,
            "part": asked.part or None,
            "metric": asked.metric.name,
            "unit": asked.metric.unit,
            "wanted": asked.wanted,
            **({"notes": list(notes)} if (notes := asked.game.notes(asked.rules)) else {}),
            **plan.amounts,
            "idle": list(self.idle),
            "generations": list(self.found.generations),
            "members": self.members,
            "start": self._named(plan.start),
            "winner": self._named(winner.values),
            "strategy": asked.tuned(winner.values).text,
            "options": options,
            "rates": {"start": _json(start), "winner": _json(won)},
            "gain": self.gain.to_json(),
            "believed": winner.believed.to_json(),
            "chosen_at": self.fresh(winner).to_json(),
            "optimism": self.optimism.to_json(),
            **({"per_game": _json(per_game)} if per_game is not None else {}),
            "changed": [
                {
                    "weight": row.weight.name,
                    "start": row.start,
                    "winner": row.value,
                    "cost": row.cost.to_json(),
                    "p_adjusted": json_value(row.p),
                }
                for row in self.set_back()
            ],
            "nominees": [
                {
                    "climb": one.climb,
                    "kind": one.kind,
                    "weights": self._named(one.values),
                    "believed": one.believed.to_json(),
                    "fresh": self.fresh(one).to_json(),
                }
                for one in self.found.nominees
            ],
            "seconds": self.seconds,
        }

    def _named(self, values: Values) -> dict[str, int]:
        return {weight.name: value for weight, value in zip(self.plan.weights, values, strict=True)}


def _json(found: MetricRow | Difference) -> dict[str, Any]:
    return {name: json_value(value) for name, value in asdict(found).items() if name not in NAMED_ABOVE}
