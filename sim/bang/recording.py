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
        kept = ["life", "alive", "hand", "in_play"]
        expected_piles = ["draw_size", "discard"]
        start = {
            "seat": int(public["in_turn"]),
            "phase": names.PHASES[int(public["phase"])],
            "bangs_played": int(public["bangs_played"]),
        }
        piles = {"draw": self._draws(table, after), "discard": facts(table)["piles"]["discard"]}
        more: dict[str, Any] = {}
        if self._session.with_ghosts:
            kept += ["role", "buried", "dead_hand"]
            expected_piles += ["dead_draw_size", "dead_discard_size"]
            start["dead_plays"] = int(public["dead_plays"])
            piles["dead_draw"] = self._dead_draws(table, after)
            piles["dead_discard"] = facts(table)["piles"]["dead_discard_top"]
            more["effect"] = [self._effect(public["lasting"][i]) for i in range(int(public["lasting_count"]))]
        seats = {number: {key: seat[key] for key in kept} for number, seat in end["seat"].items()}
        return {
            "title": f"Decision {decision} of game {self._number} with seed {self._seed}",
            "game": "bang",
            "seed": 1,
            "rules": {"expansions": list(rules.expansions), **{name: rules[name] for name in sorted(rules.named)}},
            "seat": [self._seat(game, seat) for seat in range(int(public["players"]))],
            "piles": piles,
            "start": start,
            **more,
            "do": self._steps(game, rest),
            "expect": {
                "winner": end["winner"],
                **over,
                "seat": seats,
                "piles": {key: end["piles"][key] for key in expected_piles},
            },
        }

    def _seat(self, game: Any, seat: int) -> dict[str, Any]:
        public, own = game["public"], game["own"][seat]
        character = int(public["character"][seat])
        dead = game["record"]["dead"][: game["record"]["deaths"]].tolist()
        said: dict[str, Any] = {"role": names.ROLES[int(own["role"])]}
        said["character"] = self._names.character(character) if character >= 0 else NO_CHARACTER
        said["life"] = int(public["life"][seat])
        if not int(public["alive"]) >> seat & 1:
            said |= {"ghost": True, "died": len(dead) - dead[::-1].index(seat)} if seat in dead else {"ghost": True}
            return {**said, **self._ghost(game, seat)} if self._session.with_ghosts else said
        said["hand"] = self._texts(whole(own["hand"]))
        said["in_play"] = self._texts(whole(public["in_play"][seat]))
        if self._session.with_ghosts:
            said |= self._last_attacked(public, seat)
            if int(public["zombies"]) >> seat & 1:
                said["zombie"] = True
        return said

    def _ghost(self, game: Any, seat: int) -> dict[str, Any]:
        """What a file says about a ghost."""
        public = game["public"]
        said: dict[str, Any] = {
            "buried": self._texts(whole(game["buried"][seat])),
            "dead_hand": self._texts(whole(game["own"][seat]["dead_hand"])),
            "bullets": int(public["bullets"][seat]),
        }
        if public["killer"][seat] >= 0:
            said["killer"] = int(public["killer"][seat])
        return said | self._last_attacked(public, seat)

    def _last_attacked(self, public: Any, seat: int) -> dict[str, Any]:
        last = int(public["last_attacked"][seat])
        return {} if last < 0 else {"last_attacked": "several" if last == names.SEVERAL else last}

    def _effect(self, entry: Any) -> dict[str, Any]:
        """A Dead Men's card in force; Terrify by the card that is terrified."""
        effect, card = int(entry["effect"]), int(entry["card"])
        said: dict[str, Any] = {"card": self._names.dead_card(effect), "caster": int(entry["caster"])}
        said["on"] = [int(entry["on"])]
        if effect == names.THE_EAST_WIND:
            said["on"].append(int(entry["rival"]))
        elif effect == names.TERRIFY:
            said |= {"card": self._names.card(card), "origin": "hand" if entry["from_hand"] else "play"}
        elif effect == names.PROPER_BURIAL:
            said["card"] = self._names.card(card)
        return said

    def _texts(self, cards: int) -> list[str]:
        return [self._names.card(card) for card in members(cards)]

    def _draws(self, table: Table, after: Table) -> list[str]:
        """The cards that the rest of the turn draws, top first: the whole pile if it is used up."""
        order = table.draw_order()
        return [self._names.card(card) for card in order[: _drawn(table, after, "draw_pile", len(order))]]

    def _dead_draws(self, table: Table, after: Table) -> list[str]:
        """The Dead Men's cards that the rest of the turn draws, top first."""
        order = table.draw_order(dead=True)
        return [self._names.card(card) for card in order[: _drawn(table, after, "dead_pile", len(order))]]

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
        draws, dead_draws = (len(data["piles"].get(pile, ())) for pile in ("draw", "dead_draw"))
        card_there = _same_cards(table, start, draws, dead_draws)
        answers = [_renamed(answer, card_there) for answer in _answers(rest)]
        with_ghosts = self._session.with_ghosts
        wanted = _outcome(after.game, card_there, with_ghosts)
        for seed in range(1, SEEDS_TRIED + 1):
            if _outcome(start.outcome(seed, answers), range(len(card_there)), with_ghosts) == wanted:
                yield {**data, "seed": seed}


