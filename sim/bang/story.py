"""What happened in a game of BANG!, an event a line, for people to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sim.bang.core import names
from sim.bang.wording import Decided, Names, Open, decisions, parts_after
from sim.game import Line

SUIT_WORDS = ("spade", "heart", "diamond", "club")


class Story:
    """Turns the journal of a game into lines. It keeps in mind what it has told: lives, and cards in play."""

    def __init__(self, words: Names, suits: np.ndarray, roles: Sequence[str]) -> None:
        """``suits``: of each card, by card id. ``roles``: of each seat, in words."""
        self.lines: list[Line] = []
        self._words = words
        self._suits = suits
        self._roles = [*roles]
        self._ghosts: set[int] = set()
        self._in_play = [0] * names.SEATS
        self._dealt: list[list[int]] = [[] for _ in range(names.SEATS)]
        self._character = [""] * names.SEATS
        self._life = [0] * names.SEATS
        self._max_life = [0] * names.SEATS
        self._decisions = 0
        self._named: set[int] = set()  # cards that the last decision spoke of: their going needs no line
        self._tell: dict[int, Callable[..., None]] = {
            int(names.E_TURN): self._turn,
            int(names.E_DRAWN): self._drawn,
            int(names.E_REVEALED): self._revealed,
            int(names.E_DISCARDED): self._discarded,
            int(names.E_TAKEN): self._taken,
            int(names.E_LAID): self._laid,
            int(names.E_MOVED): self._moved,
            int(names.E_LIFE): self._lives,
            int(names.E_FALLEN): self._fallen,
            int(names.E_REWARD): self._reward,
            int(names.E_PENALTY): self._penalty,
            int(names.E_SHUFFLED): self._shuffled,
            int(names.E_RETURNED): self._returned,
            int(names.E_DEALT): self._deal,
            int(names.E_KEPT): self._kept,
            int(names.E_DEAD_DRAWN): self._dead_drawn,
            int(names.E_DEAD_DISCARDED): self._discarded,
            int(names.E_DEAD_TAKEN): self._dead_taken,
            int(names.E_BURIED): self._buried,
            int(names.E_DUG_UP): self._dug_up,
            int(names.E_NEGATED): self._negated,
            int(names.E_GHOST): self._became_ghost,
            int(names.E_RESURRECTED): self._resurrected,
            int(names.E_LASTING): self._lasting,
            int(names.E_FADED): self._faded,
            int(names.E_REDIRECTED): self._redirected,
            int(names.E_GLIMPSED): self._glimpsed,
            int(names.E_BULLET): self._bullet,
        }

    def tell(self, journal: np.ndarray) -> None:
        """Adds lines for further events, int16 (events, 6). A play and its parts must be in the same piece."""
        decided = decisions(journal)
        reached = told = 0
        for event, *row in journal.tolist():
            if event != names.E_DECISION:
                self._tell[event](*row)
                continue
            if reached == told:
                parts = parts_after(decided, reached)
                self._decision(decided[reached], parts)
                told += 1 + len(parts)
            reached += 1

    def end(self, ending: str, turns: int, winners: Sequence[int]) -> None:
        """Adds the line that closes the game."""
        who = ", ".join(map(self._who, winners)) or "nobody"
        self._add(f"the game is over in turn {turns}: {ending}; winners: {who}")

    def _add(self, text: str, decision: int | None = None) -> None:
        self.lines.append(Line(text, decision))

    def _more(self, start: str, text: str, separator: str) -> None:
        """Goes on with the last line if it begins like this, else begins one."""
        if self.lines and self.lines[-1].text.startswith(start):
            last = self.lines[-1]
            self.lines[-1] = Line(f"{last.text}{separator}{text}", last.decision)
        else:
            self._add(f"{start}{text}")

    def _who(self, seat: int) -> str:
        return f"{seat} ({self._roles[seat]})"

    def _with_suit(self, card: int) -> str:
        return f"{self._words.card(card)} ({SUIT_WORDS[self._suits[card]]})"

    def _decision(self, decided: Decided, parts: Sequence[Decided]) -> None:
        choice = self._words.choice(Open(self._in_play, self._dealt), decided, parts)
        self._named = {decided.what, *(part.what for part in parts)}
        who = f"ghost {self._who(decided.seat)}" if decided.seat in self._ghosts else f"{decided.seat}"
        if decided.asked:
            self._decisions += 1
            self._add(f"  {who}: {choice}", self._decisions)
        else:
            self._add(f"  {who}: {choice} (nothing else is possible)")

    def _turn(self, seat: int, low: int, high: int, *_: int) -> None:
        self._named = set()
        turn = low + (high << 15)
        if seat in self._ghosts:
            self._add(f"turn {turn} - ghost {self._who(seat)}")
        else:
            life = f"{self._life[seat]} of {self._max_life[seat]}"
            self._add(f"turn {turn} - seat {seat} ({self._roles[seat]}, {self._character[seat]}, {life})")

    def _drawn(self, seat: int, card: int, shown: int, *_: int) -> None:
        if self.lines[-1].text == f"  {seat}: choose {self._words.card(card)}":
            return  # CH-7: said already
        text = self._with_suit(card) + ", shown" if shown else self._words.card(card)
        self._more(f"  {seat} draws ", text, ", ")

    def _revealed(self, seat: int, card: int, on_offer: int, *_: int) -> None:
        text = self._with_suit(card)
        last = self.lines[-1].text
        if on_offer:
            self._more("  on offer: ", self._words.card(card), ", ")
        elif last.startswith(f"  {seat}: use ") and "->" not in last:
            self._more(last, f"revealed {text}", " -> ")
        elif last.startswith((f"  {seat}: use ", f"  {seat} \"draw!\"s: ")):
            self._more(last, text, " and ")
        else:
            self._add(f"  {seat} \"draw!\"s: revealed {text}")

    def _discarded(self, seat: int, card: int, *_: int) -> None:
        if card not in self._named:
            self._add(f"  {seat} discards {self._words.card(card)}")

    def _taken(self, seat: int, card: int, giver: int, blind: int, *_: int) -> None:
        source = "the discard pile" if giver < 0 else f"{giver}"
        self._add(f"  {seat} takes {self._words.card(card)} from {source}{', unseen' if blind else ''}")

    def _laid(self, seat: int, card: int, *_: int) -> None:
        self._in_play[seat] |= 1 << card
        if card not in self._named:
            self._add(f"  {self._words.card(card)} comes to lie in front of {seat}")

    def _moved(self, seat: int, card: int, *_: int) -> None:
        self._in_play[seat] &= ~(1 << card)

    def _lives(self, seat: int, change: int, life: int, *_: int) -> None:
        self._life[seat] = life
        self._add(f"  {seat} loses {-change} ({life} left)" if change < 0 else f"  {seat} gains {change} (now {life})")

    def _fallen(self, seat: int, _role: int, killer: int, kind: int, *_: int) -> None:
        by = f" by {killer}" if killer >= 0 else ""
        self._named = set()
        how = names.DEATHS[kind].replace("_", " ")
        self._add(f"  {self._who(seat)} is eliminated{by} ({how})")

    def _reward(self, seat: int, cards: int, *_: int) -> None:
        self._add(f"  {seat} is rewarded with {cards} cards")

    def _penalty(self, seat: int, *_: int) -> None:
        self._add(f"  {self._who(seat)} loses all cards for a Deputy")

    def _shuffled(self, _seat: int, cards: int, dead: int, *_: int) -> None:
        deck = "Dead Men's Deck" if dead else "deck"
        self._add(f"  the discard pile becomes the {deck} ({cards} cards)")

    def _returned(self, seat: int, card: int, *_: int) -> None:
        self._add(f"  {seat} puts {self._words.card(card)} back on the deck")

    def _deal(self, seat: int, character: int, *_: int) -> None:
        self._dealt[seat].append(character)
        self._more(f"  {self._who(seat)} is dealt ", self._words.character(character), ", ")

    def _kept(self, seat: int, character: int, life: int, *_: int) -> None:
        self._character[seat] = self._words.character(character)
        self._life[seat] = self._max_life[seat] = life
        self._add(f"  {self._who(seat)} is {self._character[seat]} with {life} life points")

    def _dead_drawn(self, seat: int, card: int, *_: int) -> None:
        self._more(f"  ghost {seat} draws ", self._words.card(card), ", ")

    def _dead_taken(self, seat: int, card: int, giver: int, *_: int) -> None:
        source = f" from ghost {giver}" if giver >= 0 and giver != seat else ""
        self._add(f"  {seat} gets {self._words.card(card)}{source}")

    def _buried(self, seat: int, card: int, *_: int) -> None:
        self._more(f"  to the buried goods of {seat}: ", self._words.card(card), ", ")

    def _dug_up(self, seat: int, card: int, *_: int) -> None:
        self._more(f"  out of the buried goods of {seat}: ", self._words.card(card), ", ")

    def _negated(self, _seat: int, card: int, conversion: int, *_: int) -> None:
        self._add("  the conversion is negated" if conversion else f"  {self._words.card(card)} is negated")

    def _became_ghost(self, seat: int, goods: int, *_: int) -> None:
        self._ghosts.add(seat)
        self._add(f"  {self._who(seat)} is a ghost with {goods} buried goods")

    def _resurrected(self, seat: int, life: int, role: int, most: int, *_: int) -> None:
        self._ghosts.discard(seat)
        if names.ROLES[role] == "sheriff":
            self._roles = ["renegade" if r == "sheriff" else r for r in self._roles]
            self._roles[seat] = "sheriff"
        self._life[seat], self._max_life[seat] = life, most
        self._add(f"  {self._who(seat)} is back in life with {life} life points")

    def _lasting(self, on: int, effect: int, caster: int, rival: int, *_: int) -> None:
        east_wind = effect == names.THE_EAST_WIND and rival >= 0
        both = f"{on} and {rival}" if east_wind else f"{on}"
        self._add(f"  {self._words.dead_card(effect)} of ghost {caster} is on {both}")

    def _faded(self, on: int, effect: int, *_: int) -> None:
        self._add(f"  {self._words.dead_card(effect)} on {on} is over")

    def _redirected(self, target: int, before: int, *_: int) -> None:
        self._add(f"  the attack on {before} goes to {target}")

    def _glimpsed(self, on: int, card: int, ghost: int, viewer: int, *_: int) -> None:
        self._add(f"  {self._words.card(card)} of {on} is shown to ghost {ghost} and to {viewer}")

    def _bullet(self, seat: int, bullets: int, *_: int) -> None:
        self._add(f"  ghost {seat} has {bullets} bullets")
