"""One compiled set-up of BANG!: rules and strategies, ready to play."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numba import config

from sim.bang.cards import DEATH_MESA, load_cards, load_characters
from sim.bang.core import names
from sim.bang.kernels import kernel_for, require_function
from sim.bang.metrics import endings, metrics, moments
from sim.bang.tables import rules_record, tables_record, words_for
from sim.errors import UserError
from sim.game import Compiling, Fault, Rules, Strategy, Tallies
from sim.kernel.build import Kernel

GHOST = "ghost"
"""The key of the strategy of the eliminated who play on (DM-1); ``ghost.<role>``: of those dealt a role."""


_ready: set[str] = set()
"""Kernels whose machine code this process has."""


class Session:
    """See ``sim.game.Session``. ``instrumented`` sessions also keep journals, follow scripts, count habits and check.

    Strategies from files must have passed their ``trial``, or this is it.
    """

    def __init__(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        checked: bool = False,
        instrumented: bool = False,
        trial: bool = False,
        compiling: Compiling | None = None,
    ) -> None:
        self.rules = rules
        self.checked = checked
        self.cards = load_cards(rules)
        self.characters = load_characters(rules)
        ghost_keys = [key for key in strategies if key.startswith(GHOST)]
        if ghost_keys and not self.with_ghosts:
            raise UserError(f"strategy {ghost_keys[0]}: there are ghosts only with --expansions {DEATH_MESA}")
        self._players = Players(strategies)
        for strategy in self._players.outside:
            require_function(strategy)
        self.metrics_count = len(metrics(rules))
        self.examples_count = len(endings(rules)) + len(moments(rules))
        words = words_for(len(self.cards.kind), self.with_ghosts)
        kernel = kernel_for(
            self._players.programs, bool(self._players.outside), tuple(rules.expansions), words, instrumented or checked
        )
        if compiling is not None and not kernel.is_warm:
            compiling()
        self._prepare(kernel)
        self._enter_players(strategies, words, trial)

    def _prepare(self, kernel: Kernel) -> None:
        """Compiles, or loads, the machine code by playing no game at all."""
        self.kernel = kernel
        self.state = kernel.module("state")
        self.games = kernel.module("games")
        self.rules_table = rules_record(self.state, self.rules)
        self.tables_table = tables_record(self.state, self.cards, self.characters, self.rules)
        self._local = threading.local()
        if kernel.package in _ready:
            return
        with kernel.compiling_alone():
            self.play(0, 0, 0, np.zeros(1, np.uint8))
            kernel.mark_warm()
        _ready.add(kernel.package)

    def _enter_players(self, strategies: Mapping[str, Strategy], words: int, trial: bool) -> None:
        """Writes how the strategies are set into the tables, those from files being compiled apart."""
        addresses: dict[Strategy, int] = {}
        if self._players.outside:
            from sim.bang.outside import address_of  # nobody else needs it
            from sim.bang.trial import require_passed

            if not (trial or config.DISABLE_JIT):
                require_passed(self.rules, strategies, self.kernel.folder)
            for strategy in self._players.outside:
                addresses[strategy] = address_of(strategy, tuple(self.rules.expansions), words, trial)
        self._players.enter(self.tables_table[0], addresses)

    @property
    def with_ghosts(self) -> bool:
        """Whether Death Mesa is played: only then has a state the fields of ghosts."""
        return DEATH_MESA in self.rules.expansions

    def new_block(self) -> np.ndarray:
        """A block for one game, one record of ``state.GAME``, with the strategies assigned."""
        block = np.zeros(1, self.state.GAME)
        block[0]["strategy_of_role"] = self._players.of_role
        if self.checked:
            block[0]["script"]["checked"] = 1
        return block

    def play(self, seed: int, first: int, count: int, stop: np.ndarray) -> Tallies:
        """See ``sim.game.Session.play``. Raises Fault in checked mode."""
        return self._play(seed, first, count, stop, ())[0]

    def each(
        self, seed: int, first: int, count: int, stop: np.ndarray, rows: Sequence[int]
    ) -> tuple[Tallies, np.ndarray]:
        """See ``sim.game.Session.each``. Raises Fault in checked mode."""
        return self._play(seed, first, count, stop, rows)

    def habits(self, seed: int, first: int, count: int, stop: np.ndarray) -> tuple[Tallies, np.void]:
        """``play``, and what the players did with their chances: a record of ``state.HABITS``.

        Only for instrumented sessions.
        """
        habits = self._own_block()["script"]["habits"]
        habits[:] = 0
        habits["on"] = 1
        tallies = self.play(seed, first, count, stop)
        habits["on"] = 0
        return tallies, habits[0].copy()

    def _play(
        self, seed: int, first: int, count: int, stop: np.ndarray, rows: Sequence[int]
    ) -> tuple[Tallies, np.ndarray]:
        """The tallies of some games, and what ``each`` returns of those that were played."""
        block = self._own_block()
        tallies = Tallies.empty(self.metrics_count, self.examples_count)
        counters = np.zeros(len(self.games.COUNTERS), np.int64)
        each = np.zeros((count, len(rows), 2), np.int64)
        self.games.play_games(
            block, self.rules_table, self.tables_table, seed, first, count,
            tallies.sums, tallies.examples, counters, stop, np.array(rows, np.int64), each,
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
        return tallies, each[: tallies.games]

    def _own_block(self) -> np.ndarray:
        """The block that the thread plays in."""
        if not hasattr(self._local, "block"):
            self._local.block = self.new_block()
        block: np.ndarray = self._local.block
        return block

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


class Players:
    """Who plays which role, alive and as a ghost: the strategies as a kernel has them."""

    def __init__(self, strategies: Mapping[str, Strategy]) -> None:
        living = [strategies.get(role, strategies["default"]) for role in names.ROLES]
        general = [strategies.get(GHOST, strategy) for strategy in living]
        ghosts = [strategies.get(f"{GHOST}.{role}", general[k]) for k, role in enumerate(names.ROLES)]
        self._used = _in_order([*living, *ghosts])
        self.of_role = [[self._used.index(strategy) for strategy in part] for part in (living, ghosts)]
        # Also those that nobody plays: so set-ups that are compared can have one kernel.
        named = _in_order(strategies.values())
        self.programs = tuple(dict.fromkeys(_program(one) for one in named if one.module is not None))
        self.outside = tuple(dict.fromkeys(_program(one) for one in self._used if one.module is None))
        """Those that are compiled apart."""

    def enter(self, tables: np.void, addresses: Mapping[Strategy, int]) -> None:
        """Writes how the strategies are set into a record of ``state.TABLES``."""
        for k, strategy in enumerate(self._used):
            program = _program(strategy)
            inside = program in self.programs
            tables["program"][k] = self.programs.index(program) if inside else len(self.programs)
            tables["address"][k] = 0 if inside else addresses[program]
            tables["mistakes"][k] = round(strategy.mistakes * names.MILLION)
            tables["weights"][k, : len(strategy.weights)] = strategy.weights


def _in_order(strategies: Iterable[Strategy]) -> list[Strategy]:
    """Each of them once, in an order that does not depend on who plays what."""
    return sorted(set(strategies), key=lambda strategy: (strategy.text, str(strategy.source)))


def _program(strategy: Strategy) -> Strategy:
    """What of a strategy is compiled, however it is set."""
    return replace(strategy, weights=(), mistakes=0.0, changed=())


def strategy_keys(with_ghosts: bool) -> Sequence[str]:
    """What a strategy can be set for."""
    of_ghosts = (GHOST, *(f"{GHOST}.{role}" for role in names.ROLES)) if with_ghosts else ()
    return ("default", *names.ROLES, *of_ghosts)
