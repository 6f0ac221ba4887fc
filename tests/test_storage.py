"""The cache of compiled code: damage is put right by the next start, and a folder that cannot be written is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import config

from sim.errors import Notice
from sim.kernel import build as building
from sim.kernel import storage

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")

SOURCES = {
    "__init__": "",
    "games": "from sim.kernel.jit import entry\nfrom .numbers import ADDED\n\n\n"
    "@entry(True)\ndef answer(n):\n    return n + ADDED\n",
    "numbers": "ADDED = 41\n",
}

PACKAGES: set[str] = set()
"""The kernels of these tests, which are loaded again and again."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, in which byte code is kept too."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder = tmp_path / "cache"
    monkeypatch.setenv(storage.CACHE_VARIABLE, str(folder))
    return folder


def start() -> tuple[building.Kernel, bool]:
    """What a new program would do: the kernel, which gives right answers, and whether it was warm."""
    for name in [name for name in sys.modules if name.startswith(tuple(PACKAGES))]:
        del sys.modules[name]
    kernel = building.build(SOURCES)
    PACKAGES.add(kernel.package)
    was_warm = kernel.is_warm
    with kernel.compiling_alone():
        assert kernel.module("games").answer(1) == 42
        kernel.mark_warm()
    return kernel, was_warm


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)


def flipped_in_the_seal(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 0x10
    path.write_bytes(data)


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def filled_with_noise(path: Path) -> None:
    path.write_bytes(os.urandom(500))


def removed(path: Path) -> None:
    path.unlink()


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES = (flipped, flipped_in_the_seal, halved, emptied, filled_with_noise, removed)
CODE = ("*.py", "__pycache__/*.pyc", "__pycache__/*.nbi", "__pycache__/*.nbc")
DAMAGED = [(files, damage) for files in (*CODE, building.COMPILED) for damage in DAMAGES]


@pytest.mark.parametrize(("files", "damage"), [*DAMAGED, *((files, made_a_folder) for files in CODE)])
def test_a_start_puts_right_what_is_damaged(cache: Path, files: str, damage: Callable[[Path], None]) -> None:
    folder = start()[0].folder
    found = [path for path in folder.glob(files) if path.stat().st_size]
    assert found
    for path in found:
        damage(path)
    assert start()[0].folder == folder
    for name, text in SOURCES.items():
        assert (folder / f"{name}.py").read_text() == text
    assert start()[1], "what was damaged is still compiled anew"
    assert [path.name for path in cache.rglob("*") if path.suffix in (".partial", ".damaged", ".tmp")] == []


@pytest.mark.parametrize("suffix", storage.MACHINE_CODE)
def test_damaged_machine_code_is_known_before_it_is_loaded(cache: Path, suffix: str) -> None:
    folder = start()[0].folder
    for path in folder.glob(f"__pycache__/*{suffix}"):
        flipped(path)
    assert not start()[1], "nobody is told that the program compiles"


@pytest.mark.parametrize("suffix", storage.MACHINE_CODE)
def test_code_damaged_after_the_test_is_compiled_anew(
    cache: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    folder = start()[0].folder
    for path in folder.glob(f"__pycache__/*{suffix}"):
        filled_with_noise(path)
    monkeypatch.setattr(building, "remove_damaged", lambda folder: None)
    start()


def test_a_file_in_the_place_of_the_folder_gives_way(cache: Path) -> None:
    folder = start()[0].folder
    shutil.rmtree(folder)
    folder.write_text("not a folder")
    assert start()[0].folder == folder
    assert start()[1]
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_storage
print(test_storage.start()[0].folder)
"""


def test_programs_that_put_the_same_damage_right_at_once_do_not_disturb_each_other(cache: Path) -> None:
    folder = start()[0].folder
    for path in [*folder.glob("*.py"), *folder.glob("__pycache__/*")]:
        filled_with_noise(path)
    command = [sys.executable, "-c", PROGRAM, str(Path(__file__).parent)]
    programs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    answers = [program.communicate(timeout=120) for program in programs]
    assert answers == [(f"{folder}\n", "")] * 4
    assert start()[1]


MEETING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_storage
kernel = test_storage.building.build(test_storage.SOURCES)
print("there", flush=True)
sys.stdin.readline()
with kernel.compiling_alone() as needed:
    assert kernel.module("games").answer(1) == 42
    kernel.mark_warm()
print(needed)
"""


def test_of_programs_that_need_the_same_code_one_compiles(cache: Path) -> None:
    command = [sys.executable, "-c", MEETING, str(Path(__file__).parent)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    programs = [subprocess.Popen(command, text=True, **pipes) for _ in range(3)]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "there\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("\n")
        program.stdin.flush()
    answers = [program.communicate(timeout=120) for program in programs]
    assert sorted(answers) == [("False\n", ""), ("False\n", ""), ("True\n", "")]


def test_where_no_lock_can_be_had_everybody_compiles(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import filelock

    def none(self: object, *arguments: object, **more: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(filelock.FileLock, "acquire", none)
    assert not start()[1]
    assert start()[1]


def test_a_cache_that_cannot_be_written_is_told_once_and_leaves_nothing_behind(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("not a folder")
    monkeypatch.setattr(building.tempfile, "tempdir", str(tmp_path))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        start()
        start()
    assert [str(warning.message).split(";")[0] for warning in told if warning.category is Notice] == [
        f"the cache folder {cache} cannot be written: compiled code is not kept"
    ]
    assert list(tmp_path.glob("scofflaw-*"))
    building.remove_temporary()
    assert list(tmp_path.glob("scofflaw-*")) == []


def test_a_full_disk_is_told_and_the_games_go_on(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage._Locator, "ensure_cache_path", full)
    with pytest.warns(Notice, match="compiled code is not kept"):
        assert not start()[1]
