"""``standard``: it beats ``simple``, keeps to the rules whatever they are, and knows nothing that is hidden."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from test_death_mesa import DEATH_MESA, OTHER_ANSWERS, ZOMBIE

from sim.bang.game import BANG
from sim.services import checking, ladder, registry

STANDARD, SIMPLE = (registry.strategy("bang", name) for name in ("standard", "simple"))
SEED = 3


def climb(games: int, *players: int, **settings: object) -> list[ladder.Step]:
    rules = [BANG.resolve({**settings, "players": number}) for number in players]
    return list(ladder.climb(BANG, rules, STANDARD, SIMPLE, SEED, games, 2).steps)


def test_every_role_wins_more_by_it_in_both_fields():
    """Two points for the law and the Outlaws, a fifth for the Renegade, less six standard errors of these games."""
    steps = climb(12_000, 5, 7)
    assert len(steps) == 16
    for step in steps:
        error = (step.high - step.low) / 2 / 1.96
        assert step.low > 0, step
        if step.role == "renegade":
            assert step.one - 1.2 * step.other > -6 * error, step
        else:
            assert step.estimate - 0.02 > -6 * error, step


def test_the_dead_help_their_side_by_it():
    steps = [step for step in climb(8_000, 7, **DEATH_MESA) if step.part == "ghost"]
    assert len(steps) == 8
    for role in ("deputy", "outlaw"):
        assert all(step.low > 0 for step in steps if step.role == role), steps
    for step in steps:  # none is clearly worse by it: a dead Sheriff's few plays decide seven games of 8,000
        assert step.estimate + (step.high - step.low) > 0, step


SETTINGS = [
    *({"players": players, "preset": preset} for players, preset in itertools.product((3, 5, 8), ("seed", "official"))),
    {"players": 7, "beer_with_two_players": True, "jail_on_sheriff": True, "bang_limit": 0, "draw_count": 4},
    *({**DEATH_MESA, "players": players} for players in (4, 7, 8)),
    {**ZOMBIE, "players": 8, "dm_zombie_goods_needed": 2},
    *({**DEATH_MESA, "players": 7, **options} for options in OTHER_ANSWERS),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_its_answers_are_legal_and_its_games_end(settings):
    done = checking.check(BANG, {"default": STANDARD}, settings, 63, 300, 1)
    assert not done.defects, done.defects


def test_two_who_lay_ghosts_do_not_do_so_for_ever():
    """Game 804185, of a Suzy Lafayette who drew her only Cat Balou again each time, went on to the turn cap (B-46)."""
    session = BANG.session(BANG.resolve({**DEATH_MESA, "players": 6}), {"default": STANDARD})
    assert session.play(20111007, 804185, 1, np.zeros(1, np.uint8)).unfinished == 0


def test_every_weight_is_in_use_and_in_its_range():
    weights = registry.weights_of("bang", "standard")
    assert len(weights) >= 15
    for weight in weights:
        assert weight.least <= weight.default <= weight.most and weight.meaning, weight
        for value in (weight.least, weight.most):
            changed = registry.strategy("bang", f"standard,{weight.name}={value}")
            assert changed.weights != STANDARD.weights or value == weight.default
