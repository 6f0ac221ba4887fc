"""Checked mode finds what is wrong, and no strategy can do harm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sim.bang.core import names
from sim.bang.game import BANG
from sim.bang.session import Session
from sim.game import Fault, Strategy
from sim.services import registry

GAMES = 300

Block = np.void


def strategies(name: str = "simple") -> dict[str, Strategy]:
    return registry.assign(BANG, [name])


STRAY = {"default": Strategy("stray", Path(__file__).parent / "stray.py", "decide")}


def card_in_two_hands(game: Block) -> None:
    game["own"][1]["hand"] |= game["own"][0]["hand"]


def hand_card_in_play(game: Block) -> None:
    game["public"]["in_play"][0] = game["own"][0]["hand"]


def hand_card_in_draw_pile(game: Block) -> None:
    game["draw_pile"]["cards"][0] = first_card(game)


def hand_card_in_discard_pile(game: Block) -> None:
    game["discard_pile"]["cards"][0] = first_card(game)
    game["discard_pile"]["count"] = 1


def first_card(game: Block) -> int:
    """A card in the hand of seat 0."""
    whole = sum(int(word) << 64 * w for w, word in enumerate(game["own"][0]["hand"]))
    return (whole & -whole).bit_length() - 1


def lost_card(game: Block) -> None:
    game["draw_pile"]["count"] -= 1
    game["public"]["draw_size"] -= 1


def wrong_hand_size(game: Block) -> None:
    game["public"]["hand_size"][2] += 1


def seen_card_not_in_hand(game: Block) -> None:
    game["public"]["seen_in_hand"][0] = game["own"][1]["hand"]


def wrong_draw_size(game: Block) -> None:
    game["public"]["draw_size"] -= 1


def too_much_life(game: Block) -> None:
    game["public"]["life"][0] = game["public"]["max_life"][0] + 1


def no_life(game: Block) -> None:
    game["public"]["life"][0] = 0


def dead_with_a_hand(game: Block) -> None:
    game["public"]["alive"] &= ~np.uint8(4)


def open_wound(game: Block) -> None:
    game["wounds"][3] = 1


def wrong_distance(game: Block) -> None:
    game["public"]["near"][0] += 1


def changed_role(game: Block) -> None:
    game["own"][1]["role"] = game["own"][2]["role"] = names.DEPUTY
    game["own"][3]["role"] = game["own"][4]["role"] = names.DEPUTY


def nobody_in_turn(game: Block) -> None:
    game["public"]["in_turn"] = 7


def turn_skipped(game: Block) -> None:
    game["script"]["last_seat"] = 3


def too_many_cards_after_the_turn(game: Block) -> None:
    game["public"]["phase"] = names.TURN_OVER
    game["script"]["phase_3_done"] = 1
    game["public"]["life"][0] = 1


FAULTS: dict[Callable[[Block], None], int] = {
    card_in_two_hands: names.CARD_TWICE,
    hand_card_in_play: names.CARD_TWICE,
    hand_card_in_draw_pile: names.CARD_TWICE,
    hand_card_in_discard_pile: names.CARD_TWICE,
    lost_card: names.CARD_MISSING,
    wrong_hand_size: names.HAND_SIZE,
    seen_card_not_in_hand: names.HAND_SIZE,
    wrong_draw_size: names.PILE_CORRUPT,
    too_much_life: names.LIFE_BOUNDS,
    no_life: names.LIFE_BOUNDS,
    dead_with_a_hand: names.LIFE_BOUNDS,
    open_wound: names.WOUND_LEFT,
    wrong_distance: names.DISTANCE,
    changed_role: names.ROLE_COUNTS,
    nobody_in_turn: names.TURN_ORDER,
    turn_skipped: names.TURN_ORDER,
    too_many_cards_after_the_turn: names.HAND_LIMIT,
}


def fault_after(session: Session, spoil: Callable[[Block], None]) -> int:
    """What checked mode says of a dealt game that is spoilt in one place."""
    block = session.new_block()
    session.games.deal_game(block, session.rules_table, session.tables_table, 1, 0)
    spoil(block[0])
    session.games.play_block(block, session.rules_table, session.tables_table)
    return int(block[0]["script"]["fault"])


def session_with_a_lost_card() -> Session:
    """A session whose table of cards knows of one that no pile has."""
    session = BANG.session(BANG.resolve({}), strategies(), checked=True)
    session.tables_table[0]["deck"][1] |= np.uint64(1 << 63)
    return session


@pytest.fixture(scope="module")
def session() -> Session:
    return BANG.session(BANG.resolve({}), strategies(), checked=True)


def test_a_good_game_has_no_fault(session):
    assert fault_after(session, lambda game: None) == names.NO_FAULT


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
def test_what_is_wrong_is_found(session, spoil):
    assert names.FAULTS[fault_after(session, spoil)] == names.FAULTS[FAULTS[spoil]]


def test_a_fault_is_raised_with_its_game():
    session = session_with_a_lost_card()
    with pytest.raises(Fault, match="game 5 of seed 9: a card is missing") as raised:
        session.play(9, 5, 2, np.zeros(1, np.uint8))
    assert raised.value.game == 5
    session.tables_table[0]["deck"][1] &= ~np.uint64(1 << 63)
    assert session.play(9, 5, 2, np.zeros(1, np.uint8)).games == 2


def test_illegal_answers_are_counted_and_do_no_harm():
    for players in (3, 7):
        session = BANG.session(BANG.resolve({"players": players}), STRAY, checked=True)
        tallies = session.play(1, 0, GAMES, np.zeros(1, np.uint8))
        assert tallies.games == GAMES
        assert 0 < tallies.illegal < tallies.decisions
