"""What scripted players do with their chances: tables of counts over many games, and what never came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import sim
from sim.errors import UserError
from sim.game import ROW_SHARES, Compiling, Counts, CountTable, Game, Rules, Shown, Strategy
from sim.game import Habits as Counter
from sim.services import batch
from sim.services.result import SCHEMA, json_rules

CHUNK = 250
"""Games a thread counts at a time: few are asked for, and several threads are to have some."""


@dataclass(frozen=True, kw_only=True)
class Habits:
    """The habits of the players of one set-up; ``counts`` has one array for each of ``tables``."""

    game: str
    rules: Rules
    strategies: Mapping[str, str]
    seed: int
    games_asked: int
    notes: Sequence[str]
    tables: Sequence[CountTable]
    counts: Counts
    seconds: float

    @property
    def partial(self) -> bool:
        """True when the run was interrupted before all games were played."""
        return self.counts.games < self.games_asked

    def rows(self, table: CountTable) -> list[tuple[tuple[str, ...], list[int]]]:
        """The rows of a table that something was counted in, with their names."""
        counted = self.counts.tables[list(self.tables).index(table)]
        return [(name, row) for name, row in zip(table.rows, counted.tolist(), strict=True) if any(row)]

    @property
    def never(self) -> Mapping[str, Sequence[str]]:
        """By table, the rows that there were chances for of which none was taken."""
        return {
            table.name: [": ".join(name) for name, (chances, taken) in self.rows(table) if chances > 0 and taken == 0]
            for table in self.tables
            if table.never
        }

    def to_json(self) -> dict[str, Any]:
        """The object that ``scofflaw habits --json`` prints.

        ``tables`` has one object a table: ``name``, ``unit``, and ``rows`` with the parts of their names, ``counts`` by
        column and ``rates``: where ``unit`` is ``row_shares`` each column's share of the row, else under the name of
        the second column its count for one of the first. ``never`` has by table the names of rows with the first count
        and not the second; the parts of a name are joined by a colon. ``partial`` (true) and ``games_asked`` are there
        only when it was interrupted, ``notes`` only for rules with assumptions.
        """
        tallies = self.counts.tallies
        return {
            "schema": SCHEMA,
            "command": "habits",
            "version": sim.__version__,
            "game": self.game,
            "rules": json_rules(self.rules),
            "strategies": dict(self.strategies),
            "seed": self.seed,
            "games": tallies.games,
            **({"partial": True, "games_asked": self.games_asked} if self.partial else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            "unfinished": tallies.unfinished,
            "illegal": tallies.illegal,
            "decisions": tallies.decisions,
            "tables": [self._json_table(table) for table in self.tables],
            "never": self.never,
            "seconds": self.seconds,
        }

    def _json_table(self, table: CountTable) -> dict[str, Any]:
        rows = [
            {
                **dict(zip(table.keys, name, strict=True)),
                "counts": dict(zip(table.columns, row, strict=True)),
                "rates": dict(rates(table, row)),
            }
            for name, row in self.rows(table)
        ]
        return {"name": table.name, "unit": table.unit, "rows": rows}


def rates(table: CountTable, row: Sequence[int]) -> list[tuple[str, float | None]]:
    """What the counts of a row come to, by column; None where there was no chance."""
    if table.unit == ROW_SHARES:
        return [(column, count / sum(row)) for column, count in zip(table.columns, row, strict=True)]
    return [(table.columns[1], row[1] / row[0] if row[0] > 0 else None)]


def counter(
    game: Game, rules: Rules, strategies: Mapping[str, Strategy], compiling: Compiling | None = None
) -> Counter:
    """What counts the habits of players in a game. Raises UserError like ``Game.session``, and for games without."""
    if not isinstance(game, Shown):
        raise UserError(f"{game.title} does not count what players do")
    return game.habits(rules, strategies, compiling)


def watch(
    counting: Counter,
    game: Game,
    rules: Rules,
    strategies: Mapping[str, Strategy],
    seed: int,
    games: int,
    threads: int,
    progress: batch.Progress | None = None,
) -> Habits:
    """Plays games 0 … ``games`` − 1 of a master seed and adds up what the players do; the same for any ``threads``."""
    examples = len(game.endings(rules)) + len(game.moments(rules))
    total = Counts.empty(len(game.metrics(rules)), examples, counting.tables)

    def part(first: int, count: int, stop: np.ndarray) -> Counts:
        return counting.count(seed, first, count, stop)

    outcome = batch.add_up(part, total, games, threads, chunk=CHUNK, progress=progress)
    return Habits(
        game=game.name,
        rules=rules,
        strategies={key: strategy.text for key, strategy in strategies.items()},
        seed=seed,
        games_asked=games,
        notes=game.notes(rules),
        tables=counting.tables,
        counts=total,
        seconds=outcome.seconds,
    )
