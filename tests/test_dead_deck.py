"""The Dead Men's Deck as data: its assumed compositions and arrangements, files and copies, and what is refused."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from sim.bang.cards import DATA, KNOWN_DEAD_CARDS, SUITS, dead_deck_note, load_cards, load_dead_deck, rank_text
from sim.bang.core import names
from sim.bang.rules import resolve
from sim.errors import UserError, plain

TABLE = """
Spook!               2 5 8 1
Warn                 2 4 6 2
Syphon               2 3 2 2
Decay                2 3 2 2
Hidden Stash         2 3 2 4
Blood Juice          2 2 2 4
Last Testament       2 2 2 3
Death and Taxes      2 2 2 2
Rob Grave            2 2 2 3
Curse                2 2 2 2
Possess              2 2 2 1
Mirage               2 2 2 2
Nightmare            2 2 2 2
Terrify              2 2 1 2
Ghost Stories        2 2 1 2
Desicrate Grave      2 2 1 2
Unfinished Business  2 2 2 1
Seance               2 2 1 2
Cemetary             2 1 1 3
Bad Moon Rising      2 1 2 1
Poltergeist          2 1 2 1
Guilty Conscience    2 1 1 2
In Memoriam          2 1 1 1
Proper Burial        2 1 1 2
The East Wind        2 1 1 1
Dry Spell            2 1 1 2
"""
"""Copies by composition as section 13 of the rules lists them: u2, w1, a_plus, p."""

ROWS = [line.rsplit(maxsplit=4) for line in TABLE.split("\n") if line]
COPIES = {
    composition: {row[0].strip(): int(row[1 + k]) for row in ROWS}
    for k, composition in enumerate(("u2", "w1", "a_plus", "p"))
}
KNOWN = {("Spook!", "K", "S"), ("Curse", "8", "D"), ("Death and Taxes", "5", "C"), ("Syphon", "7", "D")}

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
ALL_VALUES = {(rank, suit) for rank in RANKS for suit in "SHDC"}


def text_of(value):
    return str(value) if isinstance(value, Path) else value


def settings(**named):
    """Settings with Death Mesa; __ stands for a dot."""
    return {"expansions": "death_mesa", **{name.replace("__", "."): text_of(value) for name, value in named.items()}}


def deck(**named):
    """The cards of a Dead Men's Deck as (name, rank, suit)."""
    return [(c.name, rank_text(c.rank), SUITS[c.suit]) for c in load_dead_deck(resolve(settings(**named)))]


def refusal(**named):
    with pytest.raises(UserError) as raised:
        rules = resolve(settings(**named))
        load_cards(rules)
    return str(raised.value)


def counts(cards):
    return Counter(name for name, _, _ in cards)


