"""Kernel modules: one copy of a game's compiled core for each set of expansions, strategies and instruments.

A kernel is a Python package in the user's cache folder, named by the SHA-256 of everything it was made from (sources,
flags, versions, processor), so it can never be stale. numba keeps the machine code beside it. Two processes that build
the same kernel at once write the same bytes; the folder appears by one rename.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import llvmlite
import numba
import numpy as np
from numba import config

from sim.errors import UserError

CACHE_VARIABLE = "SCOFFLAW_CACHE"
"""Environment variable that names another cache folder."""

COMPILED = "compiled"
"""File in a kernel's folder that says its machine code was stored."""


@dataclass(frozen=True)
class Kernel:
    """A kernel package: its name, its folder, its digest, and whether it could be stored for the next start."""

    package: str
    folder: Path
    digest: str
    stored: bool

    @property
    def is_warm(self) -> bool:
        """Whether nothing has to be compiled: the machine code is on disk, or the JIT is off."""
        return bool(config.DISABLE_JIT) or (self.folder / COMPILED).exists()

    def mark_warm(self) -> None:
        """Notes that the machine code is on disk. A full disk is no error here: the next start compiles again."""
        if config.DISABLE_JIT:
            return
        try:
            (self.folder / COMPILED).touch()
        except OSError:
            return

    def module(self, name: str) -> ModuleType:
        """One module of the kernel, for example ``games``."""
        return importlib.import_module(f"{self.package}.{name}")


def cache_folder() -> Path:
    """Where kernels are kept: $SCOFFLAW_CACHE, else the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "scofflaw"


def build(
    sources: Mapping[str, Path], generated: Mapping[str, str], rebind: str, depends: tuple[Path, ...] = ()
) -> Kernel:
    """The kernel made of these modules, written to the cache if it is not there yet.

    Parameters
    ----------
    sources : module name to the file that is copied.
    generated : module name to text that stands in place of a source (flags, chosen strategies).
    rebind : package whose absolute imports in the sources are turned into imports from this kernel.
    depends : further files whose text is compiled into the kernel.

    Raises UserError if neither the cache folder nor a temporary one can be written.
    """
    texts = {name: path.read_text(encoding="utf-8") for name, path in sources.items()}
    texts = {name: re.sub(rf"\bfrom {re.escape(rebind)}\.", "from .", text) for name, text in texts.items()}
    texts.update(generated)
    digest = _digest(texts, depends)
    kernel_folder, stored = _write(cache_folder(), digest, texts), True
    if kernel_folder is None:
        kernel_folder, stored = _write(Path(tempfile.mkdtemp(prefix="scofflaw-")), digest, texts), False
    if kernel_folder is None:
        raise UserError(
            f"no folder to compile in: neither {cache_folder()} nor {tempfile.gettempdir()} can be written; "
            f"free some space, or set {CACHE_VARIABLE} to a folder that can be written"
        )
    kernel = Kernel(f"scofflaw_kernel_{digest[:16]}", kernel_folder, digest, stored)
    _register(kernel)
    return kernel


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


def _write(cache: Path, digest: str, texts: Mapping[str, str]) -> Path | None:
    """The kernel's folder under a cache folder; None if it cannot be written."""
    folder = cache / "kernels" / digest[:32]
    if folder.is_dir():
        return folder
    partial = folder.with_name(f"{folder.name}.{os.getpid()}.{os.urandom(4).hex()}.partial")
    try:
        partial.mkdir(parents=True)
        for name, text in texts.items():
            (partial / f"{name}.py").write_text(text, encoding="utf-8")
        os.replace(partial, folder)
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        return folder if folder.is_dir() else None
    return folder


def _register(kernel: Kernel) -> None:
    """Makes the folder importable as a package."""
    if kernel.package in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(
        kernel.package, kernel.folder / "__init__.py", submodule_search_locations=[str(kernel.folder)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[kernel.package] = module
    spec.loader.exec_module(module)
