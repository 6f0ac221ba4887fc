"""What an experiment left in its folder, read back and tested: the manifest and the tidy tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from sim.errors import UserError, nearest, unknown
from sim.game import ENDING

if TYPE_CHECKING:
    import pandas

STRATEGIES = "strategies."
"""What the name of a swept strategy begins with: ``strategies.renegade``."""

SCHEMA = 1
"""Version of the folder's files; raised when a key or a column changes its meaning or goes."""

ROOT = Path("results")
"""Where experiments write, one folder each."""

MANIFEST, CELLS, DIFFERENCES = "manifest.json", "cells.parquet", "differences.parquet"
PAGE = "report.html"
GAMES = "games"
"""Folder with a table a cell of its first games one by one, where the experiment asks for it."""

TEAM = "team"
HEADLINE_GROUPS = (TEAM, ENDING)
"""Groups whose metrics are shown where an experiment names none, the first that there is."""

CELL = "cell"
ADJUSTED = "p_adjusted"

CELL_COLUMNS = {
    "metric": "text", "group": "text", "unit": "text", "numerator": "int", "denominator": "int",
    "estimate": "float", "low": "float", "high": "float", "n": "int", "method": "text",
}  # fmt: skip
DIFFERENCE_COLUMNS = {
    "metric": "text", "group": "text", "unit": "text", "rate": "float", "baseline": "float",
    "estimate": "float", "low": "float", "high": "float", "n": "int", "differing": "int",
    "reduction": "float", "p": "float", ADJUSTED: "float", "method": "text",
}  # fmt: skip
"""The columns of the tables, with their types, behind the number of the cell and the swept settings."""


class SetUp(BaseModel):
    """One set-up of an experiment and how it was played; ``options`` give it on the command line, the seed apart.

    ``values`` are those of the swept settings, none for the baseline; ``examples`` the numbers of games to look at.
    ``reached`` is False if the most games that were allowed did not make the figures as exact as asked for.
    ``p_target``, and corrected for the number of cells: what speaks against the number that is the goal.
    """

    cell: int = -1
    values: dict[str, bool | int | float | str] = {}
    rules: dict[str, Any] = {}
    strategies: dict[str, str] = {}
    seed: int
    games: int
    reached: bool = True
    unfinished: int = 0
    illegal: int = 0
    baseline_unfinished: int = 0
    baseline_illegal: int = 0
    examples: dict[str, list[int]] = {}
    options: str = ""
    p_target: float | None = None
    p_target_adjusted: float | None = None


class Goal(BaseModel):
    """What is wished: a metric at a number (in its unit: 0.25 is 25 %), or as high or low as it gets."""

    metric: str
    target: float | Literal["highest", "lowest"]


class Wanted(BaseModel):
    """What the report shows first: metrics, and the two settings across and up a heat map."""

    metrics: list[str] = []
    heatmap: list[str] = []


class Manifest(BaseModel):
    """What was asked and how it was played. ``meanings`` has, by metric, what is counted and of what.

    ``rules`` and ``strategies`` are those of the first cell; other cells have their swept values instead.
    ``assumptions`` names swept settings that stand for what is not known of the game, such as strategies and decks.
    ``tables`` has the SHA-256 of each table, by the name of its file.
    """

    model_config = {"populate_by_name": True}

    version_of_format: int = Field(alias="schema")
    name: str
    version: str
    game: str
    title: str
    question: str = ""
    swept: list[str]
    rules: dict[str, Any] = {}
    strategies: dict[str, str] = {}
    cells: list[SetUp]
    baseline: SetUp | None = None
    goal: Goal | None = None
    report: Wanted = Wanted()
    notes: list[str] = []
    funnels: dict[str, list[str]] = {}
    meanings: dict[str, tuple[str, str]] = {}
    assumptions: list[str] | None = None
    partial: bool = False
    packages: dict[str, str] = {}
    source: str = ""
    machine: dict[str, Any] = {}
    tables: dict[str, str] = {}
    seconds: float | None = None
    games_per_s: float | None = None
    command: str = ""

    @property
    def named(self) -> list[str]:
        """The metrics that the experiment names, each once."""
        goal = [self.goal.metric] if self.goal is not None else []
        return list(dict.fromkeys([*self.report.metrics, *goal]))

    @property
    def unfinished(self) -> int:
        """The games that came to no end, those of baselines among them."""
        return sum(one.unfinished + one.baseline_unfinished for one in self._sides)

    @property
    def illegal(self) -> int:
        """The answers that were not legal, those in games of baselines among them."""
        return sum(one.illegal + one.baseline_illegal for one in self._sides)

    @property
    def _sides(self) -> list[SetUp]:
        return [*self.cells, *([] if self.baseline is None else [self.baseline])]

    @property
    def missed(self) -> str | None:
        """In a sentence, how many set-ups are not known as exactly as asked for; None if all are."""
        count = sum(not cell.reached for cell in self.cells)
        if not count:
            return None
        one = "The set-up" if len(self.cells) == 1 else f"{count:,} of {len(self.cells):,} set-ups"
        return f"{one} did not come to the half-width that was asked for with the games allowed."

    def model_post_init(self, context: Any) -> None:
        """Gives each cell its rules and strategies."""
        for cell in self.cells:
            swept = {name: value for name, value in cell.values.items() if not name.startswith(STRATEGIES)}
            players = {name.removeprefix(STRATEGIES): str(value) for name, value in cell.values.items()}
            cell.rules = {**self.rules, **swept, **cell.rules}
            cell.strategies = {
                **self.strategies, **{role: players[role] for role in players if role not in swept}, **cell.strategies
            }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Results:
    """An experiment's folder. ``cells`` has a row a cell and metric, ``differences`` too, if there is a baseline."""

    folder: Path
    manifest: Manifest
    cells: pandas.DataFrame
    differences: pandas.DataFrame | None