def test_the_default_is_the_card_file():
    with open(DATA / "cards_death_mesa.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert deck() == [(row["card"], row["rank"], row["suit"]) for row in rows]
    from_seed = {(row["card"], row["rank"], row["suit"]) for row in rows if row["provenance"] == "seed"}
    assert from_seed == KNOWN
    assert {row["provenance"] for row in rows} == {"seed", "assumed"}


def test_the_default_favours_no_name():
    """Each name has a black and a red copy, and exactly one copy whose suit earns a bonus (section 13)."""
    for name in counts(deck()):
        suits = {suit for card, _, suit in deck() if card == name}
        assert suits in ({"S", "D"}, {"C", "H"}), name


@pytest.mark.parametrize("composition", COPIES)
@pytest.mark.parametrize("arrangement", [0, 1, 2, 77])
def test_a_composition_has_its_copies_and_every_value_once(composition, arrangement):
    cards = deck(dmd_composition=composition, dmd_arrangement=arrangement)
    assert counts(cards) == COPIES[composition]
    assert len(cards) == 52
    assert {(rank, suit) for _, rank, suit in cards} == ALL_VALUES
    assert set(cards) >= KNOWN


@pytest.mark.parametrize("arrangement", range(30))
def test_a_random_composition_has_each_name(arrangement):
    cards = deck(dmd_composition="random", dmd_arrangement=arrangement)
    assert set(counts(cards)) == set(COPIES["u2"])
    assert {(rank, suit) for _, rank, suit in cards} == ALL_VALUES
    assert len(cards) == 52
    assert set(cards) >= KNOWN


def test_random_copies_are_spread_like_a_multinomial_draw():
    """26 further copies over 26 names: the number of a name is 1 + B(26, 1/26), of mean 2 and variance 25/26."""
    draws = [counts(deck(dmd_composition="random", dmd_arrangement=k)) for k in range(200)]
    further = [draw[name] - 1 for draw in draws for name in COPIES["u2"]]
    variance = sum((n - 1) ** 2 for n in further) / len(further)
    assert sum(further) == 26 * 200
    assert abs(variance - 25 / 26) < 0.12  # six standard errors of the mean square of 5,200 such numbers


@pytest.mark.parametrize("composition", [*COPIES, "random"])
def test_arrangements_differ_and_are_the_same_each_time(composition):
    decks = [tuple(deck(dmd_composition=composition, dmd_arrangement=k)) for k in range(20)]
    assert len({frozenset(cards) for cards in decks}) == 20
    assert decks == [tuple(deck(dmd_composition=composition, dmd_arrangement=k)) for k in range(20)]


def test_copies_of_single_cards():
    assert counts(deck(dmd_copies__spook=5)) == COPIES["u2"] | {"Spook!": 5}
    assert counts(deck(dmd_copies__warn=0, dmd_composition="w1"))["Warn"] == 0
    only = {f"dmd_copies.{plain(name)}": 0 for name in COPIES["u2"] if name != "Warn"}
    assert deck(**{name.replace(".", "__"): n for name, n in only.items()}) == [("Warn", "10", "C"), ("Warn", "6", "H")]


def test_card_ids_of_the_dead_follow_those_of_the_living():
    table = load_cards(resolve(settings()))
    colours = table.colour[table.kind]
    assert (table.living, len(table.kind)) == (80, 132)
    assert (colours[:80] != names.DEAD).all() and (colours[80:] == names.DEAD).all()
    effects = table.effect[table.kind][80:]
    assert set(effects.tolist()) == set(range(names.FIRST_DEAD, names.FIRST_DEAD + 26))
    without = load_cards(resolve({}))
    assert (without.kind == table.kind[:80]).all() and len(without.kind) == 80


def test_a_deck_of_the_users(tmp_path: Path):
    path = tmp_path / "dead.csv"
    path.write_text("rank,card,suit\nK,Spook!,S\nK,Spook!,S\n2,Warn,H\n", encoding="utf-8")
    assert deck(dead_deck=path) == [("Spook!", "K", "S"), ("Spook!", "K", "S"), ("Warn", "2", "H")]
    assert str(path) in dead_deck_note(resolve(settings(dead_deck=path)))


def test_what_is_assumed_is_said():
    note = dead_deck_note(resolve(settings(dmd_composition="w1", dmd_arrangement=3)))
    assert all(part in note for part in ("48 of the 52", "w1", "3", *KNOWN_DEAD_CARDS))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("card,suit\nWarn,H\n", 1, "it must be card,suit,rank"),
        ("card,suit,rank\nWarn,H,2\nWarm,H,2\n", 3, "did you mean Warn"),
        ("card,suit,rank\nBANG!,H,2\n", 2, "unknown card 'BANG!'"),
        ("card,suit,rank\nWarn,X,2\n", 2, "unknown suit 'X'"),
        ("card,suit,rank\nWarn,H,1\n", 2, "unknown rank '1'"),
        ("card,suit,rank\nWarn,H\n", 2, "number of cells is 2"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(tmp_path: Path, text, line, reason):
    path = tmp_path / "dead.csv"
    path.write_text(text, encoding="utf-8")
    said = refusal(dead_deck=path)
    assert said.startswith(f"{path}:{line}: ")
    assert reason in said


def test_decks_that_cannot_be(tmp_path: Path):
    path = tmp_path / "dead.csv"
    path.write_text("card,suit,rank\n", encoding="utf-8")
    assert "the Dead Men's Deck has 0 cards; valid: 1.." in refusal(dead_deck=path)
    path.write_text("card,suit,rank\nWarn,H,2\n", encoding="utf-8")
    assert "the deck has no Spook! to repeat" in refusal(dead_deck=path, dmd_copies__spook=3)
    path.write_text("card,suit,rank\n" + 257 * "Warn,H,2\n", encoding="utf-8")
    assert "the Dead Men's Deck has 257 cards" in refusal(dead_deck=path)
    assert "cannot be read" in refusal(dead_deck=tmp_path / "none.csv")


def test_combinations_that_make_no_sense(tmp_path: Path):
    path = tmp_path / "dead.csv"
    path.write_text("card,suit,rank\nWarn,H,2\n", encoding="utf-8")
    assert "set dm_allow_three_players=true" in refusal(players=3)
    assert "dmd_composition has no effect beside dead_deck" in refusal(dead_deck=path, dmd_composition="w1")
    assert "dmd_arrangement has no effect beside dead_deck" in refusal(dead_deck=path, dmd_arrangement=2)
    for other in ("none", "scofflaw"):
        said = refusal(dm_law_win_waits_for_zombie=True, dm_renegade_return=other)
        assert "set dm_renegade_return=zombie" in said
    allowed = settings(players=3, dm_allow_three_players=True, dead_deck=path)
    assert resolve(allowed)["players"] == 3
    assert resolve(settings(dm_law_win_waits_for_zombie=True, dm_renegade_return="zombie"))["players"]


@pytest.mark.parametrize(
    "named",
    [
        {"dm_oneteam_surcharge": 4},
        {"dm_ghost_draw": 0},
        {"dm_ghost_hand_limit": 0},
        {"dm_negation_max_duels": 9},
        {"dm_zombie_goods_needed": 1},
        {"dm_scofflaw_life_fixed": 5},
        {"dm_royal_rank": "9"},
        {"dm_negation": "maybe"},
        {"dmd_composition": "u3"},
        {"dmd_copies__spook": 9},
    ],
    ids=str,
)
def test_values_out_of_the_ranges_of_section_11_are_refused(named):
    (name,) = named
    assert refusal(**named).startswith(name.replace("__", "."))
