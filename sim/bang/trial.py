"""The first games of strategies from files, in a program of their own: what goes wrong there harms nobody.

Every index is checked, and after each answer nothing may be changed of what the strategy was shown but its own dice.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from sim.bang.outside import CHANGED, PROGRAM
from sim.errors import UserError, shortened
from sim.game import Rules, Strategy

GAMES = 1000
SEED = 1
ENOUGH = 3
"""Settings of the same strategies that are tried in one program, such as a search, which begins with the limits."""

SECONDS = 60
"""What takes longer for these games, once it is compiled, will not come to an end."""

LONGEST = 500
_passed: dict[str, set[str]] = {}
"""By the digest of strategies without their weights: what has passed in this program, weights included."""

CHILD = "import sys; sys.path[:] = {path!r}; from sim.bang.trial import main; main()"


def require_passed(rules: Rules, strategies: Mapping[str, Strategy], folder: Path) -> None:
    """Plays the trial games, unless a file in the folder says that these have been played.

    Raises UserError for what went wrong in them. A program that plays the same strategies set in many ways tries the
    first ``ENOUGH`` of these.
    """
    digest, passed = _digest(rules, strategies), _passed.setdefault(_digest(rules, strategies, weights=False), set())
    if digest in passed or len(passed) >= ENOUGH:
        return
    mark = folder / f"tried_{digest}"
    if not mark.exists():
        wrong = _play(pickle.dumps((rules, dict(strategies))))
        if wrong:
            raise UserError(f"strategy {wrong}")
        with suppress(OSError):
            mark.touch()
    passed.add(digest)


def _digest(rules: Rules, strategies: Mapping[str, Strategy], weights: bool = True) -> str:
    told: list[Any] = [{name: str(value) for name, value in rules.values.items()}]
    for key, one in strategies.items():
        text = one.source.read_text(encoding="utf-8")
        told.append([key, text, one.function, one.weights if weights else (), one.mistakes])
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


def _play(setup: bytes) -> str:
    """What went wrong in the trial games, nothing if all went well."""
    program = CHILD.format(path=sys.path)
    done = subprocess.run([sys.executable, "-P", "-c", program], input=setup, capture_output=True)
    if done.returncode < 0:
        return f"in a file: it made the trial games crash (signal {-done.returncode})"
    if done.returncode > 0:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return f"in a file: the trial games could not be played: {shortened(last, LONGEST)}"
    return done.stdout.decode()


def main() -> None:
    """The program of the trial: reads the set-up from its input and writes what went wrong."""
    from sim.bang.session import Session

    output = os.dup(1)
    os.dup2(2, 1)  # what the file itself prints

    def end(wrong: str) -> None:
        os.write(output, wrong.encode())
        os._exit(0)

    rules, strategies = pickle.loads(sys.stdin.buffer.read())
    sys.unraisablehook = lambda raised: end(f"{names}: {_told(raised.exc_value)}")
    names = " or ".join(sorted({strategy.name for strategy in strategies.values() if strategy.module is None}))
    try:
        session = Session(rules, strategies, trial=True)
    except UserError as error:
        end(str(error).removeprefix("strategy "))
    late = f"{names}: {GAMES} trial games took over {SECONDS} s: is there a loop without an end, or does nobody attack?"
    watch = threading.Timer(SECONDS, end, [late])
    watch.daemon = True
    watch.start()
    session.play(SEED, 0, GAMES, np.zeros(1, np.uint8))
    end("")


def _told(error: BaseException | None) -> str:
    """An error that compiled code has raised, for its author."""
    if isinstance(error, IndexError):
        file, _, line = str(error).rpartition(":")
        file = Path(file).name
        where = f"line {line}" if file == f"{PROGRAM}.py" else f"{file} of the core, line {line}, called with"
        return f"{where}: an index out of bounds; indices go from 0 to one less than the size, none is negative"
    if isinstance(error, ValueError) and error.args[:1] == (CHANGED,):
        return f"it changed {error.args[1]}; a strategy may only read what it is shown, except for own.dice"
    return shortened(f"it raised {type(error).__name__}: {error}", LONGEST)
