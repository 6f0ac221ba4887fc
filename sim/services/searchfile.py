"""The file of a search: what was asked, and every measurement so far, so that it can go on where it stopped.

A search asks for its measurements one after the other, and what it asks for depends on the answers alone. So it is
taken up by asking anew from the beginning: what is in the file is answered from there, and only what is not is played.
The file is replaced as a whole after each measurement.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.errors import UserError
from sim.files import check_writable, write_whole
from sim.services.climbing import Measure
from sim.services.evolution import Values
from sim.services.paired import PARTS, Pairs

SCHEMA, COMMAND = 1, "bestresponse"
SHOWN = 3
"""Differences that a message tells."""


@dataclass(frozen=True)
class Measured:
    """One measurement: what was asked for, and what came out."""

    base: Values
    others: tuple[Values, ...]
    first: int
    pairs: Pairs

    def to_json(self) -> dict[str, Any]:
        """As the file has it: the values of the weights, the first game and how many, and the sums of ``Pairs``."""
        return {
            "first": self.first,
            "games": self.pairs.games,
            "base": list(self.base),
            "others": [list(values) for values in self.others],
            "sums": self.pairs.sums.tolist(),
            "products": self.pairs.products.tolist(),
            "differing": self.pairs.differing.tolist(),
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Measured:
        """Raises KeyError, TypeError or ValueError for what is no such measurement."""
        others = tuple(_whole_numbers(values) for values in found["others"])
        k = len(others)
        shapes = {"sums": (k, PARTS), "products": (k, PARTS, PARTS), "differing": (k,)}
        arrays = {name: np.array(found[name]) for name in shapes}
        if any(arrays[name].shape != shape or arrays[name].dtype != np.int64 for name, shape in shapes.items()):
            raise ValueError("sums of another shape")
        first, games = _whole_numbers([found["first"], found["games"]])
        return cls(_whole_numbers(found["base"]), others, first, Pairs(**arrays, games=games))

    def asks(self, base: Values, others: Sequence[Values], first: int, games: int) -> bool:
        """Whether it is what is asked for."""
        return (base, tuple(others), first, games) == (self.base, self.others, self.first, self.pairs.games)


class SearchFile:
    """Answers a search from the file at ``path`` as far as that goes, and then by ``measure``; itself a ``Measure``.

    ``settings`` is all that the measurements depend on, by name. A file that is there must have been begun with the
    same. ``finished``: it has the result as well. Raises UserError, for files that cannot be read or written, or hold
    something else; nothing is written then.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any], measure: Measure) -> None:
        check_writable(path, "--out")
        self.path = path
        self._settings = dict(settings)
        self._measure = measure
        self._measured: list[Measured] = []
        self._seconds, self.finished = 0.0, False
        if path.exists():
            self._measured, self._seconds, self.finished = _read(path, self._settings)
        self._asked = 0
        self._began = time.perf_counter()
        self._check_repeats()

    @property
    def played(self) -> int:
        """Games in the file, a game by several players counting for each of them."""
        return sum(one.pairs.games * (1 + len(one.others)) for one in self._measured)

    @property
    def seconds(self) -> float:
        """How long it took so far, the times before it was taken up included."""
        return self._seconds + time.perf_counter() - self._began

    def __call__(self, base: Values, others: Sequence[Values], first: int, games: int) -> Pairs:
        """See ``climbing.Measure``. Raises UserError, and KeyboardInterrupt when the measurement was interrupted."""
        if self._asked == len(self._measured):
            pairs = self._measure(base, others, first, games)
            self._measured.append(Measured(base, tuple(others), first, pairs))
            self._write(None)
        one = self._measured[self._asked]
        if not one.asks(base, others, first, games):
            raise UserError(
                f"{self.path}: measurement {self._asked + 1} is not the one that this search asks for; it was begun on "
                f"another machine, or with another version of numpy or cmaes: end it there, or begin anew with --out"
            )
        self._asked += 1
        return one.pairs

    def finish(self, result: Mapping[str, Any]) -> None:
        """Writes the result behind the measurements, unless it is there."""
        if not self.finished:
            self._write(result)
        self.finished = True

    def _write(self, result: Mapping[str, Any] | None) -> None:
        content = {
            "schema": SCHEMA,
            "command": COMMAND,
            "settings": self._settings,
            "seconds": self.seconds,
            "measured": [one.to_json() for one in self._measured],
            "result": result,
        }
        write_whole(self.path, json.dumps(content, ensure_ascii=False, allow_nan=False).encode())

    def _check_repeats(self) -> None:
        """Plays a part of the last measurement again: cards and strategies may have changed under their names."""
        if not self._measured:
            return
        last = self._measured[-1]
        again = self._measure(last.base, last.others[:1], last.first, last.pairs.games)
        if not np.array_equal(again.sums, last.pairs.sums[:1]):
            raise UserError(
                f"{self.path}: its games come out otherwise today; a strategy, the cards or the program have changed "
                f"since: begin anew with another --out"
            )


def _whole_numbers(values: Sequence[Any]) -> Values:
    if not all(type(value) is int for value in values):
        raise ValueError("not whole numbers")
    return tuple(values)


def _read(path: Path, settings: Mapping[str, Any]) -> tuple[list[Measured], float, bool]:
    """The measurements of a file, how long they took, and whether it has a result. Raises UserError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if (content["command"], content["schema"]) != (COMMAND, SCHEMA):
            raise ValueError("another command")
        there, seconds = dict(content["settings"]), float(content["seconds"])
        measured = [Measured.from_json(one) for one in content["measured"]]
        finished = content["result"] is not None
    except OSError as error:
        raise UserError(f"--out: {path}: it cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UserError(
            f"--out: {path} is there and is no whole file of a search; nothing was written: "
            f"name another file, or remove this one"
        ) from None
    differing = list(_differing(there, json.loads(json.dumps(settings))))
    if differing:
        more = f" (and {len(differing) - SHOWN} more)" if len(differing) > SHOWN else ""
        raise UserError(
            f"--out: {path} holds another search: {'; '.join(differing[:SHOWN])}{more}; "
            f"name another file, or remove this one"
        )
    return measured, seconds, finished


def _differing(there: Mapping[str, Any], here: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """What is not the same in two trees of settings."""
    for name in dict.fromkeys((*there, *here)):
        one, other = there.get(name), here.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _differing(one, other, f"{name} ")
        elif one != other:
            yield f"{above}{name} is {_said(one)} there and {_said(other)} here"


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "nothing" if value is None else str(value)
