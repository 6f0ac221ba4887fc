"""BANG! as the services see it (``sim.game.Game``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.bang import metrics as counted
from sim.bang import rules as switchable
from sim.bang.cards import (
    DATA,
    DEATH_MESA,
    PRINTED_DECK,
    card_rows,
    dead_card_rows,
    dead_deck_note,
    load_cards,
    other_dead_decks,
)
from sim.bang.core import names
from sim.bang.session import Session, strategy_keys
from sim.documents import Document
from sim.game import Compiling, Decision, Habits, Metric, Position, Recording, Rules, Strategy
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
    Decision("negate", ("negate", "pass"), "whether a ghost opens a duel over a card just played (DM-29)"),
    Decision("dead_duel", ("respond", "pass"), "how a ghost answers in such a duel (DM-31)"),
    Decision("intervene", ("respond", "pass"), "whether a dead Renegade answers for a party (DM-35)"),
    Decision("mirage", ("play", "pass"), "whether a ghost redirects an attack (DM-C15)"),
    Decision("warn", ("play", "convert", "pass"), "whether a ghost plays a Missed! for the attacked (DM-C22, DM-27)"),
    Decision("bonus", ("use", "pass"), "whether to take the suit bonus (DM-40), or the Zombie's further card (DM-71)"),
    Decision("ransom", ("discard", "pass"), "what to discard for a life point (DM-C04, DM-C18)"),
    Decision("decay", ("respond", "use", "pass"), "whether to save a card in play by a Missed! (DM-C09)"),
    Decision("curse", ("discard",), "which card goes to the ghost who cast a Curse (DM-C01)"),
    Decision("graves", ("choose",), "which of the buried goods to take or discard (DM-C02, DM-C08)"),
    Decision("possess", ("play", "pass"), "how to play the card of a possessed player (DM-C17)"),
    Decision("look", ("choose",), "which card of a possessed player to play (OP-66)"),
    Decision("second_seat", ("on", "to"), "the second player that a Dead Men's card names"),
    Decision("give", ("giving",), "which of his buried goods a ghost gives away (DM-C11)"),
    Decision("convert", ("convert",), "which Dead Men's cards to convert, the designated one first (DM-28)"),
    Decision("resurrect", ("resurrect", "pass"), "whether to return as a Zombie (DM-72)"),
    Decision("any_turn", ("convert", "pass"), "whether to convert at the end of another's turn (OP-26)"),
)


class Bang:
    """The BANG! family."""

    name = "bang"
    title = "BANG!"
    rules_version = 1
    decisions: Sequence[Decision] = DECISIONS
    expansions: Sequence[str] = switchable.BUILT
    new_files: Mapping[str, Sequence[Path]] = {
        "experiment": [DATA / "new_experiment.toml"],
        "deck": [DATA / "new_deck.csv", DATA / PRINTED_DECK],
        "cards": [DATA / "new_cards.csv"],
        "strategy": [DATA / "new_strategy.py"],
    }
    scenario_keys = frozenset({"rules", "seat", "piles", "start", "effect", "expect"})

    def parameters(self) -> Sequence[Parameter]:
        return switchable.parameters()

    def resolve(self, settings: Mapping[str, Any]) -> Rules:
        return switchable.resolve(settings)

    def endings(self, rules: Rules) -> Sequence[str]:
        return counted.endings(rules)

    def moments(self, rules: Rules) -> Sequence[str]:
        return counted.moments(rules)

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        return counted.metrics(rules)

    def funnels(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        return counted.funnels(rules)

    def notes(self, rules: Rules) -> Sequence[str]:
        return (dead_deck_note(rules),) if DEATH_MESA in rules.expansions else ()

    def subjects(self, rules: Rules) -> Mapping[str, str]:
        return counted.subjects(rules)

    def assumptions(self, rules: Rules) -> Mapping[str, Mapping[str, Sequence[Any]]]:
        return {"decks": other_dead_decks(rules)} if DEATH_MESA in rules.expansions else {}

    def card_tables(self, rules: Rules) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        table = load_cards(rules)
        tables: dict[str, Sequence[Mapping[str, Any]]] = {"draw pile": card_rows(table)}
        if len(table.kind) > table.living:
            tables["Dead Men's Deck"] = dead_card_rows(table)
        return tables

    def strategy_keys(self, rules: Rules | None = None) -> Sequence[str]:
        return strategy_keys(with_ghosts=rules is None or DEATH_MESA in rules.expansions)

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

    def habits(self, rules: Rules, strategies: Mapping[str, Strategy], compiling: Compiling | None = None) -> Habits:
        from sim.bang import habits

        return habits.Habits(Session(rules, strategies, instrumented=True, compiling=compiling))


assert tuple(decision.kind for decision in DECISIONS) == names.KINDS

BANG = Bang()
