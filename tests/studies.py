"""Small experiments for the tests: plays them and writes the folder that an experiment leaves.

``manifest.json`` says what was asked and played, ``cells.parquet`` has a row for each cell and metric,
``differences.parquet`` one for each cell and metric compared with the baseline, game by game.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import sim
from sim.game import SHARE
from sim.services import registry
from sim.services.paired import Pairs
from sim.services.result import json_rules
from sim.services.statistics import rate_interval
from sim.services.written import as_options

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
    settings = grid(**sweep)
    results = [_result({**rules, **values}, games) for values in settings]
    base = _result({**rules, **baseline}, games) if baseline is not None else None
    played = list(enumerate(zip(settings, results, strict=True)))
    cells = pandas.concat([_rates(k, values, result) for k, (values, result) in played])
    differences = None
    if base is not None:
        pairs = [_differences(k, values, result, base) for k, (values, result) in played]
        differences = _adjusted(pandas.concat(pairs))
    written = {
        "title": "BANG!",
        "cells": [{"cell": k, "values": v, **_set_up({**rules, **v}, result)} for k, (v, result) in played],
        "baseline": _set_up({**rules, **(baseline or {})}, base) if base is not None else None,
        "notes": list(results[0].notes),
        "funnels": {title: list(steps) for title, steps in results[0].funnels.items()},
        "meanings": {m.name: [m.numerator, m.denominator] for result in results for m in result.declared},
    }
    return write(folder, {**_manifest(folder.name, sweep), **written, **manifest}, cells, differences)


def make(
    folder: Path,
    grid: Sequence[Mapping[str, Any]],
    rates: Callable[..., Mapping[str, float]],
    baseline: Mapping[str, float] | None = None,
    games: int = 10_000,
    **manifest: Any,
) -> Path:
    """The same without playing: ``rates`` says for the values of a set-up what share of games each metric is."""
    rows, pairs = [], []
    for k, values in enumerate(grid):
        for metric, rate in rates(**values).items():
            group = metric.split(".")[1] if metric.startswith("win_rate.") else "game"
            known = {"cell": np.int32(k), **values, "metric": metric, "group": group, "unit": "share"}
            found = rate_interval(round(rate * games), games)
            rows.append({
                **known, "numerator": round(rate * games), "denominator": games, "estimate": found.estimate,
                "low": found.low, "high": found.high, "n": games, "method": found.method,
            })  # fmt: skip
            if baseline is not None:
                gain, half = rate - baseline[metric], 0.012
                pairs.append({
                    **known, "rate": rate, "baseline": baseline[metric], "estimate": gain, "low": gain - half,
                    "high": gain + half, "n": games, "differing": games // 2, "reduction": 2.0,
                    "p": float(abs(gain) < half), "p_adjusted": float(abs(gain) < half), "method": "paired t",
                })  # fmt: skip
    set_up = {"rules": {"players": 7}, "strategies": {"default": "simple"}, "seed": SEED, "games": games}
    written = {
        "cells": [{"cell": k, "values": values, **set_up} for k, values in enumerate(grid)],
        "baseline": {**set_up, "rules": {"players": 4}} if baseline is not None else None,
    }
    differences = pandas.DataFrame(pairs) if pairs else None
    swept = {name: None for name in grid[0]}
    return write(folder, {**_manifest(folder.name, swept), **written, **manifest}, pandas.DataFrame(rows), differences)


def grid(**sweep: Sequence[Any]) -> list[dict[str, Any]]:
    """Every combination of some values."""
    return [dict(zip(sweep, values, strict=True)) for values in itertools.product(*sweep.values())]


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


def _manifest(name: str, sweep: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "schema": 1,
        "name": name,
        "version": sim.__version__,
        "game": "bang",
        "title": "A game",
        "question": "",
        "experiment": {},
        "swept": list(sweep),
        "goal": None,
        "report": {"metrics": [], "heatmap": []},
        "notes": [],
        "funnels": {},
        "meanings": {},
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
    return session.each(result.seed, 0, result.tallies.games, np.zeros(1, np.uint8), rows)[1]


def _differing(both: np.ndarray) -> np.ndarray:
    return (both[:, :, :2] != both[:, :, 2:]).any(axis=2).sum(axis=0)


def _adjusted(table: pandas.DataFrame) -> pandas.DataFrame:
    from statsmodels.stats.multitest import multipletests

    return table.assign(p_adjusted=multipletests(table["p"], method="holm")[1])
