"""Runs the compiled rules with the JIT off and tells which of their lines were run.

    NUMBA_DISABLE_JIT=1 python tests/plain_pass.py [GAMES]

plays GAMES games (200; with ghosts a quarter) of every set-up, half of them with each strategy, some in checked mode,
all scenarios, and some odder things, on all processors. Prints the lines that were missed, and exits with 1 when they
are more than 2 %.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import coverage
import numpy as np
import test_checked_mode
import test_search

from sim.bang.cards import card_types
from sim.bang.game import BANG
from sim.bang.kernels import CORE
from sim.errors import plain
from sim.services import registry
from sim.services.scenarios import run_scenarios

SCENARIOS = Path(__file__).parent / "scenarios"
LEAST = 0.98
CHECKED = 5
"""Games of each set-up that are played in checked mode: with the JIT off it is slow."""

STAND_INS = {"flags", "chosen"}
"""Files that every kernel has its own text of."""

STRATEGIES = ("simple", "random")

SPARSE = {f"copies.{plain(card.name)}": 0 for card in card_types() if card.effect not in ("bang", "dynamite", "saloon")}
"""A deck that runs out."""

SETUPS: list[dict[str, Any]] = [
    *({"preset": preset, "players": players} for preset in ("seed", "official") for players in range(3, 9)),
    {"players": 5, "three_player_reward": "target", "sheriff_penalty": False, "bang_limit": 0, "draw_count": 1},
    {"players": 3, "three_player_reward": "target", "beer_with_two_players": True, "all_dead_winner": "none"},
    {"players": 6, "renegade_reward": 2, "deputy_reward": 1, "jail_on_sheriff": True, "panic_distance": 0},
    {"players": 8, "turn_cap": 40, **SPARSE},
    {"expansions": "death_mesa", "players": 7},
    {"expansions": "death_mesa", "players": 8, "dm_renegade_return": "zombie", "dm_zombie_goods_needed": 2},
    {"expansions": "death_mesa", "players": 5, "dm_reaction_order": "target_first", "dm_negation_order": "sealed"},
    {"expansions": "death_mesa", "players": 3, "dm_allow_three_players": True, "dm_ghost_team_info": "shared"},
]

Lines = Mapping[str, set[int]]

_tracer = coverage.Coverage(data_file=None, config_file=False, include=["*/kernels/*"])


def _begin() -> None:
    """Traces a process from before its kernels are loaded, so that what runs at import counts as well."""
    _tracer.start()


def _seen() -> Lines:
    """The lines run so far, by module of the core, in whichever kernel."""
    data = _tracer.get_data()
    found = defaultdict(set)
    for file in data.measured_files():
        found[Path(file).stem] |= set(data.lines(file) or ())
    return found


def play(settings: Mapping[str, Any], strategy: str, games: int) -> Lines:
    """Plays games of one set-up, the first of them in checked mode; fewer with ghosts, whose games are long."""
    games = max(1, games // 4) if "expansions" in settings else games
    rules, strategies = BANG.resolve(settings), registry.assign(BANG, [strategy])
    stop = np.zeros(1, np.uint8)
    BANG.session(rules, strategies, checked=True).play(1, 0, min(games, CHECKED), stop)
    BANG.session(rules, strategies).play(1, 0, games, stop)
    BANG.habits(rules, strategies).count(1, 0, min(games, CHECKED), stop)
    return _seen()


def play_oddly(games: int) -> Lines:
    """Plays with answers that are not legal and cards with other numbers, imagines games, and spoils some."""
    stop = np.zeros(1, np.uint8)
    BANG.session(BANG.resolve({"turn_cap": 40}), test_checked_mode.STRAY).play(1, 0, games, stop)
    with tempfile.TemporaryDirectory() as folder:
        cards = Path(folder) / "cards.csv"
        cards.write_text("card,second_card,effect\nBANG!,1,\nBeer,,none\n", encoding="utf-8")
        for name in STRATEGIES:
            rules = BANG.resolve({"cards": str(cards), "turn_cap": 40})
            BANG.session(rules, registry.assign(BANG, [name])).play(1, 0, games, stop)
    session = BANG.session(BANG.resolve({}), registry.assign(BANG, ["simple"]), checked=True)
    for spoil in test_checked_mode.FAULTS:
        test_checked_mode.fault_after(session, spoil)
    ghosts = BANG.session(BANG.resolve({"expansions": "death_mesa"}), registry.assign(BANG, ["simple"]), checked=True)
    for spoil in test_checked_mode.DEAD_FAULTS:
        test_checked_mode.fault_among_ghosts(ghosts, spoil)
    for searched, turns in ((session, 8), (ghosts, 30)):
        for seat in range(7):
            imagined = searched.imagine(test_search.dealt(searched, 0, turns), seat, 1, 0)
            searched.games.play_block(imagined, searched.rules_table, searched.tables_table)
    test_checked_mode.test_a_fault_is_raised_with_its_game()
    return _seen()


def follow(scenario: Path) -> Lines:
    """Runs one scenario."""
    run_scenarios([scenario])
    return _seen()


def statements(source: Path) -> list[int]:
    """The lines of a file that can be run."""
    return coverage.Coverage(data_file=None, config_file=False).analysis2(str(source))[1]


def main(games: int) -> int:
    seen: dict[str, set[int]] = defaultdict(set)
    scenarios = [path for path in sorted(SCENARIOS.rglob("*.toml")) if "[[seat]]" in path.read_text(encoding="utf-8")]
    with ProcessPoolExecutor(os.cpu_count(), initializer=_begin) as pool:
        work = [pool.submit(play, setup, name, games // 2) for setup in SETUPS for name in STRATEGIES]
        work.append(pool.submit(play_oddly, games // 4))
        work += [pool.submit(follow, scenario) for scenario in scenarios]
        for done in work:
            for module, lines in done.result().items():
                seen[module] |= lines
    everything = {source.stem: statements(source) for source in CORE.glob("*.py") if source.stem not in STAND_INS}
    gaps = {module: sorted(set(lines) - seen[module]) for module, lines in sorted(everything.items())}
    for module, lines in gaps.items():
        if lines:
            print(f"{module}.py: {len(lines)} of {len(everything[module])} lines missed: {lines}")
    share = 1 - sum(map(len, gaps.values())) / sum(map(len, everything.values()))
    print(f"{share:.1%} of the lines of the rules: {games} games of {len(SETUPS)} set-ups, {len(scenarios)} scenarios")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
