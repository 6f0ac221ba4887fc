"""Searches whole numbers within limits for the best ones, from one starting point, by an evolution strategy.

This is CMA-ES with margin, for whole numbers (Hamano, Saito, Nomura, Shirakawa: CMA-ES with Margin, GECCO 2022), of
the library cmaes. Each generation is drawn around a centre; the better half of it moves the centre and shapes the next.
Only the order of a generation counts, so that all its members may be measured with the same luck.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.game import Weight

Values = tuple[int, ...]
"""One value for each weight that is tuned."""

SPREAD = 0.25
"""Standard deviation of the first generation, as a share of the range of each weight."""


class Climb:
    """One climb from a starting point: ``ask`` for a generation, measure it, and ``tell`` how bad each member is.

    ``start`` is the first centre, None for one drawn at random within the limits. The same ``seed`` and the same
    answers give the same generations. Each weight must have two values or more.
    """

    def __init__(self, weights: Sequence[Weight], start: Values | None, seed: tuple[int, int]) -> None:
        from cmaes import CMAwM

        self._least = np.array([weight.least for weight in weights], np.int64)
        self._range = np.array([weight.most - weight.least for weight in weights], np.int64)
        chance = np.random.default_rng(np.random.SeedSequence(seed))
        own_seed, somewhere = int(chance.integers(2**32)), chance.random(len(weights))
        self._climber = CMAwM(
            mean=somewhere if start is None else (np.array(start) - self._least) / self._range,
            sigma=SPREAD,
            bounds=np.tile([0.0, 1.0], (len(weights), 1)),
            steps=1 / self._range,
            seed=own_seed,
        )
        self._drawn: list[np.ndarray] = []

    def ask(self) -> list[Values]:
        """The members of the next generation."""
        pairs = [self._climber.ask() for _ in range(self._climber.population_size)]
        self._drawn = [drawn for _, drawn in pairs]
        return [self._values(rounded) for rounded, _ in pairs]

    def tell(self, losses: Sequence[float]) -> None:
        """How bad each member of the generation is, in the order of ``ask``."""
        self._climber.tell(list(zip(self._drawn, losses, strict=True)))

    @property
    def size(self) -> int:
        """How many members a generation has."""
        return int(self._climber.population_size)

    @property
    def centre(self) -> Values:
        """The point around which the next generation is drawn: what all generations so far come to."""
        return self._values(np.clip(self._climber.mean, 0, 1))

    @property
    def ended(self) -> bool:
        """Whether nothing more can come of it: all members are alike, or equally good for long."""
        return bool(self._climber.should_stop())

    def _values(self, scaled: np.ndarray) -> Values:
        values = self._least + np.rint(scaled * self._range).astype(np.int64)
        return tuple(int(value) for value in values)
