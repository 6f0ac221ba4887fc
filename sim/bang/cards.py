"""Cards and characters: the tables a designer may edit, made into integers for the compiled core.

``data/card_types.csv`` has one row for each card name: colour, effect (one word a mechanism), and its numbers.
``range``: reach of a weapon, distance of Panic! (0 = any). ``amount``: life points lost or gained, cards drawn.
``second_card``: further cards to discard when it is played. 0 where a number has no meaning.
``data/cards_bang_base.csv`` has one row for each card of the deck: name, suit and rank.

A user's file may stand in for both: parameter ``deck`` (cards, suits, ranks) and parameter ``cards`` (numbers). Of one
number, a parameter named by the user wins over the file of numbers, and the file over the default of the parameter
(``PARAMETER_OF``). So BANG! and Gatling do ``shot_damage``, unless it is not named and the file gives an amount.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sim.bang.core.names import ABILITIES, COLOURS, EFFECTS, SUITS
from sim.errors import UserError, plain, unknown
from sim.game import Rules

DATA = Path(__file__).parent / "data"
PRINTED_DECK = "cards_bang_base.csv"

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LOWEST_RANK = 2

PARAMETER_OF = {
    ("BANG!", "amount"): "shot_damage",
    ("Gatling", "amount"): "shot_damage",
    ("Beer", "amount"): "beer_heal",
    ("Saloon", "amount"): "saloon_heal",
    ("Duel", "amount"): "duel_damage",
    ("Indians!", "amount"): "indians_damage",
    ("Dynamite", "amount"): "dynamite_damage",
    ("Stagecoach", "amount"): "stagecoach_draw",
    ("Wells Fargo", "amount"): "wells_fargo_draw",
    ("Panic!", "range"): "panic_distance",
}
"""The numbers of cards that are rules parameters as well."""

ABOUT_CARDS = ("deck", "cards", "dead_deck", "copies.", "dmd_", *PARAMETER_OF.values())
"""What the names of all parameters begin with that decks and the numbers of cards depend on."""

TABLES_KEPT = 64
"""So many card tables are kept for sweeps, whose thousands of set-ups mostly have the same cards."""

LIMITS = {
    ("bang", "amount"): (1, 4),
    ("gatling", "amount"): (1, 4),
    ("beer", "amount"): (0, 4),
    ("saloon", "amount"): (0, 4),
    ("duel", "amount"): (1, 4),
    ("indians", "amount"): (1, 4),
    ("dynamite", "amount"): (1, 6),
    ("draw", "amount"): (0, 8),
    ("panic", "range"): (0, 7),
    ("weapon", "range"): (1, 7),
    ("volcanic", "range"): (1, 7),
}
"""Lowest and highest value of the numbers that an effect reads; a number that is not here has no meaning."""

SECOND_CARD_LIMITS = (0, 3)
NUMBERS = ("range", "amount", "second_card")
MOST_CARDS = 1024
MOST_DEAD_CARDS = 256
COMMENT = "#"
"""What lines of a CSV file begin with that are for people only."""

MOST_FAULTS = 10
"""Wrong rows of one file that are reported before reading stops."""

DEATH_MESA = "death_mesa"
OTHER_ARRANGEMENTS = 2
"""So many other arrangements stand for all of them: they matter less than the composition."""

MOST_ARRANGEMENT = 1_000_000

COMPOSITIONS = ("u2", "w1", "a_plus", "p")
KNOWN_DEAD_CARDS = ("Spook! KS", "Curse 8D", "Death and Taxes 5C", "Syphon 7D")
"""The cards that the seed text shows in its worked example (DM-34)."""

T = TypeVar("T")


class Card(NamedTuple):
    """One card of a deck: name, suit (index into SUITS) and rank (2..14, 14 the ace)."""

    name: str
    suit: int
    rank: int


@dataclass(frozen=True)
class CardType:
    """One card name with its colour, effect and numbers."""

    name: str
    colour: str
    effect: str
    range: int
    amount: int
    second_card: int


@dataclass(frozen=True)
class Character:
    """One character: name, printed life points and the set it comes from (``base``, ``dodge_city``)."""

    name: str
    life: int
    set: str


@dataclass(frozen=True, eq=False)
class CardTable:
    """The deck as integers for the compiled core; all arrays int64, not to be written to.

    A card id is a position in ``kind``, ``suit`` (index into SUITS) and ``rank`` (2..14), each of shape (cards,), in
    the order of the deck file. ``kind`` is a position in ``names``, ``colour`` (index into COLOURS), ``effect`` (index
    into EFFECTS), ``range``, ``amount`` and ``second_card``, each of shape (kinds,). Every name has a kind, whether the
    deck has such a card or not. The first ``living`` ids are the deck, the others the Dead Men's Deck, if in use.
    """

    names: tuple[str, ...]
    kind: np.ndarray
    suit: np.ndarray
    rank: np.ndarray
    colour: np.ndarray
    effect: np.ndarray
    range: np.ndarray
    amount: np.ndarray
    second_card: np.ndarray
    living: int


@dataclass(frozen=True, eq=False)
class CharacterTable:
    """The characters in use: ``names``, starting ``life`` without the Sheriff's extra (B-6), ``ability`` (index into
    ABILITIES); both arrays int64 of shape (characters,), not to be written to."""

    names: tuple[str, ...]
    life: np.ndarray
    ability: np.ndarray


@cache
def card_types() -> tuple[CardType, ...]:
    """The cards of the base game as printed, one a name."""

    def printed(row: Mapping[str, str]) -> CardType:
        return CardType(row["name"], row["colour"], row["effect"], *(int(row[number]) for number in NUMBERS))

    return _rows(DATA / "card_types.csv", ("name", "colour", "effect", *NUMBERS), printed)


@cache
def printed_deck() -> tuple[Card, ...]:
    """The deck of the base game."""
    return read_deck(DATA / PRINTED_DECK)


@cache
def characters() -> tuple[Character, ...]:
    """All characters as printed, those of expansions too."""

    def printed(row: Mapping[str, str]) -> Character:
        return Character(row["name"], int(row["life"]), row["set"])

    return _rows(DATA / "characters.csv", ("name", "life", "set", "ability"), printed)


@cache
def dead_card_types() -> tuple[CardType, ...]:
    """The Dead Men's cards, one a name, in the order DM-C01 … DM-C26; a shot of theirs costs one life point."""
    return tuple(CardType(row["name"], "dead", row["effect"], 0, 1, 0) for row in _dead_rows())


