"""A position from a scenario file, laid out as a game block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sim.bang import expectations
from sim.bang.cards_in_files import card_texts, cards_of, check_names
from sim.bang.choices import check_choice
from sim.bang.core import names
from sim.bang.kernels import CORE
from sim.bang.layout import (
    Effect,
    Layout,
    Seat,
    Strict,
    check_expected,
    check_seats,
    require_in_use,
)
from sim.bang.rules import resolve
from sim.bang.session import Session
from sim.bang.table import Table
from sim.documents import Document, Key, validate
from sim.errors import UserError, plain, unknown
from sim.game import Compiling, Rules, Strategy
from sim.notation import Choice, name_fits

NO_CHARACTER = "none"
CARD_FIELDS = (
    "hand", "in_play", "buried", "dead_hand", "terrified", "draw_top", "discard_top", "discard_has", "discard",
    "dead_discard_top",
)  # fmt: skip
"""What is expected of cards."""

LASTING = {
    name: int(names.FIRST_DEAD) + names.DEAD_EFFECTS.index(plain(name))
    for name in (
        "Curse", "Death and Taxes", "The East Wind", "Dry Spell", "Ghost Stories", "In Memoriam", "Guilty Conscience",
        "Nightmare", "Proper Burial", "Terrify",
    )
}  # fmt: skip
"""The cards that can be in force, with the numbers of their effects."""

PASSIVE = Strategy("passive", CORE / "chosen.py", "choose", "sim.bang.core.chosen")
"""Whoever plays a scenario: it follows its script, so that no strategy is ever asked."""


class Position:
    """See ``sim.game.Position``."""

    def __init__(self, document: Document, compiling: Compiling | None = None) -> None:
        """Raises UserError for whatever is wrong in the game's own part of a scenario file."""
        own = {key: document.data[key] for key in Layout.model_fields if key in document.data}
        self._document = document
        self._layout = validate(Layout, own, document)
        self.rules = _rules(self._layout, document)
        require_in_use(self._layout, self.rules.expansions, document)
        check_seats(self._layout, self.rules.expansions, document)
        check_expected(self._layout, document, names.ENDINGS)
        self._session = session_for(_Key(self.rules), compiling)
        self._entries = self._session.kernel.module("positions")
        self._texts = card_texts(self._session.cards)
        self._cards = cards_of(document, self._texts, self._session.cards.living)
        self._check_cards()
        self._tables_table = self._session.tables_table.copy()
        roles: list[str] = [seat.role for seat in self._layout.seat]
        self._tables_table[0]["role_count"] = [roles.count(role) for role in names.ROLES]
        self._block = self._laid_out()

    def table(self, seed: int) -> Table:
        """See ``sim.game.Position.table``."""
        block = self._block.copy()
        self._entries.reseed(block, seed, 0)
        return Table(self._session, block, self._tables_table)

    def check_choice(self, choice: Choice) -> None:
        """See ``sim.game.Position.check_choice``."""
        check_choice(choice, self._texts, len(self._layout.seat))

    def unmet(self, table: Table) -> list[str]:
        """See ``sim.game.Position.unmet``."""
        return expectations.unmet(self._layout.expect, expectations.facts(table))

    def _laid_out(self) -> np.ndarray:
        session, layout = self._session, self._layout
        block = session.new_block()
        self._entries.clear_table(block, session.rules_table)
        for number, seat in enumerate(layout.seat):
            self._lay_seat(block[0], number, seat)
        self._lay_dead(block[0])
        self._lay_piles(block[0])
        if self._session.with_ghosts:
            self._lay_ghosts(block[0])
        game, public = block[0], block[0]["public"]
        public["in_turn"] = layout.start.seat
        public["phase"] = names.PHASES.index(layout.start.phase)
        public["turn"] = 1
        public["bangs_played"] = layout.start.bangs_played
        game["record"]["turns_begun"][layout.start.seat] = 1
        game["script"]["last_seat"] = names.NO_SEAT
        self._entries.complete_position(block, session.rules_table, self._tables_table)
        if game["ending"] != names.PLAYING:
            ending = names.ENDINGS[int(game["ending"])]
            raise UserError(f"{self._document.place('seat', 0)}: this game is won already ({ending})")
        return block

    def _lay_seat(self, game: Any, number: int, seat: Seat) -> None:
        public, own = game["public"], game["own"][number]
        role = names.ROLES.index(seat.role)
        own["role"] = role
        if seat.ghost or seat.role == "sheriff" or len(self._layout.seat) == 3:
            public["known_role"][number] = role
        if seat.role == "sheriff":
            public["sheriff"] = number
        if not seat.ghost:
            public["roles_left"][role] += 1
        self._lay_character(game, number, seat)
        hand = self._cards.get(("seat", number, "hand"), [])
        own["hand"] = _card_set(hand, own["hand"])
        public["hand_size"][number] = len(hand)
        public["in_play"][number] = _card_set(self._cards.get(("seat", number, "in_play"), []), own["hand"])

    def _lay_character(self, game: Any, number: int, seat: Seat) -> None:
        public, own = game["public"], game["own"][number]
        characters = self._session.characters
        if seat.character == NO_CHARACTER:
            most = seat.max_life
            if most is None:
                raise self._error(f'seat {number} has character = "none" and needs max_life', "seat", number)
        else:
            character = self._character(seat.character, number, "character")
            most = int(characters.life[character]) + (self.rules["sheriff_extra_life"] if seat.role == "sheriff" else 0)
            if seat.max_life not in (None, most):
                raise self._error(
                    f"max_life of {seat.character} is {most}; it can be set with character = \"none\" only",
                    "seat", number, "max_life",
                )  # fmt: skip
            if seat.zombie:
                most = self.rules["dm_zombie_life_cap"]
            public["character"][number] = own["dealt"][0] = character
            public["ability"][number] = characters.ability[character]
        if seat.set_aside is not None:
            own["dealt"][1] = own["set_aside"] = self._character(seat.set_aside, number, "set_aside")
        public["max_life"][number] = most
        public["life"][number] = self._life(number, seat, most)

    def _life(self, number: int, seat: Seat, most: int) -> int:
        key = ("seat", number, "life")
        life = seat.life if seat.life is not None else 0 if seat.ghost else most
        if seat.ghost and life > 0:
            raise self._error(f"seat {number} is eliminated: its life is 0 or below, not {life}", *key)
        if not seat.ghost and not 1 <= life <= most:
            raise self._error(f"life of seat {number} is {life}; valid: 1..{most}", *key)
        return life

    def _character(self, name: str, number: int, key: str) -> int:
        known = self._session.characters.names
        if name not in known:
            raise unknown("character", name, (*known, NO_CHARACTER), self._document.place("seat", number, key))
        return known.index(name)

    def _lay_dead(self, game: Any) -> None:
        """The eliminated, those with ``died`` first, then in the order of the seats."""
        seats = self._layout.seat
        dead = [number for number, seat in enumerate(seats) if seat.ghost]
        dead.sort(key=lambda number: (seats[number].died is None, seats[number].died, number))
        record = game["record"]
        record["deaths"] = len(dead)
        record["dead"][: len(dead)] = dead
        for number in dead:
            record["died_in_turn"][number] = 1
            game["public"]["alive"] &= ~np.uint8(1 << number)

    def _lay_piles(self, game: Any) -> None:
        cards = range(self._session.cards.living)
        left_out = self._lay_deck(game["public"], cards, "", game["draw_pile"], game["discard_pile"])
        game["removed"] = _card_set(left_out, game["removed"])

    def _lay_dead_piles(self, game: Any) -> None:
        cards = range(self._session.cards.living, len(self._texts))
        left_out = self._lay_deck(game["public"], cards, "dead_", game["dead_pile"], game["dead_discards"])
        game["removed_dead"] = _card_set(left_out, game["removed_dead"])

    def _lay_deck(self, public: Any, cards: Sequence[int], prefix: str, pile: Any, discards: Any) -> Sequence[int]:
        """Lays one deck out, under the keys and fields with this prefix. Returns the cards that are in no place."""
        listed = {card for there in self._cards.values() for card in there}
        rest = [card for card in cards if card not in listed]
        draw, discard = (self._cards.get(("piles", f"{prefix}{key}"), []) for key in ("draw", "discard"))
        goes_on = self._layout.piles.rest
        _fill(pile, [*(rest if goes_on else ()), *reversed(draw)], len(draw))
        _fill(discards, [*reversed(discard)], 0)
        public[f"{prefix}draw_size"] = pile["count"]
        public[f"{prefix}discard_size"] = len(discard)
        public[f"{prefix}discard_top"] = discard[0] if discard else names.NO_CARD
        return () if goes_on else rest

    def _lay_ghosts(self, game: Any) -> None:
        """What Death Mesa adds to a position: ghosts, their cards, the Dead Men's Deck, effects in force."""
        public, record = game["public"], game["record"]
        public["dealt_sheriff"] = public["sheriff"]
        for number, seat in enumerate(self._layout.seat):
            buried = self._cards.get(("seat", number, "buried"), [])
            hand = self._cards.get(("seat", number, "dead_hand"), [])
            game["buried"][number] = _card_set(buried, game["buried"][number])
            public["buried_size"][number] = len(buried)
            game["own"][number]["dead_hand"] = _card_set(hand, game["own"][number]["dead_hand"])
            public["dead_hand_size"][number] = len(hand)
            public["bullets"][number] = seat.bullets
            if seat.ghost:
                public["ghosts"] |= np.uint8(1 << number)
            if seat.zombie:
                public["zombies"] |= np.uint8(1 << number)
                public["returns"][number] = 1
                public["known_role"][number] = names.ROLES.index(seat.role)
            if seat.killer is not None:
                public["killer"][number] = record["killer"][number] = seat.killer
                public["killed"] |= np.uint8(1 << seat.killer)
            if seat.last_attacked is not None:
                several = seat.last_attacked == "several"
                public["last_attacked"][number] = names.SEVERAL if several else seat.last_attacked
        public["dead_plays"] = public["dead_successes"] = self._layout.start.dead_plays
        self._lay_dead_piles(game)
        for number, effect in enumerate(self._layout.effect):
            self._lay_effect(game, number, effect)

    def _lay_effect(self, game: Any, number: int, effect: Effect) -> None:
        """One Dead Men's card in force. Terrify is named by itself, or by the card that is terrified."""
        public = game["public"]
        name = effect.card if effect.card in LASTING else effect.card.rpartition(" ")[0]
        if name not in LASTING and effect.origin is not None:
            name = "Terrify"
        if name not in LASTING:
            raise unknown("effect", effect.card, LASTING, self._document.place("effect", number, "card"))
        wanted = 2 if name == "The East Wind" else 1
        if len(set(effect.on)) != wanted or len(effect.on) != wanted:
            place = self._document.place("effect", number)
            seats = "two different seats" if wanted == 2 else "one seat"
            raise UserError(f"{place}: {name} is on {seats}; found on = {effect.on}")
        entry = public["lasting"][public["lasting_count"]]
        public["lasting_count"] += 1
        on, start = effect.on[0], self._layout.start
        entry["effect"] = LASTING[name]
        entry["caster"], entry["on"], entry["rival"], entry["card"] = effect.caster, on, names.NO_SEAT, names.NO_CARD
        entry["active"] = start.seat == on and start.phase != "turn"
        if name == "The East Wind":
            entry["rival"] = effect.on[1]
        elif name == "In Memoriam":
            killer = int(public["killer"][effect.caster])
            entry["rival"] = killer if killer >= 0 and not self._layout.seat[killer].ghost else names.NO_SEAT
        elif name == "Proper Burial":
            entry["card"] = self._cards["effect", number, "dead_card"][0]
        elif name == "Terrify":
            entry["from_hand"] = effect.origin == "hand"
            entry["card"] = card = self._terrified(game, number, effect)
            public["terrified"][card >> 6] |= np.uint64(1 << (card & 63))

    def _terrified(self, game: Any, number: int, effect: Effect) -> int:
        """The card in front of a player that a Terrify is about."""
        lying = self._cards.get(("seat", effect.on[0], "in_play"), [])
        free = [card for card in lying if not int(game["public"]["terrified"][card >> 6]) >> (card & 63) & 1]
        if not free:
            place = self._document.place("effect", number)
            raise UserError(f"{place}: the terrified card lies in front of seat {effect.on[0]}; name it in in_play")
        return self._meant(effect, free)

    def _meant(self, effect: Effect, lying: Sequence[int]) -> int:
        """Which of some cards in play (at least one) a Terrify means: the one it names, else one fit for its origin."""
        table = self._session.cards
        named = [card for card in lying if name_fits(effect.card, self._texts[card])]
        brown = [card for card in lying if table.colour[table.kind[card]] == names.BROWN]
        return (named or (brown if effect.origin == "hand" else []) or lying)[0]

    def _working_cards(self, number: int) -> list[int]:
        """The cards in front of a player but for those of his hand that lie there sideways (DM-C23)."""
        lying = [*self._cards.get(("seat", number, "in_play"), [])]
        for effect in self._layout.effect:
            if effect.origin == "hand" and number in effect.on and lying:
                lying.remove(self._meant(effect, lying))
        return lying

    def _check_cards(self) -> None:
        """Raises UserError for cards in play that cannot lie there, and for names that no card has."""
        table = self._session.cards
        for number, seat in enumerate(self._layout.seat):
            kinds = [int(table.kind[card]) for card in self._working_cards(number)]
            key = ("seat", number, "in_play")
            weapons = [k for k in kinds if table.effect[k] in (names.WEAPON, names.VOLCANIC)]
            for kind in kinds:
                if table.colour[kind] != names.BLUE:
                    colour = names.COLOURS[int(table.colour[kind])]
                    raise self._error(f"{table.names[kind]} is {colour} and never lies in play", *key)
                if kinds.count(kind) > 1:
                    raise self._error(f"seat {number} has two cards named {table.names[kind]} in play (B-14)", *key)
            if len(weapons) > 1:
                raise self._error(f"seat {number} has more than one weapon in play (B-15)", *key)
            for name in seat.laid:
                if name not in seat.in_play:
                    raise self._error(f"{name} is laid but not in play; name it in in_play as well", *key[:2], "laid")
        for place, cards in self._expected_cards():
            check_names(cards, self._texts, place)

    def _expected_cards(self) -> Iterator[tuple[str, Sequence[str]]]:
        """The names in what is expected, with their places."""
        expect = self._layout.expect
        tables: dict[Key, Strict] = {("expect", "seat", number): seat for number, seat in expect.seat.items()}
        tables["expect", "piles"] = expect.piles
        for key, model in tables.items():
            for field in CARD_FIELDS:
                cards = getattr(model, field, None)
                if cards is not None and not isinstance(cards, bool):
                    yield self._document.place(*key, field), expectations.as_list(cards)

    def _error(self, what: str, *key: str | int) -> UserError:
        return UserError(f"{self._document.place(*key)}: {what}")


