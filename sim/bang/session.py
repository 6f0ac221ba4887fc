"""One compiled set-up of BANG!: rules and strategies, ready to play."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from sim.bang.cards import DEATH_MESA, load_cards, load_characters
from sim.bang.core import names
from sim.bang.kernels import kernel_for
from sim.bang.metrics import endings, metrics, moments
from sim.bang.tables import rules_record, tables_record, words_for
from sim.game import Compiling, Fault, Rules, Strategy, Tallies
from sim.kernel.build import Kernel


class Session:
    """See ``sim.game.Session``. ``instrumented`` sessions also keep journals, follow scripts and check."""

    def __init__(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        checked: bool = False,
        instrumented: bool = False,
        compiling: Compiling | None = None,
    ) -> None:
        self.rules = rules
        self.checked = checked
        self.cards = load_cards(rules)
        self.characters = load_characters(rules)
        used = sorted(set(strategies.values()), key=lambda strategy: (strategy.name, str(strategy.source)))
        self.strategy_of_role = [used.index(_assigned(strategies, role)) for role in names.ROLES]
        self.metrics_count = len(metrics(rules))
        self.examples_count = len(endings(rules)) + len(moments(rules))
        words = words_for(len(self.cards.kind))
        kernel = kernel_for(tuple(used), tuple(rules.expansions), words, instrumented or checked)
        if compiling is not None and not kernel.is_warm:
            compiling()
        self._prepare(kernel)

    def _prepare(self, kernel: Kernel) -> None:
        """Compiles, or loads, the machine code by playing no game at all."""
        self.kernel = kernel
        self.state = kernel.module("state")
        self.games = kernel.module("games")
        self.rules_table = rules_record(self.state, self.rules)
        self.tables_table = tables_record(self.state, self.cards, self.characters, self.rules)
        self._local = threading.local()
        self.play(0, 0, 0, np.zeros(1, np.uint8))
        kernel.mark_warm()

    @property
    def with_ghosts(self) -> bool:
        """Whether Death Mesa is played: only then has a state the fields of ghosts."""
        return DEATH_MESA in self.rules.expansions

    def new_block(self) -> np.ndarray:
        """A block for one game, one record of ``state.GAME``, with the strategies assigned."""
        block = np.zeros(1, self.state.GAME)
        block[0]["strategy_of_role"] = self.strategy_of_role
        if self.checked:
            block[0]["script"]["checked"] = 1
        return block

    def play(self, seed: int, first: int, count: int, stop: np.ndarray) -> Tallies:
        """See ``sim.game.Session.play``. Raises Fault in checked mode."""
        if not hasattr(self._local, "block"):
            self._local.block = self.new_block()
        tallies = Tallies.empty(self.metrics_count, self.examples_count)
        counters = np.zeros(len(self.games.COUNTERS), np.int64)
        self.games.play_games(
            self._local.block, self.rules_table, self.tables_table, seed, first, count,
            tallies.sums, tallies.examples, counters, stop,
        )  # fmt: skip
        found = dict(zip(self.games.COUNTERS, counters.tolist(), strict=True))
        if found["fault"]:
            del self._local.block  # it keeps the fault
            raise Fault(seed, found["fault_game"], names.FAULTS[found["fault"]])
        tallies.games = found["games"]
        tallies.illegal = found["illegal"]
        tallies.decisions = found["decisions"]
        tallies.turns = found["turns"]
        tallies.unfinished = int(tallies.sums[names.UNFINISHED, 0])
        return tallies


    def imagine(self, block: np.ndarray, seat: int, decision: int, rollout: int) -> np.ndarray:
        """A block that agrees with what a seat knows of another one; hidden cards, roles and chance are drawn anew.

        ``decision`` and ``rollout`` number the copies: the same numbers give the same copy. Play may go on from it
        whenever the player in turn was asked what to play next.
        """
        imagined = self.new_block()
        imagined[0]["public"] = block[0]["public"]
        imagined[0]["record"] = block[0]["record"]
        imagined[0]["own"][seat] = block[0]["own"][seat]
        search = self.kernel.module("search")
        search.imagine_block(block, imagined, self.rules_table, self.tables_table, seat, decision, rollout)
        return imagined


def _assigned(strategies: Mapping[str, Strategy], role: str) -> Strategy:
    return strategies.get(role, strategies["default"])


def strategy_keys() -> Sequence[str]:
    """What a strategy can be set for."""
    return ("default", *names.ROLES)


