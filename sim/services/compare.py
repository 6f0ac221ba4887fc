"""Two set-ups compared game by game, and how far the answer hangs on who plays and on what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.errors import UserError, unknown
from sim.game import Game, Metric
from sim.services import experiment, registry
from sim.services.experiment import Cell, Compare, Experiment, File, Precision
from sim.services.manifest import Row
from sim.services.results import STRATEGIES
from sim.services.setups import Setup, setup
from sim.services.written import text_of, values_text

AGAINST = "--against"

MOST_GAMES = 1_000_000
"""The most games that are played until something is known, unless the user sets it."""

OTHERS_SHARE = 5
"""The games for each other strategy or deck are so many times fewer."""

OTHERS_LEAST = 10_000

EVERYBODY = STRATEGIES + registry.DEFAULT
"""What the swept setting is called by which strategies are varied."""


@dataclass(frozen=True)
class Others:
    """The same comparison by other strategies and with other assumptions, one changed at a time.

    ``over`` are the words for what is varied: ``("strategies", "decks")``; ``usual`` has by swept setting what the
    comparison itself has.
    """

    experiment: Experiment
    over: Sequence[str]
    usual: Mapping[str, Any]

    def changed(self, cell: Cell) -> str:
        """What a cell has otherwise than the comparison itself: ``strategy=simple``."""
        changed = [(name, text_of(value)) for name, value in cell.values.items() if value != self.usual[name]]
        return ", ".join(f"{'strategy' if name == EVERYBODY else name}={value}" for name, value in changed)


@dataclass(frozen=True)
class Range:
    """A difference over all that was varied: the lowest and highest estimate, and the largest half-width of them."""

    low: float
    high: float
    half_width: float


def of_settings(
    game: Game,
    settings: Mapping[str, Any],
    players: Mapping[str, registry.How],
    against: Compare,
    games: int,
    seed: int,
    metric: str | None = None,
) -> Experiment:
    """A set-up against one that is otherwise by ``against``, and the same for the rest. Raises UserError.

    ``metric`` is compared besides those that always are.
    """
    cell = setup(game, settings, {registry.DEFAULT: registry.DEFAULT_STRATEGY, **players})
    if not against.rules and not against.strategies:
        raise UserError(
            f"nothing is said about what to compare with; add {AGAINST}, for example {AGAINST} expansions=none"
        )
    try:
        baseline = experiment.baseline_of(game, settings, cell.strategies, against)
    except UserError as error:
        raise UserError(f"{AGAINST}: {error}") from None
    file = File.model_validate({
        "question": f"{change(cell, baseline)}: what does it change?",
        "game": game.name,
        "seed": seed,
        "precision": {"games": games},
        "rules": dict(settings),
        "strategies": dict(cell.strategies),
        "compare": against.model_dump(),
        "report": {"metrics": [] if metric is None else [metric]},
    })  # fmt: skip
    return _checked(Experiment("compare", file, game, (), [Cell(0, {}, cell, seed, baseline)], None, games))


def of_files(one: Path, other: Path, games: int | None, seed: int | None, metric: str | None = None) -> Experiment:
    """The cells of one experiment file, each against the cell of the other that has the same swept values.

    Seed and number of games are those of the first, if they are not given. Raises UserError.
    """
    first, second = experiment.read(one, games, seed), experiment.read(other, games, seed)
    for path, found in ((one, first), (other, second)):
        if found.file.compare is not None:
            raise UserError(f"{path}: it has a [compare] table, so it is a comparison: scofflaw run {path}")
    if first.game.name != second.game.name:
        raise UserError(f"{one} is about the game {first.game.name}, {other} about {second.game.name}")
    if [cell.values for cell in first.cells] != [cell.values for cell in second.cells]:
        swept = [", ".join(found.swept) or "nothing" for found in (first, second)]
        differ = f"{swept[0]} and {swept[1]}" if swept[0] != swept[1] else f"{swept[0]}, with other values"
        raise UserError(f"{one} and {other} do not have the same cells: they sweep {differ}; sweep the same in both")
    against = Compare(rules=second.file.rules, strategies=second.file.strategies)
    metrics = [*first.file.report.metrics, *([] if metric is None else [metric])]
    report = first.file.report.model_copy(update={"metrics": metrics})
    file = first.file.model_copy(update={"compare": against, "report": report})
    pairs = zip(first.cells, second.cells, strict=True)
    cells = [replace(cell, baseline=base.setup) for cell, base in pairs]
    return _checked(replace(first, name=f"{first.name}-{second.name}", file=file, cells=cells))


def _checked(asked: Experiment) -> Experiment:
    """The experiment, if there is something to compare. Raises UserError."""
    for cell in asked.cells:
        assert cell.baseline is not None
        if cell.setup.content == cell.baseline.content:
            where = f"with {values_text(cell.values)} " if cell.values else ""
            raise UserError(f"{where}both sides are the same set-up; change a rule or a strategy on one of them")
        both = experiment.shared_metrics(asked.game, cell)
        for metric in asked.file.report.metrics:
            if metric not in both:
                raise unknown("metric", metric, both, "of those that both sides have")
    return asked


def metric_of(asked: Experiment, name: str | None) -> Metric:
    """The metric of this name, or the one that people ask for first. Raises UserError."""
    cell = asked.cells[0]
    both = experiment.shared_metrics(asked.game, cell)
    chosen = name or next(iter(asked.game.subjects(cell.setup.rules)))
    if chosen not in both:
        raise unknown("metric", chosen, both)
    return both[chosen]


def others(asked: Experiment, games: int) -> Others | None:
    """What a comparison of two set-ups can be repeated with; None if there is nothing to vary.

    Strategies are varied, for all players at once, where both sides have the same; assumptions of the game where both
    sides that have them assume the same. ``games`` is how many the comparison itself had.
    """
    cell = asked.cells[0]
    assert cell.baseline is not None
    varied: dict[str, Sequence[Any]] = _strategies(asked.game, cell.setup, cell.baseline)
    usual: dict[str, Any] = {EVERYBODY: _players(cell.setup)} if varied else {}
    over = ["strategies"] if varied else []
    for word, settings in _assumptions(asked.game, cell).items():
        over.append(word)
        for name, (value, values) in settings.items():
            usual[name], varied[name] = value, values
    if not varied:
        return None
    each = min(games, max(OTHERS_LEAST, games // OTHERS_SHARE))
    points = [{**usual, name: value} for name, values in varied.items() for value in values]
    cells = [_varied(cell, number, values, usual) for number, values in enumerate(points)]
    file = asked.file.model_copy(update={"precision": Precision.model_validate({"games": each})})
    return Others(replace(asked, file=file, swept=tuple(usual), cells=cells, wanted=None, games=each), over, usual)


def _strategies(game: Game, one: Setup, other: Setup) -> dict[str, Sequence[Any]]:
    """The other strategies, if all who play on both sides do it by the same."""
    keys = set(game.strategy_keys(one.rules)) & set(game.strategy_keys(other.rules))
    if any(_who(one, key) != _who(other, key) for key in keys & (one.strategies.keys() | other.strategies.keys())):
        return {}
    names = [name for name in registry.strategy_names(game.name) if name != registry.RANDOM]
    return {EVERYBODY: [name for name in names if {registry.DEFAULT: name} != dict(one.strategies)]}


def _assumptions(game: Game, cell: Cell) -> dict[str, dict[str, tuple[Any, Sequence[Any]]]]:
    """By what is assumed, the parameters with their value and the others; without those that are compared."""
    assert cell.baseline is not None
    one, other = cell.setup.rules, cell.baseline.rules
    found: dict[str, dict[str, tuple[Any, Sequence[Any]]]] = {}
    for rules in (other, one):
        for word, settings in game.assumptions(rules).items():
            for name, values in settings.items():
                if one.values.get(name, rules[name]) == other.values.get(name, rules[name]):
                    found.setdefault(word, {})[name] = rules[name], values
    return found


def _varied(cell: Cell, number: int, values: Mapping[str, Any], usual: Mapping[str, Any]) -> Cell:
    """The cell with those values that are not the usual ones, on both sides, as far as a side has them."""
    changed = {name: value for name, value in values.items() if value != usual[name]}
    strategy = changed.pop(EVERYBODY, None)

    def side(made: Setup) -> Setup:
        settings = {**made.settings, **{name: value for name, value in changed.items() if name in made.rules.values}}
        if strategy is None:
            return replace(made, settings=settings)
        return replace(made, settings=settings, strategies={registry.DEFAULT: strategy}, sources={})

    assert cell.baseline is not None
    return Cell(number, values, side(cell.setup), cell.seed, side(cell.baseline))


def spread(rows: Iterable[Row], metric: str) -> Range:
    """The range of the estimates of a metric over rows of differences."""
    chosen = [row for row in rows if row["metric"] == metric]
    estimates = [row["estimate"] for row in chosen]
    return Range(min(estimates), max(estimates), max((row["high"] - row["low"]) / 2 for row in chosen))


def change(one: Setup, other: Setup) -> str:
    """What the one set-up has otherwise than the other, in words: ``Death Mesa``, ``draw_count=3 instead of 2``."""
    brought = [_title(name) for name in one.rules.expansions if name not in other.rules.expansions]
    left = [_title(name) for name in other.rules.expansions if name not in one.rules.expansions]
    parts = [" and ".join(brought)] if brought else []
    parts += [f"leaving out {' and '.join(left)}"] if left else []
    named = {"preset", *one.rules.named, *other.rules.named}
    for name, value in one.rules.values.items():
        if name in named and name in other.rules.values and value != other.rules[name]:
            parts.append(f"{name}={text_of(value)} instead of {text_of(other.rules[name])}")
    for key in dict.fromkeys((*one.strategies, *other.strategies)):
        mine, its = (text_of(_who(side, key)) for side in (one, other))
        if mine != its:
            who = "" if key == registry.DEFAULT else f" for {key}"
            parts.append(f"{mine}{who} instead of {its}")
    return ", ".join(parts) or "the first set-up"


def _players(made: Setup) -> str:
    """Who plays, in one text."""
    return " ".join(registry.as_words({key: text_of(how) for key, how in made.strategies.items()}))


def _who(side: Setup, key: str) -> registry.How:
    return side.strategies.get(key, side.strategies[registry.DEFAULT])


def _title(name: str) -> str:
    return name.replace("_", " ").title()
