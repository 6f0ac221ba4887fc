"""What every game must keep to. A game joins by one line, or several, in ``GAMES``."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import naive
import numpy as np
import pytest
from toy import CAREFUL, CONFUSED, STUBBORN, TOY

from sim.bang.game import BANG
from sim.errors import UserError
from sim.game import EXAMPLES_KEPT, XX, XY, YY, Game, Rules, Session, Strategy, Tallies, X, Y
from sim.services import batch, registry
from sim.services.result import ENDING, SHARE, WIN_GROUPS, WIN_RATE, Result


@dataclass(frozen=True, eq=False)
class Case:
    """One set-up of a game; ``games`` are as many as a test can play in about a second."""

    game: Game
    strategies: Mapping[str, Strategy]
    settings: Mapping[str, Any] = field(default_factory=dict)
    games: int = 400

    def __str__(self) -> str:
        return "-".join([self.game.name, *(f"{name}={value}" for name, value in self.settings.items())])

    @cached_property
    def rules(self) -> Rules:
        return self.game.resolve(self.settings)

    @cached_property
    def session(self) -> Session:
        """The session that the tests share."""
        return self.new_session()

    def new_session(self, checked: bool = False) -> Session:
        return self.game.session(self.rules, self.strategies, checked)

    def play(self, seed: int, games: int, threads: int = 1, chunk: int = batch.CHUNK) -> Tallies:
        rows = len(self.game.metrics(self.rules))
        examples = len(self.game.endings(self.rules)) + len(self.game.moments(self.rules))
        return batch.play(self.session, rows, examples, seed, games, threads, chunk=chunk)[0]


GAMES = [
    Case(TOY, {"default": CAREFUL}),
    Case(TOY, {"default": STUBBORN, "dealer": CONFUSED}, {"players": 6}),
    Case(BANG, registry.assign(BANG, ["simple"])),
    Case(BANG, registry.assign(BANG, ["random", "sheriff=simple"]), {"players": 4, "preset": "official"}),
    Case(BANG, registry.assign(BANG, ["random", "sheriff=simple"]), {"players": 3}),
    Case(BANG, registry.assign(BANG, ["random", "sheriff=simple"]), {"players": 8, "draw_count": 3}),
    Case(BANG, registry.assign(BANG, ["simple"]), {"expansions": "death_mesa"}),
    Case(BANG, registry.assign(BANG, ["random"]), {"expansions": "death_mesa", "dm_renegade_return": "zombie"}),
]

cases = pytest.mark.parametrize("case", GAMES, ids=str)


def assert_equal(one: Tallies, other: Tallies) -> None:
    for name, value in vars(one).items():
        assert np.array_equal(value, getattr(other, name)), name


def go() -> np.ndarray:
    """A stop flag that is not set."""
    return np.zeros(1, np.uint8)


def assert_named(names: list[str]) -> None:
    """Names are there, each once, and can stand on a command line."""
    assert names
    assert len(set(names)) == len(names)
    for name in names:
        assert name and name == name.strip() and not set(name) & set(' \t"=,'), name


def assert_documented(*texts: str) -> None:
    for text in texts:
        assert len(text.strip()) > 1 or text.isdigit(), f"no meaning: {text!r}"


@cases
def test_the_game_is_declared(case):
    assert isinstance(case.game, Game)
    assert_named([case.game.name])
    assert_documented(case.game.title)
    assert case.game.rules_version >= 1
    assert case.game.scenario_keys
    assert_named(sorted(case.game.scenario_keys))


@cases
def test_what_people_ask_for_first_is_counted(case):
    subjects = case.game.subjects(case.rules)
    assert subjects
    assert set(subjects) <= {metric.name for metric in case.game.metrics(case.rules)}
    assert_documented(*subjects.values())


@cases
def test_other_assumptions_can_be_played(case):
    for word, settings in case.game.assumptions(case.rules).items():
        assert_documented(word)
        for name, values in settings.items():
            assert values and case.rules[name] not in values
            for value in values:
                assert case.game.resolve({**case.settings, name: value})[name] == value


@cases
def test_decisions_are_declared(case):
    assert_named([decision.kind for decision in case.game.decisions])
    for decision in case.game.decisions:
        assert_named(list(decision.verbs))
        assert_documented(decision.meaning)


@cases
def test_parameters_are_declared(case):
    parameters = case.game.parameters()
    assert_named([parameter.name for parameter in parameters])
    for parameter in parameters:
        assert_documented(parameter.meaning, parameter.rule)
        assert parameter.defaults
        for default in parameter.defaults.values():
            assert parameter.parse(default) == default


@cases
def test_metrics_are_declared(case):
    metrics = case.game.metrics(case.rules)
    assert_named([metric.name for metric in metrics])
    for metric in metrics:
        assert_documented(metric.unit, metric.numerator, metric.denominator)
        named_as_ending = metric.name.startswith(f"{ENDING}.")
        named_as_win = metric.name.startswith(f"{WIN_RATE}.")
        assert named_as_ending == (metric.group == ENDING), metric.name
        assert named_as_win == (metric.group in WIN_GROUPS), metric.name
        if named_as_win:
            assert metric.name.startswith(f"{WIN_RATE}.{metric.group}."), metric.name
        if metric.group in (ENDING, *WIN_GROUPS):
            assert metric.unit == SHARE, metric.name
    endings = list(case.game.endings(case.rules))
    assert_named(endings)
    assert [metric.name for metric in metrics if metric.group == ENDING] == [f"{ENDING}.{name}" for name in endings]


@cases
def test_cards_are_rows(case):
    tables = case.game.card_tables(case.rules)
    for rows in tables.values():
        assert rows
        assert len({tuple(row) for row in rows}) == 1, "all rows of a table have the same columns"


@cases
def test_rules_come_back_as_they_are(case):
    assert not case.game.resolve({}).named
    everything = {"expansions": [*case.game.expansions]} if case.game.expansions else {}
    rules = case.game.resolve(everything)
    for parameter in case.game.parameters():
        if parameter.family:
            assert any(name.startswith(parameter.family) for name in rules.values), parameter.name
        else:
            assert rules[parameter.name] in parameter.defaults.values(), parameter.name
    again = case.game.resolve({**rules.values, **everything})
    assert again.values == rules.values
    assert again.named == frozenset(rules.values)
    assert (again.preset, again.expansions) == (rules.preset, rules.expansions)


@cases
def test_rules_may_be_written_as_text(case):
    rules = case.game.resolve({})
    texts = {name: str(value) for name, value in rules.values.items()}
    texts |= {name: str(value).lower() for name, value in rules.values.items() if isinstance(value, bool)}
    assert case.game.resolve(texts).values == rules.values


@cases
def test_an_unknown_rule_is_refused_with_the_nearest_name(case):
    valid = max((p.name for p in case.game.parameters() if not p.family), key=len)
    with pytest.raises(UserError, match=rf"{valid}x.*did you mean.*\b{valid}\b"):
        case.game.resolve({f"{valid}x": 1})


@cases
def test_a_value_out_of_range_is_refused(case):
    for parameter in case.game.parameters():
        if parameter.type == "int" and not parameter.family:
            with pytest.raises(UserError, match=parameter.name):
                case.game.resolve({parameter.name: parameter.high + 1})


@cases
def test_tallies_have_the_shape_and_sums_of_the_declaration(case):
    metrics, endings = case.game.metrics(case.rules), case.game.endings(case.rules)
    tallies = case.session.play(11, 0, case.games, go())
    assert (tallies.sums.shape, tallies.sums.dtype) == ((len(metrics), 5), np.int64)
    examples = len(endings) + len(case.game.moments(case.rules))
    assert (tallies.examples.shape, tallies.examples.dtype) == ((examples, EXAMPLES_KEPT), np.int64)
    assert tallies.games == case.games
    assert 0 <= tallies.unfinished <= tallies.games
    assert tallies.turns >= tallies.games
    assert 0 <= tallies.illegal <= tallies.decisions
    for metric, row in zip(metrics, tallies.sums, strict=True):
        sums = [int(s) for s in row]
        assert sums[X] >= 0 and sums[XX] >= sums[X], metric.name
        assert sums[XY] ** 2 <= sums[XX] * sums[YY], metric.name
        if metric.unit == SHARE:
            assert 0 <= sums[Y] <= sums[YY] <= sums[XY] <= sums[XX], metric.name


@cases
def test_single_games_add_up_to_the_tallies(case):
    tallies = case.session.play(22, 3, case.games, go())
    rows = [len(tallies.sums) - 1, *range(len(tallies.sums))]
    each = case.session.each(22, 3, case.games, go(), rows)[1]
    assert each.shape == (case.games, len(rows), 2)
    assert (each[:, 0] == each[:, -1]).all()
    y, x = each[:, 1:, 0], each[:, 1:, 1]
    assert (np.stack([y.sum(0), x.sum(0), (y * y).sum(0), (x * y).sum(0), (x * x).sum(0)], 1) == tallies.sums).all()
    assert case.session.each(22, 3, case.games, np.ones(1, np.uint8), rows)[1].shape[0] <= 1


@cases
def test_each_game_has_one_ending(case):
    tallies = case.session.play(12, 0, case.games, go())
    groups = np.array([metric.group for metric in case.game.metrics(case.rules)])
    rows = tallies.sums[groups == ENDING]
    assert rows[:, Y].sum() == case.games
    assert (rows[:, X] == case.games).all()
    assert (rows[:, YY] == rows[:, Y]).all()
    if "unfinished" in (endings := list(case.game.endings(case.rules))):
        assert tallies.unfinished == rows[endings.index("unfinished"), Y]
    kept = (tallies.examples[: len(rows)] >= 0).sum(axis=1)
    assert (kept == np.minimum(rows[:, Y], EXAMPLES_KEPT)).all()


@cases
def test_a_seat_is_counted_once_a_game(case):
    tallies = case.session.play(13, 0, case.games, go())
    by_seat = [row for m, row in zip(case.game.metrics(case.rules), tallies.sums, strict=True) if m.group == "seat"]
    assert all(row[X] in (0, case.games) for row in by_seat), "a seat that is in no game of the set-up has 0"


@cases
def test_the_division_of_the_work_does_not_matter(case):
    session = case.session
    games = case.games // 4
    whole = session.play(14, 0, games, go())
    for threads, chunk in itertools.product((1, 2, 3), (1, 17, 4096)):
        assert_equal(case.play(14, games, threads, chunk), whole)


@cases
def test_parts_add_up_to_the_whole_in_any_order(case):
    session = case.session
    low, high = session.play(15, 0, 100, go()), session.play(15, 100, 60, go())
    whole = session.play(15, 0, 160, go())
    high.add(low)
    assert_equal(high, whole)


@cases
def test_a_session_keeps_nothing_from_one_call_to_the_next(case):
    session = case.session
    once = session.play(16, 5, 50, go())
    session.play(17, 0, 30, go())
    assert_equal(session.play(16, 5, 50, go()), once)
    assert_equal(case.new_session().play(16, 5, 50, go()), once)


@cases
def test_seeds_and_ranges_differ(case):
    session = case.session
    ranges = [(1, 0), (2, 0), (2**40 + 1, 0), (1, 10**6)]
    results = [session.play(seed, first, case.games, go()) for seed, first in ranges]
    for one, other in itertools.combinations(results, 2):
        assert not np.array_equal(one.sums, other.sums)


@cases
def test_a_set_stop_flag_ends_play_after_one_game_at_most(case):
    tallies = case.session.play(18, 0, case.games, np.ones(1, np.uint8))
    assert tallies.games <= 1


@cases
def test_a_stop_leaves_the_first_games_whole(case):
    session, stop = case.session, go()
    session.play(19, 0, 1, go())
    timer = threading.Timer(0.05, lambda: stop.fill(1))
    timer.start()
    tallies = session.play(19, 0, 10**6, stop)
    timer.join()
    assert 0 < tallies.games < 10**6
    assert_equal(session.play(19, 0, tallies.games, go()), tallies)


@cases
def test_examples_are_the_first_games_of_their_ending(case):
    session, first, rows = case.session, 40, len(case.game.endings(case.rules))
    endings = naive.endings_one_by_one(session, 20, first, 60, rows)
    tallies = session.play(20, first, 60, go())
    assert tallies.examples[:rows].tolist() == naive.examples(endings, first, rows)


@cases
def test_checked_play_has_the_same_result(case):
    checked = case.new_session(checked=True)
    assert_equal(checked.play(21, 0, 50, go()), case.session.play(21, 0, 50, go()))


@cases
def test_an_unknown_strategy_is_refused(case):
    known = case.strategies["default"]
    with pytest.raises(UserError, match="no_such_function"):
        case.game.session(case.rules, {"default": Strategy("mine", known.source, "no_such_function")})


@cases
def test_a_result_can_be_made(case):
    declared, endings = case.game.metrics(case.rules), case.game.endings(case.rules)
    result = Result(
        command="play",
        version="1",
        game=case.game.name,
        rules=case.rules,
        strategies={role: strategy.name for role, strategy in case.strategies.items()},
        seed=22,
        games_asked=100,
        tallies=case.play(22, 100),
        declared=declared,
        ending_names=endings,
        moment_names=case.game.moments(case.rules),
        notes=case.game.notes(case.rules),
        seconds=1.0,
    )
    assert sum(row.count for row in result.endings) == 100
    assert sum(row.rate for row in result.endings) == pytest.approx(1)
    assert [row.name for row in result.metrics] == [metric.name for metric in declared]
    json.dumps(result.to_json(), allow_nan=False)
