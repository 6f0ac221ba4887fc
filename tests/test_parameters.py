"""Parameters: strict values of each type, messages that help, families, the CSV table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import UserError
from sim.parameters import Parameter, read_parameters

TABLE = """name,game_part,type,values,plain,fancy,rule,meaning
mode,one,choice,plain|fancy,plain,fancy,R-1,Which column
seats,one,int,-1..8,4,5,R-2,"Seats, at most 8"
share,two,float,0.0..1.0,0.5,1.0,R-3,A share
open,two,bool,,true,false,R-4,A switch
file,two,path,,,,R-5,A file
rank,two,choice,10|J|Q,J,10,R-6,A rank
count.<card>,one,int,0..3,1,1,R-7,Copies of one card
"""


@pytest.fixture
def table(tmp_path: Path) -> dict[str, Parameter]:
    path = tmp_path / "parameters.csv"
    path.write_text(TABLE, encoding="utf-8")
    return {p.name: p for p in read_parameters(path)}


def message(parameter: Parameter, value: object, where: str = "") -> str:
    with pytest.raises(UserError) as error:
        parameter.parse(value, where)
    return str(error.value)


def test_table_is_read_with_typed_limits_and_defaults(table: dict[str, Parameter]) -> None:
    seats = table["seats"]
    assert (seats.part, seats.type, seats.low, seats.high) == ("one", "int", -1, 8)
    assert (seats.rule, seats.meaning) == ("R-2", "Seats, at most 8")
    assert seats.defaults == {"plain": 4, "fancy": 5}
    assert table["open"].defaults == {"plain": True, "fancy": False}
    assert table["share"].defaults == {"plain": 0.5, "fancy": 1.0}
    assert table["file"].defaults == {"plain": "", "fancy": ""}
    assert table["rank"].choices == ("10", "J", "Q")


def test_a_default_out_of_range_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "parameters.csv"
    path.write_text(TABLE.replace("-1..8,4,5", "-1..8,4,9"), encoding="utf-8")
    with pytest.raises(UserError, match="default of fancy: seats: '9' is out of range; valid: -1..8"):
        read_parameters(path)


@pytest.mark.parametrize(
    ("name", "value", "parsed"),
    [
        ("seats", "7", 7),
        ("seats", "-1", -1),
        ("seats", 8, 8),
        ("seats", np.int64(3), 3),
        ("share", "0.25", 0.25),
        ("share", 1, 1.0),
        ("share", 0.0, 0.0),
        ("open", "true", True),
        ("open", "false", False),
        ("open", False, False),
        ("mode", "fancy", "fancy"),
        ("file", "my deck.csv", "my deck.csv"),
        ("file", "", ""),
    ],
)
def test_valid_values(table: dict[str, Parameter], name: str, value: object, parsed: object) -> None:
    result = table[name].parse(value)
    assert result == parsed
    assert type(result) is type(parsed)


@pytest.mark.parametrize("value", ["seven", "", " 7", "7.0", "٧", "1__0", "9" * 5000, 7.0, True, None, [7]])
def test_bad_whole_numbers(table: dict[str, Parameter], value: object) -> None:
    assert message(table["seats"], value).startswith("seats: ")
    assert message(table["seats"], value).endswith(" is not a whole number; valid: -1..8")


@pytest.mark.parametrize("value", [-2, 9, "9", "1_000"])
def test_whole_numbers_out_of_range(table: dict[str, Parameter], value: object) -> None:
    assert message(table["seats"], value) == f"seats: {value!r} is out of range; valid: -1..8"


@pytest.mark.parametrize("value", ["half", "nan", float("nan"), float("inf"), 10**400, True, None, 1j])
def test_bad_numbers(table: dict[str, Parameter], value: object) -> None:
    assert message(table["share"], value).endswith(" is not a number; valid: 0.0..1.0")


def test_numbers_out_of_range(table: dict[str, Parameter]) -> None:
    assert message(table["share"], 1.01) == "share: 1.01 is out of range; valid: 0.0..1.0"


@pytest.mark.parametrize("value", ["yes", "True", "1", 1, 0, None])
def test_bad_truth_values(table: dict[str, Parameter], value: object) -> None:
    assert message(table["open"], value) == f"open: {value!r} is neither true nor false; valid: true, false"


def test_an_unknown_choice_gets_the_nearest_first(table: dict[str, Parameter]) -> None:
    assert message(table["mode"], "fancie") == "mode: 'fancie' is not one of its values; valid: fancy, plain"
    assert message(table["mode"], "x") == "mode: 'x' is not one of its values; valid: plain, fancy"


def test_a_choice_that_looks_like_a_number_is_text(table: dict[str, Parameter]) -> None:
    assert table["rank"].parse("10") == "10"
    assert message(table["rank"], 10) == "rank: 10 is not text in quotes; valid: 10, J, Q"


def test_a_path_is_text(table: dict[str, Parameter]) -> None:
    assert message(table["file"], 3) == "file: 3 is not the path of a file, in quotes; valid: a file, or empty"


def test_where_comes_first(table: dict[str, Parameter]) -> None:
    assert message(table["seats"], 9, "my.toml").startswith("my.toml: seats: 9 is out of range")


def test_families_expand_to_members_of_the_same_kind(table: dict[str, Parameter]) -> None:
    count = table["count.<card>"]
    assert count.family == "count."
    assert table["seats"].family == ""
    beer, bang = count.expand(["beer", "bang"])
    assert (beer.name, bang.name) == ("count.beer", "count.bang")
    assert (beer.type, beer.low, beer.high, beer.defaults) == ("int", 0, 3, {"plain": 1, "fancy": 1})
    assert message(bang, 4) == "count.bang: 4 is out of range; valid: 0..3"


@given(value=st.integers(-20, 20))
def test_text_and_number_mean_the_same(value: int) -> None:
    parameter = Parameter("n", "p", "int", -5, 5, (), {}, "", "")
    if -5 <= value <= 5:
        assert parameter.parse(str(value)) == parameter.parse(value) == value
    else:
        assert message(parameter, value) == message(parameter, str(value)).replace(repr(str(value)), repr(value))


@given(
    kind=st.sampled_from(["bool", "int", "float", "choice", "path"]),
    value=st.one_of(
        st.text(), st.integers(), st.floats(), st.none(), st.booleans(), st.lists(st.integers()), st.binary()
    ),
)
def test_whatever_is_given_the_result_is_valid_or_a_user_error(kind: str, value: object) -> None:
    number = kind in ("int", "float")
    parameter = Parameter("n", "p", kind, 0 if number else None, 9 if number else None, ("a", "b"), {}, "", "")
    try:
        parsed = parameter.parse(value)
    except UserError as error:
        assert str(error).startswith("n: ")
    else:
        assert type(parsed).__name__ == {"choice": "str", "path": "str"}.get(kind, kind)
        assert parameter.parse(parsed) == parsed
