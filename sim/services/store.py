"""Parts on disk: files named by the SHA-256 of what they hold, written whole or not at all, read only if whole.

Each file holds some parts, one a row. Files may be copied from one folder to another: what is there twice counts once.
Nothing here looks at a clock, and no file is ever changed.
"""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.errors import Notice, UserError
from sim.game import EXAMPLES_KEPT, XX, Tallies
from sim.services.paired import PARTS, Pairs
from sim.services.parts import Part

if TYPE_CHECKING:
    import pyarrow

FOLDER, DAMAGED = "parts", "damaged"
SUFFIX = ".parquet"
UNFINISHED = ".unfinished"

COUNTERS = ("games", "unfinished", "illegal", "decisions", "turns")
"""The numbers of ``Tallies`` beside its tables."""

BUFFERED = 512
"""Parts that are written to one file at most."""

TABLES_KEPT = 8


@dataclass(frozen=True)
class Place:
    """Where a part is: the games that it has, the file, and its row there."""

    first: int
    count: int
    file: str
    row: int


class Store:
    """The parts in one results folder, for one program at a time."""

    def __init__(self, folder: Path) -> None:
        """Reads what is there, damaged files being set aside with a notice. Raises UserError if it cannot write."""
        self.folder = folder / FOLDER
        self.damaged = folder / DAMAGED
        self._places: dict[str, dict[tuple[int, int], Place]] = {}
        self._waiting: list[Part] = []
        _make(self.folder)
        for leftover in self.folder.glob(f"*{UNFINISHED}"):
            leftover.unlink(missing_ok=True)
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            self._enter(path)

    def _enter(self, path: Path) -> None:
        import pyarrow.parquet

        try:
            data = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != path.stem:
            _make(self.damaged)
            os.replace(path, self.damaged / path.name)
            warnings.warn(
                f"{path} is damaged and was set aside in {self.damaged}; its games are played again",
                Notice,
                stacklevel=2,
            )
            return
        self._index(path.name, pyarrow.parquet.read_table(io.BytesIO(data), columns=["key", "first", "count"]))

    def _index(self, file: str, table: pyarrow.Table) -> None:
        columns = (table[name].to_pylist() for name in ("key", "first", "count"))
        for row, (key, first, count) in enumerate(zip(*columns, strict=True)):
            self._places.setdefault(key, {}).setdefault((first, count), Place(first, count, file, row))

    def files(self) -> list[Path]:
        """The files of parts that are in use."""
        return sorted(
            self.folder / name for name in {p.file for places in self._places.values() for p in places.values()}
        )

    def gaps(self, key: str, games: int) -> list[tuple[int, int]]:
        """The ranges of games 0 … games − 1 that no part has: first game and number of games of each."""
        gaps, end = [], 0
        for place in (*self._cover(key, games), Place(games, 0, "", 0)):
            if place.first > end:
                gaps.append((end, place.first - end))
            end = place.first + place.count
        return gaps

    def _cover(self, key: str, games: int) -> list[Place]:
        """Parts that do not overlap, none beyond the games: at each game the longest that begins there."""
        fitting = sorted(
            (p for p in self._places.get(key, {}).values() if p.first + p.count <= games),
            key=lambda p: (p.first, -p.count),
        )
        chosen: list[Place] = []
        end = 0
        for place in fitting:
            if place.first >= end:
                chosen.append(place)
                end = place.first + place.count
        return chosen

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
        table = _table(parts)
        self._index(self._put(_bytes(table)), table)

    def _put(self, data: bytes) -> str:
        """Writes a file named by its content, and returns the name."""
        name = hashlib.sha256(data).hexdigest() + SUFFIX
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
        """Parts that together are games 0 … games − 1, as far as they are there, in order."""
        for place in self._cover(key, games):
            table = _read(self.folder / place.file)
            yield _part(table.slice(place.row, 1).to_pylist()[0])

    def compact(self) -> None:
        """Puts the parts of many small files into few. If it is killed, nothing is lost and nothing counts twice."""
        old = [path for path in self.files() if _rows(path) < BUFFERED // 2]
        if len(old) < 2:
            return
        gathered: list[Any] = []
        made: set[str] = set()
        kept = {(p.file, p.row) for places in self._places.values() for p in places.values()}
        for path in old:
            gathered += [r for i, r in enumerate(_read(path).to_pylist()) if (path.name, i) in kept]
            while len(gathered) >= BUFFERED:
                made.add(self._put(_bytes(_as_table(gathered[:BUFFERED]))))
                del gathered[:BUFFERED]
        if gathered:
            made.add(self._put(_bytes(_as_table(gathered))))
        for path in old:
            if path.name not in made:
                path.unlink(missing_ok=True)
        self._places.clear()
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            self._enter(path)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"{folder}: this folder cannot be made: {error.strerror}; choose another one with --out"
        ) from None


