"""Parts on disk: files named by the SHA-256 of what they hold, written whole or not at all, read only if whole.

Each file holds some parts, one a row. Files may be copied from one folder to another: what is there twice counts once.
Nothing here looks at a clock, and no file is ever changed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import Notice, UserError
from sim.services import rows, stopping
from sim.services.parts import Part

if TYPE_CHECKING:
    import filelock
    import pyarrow

FOLDER, DAMAGED, LOCK = "parts", "damaged", ".lock"
SUFFIX = ".parquet"
UNFINISHED = ".unfinished"

NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)
"""What file systems without locks answer."""

BUFFERED = 512
"""Parts that are written to one file at most."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part is: the games that it has, the file, and its row there."""

    first: int
    count: int
    file: str
    row: int

    @property
    def end(self) -> int:
        """The game after the last."""
        return self.first + self.count


class Store:
    """The parts in one results folder, for one program at a time, until ``close``."""

    def __init__(self, folder: Path) -> None:
        """Reads what is there, whatever is no whole part being set aside with a notice.

        Raises UserError if the folder cannot be written, or another program is at work in it.
        """
        self.folder = folder / FOLDER
        self.damaged = folder / DAMAGED
        self._places: dict[str, dict[tuple[int, int], Place]] = {}
        self._waiting: list[Part] = []
        self._kept = rows.Kept(Path.read_bytes)
        _make(self.folder)
        self._lock = _locked(self.folder)
        try:
            stopping.remove_left(self.folder)
            for path in sorted(self.folder.iterdir()):
                self._enter(path)
        except OSError as error:
            self.close()
            raise UserError(f"{error.filename or self.folder}: cannot be read: {error.strerror}") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Lets other programs in."""
        if self._lock is not None:
            self._lock.release()

    def _enter(self, path: Path) -> None:
        """Takes a file in. Raises OSError."""
        if path.name.endswith(UNFINISHED):
            path.unlink(missing_ok=True)
            return
        if path.name.startswith("."):
            return
        try:
            if path.suffix != SUFFIX or path.is_dir():
                raise ValueError("no file of parts")
            data = path.read_bytes()
            if name_of(data) != path.name:
                raise ValueError("not what was written")
            self._index(path.name, rows.from_bytes(data))
        except ValueError:
            self._set_aside(path)

    def _set_aside(self, path: Path) -> None:
        _make(self.damaged)
        number, aside = 1, self.damaged / path.name
        while os.path.lexists(aside):
            number, aside = number + 1, self.damaged / f"{path.name}.{number}"
        os.replace(path, aside)
        warnings.warn(
            f"{path} is damaged, or no file of ours, and was set aside as {aside}; its games are played again",
            Notice,
            stacklevel=2,
        )

    def _index(self, file: str, table: pyarrow.Table) -> None:
        columns = (table[name].to_pylist() for name in ("key", "first", "count"))
        for row, (key, first, count) in enumerate(zip(*columns, strict=True)):
            self._places.setdefault(key, {}).setdefault((first, count), Place(first, count, file, row))

    def files(self) -> list[Path]:
        """The files of parts that are in use."""
        return sorted(self.folder / name for name in {place.file for _, place in self._all()})

    def _all(self) -> Iterator[tuple[str, Place]]:
        return ((key, place) for key, places in self._places.items() for place in places.values())

    def gaps(self, key: str, games: int) -> list[tuple[int, int]]:
        """The ranges of games 0 … games − 1 that no part has: first game and number of games of each."""
        gaps, end = [], 0
        for place in (*self._cover(key, games), Place(games, 0, "", 0)):
            if place.first > end:
                gaps.append((end, place.first - end))
            end = place.end
        return gaps

    def _cover(self, key: str, games: int) -> list[Place]:
        """Parts that do not overlap, none beyond the games, and together as many games as can be."""
        fitting = sorted(
            (p for p in self._places.get(key, {}).values() if p.end <= games), key=lambda p: (p.end, p.first)
        )
        if all(before.end <= after.first for before, after in zip(fitting, fitting[1:], strict=False)):
            return fitting
        ends = [place.end for place in fitting]
        most = [0]  # games of the best choice among the first parts
        for k, place in enumerate(fitting):
            most.append(max(most[k], most[bisect_right(ends, place.first)] + place.count))
        chosen: list[Place] = []
        k = len(fitting)
        while k > 0:
            place = fitting[k - 1]
            before = bisect_right(ends, place.first)
            if most[k] == most[before] + place.count:
                chosen.append(place)
                k = before
            else:
                k -= 1
        return chosen[::-1]

    def add(self, parts: Iterable[Part]) -> None:
        """Takes parts in; they are on disk after ``flush``. Raises UserError for a full disk."""
        self._waiting += [part for part in parts if part.count > 0]
        while len(self._waiting) >= BUFFERED:
            self._write(self._waiting[:BUFFERED])
            del self._waiting[:BUFFERED]

    def flush(self) -> None:
        """Writes what waits. Raises UserError for a full disk: what was written before stays."""
        if self._waiting:
            self._write(self._waiting)
            self._waiting = []

    def _write(self, parts: Sequence[Part]) -> None:
        table = rows.to_table(parts)
        self._index(self._put(rows.to_bytes(table)), table)

    def _put(self, data: bytes) -> str:
        """Writes a file named by its content, and returns the name."""
        name = name_of(data)
        unfinished = self.folder / f"{name}.{os.getpid()}{UNFINISHED}"
        try:
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, self.folder / name)
            _sync(self.folder)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise UserError(
                f"{self.folder}: cannot be written: {error.strerror}; what was played before is kept there: "
                "make room and start the same command again"
            ) from None
        return name

    def parts(self, key: str, games: int) -> Iterator[Part]:
        """Parts that together are games 0 … games − 1, as far as they are there, in order.

        Raises UserError if somebody took them away.
        """
        for place in self._cover(key, games):
            path = self.folder / place.file
            try:
                yield self._kept.columns(path).part(place.row)
            except (OSError, ValueError):
                raise UserError(f"{path} was there and is gone, or was changed; start the same command again") from None

    def compact(self, order: Mapping[str, int]) -> None:
        """Puts the parts of many small files into few, about in the order of their keys.

        If it is killed, or the disk is full, nothing is lost and nothing counts twice.
        """
        sizes = Counter(place.file for _, place in self._all())
        begins: dict[str, int] = {}
        for key, place in self._all():
            begins[place.file] = min(begins.get(place.file, len(order)), order.get(key, len(order)))
        old = sorted((name for name in sizes if sizes[name] < BUFFERED // 2), key=lambda name: (begins[name], name))
        if len(old) < 2:
            return
        wanted: dict[str, set[int]] = {name: set() for name in old}
        for _, place in self._all():
            if place.file in wanted:
                wanted[place.file].add(place.row)
        try:
            made = set(self._joined(old, wanted))
        except UserError:
            return
        for name in set(old) - made:
            (self.folder / name).unlink(missing_ok=True)
        self._places.clear()
        for name in sorted((set(sizes) - set(old)) | made):
            self._index(name, rows.from_bytes((self.folder / name).read_bytes()))

    def _joined(self, names: Sequence[str], wanted: Mapping[str, set[int]]) -> Iterator[str]:
        """Writes the wanted rows of these files to new ones. Raises UserError."""
        waiting: list[Part] = []
        for name in names:
            columns = self._kept.columns(self.folder / name)
            waiting += [columns.part(row) for row in sorted(wanted[name])]
            while len(waiting) >= BUFFERED:
                yield self._put(rows.to_bytes(rows.to_table(waiting[:BUFFERED])))
                del waiting[:BUFFERED]
        if waiting:
            yield self._put(rows.to_bytes(rows.to_table(waiting)))


def name_of(data: bytes) -> str:
    """What a file of parts with this content is called."""
    return hashlib.sha256(data).hexdigest() + SUFFIX


def _make(folder: Path) -> None:
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise UserError(f"{path}: this is a file, and a folder is needed; choose another one with --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"{folder}: this folder cannot be made: {error.strerror}; choose another one with --out"
        ) from None


def _locked(folder: Path) -> filelock.BaseFileLock | None:
    """The lock of a folder, which ends with this process; None on file systems that have none. Raises UserError."""
    import filelock

    lock = filelock.FileLock(folder / LOCK, blocking=False, thread_local=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise UserError(
            f"{folder.parent}: another scofflaw is at work in this folder; wait for its end, or choose another one "
            "with --out"
        ) from None
    except NotImplementedError:
        return None
    except OSError as error:
        if error.errno in NO_LOCKS:
            return None
        raise UserError(
            f"{folder}: cannot be written: {error.strerror}; make room, or choose another one with --out"
        ) from None
    return lock


def _sync(folder: Path) -> None:
    """Makes the names in a folder last; some systems have nothing to do it with."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
