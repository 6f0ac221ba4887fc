"""Plays a range of games on several threads and adds up what they leave.

The sums are whole numbers and each game depends on its number alone, so the result is the same to the last bit for
any number of threads and any chunk size. Memory does not grow with the number of games.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from sim.errors import UserError
from sim.game import Session, Tallies

DEFAULT_GAMES = 100_000
MOST_GAMES = 10**12
MOST_SEED = 2**63 - 1

CHUNK = 4096
"""Games a worker plays before it hands in its tallies; small enough for a smooth progress display."""

PERIOD = 0.1
"""Seconds between two calls of progress."""

Progress = Callable[[int, int], None]
"""Called with the games handed in so far and the games asked for."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: ``seconds`` of wall clock, and whether the user ``interrupted`` it."""

    seconds: float
    interrupted: bool


def play(
    session: Session,
    metrics_count: int,
    examples_count: int,
    seed: int,
    games: int,
    threads: int,
    first: int = 0,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> tuple[Tallies, Outcome]:
    """Plays games ``first`` … ``first + games − 1`` of a master seed.

    ``progress`` is called from the calling thread, at most ten times a second, and once at the end. At Ctrl-C
    (KeyboardInterrupt in the calling thread) each worker ends the game under way, and what was played is returned.
    An error in a worker stops the others and is raised here. Raises UserError for counts that make no sense.
    """
    total = Tallies.empty(metrics_count, examples_count)

    def part(start: int, count: int, stop: np.ndarray) -> Tallies:
        return session.play(seed, start, count, stop)

    return total, add_up(part, total, games, threads, first, chunk, progress)


def check_number(what: str, number: int, least: int, most: int) -> None:
    """Raises UserError unless ``least`` ≤ number ≤ ``most``."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise UserError(f"{what}: {number!r} is not a whole number; valid: {least}..{most}")
    if not least <= number <= most:
        raise UserError(f"{what} is {number}; valid: {least}..{most}")


class Sum(Protocol):
    """What parts of the work are added to: the games played so far, and how another part is added."""

    games: int

    def add(self, part: Any) -> None:
        """Adds a part, in place."""
        ...


def add_up(
    part: Callable[[int, int, np.ndarray], Any],
    total: Sum,
    games: int,
    threads: int,
    first: int = 0,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Outcome:
    """Adds the parts of a range of games, chunk by chunk on several threads, to ``total``.

    ``part`` gets the first game and the number of games of a chunk and the stop flag of ``Session.play``. Otherwise as
    ``play``.
    """
    for what, number, least in (("games", games, 0), ("threads", threads, 1), ("first", first, 0), ("chunk", chunk, 1)):
        if number < least:
            raise UserError(f"{what} is {number}; it must be {least} or more")
    started = time.perf_counter()
    work = _Work(part, first, games, chunk, total)
    with ThreadPoolExecutor(threads, thread_name_prefix="games") as pool:
        try:
            workers = [pool.submit(work.run) for _ in range(threads)]
            interrupted = _watch(workers, work, progress)
        finally:
            # Also when progress raised: the pool is left only when its workers are done.
            work.stop[0] = 1
    for worker in workers:
        worker.result()
    return Outcome(time.perf_counter() - started, interrupted)


@dataclass
class _Work:
    """The range of games, dealt out in chunks, and the sum of what is handed in; shared by the workers.

    Each worker holds one chunk at a time and adds it to the one total, so there is never a queue of results.
    """

    part: Callable[[int, int, np.ndarray], Any]
    first: int
    games: int
    chunk: int
    total: Sum
    dealt: int = 0
    stop: np.ndarray = field(default_factory=lambda: np.zeros(1, np.uint8))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> None:
        """A worker: plays chunk after chunk until none is left or the stop flag is set."""
        try:
            while (bounds := self._take()) is not None:
                part = self.part(*bounds, self.stop)
                with self.lock:
                    self.total.add(part)
        except BaseException:
            self.stop[0] = 1
            raise

    def _take(self) -> tuple[int, int] | None:
        """The next chunk as its first game and its count."""
        with self.lock:
            count = min(self.chunk, self.games - self.dealt)
            if self.stop[0] or count == 0:
                return None
            start = self.first + self.dealt
            self.dealt += count
            return start, count


def onwards(progress: Progress | None, before: int, whole: int, times: int = 1) -> Progress | None:
    """Tells of a part of the games as of all of them: ``before`` were played earlier, ``whole`` are expected.

    ``times``: as how many games each counts, being played by so many.
    """
    if progress is None:
        return None

    def tell(played: int, _asked: int) -> None:
        done = before + played * times
        progress(done, max(whole, done))

    return tell


def _watch(workers: Sequence[Future[None]], work: _Work, progress: Progress | None) -> bool:
    """Waits for the workers, telling progress; True when the user interrupted them.

    The calling thread only watches. An interrupt can come between any two of its steps, and so must find it holding
    nothing that could be left half done.
    """
    interrupted = False
    running = True
    while running:
        try:
            running = bool(wait(workers, PERIOD).not_done)
            if progress is not None:
                progress(work.total.games, work.games)
        except KeyboardInterrupt:
            work.stop[0] = 1
            interrupted = True
    return interrupted