def _rules(layout: Layout, document: Document) -> Rules:
    """The rules of a file; the number of players is the number of seats. Raises UserError."""
    players = layout.rules.get("players", len(layout.seat))
    if players != len(layout.seat):
        place = document.place("rules", "players")
        raise UserError(f"{place}: players is {players!r} but there are {len(layout.seat)} seats; leave players out")
    settings = {key: value for key, value in layout.rules.items() if key != "players"}
    try:
        return resolve({**settings, "players": players})
    except UserError as error:
        name = str(error).split(":")[0]
        named = document.place("rules", *_rule_key(name, layout.rules))
        raise UserError(f"{named}: {error}") from None


def _rule_key(message_start: str, rules: Mapping[str, Any]) -> Key:
    """The key of the rule that an error message is about, as far as its words tell."""
    found = [key for key in rules if key in message_start]
    return (max(found, key=len),) if found else ()


class _Key:
    """Rules that can be looked up: equal if all their values are."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._values = tuple(sorted((name, str(value)) for name, value in rules.values.items()))

    def __hash__(self) -> int:
        return hash(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._values == other._values


@lru_cache(maxsize=64)
def session_for(key: _Key, compiling: Compiling | None) -> Session:
    """The session that plays scenarios under these rules; all of them share one kernel for each size of deck."""
    return Session(key.rules, {"default": PASSIVE}, instrumented=True, compiling=compiling)


WORD = (1 << 64) - 1
"""The bits of a word of a card set."""


def _card_set(cards: Sequence[int], like: np.ndarray) -> list[int]:
    whole = sum(1 << card for card in cards)
    return [whole >> (64 * w) & WORD for w in range(len(like))]


def _fill(pile: Any, cards: Sequence[int], known: int) -> None:
    """Lays cards in a pile, top last."""
    pile["cards"][: len(cards)] = cards
    pile["count"] = len(cards)
    pile["known"] = known
