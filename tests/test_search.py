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


# With Death Mesa


@pytest.fixture(scope="module")
def haunted() -> Session:
    rules = BANG.resolve({"players": 7, "expansions": "death_mesa"})
    return Session(rules, {"default": strategy("bang", "random")}, checked=True)


def among_ghosts(session: Session, number: int, ghosts: int, turns: int = 400) -> np.ndarray:
    """A game when so many are ghosts and it is a ghost's turn, or when it is over."""
    block = session.new_block()
    session.games.deal_game(block, session.rules_table, session.tables_table, SEED, number)
    block[0]["script"]["stop_at_turn_end"] = 1
    for _ in range(turns):
        public = block[0]["public"]
        dead = int(public["ghosts"])
        if block[0]["ending"] != names.PLAYING or (dead.bit_count() >= ghosts and dead >> int(public["in_turn"]) & 1):
            break
        session.games.play_block(block, session.rules_table, session.tables_table)
        session.kernel.module("positions").begin_next_turn(block, session.rules_table)
    return block


def members(words: np.ndarray) -> set[int]:
    return {64 * w + k for w, word in enumerate(words) for k in range(64) if int(word) >> k & 1}


def pile(cards: np.void) -> list[int]:
    return [int(card) for card in cards["cards"][: cards["count"]]]


def living_places(block: np.ndarray) -> list[int]:
    """Every card of the living once for each place it is in, buried goods included."""
    return sorted([*places(block), *(card for cards in block[0]["buried"] for card in members(cards))])


def dead_places(block: np.ndarray) -> list[int]:
    """Every Dead Men's card once for each place it is in."""
    game = block[0]
    found = [*pile(game["dead_pile"]), *pile(game["dead_discards"])]
    found += [card for own in game["own"] for card in members(own["dead_hand"])]
    lasting = game["public"]["lasting"][: game["public"]["lasting_count"]]
    found += [int(entry["card"]) for entry in lasting if entry["effect"] == names.PROPER_BURIAL]
    return sorted(found)


HAUNTED = [(number, ghosts) for number in range(6) for ghosts in (1, 2, 3)]


@pytest.mark.parametrize(("number", "ghosts"), HAUNTED)
def test_an_imagined_state_among_ghosts_agrees_with_what_the_seat_knows(
    haunted: Session, number: int, ghosts: int
) -> None:
    block = among_ghosts(haunted, number, ghosts)
    if block[0]["ending"] != names.PLAYING:
        pytest.skip("the game is over")
    known = block[0]
    dead = [seat for seat in range(7) if int(known["public"]["ghosts"]) >> seat & 1]
    for seat in range(7):
        imagined = haunted.imagine(block, seat, 1, number)
        guess = imagined[0]
        assert living_places(imagined) == list(range(80))
        assert dead_places(imagined) == list(range(80, 132))
        for field in known["public"].dtype.names:
            assert np.array_equal(known["public"][field], guess["public"][field]), field
        for field in set(known["own"].dtype.names) - {"dice"}:
            assert np.array_equal(known["own"][seat][field], guess["own"][seat][field]), field
        assert pile(guess["dead_discards"]) == pile(known["dead_discards"])
        for other in range(7):
            assert len(members(guess["own"][other]["hand"])) == known["public"]["hand_size"][other]
            assert len(members(guess["own"][other]["dead_hand"])) == known["public"]["dead_hand_size"][other]
            assert len(members(guess["buried"][other])) == known["public"]["buried_size"][other]
            assert members(known["public"]["seen_buried"][other]) <= members(guess["buried"][other])
        if seat in dead:
            assert np.array_equal(guess["buried"][seat], known["buried"][seat])
        for other in dead:
            assert guess["own"][other]["role"] == known["own"][other]["role"]


