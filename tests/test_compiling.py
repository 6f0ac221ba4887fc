"""Kernels that are missing are compiled at the same time, and only those."""

from __future__ import annotations

from typing import Any

import pytest

from sim.services import compiling, places


class Compiled:
    """A set-up that is compiled, or not yet."""

    def __init__(self, cold: bool) -> None:
        self.cold, self.here = cold, 0

    def session(self, told: Any = None) -> None:
        if self.cold and told is not None:
            told()
        self.cold = False
        self.here += 1


@pytest.mark.parametrize(
    ("cold", "processors", "beside"),
    [
        ([True, True, True], 4, [1, 2]),
        ([True, False, True], 4, [2]),
        ([False, True, False], 4, []),
        ([False, False], 4, []),
        ([True, True], 1, []),
    ],
)
def test_all_but_the_first_that_is_missing_is_compiled_by_a_process_of_its_own(monkeypatch, cold, processors, beside):
    sent: list[Any] = []
    closed: list[bool] = []

    class Place:
        def __init__(self, count: int, scheduler: str | None) -> None:
            assert 0 < count < processors and scheduler is None

        def submit(self, call: Any, setup: Any) -> None:
            sent.append(setup)

        def close(self, now: bool) -> None:
            closed.append(now)

    monkeypatch.setattr(places, "Processes", Place)
    monkeypatch.setattr(compiling, "MOST_PROCESSES", processors)
    setups, told = [Compiled(each) for each in cold], []
    compiling.prepare(setups, lambda: told.append(1))  # type: ignore[arg-type]
    assert [setups.index(each) for each in sent] == beside
    assert closed == [True] * bool(beside)
    # Those sent away are called here as well: that waits for the other process, or stands in for it.
    assert len(told) == sum(cold) and not any(each.cold for each in setups)
