"""Sends tasks to workers, on threads, processes or machines, and hands over what they leave as it comes.

Threads are Python's own, processes those of joblib's loky, clusters those of Dask. A worker that dies costs what it
was at: that is sent again. ``joblib.Parallel`` is not between us and them: it waits for ever for a task that Dask has
given up, and it throws away what was played when it is interrupted.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType

from sim.errors import UserError, unknown
from sim.services import parts, places
from sim.services.parts import Part, Task
from sim.services.stopping import Flag

BACKENDS = tuple(places.PLACES)
"""On threads of this process; on processes of this machine; on a cluster."""

MOST_LOSSES = 10
"""So often in a row workers may die before any of their tasks comes back."""

AHEAD = 3
"""Tasks under way or waiting, for each worker."""

LOOK_SECONDS = 0.1
PATIENCE = 0.7
"""Seconds that games under way have to end in, once they are to be the last."""

_ADDRESS = re.compile(r"inproc://\S+|((tcp|tls|ws|wss|ucx)://)?[^\s/]+:[0-9]+")
"""Of a scheduler of Dask."""

Batch = Sequence[Task]
"""Tasks that go to one worker together."""


@dataclass(frozen=True)
class Workers:
    """Where games are played: one of BACKENDS, how many workers, and for Dask the address of the scheduler.

    Without an address Dask gets a cluster of processes on this machine.
    """

    backend: str = BACKENDS[0]
    count: int = 1
    scheduler: str | None = None


def workers(backend: str, count: int, scheduler: str | None = None) -> Workers:
    """The workers that a user asks for. Raises UserError."""
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS, "--backend")
    if scheduler is not None and backend != places.DASK:
        raise UserError(f"--scheduler is for --backend {places.DASK}; add it, or leave the scheduler out")
    if scheduler is not None and not _ADDRESS.fullmatch(scheduler):
        raise UserError(f"--scheduler {scheduler!r} is no address; write for example --scheduler tcp://host:8786")
    return Workers(backend, count, scheduler)


@dataclass(frozen=True)
class Done:
    """What a batch left, the seconds that it took, and the process and thread that played it."""

    parts: Sequence[Part]
    seconds: float
    worker: tuple[int, int]


class Crew:
    """Workers as long as they are needed. They begin with the first batch, and end with the context.

    ``folder`` can be written by this process, and seen by others on this machine.
    """

    def __init__(self, workers: Workers, folder: Path) -> None:
        self.workers = workers
        self._flag = Flag(folder)
        self._place: places.Place | None = None
        self.stopped_at: float | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._flag.set()
        if self._place is not None:
            self._place.close(now=kind is not None or self.stopped)
        self._flag.close()

    @property
    def stopped(self) -> bool:
        """Whether the games under way are, or were, the last."""
        return self.stopped_at is not None

    def stop(self) -> None:
        """Ends the games under way. What they leave still comes, and nothing after it."""
        if self.stopped_at is None:
            self.stopped_at = time.monotonic()
            self._flag.set()

    def stream(self, batches: Iterable[Batch]) -> Iterator[Done]:
        """What each batch leaves, in whatever order it comes.

        Raises UserError if the workers cannot be had or die again and again, and what a worker raised.
        """
        left = iter(batches)
        again: deque[Batch] = deque()
        sent: dict[Future[Done], Batch] = {}
        losses = 0
        while True:
            self._send(sent, again, left)
            if not sent or self._patience_is_over():
                return
            lost = 0
            for future in self._finished(sent):
                batch = sent.pop(future)
                try:
                    done = future.result()
                except self._lost:
                    again.append(batch)
                    lost += 1
                    continue
                losses = 0
                yield done
            if lost and not self.stopped:
                losses += 1
                if losses > MOST_LOSSES:
                    raise UserError(
                        f"the workers died {losses} times without bringing back any games ({lost} batches of them were "
                        "under way); is there enough memory? Fewer workers need less: --threads"
                    )

    def _send(self, sent: dict[Future[Done], Batch], again: deque[Batch], left: Iterator[Batch]) -> None:
        """Sends batches until there is enough to do for a while, those that were lost first."""
        while not self.stopped:
            if not again:
                again.extend(islice(left, 1))
            if not again:
                return
            if self._place is None:
                self._place = places.PLACES[self.workers.backend](self.workers.count, self.workers.scheduler)
            if len(sent) >= AHEAD * self._place.size():
                return
            batch = again[0]
            sent[self._place.submit(_play, batch, self._flag)] = batch
            again.popleft()

    def _finished(self, sent: Iterable[Future[Done]]) -> Iterable[Future[Done]]:
        """Those that are done, if need be after a while."""
        done = wait(sent, LOOK_SECONDS, FIRST_COMPLETED).done
        if not done and self._place is not None:
            self._place.look_after()
        return done

    @property
    def _lost(self) -> tuple[type[BaseException], ...]:
        return () if self._place is None else self._place.lost

    def _patience_is_over(self) -> bool:
        return self.stopped_at is not None and time.monotonic() - self.stopped_at > PATIENCE


def _play(batch: Batch, flag: Flag) -> Done:
    started = time.perf_counter()
    found = parts.play(batch, flag.array)
    return Done(found, time.perf_counter() - started, (os.getpid(), threading.get_ident()))
