"""Batches: the same sums for any division of the work, and a clean end whatever happens."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest
from toy import CAREFUL, TOY

from sim.errors import UserError
from sim.game import Tallies
from sim.services import batch

MANY = 10_000
"""Games that take the sessions of these tests ten seconds, unless something stops them."""


class Scripted:
    """A session of one metric whose games take ``seconds`` each; it remembers what it was asked to play."""

    def __init__(self, seconds: float = 0.0, fails_at: int | None = None) -> None:
        self.seconds, self.fails_at = seconds, fails_at
        self.ranges: list[tuple[int, int]] = []
        self.running = self.most_running = 0
        self.lock = threading.Lock()

    def play(self, seed, first, count, stop):
        with self.lock:
            self.ranges.append((first, count))
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        tallies = Tallies.empty(1, 1)
        for game in range(first, first + count):
            if stop[0]:
                break
            if game == self.fails_at:
                raise RuntimeError("broken game")
            time.sleep(self.seconds)
            tallies.games += 1
            tallies.sums += game
        with self.lock:
            self.running -= 1
        return tallies


def play(session, games, threads=2, **more):
    return batch.play(session, 1, 1, 1, games, threads, **more)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunk", [1, 7, 100, 4096])
def test_every_game_is_played_once(threads, chunk):
    session = Scripted()
    tallies, outcome = play(session, 250, threads, first=30, chunk=chunk)
    bounds = [*range(30, 280, chunk), 280]
    assert sorted(session.ranges) == [(a, b - a) for a, b in zip(bounds, bounds[1:], strict=False)]
    assert tallies.games == 250
    assert (tallies.sums == sum(range(30, 280))).all()
    assert session.most_running <= threads
    assert not outcome.interrupted


def test_no_games_are_no_tallies():
    tallies, outcome = play(Scripted(), 0)
    assert (tallies.games, outcome.interrupted) == (0, False)
    assert (tallies.examples == -1).all()


class Meeting(Scripted):
    """A session that plays only once three threads are playing."""

    barrier = threading.Barrier(3, timeout=30)

    def play(self, *arguments):
        self.barrier.wait()
        return super().play(*arguments)


def test_threads_work_at_the_same_time():
    tallies, _ = play(Meeting(), 15, threads=3, chunk=5)
    assert tallies.games == 15


@pytest.mark.parametrize("bad", [{"games": -1}, {"threads": 0}, {"chunk": 0}, {"first": -1}])
def test_counts_that_make_no_sense_are_the_users_mistake(bad):
    with pytest.raises(UserError, match=f"{next(iter(bad))} is .*; it must be"):
        play(Scripted(), **{"games": 5, **bad})


def test_progress_is_told_in_the_calling_thread_and_not_too_often():
    told = []

    def progress(done, total):
        told.append((done, total, threading.current_thread()))

    started = time.perf_counter()
    play(Scripted(seconds=0.002), 300, chunk=10, progress=progress)
    seconds = time.perf_counter() - started
    done = [entry[0] for entry in told]
    assert done == sorted(done) and done[-1] == 300
    assert len(told) <= seconds / batch.PERIOD + 1
    assert len(told) > 1
    assert {entry[1:] for entry in told} == {(300, threading.current_thread())}


def interrupt_soon(session):
    """Raises the signal of Ctrl-C once games are being played."""

    def send():
        patience = time.monotonic() + 10
        while not session.ranges and time.monotonic() < patience:
            time.sleep(0.001)
        time.sleep(0.05)
        if session.ranges:
            signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


@pytest.mark.parametrize("chunk", [3, MANY])
def test_an_interrupt_keeps_what_was_played(chunk):
    session = Scripted(seconds=0.002)
    sender = interrupt_soon(session)
    started = time.perf_counter()
    tallies, outcome = play(session, MANY, chunk=chunk, first=1)
    sender.join()
    assert outcome.interrupted
    assert 0 < tallies.games < MANY
    assert time.perf_counter() - started < 30
    assert session.running == 0
    assert outcome.seconds > 0


def test_what_an_interrupt_keeps_is_whole():
    """With one thread the games kept are the first ones, each of them added once."""

    def progress(done, total):
        if done > 20:
            raise KeyboardInterrupt

    tallies, outcome = play(Scripted(seconds=0.001), MANY, threads=1, chunk=9, progress=progress)
    assert outcome.interrupted
    assert (tallies.sums == sum(range(tallies.games))).all()


def test_an_error_in_a_worker_stops_the_others():
    session = Scripted(seconds=0.001, fails_at=20)
    with pytest.raises(RuntimeError, match="broken game"):
        play(session, MANY, threads=3, chunk=50)
    assert sum(count for _, count in session.ranges) < MANY / 2


def test_an_error_in_progress_stops_the_workers():
    session = Scripted(seconds=0.001)

    def progress(done, total):
        raise RuntimeError("broken display")

    with pytest.raises(RuntimeError, match="broken display"):
        play(session, MANY, progress=progress, chunk=50)
    assert session.running == 0
    assert sum(count for _, count in session.ranges) < MANY / 2


def test_a_batch_equals_one_call_of_the_session():
    rules = TOY.resolve({})
    session = TOY.session(rules, {"default": CAREFUL})
    alone = session.play(3, 0, 200, np.zeros(1, np.uint8))
    together, _ = batch.play(session, len(TOY.metrics(rules)), len(TOY.endings(rules)), 3, 200, 2, chunk=16)
    for name, value in vars(alone).items():
        assert np.array_equal(value, getattr(together, name)), name
