"""One game of a seed, played by its strategies and written down turn by turn; a piece of it as a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sim.bang.core import names
from sim.bang.expectations import facts
from sim.bang.position import NO_CHARACTER, Position
from sim.bang.session import Session
from sim.bang.story import Story
from sim.bang.table import Table
from sim.bang.wording import Decided, Names, Open, decisions, events, members, parts_after, whole
from sim.documents import Document, written
from sim.errors import UserError
from sim.game import Line

SEEDS_TRIED = 20_000


class Complete(NamedTuple):
    """A complete decision: its number among those asked for (None: it was not), its parts, its place in the turn."""

    number: int | None
    decided: Decided
    parts: Sequence[Decided]
    place: int


class Recording:
    """See ``sim.game.Recording``. ``session`` must be instrumented."""

    def __init__(self, session: Session, seed: int, number: int) -> None:
        self._session = session
        self._seed, self._number = seed, number
        self._names = Names(session)

    def lines(self) -> list[Line]:
        """See ``sim.game.Recording.lines``."""
        block = self._session.new_block()
        story: Story | None = None
        for piece in self._played(block):
            if story is None:
                story = self._story(block[0])
            story.tell(piece)
        assert story is not None
        winners = [seat for seat in range(names.SEATS) if int(block[0]["record"]["winners"]) >> seat & 1]
        story.end(names.ENDINGS[int(block[0]["ending"])], int(block[0]["public"]["turn"]), winners)
        return story.lines

    def saved(self, decision: int) -> Iterator[Mapping[str, Any]]:
        """See ``sim.game.Recording.saved``."""
        base, turn = self._turn_of(decision)
        begun = max(c.place for c in turn if c.number is not None and c.number <= decision)
        starts = [c for c in turn if c.place <= begun and c.decided.kind == names.PLAY]
        first = starts[-1].place if starts else 0
        table = Table(self._session, base, self._session.tables_table)
        table.answer_all(_answers(c for c in turn if c.place < first))
        after = table.copy()
        after.answer_all(_answers(rest := [c for c in turn if c.place >= first]))
        if not starts:
            table.rewind()  # the first question may come in the middle of something
        return self._reproduced(self._data(decision, table, after, rest), table, after, rest)

    def _played(self, block: np.ndarray) -> Iterator[np.ndarray]:
        """Plays the game in the block; after the deal and after each turn, what happened in it.

        While a piece is looked at, the block holds the state after it, and its journal is empty.
        """
        session = self._session
        begin_next_turn = session.kernel.module("positions").begin_next_turn
        script = block[0]["script"]
        script["stop_at_turn_end"] = 1
        script["journal_size"] = 0
        session.games.deal_game(block, session.rules_table, session.tables_table, self._seed, self._number)
        while True:
            piece = events(block[0]).copy()
            script["journal_size"] = 0
            yield piece
            if block[0]["ending"] != names.PLAYING:
                return
            if block[0]["public"]["phase"] == names.TURN_OVER:
                begin_next_turn(block, session.rules_table)
            else:
                session.games.play_block(block, session.rules_table, session.tables_table)

    def _story(self, game: Any) -> Story:
        cards = self._session.cards
        seats = range(int(game["public"]["players"]))
        return Story(self._names, cards.suit, [names.ROLES[int(game["own"][seat]["role"])] for seat in seats])

    def _turn_of(self, decision: int) -> tuple[np.ndarray, list[Complete]]:
        """The state at the start of the turn with a decision, and all decisions of that turn. Raises UserError."""
        block = self._session.new_block()
        base, asked, set_up = block.copy(), 0, True
        for piece in self._played(block):
            turn = list(_complete(decisions(piece), asked))
            asked += sum(c.number is not None for c in turn)
            if decision <= asked:
                if set_up:
                    raise UserError(f"decision {decision} belongs to the set-up; take one after decision {asked}")
                return base, turn
            set_up = False
            if block[0]["public"]["phase"] == names.TURN_START:
                base = block.copy()
        raise UserError(f"there is no decision {decision}; the game has {asked}")

    def _data(self, decision: int, table: Table, after: Table, rest: Sequence[Complete]) -> dict[str, Any]:
        """The file of the scenario, without a seed that reproduces it."""
        game, rules = table.game, self._session.rules
        public = game["public"]
        end = facts(after)
        over = {"winners": end["winners"], "ending": end["ending"]} if after.is_over else {}
        kept = ("life", "alive", "hand", "in_play")
        seats = {number: {key: seat[key] for key in kept} for number, seat in end["seat"].items()}
        return {
            "title": f"Decision {decision} of game {self._number} with seed {self._seed}",
            "game": "bang",
            "seed": 1,
            "rules": {"expansions": list(rules.expansions), **{name: rules[name] for name in sorted(rules.named)}},
            "seat": [self._seat(game, seat) for seat in range(int(public["players"]))],
            "piles": {"draw": self._draws(table, after), "discard": facts(table)["piles"]["discard"]},
            "start": {
                "seat": int(public["in_turn"]),
                "phase": names.PHASES[int(public["phase"])],
                "bangs_played": int(public["bangs_played"]),
            },
            "do": self._steps(game, rest),
            "expect": {
                "winner": end["winner"],
                **over,
                "seat": seats,
                "piles": {"draw_size": end["piles"]["draw_size"], "discard": end["piles"]["discard"]},
            },
        }

    def _seat(self, game: Any, seat: int) -> dict[str, Any]:
        public, own = game["public"], game["own"][seat]
        character = int(public["character"][seat])
        dead = game["record"]["dead"][: game["record"]["deaths"]].tolist()
        said: dict[str, Any] = {"role": names.ROLES[int(own["role"])]}
        said["character"] = self._names.character(character) if character >= 0 else NO_CHARACTER
        said["life"] = int(public["life"][seat])
        if seat in dead:
            return {**said, "ghost": True, "died": dead.index(seat) + 1}
        said["hand"] = self._texts(whole(own["hand"]))
        said["in_play"] = self._texts(whole(public["in_play"][seat]))
        return said

    def _texts(self, cards: int) -> list[str]:
        return [self._names.card(card) for card in members(cards)]

    def _draws(self, table: Table, after: Table) -> list[str]:
        """The cards that the rest of the turn draws, top first: the whole pile if it is used up."""
        order = table.draw_order()
        later = after.game["draw_pile"]
        shuffled = (events(after.game)[:, 0] == names.E_SHUFFLED).sum()
        already = (events(table.game)[:, 0] == names.E_SHUFFLED).sum()
        count = len(order) if shuffled > already else len(order) - int(later["count"]) + int(later["known"])
        return [self._names.card(card) for card in order[:count]]

    def _steps(self, game: Any, rest: Sequence[Complete]) -> list[dict[str, Any]]:
        """The decisions as steps of a script; one that nobody was asked for needs none."""
        lying = Open.of(game)
        in_play = list(lying.in_play)
        return [
            {"seat": c.decided.seat, "choose": str(self._names.choice(Open(in_play, lying.dealt), c.decided, c.parts))}
            for c in rest
            if c.number is not None
        ]

    def _reproduced(
        self, data: dict[str, Any], table: Table, after: Table, rest: Sequence[Complete]
    ) -> Iterator[Mapping[str, Any]]:
        """The file with each seed under which the rest of the turn goes as it went."""
        start = Position(Document(written(data), "the scenario to be saved")).table(1)
        start.rewind()
        card_there = _same_cards(table, start, len(data["piles"]["draw"]))
        answers = [_renamed(answer, card_there) for answer in _answers(rest)]
        wanted = _outcome(after.game, card_there)
        for seed in range(1, SEEDS_TRIED + 1):
            if _outcome(start.outcome(seed, answers), range(len(card_there))) == wanted:
                yield {**data, "seed": seed}


def _complete(decided: Sequence[Decided], asked: int) -> Iterator[Complete]:
    """Decisions with their parts, those asked for numbered from ``asked`` + 1."""
    place = 0
    while place < len(decided):
        parts = parts_after(decided, place)
        asked += decided[place].asked
        yield Complete(asked if decided[place].asked else None, decided[place], parts, place)
        place += 1 + len(parts)


def _answers(turn: Iterator[Complete] | Sequence[Complete]) -> list[int]:
    """The answers of the core behind complete decisions; those that nobody was asked for are no answers."""
    return [d.what | d.target << 16 for c in turn for d in (c.decided, *c.parts) if d.asked]


def _same_cards(there: Table, here: Table, draws: int) -> list[int]:
    """For each card of one table, the card with the same text in the same place of another.

    A deck may have two cards of one text; a file cannot tell them apart.
    """
    left: dict[tuple[str, Any], list[int]] = {}
    for card, place in _places(here, draws).items():
        left.setdefault((here.names.card(card), place), []).append(card)
    return [left[there.names.card(card), place].pop() for card, place in sorted(_places(there, draws).items())]


def _places(table: Table, draws: int) -> dict[int, Any]:
    """Where each card is."""
    game = table.game
    places: dict[int, Any] = {}
    for seat in range(names.SEATS):
        places |= dict.fromkeys(members(whole(game["own"][seat]["hand"])), ("hand", seat))
        places |= dict.fromkeys(members(whole(game["public"]["in_play"][seat])), ("in_play", seat))
    pile = game["discard_pile"]
    places |= {int(card): ("discard", i) for i, card in enumerate(pile["cards"][: pile["count"]])}
    places |= {card: ("draw", min(i, draws)) for i, card in enumerate(table.draw_order())}
    return places


def _renamed(answer: int, card_there: Sequence[int]) -> int:
    what = answer & 0xFFFF
    return answer if what >= names.OTHER else answer - what + card_there[what]


def _outcome(game: Any, card_there: Sequence[int]) -> list[Any]:
    """What must be the same when a turn is reproduced."""
    public, pile = game["public"], game["discard_pile"]
    held = [*game["own"]["hand"], *public["in_play"]]
    return [
        [sum(1 << card_there[card] for card in members(whole(cards))) for cards in held],
        [card_there[int(card)] for card in pile["cards"][: pile["count"]]],
        public["life"].tolist(),
        int(public["alive"]),
        int(public["draw_size"]),
        int(public["phase"]),
        int(game["ending"]),
        int(game["record"]["winners"]),
        int(game["record"]["illegal"]),
        int(game["script"]["asked"]),
    ]
