"""Workers: the same parts from all kinds of them, whoever dies, and an end when the user wants one."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import watched

from sim.errors import UserError
from sim.services import executor, parts, places, stopping
from sim.services.executor import Crew, Workers
from sim.services.parts import Task, cell_key
from sim.services.setups import setup

posix = pytest.mark.skipif(os.name != "posix", reason="signals")

KINDS = [Workers("threading", 2), Workers("loky", 2), Workers("dask", 2)]
BY_NAME = {workers.backend: workers for workers in KINDS}
GAMES = 4


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where parts are written down as they begin, in all processes that begin from now on."""
    path = tmp_path / "log"
    monkeypatch.setenv(watched.LOG, str(path))
    return path


def tasks(count: int) -> list[Task]:
    made = setup(watched.WATCHED, {"players": 3}, {"default": "careful"})
    key = cell_key(made, 7, None, ())
    return [Task.of(key, made, 7, GAMES * k, GAMES) for k in range(count)]


def sums(crew: Crew, many: list[Task], a_batch: int = 1) -> list[tuple[int, ...]]:
    """What the parts add up to, each by its first game."""
    batches = [many[k : k + a_batch] for k in range(0, len(many), a_batch)]
    found = [part for done in crew.stream(batches) for part in done.parts]
    assert sorted(part.first for part in found) == [task.first for task in many]
    return [tuple(part.tallies.sums.ravel()) for part in sorted(found, key=lambda part: part.first)]


@pytest.fixture(scope="module")
def alone() -> list[tuple[int, ...]]:
    stop = np.zeros(1, np.uint8)
    return [tuple(part.tallies.sums.ravel()) for part in parts.play(tasks(30), stop)]


@pytest.mark.parametrize("workers", KINDS, ids=BY_NAME)
def test_all_kinds_of_workers_bring_the_same(workers: Workers, tmp_path: Path, alone: list[tuple[int, ...]]) -> None:
    with Crew(workers, tmp_path) as crew:
        for a_batch in (1, 7):  # the second time the workers are there
            assert sums(crew, tasks(30), a_batch) == alone
    assert list(tmp_path.iterdir()) == []


def test_clusters_side_by_side_do_not_disturb_each_other(tmp_path: Path) -> None:
    workers = Workers("dask", 1)
    with warnings.catch_warnings(), Crew(workers, tmp_path) as one, Crew(workers, tmp_path) as two:
        warnings.simplefilter("error", UserWarning)
        assert sums(one, tasks(2)) == sums(two, tasks(2))


def test_no_work_begins_no_workers(tmp_path: Path) -> None:
    with Crew(Workers("dask", 2, "tcp://127.0.0.1:1"), tmp_path) as crew:
        assert list(crew.stream([])) == []


def processes(log: Path) -> set[int]:
    return {process for process, *_ in watched.begun(log)} - {os.getpid()}


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return Path("/proc").exists() is False


def ended(process: int, seconds: float = 10) -> bool:
    """Whether a process ends within some seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not is_alive(process):
            return True
        time.sleep(0.05)
    return False


@posix
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_of_a_worker_that_is_killed_only_what_it_was_at_is_played_again(
    backend: str, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, alone: list[tuple[int, ...]]
) -> None:
    monkeypatch.setenv(watched.SECONDS, "0.2")
    workers, many, kills = BY_NAME[backend], tasks(16), [10, 4]
    found = {}
    with Crew(workers, tmp_path) as crew:
        for done in crew.stream([[task] for task in many]):
            found.update({part.first: tuple(part.tallies.sums.ravel()) for part in done.parts})
            if kills and len(found) >= kills[-1]:
                kills.pop()
                os.kill(watched.begun(log)[-1][0], signal.SIGKILL)
        last = processes(log)
    assert kills == []
    assert [found[first] for first in sorted(found)] == alone[: len(many)]
    # loky ends the other worker too, and what it brings at this moment. What waited was not begun.
    assert len(many) < len(watched.begun(log)) <= len(many) + 2 * (workers.count + 1)
    assert all(map(ended, last))


@posix
def test_what_dask_gives_up_is_sent_again(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, alone: list[tuple[int, ...]]
) -> None:
    """``joblib.Parallel`` would wait for it for ever."""
    import dask

    monkeypatch.setenv(watched.SECONDS, "0.05")
    found = {}
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), Crew(BY_NAME["dask"], tmp_path) as crew:
        for done in crew.stream([[task] for task in tasks(30)]):
            found.update({part.first: tuple(part.tallies.sums.ravel()) for part in done.parts})
            if len(found) == 5:
                os.kill(watched.begun(log)[-1][0], signal.SIGKILL)
    assert [found[first] for first in sorted(found)] == alone


@posix
def test_workers_that_die_again_and_again_are_told(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(watched.DEADLY, "8")
    monkeypatch.setattr(executor, "MOST_LOSSES", 2)
    with Crew(Workers("loky", 1), tmp_path) as crew, pytest.raises(UserError, match="died 3 times.*enough memory"):
        list(crew.stream([[task] for task in tasks(6)]))
    assert sum(first == 8 for _, _, first, _ in watched.begun(log)) >= 3


@posix
def test_a_worker_that_dies_in_the_middle_of_its_answer_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others could not write, and nobody would read on."""
    monkeypatch.setattr(places, "STUCK_SECONDS", 0.3)
    place = places.Processes(2, None)
    try:
        answers = [place.submit(_die_in_the_middle, str(tmp_path / "once")) for _ in range(2)]
        until = time.monotonic() + 20
        while not all(answer.done() for answer in answers) and time.monotonic() < until:
            time.sleep(0.1)
            place.look_after()
        assert any(isinstance(answer.exception(0), place.lost) for answer in answers)
        assert place.submit(abs, -3).result(20) == 3
    finally:
        place.close(now=True)


