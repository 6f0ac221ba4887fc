"""Runs scenario files: a position, a list of decisions, the expected outcome.

The game lays out the position and judges the outcome; the script is followed here, for every game in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.documents import Document, read_document, validate
from sim.errors import UserError, nearest
from sim.game import Compiling, Position, Shown, Table
from sim.notation import Choice, Option, Question, parse
from sim.services import registry

MOST_SEEDS = 1_000_000
"""Seeds that one scenario may be replayed with."""

SIGNS = frozenset({"title", "cites", "game", "stop", "do", "seat", "piles", "start", "effect", "expect"})
"""Keys that a file has only if it was meant as a scenario."""

MOST_SHOWN = 60
"""Options that a message lists."""


class Step(BaseModel):
    """One ``[[do]]`` of a script."""

    model_config = ConfigDict(strict=True, extra="forbid")

    seat: int = Field(ge=0)
    choose: str
    refuse: list[str] = []
    offer: list[str] = []
    kind: str | None = None
    if_offered: bool = False


class Script(BaseModel):
    """The part of a scenario file that is the same for all games."""

    model_config = ConfigDict(strict=True, extra="forbid")

    title: str
    cites: list[str] = []
    game: str
    seed: int = Field(1, ge=0, lt=2**63)
    stop: Literal["turn", "after_script"] = "turn"
    do: list[Step] = []


@dataclass(frozen=True)
class Verdict:
    """How one scenario file did. ``message``: what went wrong, with the place; empty if it passed."""

    path: str
    title: str
    outcome: Literal["passed", "failed", "invalid"]
    message: str = ""


class ScriptError(Exception):
    """The game went otherwise than the script says."""


@dataclass(frozen=True)
class Scenario:
    """A scenario file, valid and ready to run."""

    document: Document
    script: Script
    position: Position
    patterns: tuple[Choice, ...]

    def run(self, seed: int) -> None:
        """Plays the script and looks at the outcome. Raises ScriptError."""
        table = self.position.table(seed)
        _Run(self, table).play()
        if unmet := self.position.unmet(table):
            raise ScriptError(f"{self.document.place('expect')}: " + "; ".join(unmet))


def read_scenario(document: Document, compiling: Compiling | None = None) -> Scenario:
    """The scenario in a TOML file. Raises UserError with the line of each mistake."""
    data = document.data
    if "seat" not in data:
        raise _no_seat(document)
    game = _game(document)
    keys = {key: value for key, value in data.items() if key not in game.scenario_keys or key in Script.model_fields}
    script = validate(Script, keys, document, others=game.scenario_keys)
    position = game.position(document, compiling)
    patterns = tuple(_parsed(document, position, "do", i, "choose", text=s.choose) for i, s in enumerate(script.do))
    for i, step in enumerate(script.do):
        for key in ("refuse", "offer"):
            for text in getattr(step, key):
                _parsed(document, position, "do", i, key, text=text)
        if step.seat >= len(data["seat"]):
            raise UserError(f"{document.place('do', i, 'seat')}: there is no seat {step.seat}")
    return Scenario(document, script, position, patterns)


def _no_seat(document: Document) -> UserError:
    if close := nearest("seat", document.data, 1):
        place = document.place(close[0])
        return UserError(f"{place}: there is no [[seat]]; did you mean [[seat]] where {close[0]!r} is?")
    return UserError(f"{document.path}: this is no scenario: it has no [[seat]]")


def run_scenarios(
    paths: Iterable[str | Path], seeds: int = 1, compiling: Compiling | None = None
) -> list[Verdict]:
    """Runs the files that ``scenario_files`` finds. Raises UserError like it and ``run_file``."""
    return [run_file(path, seeds, compiling) for path in scenario_files(paths)[0]]


def run_file(path: str | Path, seeds: int = 1, compiling: Compiling | None = None) -> Verdict:
    """Runs a file with ``seeds`` seeds: the one in the file, and the numbers after it.

    A file that is not valid has the outcome ``invalid``. Raises UserError for a number of seeds that makes no sense.
    """
    if not 1 <= seeds <= MOST_SEEDS:
        raise UserError(f"seeds is {seeds}; it must be 1 or more, at most {MOST_SEEDS:,}")
    title = ""
    try:
        document = read_document(path)
        title = str(document.data.get("title", ""))
        scenario = read_scenario(document, compiling)
        for seed in range(scenario.script.seed, scenario.script.seed + seeds):
            try:
                scenario.run(seed)
            except ScriptError as failure:
                note = f" (with seed {seed})" if seeds > 1 else ""
                return Verdict(str(path), title, "failed", f"{failure}{note}")
    except UserError as error:
        return Verdict(str(path), title, "invalid", str(error))
    return Verdict(str(path), title, "passed")


def scenario_files(paths: Iterable[str | Path]) -> tuple[list[Path], list[Path]]:
    """The files to run, and the TOML files in folders that are no scenarios.

    Folders are searched with the folders in them. What is in a folder counts if it has any key of a scenario, or cannot
    be read; what is named itself always does. Raises UserError for a path that is not there, and for a folder without
    scenarios.
    """
    files: list[Path] = []
    others: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".toml" and not file.is_dir())
            scenarios = [file for file in found if _is_scenario(file)]
            if not scenarios:
                raise UserError(f"{path}: there is no scenario in this folder")
            files += scenarios
            others += [file for file in found if file not in scenarios]
        elif path.exists():
            files.append(path)
        else:
            raise UserError(f"{path}: there is no such file or folder")
    return files, others


def _is_scenario(path: Path) -> bool:
    try:
        return not SIGNS.isdisjoint(read_document(path).data)
    except UserError:
        return True


def _game(document: Document) -> Shown:
    name = document.data.get("game")
    if not isinstance(name, str):
        raise UserError(f'{document.place("game")}: the name of the game is missing, for example game = "bang"')
    try:
        found = registry.game(name)
    except UserError as error:
        raise UserError(f"{document.place('game')}: {error}") from None
    if not isinstance(found, Shown):
        raise UserError(f"{document.place('game')}: {found.title} has no scenarios")
    return found


def _parsed(document: Document, position: Position, *key: str | int, text: str) -> Choice:
    try:
        choice = parse(text)
        position.check_choice(choice)
        return choice
    except UserError as error:
        raise UserError(f"{document.place(*key)}: {error}") from None


class _Run:
    """One play of a script."""

    def __init__(self, scenario: Scenario, table: Table) -> None:
        self._scenario = scenario
        self._table = table
        self._next = 0

    def play(self) -> None:
        """Plays until the script and the turn are done. Raises ScriptError."""
        after_script = self._scenario.script.stop == "after_script"
        while True:
            question = self._table.question()
            if question is None:
                if not self._goes_on():
                    break
                self._table.next_turn()
            elif self._left == 0:
                # A question that needs no step is no stop either.
                if after_script and question.needs_step:
                    return
                self._table.answer(question.passive())
            else:
                self._follow(question)
        if self._left > 0 and not self._all_optional(self._next):
            raise ScriptError(f"{self._place()}: the game is over, but the script has steps left")

    @property
    def _steps(self) -> Sequence[Step]:
        return self._scenario.script.do

    @property
    def _left(self) -> int:
        return len(self._steps) - self._next

    def _goes_on(self) -> bool:
        """Whether the turn that is over is not the last one of the run: steps are left that will be answered."""
        if self._left == 0 or self._table.is_over:
            return False
        return not self._all_optional(self._next) or self._some_offered()

    def _all_optional(self, first: int) -> bool:
        return all(step.if_offered for step in self._steps[first:])

    def _some_offered(self) -> bool:
        """Whether the first question of the next turn takes one of the steps that may be skipped."""
        ahead = self._table.copy()
        ahead.next_turn()
        question = ahead.question()
        return question is not None and any(self._takes(i, question) for i in range(self._next, len(self._steps)))

    def _takes(self, i: int, question: Question) -> bool:
        """Whether step i is a legal answer to a question."""
        step = self._steps[i]
        return (
            step.seat == question.seat
            and step.kind in (None, *question.kinds)
            and bool(question.fitting(self._scenario.patterns[i]))
        )

    def _follow(self, question: Question) -> None:
        """Answers a question with the next step, or passes over the step or the question. Raises ScriptError."""
        step = self._steps[self._next]
        if not question.needs_step and not self._takes(self._next, question):
            self._table.answer(question.passive())
        elif step.if_offered and not self._takes(self._next, question):
            self._next += 1
        else:
            self._answer(step, question)
            self._next += 1

    def _answer(self, step: Step, question: Question) -> None:
        kind = question.kinds[0]
        if step.seat != question.seat:
            raise self._failure(f"it is for seat {step.seat}, but seat {question.seat} is asked ({kind})", question)
        if step.kind not in (None, *question.kinds):
            raise self._failure(f"its kind is {step.kind}, but the question is of kind {kind}", question)
        for text in step.refuse:
            if fitting := question.fitting(parse(text)):
                raise self._failure(f"{text!r} must not be offered, but {fitting[0].text!r} is", question)
        for text in step.offer:
            if not question.fitting(parse(text)):
                raise self._failure(f"{text!r} must be offered, but is not", question)
        pattern = self._scenario.patterns[self._next]
        fitting = question.fitting(pattern)
        if not fitting:
            raise self._failure(f"{step.choose!r} is no legal answer", question)
        if len(fitting) > 1:
            raise self._failure(f"{step.choose!r} fits {len(fitting)} options: {_listed(fitting)}", question)
        self._table.answer(fitting[0], pattern)

    def _failure(self, what: str, question: Question) -> ScriptError:
        return ScriptError(f"{self._place()}: {what}; options of seat {question.seat}: {_listed(question.options)}")

    def _place(self) -> str:
        return f"{self._scenario.document.place('do', self._next)}: step {self._next + 1}"


def _listed(options: Sequence[Option]) -> str:
    more = f", … ({len(options)} in all)" if len(options) > MOST_SHOWN else ""
    return ", ".join(option.text for option in options[:MOST_SHOWN]) + more