def _complete(decided: Sequence[Decided], asked: int) -> Iterator[Complete]:
    """Decisions with their parts, those asked for numbered from ``asked`` + 1."""
    place = 0
    while place < len(decided):
        parts = parts_after(decided, place)
        asked += decided[place].asked
        yield Complete(asked if decided[place].asked else None, decided[place], parts, place)
        place += 1 + len(parts)


def _drawn(table: Table, after: Table, pile: str, there: int) -> int:
    """How many cards of a pile are drawn between two states: all of them if it was made anew meanwhile."""
    later, dead = after.game[pile], int(pile == "dead_pile")

    def shuffles(at: Table) -> int:
        journal = events(at.game)
        return int(((journal[:, 0] == names.E_SHUFFLED) & (journal[:, 3] == dead)).sum())

    if shuffles(after) > shuffles(table):
        return there
    return there - int(later["count"]) + int(later["known"])


def _answers(turn: Iterator[Complete] | Sequence[Complete]) -> list[int]:
    """The answers of the core behind complete decisions; those that nobody was asked for are no answers."""
    return [d.what | d.target << 16 for c in turn for d in (c.decided, *c.parts) if d.asked]


def _same_cards(there: Table, here: Table, draws: int, dead_draws: int) -> list[int]:
    """For each card of one table, the card with the same text in the same place of another.

    A deck may have two cards of one text; a file cannot tell them apart.
    """
    left: dict[tuple[str, Any], list[int]] = {}
    for card, place in _places(here, draws, dead_draws).items():
        left.setdefault((here.names.card(card), place), []).append(card)
    found = sorted(_places(there, draws, dead_draws).items())
    return [left[there.names.card(card), place].pop() for card, place in found]


def _places(table: Table, draws: int, dead_draws: int) -> dict[int, Any]:
    """Where each card is."""
    game = table.game
    places: dict[int, Any] = {}
    for seat in range(names.SEATS):
        places |= dict.fromkeys(members(whole(game["own"][seat]["hand"])), ("hand", seat))
        places |= dict.fromkeys(members(whole(game["public"]["in_play"][seat])), ("in_play", seat))
    pile = game["discard_pile"]
    places |= {int(card): ("discard", i) for i, card in enumerate(pile["cards"][: pile["count"]])}
    places |= {card: ("draw", min(i, draws)) for i, card in enumerate(table.draw_order())}
    if table.session.with_ghosts:
        places |= _ghost_places(table, dead_draws)
    return places


def _ghost_places(table: Table, draws: int) -> dict[int, Any]:
    """The same for buried goods and Dead Men's cards."""
    game, public = table.game, table.game["public"]
    places: dict[int, Any] = {}
    for seat in range(names.SEATS):
        places |= dict.fromkeys(members(whole(game["buried"][seat])), ("buried", seat))
        places |= dict.fromkeys(members(whole(game["own"][seat]["dead_hand"])), ("dead_hand", seat))
    pile = game["dead_discards"]
    places |= {int(card): ("dead_discard", i) for i, card in enumerate(pile["cards"][: pile["count"]])}
    places |= {card: ("dead_draw", min(i, draws)) for i, card in enumerate(table.draw_order(dead=True))}
    for i in range(int(public["lasting_count"])):
        if public["lasting"][i]["effect"] == names.PROPER_BURIAL:
            places[int(public["lasting"][i]["card"])] = ("burial", i)
    return places


def _renamed(answer: int, card_there: Sequence[int]) -> int:
    what = answer & 0xFFFF
    return answer if what >= names.OTHER else answer - what + card_there[what]


def _outcome(game: Any, card_there: Sequence[int], with_ghosts: bool) -> list[Any]:
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
        *(_ghost_outcome(game, card_there) if with_ghosts else ()),
    ]


def _ghost_outcome(game: Any, card_there: Sequence[int]) -> list[Any]:
    pile = game["dead_discards"]
    held = [*game["own"]["dead_hand"], *game["buried"], game["public"]["terrified"]]
    return [
        [sum(1 << card_there[card] for card in members(whole(cards))) for cards in held],
        [card_there[int(card)] for card in pile["cards"][: pile["count"]]],
        int(game["public"]["ghosts"]),
        int(game["public"]["lasting_count"]),
    ]
