"""The search for the best weights: it finds what there is, tells luck from gain, and can be stopped at any time."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import toy

from sim.bang import trial
from sim.bang.game import BANG
from sim.errors import UserError
from sim.game import SHARE, Weight
from sim.services import batch, bestresponse, climbing, paired, registry, tuning
from sim.services.climbing import Search
from sim.services.evolution import Climb, Values
from sim.services.searchfile import SearchFile

LIMITS = ((0, 20), (-60, 20), (0, 5000))
WEIGHTS = tuple(Weight(name, least, least, most, "") for name, (least, most) in zip("abc", LIMITS, strict=True))
PEAK = (13, -40, 1200)
PLAN = Search(WEIGHTS, (0, 0, 0), False, False, starts=3, rounds=40, games=50, final_games=20_000, seed=4)
SCALE = 1_000_000


def height(values: Values) -> int:
    """Highest at PEAK, where it is SCALE."""
    parts = zip(values, PEAK, LIMITS, strict=True)
    return round(SCALE * (1 - sum(((value - best) / (most - least)) ** 2 for value, best, (least, most) in parts) / 3))


def pairs_of(base: np.ndarray, others: Sequence[np.ndarray], whole: int) -> paired.Pairs:
    """Pairs of games with these numerators, (games,) each, of ``whole``."""
    each = [np.stack([y, np.full(len(y), whole)], axis=1) for y in (base, *others)]
    ones = np.stack([each[0]] * len(others), axis=1)
    return paired.pair(ones.astype(np.int64), np.stack(each[1:], axis=1).astype(np.int64))


class Hill:
    """What is measured is the height, the same in every game. Keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Values, tuple[Values, ...], int, int]] = []

    def __call__(self, base: Values, others: Sequence[Values], first: int, games: int) -> paired.Pairs:
        self.asked.append((base, tuple(others), first, games))
        return pairs_of(np.full(games, height(base)), [np.full(games, height(one)) for one in others], SCALE)


def luck(base: Values, others: Sequence[Values], first: int, games: int) -> paired.Pairs:
    """Nothing but chance: whatever the weights, half of the games are won, which ones hangs on weights and numbers."""

    def won(values: Values) -> np.ndarray:
        seed = [first, *(value - least for value, (least, _) in zip(values, LIMITS, strict=True))]
        return np.random.default_rng(seed).integers(2, size=games)

    return pairs_of(won(base), [won(one) for one in others], 1)


@pytest.mark.parametrize("lowest", [False, True])
def test_every_climb_finds_the_top_of_a_hill(lowest):
    hill = Hill()

    def turned(base: Values, others: Sequence[Values], first: int, games: int) -> paired.Pairs:
        found = hill(base, others, first, games)
        found.sums[:, [0, 2]] = SCALE * games - found.sums[:, [0, 2]]
        return found

    found = climbing.search(replace(PLAN, lowest=lowest), turned if lowest else hill)
    for nominee in found.nominees:
        assert height(nominee.values) > 0.999 * SCALE, nominee
        assert nominee.believed.estimate > 0
    assert [found.generations[k] > 5 for k in range(PLAN.starts)] == [True] * PLAN.starts
    assert found.winner.values == max(found.candidates, key=height)
    if not lowest:
        gain = PLAN.gain_of_base(found.final, 0).estimate
        assert gain == pytest.approx((height(found.winner.values) - height(PLAN.start)) / SCALE)


def test_games_are_shared_in_a_generation_and_never_used_twice():
    hill = Hill()
    climbing.search(PLAN, hill)
    used = [range(first, first + games) for _, _, first, games in hill.asked]
    for one, other in zip(sorted(used, key=lambda games: games.start), used[1:], strict=False):
        assert one.stop <= other.start or one.start >= other.stop or one == other
    starts = sorted(games.start for games in used)
    assert len(set(starts)) == len(starts)
    assert max(games.stop for games in used) == PLAN.end_game
    climbs = [games for games in used if games.start < PLAN.choice_game]
    assert all(len(games) == PLAN.games and games.stop <= PLAN.choice_game for games in climbs)
    later = [games for games in used if games.start >= PLAN.choice_game]
    assert sum(map(len, later)) == 2 * PLAN.final_games
    assert all(base == PLAN.start for base, _, first, _ in hill.asked if first < PLAN.final_game)
    played = sum(games * (1 + len(others)) for _, others, _, games in hill.asked)
    assert played <= PLAN.most_played


