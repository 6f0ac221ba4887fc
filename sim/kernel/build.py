"""Kernel modules: one copy of a game's compiled core for each set of expansions, strategies and instruments.

A kernel is a Python package in the user's cache folder, named by the SHA-256 of everything it was made from (sources,
flags, versions, processor), so it can never be stale. numba keeps the machine code beside it. Every start tests both
and makes anew what is damaged. Two processes that build the same kernel at once write the same bytes; the folder
appears by one rename, and so does each file that is put right. One of them compiles, the others wait for it.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import llvmlite
import numba
import numpy as np
from numba import config

from sim.errors import UserError
from sim.kernel.storage import (
    CACHE_VARIABLE,
    Loader,
    cache_folder,
    import_from,
    machine_code,
    remove_damaged,
    warn_not_kept,
)

if TYPE_CHECKING:
    import filelock

COMPILED = "compiled"
"""File in a kernel's folder that lists the files of the machine code that a start needs."""

LOCK = ".lock"
MOST_SECONDS = 600
"""So long one process waits for another that compiles the same; no kernel takes longer."""


@dataclass(frozen=True)
class Kernel:
    """A kernel package: its name, its folder and its digest."""

    package: str
    folder: Path
    digest: str

    @property
    def is_warm(self) -> bool:
        """Whether nothing has to be compiled: the machine code is on disk, or the JIT is off."""
        if config.DISABLE_JIT:
            return True
        try:
            needed = (self.folder / COMPILED).read_text(encoding="utf-8").splitlines()
            return bool(needed) and set(needed) <= set(machine_code(self.folder))
        except (OSError, UnicodeDecodeError):
            return False

    def mark_warm(self) -> None:
        """Notes that the machine code is on disk. A full disk is no error here: the next start compiles again."""
        if self.is_warm:
            return
        try:
            _replace(self.folder / COMPILED, "\n".join(machine_code(self.folder)).encode())
        except OSError:
            return

    @contextmanager
    def compiling_alone(self) -> Iterator[bool]:
        """Whether machine code has to be made; until the end of the context nobody else makes it.

        Other processes wait, and find it on disk then. Where no lock can be had everybody compiles for himself.
        """
        if self.is_warm:
            yield False
            return
        lock = _lock(self.folder / LOCK)
        try:
            yield not self.is_warm
        finally:
            if lock is not None:
                lock.release()

    def module(self, name: str) -> ModuleType:
        """One module of the kernel, for example ``games``."""
        return importlib.import_module(f"{self.package}.{name}")


def _lock(path: Path) -> filelock.BaseFileLock | None:
    """The lock, once others have let it go; it goes with the process that has it."""
    import filelock

    lock = filelock.FileLock(path, timeout=MOST_SECONDS, thread_local=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except (OSError, NotImplementedError, filelock.Timeout):
        return None
    return lock


def build(texts: Mapping[str, str], depends: tuple[Path, ...] = ()) -> Kernel:
    """The kernel made of modules with these texts, written to the cache if it is not there yet.

    ``depends``: further files whose text is compiled into the kernel. Raises UserError if neither the cache folder nor
    a temporary one can be written.
    """
    digest = _digest(texts, depends)
    content = {f"{name}.py": text.encode() for name, text in texts.items()}
    folder = _stored(cache_folder(), digest, content)
    if folder is None:
        warn_not_kept(cache_folder())
        folder = _stored_for_now(digest, content)
    if folder is None:
        raise UserError(
            f"no folder to compile in: neither {cache_folder()} nor {tempfile.gettempdir()} can be written; "
            f"free some space, or set {CACHE_VARIABLE} to a folder that can be written"
        )
    kernel = Kernel(f"scofflaw_kernel_{digest[:16]}", folder, digest)
    _register(kernel)
    return kernel


_temporary: list[Path] = []
"""Folders that stand in for the cache folder as long as the program runs."""


def remove_temporary() -> None:
    """Removes the temporary folders. Python calls it at its end; whoever ends the program otherwise has to."""
    while _temporary:
        shutil.rmtree(_temporary.pop(), ignore_errors=True)


atexit.register(remove_temporary)


def _stored_for_now(digest: str, content: Mapping[str, bytes]) -> Path | None:
    """The kernel's folder in a temporary one; None if that cannot be written either."""
    try:
        _temporary.append(Path(tempfile.mkdtemp(prefix="scofflaw-")))
    except OSError:
        return None
    return _stored(_temporary[-1], digest, content)


def _digest(texts: Mapping[str, str], depends: tuple[Path, ...]) -> str:
    parts = [
        platform.python_version(),
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        platform.machine(),
        _processor(),
        *(f"{name}\n{text}" for name, text in sorted(texts.items())),
        *(path.read_text(encoding="utf-8") for path in sorted(depends)),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _processor() -> str:
    """The processor that machine code is made for: a cache on a shared disk may be read by another one."""
    import llvmlite.binding as llvm

    return str(llvm.get_host_cpu_name())


def _stored(cache: Path, digest: str, content: Mapping[str, bytes]) -> Path | None:
    """The kernel's folder under a cache folder, with this content; None if it cannot be written."""
    folder = cache / "kernels" / digest[:32]
    if _is_there(folder, content):
        return folder
    unique = f"{folder.name}.{os.getpid()}.{os.urandom(4).hex()}"
    partial, damaged = folder.with_name(f"{unique}.partial"), folder.with_name(f"{unique}.damaged")
    try:
        partial.mkdir(parents=True)
        for name, data in content.items():
            (partial / name).write_bytes(data)
        if os.path.lexists(folder):
            os.replace(folder, damaged)
        os.replace(partial, folder)
    except OSError:
        return folder if _is_there(folder, content) else None  # another process was faster, or nothing can be written
    finally:
        for leftover in (partial, damaged):
            shutil.rmtree(leftover, ignore_errors=True)
            with suppress(OSError):
                leftover.unlink()
    return folder


def _is_there(folder: Path, content: Mapping[str, bytes]) -> bool:
    """Whether the folder is there with what it must hold, once what is damaged in it has been put right."""
    try:
        for name, data in content.items():
            path = folder / name
            if not path.exists() or path.read_bytes() != data:
                _replace(path, data)
        remove_damaged(folder)
    except OSError:
        return False
    return True


def _replace(path: Path, data: bytes) -> None:
    """Writes a file as a whole, so that no other process reads a part of it. Raises OSError."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _register(kernel: Kernel) -> None:
    """Makes the folder importable as a package."""
    if kernel.package in sys.modules:
        return
    import_from(kernel.folder)
    start = kernel.folder / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        kernel.package,
        start,
        loader=Loader(kernel.package, str(start)),
        submodule_search_locations=[str(kernel.folder)],
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[kernel.package] = module
    spec.loader.exec_module(module)
