"""Sends tasks to workers, on threads, processes or machines, and hands over what they leave as it comes.

joblib does the work. A worker that dies costs what it was at: its tasks are sent again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sim.errors import UserError
from sim.services import parts
from sim.services.parts import Part, Task

BACKENDS = ("threading", "loky", "dask")
"""On threads of this process; on processes of this machine; on a cluster."""

DASK = "dask"
MOST_LOSSES = 10
"""So often in a row workers may die before the first of their tasks comes back."""

TASKS_AHEAD = "3*n_jobs"

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


def stream(batches: Iterable[Batch], workers: Workers) -> Iterator[list[Part]]:
    """The parts of each batch, in whatever order they come. Closing the iterator ends the games under way.

    Raises UserError if the workers cannot be had or die again and again, and what a worker raised.
    """
    numbered = enumerate(batches)
    sent: dict[int, Batch] = {}
    losses = 0
    parts.STOP[0] = 0
    with _cluster(workers) as place:
        while True:
            again = list(sent.items())
            before = len(sent)
            try:
                with place():
                    for number, found in _results(chain(again, numbered), sent, workers):
                        del sent[number]
                        losses = 0
                        yield found
                return
            except _lost(workers.backend):
                losses += 1
                if losses > MOST_LOSSES:
                    raise UserError(
                        f"the workers died {losses} times without bringing back any games (at most {before} tasks were "
                        "under way); is there enough memory? Fewer workers need less: --threads"
                    ) from None
            finally:
                parts.STOP[0] = 1
            parts.STOP[0] = 0


def _results(
    batches: Iterable[tuple[int, Batch]], sent: dict[int, Batch], workers: Workers
) -> Iterator[tuple[int, list[Part]]]:
    from joblib import Parallel, delayed

    def noted() -> Iterator[Any]:
        for number, batch in batches:
            sent[number] = batch
            yield delayed(_play)(number, batch)

    local = {} if workers.backend == DASK else {"backend": workers.backend}
    pool = Parallel(
        n_jobs=-1 if workers.backend == DASK else workers.count,
        return_as="generator_unordered",
        pre_dispatch=TASKS_AHEAD,
        batch_size=1,
        max_nbytes=None,
        **local,
    )
    results = pool(noted())
    try:
        yield from results
    finally:
        parts.STOP[0] = 1
        results.close()


def _play(number: int, batch: Batch) -> tuple[int, list[Part]]:
    return number, parts.play(batch)


def _lost(backend: str) -> tuple[type[BaseException], ...]:
    """What joblib raises when a worker is gone."""
    if backend == "loky":
        from joblib.externals.loky.process_executor import BrokenProcessPool

        return (BrokenProcessPool,)
    if backend == DASK:
        from distributed import KilledWorker

        return (KilledWorker,)
    return ()


@contextmanager
def _cluster(workers: Workers) -> Iterator[Any]:
    """What sets the place where joblib's calls go, one context each; the cluster, if we made it, ends with us."""
    if workers.backend != DASK:
        yield nullcontext
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UserError("backend dask: Dask is not installed; install it by: pip install 'scofflaw[dask]'") from None
    from joblib import parallel_config

    own: AbstractContextManager[Any] = nullcontext(workers.scheduler)
    if workers.scheduler is None:
        own = LocalCluster(n_workers=workers.count, threads_per_worker=1, dashboard_address=None)
    with own as address:
        try:
            client = Client(address, timeout="20s")
        except (OSError, ValueError, TimeoutError) as error:
            raise UserError(f"scheduler {workers.scheduler}: nobody answers there: {error}") from None
        with client:
            yield lambda: parallel_config(backend=DASK, client=client)
