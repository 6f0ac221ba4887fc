"""``scofflaw compare``: one change, the same deals on both sides, and what is said about it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest
import studied
from conftest import Command, without_compiling
from rich.table import Table

import sim
from sim.bang.game import BANG
from sim.errors import UserError
from sim.game import Metric
from sim.reports import compare as report
from sim.services import compare, results, tables
from sim.services.experiment import Compare
from sim.services.study import Study
from sim.services.until import LARGER, SMALLER, UNDECIDED, until

DRAW = ("--rules", "draw_count=3", "--against", "draw_count=2")
LAW = "win_rate.team.law"
SHARE, TURNS = Metric(LAW, "team", "share", "", ""), Metric("turns", "game", "turns", "", "")


def rows(found: dict, part: str = "differences") -> dict[str, dict]:
    return {row["metric"]: row for row in found[part]}


def test_both_sides_are_plain_runs_of_the_same_games(scofflaw: Command) -> None:
    done = scofflaw("compare", *DRAW, "--games", 3000, "--seed", 5, "--quick", "--json")
    assert (done.code, without_compiling(done.err)) == (0, "")
    found = json.loads(done.out)
    sides = [sim.run(rules={"draw_count": count}, games=3000, seed=5) for count in (3, 2)]
    for metric, row in rows(found).items():
        rates = [next((m.estimate for m in side.metrics if m.name == metric), None) for side in sides]
        if metric.startswith("win_rate.team."):
            rates = [next(w.rate for w in side.win_rates if f"win_rate.team.{w.name}" == metric) for side in sides]
        if rates[0] is None or row["estimate"] is None:
            continue
        assert (row["rate"], row["baseline"]) == pytest.approx(rates)
        assert row["estimate"] == pytest.approx(rates[0] - rates[1])
        assert row["n"] == 3000
    assert found["change"] == "draw_count=3 instead of 2"
    assert (found["one"]["rules"]["draw_count"], found["other"]["rules"]["draw_count"]) == (3, 2)
    assert "others" not in found


def test_processes_find_what_threads_find(scofflaw: Command) -> None:
    by_threads, by_processes = (
        json.loads(scofflaw("compare", *DRAW, "--games", 3000, "--quick", "--json", *more).out)
        for more in ((), ("--backend", "loky", "--threads", 2))
    )
    assert rows(by_threads) == rows(by_processes)
    refused = scofflaw("compare", *DRAW, "--games", 3000, "--backend", "locky")
    assert refused.code == 2 and "loky" in refused.err


def test_the_verdict_says_in_words_what_the_table_says_in_numbers(scofflaw: Command) -> None:
    change = ("--rules", "sheriff_extra_life=0", "--against", "sheriff_extra_life=1")
    words = ("compare", *change, "--games", 4000, "--quick")
    found = json.loads(scofflaw(*words, "--json").out)
    text = scofflaw(*words).out
    law = rows(found)[LAW]
    assert law["p_adjusted"] < 1e-6 and law["high"] < 0
    half = 100 * (law["high"] - law["low"]) / 2
    said = f"sheriff_extra_life=0 instead of 1 costs the law {-100 * law['estimate']:.1f} ± {half:.1f} points"
    assert found["verdict"][0] == said
    assert said in text
    assert "gives the Outlaws" in text
    assert "7 players" in text and "4,000 games of seed 1 on both sides" in text
    assert text.rstrip().splitlines()[-1].startswith("Again: scofflaw compare --rules sheriff_extra_life=0 --against")


def test_pairs_are_judged_together(scofflaw: Command) -> None:
    """Holm's correction over the figures of the table, and never below the plain p."""
    found = json.loads(scofflaw("compare", *DRAW, "--games", 2000, "--quick", "--json").out)
    p = [(row["p"], row["p_adjusted"]) for row in found["differences"] if row["p"] is not None]
    assert len(p) > 20
    smallest = min(p)
    assert smallest[1] == pytest.approx(min(1, smallest[0] * len(p)), rel=1e-6)
    assert all(plain <= corrected <= 1 for plain, corrected in p)


def test_what_is_assumed_on_the_other_side_is_said_too(scofflaw: Command) -> None:
    done = scofflaw("compare", "--against", "expansions=death_mesa", "--games", 300, "--quick")
    assert done.code == 0
    assert "48 of the 52 cards are assumed" in done.out
    assert "BANG!, 7 players: leaving out Death Mesa" in done.out


def test_the_preset_of_the_seed_against_the_printed_rules(scofflaw: Command) -> None:
    done = scofflaw("compare", "--against", "preset=official", "--games", 500, "--quick")
    assert done.code == 0
    assert "preset=seed instead of official" in done.out


