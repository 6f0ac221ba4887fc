"""Decisions and patterns in a scenario file: whether what they name is there at all."""

from __future__ import annotations

from collections.abc import Sequence

from sim.bang.cards import card_types, characters
from sim.errors import unknown
from sim.notation import NAMES_AFTER, NOTHING, SEATS_AFTER, Choice, is_full, name_fits

WORDS = ("bonus", "hand", NOTHING, "red", "black", "S", "H", "D", "C")
"""What stands where a card might, and is none."""

PLACES = ("deck", "discard")
"""What a card is drawn from, besides a seat."""


def check_choice(choice: Choice, texts: Sequence[str], players: int) -> None:
    """Raises UserError for a name that is no card of the decks (``texts``), character or word, and for a missing seat.

    A pattern with such a name fits nothing: what must not be offered would never be.
    """
    for name in (*choice.names, *(name for part in NAMES_AFTER for name in choice.parts.get(part, ()))):
        _check_name(name, texts)
    seats = [str(seat) for seat in range(players)]
    for part in SEATS_AFTER:
        for seat in choice.parts.get(part, ()):
            if seat not in seats:
                raise unknown("seat", seat, seats, repr(str(choice)))
    for place in choice.parts.get("from", ()):
        if place not in (*PLACES, *seats):
            raise unknown("place", place, (*PLACES, *seats), repr(str(choice)))


def _check_name(name: str, texts: Sequence[str]) -> None:
    bare = {t.name for t in card_types()} | {text.rpartition(" ")[0] for text in texts}
    bare |= {character.name for character in characters()} | set(WORDS)
    if name in bare or any(name_fits(name, text) for text in texts):
        return
    full = is_full(name)
    raise unknown("card" if full else "card or character", name, set(texts) if full else bare)
