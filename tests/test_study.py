"""Studies: the same tables whoever plays, after whatever happened, and no game played twice that is there."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pandas
import pytest
import studied
import watched
from studied import GAMES, asked, digests, of, run

from sim.errors import Notice, UserError
from sim.reports import cells
from sim.services import parts, results, study, tables, upkeep
from sim.services.executor import Workers
from sim.services.study import Study

posix = pytest.mark.skipif(os.name != "posix", reason="signals")

THREADS = [Workers("threading", count) for count in (1, 2, 3)]
PROCESSES = [Workers("loky", 2), Workers("dask", 2)]

CHUNK = 15
"""Games of a part in programs that are killed."""

PAIRED = asked(compare={"strategies": {"guest": "stubborn"}})
FEW = {"players": [2, 6], "strategies.dealer": ["careful", "stubborn"]}
DEALER = "win_rate.role.dealer"
HALF_WIDTH = asked(precision={"half_width": "3.9pp", "metric": DEALER, "max_games": 2000}, sweep=FEW)
RACING = asked(games=3000, sweep=FEW, goal={"metric": DEALER, "target": "highest", "racing": True})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The tables of runs that nothing disturbed, by experiment."""
    folder = tmp_path_factory.mktemp("whole")
    for name, of_it in (("plain", asked()), ("paired", PAIRED)):
        run(of_it, folder / name)
    return {name: digests(folder / name) for name in ("plain", "paired")}


def stored(folder: Path, of_it: dict[str, Any], games: int) -> dict[str, int]:
    """The games that are on disk for each cell, each counted once."""
    with Study(of(of_it), folder, THREADS[0]) as found:
        return {each.key: sum(part.count for part in found.store.parts(each.key, games)) for each in found.played}


# The same bytes


@pytest.mark.parametrize("workers", [*THREADS[1:], *PROCESSES], ids=str)
def test_tables_are_the_same_whoever_plays(
    workers: Workers, tmp_path: Path, whole: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "CHUNK", 25 * workers.count)
    run(PAIRED, tmp_path, workers)
    assert digests(tmp_path) == whole["paired"]


