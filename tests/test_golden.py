"""How the games of a few set-ups end: fixed for each version of the rules.

These numbers are the same on every machine. They change only when a rule, a strategy or the order of random numbers
does. Then ``python tests/test_golden.py`` prints the new table for the same set-ups; the commit says why it changed,
and a change of the rules raises ``rules_version``.
"""

from __future__ import annotations

import pytest

import sim
from sim.bang.game import BANG

GAMES = 20_000
SEED = 1

Setup = tuple[str, int, str] | tuple[str, int, str, str]
"""Preset, players, strategy, and with Death Mesa how dead Renegades return."""

Golden = dict[Setup, dict[str, int]]

RULES_VERSION = 1
GOLDEN: Golden = {
    ("seed", 3, "simple"): {"outlaws": 22, "target": 16964, "last_alive": 3014, "decisions": 1494378, "turns": 320932},
    ("seed", 4, "simple"): {"law": 6233, "outlaws": 8444, "renegade": 5323, "decisions": 2252316, "turns": 445105},
    ("seed", 5, "simple"): {"law": 9823, "outlaws": 6115, "renegade": 4062, "decisions": 2737188, "turns": 524508},
    ("seed", 7, "simple"): {"law": 7595, "outlaws": 10532, "renegade": 1873, "decisions": 3262357, "turns": 554129},
    ("official", 7, "simple"): {"law": 7641, "outlaws": 10475, "renegade": 1884, "decisions": 2957377, "turns": 539307},
    ("official", 8, "simple"): {"law": 8005, "outlaws": 9113, "renegade": 2882, "decisions": 3557808, "turns": 627036},
    ("seed", 7, "random"): {"law": 7355, "outlaws": 11888, "renegade": 757, "decisions": 3614644, "turns": 709370},
    ("official", 3, "random"): {"target": 14223, "last_alive": 5777, "decisions": 1474052, "turns": 351287},
    # new with Death Mesa
    ("seed", 7, "simple", "scofflaw"): {
        "law": 4101,
        "outlaws": 14579,
        "renegade": 946,
        "scofflaw": 374,
        "decisions": 3885066,
        "turns": 651535,
    },
    ("official", 5, "simple", "scofflaw"): {
        "law": 6984,
        "outlaws": 9159,
        "renegade": 3449,
        "scofflaw": 408,
        "decisions": 3117579,
        "turns": 633857,
    },
    ("seed", 7, "simple", "zombie"): {
        "law": 4557,
        "outlaws": 14458,
        "renegade": 946,
        "zombie": 39,
        "decisions": 3926871,
        "turns": 658722,
    },
    ("seed", 8, "random", "scofflaw"): {
        "law": 6636,
        "outlaws": 11786,
        "renegade": 941,
        "vengeance": 7,
        "scofflaw": 630,
        "decisions": 6000315,
        "turns": 1237774,
    },
}


def count(preset: str, players: int, strategy: str, returns: str = "") -> dict[str, int]:
    """The endings of a set-up that came up, and the decisions of all its games."""
    rules = {"preset": preset, "players": players}
    if returns:
        rules |= {"expansions": "death_mesa", "dm_renegade_return": returns}
    result = sim.run(rules=rules, strategies=strategy, games=GAMES, seed=SEED)
    found = {row.name: row.count for row in result.endings if row.count}
    return {**found, "decisions": result.tallies.decisions, "turns": result.tallies.turns}


@pytest.mark.parametrize("setup", GOLDEN, ids=lambda setup: "-".join(map(str, setup)))
def test_games_end_as_they_always_did(setup):
    assert BANG.rules_version == RULES_VERSION
    assert count(*setup) == GOLDEN[setup]


if __name__ == "__main__":
    print(f"RULES_VERSION = {BANG.rules_version}\nGOLDEN: Golden = {{")
    for setup in GOLDEN:
        print(f"    {setup}: {count(*setup)},".replace("'", '"'))
    print("}")
