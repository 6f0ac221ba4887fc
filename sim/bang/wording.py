"""How cards, abilities and decisions of BANG! are written, and what the journal says about decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sim.bang.cards import card_text, characters, dead_card_types
from sim.bang.core import names
from sim.bang.session import Session
from sim.errors import plain
from sim.notation import Choice, split_names

PART_OF_A_PLAY = tuple(int(k) for k in (names.TAKE, names.PAY, names.SECOND_SEAT, names.GIVE, names.CONVERTED))
"""Kinds of question that belong to the decision before them: a person writes one line for both."""


VERB_OF_KINDS = {
    "play": (names.PLAY, names.MIRAGE_ANSWER, names.WARN_ANSWER, names.POSSESSED),
    "discard": (names.DISCARD, names.RANSOM, names.CURSED),
    "choose": (names.STORE, names.REVEAL, names.KEEP, names.GRAVES, names.LOOK),
    "negate": (names.NEGATE,),
}
"""What naming a card means, where it is no response."""

EXCHANGED = (names.DESICRATE_GRAVE, names.SYPHON, names.ROB_GRAVE)
"""Effects of cards that a ghost may discard for another, if the rules say so (OP-78)."""


class Decided(NamedTuple):
    """A decision as the journal has it."""

    seat: int
    kind: int
    what: int
    target: int
    asked: bool


class Open(NamedTuple):
    """What lies open when a decision is taken: by seat, the cards in play as a bit set, and the characters dealt."""

    in_play: Sequence[int]
    dealt: Sequence[Sequence[int]]

    @classmethod
    def of(cls, game: Any) -> Open:
        return cls([whole(cards) for cards in game["public"]["in_play"]], game["own"]["dealt"].tolist())


class Names:
    """How cards, abilities and decisions of a session are written."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ability = {plain(c.name): c.name for c in characters()}

    def card(self, card: int) -> str:
        return card_text(self._session.cards, card)

    def ability(self, ability: int) -> str:
        """The character that an ability is printed on."""
        return self._ability[names.ABILITIES[ability]]

    def dead_card(self, effect: int) -> str:
        """The Dead Men's card with an effect."""
        return dead_card_types()[effect - int(names.FIRST_DEAD)].name

    def character(self, character: int) -> str:
        return self._session.characters.names[character]

    def choice(self, lying: Open, decided: Decided, parts: Sequence[Decided] = ()) -> Choice:
        """A decision with the parts that the core asks for separately."""
        verb, words = self._verb(lying, decided)
        written: dict[str, tuple[str, ...]] = {}
        if verb == "draw":
            written["from"] = (words,)
            words = ""
        elif decided.target < names.SEATS:
            written["for" if decided.kind == names.INTERVENE else "on"] = (str(decided.target),)
        for part in parts:
            if part.kind == names.TAKE:
                written["taking"] = ("hand" if part.what == names.HAND else self.card(part.what),)
            elif part.kind == names.GIVE:
                written["giving"] = (self.card(part.what),)
            elif part.kind == names.SECOND_SEAT and self._effect(decided.what) == names.THE_EAST_WIND:
                written["on"] = (*written["on"], str(part.target))
            elif part.kind == names.SECOND_SEAT:
                written["to"] = (str(part.target),)
        said = split_names(words.split())
        said += tuple(self.card(part.what) for part in parts if part.kind == names.CONVERTED)
        paid = tuple(self.card(part.what) for part in parts if part.kind == names.PAY)
        if decided.kind == names.RANSOM:
            said += paid
        elif paid:
            written["with"] = paid
        return Choice(verb, said, written)

    def _is_exchange(self, card: int) -> bool:
        """Whether a card that names nobody is discarded for another (OP-78)."""
        return self._session.rules.values.get("dm_redraw_dead_cards", False) and self._effect(card) in EXCHANGED

    def _effect(self, card: int) -> int:
        cards = self._session.cards
        return int(cards.effect[cards.kind[card]])

    def _verb(self, lying: Open, decided: Decided) -> tuple[str, str]:
        """The verb of a decision and what follows it."""
        what, kind = decided.what, decided.kind
        if what >= names.OTHER:
            return self._other(lying, decided)
        if kind == names.PLAY and decided.target == names.NOBODY and self._is_exchange(what):
            return "discard", self.card(what)
        for verb, kinds in VERB_OF_KINDS.items():
            if kind in kinds:
                return verb, self.card(what)
        return "use" if lying.in_play[decided.seat] >> what & 1 else "respond", self.card(what)

    def _other(self, lying: Open, decided: Decided) -> tuple[str, str]:
        what = decided.what
        if what in (names.FIRST_CHARACTER, names.SECOND_CHARACTER):
            return "choose", self.character(lying.dealt[decided.seat][int(what - names.FIRST_CHARACTER)])
        return {
            int(names.END): ("end", ""),
            int(names.PASS): ("pass", ""),
            int(names.USE_JOURDONNAIS): ("use", self.ability(int(names.JOURDONNAIS))),
            int(names.USE_SID): ("use", self.ability(int(names.SID_KETCHUM))),
            int(names.FROM_DECK): ("draw", "deck"),
            int(names.FROM_DISCARD_PILE): ("draw", "discard"),
            int(names.FROM_SEAT): ("draw", str(decided.target)),
            int(names.USE_BONUS): ("use", "bonus"),
            int(names.CONVERT): ("convert", ""),
            int(names.RESURRECT): ("resurrect", ""),
        }[what]


def whole(cards: np.ndarray) -> int:
    """The words of a card set as one number, card c being bit c."""
    return sum(int(word) << (64 * w) for w, word in enumerate(cards))


def members(cards: int) -> list[int]:
    """The cards of a bit set, in order."""
    return [card for card in range(cards.bit_length()) if cards >> card & 1]


def events(game: Any) -> np.ndarray:
    """The journal of a state: int16 (events, 6), each event, seat and four numbers."""
    journal: np.ndarray = game["script"]["journal"][: game["script"]["journal_size"]]
    return journal


def decisions(journal: np.ndarray) -> list[Decided]:
    """The decisions among events."""
    return [
        Decided(seat, kind, what, target, bool(asked))
        for event, seat, kind, what, target, asked in journal.tolist()
        if event == names.E_DECISION
    ]


def parts_after(decided: Sequence[Decided], i: int) -> list[Decided]:
    """The decisions right after number i that are parts of it."""
    parts: list[Decided] = []
    for part in decided[i + 1 :]:
        if part.kind not in PART_OF_A_PLAY or part.seat != decided[i].seat:
            break
        parts.append(part)
    return parts
