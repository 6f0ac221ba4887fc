"""BANG! as the services see it (``sim.game.Game``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.bang import metrics as counted
from sim.bang import rules as switchable
from sim.bang.cards import card_rows, load_cards
from sim.bang.core import names
from sim.bang.session import Session, strategy_keys
from sim.documents import Document
from sim.game import Compiling, Decision, Metric, Position, Recording, Rules, Strategy
from sim.parameters import Parameter

DECISIONS = (
    Decision("character", ("choose",), "which of two characters to keep (B-5)"),
    Decision("play", ("play", "use", "end"), "what to play next, or to end phase 2 (B-12)"),
    Decision("take", ("taking",), "which card to take or discard: one in play, or a random hand card (B-58)"),
    Decision("pay", ("with",), "a hand card to discard as a price"),
    Decision("discard", ("discard",), "a card above the hand limit (B-16)"),
    Decision("answer", ("use", "respond", "pass"), "how to answer a shot (B-25)"),
    Decision("indians", ("respond", "pass"), "whether to answer Indians! with a BANG! (B-57)"),
    Decision("duel", ("respond", "pass"), "whether to go on with a Duel (B-55)"),
    Decision("save", ("respond", "use", "pass"), "how to save oneself from elimination (B-31)"),
    Decision("store", ("choose",), "which card to take from a General Store (B-59)"),
    Decision("reveal", ("choose",), "which of two cards counts for a “draw!” (CH-8)"),
    Decision("source", ("draw",), "where the first card of phase 1 comes from (CH-5, CH-10)"),
    Decision("keep", ("choose",), "which of the cards looked at to keep (CH-7)"),
    Decision("sid", ("use", "pass"), "whether to use Sid Ketchum's ability in another's turn (CH-12)"),
)


class Bang:
    """The BANG! family."""

    name = "bang"
    title = "BANG!"
    rules_version = 1
    decisions: Sequence[Decision] = DECISIONS
    scenario_keys = frozenset({"rules", "seat", "piles", "start", "effect", "expect"})

    def parameters(self) -> Sequence[Parameter]:
        return switchable.parameters()

    def resolve(self, settings: Mapping[str, Any]) -> Rules:
        return switchable.resolve(settings)

    def endings(self, rules: Rules) -> Sequence[str]:
        return names.ENDINGS

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        return counted.metrics(rules)

    def card_tables(self, rules: Rules) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        return {"draw pile": card_rows(load_cards(rules))}

    def strategy_keys(self) -> Sequence[str]:
        return strategy_keys()

    def session(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        checked: bool = False,
        compiling: Compiling | None = None,
    ) -> Session:
        return Session(rules, strategies, checked, compiling=compiling)

    def position(self, document: Document, compiling: Compiling | None = None) -> Position:
        # pydantic and what lays games out are loaded only for those who use them.
        from sim.bang import position

        return position.Position(document, compiling)

    def recording(
        self,
        rules: Rules,
        strategies: Mapping[str, Strategy],
        seed: int,
        number: int,
        compiling: Compiling | None = None,
    ) -> Recording:
        from sim.bang import recording

        session = Session(rules, strategies, instrumented=True, compiling=compiling)
        return recording.Recording(session, seed, number)


assert tuple(decision.kind for decision in DECISIONS) == names.KINDS

BANG = Bang()
