"""Where batches of tasks are played: on threads, on processes, or on a cluster. All of them are put in the same way."""

from __future__ import annotations

import logging
import multiprocessing.resource_tracker
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any, Protocol, TypeVar

from sim.errors import Notice, UserError
from sim.services.stopping import deaf_children

T = TypeVar("T")

IDLE_SECONDS = 60.0
"""Processes with nothing to do leave after this time."""

STUCK_SECONDS = 5.0
"""So long after a worker's death its pool may take to notice; one that died while it wrote hides it from the others."""

CONNECT_SECONDS = 20
"""So long a scheduler has to answer."""


class Place(Protocol):
    """Workers of one kind, who are there from now to ``close``."""

    lost: tuple[type[BaseException], ...]
    """What futures raise if a worker is gone with what it was at."""

    def size(self) -> int:
        """How many batches are played at once."""
        ...

    def submit(self, play: Callable[..., T], *arguments: Any) -> Future[T]:
        """Has a worker call this. The future raises one of ``lost`` if the worker is gone."""
        ...

    def look_after(self) -> None:
        """Called now and then while nothing comes. Raises UserError if nothing will."""
        ...

    def close(self, now: bool) -> None:
        """Lets the workers go; ``now``: whatever they are at."""
        ...


class Threads:
    """Threads of this process."""

    lost: tuple[type[BaseException], ...] = ()

    def __init__(self, count: int, scheduler: str | None) -> None:
        del scheduler
        self._count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="games")

    def size(self) -> int:
        """See ``Place``."""
        return self._count

    def submit(self, play: Callable[..., T], *arguments: Any) -> Future[T]:
        """See ``Place``."""
        return self._pool.submit(play, *arguments)

    def look_after(self) -> None:
        """See ``Place``."""

    def close(self, now: bool) -> None:
        """See ``Place``."""
        self._pool.shutdown(wait=not now, cancel_futures=True)


class Processes:
    """Processes of this machine. If one dies, all of them are begun anew: they share the pipe that it held."""

    def __init__(self, count: int, scheduler: str | None) -> None:
        from joblib.externals.loky.backend import resource_tracker
        from joblib.externals.loky.process_executor import ShutdownExecutorError

        del scheduler
        self.lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, ShutdownExecutorError)
        self._count = count
        self._died_at: float | None = None
        for tracker in (multiprocessing.resource_tracker, resource_tracker):
            tracker.ensure_running()  # now: where they begin, the thread hears of Ctrl-C again
        # A worker may leave after IDLE_SECONDS while others work on; there is nothing to be warned of.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
        self._pool = self._begun()

    def _begun(self) -> Any:
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        self._died_at = None
        return ProcessPoolExecutor(
            self._count, timeout=IDLE_SECONDS, initializer=_at_home, initargs=(os.getpid(),),
            env={"OMP_NUM_THREADS": "1"},
        )  # fmt: skip

    def size(self) -> int:
        """See ``Place``."""
        return self._count

    def submit(self, play: Callable[..., T], *arguments: Any) -> Future[T]:
        """See ``Place``."""
        with deaf_children():
            try:
                return self._pool.submit(play, *arguments)
            except self.lost:
                self._pool.shutdown(wait=False, kill_workers=True)
                self._pool = self._begun()
                return self._pool.submit(play, *arguments)

    def look_after(self) -> None:
        """Ends a pool that does not notice the death of a worker: its pipe may have been left in the middle of a word.

        loky would wait for the rest of it. So all that could still write to the pipe is closed.
        """
        workers = list(dict(self._pool._processes or {}).values())
        if all(worker.is_alive() for worker in workers):
            self._died_at = None
            return
        self._died_at = self._died_at or time.monotonic()
        if time.monotonic() - self._died_at < STUCK_SECONDS:
            return
        for worker in workers:
            worker.kill()
        with suppress(OSError, AttributeError):
            self._pool._result_queue._writer.close()
        self._died_at = None

    def close(self, now: bool) -> None:
        """See ``Place``."""
        del now  # nobody waits for anything any more
        self._pool.shutdown(wait=True, kill_workers=True)


def _at_home(parent: int) -> None:
    """What a worker process does first: it leaves Ctrl-C to its parent, and it ends if that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


_PLAIN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "10s",
    "distributed.scheduler.work-stealing": False,
}
"""Of a cluster of our own, on whose processors games are played: it is not looked at while it works."""


class Cluster:
    """The workers of a Dask scheduler; without one, processes of this machine under a scheduler of our own."""

    def __init__(self, count: int, scheduler: str | None) -> None:
        try:
            import dask
            from distributed import Client, KilledWorker, LocalCluster
        except ImportError:
            raise UserError(
                "backend dask: Dask is not installed; install it by: pip install 'scofflaw[dask]'"
            ) from None
        self.lost: tuple[type[BaseException], ...] = (KilledWorker, CancelledError)
        self._known: tuple[float, int] = (-1.0, 0)
        with ExitStack() as stack:
            address: Any = scheduler
            if scheduler is None:
                multiprocessing.resource_tracker.ensure_running()
                with deaf_children(), dask.config.set(_PLAIN):
                    address = stack.enter_context(
                        LocalCluster(
                            n_workers=count, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
                        )
                    )
            try:
                self._client = stack.enter_context(Client(address, timeout=CONNECT_SECONDS, set_as_default=False))
            except (OSError, ValueError, TimeoutError) as error:
                raise UserError(f"scheduler {scheduler}: nobody answers there: {error}") from None
            self._stack = stack.pop_all()
        self._executor = self._client.get_executor(pure=False)
        if self.size() == 0:
            warnings.warn(f"scheduler {scheduler} has no workers yet; waiting for them", Notice, stacklevel=2)

    def size(self) -> int:
        """See ``Place``."""
        asked, count = self._known
        if time.monotonic() - asked > 1:
            count = sum(self._client.nthreads().values())
            self._known = (time.monotonic(), count)
        return max(count, 1)

    def submit(self, play: Callable[..., T], *arguments: Any) -> Future[T]:
        """See ``Place``."""
        return self._executor.submit(play, *arguments)

    def look_after(self) -> None:
        """See ``Place``."""
        if self._client.status not in ("running", "connecting"):
            raise UserError("the scheduler is gone; what was played before is kept: start the same command again")

    def close(self, now: bool) -> None:
        """See ``Place``."""
        del now
        with suppress(Exception):  # a cluster that is gone need not be closed
            self._stack.close()


DASK = "dask"
PLACES: dict[str, Callable[[int, str | None], Place]] = {"threading": Threads, "loky": Processes, DASK: Cluster}
