"""Keeping results folders: what is there, whether it is whole, putting folders together, making room."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.errors import Notice, UserError
from sim.services.results import MANIFEST, read_manifest
from sim.services.store import DAMAGED, FOLDER, SUFFIX, UNFINISHED, name_of


@dataclass(frozen=True)
class Checked:
    """Files of parts in a folder: how many are whole, and which are not what their names say."""

    whole: int
    damaged: Sequence[Path]


def verify(folder: Path) -> Checked:
    """Reads every file of parts and compares it with the digest in its name. Raises UserError."""
    found = [(path, data is not None) for path, data in _parts(folder)]
    return Checked(sum(whole for _, whole in found), [path for path, whole in found if not whole])


def merge(into: Path, others: Sequence[Path]) -> int:
    """Copies the parts of other folders that are not there yet, and returns how many files; damaged ones stay behind.

    Raises UserError. What is copied counts once the experiment is run again in that folder, as far as it belongs to it.
    """
    copied = 0
    for other in others:
        _check_parts(other)
        _compare_seeds(into, other)
    try:
        (into / FOLDER).mkdir(parents=True, exist_ok=True)
        for path, data in (found for other in others for found in _parts(other)):
            target = into / FOLDER / path.name
            if data is not None and not target.exists():
                unfinished = target.with_name(f"{target.name}.{os.getpid()}{UNFINISHED}")  # ``clean`` knows it
                unfinished.write_bytes(data)
                os.replace(unfinished, target)
                copied += 1
    except OSError as error:
        raise UserError(f"{into}: cannot be written: {error.strerror}") from None
    return copied


def clean(folder: Path) -> int:
    """Removes what was set aside as damaged and what a killed run left half written; returns the bytes.

    Whole parts stay, also those of settings that the experiment no longer has. Raises UserError.
    """
    gone = 0
    try:
        for path in (*(folder / DAMAGED).glob("*"), *folder.rglob(f"*{UNFINISHED}")):
            gone += path.stat().st_size
            path.unlink()
        if (folder / DAMAGED).is_dir():
            (folder / DAMAGED).rmdir()
    except OSError as error:
        raise UserError(f"{folder}: cannot be cleaned: {error.strerror}") from None
    return gone


def _compare_seeds(into: Path, other: Path) -> None:
    """Warns of games that will not count in a folder, being of other seeds than all that is there."""
    if not all((folder / MANIFEST).is_file() for folder in (into, other)):
        return
    here, there = ({cell.seed for cell in read_manifest(folder).cells} for folder in (into, other))
    if here and there and not here & there:
        warnings.warn(
            f"{other} has games of seed {min(there)}, {into} of seed {min(here)}: they do not count together",
            Notice, stacklevel=2,
        )  # fmt: skip


def _check_parts(folder: Path) -> None:
    """Raises UserError for a folder in which nothing was played."""
    if not (folder / FOLDER).is_dir():
        raise UserError(f"{folder}: there are no parts of an experiment in it, for there is no folder {FOLDER}")


def _parts(folder: Path) -> Iterator[tuple[Path, bytes | None]]:
    """The files of parts with what they hold; nothing for one that is not what its name says. Raises UserError."""
    _check_parts(folder)
    for path in sorted((folder / FOLDER).glob(f"*{SUFFIX}")):
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from None
        yield path, data if name_of(data) == path.name else None
