"""Experiment files: one question, asked by one set-up, a sweep of them, or comparisons."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sim.documents import Document, read_document, validate
from sim.errors import UserError, shortened, unknown
from sim.game import SHARE, Game, Metric
from sim.services import design, precision, registry
from sim.services.batch import DEFAULT_GAMES, MOST_GAMES, MOST_SEED, check_number
from sim.services.differences import CORRECTIONS
from sim.services.results import STRATEGIES
from sim.services.setups import Setup, setup
from sim.services.written import values_text

MOST_CELLS = 1_000_000
MOST_LISTED = 100_000


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Precision(_Table):
    """How many games a cell has: ``games``, or until ``metric``, by default every ending, is known so exactly."""

    games: int | None = Field(None, ge=1, le=MOST_GAMES, description="games a cell")
    half_width: str | None = Field(None, description="play until the 95 % interval is so wide on each side: 0.2pp")
    metric: str | None = Field(None, description="the metric of half_width; every ending by default")
    max_games: int | None = Field(None, ge=1, le=MOST_GAMES, description="at most so many games a cell")


class Compare(_Table):
    """What the baseline of each cell has otherwise than the cell."""

    rules: dict[str, Any] = Field({}, description="rules of the baseline that differ from those of the cell")
    strategies: dict[str, Any] = Field({}, description="strategies of the baseline that differ from those of the cell")


class Goal(_Table):
    """What the designer is after: a metric that is to meet a number, or to be as high or low as can be."""

    metric: str
    target: Annotated[float, Field(allow_inf_nan=False)] | Literal["highest", "lowest"]
    racing: bool = Field(False, description="cells that cannot matter any more stop early")


class Report(_Table):
    """What the report shows first."""

    metrics: list[str] = []
    heatmap: list[str] = []
    listed_games: int = Field(
        0, ge=0, le=MOST_LISTED, description="games of each cell that are also listed one by one, in games/CELL.parquet"
    )
    correction: Literal["holm", "bh"] = Field(
        next(iter(CORRECTIONS)), description="correction of p-values over the cells"
    )


class File(_Table):
    """An experiment file as it is written."""

    question: str = Field(description="the question in a sentence")
    game: str = "bang"
    seed: int = Field(1, ge=0, le=MOST_SEED, description="master seed, the same for all cells, so that they are paired")
    independent: bool = Field(False, description="each cell has a seed of its own")
    precision: Precision = Precision()
    rules: dict[str, Any] = {}
    strategies: dict[str, Any] = {}
    sweep: dict[str, Any] = {}
    compare: Compare | None = None
    goal: Goal | None = None
    report: Report = Report()


@dataclass(frozen=True)
class Cell:
    """One set-up of an experiment: its place, the swept values, and the set-up that it is compared with."""

    number: int
    values: Mapping[str, Any]
    setup: Setup
    seed: int
    baseline: Setup | None = None


@dataclass(frozen=True)
class Experiment:
    """An experiment as resolved: ``file`` with every default, and its cells in the order of the sweep."""

    name: str
    file: File
    game: Game
    swept: tuple[str, ...]
    cells: Sequence[Cell]
    wanted: precision.Target | None
    games: int

    @cached_property
    def kinds(self) -> dict[str, str]:
        """By swept setting the type that all its values have: ``bool``, ``int``, ``float``, else ``text``."""
        found: dict[str, set[type]] = {name: set() for name in self.swept}
        for cell in self.cells:
            for name, value in cell.values.items():
                found[name].add(type(value))
        known = {frozenset([bool]): "bool", frozenset([int]): "int", frozenset([float]): "float"}
        known[frozenset([int, float])] = "float"
        return {name: known.get(frozenset(types), "text") for name, types in found.items()}

    @property
    def resolved(self) -> dict[str, Any]:
        """The file as plain data, every default included."""
        return self.file.model_dump(mode="json")


def read(path: Path, games: int | None = None, seed: int | None = None) -> Experiment:
    """The experiment of a file; ``games`` and ``seed`` replace those that it names.

    Raises UserError with the line of each mistake.
    """
    return _resolved(read_document(path), path, games, seed)


def of_tables(data: Mapping[str, Any], name: str, games: int | None = None, seed: int | None = None) -> Experiment:
    """The experiment of the same tables without a file. Raises UserError."""
    document = Document("", name)
    document.data = _plain(data, name)
    return _resolved(document, Path(name), games, seed)


def _resolved(document: Document, path: Path, games: int | None, seed: int | None) -> Experiment:
    file = validate(File, document.data, document)
    if seed is not None:
        check_number("seed", seed, 0, MOST_SEED)
        file = file.model_copy(update={"seed": int(seed)})
    if games is not None:
        check_number("games", games, 1, MOST_GAMES)
        few = {"games" if file.precision.half_width is None else "max_games": int(games)}
        file = file.model_copy(update={"precision": file.precision.model_copy(update=few)})
    return _Resolver(document, file, path).experiment()


def shared_metrics(game: Game, cell: Cell) -> dict[str, Metric]:
    """By name, the metrics that a cell and its baseline both have; none without a baseline."""
    if cell.baseline is None:
        return {}
    there = {metric.name for metric in game.metrics(cell.baseline.rules)}
    return {metric.name: metric for metric in game.metrics(cell.setup.rules) if metric.name in there}


def schema() -> dict[str, Any]:
    """The JSON schema of experiment files, for editors."""
    return File.model_json_schema()


class _Resolver:
    """Turns a file into cells, and mistakes into sentences with their line."""

    def __init__(self, document: Document, file: File, path: Path) -> None:
        self.document, self.file, self.path = document, file, path
        self.folder = path.parent
        try:
            self.game = registry.game(file.game)
        except UserError as error:
            raise self._error(error, "game") from None

    def experiment(self) -> Experiment:
        points = self._points()
        cells = [self._cell(number, values) for number, values in enumerate(points)]
        if self.file.compare is not None and all(c.baseline and c.baseline.content == c.setup.content for c in cells):
            raise self._error(UserError("the baseline is the same as the cell; change a rule or a strategy"), "compare")
        metrics = self._metrics(cells)
        file = self.file
        goal = () if file.goal is None else (("goal", file.goal.metric),)
        for table, name in (*(("report", name) for name in file.report.metrics), *goal):
            if name not in metrics:
                raise self._error(unknown("metric", name, metrics), table, "metrics" if table == "report" else "metric")
        self._check_goal(metrics)
        swept = tuple(points[0])
        for name in file.report.heatmap:
            if name not in swept:
                raise self._error(unknown("swept setting", name, swept), "report", "heatmap")
        if len(file.report.heatmap) != len(set(file.report.heatmap)) or len(file.report.heatmap) not in (0, 2):
            raise self._error(UserError("a heat map has two swept settings, one to each side"), "report", "heatmap")
        if file.goal is not None and file.goal.racing and file.precision.half_width is not None:
            raise self._error(
                UserError("racing plays until cells are told apart; leave half_width out"), "goal", "racing"
            )
        if file.precision.metric in metrics:
            self._everywhere(file.precision.metric, cells, "precision")
        if file.goal is not None and file.goal.racing:
            self._everywhere(file.goal.metric, cells, "goal")
        wanted, games = self._precision(cells[0])
        return Experiment(self.path.stem, file, self.game, swept, cells, wanted, games)

    def _points(self) -> Sequence[Mapping[str, Any]]:
        try:
            points = design.points(self.file.sweep, self.file.seed)
        except UserError as error:
            raise self._error(error, "sweep", *self._mentioned(error, self.file.sweep)) from None
        if len(points) > MOST_CELLS:
            raise self._error(
                UserError(f"the sweep has {len(points):,} cells; at most {MOST_CELLS:,} are played"), "sweep"
            )
        return points

    def _cell(self, number: int, values: Mapping[str, Any]) -> Cell:
        swept = {name: value for name, value in values.items() if not name.startswith(STRATEGIES)}
        roles = {name[len(STRATEGIES) :]: value for name, value in values.items() if name.startswith(STRATEGIES)}
        # A dotted name and a nested table are the same to the game; the swept value replaces either.
        settings = {**{k: v for k, v in _flat(self.file.rules).items() if k not in swept}, **swept}
        players = {registry.DEFAULT: registry.DEFAULT_STRATEGY, **self.file.strategies, **roles}
        try:
            made = setup(self.game, settings, players, self.folder)
        except UserError as error:
            raise self._blamed(error, values, players) from None
        seed = self.file.seed if not self.file.independent else design.seed_of(self.file.seed, number)
        return Cell(number, values, made, seed, self._baseline(made, settings, players))

    def _baseline(self, cell: Setup, settings: Mapping[str, Any], players: Mapping[str, Any]) -> Setup | None:
        """The set-up that a cell is compared with."""
        compare = self.file.compare
        if compare is None:
            return None
        try:
            made = baseline_of(self.game, settings, players, compare, self.folder)
        except UserError as error:
            raise self._error(error, "compare") from None
        return made

    def _precision(self, cell: Cell) -> tuple[precision.Target | None, int]:
        asked = self.file.precision
        if asked.half_width is None:
            for name in ("metric", "max_games"):
                if getattr(asked, name) is not None:
                    raise self._error(UserError(f"{name} goes with half_width, and there is none"), "precision", name)
            return None, DEFAULT_GAMES if asked.games is None else asked.games
        if asked.games is not None:
            raise self._error(UserError("games and half_width are both set; leave one out"), "precision", "games")
        try:
            wanted = precision.target(asked.half_width, asked.metric, self.game.metrics(cell.setup.rules))
        except UserError as error:
            raise self._error(error, "precision", "half_width") from None
        return wanted, precision.MOST_GAMES if asked.max_games is None else asked.max_games

    def _metrics(self, cells: Sequence[Cell]) -> dict[str, Metric]:
        """By name the metrics that some cell has; which there are hangs on the expansions."""
        rules = {cell.setup.rules.expansions: cell.setup.rules for cell in cells}
        return {metric.name: metric for each in rules.values() for metric in self.game.metrics(each)}

    def _check_goal(self, metrics: Mapping[str, Metric]) -> None:
        """Raises UserError for a target that its metric can never have."""
        goal = self.file.goal
        if goal is None or isinstance(goal.target, str) or metrics[goal.metric].unit != SHARE:
            return
        if not 0 <= goal.target <= 1:
            raise self._error(
                UserError(f"target is {goal.target:g}, but {goal.metric} is a share; valid: 0..1 (write 0.4 for 40 %)"),
                "goal", "target",
            )  # fmt: skip

    def _everywhere(self, metric: str, cells: Sequence[Cell], table: str) -> None:
        """Raises UserError with a cell that does not have a metric by which it is decided when cells end."""
        rules = {cell.setup.rules.expansions: cell for cell in reversed(cells)}
        for cell in rules.values():
            if metric not in {each.name for each in self.game.metrics(cell.setup.rules)}:
                where = values_text(cell.values)
                raise self._error(
                    UserError(f"{metric} is not counted in every cell, not in the one with {where}; name another"),
                    table, "metric",
                )  # fmt: skip

    def _blamed(self, error: UserError, values: Mapping[str, Any], players: Mapping[str, Any]) -> UserError:
        """The error with the line of the table and key that it speaks of, as far as that can be told."""
        for key, how in players.items():
            if self._fault(how) == str(error):
                swept = STRATEGIES + key
                return self._error(error, *(("sweep", swept) if swept in values else ("strategies", key)))
        for table, names in (("sweep", values), ("rules", self.file.rules), ("strategies", self.file.strategies)):
            if found := self._mentioned(error, names):
                return self._error(error, table, *found)
        return self._error(error, "strategies" if str(error).startswith("strategy") else "rules")

    def _fault(self, how: registry.How) -> str | None:
        """What is wrong with a strategy, if something is."""
        try:
            setup(self.game, {}, {registry.DEFAULT: how}, self.folder)
        except UserError as error:
            return str(error)
        return None

    def _mentioned(self, error: UserError, names: Mapping[str, Any]) -> tuple[str, ...]:
        """The name that an error speaks of first, or that of the file in which the mistake is."""
        words = re.findall(r"[\w.]+", str(error))
        by_word = {name.removeprefix(STRATEGIES): name for name in names} | {name: name for name in names}
        files = (name for name, value in names.items() if isinstance(value, str) and f"{value}:" in str(error))
        found = (by_word[word] for word in words if word in by_word)
        return tuple(islice(chain(files, found), 1))

    def _error(self, error: UserError, *key: str) -> UserError:
        where = " ".join(key)
        return UserError(f"{self.document.place(*key)}: {where}: {error}")


def baseline_of(
    game: Game,
    settings: Mapping[str, Any],
    players: Mapping[str, registry.How],
    compare: Compare,
    folder: Path | None = None,
) -> Setup:
    """The set-up that one of these rules and strategies is compared with; rules that mean nothing in it are left out.

    Raises UserError.
    """
    changed = _flat(compare.rules)
    bare = game.resolve({k: v for k, v in {**settings, **changed}.items() if k in GENERAL})
    usable = {*bare.values, *GENERAL}
    rules = {k: v for k, v in settings.items() if k in usable} | changed
    keys = game.strategy_keys(game.resolve(rules))
    named = {k: v for k, v in players.items() if k in keys} | compare.strategies
    return setup(game, rules, named, folder)


def _plain(value: Any, where: str) -> Any:
    """Data of a Python program as a file would have them: numbers of numpy as Python's. Raises UserError."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, f"{where}: {key}") for key, inner in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(inner, where) for inner in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise UserError(f"{where}: {shortened(repr(value), 80)} is no text, number, true or false, list, or table of those")


GENERAL = ("preset", "players", "expansions")
"""Settings that every set-up of a game has, and on which hangs which others there are."""


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings with dotted names in place of nested tables."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value}
    return flat