def test_luck_is_believed_by_the_climbs_and_not_by_the_fresh_games():
    plan = replace(PLAN, rounds=8)
    found = climbing.search(plan, luck)
    error = np.sqrt(2 * 0.25 / plan.games)
    best = [nominee.believed.estimate for nominee in found.nominees if nominee.kind == climbing.BEST]
    assert len(best) == 3 and min(best) > error  # the best of fifty
    gain = plan.gain_of_base(found.final, 0)
    assert abs(gain.estimate) < 6 * np.sqrt(2 * 0.25 / plan.final_games) < error
    assert gain.high - gain.low == pytest.approx(2 * 1.96 * np.sqrt(2 * 0.25 / plan.final_games), rel=0.02)


def test_the_weights_stay_when_nothing_does_better():
    top = replace(PLAN, start=PEAK, rounds=3)
    hill = Hill()
    found = climbing.search(top, hill)
    assert found.winner == climbing.Nominee(0, climbing.START, PEAK, climbing.Gain(0, 0, 0, 0))
    assert found.changed == () and hill.asked[-1][:2] == (PEAK, (PEAK,))
    assert len(found.nominees) == 2 * PLAN.starts


def test_a_metric_that_counts_nothing_is_refused():
    def nothing(base: Values, others: Sequence[Values], first: int, games: int) -> paired.Pairs:
        return pairs_of(np.zeros(games), [np.zeros(games)] * len(others), 0)

    with pytest.raises(UserError, match="in 50 games the metric had nothing to count"):
        climbing.search(PLAN, nothing)


def test_each_change_is_set_back_alone():
    hill = Hill()
    found = climbing.search(PLAN, hill)
    base, others, _, _ = hill.asked[-1]
    assert base == found.winner.values
    assert others[0] == PLAN.start
    assert len(others) == 1 + len(found.changed) == 4
    for k, other in zip(found.changed, others[1:], strict=True):
        assert [i for i in range(3) if other[i] != base[i]] == [k]
        assert other[k] == PLAN.start[k]


def test_a_climb_keeps_to_the_limits_also_with_one_weight():
    for weights, start in ((WEIGHTS[1:2], (-60,)), (WEIGHTS, None)):
        climb = Climb(weights, start, (1, 2))
        for _ in range(12):
            members = climb.ask()
            assert len(members) == climb.size
            for values in (*members, climb.centre):
                assert all(w.least <= value <= w.most for w, value in zip(weights, values, strict=True))
            climb.tell([float(values[0]) for values in members])
        assert climb.centre[0] <= weights[0].least + (weights[0].most - weights[0].least) // 10


# Stopped and taken up again


class Stops:
    """Measures so many times and is then interrupted."""

    def __init__(self, measure: climbing.Measure, times: int) -> None:
        self.measure, self.left = measure, times

    def __call__(self, base: Values, others: Sequence[Values], first: int, games: int) -> paired.Pairs:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return self.measure(base, others, first, games)


SHORT = replace(PLAN, rounds=4, starts=2)
SETTINGS = {"seed": 4, "rules": {"players": 7, "preset": "seed"}, "weights": {"a": [0, 20, 0]}}


def measured(path: Path) -> object:
    return json.loads(path.read_text())["measured"]


def test_a_search_that_was_stopped_ends_like_one_that_was_not(tmp_path):
    whole = SearchFile(tmp_path / "whole.json", SETTINGS, luck)
    expected = climbing.search(SHORT, whole)
    steps = len(measured(whole.path))
    assert steps == 2 * (4 + 1) + 2 + 2
    path = tmp_path / "stopped.json"
    for done in range(0, steps - 3, 3):
        with pytest.raises(KeyboardInterrupt):
            # One more: a part of the last measurement is played again first.
            climbing.search(SHORT, SearchFile(path, SETTINGS, Stops(luck, 3 + (done > 0))))
        assert len(measured(path)) == done + 3
    found = climbing.search(SHORT, SearchFile(path, SETTINGS, luck))
    assert measured(path) == measured(whole.path)
    assert (found.winner, found.nominees, found.generations) == (
        expected.winner, expected.nominees, expected.generations,
    )  # fmt: skip
    for one, other in ((found.choice, expected.choice), (found.final, expected.final)):
        assert np.array_equal(one.sums, other.sums) and np.array_equal(one.products, other.products)