def _die_in_the_middle(path: str) -> object:
    """An answer that takes long to write, and a second thread that kills the process meanwhile."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        time.sleep(1)
        return None
    return _Slow()


class _Slow:
    """What kills its process when its pickle is written in part."""

    def __reduce__(self) -> tuple[object, ...]:
        os.kill(os.getpid(), signal.SIGKILL)
        return (int, ())


@pytest.mark.parametrize("workers", KINDS, ids=BY_NAME)
def test_what_a_worker_raises_is_raised_here(
    workers: Workers, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(watched.REFUSED, "8")
    with Crew(workers, tmp_path) as crew, pytest.raises(UserError, match="game 8 is not for you"):
        list(crew.stream([[task] for task in tasks(6)]))
    assert all(map(ended, processes(log)))


def test_a_worker_with_another_program_is_refused(tmp_path: Path) -> None:
    ours = tasks(1)[0]
    theirs = replace(ours, program="0" * 64)
    with Crew(BY_NAME["loky"], tmp_path) as crew, pytest.raises(UserError, match="another version"):
        list(crew.stream([[theirs]]))


def test_nobody_at_the_address_of_a_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "CONNECT_SECONDS", 0.5)
    with Crew(Workers("dask", 2, "tcp://127.0.0.1:1"), tmp_path) as crew, pytest.raises(UserError, match="nobody"):
        list(crew.stream([[task] for task in tasks(2)]))


# The end


@posix
@pytest.mark.parametrize("workers", KINDS, ids=BY_NAME)
def test_the_games_under_way_are_the_last_and_all_of_them_come(
    workers: Workers, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(watched.SECONDS, "30")
    found = []
    with Crew(workers, tmp_path) as crew:
        threading.Thread(target=_stop_soon, args=(crew, log), daemon=True).start()
        for done in crew.stream([[task] for task in tasks(30)]):
            found += [part for part in done.parts if part.count]
        since = time.monotonic() - crew.stopped_at
    assert since < 1
    assert time.monotonic() - crew.stopped_at < 3
    assert all(part.tallies.games == part.count for part in found)
    assert all(map(ended, processes(log)))


def _stop_soon(crew: Crew, log: Path) -> None:
    while len(watched.begun(log)) < 2:
        time.sleep(0.01)
    crew.stop()


def test_a_flag_is_seen_elsewhere_and_leaves_nothing(tmp_path: Path) -> None:
    import pickle

    flag = stopping.Flag(tmp_path)
    seen = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(flag))))  # as Dask does
    assert seen.array.tolist() == flag.array.tolist() == [0]
    assert seen.array.dtype == flag.array.dtype
    assert seen.array.flags.writeable  # machine code for arrays that cannot be written would be made anew
    flag.set()
    assert seen.array.tolist() == flag.array.tolist() == [1]
    flag.close()
    assert list(tmp_path.iterdir()) == []


def test_where_no_flag_can_be_written_games_go_on(tmp_path: Path) -> None:
    import pickle

    flag = stopping.Flag(tmp_path / "nowhere")
    assert pickle.loads(pickle.dumps(flag)).array.tolist() == [0]
    flag.set()
    assert flag.array.tolist() == [1]
    flag.close()


@posix
def test_the_first_ctrl_c_asks_and_the_second_one_interrupts() -> None:
    asked: list[int] = []
    with pytest.raises(KeyboardInterrupt), stopping.first_interrupt(lambda: asked.append(1)):
        signal.raise_signal(signal.SIGINT)
        assert asked == [1]
        signal.raise_signal(signal.SIGINT)
    assert asked == [1]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
