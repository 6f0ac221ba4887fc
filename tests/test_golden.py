"""How many games of a few set-ups end how: fixed for each version of a game's rules.

These numbers are the same on every machine. They change only when a rule, a strategy or the order of random numbers
does. Then ``python tests/test_golden.py`` prints the new table; the commit says why it changed, and a change of the rules
raises ``rules_version``.
"""

from __future__ import annotations

import pytest

import sim
from sim.bang.game import BANG

GAMES = 20_000
SEED = 1

Golden = dict[tuple[str, int, str], dict[str, int]]

RULES_VERSION = 1
GOLDEN: Golden = {}


def count(preset: str, players: int, strategy: str) -> dict[str, int]:
    """The endings of a set-up that came up, and the decisions of all its games."""
    result = sim.run(rules={"preset": preset, "players": players}, strategies=strategy, games=GAMES, seed=SEED)
    found = {row.name: row.count for row in result.endings if row.count}
    return {**found, "decisions": result.tallies.decisions, "turns": result.tallies.turns}


SETUPS = [
    ("seed", 3, "simple"),
    ("seed", 4, "simple"),
    ("seed", 5, "simple"),
    ("seed", 7, "simple"),
    ("official", 7, "simple"),
    ("official", 8, "simple"),
    ("seed", 7, "random"),
    ("official", 3, "random"),
]


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: "-".join(map(str, setup)))
def test_games_end_as_they_always_did(setup):
    assert RULES_VERSION == BANG.rules_version
    assert count(*setup) == GOLDEN[setup]


if __name__ == "__main__":
    print(f"RULES_VERSION = {BANG.rules_version}\nGOLDEN: Golden = {{")
    for setup in SETUPS:
        print(f"    {setup}: {count(*setup)},".replace("'", '"'))
    print("}")
