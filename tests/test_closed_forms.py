"""Chances and distances that can be worked out on paper: “draw!”, barrels, deals, distances.

Rules B-1, B-5, B-19 … B-21, B-25, B-26, CH-6, CH-8.

A part of this file runs as a program with the JIT off, where single functions of the core can be called.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim.bang.cards import load_cards, load_characters
from sim.bang.core import names
from sim.bang.game import BANG
from sim.bang.rules import ROLE_TABLE
from sim.services import registry

TRIALS = 6_000
GAMES = 20_000
SIGMAS = 4.5

RULES = BANG.resolve({})
DECK = load_cards(RULES)
CARDS = len(DECK.kind)
HEARTS = int((DECK.suit == names.HEARTS).sum())
EXPLODING = int(((DECK.suit == names.SPADES) & (DECK.rank <= 9)).sum())


def card_with(effect: int) -> int:
    """The first card with an effect."""
    return int(np.flatnonzero(DECK.effect[DECK.kind] == effect)[0])


class Workbench:
    """One game of plain records, for single functions of the core; strategies answer as ``simple`` does."""

    def __init__(self) -> None:
        from sim.bang.core import ask, cards, setup, state
        from sim.bang.tables import rules_record, tables_record
        from sim.kernel.plain import PlainRecord
        from strategies.bang.simple import decide

        ask.choose = decide
        self.setup, self.cards = setup, cards
        self.rules = PlainRecord(rules_record(state, RULES))
        self.tables = PlainRecord(tables_record(state, DECK, load_characters(RULES), RULES))
        self.game = PlainRecord(np.zeros(1, state.GAME))

    def lay_out(self, trial: int, ability: int, in_play: tuple[int, ...] = ()) -> None:
        """Seat 0 has an ability and cards in play; all the others are in the freshly shuffled pile."""
        from sim.kernel.streams import game_key

        game = self.game
        self.setup.seed_streams(game, game_key(1, trial))
        self.setup.clear(game, self.rules)
        self.setup.full_deck(game, self.tables)
        game.public.ability[0] = ability
        for card in in_play:
            self.cards.enter_play(game, self.tables, 0, card)
            game.draw_pile.count -= 1
            game.draw_pile.cards[card] = game.draw_pile.cards[game.draw_pile.count]
        game.public.draw_size = game.draw_pile.count


def count_checks(bench: Workbench, ability: int) -> list[int]:
    """How often a “draw!” gives a heart, and how often a card that sets off Dynamite."""
    from sim.bang.core.draw_check import draw_check

    hearts = explosions = 0
    for trial in range(TRIALS):
        bench.lay_out(trial, ability)
        card = draw_check(bench.game, bench.rules, bench.tables, 0)
        hearts += bench.cards.is_heart(bench.tables, card)
        explosions += bench.cards.explodes(bench.tables, card)
    return [int(hearts), int(explosions)]


def count_defences(bench: Workbench, ability: int, barrel: bool, needed: int) -> int:
    """How often “draw!” alone stops a shot that needs so many Missed!."""
    from sim.bang.core.attack import missing

    stopped = 0
    in_play = (card_with(names.BARREL),) if barrel else ()
    for trial in range(TRIALS):
        bench.lay_out(trial, ability, in_play)
        lacking = missing(bench.game, bench.rules, bench.tables, 1, 0, card_with(names.BANG), np.int64(needed))
        stopped += lacking == 0
    return int(stopped)


DEFENCES = {
    "barrel": (names.NO_ABILITY, True, 1),
    "jourdonnais": (names.JOURDONNAIS, False, 1),
    "both": (names.JOURDONNAIS, True, 1),
    "both against Slab": (names.JOURDONNAIS, True, 2),
    "barrel against Slab": (names.NO_ABILITY, True, 2),
}


def wrong_distances(bench: Workbench) -> list[Any]:
    """Every seat, set of living seats, distance, horse and scope for which ``within`` and the definition differ."""
    from sim.bang.core.seats import within

    wrong: list[Any] = []
    for far, near in itertools.product(range(3), range(3)):
        bench.lay_out(0, names.NO_ABILITY)
        bench.game.public.players = 8
        for seat in range(8):
            mount(bench, seat, far if seat % 2 else 0, near)
        for alive, seat, distance in itertools.product(range(1, 256), range(8), range(1, 8)):
            if alive >> seat & 1:
                bench.game.public.alive = alive
                found = within(bench.game.public, bench.tables, seat, distance)
                steps = {other: plain_distance(alive, seat, other) for other in range(8) if alive >> other & 1}
                seen = {o for o, d in steps.items() if o != seat and d + (far if o % 2 else 0) - near <= distance}
                if found != sum(1 << other for other in seen):
                    wrong.append([far, near, alive, seat, distance, int(found), sorted(seen)])
    return wrong


def mount(bench: Workbench, seat: int, far: int, near: int) -> None:
    """Lets a seat be seen ``far`` steps farther and see ``near`` steps nearer, by its cards in play and its ability."""
    public = bench.game.public
    public.ability[seat] = names.PAUL_REGRET if far == 2 else names.ROSE_DOOLAN if near == 2 else names.NO_ABILITY
    for effect, count in ((names.MUSTANG, far), (names.SCOPE, near)):
        if count:
            bench.cards.enter_play(bench.game, bench.tables, seat, card_with(effect))
    bench.cards.refresh_distances(bench.game, bench.tables, seat)
    if far == near == 2:
        # Both characters at once cannot be: the second one's step is set by hand.
        public.near[seat] = near


def plain_distance(alive: int, seat: int, other: int) -> int:
    """B-20: the shorter way round, over the living only."""
    circle = [s for s in range(8) if alive >> s & 1]
    steps = abs(circle.index(seat) - circle.index(other))
    return min(steps, len(circle) - steps)


def main() -> None:
    bench = Workbench()
    with np.errstate(over="ignore"):
        found = {
            "plain": count_checks(bench, names.NO_ABILITY),
            "lucky": count_checks(bench, names.LUCKY_DUKE),
            "defences": {name: count_defences(bench, *case) for name, case in DEFENCES.items()},
            "distances": wrong_distances(bench)[:5],
        }
    print(json.dumps(found))


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    """What this file finds as a program with the JIT off."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def assert_rate(count: int, n: int, rate: float) -> None:
    """The count is what n independent trials of this rate give."""
    assert abs(count - n * rate) <= SIGMAS * math.sqrt(n * rate * (1 - rate)), (count / n, rate)