def test_what_is_in_the_file_is_not_played_again(tmp_path):
    path = tmp_path / "search.json"
    first = SearchFile(path, SETTINGS, luck)
    climbing.search(SHORT, first)
    first.finish({"gain": 1})
    before = path.read_bytes()
    again = SearchFile(path, SETTINGS, Stops(luck, 1))
    climbing.search(SHORT, again)
    again.finish({"gain": 2})
    assert again.finished and path.read_bytes() == before
    assert again.played == sum(one["games"] * (1 + len(one["others"])) for one in measured(path))


@pytest.mark.parametrize(
    "settings, message",
    [
        ({**SETTINGS, "seed": 5}, "holds another search: seed is 4 there and 5 here; name another file"),
        ({**SETTINGS, "rules": {"players": 5, "preset": "seed"}}, "rules players is 7 there and 5 here"),
        ({**SETTINGS, "weights": {}}, "weights a is 0, 20, 0 there and nothing here"),
        ({**SETTINGS, "metric": "turns"}, "metric is nothing there and turns here"),
        ({"a": 1, "b": 1, "c": 1}, "(and 3 more)"),
    ],
)
def test_a_file_of_another_search_is_refused_and_what_differs_is_told(tmp_path, settings, message):
    path = tmp_path / "search.json"
    with pytest.raises(KeyboardInterrupt):
        climbing.search(SHORT, SearchFile(path, SETTINGS, Stops(luck, 2)))
    before = path.read_bytes()
    with pytest.raises(UserError, match=re.escape(message)):
        SearchFile(path, settings, luck)
    assert path.read_bytes() == before


