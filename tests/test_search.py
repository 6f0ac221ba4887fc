"""Copies for search: they agree with what a seat knows, hold nothing else, and can be played on (design §3.5)."""

from __future__ import annotations

import numpy as np
import pytest

from sim.bang.core import names
from sim.bang.game import BANG
from sim.bang.session import Session
from sim.services.registry import strategy

SEED = 5


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(BANG.resolve({"players": 7}), {"default": strategy("bang", "random")}, checked=True)


def dealt(session: Session, number: int, turns: int) -> np.ndarray:
    """A game after some turns."""
    block = session.new_block()
    session.games.deal_game(block, session.rules_table, session.tables_table, SEED, number)
    block[0]["script"]["stop_at_turn_end"] = 1
    for _ in range(turns):
        session.games.play_block(block, session.rules_table, session.tables_table)
        if block[0]["ending"] != names.PLAYING:
            break
        session.kernel.module("positions").begin_next_turn(block, session.rules_table)
    return block


def places(block: np.ndarray) -> list[int]:
    """Every card id once for each place it is in."""
    game = block[0]
    found = [*game["draw_pile"]["cards"][: game["draw_pile"]["count"]]]
    found += [*game["discard_pile"]["cards"][: game["discard_pile"]["count"]]]
    for cards in (*game["own"]["hand"], *game["public"]["in_play"]):
        found += [64 * w + k for w, word in enumerate(cards) for k in range(64) if int(word) >> k & 1]
    return sorted(int(card) for card in found)


@pytest.mark.parametrize("number", range(12))
def test_an_imagined_state_agrees_with_what_the_seat_knows(session: Session, number: int) -> None:
    block = dealt(session, number, 6 + number)
    if block[0]["ending"] != names.PLAYING:
        pytest.skip("the game is over")
    for seat in range(7):
        imagined = session.imagine(block, seat, 1, number)
        assert places(imagined) == list(range(80))
        known, guess = block[0], imagined[0]
        open_to_all = ("life", "hand_size", "in_play", "alive", "known_role", "seen_in_hand", "discard_top")
        for field in open_to_all:
            assert np.array_equal(known["public"][field], guess["public"][field]), field
        assert np.array_equal(known["own"][seat]["hand"], guess["own"][seat]["hand"])
        assert guess["own"][seat]["role"] == known["own"][seat]["role"]
        roles = [int(role) for role in guess["own"]["role"][:7]]
        assert sorted(roles) == sorted(int(role) for role in known["own"]["role"][:7])
        open_roles = known["public"]["known_role"][:7]
        assert all(r == k for r, k in zip(roles, open_roles, strict=True) if k != names.HIDDEN)
        seen = known["public"]["seen_in_hand"]
        assert np.array_equal(guess["own"]["hand"] & seen, seen)


def test_nothing_hidden_gets_into_a_copy(session: Session) -> None:
    """Two games that look the same to a seat give it the same copies."""
    block = dealt(session, 3, 8)
    other = session.imagine(block, 2, 9, 9)
    other[0]["key"] = block[0]["key"]
    assert not np.array_equal(other[0]["own"]["hand"], block[0]["own"]["hand"])
    for rollout in range(5):
        first = session.imagine(block, 2, 4, rollout)
        second = session.imagine(other, 2, 4, rollout)
        assert first.tobytes() == second.tobytes()


def test_copies_differ_by_number_and_can_be_played_on(session: Session) -> None:
    block = dealt(session, 3, 8)
    ends = set()
    for rollout in range(20):
        imagined = session.imagine(block, 0, 4, rollout)
        session.kernel.module("positions").begin_next_turn(imagined, session.rules_table)
        session.games.play_block(imagined, session.rules_table, session.tables_table)
        game = imagined[0]
        assert game["script"]["fault"] == names.NO_FAULT
        assert game["ending"] >= 0
        ends.add((int(game["ending"]), int(game["record"]["turns"])))
    assert len(ends) > 5
