"""The command line: what each command prints, mistakes, exit codes, interrupts."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import studies
from conftest import without_compiling

from sim.cli.app import app
from sim.services import checking, registry

ROOT = Path(__file__).parents[1]
SCOFFLAW = (sys.executable, "-m", "sim.cli")
CAPTURED = {"capture_output": True, "text": True}

RUN_KEYS = {
    "schema": int, "command": str, "version": str, "game": str, "rules": dict, "strategies": dict, "seed": int,
    "games": int, "unfinished": int, "illegal": int, "seconds": float, "games_per_s": float, "endings": list,
    "win_rate": list, "metrics": list, "minutes": dict, "examples": dict,
}  # fmt: skip
ROW_KEYS = {
    "endings": ["name", "count", "rate", "low", "high"],
    "win_rate": ["group", "name", "n", "wins", "rate", "low", "high"],
    "metrics": ["name", "numerator", "denominator", "estimate", "low", "high", "method"],
}
BENCH_KEYS = [
    "schema", "strategy", "players", "threads", "games", "seconds", "games_per_s", "decisions_per_game",
    "turns_per_game", "ns_per_decision",
]  # fmt: skip
MAY_DIFFER = ("seconds", "games_per_s")

MISTAKES = [
    (["run", "--games", "0"], "games is 0; valid: 1..1000000000000"),
    (["run", "--games", "-5"], "games is -5"),
    (["run", "--games", "1000000000001"], "valid: 1..1000000000000"),
    (["run", "--games", "many"], "games: 'many' is not a whole number; valid: 1..1000000000000"),
    (["run", "--games", "1e6"], "games: '1e6' is not a whole number; valid: 1..1000000000000"),
    (["run", "--seed", "x"], "seed: 'x' is not a whole number; valid: 0..9223372036854775807"),
    (["run", "--threads", ""], "threads: '' is not a whole number; valid: 1..1024"),
    (["check", "--games", "x"], "games: 'x' is not a whole number; valid: 1..1000000000000"),
    (["scenario", "--seeds", "x", "README.md"], "seeds: 'x' is not a whole number; valid: 1..1000000"),
    (["run", "--seed", "-1"], "seed is -1; valid: 0..9223372036854775807"),
    (["run", "--seed", str(2**63)], "valid: 0..9223372036854775807"),
    (["run", "--threads", "0"], "threads is 0; valid: 1..1024"),
    (["run", "--threads", "100000"], "threads"),
    (["run", "--players", "9"], "players: '9' is out of range; valid: 3..8"),
    (["run", "--players", "two"], "players: 'two' is not a whole number; valid: 3..8"),
    (["run", "--expansions", "dodge_city"], "does not play dodge_city yet"),
    (["run", "--expansions", "doge_city"], "did you mean dodge_city"),
    (["run", "--rules", "plyers=5"], "did you mean players"),
    (["run", "--strategy", "simple,mistakes=2"], "strategy simple: mistakes is '2'; valid: 0..1"),
    (["run", "--strategy", "simple,mistakes"], "write for example simple,mistakes=0.1"),
    (["run", "--strategy", "simple,mistake=1"], "unknown setting 'mistake'; did you mean mistakes?"),
    (["run", "--strategy", "simple,mistakes=0.1,mistakes=0.2"], "mistakes is set twice"),
    (["run", "--strategy", "simple", "--strategy", "ghost=random"], "ghosts only with --expansions death_mesa"),
    (["run", "--strategy", "mine.py"], "write FILE.py:FUNCTION, for example my.py:decide"),
    (["run", "--strategy", "no/mine.py:decide"], "there is no file no/mine.py"),
    (["new", "strtegy", "x"], "unknown kind of file 'strtegy'; did you mean strategy?"),
    (["new", "experiment", ""], "NAME is '', which names no file; write for example: scofflaw new experiment mine"),
    (["new", "experiment", "no/"], "NAME is 'no/', which names no file"),
    (["run", "any.toml", "--turn-seconds", "10"], "--turn-seconds does not go with an experiment file"),
    (["results", "merge", "no/such", "README.md"], "README.md: there are no parts of an experiment in it"),
    (["new", "strategy", "no/x"], "no/x.py: it cannot be written: No such file or directory"),
    (["ladder", "simple", "simpel"], "unknown strategy 'simpel'; did you mean simple?"),
    (["ladder", "simple", "random", "--players", "4-x"], "--players '4-x': write numbers and ranges, for example 4-8"),
    (["ladder", "simple", "random", "--players", "8-4"], "the range is empty"),
    (["ladder", "simple", "random", "--players", "2"], "players: 2 is out of range; valid: 3..8"),
    (["ladder", "simple", "random", "--rules", "players=5"], "write --players for a ladder"),
    (["run", "--rules", "players"], "write KEY=VALUE"),
    (["run", "--rules", "=5"], "write KEY=VALUE"),
    (["run", "--rules", "preset=oficial"], "'oficial' is not one of its values; valid: official"),
    (["run", "--rules", "sheriff_penalty=maybe"], "valid: true, false"),
    (["run", "--rules", "roles.outlaws=5"], "the roles add up to 9 but players is 7"),
    (["run", "--players", "3", "--rules", "roles.outlaws=1"], "with 3 players"),
    (["run", "--players", "5", "--rules", "players=6"], "players is set twice"),
    (["run", "--rules", "copies.bnag=3"], "did you mean copies.bang"),
    (["run", "--rules", "life.jese_jones=3"], "did you mean life.jesse_jones"),
    (["run", "--rules", "deck=nowhere.csv"], "nowhere.csv: cannot be read"),
    (["run", "--strategy", "simpel"], "unknown strategy 'simpel'; did you mean simple?"),
    (["run", "--strategy", "simple", "--strategy", "sherif=random"], "did you mean sheriff"),
    (["run", "--strategy", "sheriff=random"], "nothing is said about the other roles"),
    (["run", "--strategy", "simple", "--strategy", "random"], "everybody has two"),
    (["run", "--strategy", "renegade="], "strategy 'renegade=': write ROLE=NAME"),
    (["run", "--strategy", "=simple"], "strategy '=simple': write ROLE=NAME, with one of default, "),
    (["run", "--gmes", "5"], "--gmes"),
    (["rn"], "rn"),
    (["trace"], "--game"),
    (["trace", "--game", "-1"], "game is -1"),
    (["trace", "--game", "one"], "game: 'one' is not a whole number; valid: 0..999999999999"),
    (["trace", "--game", "1", "--at", "3"], "belong together"),
    (["trace", "--game", "1", "--at", "-1", "--save-scenario", "no/file"], "--at is -1; decisions are numbered from 1"),
    (["scenario", "no/such/place"], "no/such/place"),
    (["scenario", "--seeds", "0", "README.md"], "seeds is 0"),
    (["check", "--games", "0"], "games is 0"),
    (["check", "--all", "--players", "5"], "leave out players"),
    (["rules", "plyers"], "did you mean players"),
    (["rules", "dm_decay"], "belongs to death_mesa, which is not in use; name it in --expansions"),
    (["rules", "--diff", "oficial"], "did you mean official"),
    (["bench", "--strategy", "none"], "unknown strategy 'none'"),
    (["bench", "--games", "0"], "games is 0"),
    (["run", "--precision", "lots"], "precision: 'lots' is no half-width; write for example 0.2pp"),
    (["run", "--precision", "0.2"], "the rate of an ending is a share, and its half-width is in percentage points"),
    (["run", "--precision", "0.2pp", "--metric", "turns"], "turns is counted in turns; write for example 0.5"),
    (["run", "--precision", "0.2pp", "--metric", "win_rate.role.sherif"], "did you mean win_rate.role.sheriff"),
    (["run", "--metric", "turns"], "metric 'turns': nothing is said about how exactly; add a precision"),
    (["run", "--turn-seconds", "0"], "turn_seconds is 0; valid: 1..3600"),
    (["run", "--turn-seconds", "long"], "turn_seconds: 'long' is not a whole number; valid: 1..3600"),
    (["guide", "interval"], "guide: unknown topic 'interval'; did you mean intervals?"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_is_told_and_exits_with_2(scofflaw, words, message):
    answer = scofflaw(*words)
    assert answer.code == 2
    assert answer.out == ""
    assert message in re.sub(r"[\s│]+", " ", answer.err)
    assert "Traceback" not in answer.err


def test_a_run_tells_who_wins(scofflaw):
    answer = scofflaw("run", "--games", 2000, "--players", 5)
    assert answer.code == 0
    for text in ("5 players", "outlaws", "sheriff", "bart_cassidy", "95 % interval", "Unfinished games: 0"):
        assert text in answer.out
    assert "scofflaw run --games 2000 --seed 1 --players 5" in answer.out


def test_json_is_one_object_with_the_keys_of_the_schema(scofflaw):
    answer = scofflaw("run", "--games", 500, "--json", "--rules", "draw_count=3")
    found = json.loads(answer.out)
    assert list(found) == list(RUN_KEYS)
    for key, kind in RUN_KEYS.items():
        assert type(found[key]) is kind, key
    for key, columns in ROW_KEYS.items():
        assert found[key]
        for row in found[key]:
            assert list(row) == columns
    assert (found["schema"], found["command"], found["game"]) == (1, "run", "bang")
    assert (found["games"], found["seed"], found["strategies"]) == (500, 1, {"default": "standard"})
    assert (found["rules"]["preset"], found["rules"]["draw_count"]) == ("seed", 3)
    assert sum(row["count"] for row in found["endings"]) == 500
    assert {row["group"] for row in found["win_rate"]} == {"role", "team", "character", "seat"}


def test_runs_are_the_same_but_for_the_clock(scofflaw):
    one, other = (
        json.loads(scofflaw("run", "--games", 3000, "--json", "--threads", threads).out) for threads in (1, 2)
    )
    for key in MAY_DIFFER:
        del one[key], other[key]
    assert one == other


def test_examples_are_commands_that_work(scofflaw):
    report = scofflaw("run", "--games", 300, "--players", 4).out
    command = re.search(r"^outlaws: scofflaw (trace .*?)(?:   \(|$)", report, re.MULTILINE)
    answer = scofflaw(*shlex.split(command[1]))
    assert answer.code == 0
    assert "outlaws" in answer.out.splitlines()[-1]


def test_a_trace_can_be_saved_as_a_scenario_that_passes(scofflaw, tmp_path):
    saved = tmp_path / "saved.toml"
    assert scofflaw("trace", "--game", 3, "--save-scenario", saved, "--at", 30).code == 0
    answer = scofflaw("scenario", saved)
    assert (answer.code, answer.out.split()[0]) == (0, "passed")


def test_a_scenario_cannot_be_saved_where_nothing_can_be_written(scofflaw, tmp_path):
    answer = scofflaw("trace", "--game", 3, "--save-scenario", tmp_path / "no" / "folder.toml", "--at", 30)
    assert answer.code == 2
    assert "cannot be written" in answer.err


def test_scenarios_fail_with_1_and_are_invalid_with_2(scofflaw, tmp_path):
    good = ROOT / "tests/scenarios/bang/b13-one-bang.toml"
    text = good.read_text()
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(f"{text}\n[expect.piles]\ndraw_size = 999\n")
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace("[[seat]]", "[[seat]", 1))
    assert scofflaw("scenario", good).code == 0
    answer = scofflaw("scenario", good, wrong)
    assert (answer.code, [line.split()[0] for line in answer.out.splitlines()]) == (1, ["passed", "failed", "1"])
    answer = scofflaw("scenario", broken, wrong)
    assert answer.code == 2
    assert "broken.toml:" in answer.out


def test_a_folder_of_scenarios_is_told_line_by_line(scofflaw, tmp_path):
    text = (ROOT / "tests/scenarios/bang/b13-one-bang.toml").read_text()
    (tmp_path / "a.toml").write_text(text.replace("life = 5", "lief = 5"))
    (tmp_path / "b.toml").write_text(text.replace('title = "', 'title = "\\u001b[31m' + "long" * 100))
    (tmp_path / "c.toml").write_text("")
    answer = scofflaw("scenario", tmp_path)
    *faults, good, last = answer.out.splitlines()
    assert answer.code == 2
    assert len(faults) == 2
    for line in faults:
        assert line.startswith(f"invalid  {tmp_path / 'a.toml'}  A second BANG!")
    assert good.startswith(f"passed  {tmp_path / 'b.toml'}  \\x1b[31mlonglong")
    assert len(good) < len(str(tmp_path)) + 150
    assert last == f"1 of 2 passed; 1 file is no scenario: {tmp_path / 'c.toml'}"


def test_ctrl_c_tells_which_scenarios_have_been_run(tmp_path):
    text = (ROOT / "tests/scenarios/bang/b13-one-bang.toml").read_text()
    (tmp_path / "a.toml").write_text(text.replace("[[seat]]", "[[seats]]"))
    (tmp_path / "b.toml").write_text(text)
    command = [*SCOFFLAW, "scenario", str(tmp_path), "--seeds", "1000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(f"invalid  {tmp_path / 'a.toml'}")
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.splitlines()[-1] == f"Interrupted in {tmp_path / 'b.toml'}: 0 of 2 passed so far"


def test_check_is_content_with_good_games(scofflaw):
    answer = scofflaw("check", "--games", 500)
    assert answer.code == 0
    assert "500 games, 0 unfinished: fine" in answer.out


def test_check_all_walks_every_combination(scofflaw):
    answer = scofflaw("check", "--all", "--games", 44)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert len(lines) == 2 * 6 * 2 + 2 * 5 * 2 + 1  # Death Mesa is not for 3 players
    assert len(set(lines)) == len(lines)
    assert "all: 44 games in 44 set-ups, 0 unfinished: fine" in lines[-1]


def test_games_must_end_but_for_random_and_changed_caps(scofflaw, monkeypatch):
    answer = scofflaw("check", "--games", 50, "--rules", "turn_cap=1", "--strategy", "simple")
    assert (answer.code, answer.out) == (
        0, "checked: 50 games, 50 unfinished: fine (games may stay unfinished: turn_cap is 1)\n"
    )  # fmt: skip
    seen = []
    monkeypatch.setattr(checking, "check", lambda *_args, **more: seen.append(more["must_end"]) or checking.Check())
    for words in (["--rules", "draw_count=3"], ["--rules", "preset=official"], ["--rules", "turn_cap=10000"]):
        for strategy in ("simple", "random"):
            scofflaw("check", "--strategy", strategy, *words)
    assert seen == [True, False] * 3


def test_rules_are_listed(scofflaw):
    answer = scofflaw("rules")
    assert answer.code == 0
    for text in ("players = 7   valid: 3..8   B-1", "copies.rev_carabine = -1", "life.el_gringo = 0"):
        assert text in answer.out
    assert scofflaw("rules", "draw_count").out.startswith("draw_count = 2   valid: 1..6   B-11")


def test_rules_of_an_expansion_are_listed_with_it(scofflaw):
    assert "dm_" not in scofflaw("rules").out
    assert "dm_" in scofflaw("rules", "--expansions", "death_mesa").out


def test_rules_differ_from_a_preset(scofflaw):
    lines = scofflaw("rules", "--diff", "official").out.splitlines()
    names = [line.split()[0] for line in lines if "   valid: " in line]
    assert names == ["character_choice", "indians_includes_player"]
    assert "nothing differs" in scofflaw("rules", "--diff", "official", "--rules", "preset=official").out


def test_cards_are_listed(scofflaw):
    assert "draw pile: 80 cards" in scofflaw("cards").out
    assert "draw pile: 81 cards" in scofflaw("cards", "--rules", "copies.beer=7").out


def test_metrics_and_strategies_are_listed(scofflaw):
    assert "win_rate.role.sheriff" in scofflaw("metrics").out
    assert re.search(r"^random: .+\nsimple: .+", scofflaw("strategies").out)


def test_bench_measures(scofflaw):
    found = json.loads(scofflaw("bench", "--json", "--strategy", "simple", "--threads", 1, "--games", 500).out)
    assert list(found) == BENCH_KEYS
    assert (found["strategy"], found["players"], found["threads"], found["games"]) == ("simple", 7, 1, 500)
    assert found["games_per_s"] == pytest.approx(500 / found["seconds"])
    assert found["decisions_per_game"] > found["turns_per_game"] > 5
    assert "games/s" in scofflaw("bench", "--games", 500).out


def test_bench_measures_workers(scofflaw, monkeypatch):
    from sim.services import overhead

    monkeypatch.setattr(overhead, "available", lambda: ["threading"])
    words = ("bench", "--executor", "--strategy", "simple", "--threads", 2, "--games", 3000)
    plain, threads = json.loads(scofflaw(*words, "--json").out)["executors"]
    assert (plain["backend"], plain["share"]) == ("plain threads", 1)
    assert (threads["backend"], threads["count"]) == ("threading", 2)
    assert threads["share"] == pytest.approx(threads["games_per_s"] / plain["games_per_s"])
    assert [line.split(",")[0] for line in scofflaw(*words).out.splitlines()] == ["plain threads", "threading"]


def test_the_version_is_printed(scofflaw):
    assert re.fullmatch(r"scofflaw \d+\.\d+\.\d+\n", scofflaw("--version").out)


def test_help_is_there_for_every_command(scofflaw):
    answer = scofflaw("--help")
    commands = re.findall(r"^  (\w+) {2,}", answer.out.partition("Commands:")[2], re.MULTILINE)
    assert set(commands) == {
        "run", "trace", "scenario", "check", "rules", "cards", "metrics", "strategies", "bench", "guide", "habits",
        "ladder", "new", "bestresponse", "report", "compare", "results",
    }  # fmt: skip
    for command in commands:
        assert "Usage:" in scofflaw(command, "--help").out


def help_examples():
    """Each command that a help text shows, by the command whose help it is."""
    for command in app.registered_commands:
        for line in inspect.getdoc(command.callback).splitlines():
            if line.startswith("scofflaw "):
                yield command.callback.__name__, re.split("   ", line)[0]


def test_every_help_text_has_examples_that_work(tmp_path, monkeypatch, scofflaw):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.api.DEFAULT_GAMES", 300)
    monkeypatch.setattr("sim.cli.check.GAMES_ALL", 44)
    monkeypatch.setattr(
        "sim.services.climbing.USUAL", {"starts": 1, "rounds": 1, "games": 20, "final_games": 100}
    )
    (tmp_path / "my_rulings").mkdir()
    (tmp_path / "my_rulings" / "one.toml").write_text((ROOT / "tests/scenarios/bang/b13-one-bang.toml").read_text())
    made = studies.make(tmp_path / "results/zombie_goods", studies.grid(goods=[5, 6]), lambda goods: {"turns": 0.5})
    for file, rules in (("beers", "players = 7"), ("zombie", ""), ("mine", "draw_count = 3"), ("printed", "")):
        asked = f'question = "Why?"\n[precision]\ngames = 100\n[rules]\n{rules}\n'
        (tmp_path / f"{file}.toml").write_text(asked)
    monkeypatch.setattr("sim.services.compare.MOST_GAMES", 300)
    examples = sorted(help_examples(), key=lambda pair: pair[0] != "trace")  # which saves what scenario reads
    assert {name for name, _ in examples} == {command.callback.__name__ for command in app.registered_commands}
    for name, line in examples:
        words = shlex.split(line)[1:]
        assert words[0] == name
        words = [re.sub("^(24000|5000)$", "44", word) for word in words]
        if words not in (["bench", "--full"], ["bench", "--executor"]):  # half a minute
            answer = scofflaw(*words)
            assert (answer.code, bool(answer.out)) == (0, True), f"{line}\n{answer.err}"
    assert (made / "report.html").exists()


def test_help_shows_its_examples_line_by_line(scofflaw):
    for name, line in help_examples():
        assert f"  {line}" in scofflaw(name, "--help").out


def complete(*words):
    """What bash offers for the last word."""
    environment = {
        **os.environ, "_SCOFFLAW_COMPLETE": "complete_bash",
        "COMP_WORDS": shlex.join(["scofflaw", *words]), "COMP_CWORD": str(len(words)),
    }  # fmt: skip
    done = subprocess.run(SCOFFLAW, env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ru",), ["run", "rules"]),
        (("run", "--rules", "pres"), ["preset=seed", "preset=official"]),
        (("run", "--rules", "copies.bee"), ["copies.beer="]),
        (("run", "--strategy", "renegade=s"), ["renegade=simple", "renegade=standard"]),
        (("run", "--expansions", "de"), ["death_mesa"]),
        (("bestresponse", "--role", "s"), ["sheriff"]),
        (("run", "--expansions", "death_mesa,d"), []),
        (("run", "--metric", "zombie.w"), ["zombie.won"]),
        (("rules", "--diff", "o"), ["official"]),
        (("rules", "dm_zombie_b"), ["dm_zombie_bullets", "dm_zombie_black_bonus", "dm_zombie_black_chain"]),
        (("guide", "int"), ["intervals"]),
    ],
)
def test_the_shell_completes_names(words, offered):
    assert complete(*words) == offered


def test_completion_offers_nothing_when_something_is_broken(monkeypatch):
    from sim.cli import complete as offers

    assert offers.metrics("turns") == ["turns"]
    monkeypatch.setattr(registry, "game", lambda _name: 1 / 0)
    for what in ("rules", "rule_names", "presets", "strategies", "metrics", "expansions"):
        assert getattr(offers, what)("") == []


def test_the_completion_script_of_the_shell_is_shown():
    """As typer finds it: by the shell that started the command."""
    done = subprocess.run(["bash", "-c", f"{shlex.join([*SCOFFLAW, '--show-completion'])}; true"], **CAPTURED)
    assert "_SCOFFLAW_COMPLETE=complete_bash" in done.stdout


def test_the_guide_lists_its_topics_and_shows_one(scofflaw):
    listed = scofflaw("guide").out.splitlines()
    names = [line.split()[0] for line in listed[:-1]]
    assert names[0] == "concepts"
    assert set(names) == {path.stem for path in (ROOT / "sim/guide").glob("*.md")}
    assert "intervals     how sure a number is, and how many games it takes" in listed
    for name in names:
        page = scofflaw("guide", name).out
        assert page == (ROOT / "sim/guide" / f"{name}.md").read_text(encoding="utf-8")
        assert page.startswith("# ")


def test_the_guide_is_laid_out_in_a_terminal():
    shown = shown_in_a_terminal(60, "guide", "intervals")
    assert not any(line.startswith(("#", "```")) for line in shown)
    assert any("Why not just watch and stop?" in line for line in shown)
    assert max(map(len, shown)) <= 60


def test_help_and_mistakes_load_no_compiler():
    program = (
        "import sys; from sim.cli.app import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_run_loads_nothing_slow_that_it_does_not_need():
    slow = ("pandas", "matplotlib", "scipy.stats", "scipy.linalg", "numba.np.arraymath", "joblib")
    program = (
        "import sys; from sim.cli.app import app\ntry: app(['run', '--games', '100'])\nexcept SystemExit: pass\n"
        f"print([name for name in {slow} if name in sys.modules])"
    )
    # The first one compiles, if that has to be done, which needs more.
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_strategy_of_the_game_can_be_found_without_importing_it():
    program = (
        "import sys; from sim.services import checking, registry\n"
        "print([registry.strategy('bang', n).source.name for n in registry.strategy_names('bang')])\n"
        "modules = ('random', 'simple', 'standard.decide', 'standard.living')\n"
        "print(any(f'strategies.bang.{name}' in sys.modules for name in modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['random.py', 'simple.py', 'decide.py']\nFalse\n"
    assert registry.strategy_names("bang") == ["random", "simple", "standard"]


# A second on a machine of its own; the tests share theirs with others.
PROMPTLY = 4.0


def test_ctrl_c_ends_a_run_promptly_with_what_was_played():
    # stderr is a terminal here: its progress tells when games are being played.
    terminal, stderr = os.openpty()
    command = [*SCOFFLAW, "run", "--games", str(10**10), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
        shown = b""
        while b"games/s" not in shown:
            shown += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        interrupted = time.monotonic()
        out, _ = process.communicate(timeout=20)
        seconds = time.monotonic() - interrupted
    assert process.returncode == 130
    found = json.loads(out)
    assert found["partial"] is True
    assert 0 < found["games"] < found["games_asked"] == 10**10
    assert sum(row["count"] for row in found["endings"]) == found["games"]
    assert seconds < PROMPTLY


def test_ctrl_c_ends_compiling_promptly(tmp_path):
    environment = {**os.environ, "SCOFFLAW_CACHE": str(tmp_path)}
    with subprocess.Popen(
        [*SCOFFLAW, "run", "--games", "10"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("Compiling the game for these rules (first time only")
        time.sleep(5)
        process.send_signal(signal.SIGINT)
        interrupted = time.monotonic()
        out, err = process.communicate(timeout=30)
        seconds = time.monotonic() - interrupted
    assert (process.returncode, out) == (130, "")
    assert "Interrupted" in err
    assert "Traceback" not in err
    assert seconds < PROMPTLY


def test_a_closed_pipe_is_no_mistake():
    for words in (["rules"], ["run", "--games", "100"], ["trace", "--game", "0"]):
        command = [*SCOFFLAW, *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.close()
            assert process.stderr is not None
            err = process.stderr.read()
        assert process.returncode == 0, words
        assert without_compiling(err) == ""


COMMANDS = (
    ["run", "--games", "100"], ["run", "--games", "100", "--json"], ["trace", "--game", "0"], ["rules"], ["metrics"],
    ["check", "--games", "100"], ["scenario", "tests/scenarios/bang/b13-one-bang.toml"], ["--help"], ["run", "--help"],
)  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_one_line(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*SCOFFLAW, *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    told = "scofflaw: stdout cannot be written: No space left on device\n"
    assert (done.returncode, without_compiling(done.stderr)) == (2, told)


def test_a_stdout_that_is_closed_is_told_in_one_line():
    command = f"{shlex.join([*SCOFFLAW, 'run', '--games', '100'])} >&-"
    done = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "scofflaw: stdout is closed; send it to a file, or to /dev/null\n")


def test_a_cache_that_cannot_be_written_is_told_in_one_line(tmp_path):
    (tmp_path / "cache").write_text("not a folder")
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "SCOFFLAW_CACHE": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "tmp")}
    command = [*SCOFFLAW, "run", "--games", "10"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env=environment) as run:
        assert run.stderr is not None
        told = [run.stderr.readline(), run.stderr.readline()]
        assert list((tmp_path / "tmp").glob("scofflaw-*"))
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=30)
    assert told[0].startswith(f"scofflaw: the cache folder {tmp_path / 'cache'} cannot be written: compiled code")
    assert told[1].startswith("Compiling")
    assert list((tmp_path / "tmp").glob("scofflaw-*")) == []


def shown_in_a_terminal(columns, *words):
    """What a command prints in a terminal of so many columns, without its colours."""
    terminal, stdout = os.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}  # rich takes a dumb one for 80
    with subprocess.Popen([*SCOFFLAW, *words], stdout=stdout, stderr=subprocess.DEVNULL, env=environment):
        os.close(stdout)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(terminal, 65536):
                shown += part
    os.close(terminal)
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).splitlines()


def test_names_and_numbers_are_whole_in_the_narrowest_terminal():
    listed = registry.game("bang").metrics(registry.game("bang").resolve({}))
    rows = shown_in_a_terminal(40, "metrics")
    assert [row.split()[0] for row in rows[1:] if not row.startswith(" ")] == [metric.name for metric in listed]
    report = shown_in_a_terminal(40, "run", "--games", "200")
    assert not any("…" in row for row in report)
    assert any(re.match(r"eliminated_by.shot +[\d,]+ +[\d.]+ % +[\d.]+ – [\d.]+ %", row) for row in report)
    assert max(map(len, shown_in_a_terminal(80, "metrics"))) <= 80


def test_without_a_terminal_there_are_no_colours_and_each_row_is_one_line(scofflaw, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    answer = scofflaw("run", "--games", 200)
    assert "\x1b[" not in answer.out
    assert any(re.match(r"eliminated_by.dynamite +[\d,]+ +", row) for row in answer.out.splitlines())
    rows = scofflaw("metrics").out.splitlines()[1:]
    assert len(rows) == len(registry.game("bang").metrics(registry.game("bang").resolve({})))


def test_a_run_with_death_mesa_tells_of_ghosts_and_of_what_is_assumed(scofflaw):
    words = ("run", "--games", 300, "--expansions", "death_mesa")
    report = scofflaw(*words).out
    assert "48 of the 52 cards are assumed" in report
    assert re.search(r"^ghosts\.turns +[\d,]+ ", report, re.MULTILINE)
    assert re.search(r"^unfinished_business +\S+ +\S+", report, re.MULTILINE)
    assert re.search(r"^kills: scofflaw trace --game \d+ --seed 1 --expansions death_mesa", report, re.MULTILINE)
    found = json.loads(scofflaw(*words, "--json").out)
    assert found["rules"]["expansions"] == ["death_mesa"]
    assert "48 of the 52" in found["notes"][0]
    names = {row["name"] for row in found["metrics"]}
    assert {"scofflaw.per_renegade", "zombie.resurrected", "dead_card.spook.played"} <= names
    assert "48 of the 52" in scofflaw("cards", "--expansions", "death_mesa").out


def test_cards_that_nothing_happened_to_are_named(scofflaw):
    words = ("run", "--games", 40, "--expansions", "death_mesa", "--rules", "dmd_copies.seance=0")
    report = scofflaw(*words).out
    found = json.loads(scofflaw(*words, "--json").out)
    never = found["never"]["dead cards"]
    rows = {row["name"]: row for row in found["metrics"]}
    assert list(never) == ["playable", "played", "negated", "changed"]
    assert never["playable"] == ["seance"]  # it could not be played either, which goes without saying
    for figure, cards in never.items():
        rates = {name: row for name, row in rows.items() if name.startswith("dead_card.") and name.endswith(figure)}
        assert {f"dead_card.{card}.{figure}" for card in cards} == {
            name for name, row in rates.items() if row["numerator"] == 0 and row["denominator"] > 0
        }
        line = f"Never {figure}: {', '.join(cards)}"
        assert (line in report.splitlines()) == bool(cards)


def test_waiting_is_told_in_minutes_of_the_users_turns(scofflaw):
    words = ("run", "--games", 500)
    slow, fast = (json.loads(scofflaw(*words, "--json", "--turn-seconds", s).out) for s in (120, 30))
    turns = {row["name"]: row for row in slow["metrics"]}
    assert [slow["minutes"]["turn_seconds"], fast["minutes"]["turn_seconds"]] == [120, 30]
    assert {row["name"] for row in slow["minutes"]["metrics"]} == {"turns", "first_elimination", "waiting"}
    for row, quick in zip(slow["minutes"]["metrics"], fast["minutes"]["metrics"], strict=True):
        for key in ("estimate", "low", "high"):
            assert row[key] == pytest.approx(2 * turns[row["name"]][key]) == pytest.approx(4 * quick[key])
    report = scofflaw(*words, "--turn-seconds", 120).out
    waiting = next(row for row in slow["minutes"]["metrics"] if row["name"] == "waiting")
    section = report.partition("Waiting, if a turn takes 120 seconds")[2]
    minutes = float(re.search(r"^waiting +[\d,]+ +([\d.]+) ", section, re.M)[1])
    assert minutes == pytest.approx(waiting["estimate"], abs=0.05)
    assert re.search(r"^Eliminated before their first turn: [\d.]+ % of all players", report, re.M)
    assert "Again: scofflaw run --games 500 --seed 1 --turn-seconds 120" in report


def test_a_run_until_a_rate_is_known_says_so_and_can_be_repeated(scofflaw):
    report = scofflaw("run", "--precision", "1.5pp").out
    games = int(re.search(r"^([\d,]+) games of seed 1; by then ending\.", report, re.M)[1].replace(",", ""))
    assert "(1.5pp asked for)" in report and "anytime-valid" in report
    assert "95 % anytime interval" in report and "95 % interval" not in report
    command = re.search(r"^Again: scofflaw (.*)$", report, re.M)[1]
    assert command == "run --precision 1.5pp --seed 1"
    found = json.loads(scofflaw(*shlex.split(command), "--json").out)
    assert found["games"] == games and games % 1000 == 0
    assert found["precision"]["reached"] and found["precision"]["widest"].startswith("ending.")
    assert "partial" not in found


def test_a_cap_that_was_not_enough_is_told(scofflaw):
    answer = scofflaw("run", "--precision", "0.2pp", "--metric", "win_rate.role.renegade", "--games", 2000)
    assert answer.code == 0
    told = re.search(
        r"^2,000 games of seed 1, the cap: win_rate.role.renegade is known to ± (\S+)pp, not to 0.2pp; "
        r"it takes about ([\d,]+) games \(--games\)$", answer.out, re.M,
    )  # fmt: skip
    needed = 2000 * (float(told[1]) / 0.2) ** 2
    assert int(told[2].replace(",", "")) == pytest.approx(needed, rel=0.15)
    assert "--precision 0.2pp --metric win_rate.role.renegade --games 2000 --seed 1" in answer.out


def test_rates_have_bars_where_there_is_room():
    wide, narrow = (shown_in_a_terminal(columns, "run", "--games", "200") for columns in (100, 40))
    assert any(re.search(r"^outlaws .*%  █+▓", row) for row in wide)
    assert not any("█" in row or "▓" in row for row in narrow)
    assert max(len(row.rstrip()) for row in wide) <= 100


def test_bars_are_plain_where_the_terminal_has_no_blocks(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*SCOFFLAW, "run", "--games", "200"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0
    assert re.search(r"^outlaws .*%  #+=", done.stdout, re.M)


def test_a_game_without_ghosts_says_nothing_of_them(scofflaw):
    assert "host" not in scofflaw("run", "--games", 50).out
    assert "notes" not in json.loads(scofflaw("run", "--games", 50, "--json").out)


def test_a_ladder_tells_who_plays_better(scofflaw):
    words = ["ladder", "simple", "simple,mistakes=0.5", "--players", "4,5", "--games", "300", "--seed", "2"]
    text = scofflaw(*words).out
    assert "simple against simple,mistakes=0.5" in text
    assert "In a field of simple,mistakes=0.5:" in text and "In a field of simple:" in text
    found = json.loads(scofflaw(*words, "--json").out)
    assert {(step["players"], step["role"]) for step in found["steps"]} == {
        *((4, role) for role in ("sheriff", "outlaw", "renegade")),
        *((5, role) for role in ("sheriff", "deputy", "outlaw", "renegade")),
    }
    assert len(found["steps"]) == 14 and all(step["part"] == "all" for step in found["steps"])
    sure = [step for step in found["steps"] if step["low"] > 0]
    assert len(sure) >= 10 and f"surely more in {len(sure)} of 14 steps" in text
    for step in found["steps"]:
        assert step["low"] <= step["estimate"] <= step["high"]
        assert step["estimate"] == pytest.approx(step["one"] - step["other"])
    again = json.loads(scofflaw(*words, "--json", "--threads", "1").out)
    assert found["steps"] == again["steps"]


def test_a_ladder_changes_the_living_and_the_dead_apart(scofflaw):
    words = ["ladder", "simple", "random", "--players", "5", "--expansions", "death_mesa", "--games", "200", "--json"]
    steps = json.loads(scofflaw(*words).out)["steps"]
    assert {(step["role"], step["part"]) for step in steps} == {
        *((role, "living") for role in ("sheriff", "deputy", "outlaw", "renegade")),
        *((role, "ghost") for role in ("sheriff", "deputy", "outlaw", "renegade")),
    }
    by_part = {part: [step["estimate"] for step in steps if step["part"] == part] for part in ("living", "ghost")}
    assert sum(by_part["living"]) > sum(by_part["ghost"])


def test_a_new_file_says_how_to_run_it_whatever_its_name(tmp_path, monkeypatch, scofflaw):
    monkeypatch.chdir(tmp_path)
    assert scofflaw("new", "experiment", "my file").code == 0
    text = Path("my file.toml").read_text(encoding="utf-8")
    assert "scofflaw run 'my file.toml'" in text and "scofflaw report 'my file'" in text


def test_a_new_strategy_is_written_once(tmp_path, monkeypatch, scofflaw):
    monkeypatch.chdir(tmp_path)
    assert "mine.py" in scofflaw("new", "strategy", "mine").out
    text = Path("mine.py").read_text(encoding="utf-8")
    assert "outlaw=mine.py:decide" in text and "{file}" not in text
    assert "mine.py is there already" in scofflaw("new", "strategy", "mine.py").err
    assert Path("mine.py").read_text(encoding="utf-8") == text
