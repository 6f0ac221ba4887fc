"""The line between a game and the services.

A game package (``sim.bang``, …) declares what it is (parameters, endings, metrics, decisions, scenario keys,
card tables) and plays ranges of games into integer tallies. The services (batch execution, statistics,
scenarios, reports) know a game only through the protocols of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sim.documents import Document
from sim.notation import Choice, Option, Question
from sim.parameters import Parameter

Compiling = Callable[[], None]
"""Called before machine code is made, which takes long enough for a message."""

EXAMPLES_KEPT = 3
"""Game numbers kept for each ending, the lowest first."""

Y, X, YY, XY, XX = range(5)
"""Columns of ``Tallies.sums``: over games, the sums of numerator y, denominator x and their products."""

ENDING = "ending"
"""Group of the metrics ``ending.<name>``."""

ROW_SHARES = "row_shares"
"""Unit of a table of counts of which each is a part of its row."""

SHARE = "share"
"""Unit of a metric that is a part of a whole: in each game 0 ≤ numerator ≤ denominator."""


class Fault(AssertionError):
    """Checked mode found a state that makes no sense: a defect of the program, never of the user.

    ``game`` and ``seed`` tell in which game, ``what`` tells what is wrong.
    """

    def __init__(self, seed: int, game: int, what: str) -> None:
        super().__init__(seed, game, what)
        self.seed = seed
        self.game = game
        self.what = what

    def __str__(self) -> str:
        return f"game {self.game} of seed {self.seed}: {self.what}"


@dataclass(frozen=True)
class Metric:
    """A rate or mean: per game a numerator y and a denominator x, both integers; the estimate is Σy / Σx.

    ``group`` sorts metrics for people: ``ending``, ``role``, ``team``, ``character``, ``seat`` (win rates) or ``game``.
    """

    name: str
    group: str
    unit: str
    numerator: str
    denominator: str


@dataclass(frozen=True)
class Decision:
    """A kind of question that is put to a player, with the verbs of its options and a plain meaning."""

    kind: str
    verbs: tuple[str, ...]
    meaning: str


@dataclass
class Tallies:
    """Integer sums over games, exact and independent of the order in which they are added.

    ``sums`` int64 (metrics, 5): see ``Y`` … ``XX``. ``examples`` int64 (endings and moments, EXAMPLES_KEPT): the
    lowest game numbers of each, −1 where there is none. The others are counts.
    """

    sums: np.ndarray
    examples: np.ndarray
    games: int = 0
    unfinished: int = 0
    illegal: int = 0
    decisions: int = 0
    turns: int = 0

    @classmethod
    def empty(cls, metrics: int, examples: int) -> Tallies:
        return cls(np.zeros((metrics, 5), np.int64), np.full((examples, EXAMPLES_KEPT), -1, np.int64))

    def add(self, other: Tallies) -> None:
        """Adds the games of another range, in place. The ranges must not overlap."""
        self.sums += other.sums
        both = np.concatenate([self.examples, other.examples], axis=1)
        both = np.where(both < 0, np.iinfo(np.int64).max, both)
        both.sort(axis=1)
        kept = both[:, :EXAMPLES_KEPT]
        self.examples = np.where(kept == np.iinfo(np.int64).max, -1, kept)
        self.games += other.games
        self.unfinished += other.unfinished
        self.illegal += other.illegal
        self.decisions += other.decisions
        self.turns += other.turns


@dataclass(frozen=True)
class CountTable:
    """How a table of counts of what players did is read: ``rows`` × ``columns`` whole numbers.

    ``keys`` say what the parts of a row's name are. ``unit``: SHARE where the second column is counted out of the
    first; ROW_SHARES where each column is a part of its row; otherwise what the second column counts, some to one of
    the first. ``never`` are the words for rows that have the first count and not the second.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    unit: str
    never: str = ""


