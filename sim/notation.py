"""How decisions are written: the grammar of scenarios and traces. It knows no game.

``VERB NAME … [on SEAT …] [to SEAT] [from PLACE] [for SEAT] [taking NAME] [giving NAME] [with NAME …]``, for example
``play Panic! JH on 2 taking Mustang 8H``. A card is written ``Name RankSuit``. A pattern leaves parts out:
``play BANG!`` fits every BANG! at anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sim.errors import UserError, unknown

VERBS = (
    "play", "use", "respond", "pass", "end", "choose", "discard", "draw", "negate", "convert", "resurrect",
)  # fmt: skip
SEATS_AFTER = ("on", "to", "for")
NAMES_AFTER = ("taking", "giving", "with")
PARTS = ("on", "to", "from", "for", "taking", "giving", "with")
"""The words that begin a part, in the order in which parts are written."""

NOTHING = "nothing"
"""``with nothing``: free of cost."""

RANK_AND_SUIT = re.compile(r"(?:[2-9]|10|[JQKA])[SHDC]")


@dataclass(frozen=True)
class Choice:
    """One decision, or a pattern for some: a verb, the names after it, and the other parts by their first word."""

    verb: str
    names: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        written = [self.verb, *self.names]
        for word in PARTS:
            if word in self.parts:
                written += [word, *self.parts[word]]
        return " ".join(written)


@dataclass(frozen=True)
class Option:
    """One legal answer to a question. ``answers`` is what the game's table makes of it."""

    choice: Choice
    answers: tuple[int, ...]

    @property
    def text(self) -> str:
        return str(self.choice)


@dataclass(frozen=True)
class Question:
    """A question to a seat. ``kinds``: its own name and wider ones; ``needs_step``: false where a script may be silent.

    No two options have the same text.
    """

    seat: int
    kinds: tuple[str, ...]
    options: tuple[Option, ...]
    needs_step: bool = True

    def fitting(self, pattern: Choice) -> list[Option]:
        """The options that a pattern fits; only the one that it spells out in full, if there is one."""
        exact = [option for option in self.options if option.text == str(pattern)]
        return exact or [option for option in self.options if fits(pattern, option.choice)]

    def passive(self) -> Option:
        """The answer of somebody who wants nothing: pass, else end, else the first option."""
        for text in ("pass", "end"):
            for option in self.options:
                if option.text == text:
                    return option
        return self.options[0]


def parse(text: str) -> Choice:
    """The decision or pattern that a text describes. Raises UserError."""
    words = text.split()
    if not words:
        raise UserError(f"an empty decision; it begins with one of: {', '.join(VERBS)}")
    if words[0] not in VERBS:
        raise unknown("verb", words[0], VERBS)
    segments: list[list[str]] = [[]]
    for word in words[1:]:
        if word in PARTS:
            segments.append([word])
        else:
            segments[-1].append(word)
    parts: dict[str, tuple[str, ...]] = {}
    for word, *rest in segments[1:]:
        if word in parts:
            raise UserError(f"{text!r} has {word!r} twice")
        parts[word] = _part(text, word, rest)
    return Choice(words[0], split_names(segments[0]), parts)


def _part(text: str, word: str, words: Sequence[str]) -> tuple[str, ...]:
    """What follows one of the PARTS. Raises UserError."""
    if not words:
        raise UserError(f"{text!r}: nothing follows {word!r}")
    if word in SEATS_AFTER and not all(seat.isdecimal() for seat in words):
        raise UserError(f"{text!r}: after {word!r} comes the number of a seat, not {' '.join(words)!r}")
    return split_names(words) if word in NAMES_AFTER else tuple(words)


def split_names(words: Iterable[str]) -> tuple[str, ...]:
    """Words as names: a card ends with its rank and suit, what is left over is one more name."""
    names: list[str] = []
    begun: list[str] = []
    for word in words:
        begun.append(word)
        if RANK_AND_SUIT.fullmatch(word):
            names.append(" ".join(begun))
            begun = []
    if begun:
        names.append(" ".join(begun))
    return tuple(names)


def fits(pattern: Choice, choice: Choice) -> bool:
    """Whether a pattern fits a decision: what it leaves out matches anything."""
    if pattern.verb != choice.verb:
        return False
    if pattern.names and not fits_in_order(pattern.names, choice.names):
        return False
    return all(_part_fits(word, wanted, choice.parts.get(word, ())) for word, wanted in pattern.parts.items())


def _part_fits(word: str, wanted: tuple[str, ...], found: tuple[str, ...]) -> bool:
    if word == "with":
        return not found if wanted == (NOTHING,) else same_names(wanted, found)
    return fits_in_order(wanted, found)


def fits_in_order(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether names as written mean exactly these, one by one."""
    return len(wanted) == len(found) and all(map(name_fits, wanted, found))


def is_full(name: str) -> bool:
    """Whether a card is written with its rank and suit."""
    return RANK_AND_SUIT.fullmatch(name.rpartition(" ")[2]) is not None


def name_fits(wanted: str, found: str) -> bool:
    """Whether a name as written means this one: a card may be called by its name, or by its rank and suit, alone."""
    if wanted == found:
        return True
    name, _, rank_and_suit = found.rpartition(" ")
    return bool(name) and RANK_AND_SUIT.fullmatch(rank_and_suit) is not None and wanted in (name, rank_and_suit)


def same_names(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether names as written mean exactly these, in any order."""
    return len(wanted) == len(found) and all_found(wanted, found)


def all_found(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether each name as written means another one of those found, some of which may be left over."""
    taken: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        """Finds one for wanted name i, moving others on if need be: "Beer" and "6H" may both mean Beer 6H."""
        for j, name in enumerate(found):
            if j not in tried and name_fits(wanted[i], name):
                tried.add(j)
                if j not in taken or place(taken[j], tried):
                    taken[j] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(wanted)))
