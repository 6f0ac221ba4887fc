"""Positions laid out for tests and played at full speed: whoever is asked answers as a function says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.bang.core import names
from sim.bang.game import BANG
from sim.documents import Document

Choose = Callable[[Any, int, Sequence[int]], int]
"""The answer of a seat out of the core's options, from the state with its question."""


def what(given: int) -> int:
    """The card, or one of the other answers."""
    return given & 0xFFFF


def kind_of(game: Any, seat: int) -> int:
    """The kind of the question of a seat."""
    return int(game["own"][seat]["question"]["kind"])


def first_or_end(game: Any, seat: int, options: Sequence[int]) -> int:
    """Plays nothing; answers anything else with the first option."""
    return end() if kind_of(game, seat) == names.PLAY else options[0]


def end() -> int:
    """The end of what he plays."""
    return int(names.END | names.NOBODY << 16)


class Laid:
    """A position of a scenario file, turn by turn."""

    def __init__(self, text: str) -> None:
        table = BANG.position(Document(text, "a test")).table(1)
        table.rewind()
        self.session = table.session
        self.start = self.session.new_block()
        self.start[0] = table.game
        self.block, self._snapshot = self.start.copy(), self.start.copy()
        self._entries = self.session.kernel.module("positions")
        self._options = np.zeros(4096, np.int64)

    @property
    def game(self) -> Any:
        """The state now."""
        return self.block[0]

    def begin(self, seed: int) -> None:
        """Starts anew, with the random numbers of a seed."""
        copy(self.start, self.block)
        self._entries.reseed(self.block, seed, 0)

    def play(self, choose: Choose) -> None:
        """Plays to the end of the turn."""
        before, answers = self.block.copy(), []
        while True:
            copy(before, self.block)
            script = self.block[0]["script"]
            script["active"] = script["stop_at_turn_end"] = 1
            script["next"], script["asked"], script["journal_size"] = 0, -1, 0
            script["answers"][: len(answers)] = answers
            script["answer_count"] = len(answers)
            script["snapshot_at"] = self._snapshot.ctypes.data
            self.session.games.play_block(self.block, self.session.rules_table, self.session.tables_table)
            if self.game["ending"] != names.PAUSED:
                return
            asked = int(script["asked"])
            count = self._entries.list_options(
                self._snapshot, self.session.rules_table, self.session.tables_table, asked, self._options
            )
            answers.append(choose(self._snapshot[0], asked, self._options[:count].tolist()))

    def next_turn(self, seat: int | None = None) -> None:
        """Goes on to the next turn, or past all others to the next one of a seat."""
        if seat is not None:
            self.game["public"]["in_turn"] = (seat - 1) % int(self.game["public"]["players"])
        self._entries.begin_next_turn(self.block, self.session.rules_table)

    def journal(self) -> np.ndarray:
        """What happened in this turn."""
        return journal(self.game)


def journal(game: Any) -> np.ndarray:
    """What an instrumented game has written down: rows of event, seat and four numbers."""
    return game["script"]["journal"][: game["script"]["journal_size"]]


def copy(source: np.ndarray, target: np.ndarray) -> None:
    """Copies a block, byte by byte."""
    target.view(np.uint8)[:] = source.view(np.uint8)