def one_of_two(good: int, cards: int) -> float:
    """Chance that at least one of two cards is good."""
    return 1 - math.comb(cards - good, 2) / math.comb(cards, 2)


def test_the_deck_has_the_cards_that_the_odds_come_from():
    assert (CARDS, HEARTS, EXPLODING) == (80, 20, 10)


def test_a_draw_check_finds_any_card_as_often(plain):
    hearts, explosions = plain["plain"]
    assert_rate(hearts, TRIALS, HEARTS / CARDS)
    assert_rate(explosions, TRIALS, EXPLODING / CARDS)


def test_lucky_duke_takes_the_better_of_two(plain):
    hearts, explosions = plain["lucky"]
    assert_rate(hearts, TRIALS, one_of_two(HEARTS, CARDS))
    assert_rate(explosions, TRIALS, math.comb(EXPLODING, 2) / math.comb(CARDS, 2))


@pytest.mark.parametrize("name", DEFENCES)
def test_a_shot_is_stopped_as_often_as_hearts_come(plain, name):
    _, barrel, needed = DEFENCES[name]
    cards = CARDS - 1 if barrel else CARDS
    chances = {
        "barrel": HEARTS / cards,
        "jourdonnais": HEARTS / cards,
        "both": one_of_two(HEARTS, cards),
        "both against Slab": math.comb(HEARTS, 2) / math.comb(cards, 2),
        "barrel against Slab": 0.0,
    }
    assert DECK.suit[card_with(names.BARREL)] != names.HEARTS
    assert_rate(plain["defences"][name], TRIALS, chances[name])


def test_distances_are_those_of_the_definition(plain):
    assert plain["distances"] == []


def deals(players: int, choice: int) -> np.ndarray:
    """The seats of many games just dealt: fields role, dealt, hand."""
    settings = {"players": players, "character_choice": choice}
    session = BANG.session(BANG.resolve(settings), registry.assign(BANG, ["simple"]))
    block = session.new_block()
    found = np.zeros((GAMES, players), block.dtype["own"].base)
    for number in range(GAMES):
        session.games.deal_game(block, session.rules_table, session.tables_table, 3, number)
        found[number] = block[0]["own"][:players]
    return found


@pytest.mark.parametrize("players", range(3, 9))
def test_roles_are_dealt_evenly_over_the_seats(players):
    roles = deals(players, 1)["role"]
    counts = ROLE_TABLE[players]
    first = names.DEPUTY if players == 3 else names.SHERIFF
    assert (roles[:, 0] == first).all()
    for role, count in enumerate(counts):
        assert ((roles == role).sum(axis=1) == count).all()
        others = count - (role == first)
        for seat in range(1, players):
            assert_rate(int((roles[:, seat] == role).sum()), GAMES, others / (players - 1))


@pytest.mark.parametrize("choice", [1, 2])
def test_characters_are_dealt_evenly_and_none_twice(choice):
    dealt = deals(7, choice)["dealt"][:, :, :choice]
    characters = len(load_characters(RULES).names)
    for game in dealt.reshape(GAMES, -1):
        assert len(set(game.tolist())) == 7 * choice
    for seat in range(7):
        counts = Counter(dealt[:, seat].ravel().tolist())
        for character in range(characters):
            assert_rate(counts[character], GAMES, choice / characters)


def test_first_hands_hold_any_card_as_often():
    hands = deals(4, 1)["hand"]
    sizes = np.array([[sum(int(word).bit_count() for word in hand) for hand in game] for game in hands[:200]])
    assert set(sizes.ravel().tolist()) <= {3, 4, 5}
    held = [int((hands[:, :, card // 64] >> np.uint64(card % 64) & np.uint64(1)).sum()) for card in range(CARDS)]
    average = sum(held) / CARDS
    assert all(abs(count - average) < SIGMAS * math.sqrt(average) for count in held)


if __name__ == "__main__":
    main()
