"""Traces tell the game that is played, and what is saved of it passes as a scenario."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from sim.bang.core.names import ENDINGS
from sim.bang.game import BANG
from sim.errors import UserError
from sim.services import registry
from sim.services.scenarios import run_scenarios
from sim.services.tracing import save_scenario, trace_game

SEED = 77


def set_up(strategy="simple", **settings):
    rules = BANG.resolve(settings)
    return rules, registry.assign(BANG, [strategy])


@pytest.mark.parametrize("strategy", ["simple", "random"])
@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_trace_tells_the_game_that_is_played(strategy, players):
    rules, strategies = set_up(strategy, players=players)
    session = BANG.session(rules, strategies)
    metrics = [metric.name for metric in BANG.metrics(rules)]
    for number in range(8):
        lines = trace_game(BANG, rules, strategies, SEED, number)
        texts = [line.text for line in lines]
        tallies = session.play(SEED, number, 1, np.zeros(1, np.uint8))
        ending = next(name for name in ENDINGS if tallies.sums[metrics.index(f"ending.{name}"), 0])
        winners = [seat for seat in range(players) if tallies.sums[metrics.index(f"win_rate.seat.{seat}"), 0]]
        assert texts[-1].startswith(f"the game is over in turn {tallies.turns}: {ending}; winners: ")
        named = re.findall(r"(\d) \(", texts[-1])
        assert [int(seat) for seat in named] == winners
        assert sum("is eliminated" in text for text in texts) == tallies.sums[metrics.index("eliminated"), 0]
        assert sum(text.startswith("turn ") for text in texts) == tallies.turns
        numbers = [line.decision for line in lines if line.decision is not None]
        assert numbers == list(range(1, len(numbers) + 1))
        # A line is one complete play, for which the core may ask several questions.
        parts = sum(len(text.split()) for text in texts if " taking " in text or " with " in text)
        assert len(numbers) <= tallies.decisions <= len(numbers) + parts


def test_a_zombie_has_three_life_points_at_most_however_many_he_returns_with():
    rules, strategies = set_up(expansions="death_mesa", players=7, dm_renegade_return="zombie")
    returned = 0
    for number in range(60):
        texts = [line.text for line in trace_game(BANG, rules, strategies, SEED, number)]
        back = {seat for text in texts if "is back in life" in text for seat in re.findall(r"^  (\d) ", text)}
        for text in texts[max((i for i, text in enumerate(texts) if "is back in life" in text), default=len(texts)) :]:
            turn = re.match(r"turn \d+ - seat (\d) \(\w+, .+, (\d+) of (\d+)\)", text)
            if turn and turn[1] in back:
                returned += 1
                assert 3 == int(turn[3]) >= int(turn[2])
    assert returned > 3


def test_lines_are_readable():
    rules, strategies = set_up(players=7)
    text = "\n".join(line.text for n in range(5) for line in trace_game(BANG, rules, strategies, SEED, n))
    for pattern in (
        r"(?m)^  0 \(sheriff\) is dealt [A-Z][\w ]+, [A-Z][\w ]+$",
        r"(?m)^turn \d+ - seat \d \((outlaw|deputy|renegade|sheriff), [\w ]+, \d of \d\)$",
        r"(?m)^  \d: play BANG! \w+ on \d$",
        r"(?m)^  \d: play Panic! \w+ on \d taking .+$",
        r"(?m)^  \d: use Barrel \w+ -> revealed .+ \((spade|heart|diamond|club)\)$",
        r"(?m)^  \d loses \d \(-?\d left\)$",
        r"(?m)^  \d \(\w+\) is eliminated( by \d)? \(\w+\)$",
        r"(?m)^  \d is rewarded with 3 cards$",
    ):
        assert re.search(pattern, text), pattern


@pytest.mark.parametrize("strategy", ["simple", "random"])
def test_what_is_saved_passes_as_a_scenario(strategy, tmp_path):
    pick = random.Random(9)
    for number in range(18):
        rules, strategies = set_up(strategy, players=3 + number % 6, preset=pick.choice(["seed", "official"]))
        lines = trace_game(BANG, rules, strategies, SEED, number)
        decisions = [line.decision for line in lines if line.decision is not None]
        first = next(i for i, line in enumerate(lines) if line.text.startswith("turn "))
        set_up_decisions = sum(line.decision is not None for line in lines[:first])
        text = save_scenario(BANG, rules, strategies, SEED, number, pick.randint(set_up_decisions + 1, decisions[-1]))
        (tmp_path / f"{number}.toml").write_text(text, encoding="utf-8")
    verdicts = run_scenarios([tmp_path])
    assert [v.message for v in verdicts if v.outcome != "passed"] == []
    assert len(verdicts) == 18


def test_a_decision_that_cannot_be_saved_is_refused():
    rules, strategies = set_up(players=4)
    with pytest.raises(UserError, match="belongs to the set-up; take one after decision 4"):
        save_scenario(BANG, rules, strategies, SEED, 0, 4)
    with pytest.raises(UserError, match="there is no decision 5000; the game has"):
        save_scenario(BANG, rules, strategies, SEED, 0, 5000)
    with pytest.raises(UserError, match="numbered from 0"):
        trace_game(BANG, rules, strategies, SEED, -1)
