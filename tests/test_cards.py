"""Card and character tables: the printed game, edited decks and numbers, and what wrong files are told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.bang.cards import (
    ABILITIES,
    COLOURS,
    EFFECTS,
    LIMITS,
    MOST_CARDS,
    PARAMETER_OF,
    RANKS,
    SUITS,
    CardTable,
    card_rows,
    card_text,
    card_types,
    characters,
    load_cards,
    load_characters,
    rank_text,
    read_deck,
    read_numbers,
    suit_text,
)
from sim.bang.core import names as core_names
from sim.bang.rules import parameters, resolve
from sim.errors import UserError, plain

COUNTS = {
    "BANG!": 25,
    "Missed!": 12,
    "Beer": 6,
    "Saloon": 1,
    "Duel": 3,
    "Indians!": 2,
    "Gatling": 1,
    "Wells Fargo": 1,
    "Stagecoach": 2,
    "Cat Balou": 4,
    "Panic!": 4,
    "General Store": 2,
    "Schofield": 3,
    "Remington": 1,
    "Rev. Carabine": 1,
    "Winchester": 1,
    "Volcanic": 2,
    "Scope": 1,
    "Mustang": 2,
    "Barrel": 2,
    "Jail": 3,
    "Dynamite": 1,
}


def cards(**settings: object) -> CardTable:
    return load_cards(resolve({name.replace("__", "."): value for name, value in settings.items()}))


def texts(table: CardTable) -> list[str]:
    return [card_text(table, card) for card in range(len(table.kind))]


def counts(table: CardTable) -> dict[str, int]:
    return dict(Counter(table.names[kind] for kind in table.kind))


def number(table: CardTable, name: str, column: str) -> int:
    return int(getattr(table, column)[table.names.index(name)])


def file(folder: Path, text: str, encoding: str = "utf-8") -> str:
    path = folder / "my.csv"
    path.write_bytes(text.encode(encoding))
    return str(path)


def faults(folder: Path, text: str, parameter: str = "deck") -> list[str]:
    """The lines of the error for a file, without its folder."""
    with pytest.raises(UserError) as error:
        cards(**{parameter: file(folder, text)})
    return str(error.value).replace(f"{folder}/", "").splitlines()


def test_the_base_deck() -> None:
    table = cards()
    assert len(table.kind) == len(table.suit) == len(table.rank) == 80
    assert counts(table) == COUNTS
    assert table.names == tuple(COUNTS)
    assert texts(table)[:3] == ["BANG! AS", "BANG! 2C", "BANG! 3C"]
    assert {"Dynamite 2H", "Barrel QS", "Volcanic 10S", "Beer JH", "Rev. Carabine AC"} <= set(texts(table))
    assert all(getattr(table, column).dtype == np.int64 for column in ("kind", "suit", "rank", "effect", "range"))


def test_printed_numbers_colours_and_effects() -> None:
    table = cards()
    reach = {"Schofield": 2, "Remington": 3, "Rev. Carabine": 4, "Winchester": 5, "Volcanic": 1, "Panic!": 1}
    amount = {"Wells Fargo": 3, "Stagecoach": 2, "Dynamite": 3}
    ones = dict.fromkeys(["BANG!", "Gatling", "Beer", "Saloon", "Duel", "Indians!"], 1)
    for name in COUNTS:
        assert number(table, name, "range") == reach.get(name, 0), name
        assert number(table, name, "amount") == (amount | ones).get(name, 0), name
        assert number(table, name, "second_card") == 0, name
    blue = {name for name in COUNTS if COLOURS[number(table, name, "colour")] == "blue"}
    assert blue == {
        *("Schofield", "Remington", "Rev. Carabine", "Winchester", "Volcanic"),
        *("Scope", "Mustang", "Barrel", "Jail", "Dynamite"),
    }
    effect = {name: EFFECTS[number(table, name, "effect")] for name in COUNTS}
    assert effect["Stagecoach"] == effect["Wells Fargo"] == "draw"
    assert effect["Remington"] == "weapon"
    assert effect["Rev. Carabine"] == "weapon"
    assert EFFECTS[0] == "none"
    assert set(effect.values()) == set(core_names.LIVING_EFFECTS) - {"none"}


def test_printed_numbers_agree_with_the_defaults_of_their_parameters() -> None:
    defaults = {p.name: p.defaults for p in parameters()}
    printed = {t.name: t for t in card_types()}
    for (card, column), parameter in PARAMETER_OF.items():
        assert set(defaults[parameter].values()) == {getattr(printed[card], column)}, parameter


def test_limits_of_numbers_agree_with_their_parameters_and_hold_the_printed_cards() -> None:
    ranges = {p.name: (p.low, p.high) for p in parameters()}
    for t in card_types():
        for column in ("range", "amount"):
            limits = LIMITS.get((t.effect, column), (0, 0))
            assert limits[0] <= getattr(t, column) <= limits[1], (t.name, column)
            if (t.name, column) in PARAMETER_OF:
                low, high = ranges[PARAMETER_OF[t.name, column]]
                assert limits == (low, high) or t.effect == "draw", t.name


def test_the_compiled_core_uses_the_same_words_in_the_same_order() -> None:
    assert core_names.SUITS == SUITS
    assert core_names.EFFECTS == EFFECTS
    assert core_names.ABILITIES == ABILITIES


def test_plain_names_are_different() -> None:
    for names in ([t.name for t in card_types()], [c.name for c in characters()]):
        assert len({plain(name) for name in names}) == len(names)


@pytest.mark.parametrize("rank", range(2, 15))
def test_rank_text(rank: int) -> None:
    assert rank_text(rank) == {11: "J", 12: "Q", 13: "K", 14: "A"}.get(rank, str(rank))


def test_suit_text() -> None:
    assert [suit_text(suit) for suit in range(4)] == ["S", "H", "D", "C"]


def test_fewer_copies_drop_the_last_rows_of_the_card() -> None:
    table = cards(copies__bang=3, copies__dynamite=0)
    assert texts(table)[:4] == ["BANG! AS", "BANG! 2C", "BANG! 3C", "Missed! 10C"]
    assert len(table.kind) == 80 - 22 - 1
    assert "Dynamite" in table.names


def test_more_copies_repeat_the_rows_after_the_last_of_them() -> None:
    table = cards(copies__jail=8)
    assert texts(table)[-9:] == [*["Jail JS", "Jail 10S", "Jail 4H"] * 2, "Jail JS", "Jail 10S", "Dynamite 2H"]
    assert len(table.kind) == 85


def test_as_many_copies_as_there_are_change_nothing() -> None:
    assert texts(cards(copies__beer=6)) == texts(cards())


@given(st.dictionaries(st.sampled_from(sorted(COUNTS)), st.integers(-1, 40), max_size=5))
def test_copies_are_what_was_asked_for(copies: dict[str, int]) -> None:
    table = cards(**{f"copies__{plain(name)}": n for name, n in copies.items()})
    asked = COUNTS | {name: n for name, n in copies.items() if n >= 0}
    assert counts(table) == {name: n for name, n in asked.items() if n}
    rows = {name: [t for t in texts(cards()) if t.startswith(f"{name} ")] for name in COUNTS}
    for name, n in asked.items():
        assert [t for t in texts(table) if t.startswith(f"{name} ")] == [
            rows[name][i % len(rows[name])] for i in range(n)
        ]


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    text = "\ufeffsuit, card ,rank\r\nS,Beer,10\r\n\r\n,,\r\nD,Panic!,A\r\nS, Beer ,10\r\n"
    table = cards(deck=file(tmp_path, text))
    assert texts(table) == ["Beer 10S", "Panic! AD", "Beer 10S"]
    assert table.names == tuple(COUNTS)
    assert texts(cards(deck=file(tmp_path, text), copies__beer=3)) == ["Beer 10S", "Panic! AD", "Beer 10S", "Beer 10S"]


def test_wrong_rows_of_a_deck_are_all_reported_with_their_lines(tmp_path: Path) -> None:
    text = "card,suit,rank\nBang,S,A\nBeer,H,6\n\nBeer,X,11\nBeer,H\nPunch,S,2\n"
    bang, suit_and_rank, short, punch = faults(tmp_path, text)
    assert bang.startswith("my.csv:2: unknown card 'Bang'; did you mean BANG!")
    assert suit_and_rank == (
        "my.csv:5: unknown suit 'X'; valid: S H D C; unknown rank '11'; valid: 2 3 4 5 6 7 8 9 10 J Q K A"
    )
    assert short == "my.csv:6: the number of cells is 2; as in the first line it must be 3"
    assert punch.startswith("my.csv:7: unknown card 'Punch'; ")


def test_ten_wrong_rows_are_enough(tmp_path: Path) -> None:
    lines = faults(tmp_path, "card,suit,rank\n" + "Beer,H,1\n" * 30)
    assert [line.split(": ")[0] for line in lines] == [*(f"my.csv:{n}" for n in range(2, 12)), "my.csv"]
    assert lines[-1] == "my.csv: not read any further"


@pytest.mark.parametrize("header", ["", "card;suit;rank", "card,suit", "card,suit,rank,colour", "card,suit,rank,rank"])
def test_a_wrong_header(tmp_path: Path, header: str) -> None:
    assert faults(tmp_path, f"{header}\n") == [f"my.csv:1: the first line is '{header}'; it must be card,suit,rank"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.csv: cannot be read: No such file"):
        cards(deck=str(tmp_path / "none.csv"))
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        cards(deck=str(tmp_path))
    with pytest.raises(UserError, match="cannot be read: embedded null"):
        cards(cards="a\0b")
    with pytest.raises(UserError, match=r"my\.csv: this is not UTF-8 text"):
        cards(deck=file(tmp_path, "card,suit,rank\nBeer,H,6\n", "utf-16"))
    assert faults(tmp_path, 'card,suit,rank\n"Beer,H,6\n')[0].startswith("my.csv:2: this is not a row of a CSV file")


def test_the_size_of_a_deck(tmp_path: Path) -> None:
    header = "card,suit,rank\n"
    assert faults(tmp_path, header) == ["the deck has 0 cards; valid: 1..1024 (parameters deck and copies.<card>)"]
    assert faults(tmp_path, header + "Beer,H,6\n" * (MOST_CARDS + 1))[0].startswith("the deck has 1025 cards; ")
    assert len(cards(deck=file(tmp_path, header + "Beer,H,6\n" * MOST_CARDS)).kind) == MOST_CARDS
    path = file(tmp_path, header + "Beer,H,6\n")
    assert texts(cards(deck=path, copies__bang=0)) == ["Beer 6H"]
    with pytest.raises(UserError, match=r"copies\.bang: the deck has no BANG! to repeat; add a row"):
        cards(deck=path, copies__bang=2)
    with pytest.raises(UserError, match="the deck has 0 cards"):
        cards(deck=path, copies__beer=0)


@given(
    st.lists(st.tuples(st.sampled_from(sorted(COUNTS)), st.sampled_from(SUITS), st.sampled_from(RANKS)), max_size=30)
)
def test_a_written_deck_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    path = tmp_path_factory.mktemp("deck") / "deck.csv"
    path.write_text("\n".join(["card,suit,rank", *(",".join(row) for row in rows)]), encoding="utf-8")
    read = [(card.name, suit_text(card.suit), rank_text(card.rank)) for card in read_deck(path)]
    assert read == rows


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60).map(lambda t: f"card,suit,rank\n{t}".encode())))
def test_whatever_a_file_holds_only_user_errors_come_out(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("deck") / "deck.csv"
    path.write_bytes(data)
    for read in (read_deck, read_numbers):
        try:
            read(path)
        except UserError as error:
            assert str(error).startswith(str(path))


def test_edited_numbers(tmp_path: Path) -> None:
    edits = "card,range,amount,second_card,effect\nWinchester,7,,,\nBeer,,2,1,\nBarrel,,,,none\nPanic!,0,,,panic\n"
    table = cards(cards=file(tmp_path, edits))
    assert number(table, "Winchester", "range") == 7
    assert (number(table, "Beer", "amount"), number(table, "Beer", "second_card")) == (2, 1)
    assert number(table, "Barrel", "effect") == 0
    assert (number(table, "Panic!", "range"), number(table, "Panic!", "effect")) == (0, EFFECTS.index("panic"))
    assert (number(table, "Schofield", "range"), number(table, "Saloon", "amount")) == (2, 1)


@pytest.mark.parametrize(("card", "column"), sorted(PARAMETER_OF))
def test_a_named_parameter_wins_over_the_file_and_the_file_over_the_default(
    tmp_path: Path, card: str, column: str
) -> None:
    parameter = PARAMETER_OF[card, column]
    default = next(p.defaults["seed"] for p in parameters() if p.name == parameter)
    path = file(tmp_path, f"card,{column}\n{card},4\n")
    assert number(cards(), card, column) == default != 4
    assert number(cards(cards=path), card, column) == 4
    assert number(cards(**{parameter: 2}), card, column) == 2
    assert number(cards(**{parameter: 2}, cards=path), card, column) == 2
    assert number(cards(**{parameter: default}, cards=path), card, column) == default


def test_shot_damage_is_the_amount_of_both_shots_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    assert [number(cards(shot_damage=3), card, "amount") for card in ("BANG!", "Gatling", "Duel")] == [3, 3, 1]
    table = cards(cards=file(tmp_path, "card,amount\nGatling,2\n"))
    assert [number(table, card, "amount") for card in ("BANG!", "Gatling")] == [1, 2]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("Bier,,,,", "unknown card 'Bier'; did you mean Beer"),
        ("Beer,blue,,,", "Beer is brown and cannot become 'blue': whether a card stays in play is part of its effect"),
        ("Beer,,saloon,,", "effect of Beer cannot be 'saloon'; valid: beer, none"),
        ("Beer,,,1,", "Beer has no range; leave the cell empty"),
        ("Barrel,,,,1", "Barrel has no amount; leave the cell empty"),
        ("Beer,,,,5", "amount of Beer cannot be '5'; valid: 0..4"),
        ("Beer,,,,two", "amount of Beer cannot be 'two'; valid: 0..4"),
        ("Winchester,,,0,", "range of Winchester cannot be '0'; valid: 1..7"),
    ],
)
def test_wrong_rows_of_a_file_of_numbers(tmp_path: Path, row: str, fault: str) -> None:
    (line,) = faults(tmp_path, f"card,colour,effect,range,amount\nMustang,blue,mustang,,\n{row}\n", "cards")
    assert line.startswith(f"my.csv:3: {fault}")


def test_second_cards_have_limits_and_missed_has_none(tmp_path: Path) -> None:
    assert faults(tmp_path, "card,second_card\nDuel,4\nMissed!,1\nDuel,1\nDuel,2\n", "cards") == [
        "my.csv:2: second_card of Duel cannot be '4'; valid: 0..3",
        "my.csv:3: Missed! has no second_card; leave the cell empty",
        "my.csv:5: Duel has a row above already; put its numbers into one row",
    ]


def test_a_file_of_numbers_must_have_something_to_edit(tmp_path: Path) -> None:
    expected = "it must be card and any of colour,effect,range,amount,second_card"
    assert faults(tmp_path, "card\nDuel\n", "cards") == [f"my.csv:1: the first line is 'card'; {expected}"]
    assert faults(tmp_path, "card,ammount\n", "cards") == [f"my.csv:1: the first line is 'card,ammount'; {expected}"]


def test_characters_of_the_base_game() -> None:
    table = load_characters(resolve({}))
    assert len(table.names) == 16
    assert table.names[0] == "Bart Cassidy"
    assert table.names[-1] == "Willy the Kid"
    assert [ABILITIES[a] for a in table.ability] == [plain(name) for name in table.names]
    assert table.ability.tolist() == list(range(1, 17))
    three = {name for name, life in zip(table.names, table.life, strict=True) if life == 3}
    assert three == {"El Gringo", "Paul Regret"}
    assert sorted(set(table.life.tolist())) == [3, 4]


def test_life_points_are_replaced_and_shifted_but_stay_above_zero() -> None:
    table = load_characters(resolve({"life.el_gringo": 1, "life.sid_ketchum": 8, "life_delta": -2}))
    life = dict(zip(table.names, table.life.tolist(), strict=True))
    assert (life["El Gringo"], life["Sid Ketchum"], life["Paul Regret"], life["Rose Doolan"]) == (1, 6, 1, 2)


def test_cards_as_rows_for_people() -> None:
    rows = card_rows(cards(beer_heal=2))
    assert sum(row["copies"] for row in rows) == 80
    assert rows[0] == {
        **{"name": "BANG!", "suit": "S", "rank": "A", "colour": "brown", "effect": "bang"},
        **{"range": 0, "amount": 1, "second_card": 0, "copies": 1},
    }
    (stagecoach,) = [row for row in rows if row["name"] == "Stagecoach"]
    assert (stagecoach["rank"], stagecoach["suit"], stagecoach["copies"]) == ("9", "S", 2)
    assert {row["amount"] for row in rows if row["name"] == "Beer"} == {2}
