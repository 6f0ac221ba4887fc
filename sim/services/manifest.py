"""The manifest of a study: what was asked, with every default, how it was played, and what to know about each cell."""

from __future__ import annotations

import importlib.metadata
import math
import os
import platform
from collections.abc import Iterable, Sequence
from typing import Any

import sim
from sim.game import SHARE, Rules
from sim.services import differences
from sim.services.experiment import Cell, Experiment
from sim.services.goals import p_against
from sim.services.result import json_rules
from sim.services.results import SCHEMA, STRATEGIES
from sim.services.setups import Setup, core_digest
from sim.services.study import Played, Study, Total
from sim.services.written import reproducing, text_of

PACKAGES = ("numba", "numpy", "pandas", "pyarrow", "scipy")

P, ADJUSTED = "p_target", "p_target_adjusted"
"""Of a cell with a number as goal: what speaks against that number being the truth (small: it is missed)."""

Row = dict[str, Any]


def about(study: Study, each: Played, total: Total) -> Row:
    """What the manifest says about a cell."""
    cell, game, kinds = each.cell, study.experiment.game, study.experiment.kinds
    names = (*game.endings(cell.setup.rules), *game.moments(cell.setup.rules))
    wide = study.until is None and study.experiment.wanted is not None  # a race that goes on to the end is no failure
    examples = zip(names, total.tallies.examples, strict=True)
    return {
        "cell": cell.number,
        "values": {name: plain(cell.values[name], kinds[name]) for name in study.experiment.swept},
        "seed": cell.seed,
        "games": each.games,
        **({} if each.reached or not wide else {"reached": False}),
        "unfinished": total.tallies.unfinished,
        "illegal": total.tallies.illegal,
        "examples": {name: [int(number) for number in numbers if number >= 0] for name, numbers in examples},
        "options": reproducing(cell.setup),
        **_of_baseline(cell, total),
        **_against_target(study, each, total),
    }


def _of_baseline(cell: Cell, total: Total) -> Row:
    """What the manifest says about the games of the baseline of a cell, if there is one."""
    if cell.baseline is None or total.baseline is None:
        return {}
    return {
        "baseline_options": reproducing(cell.baseline),
        "baseline_unfinished": total.baseline.unfinished,
        "baseline_illegal": total.baseline.illegal,
    }


def _against_target(study: Study, each: Played, total: Total) -> Row:
    """How likely a rate so far from the target is, if that is true; nothing where games stop by what they show."""
    goal = study.experiment.file.goal
    if goal is None or isinstance(goal.target, str) or study.anytime is not None:
        return {}
    for metric, sums in zip(study.experiment.game.metrics(each.cell.setup.rules), total.tallies.sums, strict=True):
        if metric.name == goal.metric:
            p = p_against(sums.tolist(), bounded=metric.unit == SHARE, target=goal.target)
            return {} if math.isnan(p) else {P: p}
    return {}


def _judged(cells: Sequence[Row], correction: str) -> list[Row]:
    """The cells, what speaks against the target being corrected for their number."""
    corrected = iter(differences.adjusted([cell[P] for cell in cells if P in cell], correction))
    return [{**cell, ADJUSTED: next(corrected)} if P in cell else cell for cell in cells]


def content(study: Study, cells: Sequence[Row], command: str) -> Row:
    """The manifest; ``cells`` are those of ``about``."""
    experiment = study.experiment
    first = experiment.cells[0]
    every_rules = {cell.setup.rules.expansions: cell.setup.rules for cell in experiment.cells}
    notes = dict.fromkeys(note for rules in every_rules.values() for note in experiment.game.notes(rules))
    funnels = [experiment.game.funnels(rules) for rules in every_rules.values()]
    goal = experiment.file.goal
    meanings = {
        m.name: (m.numerator, m.denominator) for rules in every_rules.values() for m in experiment.game.metrics(rules)
    }
    return {
        "schema": SCHEMA,
        "name": study.folder.resolve().name,
        "version": sim.__version__,
        "game": experiment.game.name,
        "title": experiment.game.title,
        "question": experiment.file.question,
        "command": command,
        "partial": study.interrupted,
        "experiment": experiment.resolved,
        "swept": list(experiment.swept),
        **_of_setup(first.setup),
        "baseline": None if first.baseline is None else _baseline(study, first),
        "goal": None if goal is None else goal.model_dump(),
        "report": experiment.file.report.model_dump(),
        "notes": list(notes),
        "funnels": {title: list(steps) for roads in funnels for title, steps in roads.items()},
        "meanings": meanings,
        "assumptions": _assumptions(experiment, every_rules.values()),
        "games": sum(row["games"] for row in cells),
        **{
            what: sum(row[what] + row.get(f"baseline_{what}", 0) for row in cells) for what in ("unfinished", "illegal")
        },
        "source": core_digest(experiment.game.name),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "machine": {
            "system": platform.system(), "processor": platform.machine(), "processors": os.cpu_count(),
            "python": platform.python_version(), "backend": study.workers.backend, "workers": study.workers.count,
        },
        "seconds": round(study.seconds, 3),
        "games_per_s": round(study.new_games / study.seconds) if study.seconds > 0 else None,
        "cells": _judged(cells, experiment.file.report.correction),
    }  # fmt: skip


def _assumptions(experiment: Experiment, rules: Iterable[Rules]) -> list[str]:
    """The swept settings that stand for what is not known of the game: who plays, and what is guessed about it."""
    guessed = {name for each in rules for kind in experiment.game.assumptions(each).values() for name in kind}
    return [name for name in experiment.swept if name.startswith(STRATEGIES) or name in guessed]


def _baseline(study: Study, first: Cell) -> Row:
    """What the first cell was compared with; where others were compared with something else, they say so."""
    assert first.baseline is not None
    games = study.played[0].games
    return {**_of_setup(first.baseline), "seed": first.seed, "games": games, "options": reproducing(first.baseline)}


def _of_setup(setup: Setup) -> Row:
    """Rules and strategies of a set-up, every default included; files by the names that the user gave them."""
    rules = {**json_rules(setup.rules), **{name: setup.settings[name] for name in setup.files}}
    return {"rules": rules, "strategies": {key: text_of(how) for key, how in setup.strategies.items()}}


def plain(value: Any, kind: str) -> Any:
    """A swept value as a column of this kind has it."""
    if kind == "text":
        return text_of(value)
    return float(value) if kind == "float" else value
