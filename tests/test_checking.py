"""The service behind ``scofflaw check``: what it finds, and what it draws."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from toy import CAREFUL, CONFUSED, TOY

from sim.bang.game import BANG
from sim.errors import UserError
from sim.game import Fault
from sim.services import checking, registry

FIXED = {"players": 5, "preset": "seed"}


def test_good_games_have_no_defect():
    done = checking.check(TOY, {"default": CAREFUL}, {"players": 4}, 1, 200, 2)
    assert (done.games, done.setups, done.unfinished, done.defects) == (200, 1, 0, [])


def test_an_illegal_answer_is_traced_to_its_game():
    (defect,) = checking.check(TOY, {"default": CONFUSED}, {}, 7, 100, 2, first=40, chunk=9).defects
    assert (defect.what, defect.seed) == ("a strategy gave an illegal answer", 7)
    session = TOY.session(TOY.resolve({}), {"default": CONFUSED})
    illegal = [session.play(7, game, 1, np.zeros(1, np.uint8)).illegal for game in range(40, defect.game + 1)]
    assert illegal[-1] > 0 == sum(illegal[:-1])


def test_a_game_that_does_not_end_is_a_defect_only_where_it_must_end():
    strategies = registry.assign(BANG, ["random"])
    for must_end in (True, False):
        done = checking.check(BANG, strategies, {"turn_cap": 1}, 1, 20, 1, must_end=must_end)
        assert done.unfinished > 0
        assert [defect.what for defect in done.defects] == ["the game did not end"] * must_end


def test_a_fault_is_a_defect(monkeypatch):
    def play(*_args: object, **_more: object) -> None:
        raise Fault(3, 17, "a card is missing")

    monkeypatch.setattr(checking.batch, "play", play)
    (defect,) = checking.check(TOY, {"default": CAREFUL}, {"players": 3}, 3, 100, 1).defects
    assert (defect.what, defect.game, defect.settings) == ("a card is missing", 17, {"players": 3})


def test_every_combination_is_checked_once_and_games_are_shared_out():
    found = dict(checking.check_all(TOY, {"default": CAREFUL}, ["players"], 1, 1000, 1))
    assert list(found) == [f"players={n}" for n in range(2, 7)]
    assert {check.games for check in found.values()} == {200}


def test_drawn_options_make_sense_and_are_the_same_for_a_seed():
    draws = [checking.draw_options(BANG, FIXED, Random(seed)) for seed in range(300)]
    assert draws == [checking.draw_options(BANG, FIXED, Random(seed)) for seed in range(300)]
    for drawn in draws:
        assert not {"players", "preset", "deck", "cards", "turn_cap", "decision_cap"} & set(drawn)
        BANG.resolve({**FIXED, **drawn})
    names = {name for drawn in draws for name in drawn}
    possible = set(BANG.resolve(FIXED).values) - {*FIXED, "deck", "cards", "turn_cap", "decision_cap"}
    assert names == possible


def test_roles_are_drawn_although_few_of_them_add_up():
    drawn = [checking.draw_options(BANG, FIXED, Random(seed)) for seed in range(300)]
    roles = {tuple(one[name] for name in sorted(one) if name.startswith("roles.")) for one in drawn}
    assert len(roles) > 10
    with pytest.raises(UserError):
        BANG.resolve({**FIXED, "roles.outlaws": 4})


def test_a_failed_check_prints_the_game_and_exits_with_1(scofflaw, monkeypatch):
    defect = checking.Defect("the game did not end", {"players": 4}, 1, 12)
    monkeypatch.setattr(checking, "check", lambda *_args, **_more: checking.Check(50, 1, 1, False, [defect]))
    answer = scofflaw("check", "--games", 50, "--players", 4)
    assert answer.code == 1
    assert "FAILED" in answer.out
    assert "the game did not end: scofflaw trace --game 12 --seed 1 --players 4 --strategy random" in answer.out