@cache
def _dead_rows() -> tuple[Mapping[str, str], ...]:
    """The Dead Men's cards with their copies in each assumed composition (death_mesa.md section 13)."""
    return _rows(DATA / "dead_card_types.csv", ("name", "effect", *COMPOSITIONS), dict)


@cache
def printed_dead_deck() -> tuple[Card, ...]:
    """The deck assumed by default (U2), of which the seed text shows the cards in ``KNOWN_DEAD_CARDS``."""
    return read_deck(DATA / "cards_death_mesa.csv", dead_card_types(), ignored=("provenance",))


def dead_deck_note(rules: Rules) -> str:
    """What to know about the Dead Men's Deck in use: what of it is known, and what is assumed."""
    if rules["dead_deck"]:
        return f"Dead Men's Deck: {rules['dead_deck']}"
    named = f"composition {rules['dmd_composition']}, arrangement {rules['dmd_arrangement']}"
    return f"Dead Men's Deck: 48 of the 52 cards are assumed ({named}); known are {', '.join(KNOWN_DEAD_CARDS)}"


def other_dead_decks(rules: Rules) -> dict[str, list[str] | list[int]]:
    """The other assumptions about the Dead Men's Deck: its compositions, and arrangements of suits and ranks."""
    if rules["dead_deck"]:
        return {}
    compositions = [name for name in (*COMPOSITIONS, "random") if name != rules["dmd_composition"]]
    arrangements = [rules["dmd_arrangement"] + step for step in range(1, OTHER_ARRANGEMENTS + 1)]
    return {"dmd_composition": compositions, "dmd_arrangement": [a % (MOST_ARRANGEMENT + 1) for a in arrangements]}


