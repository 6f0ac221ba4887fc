"""One game of BANG! laid out for people: questions with their options as text, answers, the state after them.

The core never waits. A turn is played again from its start with one answer more each time; where the answers end, the
core leaves a copy of the state with its open question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sim.bang.core import names
from sim.bang.session import Session
from sim.bang.wording import PART_OF_A_PLAY, Decided, Names, Open, decisions, events, parts_after
from sim.errors import UserError
from sim.notation import Choice, Option, Question, fits, fits_in_order

KINDS = {
    "character": ("character", "choose"),
    "answer": ("answer", "respond"),
    "indians": ("indians", "respond", "answer"),
    "duel": ("duel", "respond", "answer"),
    "save": ("save", "respond", "answer"),
    "store": ("store", "choose"),
    "reveal": ("reveal", "choose"),
    "source": ("source", "draw", "choose"),
    "keep": ("keep", "choose"),
    "dead_duel": ("dead_duel", "answer", "respond", "duel"),
    "intervene": ("intervene", "respond"),
    "ransom": ("ransom", "discard", "pay"),
    "decay": ("decay", "respond"),
    "curse": ("curse", "discard"),
    "graves": ("graves", "choose"),
    "possess": ("possess", "play"),
    "look": ("look", "choose"),
    "any_turn": ("any_turn", "convert"),
}
"""What a question may be called: the kinds of the core that are not listed have their own name only."""

WITH_PARTS = tuple(
    int(kind)
    for kind in (
        names.PLAY, names.SAVE, names.SID, names.NEGATE, names.DEAD_DUEL, names.INTERVENE, names.MIRAGE_ANSWER,
        names.WARN_ANSWER, names.RANSOM, names.POSSESSED, names.ANY_TURN,
    )
)  # fmt: skip
"""Kinds whose answers may have parts (``PART_OF_A_PLAY``)."""

MOST_OPTIONS = 4096


class Table:
    """See ``sim.game.Table``."""

    def __init__(self, session: Session, block: np.ndarray, tables_table: np.ndarray) -> None:
        """Lays out the game in a block, which may stand at the start of any phase; the block is kept unchanged."""
        self.session = session
        self.names = Names(session)
        self._entries = session.kernel.module("positions")
        self._tables_table = tables_table
        self._played, self._snapshot = (np.empty_like(block) for _ in range(2))
        self._options = np.zeros(MOST_OPTIONS, np.int64)
        self._asked: int | None = None
        self._question: Question | None = None
        self._begin(block)

    def _begin(self, block: np.ndarray) -> None:
        self._base = block.copy()
        self._base[0]["script"]["journal_size"] = 0
        self._answers: list[int] = []
        self._advance()

    @property
    def game(self) -> Any:
        """The state now, a record of ``state.GAME``."""
        return self._state[0]

    @property
    def is_over(self) -> bool:
        return bool(self.game["ending"] != names.PLAYING)

    @property
    def turn(self) -> int:
        return int(self.game["public"]["turn"])

    def copy(self) -> Table:
        other = Table(self.session, self._base, self._tables_table)
        other._answers = [*self._answers]
        other._advance()
        return other

    def question(self) -> Question | None:
        """See ``sim.game.Table.question``."""
        if self._asked is None:
            return None
        if self._question is None:
            self._question = self._read_question(self._asked)
        return self._question

    def answer(self, option: Option, pattern: Choice | None = None) -> None:
        """See ``sim.game.Table.answer``."""
        wanted = pattern.parts.get("with", ()) if pattern else ()
        if len(wanted) > 1 and wanted != option.choice.parts["with"]:
            option = next((o for o in self._orders(option) if fits_in_order(wanted, o.choice.parts["with"])), option)
        self.answer_all(option.answers)

    def answer_all(self, answers: Sequence[int]) -> None:
        """Gives answers of the core one after the other."""
        self._answers += answers
        self._advance()

    def rewind(self) -> None:
        """Shows the state at the start again; the question and all answers are forgotten."""
        self._answers = []
        self._asked, self._question = None, None
        self._state = self._base.copy()

    def next_turn(self) -> None:
        """See ``sim.game.Table.next_turn``."""
        self._entries.begin_next_turn(self._state, self.session.rules_table)
        self._begin(self._state)

    def outcome(self, seed: int, answers: Sequence[int]) -> Any:
        """The state after these answers from the start, had the game another seed; it lasts until the next call."""
        self._entries.reseed(self._base, seed, 0)
        return self._run(answers)[0]

    def draw_order(self, dead: bool = False) -> list[int]:
        """The cards of the draw pile, or of the Dead Men's Deck, as they will be drawn."""
        out = np.zeros(len(self.game["draw_pile"]["cards"]), np.int64)
        count = self._entries.draw_order(self._state.copy(), int(dead), out)
        return [int(card) for card in out[:count]]

    def _advance(self) -> None:
        state = self._run(self._answers)
        asked = int(state[0]["script"]["asked"])
        self._asked = asked if asked >= 0 else None
        self._question = None
        self._state = state.copy()
        if self._asked is None and self.turn >= self.session.rules["turn_cap"]:
            self._entries.begin_next_turn(self._state, self.session.rules_table)

    def _run(self, answers: Sequence[int]) -> np.ndarray:
        """The state after these answers from the start; it lasts until the next run."""
        script = self._played[0]["script"]
        if len(answers) > len(script["answers"]):
            raise UserError(f"a turn with more than {len(script['answers'])} decisions cannot be laid out")
        _bytes(self._played)[:] = _bytes(self._base)
        script["active"] = script["stop_at_turn_end"] = 1
        script["next"] = 0
        script["asked"] = -1
        script["answers"][: len(answers)] = answers
        script["answer_count"] = len(answers)
        script["snapshot_at"] = self._snapshot.ctypes.data
        self.session.games.play_block(self._played, self.session.rules_table, self._tables_table)
        return self._snapshot if self._played[0]["ending"] == names.PAUSED else self._played

    def _read_question(self, seat: int) -> Question:
        kind = int(self.game["own"][seat]["question"]["kind"])
        options: dict[str, Option] = {}
        for given in self._core_options(self._state, seat):
            for option in self._complete([given], seat, kind):
                options.setdefault(option.text, option)
        own_name = names.KINDS[kind]
        return Question(seat, KINDS.get(own_name, (own_name,)), tuple(options.values()), kind != names.SID)

    def _orders(self, option: Option) -> Iterator[Option]:
        """The same decision with what is paid in every order: the discard pile shows it."""
        assert self._asked is not None
        kind = int(self.game["own"][self._asked]["question"]["kind"])
        for other in self._complete([option.answers[0]], self._asked, kind, every_order=True):
            if fits(option.choice, other.choice):
                yield other

    def _complete(self, answers: list[int], seat: int, kind: int, every_order: bool = False) -> Iterator[Option]:
        """An answer in all the ways in which the questions for its parts can be answered."""
        lying = Open.of(self.game)
        if kind not in WITH_PARTS:
            choice = self.names.choice(lying, Decided(seat, kind, *_split(answers[0]), True))
            yield Option(choice, tuple(answers))
            return
        before = len(decisions(events(self.game)))
        for complete, (decided, *parts) in self._with_parts(answers, seat, before, every_order):
            yield Option(self.names.choice(lying, decided, parts), tuple(complete))

    def _with_parts(
        self, answers: list[int], seat: int, before: int, every_order: bool
    ) -> Iterator[tuple[list[int], list[Decided]]]:
        """Answers with the decisions they make. ``before``: how many decisions the turn has had."""
        state = self._run([*self._answers, *answers])
        decided = decisions(events(state[0]))[before:]
        play = [decided[0], *parts_after(decided, 0)]
        question = state[0]["own"][seat]["question"]
        open_part = int(state[0]["script"]["asked"]) == seat and int(question["kind"]) in PART_OF_A_PLAY
        if not open_part or len(play) < len(decided):
            # A part that only one card was left for may be out of order: the same set comes in order as well.
            if every_order or _in_order(play):
                yield answers, play
            return
        lowest = -1 if every_order else _lowest_to_name(play, int(question["kind"]))
        for given in self._core_options(state, seat):
            if _split(given)[0] > lowest:
                yield from self._with_parts([*answers, given], seat, before, every_order)

    def _core_options(self, block: np.ndarray, seat: int) -> list[int]:
        """The options of the core for the question of a seat."""
        session = self.session
        count = self._entries.list_options(block, session.rules_table, self._tables_table, seat, self._options)
        return [int(option) for option in self._options[:count]]


def _bytes(block: np.ndarray) -> np.ndarray:
    return block.view(np.uint8)


def _in_order(play: Sequence[Decided]) -> bool:
    """Whether what is paid is named in the order of the cards."""
    return all(_lowest_to_name(play[:i], play[i].kind) < play[i].what for i in range(1, len(play)))


def _lowest_to_name(play: Sequence[Decided], kind: int) -> int:
    """What is paid is a set, gone through in the order of the cards: the one after which the next must come."""
    before = play[-1]
    return before.what if kind == names.PAY and before.kind in (names.PAY, names.RANSOM) else -1


def _split(given: int) -> tuple[int, int]:
    return given & 0xFFFF, given >> 16