def names(root: Path = ROOT) -> list[str]:
    """The experiments that left something under ``root``."""
    return sorted(path.parent.name for path in root.glob(f"*/{MANIFEST}"))


def find(name: str, root: Path = ROOT) -> Path:
    """The folder that a name under ``root`` or a path means. Raises UserError with the nearest names."""
    for folder in (root / name, Path(name)):
        if folder.is_dir():
            return folder
    if Path(name).is_file():
        raise UserError(f"{name} is a file; name the folder that it is in, {Path(name).parent}")
    there = names(root)
    if not there:
        raise UserError(f"{name}: no such folder, here or in {root}; play an experiment first: scofflaw run FILE")
    close = nearest(Path(name).name, there)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(there)}"
    raise UserError(f"{name}: no such folder, here or in {root}; {hint}")


def read(folder: Path, brief: bool = False) -> Results:
    """Reads an experiment's folder. Raises UserError for what is missing, torn, or of another version.

    ``brief``: only the metrics that are shown first, where a sweep has millions of other rows.
    """
    manifest = read_manifest(folder)
    rows = _shown_first(manifest) if brief else None
    cells = _table(folder / CELLS, CELL_COLUMNS, manifest, rows)
    differences = None
    if manifest.baseline is not None:
        differences = _table(folder / DIFFERENCES, DIFFERENCE_COLUMNS, manifest, rows)
    _check_names(folder / MANIFEST, manifest, cells)
    return Results(folder, manifest, cells, differences)


def read_manifest(folder: Path) -> Manifest:
    """Reads what was asked and how it was played. Raises UserError like ``read``."""
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path.parent}: no results of an experiment, for there is no {path.name} in it") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{path}: damaged, no JSON ({error}); {_again()}") from None
    schema = content.get("schema") if isinstance(content, Mapping) else None
    if schema != SCHEMA:
        has = "no schema" if schema is None else f"schema {schema}"
        raise UserError(f"{path}: {has}, and this version reads schema {SCHEMA}; {_again()}")
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UserError(f"{path}: {place}: {first['msg'].lower()}; {_again()}") from None


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of the tables in a folder, by the names of their files. Raises UserError."""
    try:
        found = {name: (folder / name).read_bytes() for name in (CELLS, DIFFERENCES) if (folder / name).exists()}
    except OSError as error:
        raise UserError(f"{error.filename}: cannot be read: {error.strerror}") from None
    return {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}


def damage(folder: Path) -> list[str]:
    """What is wrong with the manifest and the tables, a sentence each; nothing if they are as they were written.

    Raises UserError for a folder without a manifest.
    """
    if not (folder / MANIFEST).is_file():
        read_manifest(folder)
    try:
        manifest = read(folder).manifest
    except UserError as error:
        return [str(error)]
    there = digests(folder)
    changed = [name for name, digest in manifest.tables.items() if there.get(name) != digest]
    return [f"{folder / name}: not as it was written; {_again()}" for name in changed]


def _again() -> str:
    return "play the experiment again: scofflaw run FILE"


def _shown_first(manifest: Manifest) -> list[tuple[str, str, Collection[str]]]:
    """Which rows have the metrics that an experiment names, or else those that are shown where none are named."""
    return [("metric", "in", named)] if (named := manifest.named) else [("group", "in", HEADLINE_GROUPS)]


def _table(
    path: Path,
    columns: Iterable[str],
    manifest: Manifest,
    rows: list[tuple[str, str, Collection[str]]] | None,
) -> pandas.DataFrame:
    """A tidy table with all its columns, sorted by cell, metrics as they were written.

    All of it, too, where none of the ``rows`` that are asked for is there.
    """
    import pandas
    import pyarrow

    try:
        table = pandas.read_parquet(path, filters=rows)
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file; {_again()}") from None
    except (OSError, pyarrow.ArrowException) as error:
        raise UserError(f"{path}: damaged ({str(error).splitlines()[0]}); {_again()}") from None
    for column in [CELL, *manifest.swept, *columns]:
        if column not in table.columns:
            raise UserError(f"{path}: there is no column {column!r}; {_again()}")
    if table.empty and rows is not None:
        return _table(path, columns, manifest, None)
    if table.empty:
        raise UserError(f"{path}: there are no figures in it; {_again()}")
    strange = set(table["cell"].unique()) - {cell.cell for cell in manifest.cells}
    if strange:
        raise UserError(f"{path}: cell {min(strange)} is not in {MANIFEST}; {_again()}")
    if table["cell"].is_monotonic_increasing:  # as it is written; large tables are not copied
        return table
    return table.sort_values("cell", kind="stable", ignore_index=True)


def _check_names(path: Path, manifest: Manifest, cells: pandas.DataFrame) -> None:
    """Raises UserError if the manifest asks for metrics or settings that the tables do not have."""
    metrics = list(cells["metric"].unique())
    for metric in manifest.named:
        if metric not in metrics:
            raise unknown("metric", metric, metrics, str(path))
    for cell in manifest.cells:
        if missing := set(manifest.swept) - set(cell.values):
            raise UserError(f"{path}: cell {cell.cell} has no value of {min(missing)}; {_again()}")
    for setting in [*manifest.report.heatmap, *(manifest.assumptions or ())]:
        if setting not in manifest.swept:
            raise unknown("swept setting", setting, manifest.swept, str(path))
