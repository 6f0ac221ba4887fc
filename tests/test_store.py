"""Parts on disk: whole or set aside, counted once, for one program at a time, on disks that fill up."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import Notice, UserError
from sim.game import Tallies
from sim.services import parts, rows, stopping
from sim.services import store as stores
from sim.services.paired import Pairs
from sim.services.parts import Part
from sim.services.store import Store

METRICS, EXAMPLES, COMPARED = 4, 2, 3


def tallies_of(rng: np.random.Generator, count: int) -> Tallies:
    sums = rng.integers(0, 2**62, (METRICS, 5))
    examples = rng.integers(-1, 50, (EXAMPLES, 3))
    return Tallies(sums, examples, count, *(int(n) for n in rng.integers(0, 100, 4)))


def part(key: str, first: int, count: int, paired: bool = False) -> Part:
    """A part whose numbers hang on what it is."""
    rng = np.random.default_rng([len(key), first, count])
    tallies = tallies_of(rng, count)
    if not paired:
        return Part(key, first, count, tallies)
    products = rng.integers(0, 2**62, (COMPARED, 4, 4))
    pairs = Pairs(rng.integers(0, 2**62, (COMPARED, 4)), products, rng.integers(0, 9, COMPARED), count)
    return Part(key, first, count, tallies, tallies_of(rng, count), pairs)


def same(one: Part, other: Part) -> bool:
    return rows.to_bytes(rows.to_table([one])) == rows.to_bytes(rows.to_table([other]))


def filled(folder: Path, parts_of_it: list[Part], a_file: int = 2) -> Store:
    """A store with these parts, so many in each file."""
    store = Store(folder)
    for start in range(0, len(parts_of_it), a_file):
        store.add(parts_of_it[start : start + a_file])
        store.flush()
    return store


PARTS = [part(key, first, 10, paired) for key, paired in (("one", False), ("two", True)) for first in (0, 10, 20)]


def test_what_was_written_is_there_the_next_time(tmp_path: Path) -> None:
    filled(tmp_path, PARTS).close()
    again = Store(tmp_path)
    for key, of_it in (("one", PARTS[:3]), ("two", PARTS[3:])):
        found = list(again.parts(key, 30))
        assert len(found) == 3
        assert all(map(same, found, of_it))
    assert list(again.parts("three", 30)) == []


def test_parts_that_are_read_can_be_added_to(tmp_path: Path) -> None:
    store = filled(tmp_path, PARTS)
    first = next(store.parts("one", 30))
    first.tallies.add(PARTS[1].tallies)
    assert same(next(store.parts("one", 30)), PARTS[0])


def naive_cover(ranges: list[tuple[int, int]], games: int) -> int:
    """The most games that ranges without overlaps have together, by trying all sets of them."""
    best = 0
    for chosen in range(2 ** len(ranges)):
        picked = sorted(r for k, r in enumerate(ranges) if chosen >> k & 1 and sum(r) <= games)
        if all(a + n <= b for (a, n), (b, _) in zip(picked, picked[1:], strict=False)):
            best = max(best, sum(n for _, n in picked))
    return best


RANGES = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 9)), max_size=7, unique=True)


@settings(max_examples=60, deadline=None)
@given(RANGES, st.integers(1, 20))
def test_parts_that_overlap_count_each_game_once_and_waste_none(ranges: list[tuple[int, int]], games: int) -> None:
    store = Store.__new__(Store)  # only the index; nothing on disk
    store._places = {"key": {r: stores.Place(*r, "file", k) for k, r in enumerate(ranges)}}
    gaps = store.gaps("key", games)
    missing = {game for first, count in gaps for game in range(first, first + count)}
    covered = [game for place in store._cover("key", games) for game in range(place.first, place.end)]
    assert len(covered) == len(set(covered))
    assert set(covered) | missing == set(range(games))
    assert not set(covered) & missing
    assert len(covered) == naive_cover(ranges, games)


def test_the_same_part_from_elsewhere_counts_once(tmp_path: Path) -> None:
    filled(tmp_path / "a", PARTS, 2).close()
    filled(tmp_path / "b", PARTS, 3).close()
    filled(tmp_path / "c", [part("one", 30, 5)]).close()
    for other in ("b", "c"):
        for path in (tmp_path / other / "parts").glob("*.parquet"):
            shutil.copy(path, tmp_path / "a" / "parts")
    store = Store(tmp_path / "a")
    assert store.gaps("one", 40) == [(35, 5)]
    assert [(p.first, p.count) for p in store.parts("one", 40)] == [(0, 10), (10, 10), (20, 10), (30, 5)]


def test_many_small_files_become_few_and_nothing_changes(tmp_path: Path) -> None:
    store = filled(tmp_path, PARTS, 1)
    assert len(store.files()) == len(PARTS)
    store.compact({"one": 0, "two": 1})
    assert len(list((tmp_path / "parts").glob("*.parquet"))) == len(store.files()) == 1
    store.close()
    again = Store(tmp_path)
    assert all(map(same, [*again.parts("one", 30), *again.parts("two", 30)], PARTS))


@pytest.mark.parametrize("killed_at", [1, 2, 3, 4])
def test_joining_files_can_be_killed_at_any_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    """Steps are the new file, and each old one that goes."""
    store = filled(tmp_path, PARTS, 2)
    steps = 0

    class Killed(BaseException):
        pass

    def count(call: Callable[..., None]) -> Callable[..., None]:
        def counted(*arguments: object, **more: object) -> None:
            nonlocal steps
            steps += 1
            if steps == killed_at:
                raise Killed
            call(*arguments, **more)

        return counted

    with monkeypatch.context() as patch:
        patch.setattr(stores.os, "replace", count(os.replace))
        patch.setattr(Path, "unlink", count(Path.unlink))
        with pytest.raises(Killed):
            store.compact({"one": 0, "two": 1})
    store.close()
    again = Store(tmp_path)
    assert again.gaps("one", 30) == again.gaps("two", 30) == []
    assert all(map(same, [*again.parts("one", 30), *again.parts("two", 30)], PARTS))


# Damage


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def renamed(path: Path) -> None:
    path.rename(path.with_name("0" * 64 + ".parquet"))


def named_as_a_copy(path: Path) -> None:
    path.rename(path.with_name("a copy.txt"))


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replaced_by(content: bytes) -> Callable[[Path], None]:
    """A file with a right name, as far as the digest goes."""

    def replace(path: Path) -> None:
        path.unlink()
        path.with_name(hashlib.sha256(content).hexdigest() + ".parquet").write_bytes(content)

    return replace


def file_of(table: pyarrow.Table) -> bytes:
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink)
    return bytes(sink.getvalue())


def with_column(name: str, value: object) -> pyarrow.Table:
    table = rows.to_table(PARTS[4:])
    place = table.schema.get_field_index(name)
    field = table.schema.field(place)
    return table.set_column(place, field, pyarrow.array([value] * len(table), field.type))


FOREIGN = {
    "noise": os.urandom(300),
    "another table": file_of(pyarrow.table({"key": ["one"], "first": [0], "count": [10]})),
    "other types": file_of(rows.to_table(PARTS[4:]).set_column(1, "first", [["a", "b"]])),
    "a negative game": file_of(with_column("first", -1)),
    "no game": file_of(with_column("count", 0)),
    "no key": file_of(with_column("key", None)),
    "other counts": file_of(with_column("count", 11)),
    "half a row": file_of(with_column("sums", [1, 2, 3])),
    "no sums": file_of(with_column("sums", None)),
    "a baseline without pairs": file_of(with_column("pair_sums", None)),
}
DAMAGES = {each.__name__: each for each in (flipped, halved, emptied, renamed, named_as_a_copy, made_a_folder)}
DAMAGES |= {name: replaced_by(content) for name, content in FOREIGN.items()}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_no_whole_part_is_named_and_set_aside(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    filled(tmp_path, PARTS, 2).close()
    victim = next(
        path
        for path in sorted((tmp_path / "parts").glob("*.parquet"))
        if pyarrow.parquet.read_table(path)["first"].to_pylist() == [10, 20]
    )
    damage(victim)
    with pytest.warns(Notice, match="set aside") as told:
        store = Store(tmp_path)
    (aside,) = (tmp_path / "damaged").iterdir()
    assert aside.name in str(told[0].message)
    assert store.gaps("one", 30) == []
    assert store.gaps("two", 30) == [(10, 20)]
    store.add(PARTS[4:])
    store.flush()
    assert all(map(same, store.parts("two", 30), PARTS[3:]))
    store.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Store(tmp_path)


def test_two_files_of_one_name_can_be_set_aside(tmp_path: Path) -> None:
    for _ in range(2):
        filled(tmp_path, PARTS).close()
        (tmp_path / "parts" / "notes.txt").write_text("mine")
        with pytest.warns(Notice, match=r"notes\.txt"):
            Store(tmp_path).close()
    assert len(list((tmp_path / "damaged").iterdir())) == 2


def test_what_the_system_hides_in_folders_stays(tmp_path: Path) -> None:
    filled(tmp_path, PARTS).close()
    (tmp_path / "parts" / ".DS_Store").write_bytes(b"x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Store(tmp_path)
    assert (tmp_path / "parts" / ".DS_Store").exists()


def test_what_killed_programs_left_unfinished_goes(tmp_path: Path) -> None:
    filled(tmp_path, PARTS).close()
    for name in (f"abc.parquet.77{stores.UNFINISHED}", f"{stopping.PREFIX}77.ab"):
        (tmp_path / "parts" / name).write_bytes(b"half")
    store = Store(tmp_path)
    assert {path.suffix for path in (tmp_path / "parts").iterdir()} <= {".parquet", ""}
    assert store.gaps("one", 30) == []


def test_parts_taken_away_during_a_run_are_told(tmp_path: Path) -> None:
    store = filled(tmp_path, PARTS)
    for path in store.files():
        path.unlink()
    with pytest.raises(UserError, match="is gone"):
        list(store.parts("one", 30))


# One program at a time


HOLDER = """
import sys
from pathlib import Path
from sim.services.store import Store
store = Store(Path(sys.argv[1]))
print("in", flush=True)
sys.stdin.read()
"""


def test_the_second_program_is_told_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "in\n"
        with pytest.raises(UserError, match="another scofflaw is at work"):
            Store(tmp_path)
    finally:
        first.kill()
        first.wait()
    assert (tmp_path / "parts" / stores.LOCK).exists()
    Store(tmp_path).close()


def test_a_folder_is_free_again_when_it_is_closed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(UserError, match="another scofflaw"):
        Store(tmp_path)
    store.close()
    Store(tmp_path)


def test_a_file_system_without_locks_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import filelock

    def none(self: object, *arguments: object, **more: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(filelock.FileLock, "acquire", none)
    filled(tmp_path, PARTS)
    assert Store(tmp_path).gaps("one", 30) == []


# Disks


@pytest.mark.parametrize("place", [".", "parts", "above"])
def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "results" / "x"
    path = {".": folder, "parts": folder / "parts", "above": folder.parent}[place]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a file")
    with pytest.raises(UserError, match="this is a file"):
        Store(folder)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: object, **more: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    (tmp_path / "parts").mkdir()
    with monkeypatch.context() as patch, pytest.raises(UserError, match="Read-only file system; make room, or choose"):
        patch.setattr(os, "open", refused)
        Store(tmp_path)
    with monkeypatch.context() as patch, pytest.raises(UserError, match="cannot be made: Read-only file system"):
        patch.setattr(Path, "mkdir", refused)
        Store(tmp_path / "new")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_full_disk_is_told_and_what_was_there_stays(tmp_path: Path) -> None:
    """The limit on the size of files answers as a full disk does: in the middle of a file."""
    import resource

    store = filled(tmp_path, PARTS[:2])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    store.add(PARTS[2:])
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(UserError, match="what was played before is kept there: make room"):
            store.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    store.close()
    again = Store(tmp_path)
    assert again.gaps("one", 30) == [(20, 10)]
    assert not list((tmp_path / "parts").glob(f"*{stores.UNFINISHED}"))
    again.add(PARTS[2:])
    again.flush()
    assert again.gaps("one", 30) == again.gaps("two", 30) == []


def test_no_room_to_join_files_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(tmp_path, PARTS)

    def full(data: bytes) -> str:
        raise UserError("no room")

    monkeypatch.setattr(store, "_put", full)
    store.compact({"one": 0, "two": 1})
    assert all(map(same, [*store.parts("one", 30), *store.parts("two", 30)], PARTS))


# Chunks


@given(st.integers(0, 3 * parts.MANY // 2), st.integers(1, 300_000))
def test_chunks_are_the_whole_range_and_end_at_fixed_numbers(first: int, count: int) -> None:
    found = parts.chunks(first, count)
    assert [game for game, _ in found] == [first, *(game + n for game, n in found[:-1])]
    assert sum(found[-1]) == first + count
    assert all((game + n) % parts.CHUNK == 0 for game, n in found[:-1])
    assert all(n <= (parts.CHUNK if game < parts.MANY else parts.BIG_CHUNK) for game, n in found)
