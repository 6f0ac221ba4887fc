"""How games under way are told to be the last ones, in this process and in others of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

PREFIX = ".running."
"""What the names of flags on disk begin with."""


class Flag:
    """One byte: an array for the threads of this process, and a file that other processes map into their memory.

    Where no file can be written, and on other machines, processes play on to the end of what they have.
    """

    def __init__(self, folder: Path) -> None:
        self.array = np.zeros(1, np.uint8)
        self._path = folder / f"{PREFIX}{os.getpid()}.{os.urandom(4).hex()}"
        self._write(b"\0")

    def set(self) -> None:
        """Ends the games under way."""
        self.array[0] = 1
        self._write(b"\1")

    def close(self) -> None:
        """Removes the file."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _write(self, byte: bytes) -> None:
        with suppress(OSError):
            number = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o666)
            try:
                os.write(number, byte)
            finally:
                os.close(number)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Seen, (str(self._path),)


class _Seen:
    """A flag as another process has it."""

    def __init__(self, path: str) -> None:
        self.array = _mapped(path)
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return _Seen, (self._path,)  # Dask sends on what it was sent


@lru_cache(maxsize=2)
def _mapped(path: str) -> np.ndarray:
    try:
        return np.memmap(path, np.uint8, "r+", shape=(1,)).view(np.ndarray)
    except (OSError, ValueError):
        return np.zeros(1, np.uint8)


def remove_left(folder: Path) -> None:
    """Removes the flags of programs that were killed."""
    for path in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):
            path.unlink(missing_ok=True)


@contextmanager
def first_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Has the first Ctrl-C call ``stop`` in place of raising KeyboardInterrupt; the second one raises it.

    So nothing is left half done. Only the main thread hears of Ctrl-C: elsewhere nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def pressed(number: int, frame: FrameType | None) -> None:
        del number, frame
        signal.signal(signal.SIGINT, before)
        stop()

    before = signal.getsignal(signal.SIGINT) or signal.default_int_handler
    signal.signal(signal.SIGINT, pressed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes that begin here do not hear Ctrl-C: a terminal sends it to them as well, and it is ours to answer."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