@pytest.mark.parametrize(("chunk", "batch_games", "batch_cells"), [(7, 1, 1), (8192, 10**6, 3), (100, 50, 64)])
def test_tables_are_the_same_however_the_games_are_cut(
    chunk: int, batch_games: int, batch_cells: int, tmp_path: Path, whole: dict[str, dict[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(parts, "CHUNK", chunk)
    monkeypatch.setattr(study, "FIRST_BATCH_GAMES", batch_games)
    monkeypatch.setattr(study, "BATCH_CELLS", batch_cells)
    run(asked(), tmp_path, THREADS[1])
    assert digests(tmp_path) == whole["plain"]


def test_cells_that_are_the_same_are_played_once(tmp_path: Path) -> None:
    twice = asked(sweep={"players": [3, 4], "strategies.guest": ["careful", "careful,mistakes=0"]})
    done = run(twice, tmp_path)
    assert len(done.played) == 4
    found = pandas.read_parquet(tmp_path / tables.CELLS)
    assert found.groupby("cell")["n"].max().tolist() == [GAMES] * 4
    assert done.new_games == GAMES * len({each.key for each in done.played})


def test_answers_that_were_not_legal_count_on_the_side_of_the_baseline_too(tmp_path: Path) -> None:
    (tmp_path / "folds.py").write_text("def decide(rank):\n    return 'fold'\n", encoding="utf-8")
    guests = {"strategies": {"guest": f"{tmp_path / 'folds.py'}:decide"}}
    done = run(asked(sweep={"players": [2, 3]}, compare=guests), tmp_path / "out")
    found = results.read(tmp_path / "out")
    assert [(cell.illegal, cell.baseline_illegal) for cell in found.manifest.cells] == [(0, GAMES), (0, 2 * GAMES)]
    assert found.manifest.illegal == done.doubts()[1] == 3 * GAMES
    assert f"{3 * GAMES} answers were not legal" in " ".join(map(str, cells.lines(found)))


def test_games_that_are_listed_add_up_to_their_cells(tmp_path: Path) -> None:
    run({**PAIRED, "report": {"listed_games": GAMES}}, tmp_path)
    found = pandas.read_parquet(tmp_path / "cells.parquet")
    for cell, rows in found.groupby("cell"):
        listed = pandas.read_parquet(tmp_path / "games" / f"{cell}.parquet")
        assert list(listed["game"]) == list(range(GAMES))
        numbers = rows.set_index("metric")
        names = [name for name in listed if name in numbers.index]
        assert DEALER in names and "ending.won" in names
        for name in names:
            assert listed[name].sum() == numbers["numerator"][name]
            assert (listed[f"{name}.of"].sum() if f"{name}.of" in listed else GAMES) == numbers["denominator"][name]
    run({**PAIRED, "report": {"listed_games": 3}}, tmp_path)
    assert len(pandas.read_parquet(tmp_path / "games" / "0.parquet")) == 3
    (tmp_path / "games" / "notes.txt").write_text("mine", encoding="utf-8")
    run(PAIRED, tmp_path)
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["notes.txt"]
    (tmp_path / "games" / "notes.txt").unlink()
    run(PAIRED, tmp_path)
    assert not (tmp_path / "games").exists()


def test_a_half_that_is_not_known_has_a_question_mark() -> None:
    """No game differs, so that nothing is known of how far a mean may be off."""
    found = {"unit": "rank", "estimate": 0.0, "low": math.nan, "high": math.nan}
    assert cells._change(found) == "+0.00 ± ?"
    assert cells._value(found) == "0.00 ± ?"
    assert cells._change({**found, "unit": "share"}) == "?"


def test_intervals_that_hold_at_all_looks_are_called_so(tmp_path: Path) -> None:
    compared = {"strategies": {"guest": "stubborn"}}
    goal = {"metric": DEALER, "target": "highest", "racing": True}
    for name, more in (("race", {"goal": goal}), ("plain", {})):
        run(asked(games=1000, sweep={"players": [2, 3]}, compare=compared, **more), tmp_path / name)
        told = [line for line in map(str, cells.lines(results.read(tmp_path / name))) if "half of the" in line]
        assert len(told) == 2 and all(("anytime" in line) == (name == "race") for line in told)


def test_a_cell_has_the_options_that_give_it(tmp_path: Path) -> None:
    run(PAIRED, tmp_path)
    found = results.read(tmp_path).manifest
    assert found.cells[1].options == " --players 2 --strategy careful --strategy dealer=stubborn"
    assert found.baseline is not None and found.baseline.options.endswith("--strategy guest=stubborn")


def test_tables_that_were_changed_are_found_and_a_page_of_others_does_not_stay(tmp_path: Path) -> None:
    run(PAIRED, tmp_path)
    assert results.damage(tmp_path) == []
    for name in (tables.CELLS, tables.DIFFERENCES):
        found = pandas.read_parquet(tmp_path / name)
        found.assign(estimate=found["estimate"] + 0.01).to_parquet(tmp_path / name, index=False)
    said = results.damage(tmp_path)
    assert [sentence.split(":")[0] for sentence in said] == [
        str(tmp_path / n) for n in (tables.CELLS, tables.DIFFERENCES)
    ]
    (tmp_path / tables.CELLS).write_bytes(b"PAR1 torn")
    assert "damaged" in results.damage(tmp_path)[0]
    (tmp_path / results.PAGE).write_text("what was there before", encoding="utf-8")
    assert run(PAIRED, tmp_path).new_games == 0
    assert results.damage(tmp_path) == []
    assert not (tmp_path / results.PAGE).exists()


# Resume, merge, top-up


def test_a_study_that_is_done_plays_nothing_more(tmp_path: Path, whole: dict[str, dict[str, str]]) -> None:
    assert run(PAIRED, tmp_path).new_games == 8 * GAMES
    assert run(PAIRED, tmp_path).new_games == 0
    assert digests(tmp_path) == whole["paired"]


def test_more_games_play_only_those_that_are_missing(tmp_path: Path, whole: dict[str, dict[str, str]]) -> None:
    run(asked(games=40), tmp_path)
    assert run(asked(), tmp_path).new_games == 8 * 80
    assert digests(tmp_path) == whole["plain"]
    assert run(asked(games=40), tmp_path).new_games == 0
    run(asked(games=40), tmp_path / "fresh")
    assert digests(tmp_path) == digests(tmp_path / "fresh")


def test_fewer_games_than_there_are(tmp_path: Path) -> None:
    run(asked(), tmp_path)
    assert run(asked(games=50), tmp_path).new_games == 8 * 50  # a part is not taken to pieces
    run(asked(games=50), tmp_path / "fresh")
    assert digests(tmp_path) == digests(tmp_path / "fresh")
    assert run(asked(), tmp_path).new_games == 0


def test_parts_from_another_folder_are_not_played_again(
    tmp_path: Path, whole: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the cells were played here, half of the others and one of the same elsewhere."""
    monkeypatch.setattr(parts, "CHUNK", 20)
    run(asked(sweep={"players": [2, 3], "strategies.dealer": ["careful", "stubborn"]}), tmp_path / "here")
    run(asked(sweep={"players": [3, 4], "strategies.dealer": ["careful", "stubborn"]}), tmp_path / "there")
    for path in (tmp_path / "there" / "parts").glob("*.parquet"):
        shutil.copy(path, tmp_path / "here" / "parts")
    done = run(asked(), tmp_path / "here")
    assert done.new_games == 2 * GAMES
    assert digests(tmp_path / "here") == whole["plain"]


def test_a_merge_tells_of_games_that_do_not_count_and_leaves_nothing_behind_where_there_are_none(
    tmp_path: Path,
) -> None:
    one = {"players": [2]}
    for name, seed in (("five", 5), ("six", 6), ("more", 5)):
        run(asked(games=10, sweep=one, seed=seed), tmp_path / name)
    with pytest.warns(Notice, match="six has games of seed 6, .*five of seed 5: they do not count together"):
        upkeep.merge(tmp_path / "five", [tmp_path / "six"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        upkeep.merge(tmp_path / "five", [tmp_path / "more"])
    with pytest.raises(UserError, match="nosuch: there are no parts"):
        upkeep.merge(tmp_path / "typo", [tmp_path / "nosuch"])
    assert not (tmp_path / "typo").exists()


def test_other_rules_strategies_and_seeds_have_parts_of_their_own(tmp_path: Path) -> None:
    run(asked(), tmp_path)
    assert run(asked(seed=6), tmp_path).new_games == 8 * GAMES
    assert run(PAIRED, tmp_path).new_games == 8 * GAMES
    assert run(asked(strategies={"default": "stubborn"}), tmp_path).new_games == 8 * GAMES
    assert run(asked(independent=True), tmp_path).new_games == 8 * GAMES
    assert run(asked(), tmp_path).new_games == 0


# Damage and death


def test_what_is_damaged_is_played_again(tmp_path: Path, whole: dict[str, dict[str, str]]) -> None:
    run(PAIRED, tmp_path)
    for path in (tmp_path / "parts").glob("*.parquet"):
        data = bytearray(path.read_bytes())
        data[len(data) // 3] ^= 4
        path.write_bytes(data)
    with pytest.warns(Notice, match="set aside"):
        done = run(PAIRED, tmp_path)
    assert done.new_games == 8 * GAMES
    assert digests(tmp_path) == whole["paired"]


def program(file: Path, folder: Path, workers: Workers, chunk: int, slow: float = 0.0) -> subprocess.Popen[str]:
    """The experiment of a JSON file, run by a program in a group of its own."""
    command = [sys.executable, str(studied.HERE / "studied.py"), str(file), str(folder), workers.backend]
    command += [str(workers.count), str(chunk), str(slow)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True,
        cwd=studied.HERE.parent,
    )  # fmt: skip


def kill_until_done(folder: Path, of_it: dict[str, Any], kills: int, dice: random.Random, log: Path) -> dict[str, int]:
    """Kills a run at random moments, all of it or one of its workers, as often as asked, and lets it end then.

    How often which was killed, and the games that were begun.
    """
    file = folder.with_suffix(".json")
    file.write_text(json.dumps(of_it))
    counts = {"all": 0, "worker": 0}
    while True:
        before = len(watched.begun(log))
        running = program(file, folder, Workers("loky", 2), CHUNK, slow=0.02)
        try:
            while sum(counts.values()) < kills and running.poll() is None:
                while len(watched.begun(log)) == before and running.poll() is None:
                    time.sleep(0.01)
                before = len(watched.begun(log))
                time.sleep(dice.uniform(0, 0.5))
                victim = dice.choice(["all", "worker"])
                if victim == "all":
                    os.killpg(running.pid, signal.SIGKILL)
                    running.wait()
                else:
                    try:
                        os.kill(watched.begun(log)[-1][0], signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                counts[victim] += 1
            told, errors = running.communicate(timeout=120)
        finally:
            if running.poll() is None:
                os.killpg(running.pid, signal.SIGKILL)
        assert "Traceback" not in errors, errors
        if running.returncode == 0:
            return counts
        assert running.returncode == -signal.SIGKILL, (told, errors)


@posix
def test_whoever_kills_it_at_any_moment_gets_the_same_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, dict[str, str]]
) -> None:
    """SCOFFLAW_KILLS: how many times, for those who want to know better."""
    monkeypatch.setenv(watched.LOG, str(tmp_path / "log"))
    monkeypatch.setenv(watched.SECONDS, "0.1")
    kills = int(os.environ.get("SCOFFLAW_KILLS", "15"))
    games = GAMES if kills == 15 else 40 * kills
    counts = kill_until_done(tmp_path / "killed", asked(games=games), kills, random.Random(3), tmp_path / "log")
    assert sum(counts.values()) == kills
    monkeypatch.delenv(watched.SECONDS)
    monkeypatch.delenv(watched.LOG)
    if games == GAMES:
        expected = whole["plain"]
    else:
        run(asked(games=games), tmp_path / "fresh", Workers("loky", 2))
        expected = digests(tmp_path / "fresh")
    assert digests(tmp_path / "killed") == expected
    assert set(stored(tmp_path / "killed", asked(games=games), games).values()) == {games}
    assert not (tmp_path / "killed" / "damaged").exists()
    begun = sum(count for *_, count in watched.begun(tmp_path / "log"))
    print(f"killed: {counts}; games begun: {begun}, needed: {8 * games}")


def left_of(group: int) -> list[str]:
    """The processes of a group that are still at work after a while; none where there is no /proc to look in."""
    for _ in range(50):
        stats = [path.read_text() for path in Path("/proc").glob("[0-9]*/stat") if path.exists()]
        fields = [stat.rpartition(")")[2].split() for stat in stats]
        found = [
            line
            for line, (state, _, of, *_) in zip(stats, fields, strict=True)
            if of == str(group) and state not in "ZX"
        ]
        if not found:
            break
        time.sleep(0.1)
    return found


@posix
@pytest.mark.parametrize("workers", [THREADS[1], *PROCESSES], ids=str)
def test_ctrl_c_ends_it_soon_and_keeps_what_was_played(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, dict[str, str]]
) -> None:
    log, file = tmp_path / "log", tmp_path / "experiment.json"
    file.write_text(json.dumps(asked()))
    monkeypatch.setenv(watched.LOG, str(log))
    monkeypatch.setenv(watched.SECONDS, "0.3")
    running = program(file, tmp_path / "out", workers, CHUNK)
    while len(watched.begun(log)) < 6 and running.poll() is None:
        time.sleep(0.02)
    pressed = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    told, errors = running.communicate(timeout=60)
    seconds = time.monotonic() - pressed
    assert errors == ""
    done = json.loads(told)
    assert done["interrupted"]
    assert 0 < done["new"] < 8 * GAMES
    assert seconds < 20  # alone on a machine one or two, the tables and the end of Python among them
    print(workers, seconds)
    assert not left_of(running.pid)
    monkeypatch.delenv(watched.SECONDS)
    assert run(asked(), tmp_path / "out").new_games == 8 * GAMES - done["new"]
    assert digests(tmp_path / "out") == whole["plain"]


def test_what_an_interrupt_cut_short_is_taken_up_again_in_the_same_program(
    tmp_path: Path, whole: dict[str, dict[str, str]]
) -> None:
    told = 0

    def press(progress: study.Progress) -> None:
        nonlocal told
        told += 1
        if told == 2:
            raise KeyboardInterrupt

    first = run(PAIRED, tmp_path, THREADS[1], tell=press)
    assert first.interrupted
    assert json.loads((tmp_path / tables.MANIFEST).read_text())["partial"]
    second = run(PAIRED, tmp_path, THREADS[1])
    assert not second.interrupted
    assert 0 < second.new_games < 8 * GAMES
    assert digests(tmp_path) == whole["paired"]


def test_two_runs_in_one_folder_are_told(tmp_path: Path) -> None:
    with Study(of(asked()), tmp_path, THREADS[0]) as first:
        first.play()
        with pytest.raises(UserError, match="another scofflaw is at work"):
            run(asked(), tmp_path)
    assert run(asked(), tmp_path).new_games == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_disk_that_fills_up_loses_nothing_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, dict[str, str]]
) -> None:
    import resource

    monkeypatch.setattr(parts, "CHUNK", 50)
    run(asked(games=GAMES // 2), tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(UserError, match="make room and start the same command again"):
            run(asked(), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert run(asked(), tmp_path).new_games == 4 * GAMES
    assert digests(tmp_path) == whole["plain"]


# How many games


def ends(folder: Path) -> list[int]:
    cells = json.loads((folder / tables.MANIFEST).read_text())["cells"]
    return [cell["games"] for cell in cells]


@pytest.mark.parametrize("of_it", [HALF_WIDTH, RACING], ids=["half-width", "racing"])
def test_cells_end_at_the_same_games_whoever_plays_and_after_a_stop(
    of_it: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(of_it, tmp_path / "a")
    assert len(set(ends(tmp_path / "a"))) > 1, "all cells end together"
    assert all(games % 1000 == 0 for games in ends(tmp_path / "a"))
    run(of_it, tmp_path / "b", Workers("loky", 2))

    def press(progress: study.Progress) -> None:
        if progress.games > 1500:
            raise KeyboardInterrupt

    monkeypatch.setattr(parts, "CHUNK", 300)
    assert run(of_it, tmp_path / "c", tell=press).interrupted
    again = run(of_it, tmp_path / "c", THREADS[1])
    assert 0 < again.new_games < first.new_games
    assert digests(tmp_path / "a") == digests(tmp_path / "b") == digests(tmp_path / "c")
    assert ends(tmp_path / "a") == ends(tmp_path / "b") == ends(tmp_path / "c")


@pytest.mark.parametrize("of_it", [HALF_WIDTH, RACING], ids=["half-width", "racing"])
def test_intervals_hold_at_all_looks_where_looks_decide(of_it: dict[str, Any], tmp_path: Path) -> None:
    run(of_it, tmp_path)
    found = pandas.read_parquet(tmp_path / tables.CELLS)
    assert found["method"].str.contains("anytime|sequence|any time").all(), set(found["method"])
    run(asked(), tmp_path / "fixed")
    fixed = pandas.read_parquet(tmp_path / "fixed" / tables.CELLS)
    assert not fixed["method"].str.contains("anytime|sequence|any time").any()


def test_cells_that_are_not_known_as_exactly_as_asked_for_are_counted(tmp_path: Path) -> None:
    run(asked(precision={"half_width": "3.9pp", "metric": DEALER, "max_games": 1000}, sweep=FEW), tmp_path / "wide")
    alike = {"strategies.dealer": ["careful", "careful,mistakes=0"]}
    goal = {"metric": DEALER, "target": "highest", "racing": True}
    done = run(asked(games=1000, sweep=alike, goal=goal), tmp_path / "race")
    found = results.read(tmp_path / "wide").manifest
    exact = [cell.games < 1000 or cell.reached for cell in found.cells]
    assert 0 < exact.count(False) < 4
    assert found.missed is not None and found.missed.startswith(f"{exact.count(False)} of 4 set-ups did not come")
    assert not any(each.reached for each in done.played), "nothing was left of the race in the end"
    assert results.read(tmp_path / "race").manifest.missed is None


def test_a_race_keeps_the_best_cell_and_ends_those_that_are_clearly_behind(tmp_path: Path) -> None:
    done = run(RACING, tmp_path)
    found = pandas.read_parquet(tmp_path / tables.CELLS).query("metric == 'win_rate.role.dealer'").set_index("cell")
    best = found["estimate"].idxmax()
    longest = max(each.games for each in done.played)
    for each in done.played:
        behind = found["high"][each.cell.number] < found["low"].max()
        assert each.games == longest if each.cell.number == best else True
        assert behind or each.games == longest


def test_independent_cells_have_seeds_of_their_own_that_stay(tmp_path: Path) -> None:
    done = run(asked(independent=True), tmp_path)
    seeds = [each.cell.seed for each in done.played]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [each.cell.seed for each in run(asked(independent=True, games=GAMES + 9), tmp_path).played]


def test_files_stay_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "CHUNK", 10)
    monkeypatch.setattr(study, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(study, "FLUSH_SHARE", 0.0)
    run(asked(games=30), tmp_path, THREADS[1])
    assert len(list((tmp_path / "parts").glob("*.parquet"))) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(asked(games=30), tmp_path).new_games == 0
