"""Small experiments for the tests: plays them and writes the folder that an experiment leaves.

``manifest.json`` says what was asked and played, ``cells.parquet`` has a row for each cell and metric,
``differences.parquet`` one for each cell and metric compared with the baseline, game by game.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import sim
from sim.cli.options import as_options
from sim.game import SHARE
from sim.services import registry
from sim.services.paired import Pairs
from sim.services.result import json_rules

SEED = 20111007


def play(
    folder: Path,
    rules: Mapping[str, Any],
    sweep: Mapping[str, Sequence[Any]] | None = None,
    baseline: Mapping[str, Any] | None = None,
    games: int = 1000,
    **manifest: Any,
) -> Path:
    """Plays the full grid of a sweep and writes the folder. ``manifest``: keys to set, such as ``question``.

    The setting ``strategy`` of a sweep is who plays, all others are rules.
    """
    sweep = sweep or {}
    grid = [dict(zip(sweep, values, strict=True)) for values in itertools.product(*sweep.values())]
    results = [_result({**rules, **values}, games) for values in grid]
    base = _result({**rules, **baseline}, games) if baseline is not None else None
    cells = pandas.concat([_rates(k, values, result) for k, (values, result) in enumerate(zip(grid, results))])
    written = _manifest(folder.name, sweep, grid, rules, results, baseline, base)
    differences = None
    if base is not None:
        pairs = [_differences(k, values, result, base) for k, (values, result) in enumerate(zip(grid, results))]
        differences = _adjusted(pandas.concat(pairs))
    return write(folder, {**written, **manifest}, cells, differences)


def write(folder: Path, manifest: Mapping[str, Any], cells: pandas.DataFrame, differences: Any = None) -> Path:
    """Writes the three files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    cells.to_parquet(folder / "cells.parquet", index=False)
    if differences is not None:
        differences.to_parquet(folder / "differences.parquet", index=False)
    return folder


def _split(setting: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    rules = dict(setting)
    return rules, rules.pop("strategy", "simple")


def _result(setting: Mapping[str, Any], games: int) -> sim.Result:
    rules, strategy = _split(setting)
    return sim.run(rules=rules, strategies=strategy, games=games, seed=SEED)


def _set_up(setting: Mapping[str, Any], result: sim.Result) -> dict[str, Any]:
    rules, strategy = _split(setting)
    return {
        "rules": json_rules(result.rules),
        "strategies": dict(result.strategies),
        "seed": result.seed,
        "games": result.tallies.games,
        "unfinished": result.tallies.unfinished,
        "illegal": result.tallies.illegal,
        "examples": result.examples,
        "options": as_options(rules, [strategy]),
    }


def _manifest(name, sweep, grid, rules, results, baseline, base) -> dict[str, Any]:
    cells = [
        {"cell": k, "values": values, **_set_up({**rules, **values}, result)}
        for k, (values, result) in enumerate(zip(grid, results, strict=True))
    ]
    return {
        "schema": 1,
        "name": name,
        "version": sim.__version__,
        "game": "bang",
        "title": "BANG!",
        "question": "",
        "experiment": {"rules": dict(rules), "sweep": {key: list(values) for key, values in sweep.items()}},
        "swept": list(sweep),
        "cells": cells,
        "baseline": _set_up({**rules, **baseline}, base) if base is not None else None,
        "goal": None,
        "report": {"metrics": [], "heatmap": []},
        "notes": list(results[0].notes),
        "funnels": {title: list(steps) for title, steps in results[0].funnels.items()},
        "meanings": {m.name: [m.numerator, m.denominator] for result in results for m in result.declared},
        "partial": False,
        "packages": {"numpy": "2.0.0"},
        "source": "0123456789abcdef",
        "machine": {"processor": "x86_64", "processors": 2, "python": "3.11.7"},
        "seconds": 12.5,
        "games_per_s": 48_000.0,
        "command": f"scofflaw run experiments/{name}.toml",
    }


def _rates(cell: int, values: Mapping[str, Any], result: sim.Result) -> pandas.DataFrame:
    table = result.to_pandas().rename(columns={"name": "metric"})
    return table.assign(cell=np.int32(cell), n=result.tallies.games, **values)


def _differences(cell: int, values: Mapping[str, Any], result: sim.Result, base: sim.Result) -> pandas.DataFrame:
    """Every metric that both set-ups have, from the games played one by one."""
    named = {m.name: m for m in result.declared}
    common = [m.name for m in base.declared if m.name in named]
    both = np.concatenate([_each(result, common), _each(base, common)], axis=2)
    pairs = Pairs(both.sum(axis=0), np.einsum("gmi,gmj->mij", both, both), _differing(both), len(both))
    rows = []
    for k, name in enumerate(common):
        found = pairs.difference(k, bounded=named[name].unit == SHARE)
        rows.append({
            "cell": np.int32(cell), **values, "metric": name, "group": named[name].group, "unit": named[name].unit,
            "rate": found.one, "baseline": found.other, "estimate": found.estimate, "low": found.low,
            "high": found.high, "n": len(both), "differing": pairs.differing[k], "reduction": found.reduction,
            "p": found.p, "method": found.method,
        })  # fmt: skip
    return pandas.DataFrame(rows).dropna(subset=["estimate"])


def _each(result: sim.Result, names: Sequence[str]) -> np.ndarray:
    game = registry.game(result.game)
    session = game.session(result.rules, registry.from_names(game, result.strategies))
    places = [m.name for m in result.declared]
    rows = [places.index(name) for name in names]
    return session.each(result.seed, 0, result.tallies.games, np.zeros(1, np.uint8), rows)


def _differing(both: np.ndarray) -> np.ndarray:
    return (both[:, :, :2] != both[:, :, 2:]).any(axis=2).sum(axis=0)


def _adjusted(table: pandas.DataFrame) -> pandas.DataFrame:
    from statsmodels.stats.multitest import multipletests

    return table.assign(p_adjusted=multipletests(table["p"], method="holm")[1])