def test_what_is_buried_and_held_by_others_is_drawn_anew(haunted: Session) -> None:
    """Over many copies another ghost's unseen cards vary, and with them nothing that is known."""
    block = among_ghosts(haunted, 1, 2)
    public = block[0]["public"]
    dead = [seat for seat in range(7) if int(public["ghosts"]) >> seat & 1]
    viewer = int(public["in_turn"])
    (other, *_) = [seat for seat in dead if seat != viewer and public["buried_size"][seat] > 0]
    copies = [haunted.imagine(block, viewer, 2, rollout)[0] for rollout in range(40)]
    unseen = public["buried_size"][other] - len(members(public["seen_buried"][other]))
    assert len({frozenset(members(copy["buried"][other])) for copy in copies}) > (10 if unseen else 0)
    assert public["dead_hand_size"][other] == 0 or len({bytes(copy["own"][other]["dead_hand"]) for copy in copies}) > 10
    assert len({tuple(pile(copy["dead_pile"])) for copy in copies}) > 1 or public["dead_hand_size"].sum() == 0


@pytest.mark.parametrize(("number", "ghosts"), [(1, 1), (2, 2), (4, 3)])
def test_nothing_hidden_among_ghosts_gets_into_a_copy(haunted: Session, number: int, ghosts: int) -> None:
    """Two games that look the same to a seat give it the same copies."""
    block = among_ghosts(haunted, number, ghosts)
    assert block[0]["ending"] == names.PLAYING
    viewer = int(block[0]["public"]["in_turn"])
    other = haunted.imagine(block, viewer, 9, 9)
    other[0]["key"] = block[0]["key"]
    assert not np.array_equal(other[0]["own"]["hand"], block[0]["own"]["hand"])
    for rollout in range(5):
        first = haunted.imagine(block, viewer, 4, rollout)
        second = haunted.imagine(other, viewer, 4, rollout)
        assert first.tobytes() == second.tobytes()


def test_play_goes_on_from_the_question_of_a_ghost(haunted: Session) -> None:
    """The ghost in turn is asked what to play; from a copy of that state the game is played to its end, checked."""
    ends = set()
    for number in range(6):
        block = among_ghosts(haunted, number, 1)
        if block[0]["ending"] != names.PLAYING:
            continue
        asked = paused(haunted, block)
        seat = int(asked[0]["script"]["asked"])
        assert (seat, asked[0]["own"][seat]["question"]["kind"]) == (asked[0]["public"]["in_turn"], names.PLAY)
        for rollout in range(10):
            imagined = haunted.imagine(asked, seat, 4, rollout)
            haunted.games.play_block(imagined, haunted.rules_table, haunted.tables_table)
            game = imagined[0]
            assert game["script"]["fault"] == names.NO_FAULT
            assert game["ending"] >= 0
            ends.add((int(game["ending"]), int(game["record"]["turns"])))
    assert len(ends) > 15


def paused(session: Session, block: np.ndarray) -> np.ndarray:
    """The state at the first question of the turn."""
    asking, snapshot = block.copy(), block.copy()
    script = asking[0]["script"]
    script["active"], script["asked"], script["answer_count"], script["next"] = 1, -1, 0, 0
    script["snapshot_at"] = snapshot.ctypes.data
    session.games.play_block(asking, session.rules_table, session.tables_table)
    assert asking[0]["ending"] == names.PAUSED
    return snapshot


def test_a_copy_knows_the_roles_dealt_and_whom_ghosts_must_eliminate() -> None:
    """What follows from roles follows from the imagined ones: dealt roles (for the funnels), duties (OP-69)."""
    settings = {"players": 7, "expansions": "death_mesa", "dm_unfinished_business_fallback": "true_role"}
    session = Session(BANG.resolve(settings), {"default": strategy("bang", "random")}, checked=True)
    block = among_ghosts(session, 1, 2)
    viewer = int(block[0]["public"]["in_turn"])
    for rollout in range(10):
        game = session.imagine(block, viewer, 3, rollout)[0]
        roles = game["own"]["role"][:7].tolist()
        assert game["public"]["scofflaws"] > 0 or game["dealt_role"][:7].tolist() == roles
        for seat in range(7):
            if int(game["public"]["ghosts"]) >> seat & 1 and seat != viewer and roles[seat] == names.OUTLAW:
                assert game["own"][seat]["obliged"] == 1 << roles.index(names.SHERIFF)
