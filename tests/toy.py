"""High Card, a complete game for the tests of everything that knows no game.

Each player is dealt a card and may swap it once for the next of the pile, the dealer first. The only highest rank
wins; with several of them nobody does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim.errors import UserError, unknown
from sim.game import EXAMPLES_KEPT, XX, XY, YY, Compiling, Decision, Metric, Rules, Strategy, Tallies, X, Y
from sim.parameters import Parameter

RANKS, SUITS, ENDINGS = range(2, 15), 4, ("won", "tied")
PLAYERS = Parameter("players", "toy", "int", 2, 6, (), {"toy": 3}, "HC-1", "Number of players, the dealer among them")
SWAP = Decision("swap", ("keep", "swap"), "Keep the card, or swap it for the next of the pile")


def careful(rank: int) -> str:
    """Swaps a card below the middle rank."""
    return "swap" if rank < 8 else "keep"


def stubborn(rank: int) -> str:
    """Never swaps."""
    return "keep"


def confused(rank: int) -> str:
    """Answers what nobody asked whenever the rank is odd."""
    return "fold" if rank % 2 else "keep"


PLAYS: dict[str, Callable[[int], str]] = {play.__name__: play for play in (careful, stubborn, confused)}
CAREFUL, STUBBORN, CONFUSED = (Strategy(name, Path(__file__), name) for name in PLAYS)


class ToySession:
    """High Card with a number of players and one way to play for each seat."""

    def __init__(self, plays: Sequence[Callable[[int], str]]) -> None:
        self.plays = plays

    def play(self, seed: int, first: int, count: int, stop: np.ndarray) -> Tallies:
        tallies = Tallies.empty(len(_metrics(len(self.plays))), len(ENDINGS))
        for game in range(first, first + count):
            if stop[0]:
                break
            self._play_one(seed, game, tallies)
        return tallies

    def each(
        self, seed: int, first: int, count: int, stop: np.ndarray, rows: Sequence[int]
    ) -> tuple[Tallies, np.ndarray]:
        tallies = self.play(seed, first, count, stop)
        games, on = range(first, first + tallies.games), np.zeros(1, np.uint8)  # what was played is told whole
        sums = np.array([self.play(seed, game, 1, on).sums for game in games], np.int64)
        return tallies, sums.reshape(len(games), len(_metrics(len(self.plays))), XX + 1)[:, list(rows), : X + 1]

    def _play_one(self, seed: int, game: int, tallies: Tallies) -> None:
        players = len(self.plays)
        pile = np.random.default_rng((seed, game)).permutation(np.repeat(RANKS, SUITS))
        answers = [play(int(rank)) for play, rank in zip(self.plays, pile, strict=False)]
        swaps = np.array([answer == "swap" for answer in answers])
        hands = np.where(swaps, pile[players : 2 * players], pile[:players])
        best = hands == hands.max()
        tied = int(best.sum() > 1)
        wins = best & (not tied)
        won = 1 - tied
        y = np.array([won, tied, wins[0], wins[1:].sum(), *wins, swaps.sum(), won * hands.max()], np.int64)
        x = np.array([1, 1, 1, players - 1, *[1] * players, players, won], np.int64)
        for column, values in ((Y, y), (X, x), (YY, y * y), (XY, x * y), (XX, x * x)):
            tallies.sums[:, column] += values
        seen = tallies.examples[tied]
        if seen[-1] < 0:
            seen[EXAMPLES_KEPT - (seen < 0).sum()] = game
        tallies.games += 1
        tallies.illegal += sum(answer not in SWAP.verbs for answer in answers)
        tallies.decisions += players
        tallies.turns += players


def _metrics(players: int) -> list[Metric]:
    endings = [Metric(f"ending.{name}", "ending", "share", f"games {name}", "games") for name in ENDINGS]
    roles = [
        Metric("win_rate.role.dealer", "role", "share", "wins", "games"),
        Metric("win_rate.role.guest", "role", "share", "wins", "guests"),
    ]
    seats = [Metric(f"win_rate.seat.{seat}", "seat", "share", "wins", "games") for seat in range(players)]
    swaps = Metric("swaps", "game", "share", "cards swapped", "cards dealt to players")
    return [*endings, *roles, *seats, swaps, Metric("winning_rank", "game", "rank", "rank that won", "games won")]


class ToyGame:
    """What High Card gives to the services."""

    name = "toy"
    title = "High Card"
    rules_version = 1
    decisions = (SWAP,)
    scenario_keys = frozenset({"rank", "pile"})
    expansions = ()

    def parameters(self) -> Sequence[Parameter]:
        return (PLAYERS,)

    def resolve(self, settings: Mapping[str, Any]) -> Rules:
        for name in set(settings) - {PLAYERS.name}:
            raise unknown("rule", name, [PLAYERS.name])
        values = {PLAYERS.name: PLAYERS.parse(settings.get(PLAYERS.name, PLAYERS.defaults["toy"]))}
        return Rules("toy", (), values, frozenset(settings))

    def endings(self, rules: Rules) -> Sequence[str]:
        return ENDINGS

    def funnels(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        return {}

    def notes(self, rules: Rules) -> Sequence[str]:
        return ()

    moments = notes

    def subjects(self, rules: Rules) -> Mapping[str, str]:
        return {"win_rate.role.dealer": "the dealer"}

    def assumptions(self, rules: Rules) -> Mapping[str, Mapping[str, Sequence[Any]]]:
        return {}

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        return _metrics(rules["players"])

    def card_tables(self, rules: Rules) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        return {"pile": [{"card": str(rank), "rank": rank, "copies": SUITS} for rank in RANKS]}

    def strategy_keys(self, rules: Rules | None = None) -> Sequence[str]:
        return ("default", "dealer", "guest")

    def session(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        checked: bool = False,
        compiling: Compiling | None = None,
    ) -> ToySession:
        plays = {role: strategies.get(role, strategies["default"]).function for role in ("dealer", "guest")}
        for role, name in plays.items():
            if name not in PLAYS:
                raise UserError(f"strategy of {role}: {unknown('function', name, PLAYS)}")
        return ToySession([PLAYS[plays["dealer"]], *[PLAYS[plays["guest"]]] * (rules["players"] - 1)])


TOY = ToyGame()
