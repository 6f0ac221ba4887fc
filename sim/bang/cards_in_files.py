"""Cards named in a scenario file: which card of the deck each name means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.bang.cards import CardTable, card_text, dead_card_types
from sim.documents import Document, Key
from sim.errors import UserError, unknown
from sim.notation import is_full, name_fits

SEAT_KEYS = ("hand", "in_play", "buried", "dead_hand")
PILE_KEYS = ("draw", "discard", "dead_draw", "dead_discard")


DEAD_NAMES = frozenset(t.name for t in dead_card_types())


def is_dead_key(key: str) -> bool:
    """Whether a list of this name holds Dead Men's cards."""
    return key.startswith("dead_")


def card_texts(table: CardTable) -> list[str]:
    """Every card of the deck as it is written, by card id."""
    return [card_text(table, card) for card in range(len(table.kind))]


def cards_of(document: Document, texts: Sequence[str], living: int) -> Mapping[Key, list[int]]:
    """The card ids of each list of cards in a file: ``("seat", 0, "hand")`` → ids in the order of the list.

    ``living``: how many cards the deck of the living has; the others are Dead Men's cards, for lists of their own.
    Full names are reserved first, then each bare name takes the first card that is left, in the order of the card
    table. Raises UserError for a name that no card has, and for a card named more often than it is there.
    """
    named = list(_named(document.data))
    unused = {False: dict.fromkeys(range(living)), True: dict.fromkeys(range(living, len(texts)))}
    found: dict[Key, int] = {}
    for full in (True, False):
        for key, name in named:
            if (name in texts) == full:
                found[key] = _take(name, key, texts, unused[is_dead_key(str(key[-2]))], document)
    lists: dict[Key, list[int]] = {}
    for key, _ in named:
        lists.setdefault(key[:-1], []).append(found[key])
    return lists


def _named(data: Mapping[str, Any]) -> Iterator[tuple[Key, str]]:
    """Each name in a list of cards with its key, in the order of the file."""
    for key, value in data.items():
        if key == "seat":
            for i, seat in enumerate(value):
                yield from _in_lists(seat, SEAT_KEYS, ("seat", i))
        elif key == "piles":
            yield from _in_lists(value, PILE_KEYS, ("piles",))
        elif key == "effect":
            for i, effect in enumerate(value):
                name = str(effect.get("card", ""))
                if name.startswith("Proper Burial"):  # it lies on the table (DM-33)
                    yield ("effect", i, "dead_card", 0), name


def _in_lists(table: Mapping[str, Any], keys: Sequence[str], within: Key) -> Iterator[tuple[Key, str]]:
    for key, names in table.items():
        if key in keys:
            for i, name in enumerate(names):
                yield (*within, key, i), name


def _take(name: str, key: Key, texts: Sequence[str], unused: dict[int, None], document: Document) -> int:
    """The first unused card that a name means."""
    for card in unused:
        if name_fits(name, texts[card]):
            del unused[card]
            return card
    place = document.place(*key)
    if is_dead_key(str(key[-2])):
        texts = [text for text in texts if text.rpartition(" ")[0] in DEAD_NAMES]
    else:
        texts = [text for text in texts if text.rpartition(" ")[0] not in DEAD_NAMES]
    there = sum(name_fits(name, text) for text in texts)
    if there == 0:
        raise _unknown(name, texts, place)
    raise UserError(f"{place}: {name} is used more often than it is in the deck ({there} of it)")


def _unknown(name: str, texts: Sequence[str], place: str) -> UserError:
    """The error for a name that no card has: the nearest are full names for a full name, else names alone."""
    return unknown("card", name, set(texts) if is_full(name) else {text.rpartition(" ")[0] for text in texts}, place)


def check_names(names: Sequence[str], texts: Sequence[str], place: str) -> None:
    """Raises UserError unless each of the names means some card of the deck."""
    for name in names:
        if not any(name_fits(name, text) for text in texts):
            raise _unknown(name, texts, place)
