"""The same games come out with the JIT off, and records are what compiled code takes them for."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import sim
from sim.kernel.plain import PlainRecord, plain_entry

GAMES = 20

PROGRAM = """
import json, sys, numba, sim
assert numba.config.DISABLE_JIT
result = sim.run(**json.loads(sys.argv[1]), threads=1)
print(json.dumps([result.tallies.sums.tolist(), result.examples, result.tallies.illegal]))
"""


@pytest.mark.parametrize(
    "setup",
    [
        {"strategies": "simple"},
        {"strategies": "random", "rules": {"players": 3, "preset": "official"}},
        {"strategies": {"default": "random", "sheriff": "simple"}, "rules": {"players": 8, "draw_count": 3}},
        {"strategies": "simple", "rules": {"expansions": "death_mesa"}},
        {"strategies": {"default": "standard", "outlaw": "simple"}, "rules": {"expansions": "death_mesa"}},
        {"strategies": "simple", "rules": {"expansions": "death_mesa", "dm_renegade_return": "zombie", "players": 5}},
        {"strategies": "random", "rules": {"expansions": "death_mesa", "players": 8}},
    ],
    ids=str,
)
def test_games_are_the_same_without_the_compiler(setup):
    setup = {**setup, "games": GAMES, "seed": 11}
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM, json.dumps(setup)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = sim.run(**setup)
    assert json.loads(done.stdout) == [result.tallies.sums.tolist(), result.examples, result.tallies.illegal]


INNER = np.dtype([("life", np.int8), ("hand", np.uint64, (2,))])
OUTER = np.dtype([("turn", np.int32), ("key", np.uint64), ("own", INNER, (3,)), ("pile", INNER)])


def test_fields_are_attributes_and_write_to_the_array():
    array = np.zeros(1, OUTER)
    record = PlainRecord(array)
    record.turn = 7
    record.own[2].life = -3
    record.own[2].hand[1] = 5
    record.pile.hand[0] |= np.uint64(9)
    assert array[0]["turn"] == 7
    assert array[0]["own"]["life"].tolist() == [0, 0, -3]
    assert array[0]["own"]["hand"].tolist() == [[0, 0], [0, 0], [0, 5]]
    assert array[0]["pile"]["hand"].tolist() == [9, 0]


def test_numbers_do_not_overflow_but_words_of_64_bits_wrap_around():
    array = np.zeros(1, OUTER)
    record = PlainRecord(array)
    record.own[0].life = 127
    record.key = 2**64 - 1
    assert record.own[0].life + 1 == 128
    wrapped = plain_entry(lambda records: records[0].key + np.uint64(2))
    assert wrapped(array) == 1


def test_an_array_of_records_becomes_a_list():
    array = np.zeros(4, INNER)

    @plain_entry
    def fill(records, numbers):
        for k in range(len(records)):
            records[k].life = numbers[k]

    fill(array, np.arange(4))
    assert array["life"].tolist() == [0, 1, 2, 3]
