"""What players of BANG! do with their chances, as tables (``sim.game.Habits``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.bang.core import names
from sim.bang.core.habits import OF_GHOSTS, PARTS
from sim.bang.session import GHOST, Session
from sim.game import ROW_SHARES, SHARE, Counts, CountTable

RESPONSES = tuple(map(int, (names.ANSWER, names.INDIANS_ANSWER, names.DUEL_ANSWER, names.SAVE, names.DECAY_ANSWER)))
"""Questions that the living answer with cards, or not."""

REACTIONS = {int(names.WARN): int(names.WARN_ANSWER), int(names.MIRAGE): int(names.MIRAGE_ANSWER)}
"""Dead Men's cards that are played when somebody is attacked, and the questions then."""

ALWAYS_COUNTED = tuple(map(int, (names.END, names.PASS)))
"""Answers that the table of decisions tells of."""


class _Table(NamedTuple):
    """A table, and where its counts stand: by column, the field of ``state.HABITS`` and its elements."""

    declared: CountTable
    columns: Sequence[tuple[str, tuple[np.ndarray, ...]]]


class Habits:
    """See ``sim.game.Habits``. ``session`` must be instrumented."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._filled = _tables(session.with_ghosts)
        self.tables: Sequence[CountTable] = [table.declared for table in self._filled]

    def count(self, seed: int, first: int, count: int, stop: np.ndarray) -> Counts:
        """See ``sim.game.Habits.count``."""
        tallies, found = self._session.habits(seed, first, count, stop)
        tables = [np.stack([found[field][place] for field, place in table.columns], axis=1) for table in self._filled]
        return Counts(tallies, tables, tallies.games)


def _tables(with_ghosts: bool) -> list[_Table]:
    living = range(1, int(names.FIRST_DEAD))
    dead = range(int(names.FIRST_DEAD), len(names.EFFECTS)) if with_ghosts else ()
    play = int(names.PLAY)
    own_turn = [(play, effect) for effect in living]
    responses = [(kind, effect) for kind in RESPONSES for effect in living]
    of_ghosts = [(REACTIONS.get(effect, play), effect) for effect in dead]
    kinds = range(len(names.KINDS) if with_ghosts else int(names.NEGATE))
    last = names.RESURRECT if with_ghosts else names.SECOND_CHARACTER
    others = [what for what in range(int(names.OTHER), int(last) + 1) if what not in ALWAYS_COUNTED]
    tables = [
        _attacks(with_ghosts),
        _cards("cards", "Cards of the living: turns in which one could be played, and plays", own_turn),
    ]
    if with_ghosts:
        title = "Dead Men's cards: turns in which one could be played (Warn, Mirage: attacks), and plays"
        tables.append(_cards("dead_cards", title, of_ghosts))
    return [
        *tables,
        _pairs(
            CountTable(
                "responses",
                "Cards of the living: questions to which one could be the answer, and was",
                ("question", "card"),
                tuple((names.KINDS[kind], names.EFFECTS[effect]) for kind, effect in responses),
                ("chances", "given"),
                SHARE,
                "Never given as an answer, though they could be",
            ),
            ("chances", "given"),
            responses,
        ),
        _pairs(
            CountTable(
                "decisions",
                "Decisions with a choice: answered otherwise than by passing or ending",
                ("decision",),
                tuple((names.KINDS[kind],) for kind in kinds),
                ("asked", "acted"),
                SHARE,
                "Decisions always passed",
            ),
            ("asked", "acted"),
            [(kind,) for kind in kinds],
        ),
        _pairs(
            CountTable(
                "answers",
                "Abilities and other answers: questions that offered one, and took it",
                ("answer",),
                tuple((names.OTHERS[what - int(names.OTHER)],) for what in others),
                ("offered", "taken"),
                SHARE,
                "Answers never taken, though they could be",
            ),
            ("offered", "taken"),
            [(what - int(names.OTHER),) for what in others],
        ),
    ]


def _attacks(with_ghosts: bool) -> _Table:
    """By part of the game and role of the attacker, how often each role was attacked."""
    attackers = (*names.ROLES, *(f"{GHOST} {role}" for role in names.ROLES)) if with_ghosts else names.ROLES
    targets = (*names.ROLES, "ghosts") if with_ghosts else names.ROLES
    assert len(names.ROLES) == OF_GHOSTS
    cells = [(part, attacker) for part in range(len(PARTS)) for attacker in range(len(attackers))]
    parts, roles = (np.array(part) for part in zip(*cells, strict=True))
    declared = CountTable(
        "attacks",
        "Attacks by role in each part of the game (early: nobody is out; late: at most three live)",
        ("part", "attacker"),
        tuple((PARTS[part], attackers[attacker]) for part, attacker in cells),
        targets,
        ROW_SHARES,
    )
    return _Table(declared, [("attacks", (parts, roles, np.full(len(cells), k))) for k in range(len(targets))])


def _cards(name: str, title: str, cells: Sequence[tuple[int, int]]) -> _Table:
    rows = tuple((names.EFFECTS[effect],) for _, effect in cells)
    never = "Never played, though they could be"
    declared = CountTable(name, title, ("card",), rows, ("chances", "plays"), "plays", never)
    return _pairs(declared, ("chances", "given"), cells)


def _pairs(declared: CountTable, fields: tuple[str, str], cells: Sequence[tuple[int, ...]]) -> _Table:
    """A table of two columns, each from the same places of a field."""
    place = tuple(np.array(part) for part in zip(*cells, strict=True))
    return _Table(declared, [(field, place) for field in fields])