def _sync(folder: Path) -> None:
    """Makes the names in a folder last; some systems have nothing to do it with."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@lru_cache(maxsize=TABLES_KEPT)
def _read(path: Path) -> pyarrow.Table:
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path)


def _rows(path: Path) -> int:
    import pyarrow.parquet

    return int(pyarrow.parquet.read_metadata(path).num_rows)


def _bytes(table: pyarrow.Table) -> bytes:
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(table, content, compression="zstd", use_dictionary=["key"], write_statistics=False)
    return content.getvalue()


def _table(parts: Sequence[Part]) -> pyarrow.Table:
    return _as_table([_row(part) for part in parts])


def _as_table(rows: Sequence[Any]) -> pyarrow.Table:
    import pyarrow

    numbers = pyarrow.list_(pyarrow.int64())
    fields = [("key", pyarrow.string()), ("first", pyarrow.int64()), ("count", pyarrow.int64())]
    fields += [(name, numbers) for name in ("counters", "sums", "examples")]
    fields += [(name, numbers) for name in ("baseline_counters", "baseline_sums", "baseline_examples")]
    fields += [(name, numbers) for name in ("pair_sums", "pair_products", "pair_differing")]
    return pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(fields))


def _row(part: Part) -> dict[str, Any]:
    row: dict[str, Any] = {"key": part.key, "first": part.first, "count": part.count, **_flat(part.tallies, "")}
    if part.baseline is not None and part.pairs is not None:
        row |= _flat(part.baseline, "baseline_")
        row |= {
            "pair_sums": part.pairs.sums.ravel(),
            "pair_products": part.pairs.products.ravel(),
            "pair_differing": part.pairs.differing,
        }
    return row


def _flat(tallies: Tallies, prefix: str) -> dict[str, Any]:
    return {
        f"{prefix}counters": [getattr(tallies, name) for name in COUNTERS],
        f"{prefix}sums": tallies.sums.ravel(),
        f"{prefix}examples": tallies.examples.ravel(),
    }


def _part(row: dict[str, Any]) -> Part:
    key, first, count = row["key"], row["first"], row["count"]
    tallies = _tallies(row, "")
    if row["baseline_counters"] is None:
        return Part(key, first, count, tallies)
    sums = np.array(row["pair_sums"], np.int64).reshape(-1, PARTS)
    products = np.array(row["pair_products"], np.int64).reshape(-1, PARTS, PARTS)
    pairs = Pairs(sums, products, np.array(row["pair_differing"], np.int64), count)
    return Part(key, first, count, tallies, _tallies(row, "baseline_"), pairs)


def _tallies(row: dict[str, Any], prefix: str) -> Tallies:
    sums = np.array(row[f"{prefix}sums"], np.int64).reshape(-1, XX + 1)
    examples = np.array(row[f"{prefix}examples"], np.int64).reshape(-1, EXAMPLES_KEPT)
    return Tallies(sums, examples, **dict(zip(COUNTERS, row[f"{prefix}counters"], strict=True)))
