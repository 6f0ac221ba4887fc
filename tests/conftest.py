"""What many tests use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


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