def load_cards(rules: Rules) -> CardTable:
    """The decks of these rules, from the files ``deck`` and ``cards``, copies and card numbers (B-18, B-50 to B-71).

    Raises UserError for a file that cannot be read or has wrong rows, copies that cannot be made, and a deck without
    cards or with more than MOST_CARDS. A deck too small for the first hands is allowed: draws then yield nothing.
    """
    if rules["deck"] or rules["cards"] or rules.values.get("dead_deck"):
        return _card_table(rules)  # anew each time: a file can change
    about_cards = {name: rules[name] for name in rules.values if name.startswith(ABOUT_CARDS)}
    return _known_card_table(tuple(rules.expansions), tuple(about_cards.items()))


@lru_cache(maxsize=TABLES_KEPT)
def _known_card_table(expansions: tuple[str, ...], values: tuple[tuple[str, Any], ...]) -> CardTable:
    return _card_table(Rules("", expansions, dict(values)))


def _card_table(rules: Rules) -> CardTable:
    cards = _with_copies(read_deck(rules["deck"]) if rules["deck"] else printed_deck(), rules)
    if not 0 < len(cards) <= MOST_CARDS:
        raise UserError(f"the deck has {len(cards)} cards; valid: 1..{MOST_CARDS} (parameters deck and copies.<card>)")
    living = len(cards)
    printed_types = card_types()
    if DEATH_MESA in rules.expansions:
        cards += load_dead_deck(rules)
        printed_types += dead_card_types()
    edits = read_numbers(rules["cards"]) if rules["cards"] else {}
    types = [_final(printed, edits.get(printed.name, {}), rules) for printed in printed_types]
    names = tuple(t.name for t in types)
    return CardTable(
        names,
        kind=_array(names.index(card.name) for card in cards),
        suit=_array(card.suit for card in cards),
        rank=_array(card.rank for card in cards),
        colour=_array(COLOURS.index(t.colour) for t in types),
        effect=_array(EFFECTS.index(t.effect) for t in types),
        range=_array(t.range for t in types),
        amount=_array(t.amount for t in types),
        second_card=_array(t.second_card for t in types),
        living=living,
    )


def load_characters(rules: Rules) -> CharacterTable:
    """The characters of the sets in use, in the order of the table.

    ``life.<character>`` replaces the printed life points, ``life_delta`` is added to them; at least 1 is left (B-6).
    """
    chosen = _characters_of(tuple(rules.expansions))
    printed = [rules[f"life.{plain(c.name)}"] or c.life for c in chosen]
    return CharacterTable(
        names=tuple(c.name for c in chosen),
        life=_array(max(1, life + rules["life_delta"]) for life in printed),
        ability=_array(ABILITIES.index(plain(c.name)) for c in chosen),
    )


def character_names(expansions: tuple[str, ...]) -> tuple[str, ...]:
    """The characters of the sets in use, in the order of the table."""
    return tuple(character.name for character in _characters_of(expansions))


def _characters_of(expansions: tuple[str, ...]) -> list[Character]:
    return [character for character in characters() if character.set in ("base", *expansions)]