def damaged(text: str) -> Iterator[str]:
    """A file of a search, torn or changed in ways that no search leaves."""
    yield from ("", text[: len(text) // 2], "[]", "null", "{}", '{"schema": 1}', "\x00")
    content = json.loads(text)
    for name, value in (("command", "run"), ("schema", 2), ("measured", [1]), ("measured", None), ("settings", 3)):
        yield json.dumps({**content, name: value})
    first, *rest = content["measured"]
    for name, value in (("sums", [[1, 2]]), ("sums", [[0.5] * 4]), ("base", ["x"]), ("games", None), ("others", 5)):
        yield json.dumps({**content, "measured": [{**first, name: value}, *rest]})
    del first["products"]
    yield json.dumps(content)


def test_a_torn_or_foreign_file_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "search.json"
    with pytest.raises(KeyboardInterrupt):
        climbing.search(SHORT, SearchFile(path, SETTINGS, Stops(luck, 2)))
    for text in damaged(path.read_text()):
        path.write_text(text)
        with pytest.raises(UserError, match="is no whole file of a search; nothing was written"):
            SearchFile(path, SETTINGS, luck)
        assert path.read_text() == text


def test_a_search_does_not_go_on_when_its_games_have_changed(tmp_path):
    path = tmp_path / "search.json"
    with pytest.raises(KeyboardInterrupt):
        climbing.search(SHORT, SearchFile(path, SETTINGS, Stops(luck, 2)))
    with pytest.raises(UserError, match="its games come out otherwise today"):
        SearchFile(path, SETTINGS, Hill())
    with pytest.raises(UserError, match="measurement 1 is not the one that this search asks for"):
        climbing.search(replace(SHORT, games=51), SearchFile(path, SETTINGS, luck))


# Pairs


def test_games_from_a_number_on_are_these_games():
    rules = toy.TOY.resolve({"players": 4})
    names = [metric.name for metric in toy.TOY.metrics(rules)]
    base, other = (toy.TOY.session(rules, {"default": one}) for one in (toy.CAREFUL, toy.STUBBORN))
    row = names.index("winning_rank")
    whole, _ = paired.play(base, [(other, row)], 8, 300, 2, 7)
    begun, _ = paired.play(base, [(other, row)], 8, 120, 2, 7)
    begun.add(paired.play(base, [(other, row)], 8, 180, 2, 7, first=120)[0])
    assert np.array_equal(begun.sums, whole.sums) and np.array_equal(begun.products, whole.products)
    assert not whole.counts_alike(0)  # games that nobody won have no rank
    alike, _ = paired.play(base, [(other, names.index("ending.won"))], 8, 300, 2)
    assert alike.counts_alike(0) and alike.difference_per_game(0) == alike.difference(0, bounded=False)
    stop = np.zeros(1, np.uint8)
    y = [session.each(8, 0, 300, stop, [row])[1][:, 0, 0] for session in (base, other)]
    by_hand = pairs_of(y[0], [y[1]], 1).difference(0, bounded=False)
    assert whole.difference_per_game(0) == by_hand
    assert by_hand.one == pytest.approx(y[0].mean())


# The game itself

RULES = BANG.resolve({"players": 7})
STANDARD = registry.strategy("bang", "standard")
MESA = BANG.resolve({"players": 7, "expansions": "death_mesa"})
TINY = Search((), (), False, True, starts=2, rounds=2, games=60, final_games=400, seed=6)


def ask(**options: object) -> tuning.Question:
    return tuning.question(BANG, RULES, {"default": STANDARD}, **{"role": "renegade", **options})  # type: ignore[arg-type]


def found_by(asked: tuning.Question, threads: int) -> bestresponse.BestResponse:
    bounded = asked.metric.unit == SHARE
    plan = replace(TINY, weights=asked.weights, start=asked.start, lowest=asked.lowest, bounded=bounded)
    field = tuning.Field(asked, plan.seed, threads)
    return bestresponse.BestResponse(asked, plan, climbing.search(plan, field), [], 0.0)


def test_the_result_does_not_depend_on_the_threads():
    one, other = (found_by(ask(), threads).to_json("") for threads in (1, 3))
    assert one == other
    assert json.loads(json.dumps(one, allow_nan=False)) == one
    assert one["members"] == 2 * (2 * climbing.Climb(ask().weights, None, (0, 0)).size + 1)
    assert found_by(ask(metric="turns", lowest=True, weights=["spare_bang"]), 2).to_json("") != one


@pytest.fixture(scope="module")
def response() -> bestresponse.BestResponse:
    return found_by(ask(), 2)


def rate(players: list[str], row: int, first: int, games: int) -> float:
    session = BANG.session(RULES, registry.assign(BANG, players))
    tallies, _ = batch.play(session, len(BANG.metrics(RULES)), len(BANG.endings(RULES)), TINY.seed, games, 1, first)
    return float(tallies.sums[row, 0] / tallies.sums[row, 1])


def test_the_figures_are_those_of_plain_runs(response):
    asked, plan, found = response.asked, response.plan, response.found
    row = [metric.name for metric in BANG.metrics(RULES)].index("win_rate.role.renegade")
    final = plan.final_game, plan.final_games
    start, won = response.rates()
    assert start.estimate == rate(["standard"], row, *final)
    assert won.estimate == rate(asked.options(found.winner.values), row, *final)
    assert response.gain.estimate == pytest.approx(won.estimate - start.estimate)
    assert response.optimism.estimate == pytest.approx(found.winner.believed.estimate - response.gain.estimate)
    half = response.optimism.high - response.optimism.estimate
    assert half > max(response.gain.high - response.gain.estimate, 0)
    backs = response.set_back()
    assert len(backs) == len(found.changed) > 5
    for back in (backs[0], backs[-1]):
        values = list(found.winner.values)
        values[asked.weights.index(back.weight)] = back.start
        without = rate(asked.options(tuple(values)), row, *final)
        assert back.cost.estimate == pytest.approx(won.estimate - without, abs=1e-12)
        assert 0 <= back.p <= 1
    assert response.per_game() is None


def test_what_is_believed_and_what_fresh_games_say_is_measured_in_the_games_it_is_said_to_be(response):
    asked, plan = response.asked, response.plan
    row = [metric.name for metric in BANG.metrics(RULES)].index("win_rate.role.renegade")
    for nominee in response.found.nominees:
        measured = [(plan.choice_game, plan.final_games, response.fresh(nominee))]
        if nominee.kind == climbing.CENTRE:
            measured.append((plan.first_game(nominee.climb, plan.rounds), plan.games, nominee.believed))
        for first, games, gain in measured:
            rates = [rate(players, row, first, games) for players in (["standard"], asked.options(nominee.values))]
            assert gain.estimate == pytest.approx(rates[1] - rates[0], abs=1e-12)
    fresh = [response.fresh(nominee).estimate for nominee in response.found.nominees]
    assert max(fresh) > 0
    assert response.fresh(response.found.winner).estimate == max(fresh)


def test_tuned_players_are_written_as_they_are_read():
    asked = tuning.question(
        BANG, RULES, registry.assign(BANG, ["simple", "renegade=standard,mistakes=0.1,volcanic=7"]), "renegade"
    )
    assert asked.start[[weight.name for weight in asked.weights].index("volcanic")] == 7
    values = (*(weight.most for weight in asked.weights[:-1]), asked.start[-1])
    tuned = asked.tuned(values)
    assert registry.strategy("bang", tuned.text) == tuned
    assert tuned.weights == values and tuned.mistakes == 0.1
    assert asked.options(values) == ["simple", f"renegade={tuned.text}"]


def test_who_is_tuned_and_what_for():
    asked = tuning.question(BANG, MESA, {"default": STANDARD}, "renegade", "ghost", metric="ending.zombie")
    assert (asked.key, asked.metric.denominator) == ("ghost.renegade", "games")
    for road in ("scofflaw", "vengeance", "zombie"):
        wanted = tuning.question(BANG, MESA, {"default": STANDARD}, "renegade", metric=f"ending.{road}").metric
        assert (wanted.unit, wanted.denominator) == ("share", "games")
    assert asked.options(asked.start)[1].startswith("ghost.renegade=standard")
    others = {"default": STANDARD, "ghost": registry.strategy("bang", "standard,ghost_life=3")}
    assert tuning.question(BANG, MESA, others, "outlaw", "ghost").player.text == "standard,ghost_life=3"
    assert ask().metric.name == "win_rate.role.renegade"
    assert [weight.name for weight in ask(weights=["volcanic", "spare_bang"]).weights] == ["volcanic", "spare_bang"]


def test_weights_that_change_nothing_are_left_alone():
    field = tuning.Field(ask(), 1, 2)
    idle = field.leave_idle()
    assert {"ghost_life", "ghost_hold", "law_caution", "outlaw_caution"} <= set(idle)
    left = [weight.name for weight in field.asked.weights]
    assert {"spare_bang", "gear_over_hand", "aim_at_weak"} <= set(left)
    assert sorted([*idle, *left]) == sorted(weight.name for weight in registry.weights_in(STANDARD))
    with pytest.raises(UserError, match="no weight of standard changes anything in 1,000 games"):
        tuning.Field(ask(weights=["ghost_life", "law_caution"]), 1, 2).leave_idle()


def test_a_file_is_tried_with_three_settings_and_then_believed(tmp_path, monkeypatch):
    mine = tmp_path / "mine.py"
    text = 'WEIGHTS = (("reserve", 0, 0, 9, ""),)\n\ndef decide(public, own, rules, tables):\n    return 0\n'
    mine.write_text(text)
    tried: list[bytes] = []
    monkeypatch.setattr(trial, "_play", lambda setup: tried.append(setup) or "")
    monkeypatch.setattr(trial, "_passed", {})
    players = [registry.strategy("bang", f"{mine}:decide,reserve={k}") for k in (0, 0, 1, 2, 3, 4)]
    for player in players:
        trial.require_passed(RULES, {"default": STANDARD, "outlaw": player}, tmp_path)
    assert len(tried) == 3
    mine.write_text(text.replace("return 0", "return 1"))
    trial.require_passed(RULES, {"default": STANDARD, "outlaw": players[-1]}, tmp_path)
    assert len(tried) == 4


# The command

FEW = ("--starts", 2, "--rounds", 2, "--games", 60, "--final-games", 400, "--seed", 6)


def test_the_command_tells_what_was_gained_and_how_to_play_it(scofflaw, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = scofflaw("bestresponse", "--role", "renegade", *FEW)
    assert answer.code == 0
    for text in (
        "7 players, no expansion", "for the highest win_rate.role.renegade", "sets of weights, 60 games each",
        "Left alone, for they change nothing here: ghost_life", "believed too much by", "matters", "where it ended",
    ):  # fmt: skip
        assert text in answer.out, text
    assert "Kept in results/bestresponse-renegade.json; at most" in answer.err
    kept = json.loads((tmp_path / "results" / "bestresponse-renegade.json").read_text())["result"]
    command = answer.out.splitlines()[-1]
    assert command == f"scofflaw run{kept['options']}"
    assert scofflaw(*shlex.split(command)[1:], "--games", 50).code == 0
    assert kept["winner"] != kept["start"]
    again = scofflaw("bestresponse", "--role", "renegade", *FEW, "--json", "--threads", 1)
    found = json.loads(again.out)
    assert again.err == ""
    assert {**found, "seconds": 0} == {**kept, "seconds": 0}
    assert (found["command"], found["wanted"], found["unit"]) == ("bestresponse", "highest", "share")
    assert found["gain"]["low"] <= found["gain"]["estimate"] <= found["gain"]["high"]
    other = scofflaw("bestresponse", "--role", "renegade", *FEW, "--metric", "turns")
    assert other.code == 2 and "metric is win_rate.role.renegade there and turns here" in other.err


def test_rates_of_cases_are_told_per_game_as_well(scofflaw, tmp_path):
    words = ("--role", "outlaw", "--metric", "showdown_won", "--weights", "spare_bang,volcanic")
    answer = scofflaw("bestresponse", *words, *FEW, "--out", tmp_path / "duel.json")
    assert answer.code == 0
    assert "showdown_won is of games with such a show-down" in answer.out and "Per game, " in answer.out
    assert json.loads((tmp_path / "duel.json").read_text())["result"]["per_game"]["method"]


MISTAKES = [
    (["--role", "renegat"], "--role: unknown role 'renegat'; did you mean renegade?"),
    (["--role", "default"], "--role: unknown role 'default'"),
    (["--role", "renegade", "--part", "ghost"], "by these rules a renegade has no part of its own"),
    (["--role", "outlaw", "--part", "gost", "--expansions", "death_mesa"], "unknown part 'gost'; did you mean ghost?"),
    (["--role", "renegade", "--weights", "spare_bnag"], "unknown weight 'spare_bnag'; did you mean spare_bang?"),
    (["--role", "renegade", "--metric", "ending.zombie"], "--metric: unknown metric 'ending.zombie'"),
    (["--role", "renegade", "--strategy", "simple"], "strategy simple has no weights to tune; name one that has"),
    (["--role", "renegade", "--starts", "0"], "starts is 0; valid: 1..1000"),
    (["--role", "renegade", "--rounds", "x"], "rounds: 'x' is not a whole number; valid: 1..10000"),
    (["--role", "renegade", "--final-games", "0"], "final_games is 0; valid: 1.."),
    (["--role", "deputy", "--players", "4"], "nobody is dealt it; there are: sheriff, outlaw, renegade"),
    (["--role", "renegade", "--final-games", str(10**12)], "games in all is"),
    (["--role", "renegade", "--out", "no/where.json"], "there is no folder no; make it first"),
    ([], "--role"),
]


@pytest.mark.parametrize("words, message", MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_is_told(scofflaw, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    answer = scofflaw("bestresponse", *words)
    assert answer.code == 2 and answer.out == ""
    assert message in re.sub(r"[\s│]+", " ", answer.err)
    assert not list(tmp_path.rglob("*.json"))


def test_ctrl_c_keeps_what_was_measured_and_the_same_command_ends_alike(scofflaw, tmp_path):
    few = ["--starts", "2", "--rounds", "10", "--games", "200", "--final-games", "500"]
    words = ["bestresponse", "--role", "renegade", "--weights", "spare_bang,gear_over_hand,volcanic", *few]
    command = [sys.executable, "-m", "sim.cli", *words, "--out", str(tmp_path / "stopped.json")]
    stopped = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: (tmp_path / "stopped.json").exists())
    stopped.send_signal(signal.SIGINT)
    out, err = stopped.communicate(timeout=60)
    assert (stopped.returncode, out) == (130, "")
    assert "Interrupted. What was measured is in" in err and "Traceback" not in err
    done = len(measured(tmp_path / "stopped.json"))
    names = ("stopped.json", "whole.json")
    results = [json.loads(scofflaw(*words, "--out", tmp_path / name, "--json").out) for name in names]
    assert 0 < done < len(measured(tmp_path / "stopped.json"))
    assert [{**one, "seconds": 0} for one in results[:1]] == [{**one, "seconds": 0} for one in results[1:]]


def wait_for(happened: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < limit
        time.sleep(0.02)