@dataclass
class Counts:
    """What ``Habits.count`` leaves: the tallies of the games, and int64 (rows, columns) for each table."""

    tallies: Tallies
    tables: list[np.ndarray]
    games: int = 0

    @classmethod
    def empty(cls, metrics: int, examples: int, tables: Sequence[CountTable]) -> Counts:
        zeros = [np.zeros((len(table.rows), len(table.columns)), np.int64) for table in tables]
        return cls(Tallies.empty(metrics, examples), zeros)

    def add(self, other: Counts) -> None:
        """Adds the games of another range, in place. The ranges must not overlap."""
        self.tallies.add(other.tallies)
        self.games += other.games
        for table, more in zip(self.tables, other.tables, strict=True):
            table += more


@dataclass(frozen=True)
class Weight:
    """A number by which a strategy can be tuned; ``least`` ≤ value ≤ ``most``."""

    name: str
    default: int
    least: int
    most: int
    meaning: str


@dataclass(frozen=True)
class Strategy:
    """A scripted player: a name, the file that holds its source and the function in it, and how it is set.

    ``module`` is its Python module if it is installed (other modules of its package may be parts of it), None for a
    file of the user's. ``weights`` are values in the order of the declaration; ``mistakes`` is the share of decisions
    that chance takes instead; ``changed`` has what the user set, as he wrote it.
    """

    name: str
    source: Path
    function: str
    module: str | None = None
    weights: tuple[int, ...] = ()
    mistakes: float = 0.0
    changed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """How the strategy is named on the command line, for example ``standard,patience=8``."""
        return ",".join((self.name, *self.changed))


@dataclass(frozen=True)
class Rules:
    """The resolved rules of one set-up: every parameter has a value.

    ``named`` are the parameters that the user set; the others have the default of the preset.
    """

    preset: str
    expansions: tuple[str, ...]
    values: Mapping[str, Any]
    named: frozenset[str] = field(default_factory=frozenset)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


class Session(Protocol):
    """One compiled set-up: rules and strategies, ready to play."""

    def play(self, seed: int, first: int, count: int, stop: np.ndarray) -> Tallies:
        """Plays games first … first + count − 1 of a master seed.

        The result depends on nothing but the set-up, the seed and the range. May be called from several threads at
        once; the interpreter lock is released while games run. ``stop`` (uint8, one element): once it is not zero,
        play ends after the game under way, and the tallies hold the games finished so far. Raises Fault in checked
        mode.
        """
        ...

    def each(
        self, seed: int, first: int, count: int, stop: np.ndarray, rows: Sequence[int]
    ) -> tuple[Tallies, np.ndarray]:
        """``play``, and the games one by one: numerator and denominator of some metrics, int64 (games played, rows, 2).

        ``rows`` are places in ``Game.metrics``.
        """
        ...


