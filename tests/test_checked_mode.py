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


STRAY = {"default": Strategy("stray", Path(__file__).parent / "stray.py", "decide", "stray")}


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


# With Death Mesa


def ghosts_of(game: Block) -> list[int]:
    return [seat for seat in range(7) if int(game["public"]["ghosts"]) >> seat & 1]


def dead_card_in_hand_and_pile(game: Block) -> None:
    ghost = ghosts_of(game)[0]
    card = int(game["dead_pile"]["cards"][0])
    game["own"][ghost]["dead_hand"][card >> 6] |= np.uint64(1 << (card & 63))


def dead_card_twice_in_piles(game: Block) -> None:
    game["dead_discards"]["cards"][0] = game["dead_pile"]["cards"][0]
    game["dead_discards"]["count"] = 1


def lost_dead_card(game: Block) -> None:
    game["dead_pile"]["count"] -= 1
    game["public"]["dead_draw_size"] -= 1


def wrong_dead_draw_size(game: Block) -> None:
    game["public"]["dead_draw_size"] -= 1


def wrong_ghost_hand_size(game: Block) -> None:
    game["public"]["dead_hand_size"][ghosts_of(game)[0]] += 1


def wrong_buried_size(game: Block) -> None:
    game["public"]["buried_size"][ghosts_of(game)[0]] += 1


def buried_card_in_draw_pile(game: Block) -> None:
    card = int(game["draw_pile"]["cards"][0])
    game["buried"][ghosts_of(game)[0]][card >> 6] |= np.uint64(1 << (card & 63))


def dead_without_ghost(game: Block) -> None:
    game["public"]["ghosts"] = 0


def ghost_among_the_living(game: Block) -> None:
    game["public"]["alive"] |= np.uint8(1 << ghosts_of(game)[0])
    game["public"]["life"][ghosts_of(game)[0]] = 1


def seen_card_not_buried(game: Block) -> None:
    ghost = ghosts_of(game)[0]
    game["public"]["seen_buried"][ghost] = ~game["buried"][ghost] & game["own"][0]["hand"]


def terrified_card_not_in_play(game: Block) -> None:
    card = int(game["draw_pile"]["cards"][0])
    game["public"]["terrified"][card >> 6] |= np.uint64(1 << (card & 63))


def effect_on_a_ghost(game: Block) -> None:
    entry = game["public"]["lasting"][int(game["public"]["lasting_count"])]
    game["public"]["lasting_count"] += 1
    entry["effect"], entry["on"], entry["caster"], entry["card"] = names.DRY_SPELL, ghosts_of(game)[0], 0, -1


def hidden_role_of_a_ghost(game: Block) -> None:
    game["public"]["known_role"][ghosts_of(game)[0]] = names.HIDDEN


DEAD_FAULTS: dict[Callable[[Block], None], int] = {
    dead_card_in_hand_and_pile: names.CARD_TWICE,
    dead_card_twice_in_piles: names.CARD_TWICE,
    lost_dead_card: names.CARD_MISSING,
    wrong_dead_draw_size: names.PILE_CORRUPT,
    wrong_ghost_hand_size: names.GHOST_WRONG,
    wrong_buried_size: names.GHOST_WRONG,
    buried_card_in_draw_pile: names.CARD_TWICE,
    dead_without_ghost: names.GHOST_WRONG,
    ghost_among_the_living: names.GHOST_WRONG,
    seen_card_not_buried: names.GHOST_WRONG,
    terrified_card_not_in_play: names.LASTING_WRONG,
    effect_on_a_ghost: names.LASTING_WRONG,
    hidden_role_of_a_ghost: names.LIFE_BOUNDS,
}


@pytest.fixture(scope="module")
def haunted() -> Session:
    return BANG.session(BANG.resolve({"expansions": "death_mesa"}), strategies(), checked=True)


def haunted_game(session: Session) -> np.ndarray:
    """A game with a ghost at the start of a living player's turn."""
    block = session.new_block()
    session.games.deal_game(block, session.rules_table, session.tables_table, 1, 0)
    block[0]["script"]["stop_at_turn_end"] = 1
    while not ghosts_of(block[0]) or block[0]["public"]["in_turn"] in ghosts_of(block[0]):
        session.games.play_block(block, session.rules_table, session.tables_table)
        session.kernel.module("positions").begin_next_turn(block, session.rules_table)
    return block


def fault_among_ghosts(session: Session, spoil: Callable[[Block], None]) -> int:
    block = haunted_game(session)
    assert block[0]["ending"] == names.PLAYING
    spoil(block[0])
    session.games.play_block(block, session.rules_table, session.tables_table)
    return int(block[0]["script"]["fault"])


def test_a_good_game_with_ghosts_has_no_fault(haunted):
    assert fault_among_ghosts(haunted, lambda game: None) == names.NO_FAULT


@pytest.mark.parametrize("spoil", DEAD_FAULTS, ids=lambda spoil: spoil.__name__)
def test_what_is_wrong_with_ghosts_is_found(haunted, spoil):
    assert names.FAULTS[fault_among_ghosts(haunted, spoil)] == names.FAULTS[DEAD_FAULTS[spoil]]


@pytest.mark.parametrize("returns", ["scofflaw", "zombie"])
def test_illegal_answers_of_ghosts_are_counted_and_do_no_harm(returns):
    for players in (4, 8):
        settings = {"players": players, "expansions": "death_mesa", "dm_renegade_return": returns, "turn_cap": 2000}
        session = BANG.session(BANG.resolve(settings), STRAY, checked=True)
        tallies = session.play(1, 0, GAMES // 6, np.zeros(1, np.uint8))
        assert tallies.games == GAMES // 6
        assert 0 < tallies.illegal < tallies.decisions
