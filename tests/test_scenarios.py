"""Scenario files: all of ours pass, every rule has one, and each card and character is watched by at least one."""

from __future__ import annotations

import dataclasses
import tomllib
from functools import cache
from pathlib import Path

import pytest

from sim.bang import position, session
from sim.bang.cards import card_types, characters, dead_card_types
from sim.bang.core.names import NO_ABILITY, NO_EFFECT
from sim.services.scenarios import run_scenarios

FOLDER = Path(__file__).parent / "scenarios"
FILES = [path for path in sorted(FOLDER.rglob("*.toml")) if "seat" in tomllib.loads(path.read_text(encoding="utf-8"))]
NOT_SHOWABLE = {
    rule: reason
    for path in sorted(FOLDER.glob("*/not_showable.toml"))
    for rule, reason in tomllib.loads(path.read_text(encoding="utf-8")).items()
}
BASE_CHARACTERS = [character.name for character in characters() if character.set == "base"]
SEEDS = 3


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path):
    (verdict,) = run_scenarios([path], SEEDS)
    assert verdict.outcome == "passed", verdict.message


def test_every_rule_is_shown_or_cannot_be():
    ids = set((FOLDER / "rule_ids.txt").read_text(encoding="utf-8").split())
    cited = {rule for path in FILES for rule in tomllib.loads(text_of(path)).get("cites", [])}
    assert ids - cited - set(NOT_SHOWABLE) == set()
    assert set(NOT_SHOWABLE) - ids == set(), "ids that the rules do not have"
    assert cited & set(NOT_SHOWABLE) == set(), "shown after all"
    assert {rule for rule in cited if rule.startswith(("B-", "DM-"))} - ids == set(), "ids that the rules do not have"
    assert all(NOT_SHOWABLE.values()), "each with the reason"


@pytest.fixture
def mutate(monkeypatch):
    """Replaces a loader of tables by one whose tables are changed, for all scenarios run in the test."""

    def change(loader, edit):
        load = getattr(session, loader)
        monkeypatch.setattr(session, loader, lambda rules: edit(load(rules)))
        position.session_for.cache_clear()

    yield change
    position.session_for.cache_clear()


def outcomes_until_one_fails(name):
    """Runs the scenarios that name a card or character; whether one of them fails."""
    named = [path for path in FILES if name in text_of(path)]
    return any(run_scenarios([path])[0].outcome == "failed" for path in named)


def without(values, place, nothing):
    """A copy of an array with one value set to nothing."""
    edited = values.copy()
    edited[place] = nothing
    return edited


@pytest.mark.parametrize("name", [card.name for card in card_types()])
def test_a_card_without_effect_is_noticed(mutate, name):
    mutate("load_cards", lambda t: dataclasses.replace(t, effect=without(t.effect, t.names.index(name), NO_EFFECT)))
    assert outcomes_until_one_fails(name)


@pytest.mark.parametrize("name", [card.name for card in dead_card_types()])
def test_a_dead_mens_card_without_effect_is_noticed(mutate, name):
    def edit(table):
        return dataclasses.replace(table, effect=without(table.effect, table.names.index(name), NO_EFFECT))

    mutate("load_cards", lambda table: edit(table) if name in table.names else table)
    assert outcomes_until_one_fails(name)


@pytest.mark.parametrize("name", BASE_CHARACTERS)
def test_a_character_without_ability_is_noticed(mutate, name):
    mutate(
        "load_characters",
        lambda t: dataclasses.replace(t, ability=without(t.ability, t.names.index(name), NO_ABILITY)),
    )
    assert outcomes_until_one_fails(name)