def load_dead_deck(rules: Rules) -> list[Card]:
    """The Dead Men's Deck: a file of the user's, or an assumed composition (death_mesa.md section 13).

    Raises UserError for a file with wrong rows, copies that cannot be made, and a deck without cards.
    """
    if rules["dead_deck"]:
        cards = list(read_deck(rules["dead_deck"], dead_card_types(), ignored=("provenance",)))
    elif rules["dmd_composition"] == "u2" and rules["dmd_arrangement"] == 0:
        cards = list(printed_dead_deck())
    else:
        cards = _arranged(rules["dmd_composition"], rules["dmd_arrangement"])
    cards = _copied(cards, rules, dead_card_types(), "dmd_copies.")
    if not 0 < len(cards) <= MOST_DEAD_CARDS:
        raise UserError(
            f"the Dead Men's Deck has {len(cards)} cards; valid: 1..{MOST_DEAD_CARDS}"
            " (parameters dead_deck and dmd_copies.<card>)"
        )
    return cards


def _arranged(composition: str, arrangement: int) -> list[Card]:
    """An assumed deck: copies by composition, the suits and ranks that nobody knows dealt at random.

    ``arrangement`` numbers the random deal, with ``random`` also that of the copies: each name once, the other 26 at
    random. The four known cards stay. numpy keeps RandomState as it is for ever.
    """
    types = [t.name for t in dead_card_types()]
    dice = np.random.RandomState([arrangement, (*COMPOSITIONS, "random").index(composition)])
    if composition == "random":
        copies = [1 + int(extra) for extra in dice.multinomial(52 - len(types), [1 / len(types)] * len(types))]
    else:
        copies = [int(row[composition]) for row in _dead_rows()]
    known = {name: (suit, rank) for name, _, (suit, rank) in map(_parsed_known, KNOWN_DEAD_CARDS)}
    values = [(suit, rank) for suit in range(4) for rank in range(LOWEST_RANK, LOWEST_RANK + len(RANKS))]
    unknown_values = [value for value in values if value not in known.values()]
    dealt = iter([unknown_values[i] for i in dice.permutation(len(unknown_values))])
    deck = []
    for name, count in zip(types, copies, strict=True):
        for k in range(count):
            suit, rank = known[name] if k == 0 and name in known else next(dealt)
            deck.append(Card(name, suit, rank))
    return deck


def _parsed_known(text: str) -> tuple[str, str, tuple[int, int]]:
    name, _, value = text.rpartition(" ")
    return name, value, (SUITS.index(value[-1]), RANKS.index(value[:-1]) + LOWEST_RANK)


def suit_text(suit: int) -> str:
    """The letter of a suit: S, H, D or C."""
    return SUITS[suit]


def rank_text(rank: int) -> str:
    """A rank as it is written: 2 … 10, J, Q, K, A."""
    return RANKS[rank - LOWEST_RANK]


def card_text(table: CardTable, card: int) -> str:
    """A card as scenarios and traces write it: ``BANG! AS``."""
    return f"{table.names[table.kind[card]]} {rank_text(table.rank[card])}{suit_text(table.suit[card])}"


def card_rows(table: CardTable) -> list[dict[str, Any]]:
    """The deck for people, in file order: one row for each name with suit and rank, and its number of copies.

    Keys: name, suit, rank, colour, effect, range, amount, second_card, copies; the numbers are those that hold.
    """
    return _counted_rows(table, range(table.living), NUMBERS)


def dead_card_rows(table: CardTable) -> list[dict[str, Any]]:
    """The Dead Men's Deck for people. Keys: name, suit, rank, effect, provenance (``seed`` or ``assumed``), copies."""
    rows = _counted_rows(table, range(table.living, len(table.kind)), ())
    for row in rows:
        del row["colour"]
        known = f"{row['name']} {row['rank']}{row['suit']}" in KNOWN_DEAD_CARDS
        row["provenance"] = "seed" if known else "assumed"
    return rows


def _counted_rows(table: CardTable, cards: Iterable[int], numbers: Sequence[str]) -> list[dict[str, Any]]:
    different = Counter((int(table.kind[card]), int(table.suit[card]), int(table.rank[card])) for card in cards)
    return [
        {
            "name": table.names[kind],
            "suit": suit_text(suit),
            "rank": rank_text(rank),
            "colour": COLOURS[table.colour[kind]],
            "effect": EFFECTS[table.effect[kind]],
            **{number: int(getattr(table, number)[kind]) for number in numbers},
            "copies": copies,
        }
        for (kind, suit, rank), copies in different.items()
    ]


