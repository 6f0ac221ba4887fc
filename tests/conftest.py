"""What many tests use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


def without_compiling(told: str) -> str:
    """What a program told, but for the line that it compiles: that depends on what ran before."""
    return re.sub("^Compiling .*\n", "", told)


@pytest.fixture(autouse=True, scope="session")
def few_kernels() -> Iterator[None]:
    """Has the kernels of this process hold all strategies of ours: each takes a minute to compile, so tests share few.

    Strategies that nobody plays change nothing in a game. Commands that tests start as programs compile their own, and
    so would processes that compile for this one.
    """
    from sim.bang import session
    from sim.services import compiling, registry

    ours = tuple(session._program(registry.strategy("bang", name)) for name in registry.strategy_names("bang"))
    usual = session.Players.__init__

    def with_all(self: session.Players, strategies: Mapping[str, Any]) -> None:
        usual(self, strategies)
        if self.programs and set(self.programs) <= set(ours):
            self.programs = ours

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session.Players, "__init__", with_all)
        patch.setattr(compiling, "MOST_PROCESSES", 1)
        yield


@pytest.fixture
def scofflaw(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command line in this process: ``scofflaw("run", "--games", 100)``."""
    from sim.cli.app import app

    def command(*words: object) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app([str(word) for word in words], prog_name="scofflaw")
        code = ended.value.code
        return Answer(code if isinstance(code, int) else 0, *capsys.readouterr())

    return command
