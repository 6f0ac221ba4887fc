"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from sim.errors import UserError


def check_writable(path: Path, what: str) -> None:
    """Raises UserError unless a file of this name can be written; ``what`` names the option that asks for it."""
    folder = path.parent
    if path.is_dir():
        raise UserError(f"{what}: {path} is a folder; name a file in it, such as {path / 'chart.png'}")
    if not folder.is_dir():
        raise UserError(f"{what}: {path}: there is no folder {folder}; make it first, or name another")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UserError(f"{what}: {path}: nothing can be written in {folder}: {error.strerror}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file in one step: whoever reads it finds the old or the new one. Raises UserError."""
    try:
        replace_whole(path, content)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}; choose another place") from None


def replace_whole(path: Path, content: bytes) -> None:
    """``write_whole`` for callers with more to say than that it cannot be written. Raises OSError."""
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # before it takes the place of the old one, also when the power fails
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
        temporary = ""
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
