"""What it costs to have games played by workers: each kind of them against plain threads."""

from __future__ import annotations

import importlib.util
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sim.services import batch, parts
from sim.services.executor import BACKENDS, Batch, Crew, Workers
from sim.services.parts import Task, cell_key
from sim.services.places import DASK
from sim.services.setups import Setup

SCHEMA = 1

BATCH_SECONDS = 0.5
"""About so long is what goes to a worker together, as in a study."""

BATCHES = 8
"""So many a worker gets at least, so that all of them end about together."""

FEW = 64
"""Games of the first tasks."""

MOST_START_SECONDS = 30

PLAIN = "plain threads"


@dataclass(frozen=True)
class Cost:
    """How fast games are played by ``count`` workers of one kind.

    ``start_seconds``: until each worker has played a few games. ``share``: of the games a second of plain threads.
    """

    backend: str
    count: int
    start_seconds: float
    games_per_s: float
    share: float


def available() -> list[str]:
    """The kinds of workers that can be had here."""
    return [name for name in BACKENDS if name != DASK or importlib.util.find_spec("distributed") is not None]


def measure(setup: Setup, seed: int, games: int, count: int) -> Iterator[Cost]:
    """Plays the same games by plain threads, which come first, and then by each kind of workers."""
    plain = _plain(setup, seed, games, count)
    yield plain
    for backend in available():
        yield _cost(setup, seed, games, Workers(backend, count), plain.games_per_s)


@dataclass
class _Games:
    """Only how many there were."""

    games: int = 0

    def add(self, part: Any) -> None:
        self.games += part.games


def _plain(setup: Setup, seed: int, games: int, count: int) -> Cost:
    started = time.perf_counter()
    session = setup.session()
    begun = batch.add_up(lambda *part: session.play(seed, *part), _Games(), FEW * count, count, chunk=FEW)
    ready = time.perf_counter()
    played = _Games()
    whole = batch.add_up(lambda *part: session.play(seed, *part), played, games, count)
    if begun.interrupted or whole.interrupted:
        raise KeyboardInterrupt
    return Cost(PLAIN, count, ready - started, played.games / whole.seconds, 1.0)


def _cost(setup: Setup, seed: int, games: int, workers: Workers, plain: float) -> Cost:
    key = cell_key(setup, seed, None, ())
    with tempfile.TemporaryDirectory(prefix="scofflaw-bench-") as folder, Crew(workers, Path(folder)) as crew:
        started = time.perf_counter()
        _await_all(crew, Task.of(key, setup, seed, 0, FEW))
        ready = time.perf_counter()
        size = min(plain * BATCH_SECONDS / workers.count, games / (BATCHES * workers.count))
        for _ in crew.stream(_batches(key, setup, seed, games, size)):
            pass
        rate = games / (time.perf_counter() - ready)
    return Cost(workers.backend, workers.count, ready - started, rate, rate / plain)


def _await_all(crew: Crew, task: Task) -> None:
    """Has the workers play a few games until each of them has, or has had the time for it."""
    seen: set[tuple[int, int]] = set()
    until = time.monotonic() + MOST_START_SECONDS

    def again() -> Iterator[Batch]:
        while len(seen) < crew.workers.count and time.monotonic() < until:
            yield [task]

    for done in crew.stream(again()):
        seen.add(done.worker)


def _batches(key: str, setup: Setup, seed: int, games: int, size: float) -> Iterator[Batch]:
    """All games, so many together, as the parts of a study."""
    waiting: list[Task] = []
    for first, count in parts.chunks(0, games):
        waiting.append(Task.of(key, setup, seed, first, count))
        if sum(task.count for task in waiting) >= size:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def to_json(found: Iterable[Cost]) -> dict[str, Any]:
    """The object that ``scofflaw bench --executor --json`` prints."""
    return {"schema": SCHEMA, "executors": [asdict(cost) for cost in found]}