def read_deck(
    path: str | Path, types: Sequence[CardType] | None = None, ignored: Sequence[str] = ()
) -> tuple[Card, ...]:
    """The cards of a deck file (header card,suit,rank), in its order; the cards of the living if no types are given.

    Raises UserError with the place of each wrong row.
    """
    read = _card_of(card_types() if types is None else types)
    return _rows(path, ("card", "suit", "rank"), read, ignored=ignored)


def read_numbers(path: str | Path) -> dict[str, dict[str, Any]]:
    """The edits in a file of card numbers, by card name: column → new value; empty cells change nothing.

    Header: ``card`` and any of colour, effect, range, amount, second_card. Raises UserError with the place of each
    wrong row.
    """
    edits: dict[str, dict[str, Any]] = {}

    def edit(row: Mapping[str, str]) -> None:
        printed = _printed(row["card"])
        if printed.name in edits:
            raise UserError(f"{printed.name} has a row above already; put its numbers into one row")
        edits[printed.name] = _edit(printed, row)

    _rows(path, ("card",), edit, optional=("colour", "effect", *NUMBERS))
    return edits


def _array(values: Iterable[int]) -> np.ndarray:
    return np.array(list(values), np.int64)


def _printed(name: str) -> CardType:
    """The printed card of this name. Raises UserError with the nearest names."""
    types = {t.name: t for t in (*card_types(), *dead_card_types())}
    if name not in types:
        raise unknown("card", name, types)
    return types[name]


def _card_of(types: Sequence[CardType]) -> Callable[[Mapping[str, str]], Card]:
    """Reads a row of a deck file with cards of these names."""
    return lambda row: _card(row, [t.name for t in types])


def _card(row: Mapping[str, str], names: Sequence[str]) -> Card:
    """A row of a deck file. Raises UserError that names all its faults."""
    faults = []
    if row["card"] not in names:
        faults.append(str(unknown("card", row["card"], names)))
    if row["suit"] not in SUITS:
        faults.append(f"unknown suit {row['suit']!r}; valid: {' '.join(SUITS)}")
    if row["rank"] not in RANKS:
        faults.append(f"unknown rank {row['rank']!r}; valid: {' '.join(RANKS)}")
    if faults:
        raise UserError("; ".join(faults))
    return Card(row["card"], SUITS.index(row["suit"]), RANKS.index(row["rank"]) + LOWEST_RANK)


def _edit(printed: CardType, row: Mapping[str, str]) -> dict[str, Any]:
    """What a row of a file of numbers changes on one card. Raises UserError."""
    if row.get("colour", "") not in ("", printed.colour):
        raise UserError(
            f"{printed.name} is {printed.colour} and cannot become {row['colour']!r}: whether a card stays in play is"
            " part of its effect, and each effect is there in the printed colour only; leave the cell empty"
        )
    if row.get("effect", "") not in ("", "none", printed.effect):
        raise UserError(f"effect of {printed.name} cannot be {row['effect']!r}; valid: {printed.effect}, none")
    edit: dict[str, Any] = {number: _number(printed, number, row[number]) for number in NUMBERS if row.get(number)}
    if row.get("effect"):
        edit["effect"] = row["effect"]
    return edit


def _number(printed: CardType, number: str, text: str) -> int:
    """A number of a card from a cell, within its limits. Raises UserError."""
    limits = LIMITS.get((printed.effect, number))
    # Missed! is an answer, never a play of its own: there is nothing a second card could be the price of.
    if number == "second_card" and printed.effect != "missed":
        limits = SECOND_CARD_LIMITS
    if limits is None:
        raise UserError(f"{printed.name} has no {number}; leave the cell empty")
    valid = [str(n) for n in range(limits[0], limits[1] + 1)]
    if text not in valid:
        raise UserError(f"{number} of {printed.name} cannot be {text!r}; valid: {limits[0]}..{limits[1]}")
    return int(text)


