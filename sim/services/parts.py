"""The smallest piece of an experiment: a range of games of one cell, where it is played, and what it leaves."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

from sim.errors import UserError
from sim.game import Session, Tallies
from sim.services import paired, registry
from sim.services.paired import Pairs
from sim.services.setups import Setup, key_of

CHUNK = 8192
"""Games of a part; its ends are multiples of it, so that every run of a cell has the same parts."""

MANY = 2**22
BIG_CHUNK = 2**16
"""From ``MANY`` games on parts are longer: a thousand million games shall not leave a hundred thousand parts."""

SESSIONS_KEPT = 16
GAMES_KEPT = 4

T = TypeVar("T")


@dataclass(frozen=True)
class Task:
    """``count`` games from ``first`` of a seed, of one set-up, or of one paired game by game with a ``baseline``.

    ``key`` is that of ``cell_key``; ``compared`` are the metrics of which pairs are summed up; ``program`` is that of
    the set-ups where the task was made.
    """

    key: str
    setup: Setup
    seed: int
    first: int
    count: int
    baseline: Setup | None = None
    compared: tuple[str, ...] = ()
    program: str = ""

    @classmethod
    def of(
        cls, key: str, setup: Setup, seed: int, first: int, count: int, baseline: Setup | None = None,
        compared: tuple[str, ...] = (),
    ) -> Task:  # fmt: skip
        """A task for whoever has the same program. Raises UserError."""
        return cls(key, setup, seed, first, count, baseline, compared, program_of(setup, baseline))


@dataclass(frozen=True)
class Part:
    """What a task left: the tallies of its cell, and, with a baseline, those of the baseline and the sums of pairs."""

    key: str
    first: int
    count: int
    tallies: Tallies
    baseline: Tallies | None = None
    pairs: Pairs | None = None


def cell_key(setup: Setup, seed: int, baseline: Setup | None, compared: Sequence[str]) -> str:
    """SHA-256 of all that the parts of a cell depend on, their games apart."""
    return key_of(setup.content, seed, None if baseline is None else [baseline.content, list(compared)])


def program_of(setup: Setup, baseline: Setup | None) -> str:
    """Digest of what has to be installed to play a cell. Raises UserError."""
    return setup.program + ("" if baseline is None else baseline.program)


def chunks(first: int, count: int) -> list[tuple[int, int]]:
    """A range of games cut into parts: first game and number of games of each."""
    found = []
    end = first + count
    while first < end:
        size = CHUNK if first < MANY else BIG_CHUNK
        stop = min(end, (first // size + 1) * size)
        found.append((first, stop - first))
        first = stop
    return found


class _Kept:
    """The last few of what is costly to make, for all threads of a process; each is made once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Any, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[Any, threading.Lock] = {}

    def get(self, key: Any, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return cast(T, self._found[key])
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._found:
                    return cast(T, self._found[key])
            try:
                found = make()
                with self._lock:
                    self._found[key] = found
                    while len(self._found) > self._most:
                        self._found.popitem(last=False)
                return found
            finally:
                with self._lock:
                    self._making.pop(key, None)

    def drop(self, key: Any) -> None:
        """Forgets what is not whole."""
        with self._lock:
            self._found.pop(key, None)


_sessions = _Kept(SESSIONS_KEPT)
_baseline_games = _Kept(GAMES_KEPT)


def play(tasks: Sequence[Task], stop: np.ndarray) -> list[Part]:
    """Plays the tasks one after the other, in whatever process this is.

    ``stop`` as in ``Session.play``; the parts are then those of the games that were played. Raises UserError where the
    program is not the one that the tasks were made by.
    """
    return [_play(task, stop) for task in tasks if not stop[0]]


@dataclass(frozen=True)
class _Ready:
    """The sessions of a cell, and the metrics that are compared: their rows, and what of the baseline they are of."""

    session: Session
    base: Session | None = None
    rows: Sequence[int] = ()
    base_rows: Sequence[int] = ()
    base_key: str = ""


def _play(task: Task, stop: np.ndarray) -> Part:
    ready = _sessions.get(task.key, lambda: _ready(task))
    if ready.base is None:
        tallies = ready.session.play(task.seed, task.first, task.count, stop)
        return Part(task.key, task.first, tallies.games, tallies)
    base = ready.base
    tallies, ones = ready.session.each(task.seed, task.first, task.count, stop, ready.rows)
    games = (ready.base_key, task.seed, task.first, task.count)
    base_tallies, others = _baseline_games.get(
        games, lambda: base.each(task.seed, task.first, task.count, stop, ready.base_rows)
    )
    if not len(ones) == len(others) == task.count:  # interrupted: pairs are whole or not at all
        _baseline_games.drop(games)
        return Part(task.key, task.first, 0, tallies)
    return Part(task.key, task.first, tallies.games, tallies, base_tallies, paired.pair(ones, others))


def _ready(task: Task) -> _Ready:
    if program_of(task.setup, task.baseline) != task.program:
        raise UserError(
            "a worker has another version of the program, of the game or of a strategy; install the same one everywhere"
        )
    if task.baseline is None:
        return _Ready(task.setup.session())
    return _Ready(
        task.setup.session(),
        task.baseline.session(),
        _rows(task.setup, task.compared),
        _rows(task.baseline, task.compared),
        key_of(task.baseline.content, task.compared),
    )


def _rows(setup: Setup, names: Sequence[str]) -> list[int]:
    """The places of metrics."""
    places = {metric.name: row for row, metric in enumerate(registry.game(setup.game).metrics(setup.rules))}
    return [places[name] for name in names]
