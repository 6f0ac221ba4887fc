"""Death Mesa: chances and rates that can be worked out on paper, what theory says of whole games, and the funnels."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from laid import Laid, end, first_or_end, journal, kind_of, what

from sim.bang.cards import card_text, load_cards
from sim.bang.core import funnel, names
from sim.bang.game import BANG
from sim.bang.session import Session
from sim.bang.tables import words_for
from sim.game import EXAMPLES_KEPT, XX, XY, YY, Tallies, X, Y
from sim.services import batch, checking, registry

SIGMAS = 6
"""Rates may be so many standard errors off: by chance that happens less than once in 100 million tests."""

DEATH_MESA = {"expansions": "death_mesa"}
ZOMBIE = {**DEATH_MESA, "dm_renegade_return": "zombie"}
DECK = load_cards(BANG.resolve({}))
BLACK = [card for card in range(DECK.living) if DECK.suit[card] in (names.SPADES, names.CLUBS)]
RED = [card for card in range(DECK.living) if card not in BLACK]


@cache
def session(strategy: str = "simple", instrumented: bool = False, checked: bool = False, **settings: Any) -> Session:
    """A session with these settings, by name or text only."""
    strategies = registry.assign(BANG, [strategy])
    return Session(BANG.resolve(settings), strategies, checked=checked, instrumented=instrumented)


def play(of: Session, seed: int, games: int, threads: int = 1, chunk: int = batch.CHUNK) -> Tallies:
    return batch.play(of, of.metrics_count, of.examples_count, seed, games, threads, chunk=chunk)[0]


def row(of: Session, tallies: Tallies, name: str) -> list[int]:
    """The five sums of a metric."""
    place = [metric.name for metric in BANG.metrics(of.rules)].index(name)
    return [int(n) for n in tallies.sums[place]]


def go() -> np.ndarray:
    """A stop flag that is not set."""
    return np.zeros(1, np.uint8)


def assert_rate(count: int, n: int, rate: float) -> None:
    """The count is what n independent trials of this rate give."""
    assert abs(count - n * rate) <= SIGMAS * math.sqrt(n * rate * (1 - rate)) + 1e-9, (count / n, rate)


def assert_less(low: list[int], high: list[int]) -> None:
    """A rate is lower than another one, beyond all doubt. Both as sums over independent games."""
    (one, error), (other, error_of_other) = estimate(low), estimate(high)
    assert other - one > SIGMAS * math.hypot(error, error_of_other), (one, other, error, error_of_other)


def estimate(sums: list[int]) -> tuple[float, float]:
    """Σy / Σx and its standard error, games being the units."""
    ratio = sums[Y] / sums[X]
    squares = sums[YY] - 2 * ratio * sums[XY] + ratio**2 * sums[XX]
    return ratio, math.sqrt(squares) / sums[X]


# DM-23: how often a ghost can play

LONE_GHOST = """
title = "A lone ghost among players who do nothing"
game = "bang"
rules = {{ expansions = ["death_mesa"], dead_deck = '{deck}', dm_oneteam_surcharge = {surcharge} }}
seat = [
    {{ role = "sheriff", character = "none", max_life = 5 }},
    {{ role = "outlaw", character = "none", max_life = 4 }},
    {{ role = "renegade", character = "none", max_life = 4 }},
    {{ role = "outlaw", character = "none", max_life = 4, ghost = true, dead_hand = ["Blood Juice 2C"] }},
]
start = {{ seat = 3, phase = "turn" }}
"""
GHOST = 3
TURNS = 30


def plays_by_turn(tmp_path, surcharge: int) -> tuple[list[int], Any]:
    """The plays in each turn of a ghost whose cards can always be played and change nothing; and the game."""
    deck = tmp_path / "dead.csv"
    deck.write_text("card,suit,rank\n" + 52 * "Blood Juice,C,2\n", encoding="utf-8")
    laid = Laid(LONE_GHOST.format(deck=deck, surcharge=surcharge))
    plays = []

    def choose(game: Any, seat: int, options: list[int]) -> int:
        if seat != GHOST:
            return first_or_end(game, seat, options)
        if kind_of(game, seat) == names.PLAY and what(options[0]) < names.OTHER:
            plays[-1] += 1
        return options[0]

    laid.begin(1)
    while len(plays) < TURNS or laid.game["public"]["in_turn"] != GHOST - 1:
        if laid.game["public"]["in_turn"] == GHOST:
            plays.append(0)
        laid.play(choose)
        laid.next_turn()
    return plays, laid.game


def test_under_the_surcharge_a_lone_ghost_plays_in_two_turns_of_three(tmp_path):
    plays, game = plays_by_turn(tmp_path, 2)
    assert max(plays) == 1
    turns = [turn for turn, count in enumerate(plays, 1) if count]
    assert turns == [turn for turn in range(1, TURNS + 1) if turn % 3 != 2]  # 1, 3, 4, 6, 7, 9, 10 …
    counters = game["record"]["funnel"]
    assert counters[funnel.N_PLAYS] == counters[funnel.N_ONE_TEAM_PLAYS] == 2 * TURNS // 3
    assert counters[funnel.N_ONE_TEAM_TURNS] == game["record"]["ghost_turns"][GHOST] == TURNS
    affordable = (funnel.N_AFFORDABLE_TURNS, funnel.N_ONE_TEAM_AFFORDABLE, funnel.N_PLAYED_TURNS)
    assert [int(counters[n]) for n in affordable] == 3 * [2 * TURNS // 3]


def test_without_the_surcharge_he_plays_three_times_in_two_turns(tmp_path):
    plays, game = plays_by_turn(tmp_path, 0)
    assert plays == TURNS // 2 * [2, 1]
    assert game["record"]["funnel"][funnel.N_PLAYED_TURNS] == TURNS


# DM-31: what the parties of a duel know of the play

DUEL_OF_GHOSTS = """
title = "A dead Renegade plays, and a dead Outlaw has a card against it"
game = "bang"
rules = { expansions = ["death_mesa"], dm_renegade_conversion_cost = 1 }
seat = [
    { role = "sheriff", character = "none", max_life = 5 },
    { role = "outlaw", character = "none", max_life = 4 },
    { role = "outlaw", character = "none", max_life = 4, ghost = true, dead_hand = ["Curse 8D"] },
    { role = "renegade", character = "none", max_life = 4, ghost = true, dead_hand = ["Nightmare 9C", "Spook! KS"] },
]
start = { seat = 3, phase = "play" }
"""


@pytest.mark.parametrize("converts", [True, False])
def test_whose_play_a_duel_is_about_stands_in_the_public_record_until_its_end(converts):
    asked = []

    def choose(game: Any, seat: int, options: list[int]) -> int:
        kind = kind_of(game, seat)
        if kind == names.PLAY:
            plays = (given for given in options if (what(given) == names.CONVERT) == converts and given != end())
            return end() if asked else next(plays)
        if kind in (names.NEGATE, names.DEAD_DUEL):
            asked.append((kind, int(game["public"]["caster"]), bool(game["public"]["converted"])))
        return options[0]

    laid = Laid(DUEL_OF_GHOSTS)
    laid.begin(1)
    laid.play(choose)
    assert asked == [(names.NEGATE, GHOST, converts), (names.DEAD_DUEL, GHOST, converts)]


# DM-79: how soon a Zombie is ready

ZOMBIE_IN_PEACE = """
title = "A dead Renegade whom nobody disturbs"
game = "bang"
rules = {{ expansions = ["death_mesa"], dm_renegade_return = "zombie" }}
seat = [
    {{ role = "sheriff", character = "none", max_life = 5 }},
    {{ role = "outlaw", character = "none", max_life = 4 }},
    {{ role = "outlaw", character = "none", max_life = 4 }},
    {{ role = "renegade", character = "none", max_life = 4, ghost = true, dead_hand = ["Warn 6H"], buried = {goods} }},
]
start = {{ seat = 3, phase = "turn" }}
"""
ZOMBIES = 700


def chance_of_goods(wanted: int, conversions: int, black: int, red: int) -> float:
    """Chance that so many conversions bring at least ``wanted`` cards: one each, a black one lets draw another."""
    if wanted <= 0 or conversions == 0:
        return float(wanted <= 0)
    cards = black + red

    def go_on(black: int, red: int, gained: int) -> float:
        return chance_of_goods(wanted - gained, conversions - 1, black, red)

    two_black = (black - 1) / (cards - 1) * go_on(black - 2, red, 2)
    black_and_red = red / (cards - 1) * go_on(black - 1, red - 1, 2)
    return black / cards * (two_black + black_and_red) + red / cards * go_on(black, red - 1, 1)


def ready_turns(goods: list[int]) -> Counter[int]:
    """How often, of ZOMBIES games, the dead Renegade may first return in each of his turns."""
    laid = Laid(ZOMBIE_IN_PEACE.format(goods=[card_text(DECK, card) for card in goods]))
    found: Counter[int] = Counter()
    for seed in range(ZOMBIES):
        asked = []

        def choose(game: Any, seat: int, options: list[int], turn: int, asked: list[int] = asked) -> int:
            kind = kind_of(game, seat)
            if kind == names.RETURN:
                asked.append(turn)
                return next(given for given in options if what(given) == names.PASS)
            if kind == names.PLAY:
                return next((given for given in options if what(given) == names.CONVERT), end())
            if kind == names.BONUS_ANSWER:
                return next(given for given in options if what(given) == names.USE_BONUS)
            return options[0]

        laid.begin(seed)
        for turn in range(1, 5):
            laid.play(lambda *question, turn=turn, choose=choose: choose(*question, turn))
            assert laid.game["public"]["bullets"][GHOST] == min(turn, 3)
            laid.next_turn(GHOST)
        found[min(asked, default=0)] += 1
    return found


@pytest.mark.parametrize("goods", range(5))
def test_a_zombie_is_ready_as_often_as_black_cards_come(goods):
    buried = RED[:goods]
    black, red = len(BLACK), len(RED) - goods
    found = ready_turns(buried)
    third, fourth = (chance_of_goods(6 - goods, conversions, black, red) for conversions in (2, 3))
    assert found[1] + found[2] == 0, "the counter is not full"
    assert_rate(found[3], ZOMBIES, third)
    assert_rate(found[3] + found[4], ZOMBIES, fourth)
    # With a large deck of as many black cards the chances are those that the rules name.
    named = {0: (0, 0.125), 1: (0, 0.5), 2: (0.25, 0.875), 3: (0.75, 1), 4: (1, 1)}[goods]
    assert named == tuple(round(chance_of_goods(6 - goods, n, 10**9, 10**9), 6) for n in (2, 3))


# Bad Moon Rising and Unfinished Business: what the suits of the deck say

TWO_CARDS = """
title = "A ghost with a card whose effect is drawn"
game = "bang"
rules = {{ expansions = ["death_mesa"], dm_oneteam_surcharge = 0 }}
seat = [
    {{ role = "sheriff", character = "none", max_life = 5, hand = ["Beer 6H"] }},
    {{ role = "outlaw", character = "none", max_life = 4, hand = ["Saloon 5H"] }},
    {{ role = "renegade", character = "none", max_life = 4, hand = ["Gatling 10H"] }},
    {{ role = "outlaw", character = "none", max_life = 4, ghost = true, dead_hand = ["{card}"], last_attacked = 0 }},
]
start = {{ seat = 3, phase = "play" }}
"""
HELD = 3
"""Hearts of the deck that the three hands hold."""
DRAWS = 3000


def after_the_play(card: str) -> Counter[tuple[int, int, int]]:
    """Life and hand of the Sheriff and goods of the ghost after the one play, and how often it came to that."""
    laid = Laid(TWO_CARDS.format(card=card))
    found: Counter[tuple[int, int, int]] = Counter()

    def choose(game: Any, seat: int, options: list[int]) -> int:
        return options[0]  # the ghost's card; a card for a life point

    for seed in range(DRAWS):
        laid.begin(seed)
        laid.play(choose)
        public = laid.game["public"]
        found[int(public["life"][0]), int(public["hand_size"][0]), int(public["buried_size"][GHOST])] += 1
    return found


def suits() -> list[int]:
    """How many cards of each suit the pile of TWO_CARDS has."""
    count = np.bincount(DECK.suit[: DECK.living], minlength=4)
    count[names.HEARTS] -= HELD
    return [int(n) for n in count]


def test_bad_moon_rising_follows_the_suits_of_the_deck():
    found = after_the_play("Bad Moon Rising 2C")
    spades, hearts, diamonds, clubs = suits()
    cards = DECK.living - HELD
    outcomes = {(4, 1, 0): spades, (5, 0, 0): clubs, (5, 2, 0): hearts, (5, 1, 0): diamonds}
    assert set(found) == set(outcomes)
    for outcome, count in outcomes.items():
        assert_rate(found[outcome], DRAWS, count / cards)


def test_unfinished_business_follows_the_colours_of_the_deck():
    found = after_the_play("Unfinished Business 4C")
    spades, hearts, diamonds, clubs = suits()
    cards = DECK.living - HELD
    assert set(found) == {(5, 0, 1), (4, 1, 0)}
    assert_rate(found[5, 0, 1], DRAWS, (hearts + diamonds) / cards)
    assert_rate(found[4, 1, 0], DRAWS, (spades + clubs) / cards)


# Design §3.5: up to the first elimination nothing is different


def up_to_the_first_fall(of: Session, block: np.ndarray, seed: int, number: int) -> np.ndarray:
    """The journal of a game up to its first elimination, or the whole of it."""
    of.games.deal_game(block, of.rules_table, of.tables_table, seed, number)
    of.games.play_block(block, of.rules_table, of.tables_table)
    written = journal(block[0])
    block[0]["script"]["journal_size"] = 0
    fallen = np.flatnonzero(written[:, 0] == names.E_FALLEN)
    return written[: fallen[0] + 1] if len(fallen) else written


@pytest.mark.parametrize(
    ("strategy", "games", "settings"),
    [
        ("simple", 10_000, {"players": 7}),
        ("simple", 1_000, {"players": 4, "preset": "official"}),
        ("simple", 1_000, {"players": 8}),
        ("random", 10_000, {"players": 6}),
    ],
    ids=str,
)
def test_games_are_the_same_up_to_the_first_elimination(strategy, games, settings):
    without = session(strategy, instrumented=True, **settings)
    ghosts = session(strategy, instrumented=True, **DEATH_MESA, **settings)
    blocks = without.new_block(), ghosts.new_block()
    fallen = 0
    for number in range(games):
        one, other = (up_to_the_first_fall(s, b, 6, number) for s, b in zip((without, ghosts), blocks, strict=True))
        assert np.array_equal(one, other), number
        fallen += one[-1, 0] == names.E_FALLEN
    assert fallen > 0.99 * games


# Signs that theory dictates

SIGN_GAMES = 20_000


@cache
def sums_with(name: str, games: int, **settings: Any) -> list[int]:
    """A metric over many games of simple players."""
    of = session("simple", **settings)
    return row(of, play(of, 41, games, threads=2), name)


def test_a_dead_renegade_without_conversions_becomes_a_scofflaw_less_often():
    with_them = sums_with("scofflaw.per_game", SIGN_GAMES, **DEATH_MESA)
    assert_less(sums_with("scofflaw.per_game", SIGN_GAMES, **DEATH_MESA, dm_renegade_conversion=False), with_them)


def test_more_goods_needed_are_fewer_returns():
    few = sums_with("zombie.resurrected", SIGN_GAMES, **ZOMBIE, dm_zombie_goods_needed=2)
    assert_less(sums_with("zombie.resurrected", SIGN_GAMES, **ZOMBIE, dm_zombie_goods_needed=10), few)


def test_without_negation_more_plays_succeed():
    settings = {**DEATH_MESA, "dm_negation": "off"}
    assert_less(
        sums_with("ghosts.changed", SIGN_GAMES, **DEATH_MESA), sums_with("ghosts.changed", SIGN_GAMES, **settings)
    )
    assert sums_with("ghosts.negated", SIGN_GAMES, **settings)[Y] == 0
    assert sums_with("duels.per_play", SIGN_GAMES, **settings)[Y] == 0
    assert sums_with("ghosts.negated", SIGN_GAMES, **DEATH_MESA)[Y] > 0


# One game, whatever plays it


def assert_equal(one: Tallies, other: Tallies) -> None:
    for name, value in vars(one).items():
        assert np.array_equal(value, getattr(other, name)), name


SET_UPS = [
    ("simple", {**DEATH_MESA, "players": 7}),
    ("simple", {**ZOMBIE, "players": 5, "preset": "official"}),
    ("random", {**DEATH_MESA, "players": 8}),
    ("random", {**ZOMBIE, "players": 4}),
    ("random", {**DEATH_MESA, "players": 3, "dm_allow_three_players": "true"}),
]
set_ups = pytest.mark.parametrize(("strategy", "settings"), SET_UPS, ids=str)


@set_ups
def test_the_division_of_the_work_does_not_matter(strategy, settings):
    of = session(strategy, **settings)
    whole = play(of, 14, 300)
    assert whole.games == 300
    for threads, chunk in itertools.product((1, 2, 3), (17, 128)):
        assert_equal(play(of, 14, 300, threads, chunk), whole)


@set_ups
def test_checked_play_has_the_same_result(strategy, settings):
    assert_equal(
        play(session(strategy, checked=True, **settings), 21, 150), play(session(strategy, **settings), 21, 150)
    )


# What is counted


def game_by_game(of: Session, seed: int, games: int) -> Iterator[tuple[np.ndarray, Any]]:
    """Each game alone: its sums, and its state at the end."""
    block = of.new_block()
    for number in range(games):
        if "script" in block.dtype.names:
            block[0]["script"]["journal_size"] = 0
        sums = np.zeros((of.metrics_count, 5), np.int64)
        examples = np.full((of.examples_count, EXAMPLES_KEPT), -1, np.int64)
        counters = np.zeros(len(of.games.COUNTERS), np.int64)
        of.games.play_games(
            block, of.rules_table, of.tables_table, seed, number, 1, sums, examples, counters, np.zeros(1, np.uint8),
            np.zeros(0, np.int64), np.zeros((1, 0, 2), np.int64),
        )  # fmt: skip
        yield sums, block[0]


@set_ups
def test_shares_are_parts_of_a_whole_in_every_game(strategy, settings):
    of = session(strategy, **settings)
    metrics = BANG.metrics(of.rules)
    shares = np.array([metric.unit == "share" for metric in metrics])
    seen = np.zeros(len(metrics), bool)
    for number, (sums, _) in enumerate(game_by_game(of, 31, 800)):
        wrong = shares & ((sums[:, Y] < 0) | (sums[:, Y] > sums[:, X]))
        assert not wrong.any(), (number, [metrics[k].name for k in np.flatnonzero(wrong)])
        assert (sums[:, X] >= 0).all()
        seen |= sums[:, X] > 0
    for metric, counted in zip(metrics, seen, strict=True):
        if metric.name.startswith("dead_card.") and metric.name.endswith(".playable"):
            assert counted, metric.name


AT_MOST = [
    ("negated", "negatable"),
    ("negatable", "plays"),
    ("reactions", "plays"),
    ("changes", "plays"),
    ("interventions", "duel_cards"),
    ("duels", "duel_cards"),
    ("duels_turned", "duels"),
    ("duels_turned", "interventions"),
    ("mirrored", "plays"),
    ("kills", "eliminations"),
    ("kills", "damage"),
    ("kills_of_outlaws", "kills"),
    ("ghosts_without_turn", "ghosts"),
    ("ghosts_with_success", "ghosts"),
    ("ghosts", "eliminations"),
    ("affordable_turns", "ghost_turns"),
    ("played_turns", "affordable_turns"),
    ("one_team_turns", "ghost_turns"),
    ("one_team_affordable", "one_team_turns"),
    ("one_team_affordable", "affordable_turns"),
    ("renegades_dead_open", "renegades_dead"),
    ("renegades_dead", "eliminations"),
    ("sheriff_attacks_open", "sheriff_attacks"),
    ("sheriff_attacks_hit", "sheriff_attacks_open"),
    ("vengeance_open", "vengeance_plays"),
    ("vengeance_plays", "plays"),
    ("vengeances", "vengeance_open"),
    ("goods_full", "bullets_full"),
    ("bullets_full", "ghost_turns"),
    ("zombie_returns", "goods_full"),
    ("zombie_returns", "renegades_dead"),
    ("zombies_won", "zombie_returns"),
    ("scofflaws_won", "scofflaws"),
]
"""Counters of which the first cannot be more than the second in any game."""


def funnel_of(record: Any) -> dict[str, int]:
    return dict(zip(funnel.COUNTERS, record["funnel"].tolist(), strict=True))


@set_ups
def test_the_funnels_add_up_in_every_game(strategy, settings):
    wrong: Counter[str] = Counter()
    for _, game in game_by_game(session(strategy, **settings), 32, 800):
        record = game["record"]
        counters = funnel_of(record)
        for part, whole in AT_MOST:
            if whole in counters:
                wrong[f"{part} > {whole}"] += counters[part] > counters[whole]
        cards = {name: record[name].astype(np.int64) for name in ("held", "played", "stopped", "worked")}
        wrong["plays"] += counters["plays"] != cards["played"].sum()
        wrong["negated"] += counters["negated"] != cards["stopped"].sum()
        wrong["changes"] += counters["changes"] != cards["worked"].sum()
        wrong["a card both negated and at work"] += bool((cards["stopped"] + cards["worked"] > cards["played"]).any())
        wrong["ghost turns"] += counters["ghost_turns"] != record["ghost_turns"].sum()
        wrong["eliminations"] += counters["eliminations"] != record["deaths"]
        played_or_converted = counters["plays"] + counters["conversions"]
        wrong["plays of the only team"] += counters["one_team_plays"] > played_or_converted
        syphon = names.SYPHON - names.FIRST_DEAD
        wrong["Syphon negated (DM-36)"] += bool(cards["stopped"][syphon])
        wrong["negatable are all but Syphon"] += counters["negatable"] != counters["plays"] - cards["played"][syphon]
    assert +wrong == Counter()


def told(game: Any) -> tuple[dict[str, int], list[int], int]:
    """Counters of a game worked out from its journal, the turns of its eliminations, and the turns of waiting."""
    found: Counter[str] = Counter()
    turn, ghosts, falls = 0, set(), []
    waiting, fallen_in = 0, {}
    goods, begun = Counter[int](), Counter[int]()
    for event, seat, a, b, c, _ in journal(game).tolist():
        if event == names.E_TURN:
            turn = a + (b << 15)
            if seat in ghosts:
                begun[seat] += 1
                found[f"turn_{begun[seat]}"] += 1
                found[f"goods_turn_{begun[seat]}"] += goods[seat]
        elif event in (names.E_BURIED, names.E_DUG_UP):
            goods[seat] += 1 if event == names.E_BURIED else -1
        elif event == names.E_FALLEN:
            falls.append(turn)
            fallen_in[seat] = turn
            found["eliminations"] += 1
            found["kills"] += b in ghosts
            found["kills_of_outlaws"] += b in ghosts and a == names.OUTLAW
        elif event == names.E_LIFE and a < 0:
            found["damage"] -= a * (c in ghosts)
        elif event == names.E_GHOST:
            ghosts.add(seat)
            found["goods_at_death"] += a
        elif event == names.E_RESURRECTED:
            ghosts.discard(seat)
            waiting += turn - fallen_in.pop(seat)
            found["scofflaws" if b == names.SHERIFF else "zombie_returns"] += 1
            if b != names.SHERIFF:  # the turn that he began as a ghost goes on as a living player's
                found[f"turn_{begun[seat]}"] -= 1
                found[f"goods_turn_{begun[seat]}"] -= goods[seat]
                begun[seat] -= 1
        elif event == names.E_NEGATED and b == 0:
            found["negated"] += 1
        elif event == names.E_REDIRECTED:
            found["mirrored"] += 1
    return found, falls, waiting + sum(turn - fell for fell in fallen_in.values())


TOLD = (
    "eliminations", "kills", "kills_of_outlaws", "damage", "goods_at_death", "scofflaws", "zombie_returns", "negated",
    "mirrored", *(f"turn_{k}" for k in range(1, funnel.GOODS_TURNS + 1)),
    *(f"goods_turn_{k}" for k in range(1, funnel.GOODS_TURNS + 1)),
)  # fmt: skip


@set_ups
def test_counters_are_what_the_journal_tells(strategy, settings):
    of = session(strategy, instrumented=True, **settings)
    rows = [metric.name for metric in BANG.metrics(of.rules)]
    wrong: Counter[str] = Counter()
    read = 0
    for sums, game in game_by_game(of, 33, 300):
        if game["script"]["journal_size"] == len(game["script"]["journal"]):
            continue  # the end of it is missing
        read += 1
        counters = funnel_of(game["record"])
        found, falls, waiting = told(game)
        for name in TOLD:
            wrong[name] += counters[name] != found[name]
        first = sums[rows.index("first_elimination")]
        wrong["first elimination"] += bool(falls) and first[Y] != falls[0]
        waited = sums[rows.index("waiting")]
        wrong["waiting"] += (waited[Y], waited[X]) != (waiting, len(falls))
    assert read > 250
    assert +wrong == Counter()


ATTACK_ON_THE_SHERIFF = """
title = "A dead Renegade attacks the Sheriff"
game = "bang"
rules = {{ expansions = ["death_mesa"], dm_oneteam_surcharge = 0 }}
seat = [
    {{ role = "sheriff", character = "none", max_life = 5, hand = ["{shield}"] }},
    {{ role = "outlaw", character = "none", max_life = 4 }},
    {{ role = "outlaw", character = "none", max_life = 4, ghost = true, dead_hand = [{helper}] }},
    {{ role = "renegade", character = "none", max_life = 4, ghost = true, dead_hand = ["{card}"], last_attacked = 0 }},
]
piles = {{ draw = ["{turned}"] }}
start = {{ seat = 3, phase = "play" }}
"""


@pytest.mark.parametrize(
    ("card", "turned", "shield", "helper", "attacks"),
    [
        ("Spook! 3D", "Beer 6H", "Saloon 5H", "", (1, 1, 1)),
        ("Spook! 3D", "Beer 6H", "Missed! 2S", "", (1, 1, 0)),
        ("Spook! 3D", "Beer 6H", "Saloon 5H", "'Warn 6H'", (1, 1, 0)),
        ("Spook! 3D", "Beer 6H", "Saloon 5H", "'Mirage 9D'", (1, 1, 0)),
        ("Spook! 3D", "Beer 6H", "Saloon 5H", "'Curse 8S'", (1, 0, 0)),
        ("Unfinished Business 4C", "BANG! AS", "Saloon 5H", "", (1, 1, 1)),
        ("Unfinished Business 4C", "Beer 6H", "Saloon 5H", "", (1, 1, 0)),
    ],
    ids=["hit", "missed", "warned", "redirected", "negated", "black", "red"],
)
def test_attacks_on_the_sheriff_are_counted_by_what_became_of_them(card, turned, shield, helper, attacks):
    """Made, not negated, and hits of the Sheriff himself (the funnel of DQ-7)."""
    laid = Laid(ATTACK_ON_THE_SHERIFF.format(card=card, turned=turned, shield=shield, helper=helper))
    laid.begin(1)
    # The ghosts do what they can, the Sheriff answers; cards come first among the options.
    laid.play(lambda game, seat, options: first_or_end(game, seat, options) if seat < 2 else options[0])
    counters = funnel_of(laid.game["record"])
    counted = tuple(counters[name] for name in ("sheriff_attacks", "sheriff_attacks_open", "sheriff_attacks_hit"))
    assert counted == attacks
    life = 5 - (attacks[2] == 1)
    assert laid.game["public"]["life"][0] == life


def test_examples_of_moments_are_the_first_games_that_had_them():
    of = session("random", **ZOMBIE, players=6)
    games = 40
    tallies = play(of, 34, games)
    counters = [funnel_of(game["record"]) for _, game in game_by_game(of, 34, games)]
    endings = len(BANG.endings(of.rules))
    assert list(BANG.moments(of.rules)) == list(funnel.MOMENTS)
    for moment, kept in zip(funnel.MOMENTS, tallies.examples[endings:].tolist(), strict=True):
        expected = [number for number in range(games) if counters[number][moment] > 0][:EXAMPLES_KEPT]
        assert kept == [*expected, *[-1] * EXAMPLES_KEPT][:EXAMPLES_KEPT], moment


def test_endings_of_ghosts_are_counted_alike_everywhere():
    """A return that wins is an ending of its own (DM-60, DM-76), and so is Vengeance."""
    for settings, pairs in (
        ({**DEATH_MESA, "players": 7}, {"scofflaw": "scofflaw.won", "vengeance": "vengeance.won"}),
        ({**ZOMBIE, "players": 5}, {"zombie": "zombie.won"}),
    ):
        for strategy in ("simple", "random"):
            of = session(strategy, **settings)
            tallies = play(of, 35, 3000)
            for ending, metric in pairs.items():
                assert row(of, tallies, f"ending.{ending}")[Y] == row(of, tallies, metric)[Y]
            assert row(of, tallies, "ghosts.turns")[X] > 0
            if strategy == "simple":
                first = next(iter(pairs))
                assert row(of, tallies, f"ending.{first}")[Y] > 0, first
            elsewhere = {"scofflaw", "zombie"} - set(pairs)
            assert all(row(of, tallies, f"ending.{ending}")[Y] == 0 for ending in elsewhere)


# What a ghost knows


def first_options(of: Session, block: np.ndarray) -> list[int]:
    """The options of the first question of the turn."""
    asking, snapshot, options = block.copy(), block.copy(), np.zeros(4096, np.int64)
    script = asking[0]["script"]
    script["active"], script["asked"], script["answer_count"], script["next"] = 1, -1, 0, 0
    script["snapshot_at"] = snapshot.ctypes.data
    of.games.play_block(asking, of.rules_table, of.tables_table)
    assert (asking[0]["ending"], script["asked"]) == (names.PAUSED, block[0]["public"]["in_turn"])
    entries = of.kernel.module("positions")
    count = entries.list_options(snapshot, of.rules_table, of.tables_table, int(script["asked"]), options)
    return options[:count].tolist()


def first_answer(of: Session, block: np.ndarray) -> list[int]:
    """The first decision that the player in turn makes himself: seat, kind, answer, target."""
    playing = block.copy()
    playing[0]["script"]["journal_size"] = 0
    of.games.play_block(playing, of.rules_table, of.tables_table)
    rows = journal(playing[0])
    decided = rows[(rows[:, 0] == names.E_DECISION) & (rows[:, 5] == 1)]
    return [int(n) for n in decided[0][1:5]]


def disguised(of: Session, block: np.ndarray, random: Random) -> np.ndarray:
    """The same to everybody's eyes: hidden roles change places, and the living get each other's unseen cards."""
    other = block.copy()
    public, own = block[0]["public"], other[0]["own"]
    living = [seat for seat in range(int(public["players"])) if int(public["alive"]) >> seat & 1]
    hidden = [seat for seat in living if public["known_role"][seat] == names.HIDDEN]
    roles = [int(own[seat]["role"]) for seat in hidden]
    random.shuffle(roles)
    for seat, role in zip(hidden, roles, strict=True):
        own[seat]["role"] = role
    unseen = {seat: sorted(cards_of(own[seat]["hand"]) - cards_of(public["seen_in_hand"][seat])) for seat in living}
    pile = [card for cards in unseen.values() for card in cards]
    random.shuffle(pile)
    for seat, cards in unseen.items():
        hand = cards_of(public["seen_in_hand"][seat]) | {pile.pop() for _ in cards}
        own[seat]["hand"] = words_of(hand, len(own[seat]["hand"]))
        own[seat]["effects"] = sum({1 << int(DECK.effect[DECK.kind[card]]) for card in hand})
    return other


def cards_of(words: Any) -> set[int]:
    return {64 * w + k for w, word in enumerate(words) for k in range(64) if int(word) >> k & 1}


def words_of(cards: set[int], words: int) -> list[int]:
    whole = sum(1 << card for card in cards)
    return [whole >> 64 * w & (1 << 64) - 1 for w in range(words)]


@pytest.mark.parametrize("strategy", ["simple", "random", "standard"])
def test_what_a_ghost_may_and_will_do_depends_on_nothing_hidden(strategy):
    of = session(strategy, instrumented=True, **DEATH_MESA, players=8)
    random = Random(1)
    block, compared, changed = of.new_block(), 0, 0
    block[0]["script"]["stop_at_turn_end"] = 1
    for number in range(60):
        of.games.deal_game(block, of.rules_table, of.tables_table, 51, number)
        while block[0]["ending"] == names.PLAYING:
            block[0]["script"]["journal_size"] = 0
            public = block[0]["public"]
            if int(public["ghosts"]) >> int(public["in_turn"]) & 1 and public["phase"] == names.TURN_START:
                other = disguised(of, block, random)
                assert first_options(of, block) == first_options(of, other)
                assert first_answer(of, block) == first_answer(of, other)
                compared += 1
                changed += not np.array_equal(block[0]["own"]["role"], other[0]["own"]["role"])
            of.games.play_block(block, of.rules_table, of.tables_table)
            of.kernel.module("positions").begin_next_turn(block, of.rules_table)
    assert compared > 200 and changed > 100


# Checked mode


@pytest.mark.parametrize("players", [3, 4, 5, 7, 8])
def test_random_options_do_no_harm(players):
    """Games under options drawn from their ranges; decks that need another kernel are left to ``scofflaw check``."""
    fixed = {**DEATH_MESA, "players": players, "preset": "official" if players % 2 else "seed"}
    if players == 3:
        fixed["dm_allow_three_players"] = True
    random, strategies = Random(players), registry.assign(BANG, ["random"])
    draws = (checking.draw_options(BANG, fixed, random) for _ in itertools.count())
    fitting = (drawn for drawn in draws if words_for(len(load_cards(BANG.resolve({**fixed, **drawn})).kind), True) == 3)
    for drawn in [{}, *itertools.islice(fitting, 6)]:
        done = checking.check(BANG, strategies, {**fixed, **drawn}, 61, 40, 1, must_end=not drawn)
        assert not done.defects, done.defects
        assert done.games == 40


OTHER_ANSWERS = [
    {"dm_decay_save_set": "symbol_and_barrel"},
    {"dm_negation": "single_card", "dm_negation_order": "sealed", "dm_surcharge_on_negation": True},
    {"dm_renegade_open_for_other": True, "dm_renegade_intervention": "pre_empt"},
    {"dm_possess_selection": "look", "dm_desicrate_grave_choose": True, "dm_cemetary_choose": False},
    {"dm_scofflaw_goods": "half", "dm_scofflaw_turn": "play_phase", "dm_scofflaw_goods_to": "table"},
    {"dm_poltergeist_mode": "and", "dm_mass_effect_order": "one_by_one", "dm_use_definition": "hand_cards"},
    {"dm_allow_null_play": True, "dm_redraw_dead_cards": True, "dm_panic_on_ghosts": True},
    {**ZOMBIE, "dm_zombie_conversion_negatable": True, "dm_zombie_black_chain": True, "dm_zombie_goods_needed": 2},
]
"""Options under which players are asked what they are not asked otherwise."""


@pytest.mark.parametrize("options", OTHER_ANSWERS, ids=str)
def test_simple_players_give_legal_answers_under_other_options(options):
    settings = {**DEATH_MESA, "players": 7, **options}
    done = checking.check(BANG, registry.assign(BANG, ["simple"]), settings, 63, 400, 1)
    assert not done.defects, done.defects


def test_simple_players_give_legal_answers_and_end_their_games():
    for players, more in itertools.product((4, 7, 8), ({}, ZOMBIE, {"dm_conversion_timing": "any_turn"})):
        settings = {**DEATH_MESA, **more, "players": players}
        done = checking.check(BANG, registry.assign(BANG, ["simple"]), settings, 62, 150, 1)
        assert not done.defects, done.defects


@pytest.mark.parametrize("duels", [0, 2, 3])
def test_a_card_of_a_sealed_offer_is_spent_once(duels):
    """A dead Renegade may spend it as an intervention in the duel before (DM-35, OP-12)."""
    settings = {"dm_negation_order": "sealed", "dm_negation_max_duels": duels, "players": 8}
    rules = BANG.resolve({"expansions": "death_mesa", **settings})
    checked = BANG.session(rules, registry.assign(BANG, ["random"]), checked=True)
    assert checked.play(1, 0, 400, np.zeros(1, np.uint8)).games == 400