def _final(printed: CardType, edit: Mapping[str, Any], rules: Rules) -> CardType:
    """The card as it is played: parameters named by the user win over the file, the file over their defaults."""
    parameters = _parameters_of(printed.name)
    ruled = {number: rules[p] for number, p in parameters.items() if p in rules.named or number not in edit}
    return replace(printed, **{**edit, **ruled}) if edit or ruled else printed


@cache
def _parameters_of(card: str) -> Mapping[str, str]:
    """The parameters that set numbers of a card, by number."""
    return {number: name for (of, number), name in PARAMETER_OF.items() if of == card}


def _with_copies(cards: Iterable[Card], rules: Rules) -> list[Card]:
    """The deck after ``copies.<card>``: fewer drops a card's last rows, more repeats its rows after the last one."""
    return _copied(cards, rules, card_types(), "copies.")


def _copied(cards: Iterable[Card], rules: Rules, types: Sequence[CardType], family: str) -> list[Card]:
    deck = list(cards)
    for name in (t.name for t in types):
        copies = rules[f"{family}{plain(name)}"]
        if copies < 0:
            continue
        places = [i for i, card in enumerate(deck) if card.name == name]
        if copies > 0 and not places:
            raise UserError(
                f"{family}{plain(name)}: the deck has no {name} to repeat; add a row for it to the deck file"
            )
        if copies > len(places):
            after = places[-1] + 1
            deck[after:after] = [deck[places[i % len(places)]] for i in range(len(places), copies)]
        else:
            dropped = set(places[copies:])
            deck = [card for i, card in enumerate(deck) if i not in dropped]
    return deck


def _rows(
    path: str | Path,
    columns: Sequence[str],
    parse: Callable[[Mapping[str, str]], T],
    optional: Sequence[str] = (),
    ignored: Sequence[str] = (),
) -> tuple[T, ...]:
    """The rows of a CSV file under its header, parsed one by one. Raises UserError that lists the wrong rows.

    ``columns`` must be there, in any order; where ``optional`` ones exist, at least one of them too; ``ignored`` ones
    may be there.
    """
    (header_line, header), *lines = _lines(path) or [(1, [])]
    names = set(header) - set(ignored)
    complete = set(columns) <= names <= {*columns, *optional} and len(set(header)) == len(header)
    if not complete or (optional and names == set(columns)):
        right = ",".join(columns) + (f" and any of {','.join(optional)}" if optional else "")
        raise UserError(f"{path}:{header_line}: the first line is {','.join(header)!r}; it must be {right}")
    parsed: list[T] = []
    faults: list[str] = []
    for line, cells in lines:
        try:
            if len(cells) != len(header):
                raise UserError(f"the number of cells is {len(cells)}; as in the first line it must be {len(header)}")
            parsed.append(parse(dict(zip(header, cells, strict=True))))
        except UserError as error:
            faults.append(f"{path}:{line}: {error}")
        if len(faults) == MOST_FAULTS:
            faults.append(f"{path}: not read any further")
            break
    if faults:
        raise UserError("\n".join(faults))
    return tuple(parsed)


def _lines(path: str | Path) -> list[tuple[int, list[str]]]:
    """Line numbers and stripped cells of a CSV file, without blank lines and comments. Raises UserError."""
    lines: list[tuple[int, list[str]]] = []
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            for row in reader:
                cells = [cell.strip() for cell in row]
                if any(cells) and not cells[0].startswith(COMMENT):
                    lines.append((reader.line_num, cells))
    except UnicodeDecodeError:
        raise UserError(f"{path}: this is not UTF-8 text; save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise UserError(f"{path}:{reader.line_num}: this is not a row of a CSV file: {error}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return lines
