"""Parts as rows of Parquet files, and back again."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.game import EXAMPLES_KEPT, XX, Tallies
from sim.services.paired import PARTS, Pairs
from sim.services.parts import Part

if TYPE_CHECKING:
    import pyarrow

COUNTERS = ("games", "unfinished", "illegal", "decisions", "turns")
"""The numbers of ``Tallies`` beside its tables."""

OWN = ("counters", "sums", "examples")
PAIRED = (*(f"baseline_{name}" for name in OWN), "pair_sums", "pair_products", "pair_differing")
"""Columns of numbers, the second ones empty where there is no baseline."""

ROWS_KEPT = 8192
"""So many rows of files are kept in memory: some tens of megabytes at most."""


@cache
def schema() -> pyarrow.Schema:
    """That of the files."""
    import pyarrow

    numbers = pyarrow.list_(pyarrow.int64())
    fields = [("key", pyarrow.string()), ("first", pyarrow.int64()), ("count", pyarrow.int64())]
    return pyarrow.schema([*fields, *((name, numbers) for name in (*OWN, *PAIRED))])


def to_bytes(table: pyarrow.Table) -> bytes:
    """The file of a table."""
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(table, content, compression="zstd", use_dictionary=["key"], write_statistics=False)
    return content.getvalue()


def from_bytes(data: bytes) -> pyarrow.Table:
    """The table of a file. Raises ValueError for a file that cannot be one of ours."""
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.read_table(io.BytesIO(data))
    except Exception as error:  # whatever the reader makes of other files
        raise ValueError(str(error)) from None
    if not table.schema.equals(schema()):
        raise ValueError("other columns")
    columns = Columns(table)
    if not all(columns.makes_sense(row) for row in range(table.num_rows)):
        raise ValueError("rows that make no sense")
    return table


def to_table(parts: Sequence[Part]) -> pyarrow.Table:
    """A row a part."""
    import pyarrow

    rows = [_row(part) for part in parts]
    return pyarrow.table([[row.get(name) for row in rows] for name in schema().names], schema=schema())


class Columns:
    """The rows of a table as parts, without a detour by Python's numbers."""

    def __init__(self, table: pyarrow.Table) -> None:
        self.rows = table.num_rows
        self.keys, self.firsts, self.counts = (table[name].to_pylist() for name in ("key", "first", "count"))
        self._lists = {name: _lists(table[name]) for name in (*OWN, *PAIRED)}

    def part(self, row: int) -> Part:
        """One row."""
        key, first, count = self.keys[row], self.firsts[row], self.counts[row]
        tallies = self._tallies(row, "")
        if self._list(row, PAIRED[0]) is None:
            return Part(key, first, count, tallies)
        sums, products, differing = (self._list(row, name) for name in PAIRED[-3:])
        pairs = Pairs(sums.reshape(-1, PARTS), products.reshape(-1, PARTS, PARTS), differing, count)
        return Part(key, first, count, tallies, self._tallies(row, "baseline_"), pairs)

    def makes_sense(self, row: int) -> bool:
        """Whether a row can be a part at all."""
        first, count = self.firsts[row], self.counts[row]
        if self.keys[row] is None or first is None or count is None or first < 0 or count < 1:
            return False
        try:
            part = self.part(row)
        except (ValueError, TypeError, AttributeError):
            return False
        return part.tallies.games == count and (part.baseline is None or part.baseline.games == count)

    def _tallies(self, row: int, prefix: str) -> Tallies:
        counters, sums, examples = (self._list(row, f"{prefix}{name}") for name in OWN)
        numbers = dict(zip(COUNTERS, counters.tolist(), strict=True))
        return Tallies(sums.reshape(-1, XX + 1), examples.reshape(-1, EXAMPLES_KEPT), **numbers)

    def _list(self, row: int, name: str) -> Any:
        """An array of its own, or None where the row has nothing."""
        there, starts, values = self._lists[name]
        return values[starts[row] : starts[row + 1]].copy() if there[row] else None


def _lists(column: pyarrow.ChunkedArray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import pyarrow

    whole = pyarrow.concat_arrays(column.chunks) if column.num_chunks else pyarrow.array([], column.type)
    there = whole.is_valid().to_numpy(zero_copy_only=False)
    return there, whole.offsets.to_numpy(), whole.values.to_numpy(zero_copy_only=False)


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
        f"{prefix}counters": np.array([getattr(tallies, name) for name in COUNTERS], np.int64),
        f"{prefix}sums": tallies.sums.ravel(),
        f"{prefix}examples": tallies.examples.ravel(),
    }


class Kept:
    """Files that were read last, as long as they have not too many rows together."""

    def __init__(self, read: Callable[[Path], bytes]) -> None:
        self._read = read
        self._files: OrderedDict[Path, Columns] = OrderedDict()
        self._rows = 0

    def columns(self, path: Path) -> Columns:
        """The rows of a file. Raises what reading raises."""
        if path in self._files:
            self._files.move_to_end(path)
            return self._files[path]
        found = self._files[path] = Columns(from_bytes(self._read(path)))
        self._rows += found.rows
        while self._rows > ROWS_KEPT and len(self._files) > 1:
            self._rows -= self._files.popitem(last=False)[1].rows
        return found
