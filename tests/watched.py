"""High Card under watch: each part that is played is written down, may take its time, and may kill its worker.

For tests of workers in other processes: they are set by the environment, and found by what they write down.
Strategies may be files, with a function from a card's rank to an answer.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import toy

from sim.errors import UserError
from sim.game import Compiling, Rules, Strategy, Tallies

LOG, SECONDS, DEADLY, REFUSED = "WATCHED_LOG", "WATCHED_SECONDS", "WATCHED_DEADLY", "WATCHED_REFUSED"
"""A file to which lines are added; seconds that a part takes at least; a game that kills, and one that is refused."""

STEP = 0.01


class WatchedSession(toy.ToySession):
    """High Card that tells when a part begins."""

    def play(self, seed: int, first: int, count: int, stop: np.ndarray) -> Tallies:
        if count < 2:
            return super().play(seed, first, count, stop)
        note(f"{os.getpid()} {seed} {first} {count}")
        if os.environ.get(DEADLY) == str(first):
            os.kill(os.getpid(), signal.SIGKILL)
        if os.environ.get(REFUSED) == str(first):
            raise UserError(f"game {first} is not for you")
        until = time.monotonic() + float(os.environ.get(SECONDS, "0"))
        while time.monotonic() < until and not stop[0]:
            time.sleep(STEP)
        return super().play(seed, first, count, stop)


def note(line: str) -> None:
    """Adds a line to the log, in one piece."""
    if path := os.environ.get(LOG):
        number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(number, f"{line}\n".encode())
        os.close(number)


def begun(log: Path) -> list[tuple[int, int, int, int]]:
    """Process, seed, first game and number of games of each part that was begun."""
    if not log.exists():
        return []
    return [tuple(map(int, line.split())) for line in log.read_text().splitlines()]  # type: ignore[misc]


class WatchedGame(toy.ToyGame):
    """See above."""

    name = "watched"

    def session(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        checked: bool = False,
        compiling: Compiling | None = None,
    ) -> Any:
        own = {key: one for key, one in strategies.items() if one.module is None}
        installed = {key: toy.CAREFUL if key in own else one for key, one in strategies.items()}
        plays = super().session(rules, installed).plays
        for seat in range(len(plays)):
            role = "guest" if seat else "dealer"
            if (key := role if role in strategies else "default") in own:
                plays[seat] = _of_file(own[key])
        return WatchedSession(plays)


def _of_file(strategy: Strategy) -> Callable[[int], str]:
    """The function in a file of the user's."""
    names: dict[str, Any] = {}
    exec(strategy.source.read_text(), names)
    play: Callable[[int], str] = names[strategy.function]
    return play


WATCHED = WatchedGame()
