"""Results: the numbers of a run as rows, as JSON and as a table."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy import CAREFUL, STUBBORN, TOY

from sim.game import Rules, Tallies, X, Y
from sim.services import batch
from sim.services.result import Result
from sim.services.statistics import rate_interval, ratio_interval

GAMES = 300
RULES = TOY.resolve({"players": 4})

KEYS = [
    *("schema", "command", "version", "game", "rules", "strategies", "seed", "games", "unfinished", "illegal"),
    *("seconds", "games_per_s", "endings", "win_rate", "metrics", "examples"),
]


def make(tallies: Tallies, **more) -> Result:
    facts = {
        "command": "play",
        "version": "0.1",
        "game": "toy",
        "rules": RULES,
        "strategies": {"default": "careful", "dealer": "stubborn"},
        "seed": 9,
        "games_asked": GAMES,
        "declared": TOY.metrics(RULES),
        "ending_names": TOY.endings(RULES),
        "seconds": 2.0,
    }
    return Result(tallies=tallies, **{**facts, **more})


@pytest.fixture(scope="module")
def tallies() -> Tallies:
    session = TOY.session(RULES, {"default": CAREFUL, "dealer": STUBBORN})
    return batch.play(session, len(TOY.metrics(RULES)), len(TOY.endings(RULES)), 9, GAMES, 1)[0]


@pytest.fixture(scope="module")
def result(tallies) -> Result:
    return make(tallies)


def test_endings_are_rates_of_games(result, tallies):
    assert [row.name for row in result.endings] == ["won", "tied"]
    assert sum(row.count for row in result.endings) == GAMES
    won = result.endings[0]
    interval = rate_interval(won.count, GAMES)
    assert won.count == tallies.sums[0, Y]
    assert (won.rate, won.low, won.high) == (interval.estimate, interval.low, interval.high)


def test_win_rates_are_by_group(result):
    assert [(row.group, row.name) for row in result.win_rates] == [
        *(("role", "dealer"), ("role", "guest")),
        *(("seat", str(seat)) for seat in range(4)),
    ]
    guests = result.win_rates[1]
    seats = result.win_rates[3:]
    assert guests.n == 3 * GAMES
    assert guests.wins == sum(row.wins for row in seats)
    assert guests.low < guests.rate == guests.wins / guests.n < guests.high


def test_metrics_are_shares_or_means(result, tallies):
    rows = {row.name: row for row in result.metrics}
    for index, metric in enumerate(TOY.metrics(RULES)):
        row = rows[metric.name]
        interval = ratio_interval(tallies.sums[index].tolist(), bounded=metric.name != "winning_rank")
        assert (row.numerator, row.denominator) == (tallies.sums[index, Y], tallies.sums[index, X])
        assert (row.estimate, row.low, row.high, row.method) == tuple(vars(interval).values())
    assert rows["winning_rank"].method == "clustered t"
    assert 10 < rows["winning_rank"].estimate < 14
    assert rows["swaps"].method == "clustered wilson"


def test_json_has_the_keys_of_the_schema(result):
    found = result.to_json()
    assert list(found) == KEYS
    assert found["schema"] == 1
    assert (found["command"], found["version"], found["game"], found["seed"]) == ("play", "0.1", "toy", 9)
    assert found["rules"] == {"preset": "toy", "expansions": [], "players": 4}
    assert found["strategies"] == {"default": "careful", "dealer": "stubborn"}
    assert (found["games"], found["seconds"], found["games_per_s"]) == (GAMES, 2.0, GAMES / 2)
    assert list(found["endings"][0]) == ["name", "count", "rate", "low", "high"]
    assert list(found["win_rate"][0]) == ["group", "name", "n", "wins", "rate", "low", "high"]
    assert list(found["metrics"][0]) == ["name", "numerator", "denominator", "estimate", "low", "high", "method"]
    assert found["examples"] == result.examples


def test_json_is_strict_and_holds_plain_values(tallies):
    rules = Rules("toy", ("more",), {"players": np.int64(4), "deck": Path("a") / "deck.csv", "swap": True})
    found = make(tallies, rules=rules).to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["rules"] == {"preset": "toy", "expansions": ["more"], "players": 4, "deck": "a/deck.csv", "swap": True}


def test_what_is_not_known_is_null():
    empty = make(Tallies.empty(len(TOY.metrics(RULES)), 2), games_asked=0, seconds=0.0)
    found = json.loads(json.dumps(empty.to_json(), allow_nan=False))
    assert found["games_per_s"] is None
    assert found["endings"][0] == {"name": "won", "count": 0, "rate": None, "low": None, "high": None}
    assert found["metrics"][-1]["estimate"] is None
    assert found["metrics"][-1]["method"] == "none"
    assert found["examples"] == {"won": [], "tied": []}


def test_an_interrupted_run_says_so(tallies):
    part = make(tallies, games_asked=1000)
    found = part.to_json()
    assert part.partial
    assert (found["partial"], found["games_asked"], found["games"]) == (True, 1000, GAMES)
    assert [key for key in found if key not in ("partial", "games_asked")] == KEYS


def test_examples_leave_out_what_was_not_found(tallies):
    few = replace(tallies, examples=np.array([[4, 7, 9], [2, -1, -1]]))
    assert make(few).examples == {"won": [4, 7, 9], "tied": [2]}


def test_the_table_has_a_row_a_metric(result):
    table = result.to_pandas()
    columns = ["name", "group", "unit", "numerator", "denominator", "estimate", "low", "high", "method"]
    assert list(table.columns) == columns
    assert list(table["name"]) == [metric.name for metric in TOY.metrics(RULES)]
    assert table["numerator"].dtype == np.int64
    assert table["estimate"].to_list() == [row.estimate for row in result.metrics]


def test_the_table_of_no_metrics_has_its_columns():
    nothing = make(Tallies.empty(0, 0), declared=(), ending_names=(), games_asked=0)
    assert nothing.to_pandas().shape == (0, 9)
    assert math.isnan(make(Tallies.empty(0, 0), declared=(), ending_names=(), seconds=0.0).games_per_s)
