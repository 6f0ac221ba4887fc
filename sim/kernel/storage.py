"""What is kept on disk of a kernel: byte code and machine code, each file closed by the SHA-256 of what is before it.

Damaged machine code may crash, or play other games without a word. So each file is tested before it is used: one that
is not whole is removed, and what it held is made again.
"""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import FileFinder, SourceFileLoader
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.runtime import rtsys

from sim.errors import Notice

CACHE_VARIABLE = "SCOFFLAW_CACHE"
"""Environment variable that names another cache folder."""

CODE_FOLDER = "__pycache__"
MACHINE_CODE = (".nbi", ".nbc")
"""Endings of numba's files: an index for each function, and the code of each of its signatures."""

BYTE_CODE = ".pyc"
SEAL_BYTES = hashlib.sha256().digest_size


def sealed(data: bytes) -> bytes:
    """The data with its seal behind it; readers of pickled and marshalled data stop before it."""
    return data + hashlib.sha256(data).digest()


def is_whole(data: bytes) -> bool:
    """Whether sealed data is as it was written."""
    return sealed(data[:-SEAL_BYTES]) == data


def remove_damaged(folder: Path) -> None:
    """Removes the files of code in a kernel's folder that are not whole. Raises OSError."""
    for path in (folder / CODE_FOLDER).glob("*"):
        if path.suffix in (BYTE_CODE, *MACHINE_CODE) and not is_whole(path.read_bytes()):
            path.unlink(missing_ok=True)


def machine_code(folder: Path) -> list[str]:
    """The names of the files of machine code in a kernel's folder."""
    return sorted(path.name for path in (folder / CODE_FOLDER).glob("*") if path.suffix in MACHINE_CODE)


def cache_folder() -> Path:
    """Where kernels are kept: $SCOFFLAW_CACHE, else the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "scofflaw"


@cache
def warn_not_kept(folder: Path) -> None:
    """Warns, once, that the next start compiles again."""
    warnings.warn(
        f"the cache folder {folder} cannot be written: compiled code is not kept; "
        f"free some space, or set {CACHE_VARIABLE} to a folder that can be written",
        Notice,
        stacklevel=2,
    )


class Loader(SourceFileLoader):
    """Loads the modules of a kernel, and seals their byte code."""

    def set_data(self, path: str, data: Any, **options: Any) -> None:
        super().set_data(path, sealed(bytes(data)), **options)


def import_from(folder: Path) -> None:
    """Has Python load the modules of this folder by ``Loader``."""
    sys.path_importer_cache[str(folder)] = FileFinder(str(folder), (Loader, [".py"]))


class _Files(IndexDataCacheFile):
    """The index and the code of one function on disk."""

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BinaryIO]:
        with BytesIO() as content:
            yield content
            with super()._open_for_write(filepath) as file:
                file.write(sealed(content.getvalue()))

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # whatever unpickling makes of damage; the next save writes it anew
            return {}


class _Locator(_CacheLocator):
    """The code lies beside its source, which is never changed (see ``build``), and may be read where none can write."""

    def __init__(self, path: str, line: int) -> None:
        self._folder = Path(path).parent / CODE_FOLDER
        self._line = line

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_file, py_func.__code__.co_firstlineno)


class _Results(CompileResultCacheImpl):
    _locator_classes = [_Locator]


class CodeCache(FunctionCache):
    """numba's cache of one function, which answers damage by compiling, and a full disk by a warning."""

    _impl_class = _Results

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        # numba has no other way to say which class keeps the files.
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Loads without ``context.refresh()``, for which numba imports all that it can compile, and scipy's linear
        algebra: half of a start. The compiler does it by itself. Code that is loaded needs the run time only.
        """
        rtsys.initialize(context)
        return self._load_overload(signature, context)

    def _load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return super()._load_overload(signature, context)
        except Exception:  # damaged since it was tested, or unreadable: numba compiles what is not found
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        try:
            super().save_overload(signature, result)
        except OSError:
            warn_not_kept(cache_folder())
