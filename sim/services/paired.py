"""Set-ups compared game by game: the same deals, and what became of each of them by the one and by the other.

As everywhere the sums are whole numbers, so that they do not depend on how the work was divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.game import Session
from sim.services import batch
from sim.services.differences import Difference, paired_difference

PARTS = 4
"""Numerator and denominator by the one set-up, numerator and denominator by the other."""


@dataclass
class Pairs:
    """Sums over pairs of games, for each comparison: int64 (comparisons, 4), and of their products (comparisons, 4, 4).

    ``differing`` (comparisons) counts the games in which numerators or denominators are not the same.
    """

    sums: np.ndarray
    products: np.ndarray
    differing: np.ndarray
    games: int = 0

    @classmethod
    def empty(cls, comparisons: int) -> Pairs:
        return cls(
            np.zeros((comparisons, PARTS), np.int64),
            np.zeros((comparisons, PARTS, PARTS), np.int64),
            np.zeros(comparisons, np.int64),
        )

    def add(self, other: Pairs) -> None:
        """Adds the pairs of another range of games, in place."""
        self.sums += other.sums
        self.products += other.products
        self.differing += other.differing
        self.games += other.games

    def difference(self, comparison: int, *, bounded: bool, anytime: float | None = None) -> Difference:
        """The ratio by the one set-up less that by the other, with its interval (see ``paired_difference``)."""
        return paired_difference(
            self.sums[comparison].tolist(),
            self.products[comparison].tolist(),
            self.games,
            bounded=bounded,
            differing=int(self.differing[comparison]),
            anytime=anytime,
        )

    def counts_alike(self, comparison: int) -> bool:
        """Whether the denominator is the same in every game, by both set-ups: then the rate is one per game."""
        denominators = ((int(self.sums[comparison, k]), int(self.products[comparison, k, k])) for k in (1, 3))
        return all(x * x == self.games * xx for x, xx in denominators)

    def difference_per_game(self, comparison: int) -> Difference:
        """``difference`` of the numerators alone, each per game: as if every denominator were 1."""
        y, _, y_other, _ = self.sums[comparison].tolist()
        (yy, _, both, _), _, (_, _, others, _), _ = self.products[comparison].tolist()
        n = self.games
        products = ((yy, y, both, y), (y, n, y_other, n), (both, y_other, others, y_other), (y, n, y_other, n))
        differing = int(self.differing[comparison])
        return paired_difference((y, n, y_other, n), products, n, bounded=False, differing=differing)


def pair(ones: np.ndarray, others: np.ndarray) -> Pairs:
    """The sums over pairs of games, of what ``Session.each`` gives for some metrics by the one and by the other."""
    pairs = Pairs.empty(ones.shape[1])
    pairs.games = len(ones)
    both = np.concatenate([ones, others], axis=2)
    pairs.sums[:] = both.sum(axis=0)
    pairs.products[:] = np.einsum("nki,nkj->kij", both, both)
    pairs.differing[:] = (ones != others).any(axis=2).sum(axis=0)
    return pairs


def play(
    base: Session,
    others: Sequence[tuple[Session, int]],
    seed: int,
    games: int,
    threads: int,
    chunk: int = batch.CHUNK,
    progress: batch.Progress | None = None,
    first: int = 0,
) -> tuple[Pairs, batch.Outcome]:
    """Plays the same games by ``base`` and by each other set-up, and compares one metric for each of these.

    ``others`` are sessions with the place of the metric to compare, which is the same for ``base``. The games are
    ``first`` … ``first + games − 1``. Otherwise as ``batch.play``; after an interrupt only games that all have played
    count.
    """
    rows = [row for _, row in others]

    def part(start: int, count: int, stop: np.ndarray) -> Pairs:
        ones = base.each(seed, start, count, stop, rows)[1]
        found = [session.each(seed, start, len(ones), stop, [row])[1] for session, row in others]
        played = min([len(ones), *map(len, found)])
        return pair(ones[:played], np.concatenate([other[:played] for other in found], axis=1))

    total = Pairs.empty(len(others))
    return total, batch.add_up(part, total, games, threads, first, chunk, progress)
