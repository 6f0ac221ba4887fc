"""Cards, characters and rules as the records that a kernel reads."""

from __future__ import annotations

from functools import cache, lru_cache
from types import ModuleType

import numpy as np

from sim.bang.cards import TABLES_KEPT, CardTable, CharacterTable
from sim.bang.core import names
from sim.bang.rules import parameters, roles
from sim.game import Rules


def words_for(cards: int, with_ghosts: bool) -> int:
    """64-bit words a card set needs: 2, 3, 4, 8, 16 or 32, so that decks of like size share a kernel.

    A deck made smaller shares that of the deck as printed, which has 3 words with the Dead Men's Deck and 2 without.
    """
    return next(words for words in (2, 3, 4, 8, 16, 32) if 64 * words >= cards and words >= (3 if with_ghosts else 2))


def rules_record(state: ModuleType, rules: Rules) -> np.ndarray:
    """The rules that the core reads, one record of ``state.RULES``.

    A choice becomes its place among the choices, a share millionths.
    """
    record = np.zeros(1, state.RULES)
    choices = _choices()
    for name in state.RULE_NAMES:
        value = rules[name]
        if name in choices:
            record[name] = choices[name].index(value)
        else:
            record[name] = round(value * names.MILLION) if isinstance(value, float) else int(value)
    return record


@cache
def _choices() -> dict[str, tuple[str, ...]]:
    return {p.name: p.choices for p in parameters() if p.choices}


def tables_record(state: ModuleType, cards: CardTable, characters: CharacterTable, rules: Rules) -> np.ndarray:
    """Cards, characters, role counts and distances, one record of ``state.TABLES``."""
    record = _cards_record(state, cards).copy()
    table = record[0]
    missed = cards.effect[cards.kind] == names.MISSED  # used as a BANG! (CH-3) it hits like one
    table["amount"][: len(missed)][missed] = rules["shot_damage"]
    table["characters"] = len(characters.names)
    table["printed_life"][: len(characters.names)] = characters.life
    table["ability"][: len(characters.names)] = characters.ability
    table["role_count"] = roles(rules)
    table["within"] = seats_within()
    return record


@lru_cache(maxsize=TABLES_KEPT)
def _cards_record(state: ModuleType, cards: CardTable) -> np.ndarray:
    """The record with the cards only, not to be written to."""
    record = np.zeros(1, state.TABLES)
    table = record[0]
    words = table["deck"].shape[0]
    count = len(cards.kind)
    effect, colour = cards.effect[cards.kind], cards.colour[cards.kind]
    table["cards"] = cards.living
    table["dead_cards"] = count - cards.living
    for field, values in (("kind", cards.kind), ("effect", effect), ("suit", cards.suit), ("rank", cards.rank)):
        table[field][:count] = values
    for field, values in (("range", cards.range), ("amount", cards.amount), ("second_card", cards.second_card)):
        table[field][:count] = values[cards.kind]
    is_dead = np.arange(count) >= cards.living
    table["deck"] = card_set(~is_dead, words)
    table["dead_deck"] = card_set(is_dead, words)
    for field, values, codes in (
        ("of_effect", effect, len(names.EFFECTS)), ("of_suit", cards.suit, len(names.SUITS)),
        ("same_name", cards.kind, len(cards.names)),
    ):  # fmt: skip
        table[field][:codes] = card_set(values == np.arange(codes)[:, np.newaxis], words)
    table["weapons"] = card_set((effect == names.WEAPON) | (effect == names.VOLCANIC), words)
    table["blue"] = card_set(colour == names.BLUE, words)
    return record


def card_set(members: np.ndarray, words: int) -> np.ndarray:
    """The words of the set of the card ids for which ``members`` (bool, cards) is true, or of several such sets."""
    bits = np.zeros((*members.shape[:-1], 64 * words), bool)
    bits[..., : members.shape[-1]] = members
    return np.packbits(bits, axis=-1, bitorder="little").view("<u8")


@cache
def seats_within() -> np.ndarray:
    """B-20: uint8 (256, SEATS, SEATS), [alive, seat, d] the other seats in play at most d away, without modifiers.

    Not to be written to.
    """
    table = np.zeros((256, names.SEATS, names.SEATS), np.uint8)
    for alive in range(256):
        circle = [seat for seat in range(names.SEATS) if alive >> seat & 1]
        for i, seat in enumerate(circle):
            for j, other in enumerate(circle):
                if other != seat:
                    steps = abs(i - j)
                    distance = min(steps, len(circle) - steps)
                    table[alive, seat, distance:] |= 1 << other
    return table
