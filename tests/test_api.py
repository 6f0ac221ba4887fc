"""The Python interface: one function, its result, its mistakes."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

import sim
from sim.errors import UserError
from sim.services import registry

GAMES = 500


def test_a_run_has_a_result():
    result = sim.run(games=GAMES, rules={"players": 5}, seed=3)
    assert isinstance(result, sim.Result)
    assert (result.tallies.games, result.partial, result.seed, result.rules["players"]) == (GAMES, False, 3, 5)
    assert sum(row.count for row in result.endings) == GAMES
    assert result.version == sim.__version__


def test_a_table_has_a_row_for_each_metric():
    table = sim.run(games=GAMES).to_pandas()
    assert list(table.columns) == [
        *("name", "group", "unit", "numerator", "denominator", "estimate", "low", "high", "method"),
    ]
    ending = table[table["name"] == "ending.outlaws"].iloc[0]
    assert ending["denominator"] == GAMES
    assert ending["low"] < ending["estimate"] == ending["numerator"] / GAMES < ending["high"]


def test_the_result_does_not_depend_on_the_threads():
    results = [sim.run(games=9000, seed=5, threads=threads) for threads in (1, 2, 3)]
    for other in results[1:]:
        assert np.array_equal(results[0].tallies.sums, other.tallies.sums)
        assert results[0].examples == other.examples


def test_strategies_can_be_named_by_role():
    weak = sim.run(games=3000, strategies={"default": "simple", "outlaw": "random"})
    strong = sim.run(games=3000, strategies="simple")
    assert weak.strategies == {"default": "simple", "outlaw": "random"}
    assert rate(weak, "outlaws") < rate(strong, "outlaws") - 0.1


def rate(result: sim.Result, ending: str) -> float:
    return next(row.rate for row in result.endings if row.name == ending)


def test_rules_may_be_nested_typed_or_text():
    for rules in ({"copies": {"beer": 8}}, {"copies.beer": 8}, {"copies.beer": "8"}):
        assert sim.run(games=1, rules=rules).rules["copies.beer"] == 8


@pytest.mark.parametrize("asked", [[1], None, 5])
def test_an_experiment_is_a_file_or_a_mapping(asked):
    with pytest.raises(UserError, match="is neither the path of a file nor a mapping; write for example"):
        sim.experiment(asked)


@pytest.mark.parametrize("scheduler", ["nonsense", "tcp://host", "host:port", "foo://host:1", ""])
def test_a_scheduler_has_an_address(scheduler):
    with pytest.raises(UserError, match="is no address; write for example --scheduler tcp://host:8786"):
        sim.experiment({"question": "?"}, out="nowhere", backend="dask", scheduler=scheduler)


def test_progress_is_told():
    told: list[tuple[int, int]] = []
    sim.run(games=GAMES, progress=lambda played, asked: told.append((played, asked)))
    assert told[-1] == (GAMES, GAMES)


@pytest.mark.parametrize(
    "mistake",
    [
        {"game": "bagn"},
        {"games": 0},
        {"games": 2.5},
        {"games": True},
        {"games": 10**12 + 1},
        {"seed": -1},
        {"seed": 2**63},
        {"threads": 0},
        {"rules": {"players": 2}},
        {"rules": {"player": 5}},
        {"game": 5},
        {"rules": "players=5"},
        {"rules": ["players=5"]},
        {"rules": {5: 3}},
        {"strategies": 3},
        {"strategies": ["simple"]},
        {"strategies": {"default": 3}},
        {"strategies": {"default": "simple", 5: "simple"}},
        {"strategies": "smple"},
        {"strategies": {"renegade": "simple"}},
        {"strategies": {"default": "simple", "rengade": "simple"}},
    ],
    ids=str,
)
def test_a_mistake_raises_a_user_error(mistake):
    with pytest.raises(sim.UserError, match="valid|did you mean|name a strategy|write for example|installed: "):
        sim.run(**{"games": 1, **mistake})


def test_numpy_numbers_are_numbers():
    assert sim.run(games=np.int64(10), seed=np.int64(4)).tallies.games == 10


def test_importing_sim_loads_nothing():
    program = "import sim, sys; print([m for m in ('numpy', 'numba', 'scipy', 'pandas', 'typer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_all_that_is_announced_is_there():
    for name in sim.__all__:
        assert getattr(sim, name)
    with pytest.raises(AttributeError, match="nothing"):
        _ = sim.nothing


def test_a_game_without_observations_has_no_rates():
    rows = {row.name: row for row in sim.run(games=10, rules={"players": 4}).metrics}
    assert math.isnan(rows["win_rate.role.deputy"].estimate)


def test_games_and_strategies_are_found_by_name():
    bang = registry.game("bang")
    assert bang.name == "bang"
    chosen = registry.assign(bang, ["simple", "renegade=random"])
    assert {key: strategy.name for key, strategy in chosen.items()} == {"default": "simple", "renegade": "random"}
    assert chosen["default"].source.name == "simple.py"
    assert chosen["default"].function == "decide"