@runtime_checkable
class Table(Protocol):
    """One game laid out for people: played decision by decision, from a position."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        ...

    def question(self) -> Question | None:
        """The question now put to a player, or None when the turn or the game is over."""
        ...

    def answer(self, option: Option, pattern: Choice | None = None) -> None:
        """Answers the question with one of its options; what is paid goes in the order that the pattern names."""
        ...

    def next_turn(self) -> None:
        """Begins the next turn, once a turn is over; there may be none, and then the game is over."""
        ...

    def copy(self) -> Table:
        """The same game, to be played on without consequences for this one."""
        ...


class Position(Protocol):
    """What a scenario file says about a game: where it stands, and what is expected in the end."""

    def table(self, seed: int) -> Any:
        """The position laid out (``Table``); the seed fixes what no file says, such as the rest of a pile."""
        ...

    def unmet(self, table: Any) -> list[str]:
        """Sentences for what is expected and not so on this table; none if all is as expected."""
        ...

    def check_choice(self, choice: Choice) -> None:
        """Raises UserError for a decision or pattern that names what the game does not have."""
        ...


@dataclass(frozen=True)
class Line:
    """One line of a trace. ``decision``: its number, from 1, if it is a decision that somebody was asked for."""

    text: str
    decision: int | None = None


class Recording(Protocol):
    """One game of a seed, played by its strategies and written down."""

    def lines(self) -> Sequence[Line]:
        """What happened, an event a line."""
        ...

    def saved(self, decision: int) -> Iterator[Mapping[str, Any]]:
        """Scenarios, as the data of their files, that should each reproduce the rest of the turn of a decision.

        They begin where play can be taken up, at the decision or before it. Raises UserError for a decision that the
        game does not have or that belongs to no turn.
        """
        ...


class Habits(Protocol):
    """What the players of one set-up do with their chances, counted game by game."""

    tables: Sequence[CountTable]

    def count(self, seed: int, first: int, count: int, stop: np.ndarray) -> Counts:
        """Plays the games that ``Session.play`` plays, slower, and counts. Otherwise as there."""
        ...


@runtime_checkable
class Game(Protocol):
    """What a game package gives to the services."""

    name: str
    title: str
    rules_version: int
    decisions: Sequence[Decision]
    scenario_keys: frozenset[str]
    expansions: Sequence[str]

    def parameters(self) -> Sequence[Parameter]:
        """Every switchable rule."""
        ...

    def resolve(self, settings: Mapping[str, Any]) -> Rules:
        """Rules from the user's settings (strings or typed values). Raises UserError."""
        ...

    def endings(self, rules: Rules) -> Sequence[str]:
        """Names of the endings; exactly one holds for each game."""
        ...

    def moments(self, rules: Rules) -> Sequence[str]:
        """What besides the endings ``Tallies.examples`` has rows for, after those of the endings."""
        ...

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        """What is counted, one row of ``Tallies.sums`` each. The metrics ``ending.<name>`` are among them."""
        ...

    def funnels(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        """Roads that few go to their end: by title, the metrics of the steps, first to last. Charts show them."""
        ...

    def notes(self, rules: Rules) -> Sequence[str]:
        """What whoever reads results by these rules should know, a sentence each: what in them is assumed."""
        ...

    def subjects(self, rules: Rules) -> Mapping[str, str]:
        """What people ask for first: by metric, whom it tells of, as a sentence says it (``the law``)."""
        ...

    def assumptions(self, rules: Rules) -> Mapping[str, Mapping[str, Sequence[Any]]]:
        """What of these rules is no part of the design but a guess about it.

        By what is guessed, in a word (``decks``): parameters, each with values besides its own that may be true as
        well. A result should hold for all of them.
        """
        ...

    def card_tables(self, rules: Rules) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The cards in use as rows for people, by deck."""
        ...

    def strategy_keys(self, rules: Rules | None = None) -> Sequence[str]:
        """What a strategy can be set for, under these rules or any: ``default``, then roles.

        A key ``PART.ROLE`` is for a part of the decisions of a role, which goes before the key of the role.
        """
        ...

    def session(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        checked: bool = False,
        compiling: Compiling | None = None,
    ) -> Session:
        """A compiled set-up. ``strategies`` maps ``default`` and other ``strategy_keys`` to strategies.

        Strategies that nobody plays, all roles having their own, go into the machine code as well, so that set-ups to
        be compared can share it. ``checked``: every state is tested, slower, with the same results. ``compiling`` is
        called if no machine code is there yet, before it is made. Raises UserError.
        """
        ...


@runtime_checkable
class Shown(Game, Protocol):
    """What a game package gives besides, if its games can be laid out for people.

    ``new_files``: by kind, what users begin a file of their own with: some files, one behind the other. ``{file}`` in
    them stands for the path of the file, ``{name}`` for its name without folder and ending.
    """

    new_files: Mapping[str, Sequence[Path]]

    def position(self, document: Document, compiling: Compiling | None = None) -> Position:
        """The game's part of a scenario file. Raises UserError with the line of each mistake."""
        ...

    def recording(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        seed: int,
        number: int,
        compiling: Compiling | None = None,
    ) -> Recording:
        """Game ``number`` of a master seed, the same that ``Session.play`` plays."""
        ...

    def habits(self, rules: Rules, strategies: Mapping[str, Strategy], compiling: Compiling | None = None) -> Habits:
        """What scripted players do with their chances. The arguments are those of ``session``."""
        ...
