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

Golden = dict[tuple[str, int, str], dict[str, int]]

RULES_VERSION = 1
GOLDEN: Golden = {
    ("seed", 3, "simple"): {"outlaws": 34, "target": 16183, "last_alive": 3783, "decisions": 1820125, "turns": 396455},
    ("seed", 4, "simple"): {"law": 6098, "outlaws": 8464, "renegade": 5438, "decisions": 2700461, "turns": 539569},
    ("seed", 5, "simple"): {"law": 10075, "outlaws": 5741, "renegade": 4184, "decisions": 3361104, "turns": 648382},
    ("seed", 7, "simple"): {"law": 7443, "outlaws": 10753, "renegade": 1804, "decisions": 3973767, "turns": 660148},
    ("official", 7, "simple"): {"law": 7448, "outlaws": 10651, "renegade": 1901, "decisions": 3719656, "turns": 654461},
    ("official", 8, "simple"): {"law": 7986, "outlaws": 9272, "renegade": 2742, "decisions": 4560474, "turns": 764768},
    ("seed", 7, "random"): {"law": 7355, "outlaws": 11888, "renegade": 757, "decisions": 3614644, "turns": 709370},
    ("official", 3, "random"): {"target": 14223, "last_alive": 5777, "decisions": 1474052, "turns": 351287},
}


def count(preset: str, players: int, strategy: str) -> dict[str, int]:
    """The endings of a set-up that came up, and the decisions of all its games."""
    result = sim.run(rules={"preset": preset, "players": players}, strategies=strategy, games=GAMES, seed=SEED)
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
