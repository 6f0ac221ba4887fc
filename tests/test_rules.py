"""Resolved rules: presets, families, expansions, roles (B-1), differences from a preset."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.bang import rules as bang_rules
from sim.bang.cards import characters
from sim.bang.rules import BUILT, EXPANSIONS, ROLE_TABLE, Roles, difference, parameters, resolve, roles
from sim.errors import UserError

NAMES = [p.name for p in parameters()]
BASE_NAMES = [p.name for p in parameters() if p.part == "bang"]


def message(**settings: object) -> str:
    with pytest.raises(UserError) as error:
        resolve({name.replace("__", "."): value for name, value in settings.items()})
    return str(error.value)


def changed(against: str, **settings: object) -> dict[str, tuple[object, object]]:
    return {d.parameter.name: (d.value, d.default) for d in difference(resolve(settings), against)}


def test_parameters_are_those_of_what_is_played_with_families_expanded() -> None:
    assert {p.part for p in parameters()} == {"bang", "death_mesa"}
    assert len(BASE_NAMES) == len(set(BASE_NAMES)) == 42 - 2 + 22 + 16
    assert len(NAMES) - len(BASE_NAMES) == 107 - 1 + 26
    assert {"dmd_copies.spook", "dm_vengeance"} <= set(NAMES)
    assert {"copies.bang", "copies.rev_carabine", "life.el_gringo", "life.willy_the_kid"} <= set(NAMES)
    assert not any("<" in name for name in NAMES)
    assert "life.pixie_pete" not in NAMES


def test_nothing_set_gives_the_defaults_of_the_seed_preset() -> None:
    rules = resolve({})
    assert (rules.preset, rules.expansions, rules.named) == ("seed", (), frozenset())
    assert set(rules.values) == set(BASE_NAMES)
    assert rules["players"] == 7
    assert (rules["character_choice"], rules["indians_includes_player"]) == (2, True)
    assert (rules["copies.bang"], rules["life.el_gringo"], rules["deck"]) == (-1, 0, "")


def test_the_official_preset_changes_what_is_not_named() -> None:
    rules = resolve({"preset": "official", "indians_includes_player": "true"})
    assert rules.preset == rules["preset"] == "official"
    assert rules["character_choice"] == 1
    assert rules["indians_includes_player"] is True
    assert rules.named == {"preset", "indians_includes_player"}


def test_text_and_typed_values_give_the_same_rules() -> None:
    typed = {"players": 5, "beer_with_two_players": True, "all_dead_winner": "none", "copies.bang": 20, "deck": "a.csv"}
    text = {name: str(value).lower() for name, value in typed.items()}
    assert resolve(typed) == resolve(text)


def test_nested_tables_are_dotted_names() -> None:
    assert resolve({"copies": {"bang": 20}, "players": 4}) == resolve({"copies.bang": 20, "players": 4})
    assert message(copies__bang=20, copies={"bang": 20}) == "copies.bang is set twice"


def test_rules_travel_between_processes() -> None:
    rules = resolve({"players": 4})
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_unknown_names_get_the_nearest() -> None:
    assert message(plyers=7).startswith("unknown parameter 'plyers'; did you mean players")
    assert message(copies__bnag=7).startswith("unknown parameter 'copies.bnag'; did you mean copies.bang")
    assert message(copies=7).startswith("unknown parameter 'copies'; did you mean copies.")
    assert message(expansion="").startswith("unknown parameter 'expansion'; did you mean expansions?")


def test_bad_values_name_parameter_and_range() -> None:
    assert message(players=9) == "players: 9 is out of range; valid: 3..8"
    assert message(copies__bang=41) == "copies.bang: 41 is out of range; valid: -1..40"
    assert message(preset="oficial") == "preset: 'oficial' is not one of its values; valid: official, seed"
    assert message(jail_on_sheriff=1).startswith("jail_on_sheriff: 1 is neither true nor false")


@pytest.mark.parametrize("nothing", ["", "none", " ", [], ()])
def test_no_expansions(nothing: object) -> None:
    assert resolve({"expansions": nothing}) == resolve({})


def test_expansions_that_do_not_exist_or_are_not_played_yet() -> None:
    assert BUILT == ("death_mesa",)
    assert message(expansions="dodge_citty") == "expansions: unknown expansion 'dodge_citty'; did you mean dodge_city?"
    for name in set(EXPANSIONS) - set(BUILT):
        expected = f"expansions: this version does not play {name} yet; it plays: the base game, death_mesa"
        assert message(expansions=name) == message(expansions=[name]) == expected
    assert message(expansions=3).startswith("expansions: 3 is not a list of names; valid names: dodge_city, high_noon")
    assert message(expansions=[3]).startswith("expansions: [3] is not a list of names")


def test_parameters_of_expansions_name_their_expansion() -> None:
    ending = ", which is not in use; this version plays: the base game, death_mesa"
    assert message(pixie_pete_draw=4) == f"pixie_pete_draw belongs to the expansion dodge_city{ending}"
    assert message(event_mix="two_decks") == f"event_mix belongs to the expansion high_noon or fistful{ending}"
    assert message(dmd_copies__spook=2) == (
        "dmd_copies.spook belongs to the expansion death_mesa, which is not in use; add death_mesa to expansions"
    )
    assert message(life__jose_delgado=2) == f"life.jose_delgado belongs to the expansion dodge_city{ending}"


def test_an_expansion_brings_its_parameters_and_characters_into_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bang_rules, "BUILT", ("dodge_city", "high_noon"))
    rules = resolve({"expansions": "high_noon, dodge_city,high_noon", "life.jose_delgado": 2, "event_mix": "two_decks"})
    assert rules.expansions == ("dodge_city", "high_noon")
    assert (rules["life.jose_delgado"], rules["pixie_pete_draw"], rules["event_mix"]) == (2, 4, "two_decks")
    assert "fistful_mode" not in rules.values
    assert {"pixie_pete_draw", "life.vera_custer"} <= {p.name for p in parameters()}
    assert message(pixie_pete_draw=4).endswith("not in use; add dodge_city to expansions")
    assert message(expansions="fistful").endswith("yet; it plays: the base game, dodge_city, high_noon")


@pytest.mark.parametrize("players", range(3, 9))
def test_b1_roles_of_the_table(players: int) -> None:
    dealt = roles(resolve({"players": players}))
    assert dealt == ROLE_TABLE[players]
    assert sum(dealt) == players


def test_b1_seven_and_eight_players() -> None:
    assert roles(resolve({"players": 7})) == (1, 2, 3, 1)
    assert roles(resolve({"players": 8})) == (1, 2, 3, 2)


def test_roles_may_be_changed_if_they_add_up() -> None:
    rules = resolve({"players": 5, "roles.deputies": 2, "roles.outlaws": 1})
    assert roles(rules) == Roles(sheriff=1, deputies=2, outlaws=1, renegades=1)
    assert roles(resolve({"players": 4, "roles": {"outlaws": 0, "renegades": 3}})) == (1, 0, 0, 3)
    assert message(players=5, roles__outlaws=3) == (
        "the roles add up to 6 but players is 5: sheriff 1, deputies 1, outlaws 3, renegades 1;"
        " set roles.deputies, roles.outlaws and roles.renegades so that they add up to 4"
    )


def test_a_sheriff_without_enemies_is_refused() -> None:
    text = message(players=4, roles__deputies=3, roles__outlaws=0, roles__renegades=0)
    assert text.startswith("roles.outlaws and roles.renegades are both 0: the law would have won")


def test_b2_three_players_play_the_table() -> None:
    text = message(players=3, roles__outlaws=1)
    assert text.startswith("roles.outlaws: with 3 players the roles are always Deputy, Outlaw and Renegade")
    assert roles(resolve({"players": 3, "roles.outlaws": -1})) == (0, 1, 1, 1)


def test_the_largest_table_has_characters_enough() -> None:
    limits = {p.name: p.high for p in parameters()}
    base = [c for c in characters() if c.set == "base"]
    assert (limits["players"] or 0) * (limits["character_choice"] or 0) <= len(base)


def test_difference_from_a_preset() -> None:
    assert changed("seed") == {}
    assert changed("seed", players=5, beer_heal=1) == {"players": (5, 7)}
    assert changed("official") == {"character_choice": (2, 1), "indians_includes_player": (True, False)}
    assert changed("official", preset="official", character_choice=2) == {"character_choice": (2, 1)}
    with pytest.raises(UserError, match="preset: 'house' is not one of its values; valid: "):
        changed("house")


@given(
    st.dictionaries(
        st.one_of(st.sampled_from([*NAMES, "expansions", "dm_vengeance", "copies", "roles"]), st.text(max_size=8)),
        st.one_of(st.integers(-2, 9), st.booleans(), st.text(max_size=4), st.none(), st.lists(st.text(max_size=3))),
        max_size=4,
    )
)
def test_whatever_is_set_gives_rules_or_a_user_error(settings: dict[str, object]) -> None:
    try:
        rules = resolve(settings)
    except UserError:
        return
    assert rules.named == set(settings) - {"expansions"}
    assert sum(roles(rules)) == rules["players"]
    for parameter in parameters():
        if parameter.name in rules.values:
            assert parameter.parse(rules[parameter.name]) == rules[parameter.name]