def test_other_strategies_are_asked_too(scofflaw: Command) -> None:
    done = scofflaw("compare", *DRAW, "--players", 4, "--games", 1000, "--json")
    found = json.loads(done.out)
    assert done.code == 0
    others = found["others"]
    assert (others["over"], others["games"]) == (["strategies"], 1000)
    assert [cell["values"] for cell in others["cells"]] == [{"strategies.default": "simple"}]
    again = json.loads(
        scofflaw("compare", *DRAW, "--players", 4, "--games", 1000, "--strategy", "simple", "--quick", "--json").out
    )
    own, other = rows(found)[LAW]["estimate"], rows(again)[LAW]["estimate"]
    assert rows(others)[LAW]["estimate"] == other
    ranges = others["ranges"][LAW]
    assert (ranges["low"], ranges["high"]) == (min(own, other), max(own, other))
    assert "; over strategies" in found["verdict"][0]


def resolved(settings: dict, against: Compare, players: dict | None = None):
    return compare.of_settings(BANG, settings, players or {}, against, 50_000, 1)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A comparison of two ways to play High Card."""
    strategies = {"default": "careful", "dealer": "stubborn"}
    asked = studied.asked(sweep={}, strategies=strategies, compare={"strategies": {"dealer": "careful"}})
    return studied.run(asked, tmp_path_factory.mktemp("dealt"))


@pytest.mark.parametrize(
    ("p", "said"), [(0.5, "over strategies anything from -3.00 to -2.00"), (1e-9, "over strategies 2.00 to 3.00")]
)
def test_a_range_has_its_signs_unless_words_say_which_way(dealt: Study, p: float, said: str) -> None:
    (row,) = (row for row in tables.difference_rows(dealt) if row["metric"] == "win_rate.role.dealer")
    row = {**row, "estimate": -0.02, "low": -0.03, "high": -0.01, "p": p}
    others = compare.Others(dealt.experiment, ["strategies"], {})
    (sentence,) = report.verdict(report.Found(dealt, [row], None, others, [{**row, "estimate": -0.03}]))
    assert said in sentence
    assert ("No difference is known" in sentence) == (p > 0.05)


def test_doubts_are_told_before_the_figures(dealt: Study) -> None:
    found = report.Found(dealt, tables.difference_rows(dealt), unfinished=2, illegal=30)
    told = " ".join(map(str, report.lines(found)))
    assert "2 games came to no end" in told and "30 answers were not legal" in told
    content = report.as_json(found, "")
    assert (content["unfinished"], content["illegal"]) == (2, 30)


def test_a_single_game_on_each_side_tells_nothing_and_says_so(tmp_path: Path) -> None:
    asked = studied.asked(games=1, sweep={}, compare={"strategies": {"dealer": "stubborn"}})
    study = studied.run(asked, tmp_path)
    told = [*report.lines(report.Found(study, tables.difference_rows(study)))]
    assert any("Too few games to tell anything; play more: --games." in str(line) for line in told)
    assert not any(isinstance(line, Table) for line in told)


def test_what_is_varied_are_strategies_and_decks_one_at_a_time() -> None:
    asked = resolved({"expansions": "death_mesa"}, Compare(rules={"expansions": "none"}))
    others = compare.others(asked, 50_000)
    assert others is not None
    assert (others.over, others.experiment.games) == (["strategies", "decks"], 10_000)
    changed = [others.changed(cell) for cell in others.experiment.cells]
    assert changed == [
        "strategy=simple", "dmd_composition=w1", "dmd_composition=a_plus", "dmd_composition=p",
        "dmd_composition=random", "dmd_arrangement=1", "dmd_arrangement=2",
    ]  # fmt: skip
    for cell in others.experiment.cells:
        assert cell.baseline is not None
        assert cell.baseline.rules.expansions == ()
        assert dict(cell.baseline.strategies) == dict(cell.setup.strategies)
        assert cell.seed == asked.cells[0].seed


def test_what_is_compared_is_not_varied() -> None:
    mesa = {"expansions": "death_mesa"}
    by_strategy = compare.others(resolved(mesa, Compare(strategies={"renegade": "random"})), 1000)
    assert by_strategy is not None and by_strategy.over == ["decks"]
    by_deck = compare.others(resolved(mesa, Compare(rules={"dmd_composition": "p"})), 100_000)
    assert by_deck is not None and by_deck.experiment.games == 20_000
    assert not any("composition" in by_deck.changed(cell) for cell in by_deck.experiment.cells)
    assert any("arrangement" in by_deck.changed(cell) for cell in by_deck.experiment.cells)
    own_deck = resolved({"draw_count": 3}, Compare(rules={"draw_count": 2}))
    varied = compare.others(own_deck, 1000)
    assert varied is not None and varied.over == ["strategies"]


def test_a_table_where_roles_differ_is_also_asked_of_everybody_by_one_strategy() -> None:
    mixed = compare.others(resolved({}, Compare(rules={"draw_count": 3}), {"renegade": "random"}), 1000)
    assert mixed is not None
    assert [mixed.changed(cell) for cell in mixed.experiment.cells] == ["strategy=simple", "strategy=standard"]


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ({"expansions": "death_mesa"}, {"expansions": "none"}, "Death Mesa"),
        ({}, {"expansions": "death_mesa"}, "leaving out Death Mesa"),
        ({"players": "5", "draw_count": "3"}, {"draw_count": 1}, "draw_count=3 instead of 1"),
        ({"preset": "official"}, {"preset": "seed"}, "preset=official instead of seed"),
        ({"copies.bang": 20}, {"copies": {"bang": 22}}, "copies.bang=20 instead of 22"),
    ],
)
def test_changes_in_words(one: dict, other: dict, said: str) -> None:
    cell = resolved(one, Compare(rules=other)).cells[0]
    assert cell.baseline is not None
    assert compare.change(cell.setup, cell.baseline) == said


def test_changes_of_strategies_in_words() -> None:
    cell = resolved({}, Compare(strategies={"renegade": "random"})).cells[0]
    assert cell.baseline is not None
    assert compare.change(cell.setup, cell.baseline) == "standard for renegade instead of random"


FILE = """
question = "{draw}"
[precision]
games = 400
[rules]
draw_count = {draw}
[sweep]
players = [4, {players}]
"""


def written(folder: Path, name: str, **values: int) -> Path:
    path = folder / name
    path.write_text(FILE.format(**{"players": 5, **values}), encoding="utf-8")
    return path


def test_two_files_cell_by_cell(scofflaw: Command, tmp_path: Path) -> None:
    one, other = written(tmp_path, "one.toml", draw=3), written(tmp_path, "other.toml", draw=2)
    out = tmp_path / "out"
    done = scofflaw("compare", one, other, "--out", out, "--games", 2000)
    assert done.code == 0
    found = results.read(out)
    assert found.differences is not None
    for players, part in found.differences[found.differences["metric"] == LAW].groupby("players"):
        sides = [sim.run(rules={"draw_count": d, "players": players}, games=2000) for d in (3, 2)]
        rates = [next(w.rate for w in side.win_rates if (w.group, w.name) == ("team", "law")) for side in sides]
        assert part[["rate", "baseline"]].to_numpy()[0] == pytest.approx(rates)
    again = scofflaw("compare", one, other, "--out", out, "--games", 2500)
    assert again.code == 0
    assert (results.read(out).cells["n"] == 2500).all()
    assert f"Results: {out}" in done.out
    law = found.differences[found.differences["metric"] == LAW]
    assert (law["p_adjusted"] < 0.05).all()
    rises = (law["estimate"] > 0).all()
    assert f"The win rate of law (team) {'rises' if rises else 'falls'} clearly in both set-ups: by " in done.out


def test_a_comparison_that_is_kept_goes_on_and_has_tables(scofflaw: Command, tmp_path: Path) -> None:
    words = ("compare", *DRAW, "--players", 4, "--out", tmp_path / "kept")
    first = scofflaw(*words, "--games", 600)
    more = scofflaw(*words, "--games", 900)
    fresh = scofflaw("compare", *DRAW, "--players", 4, "--games", 900, "--out", tmp_path / "fresh")
    assert first.code == more.code == fresh.code == 0
    for folder in (Path(), Path("others")):
        kept, anew = (tmp_path / name / folder for name in ("kept", "fresh"))
        for table in (results.CELLS, results.DIFFERENCES):
            assert pandas.read_parquet(kept / table).equals(pandas.read_parquet(anew / table))
        assert results.read(kept).manifest.command.startswith("scofflaw compare ")
    assert f"--games 600 --out {tmp_path / 'kept'}\n" in first.out


# When to stop


def test_the_question_when_to_stop() -> None:
    asked = until("difference > 0.5pp", SHARE)
    assert (asked.metric, asked.by, asked.bounded) == (LAW, 0.005, True)
    limits = [(0.006, 0.02), (-0.02, -0.006), (-0.004, 0.004), (0.004, 0.02), (-0.02, 0.02), (np.nan, np.nan)]
    assert [asked.answer(*each) for each in limits] == [LARGER, LARGER, SMALLER, UNDECIDED, UNDECIDED, UNDECIDED]
    assert until(" difference>2 ", TURNS).by == 2
    assert until("difference > 0pp", SHARE).answer(0.001, 0.3) == LARGER


@pytest.mark.parametrize(
    ("asked", "metric", "message"),
    [
        ("0.5pp", SHARE, "is no such question; write for example difference > 0.5pp"),
        ("difference < 0.5pp", SHARE, "is no such question"),
        ("difference > 0.5", SHARE, "is a share, which differs by percentage points"),
        ("difference > 0.5pp", TURNS, "is counted in turns"),
        ("difference > 200pp", SHARE, "no difference is so large"),
    ],
)
def test_questions_that_cannot_be_answered(asked: str, metric: Metric, message: str) -> None:
    with pytest.raises(UserError, match=message):
        until(asked, metric)


@pytest.mark.parametrize(
    ("question", "metric", "answer", "said"),
    [
        ("difference > 2pp", LAW, LARGER, "win_rate.team.law differs by more than 2 points"),
        ("difference > 90pp", LAW, SMALLER, "win_rate.team.law differs by less than 90 points"),
        ("difference > 1", "turns", LARGER, "turns differs by more than 1"),
    ],
)
def test_it_stops_as_soon_as_the_answer_is_known(
    scofflaw: Command, question: str, metric: str, answer: str, said: str
) -> None:
    change = ("--rules", "sheriff_extra_life=3", "--against", "sheriff_extra_life=0")
    words = ("compare", *change, "--until", question, "--metric", metric, "--quick", "--games", 30_000)
    found = json.loads(scofflaw(*words, "--json").out)
    assert found["until"]["answer"] == answer
    assert found["games"] < 30_000 and found["games"] % 1000 == 0
    assert found["verdict"][0] == f"Known after {found['games']:,} games: {said}."
    assert "anytime" in rows(found)[metric]["method"]
    threads = json.loads(scofflaw(*words, "--json", "--threads", 1).out)
    assert threads["differences"] == found["differences"]


def test_it_says_so_if_the_answer_is_not_known_in_the_end(scofflaw: Command) -> None:
    words = ("compare", *DRAW, "--until", "difference > 0.01pp", "--quick", "--games", 2500)
    done = scofflaw(*words)
    assert done.code == 0
    assert "Undecided after 2,500 games, the most that were allowed (--games)" in done.out
    assert json.loads(scofflaw(*words, "--json").out)["until"]["answer"] == UNDECIDED


# Mistakes


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--expansions", "death_mesa"), "nothing is said about what to compare with; add --against"),
        (("--players", 7, "--against", "players=7"), "both sides are the same set-up"),
        (("--against", "draw_cuont=3"), "--against: unknown parameter 'draw_cuont'; did you mean draw_count"),
        (("--against", "draw_count"), "--against 'draw_count': write KEY=VALUE"),
        (("--against", "draw_count=3", "--against", "draw_count=4"), "draw_count is set twice"),
        (("--against", "strategy=random"), "write --against-strategy"),
        (("--against-strategy", "simpel"), "did you mean simple"),
        (("--against-strategy", "sherif=random"), "did you mean sheriff"),
        ((*DRAW, "--metric", "win_rate.team.lew"), "did you mean win_rate.team.law"),
        ((*DRAW, "--until", "0.5pp"), "write for example difference > 0.5pp"),
        (("--expansions", "death_mesa", "--against", "expansions=none", "--metric", "zombie.won"), "unknown metric"),
        ((*DRAW, "--games", 0), "games is 0; valid: 1.."),
        (("one.toml", "two.toml", "--games", 0), "games is 0; valid: 1.."),
        (("one.toml", "two.toml", "--seed", -1), "seed is -1; valid: 0.."),
        (("one.toml",), "name two experiment files"),
        (("one.toml", "none.toml"), "none.toml: cannot be read"),
        (("one.toml", "one.toml"), "both sides are the same set-up"),
        (("one.toml", "wide.toml"), "do not have the same cells: they sweep players, with other values"),
        (("one.toml", "two.toml", "--players", 5), "--players does not go with an experiment file"),
        (("paired.toml", "one.toml"), "it has a [compare] table, so it is a comparison: scofflaw run"),
    ],
)
def test_mistakes(
    scofflaw: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "one.toml", draw=3)
    written(tmp_path, "two.toml", draw=2)
    written(tmp_path, "wide.toml", draw=2, players=6)
    paired = written(tmp_path, "paired.toml", draw=3)
    paired.write_text(paired.read_text(encoding="utf-8") + "[compare]\nrules = { draw_count = 2 }\n", encoding="utf-8")
    done = scofflaw("compare", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("scofflaw: ") and done.err.count("\n") == 1
    assert message in done.err
