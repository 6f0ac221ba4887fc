"""What players do with their chances is counted as it happens, in the games that a run plays."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from rich.console import Console

from sim.bang.core import names
from sim.bang.game import BANG
from sim.bang.habits import Habits
from sim.bang.recording import Recording
from sim.bang.session import Session
from sim.bang.table import Table
from sim.bang.wording import decisions
from sim.game import ROW_SHARES, SHARE, Counts, CountTable, Tallies
from sim.reports import habits as report
from sim.services import habits as watching
from sim.services import registry

SEED = 31
MESA = {"expansions": "death_mesa"}
SETUPS = [
    ({}, "simple", 24),
    ({"players": 3}, "simple,mistakes=0.3", 12),
    ({"players": 5, "preset": "official"}, "simple,mistakes=0.3", 12),
    (MESA, "simple", 8),
    ({**MESA, "dm_renegade_return": "zombie", "players": 5}, "simple,mistakes=0.3", 8),
    ({**MESA, "dm_redraw_dead_cards": True, "dm_conversion_timing": "any_turn"}, "simple,mistakes=0.3", 5),
]

ATTACKS = {"bang", "missed", "duel", "panic", "cat_balou", "jail"}
HAUNTINGS = {
    "curse", "death_and_taxes", "the_east_wind", "dry_spell", "decay", "ghost_stories", "guilty_conscience", "possess",
    "nightmare", "spook", "terrify", "unfinished_business",
}  # fmt: skip
RESPONSES = {"answer", "indians", "duel", "save", "decay"}
BOTH_CHARACTERS = [(int(names.FIRST_CHARACTER), 8), (int(names.SECOND_CHARACTER), 8)]


def session_of(settings, strategy):
    return Session(BANG.resolve(settings), registry.assign(BANG, [strategy]), instrumented=True)


def replayed(session, number):
    """Every decision that somebody was asked for, from the journal: the state then, all answers, and the decision."""
    block, base = session.new_block(), None
    for piece in Recording(session, SEED, number)._played(block):
        asked = [decided for decided in decisions(piece) if decided.asked]
        if base is None:
            yield from ((block[0], BOTH_CHARACTERS, decided) for decided in asked)
        else:
            table = Table(session, base, session.tables_table)
            for decided in asked:
                options = [(given & 0xFFFF, given >> 16) for given in table._core_options(table._state, decided.seat)]
                yield table.game, options, decided
                table.answer_all([decided.what | decided.target << 16])
        if block[0]["public"]["phase"] == names.TURN_START:
            base = block.copy()


def counted_by_hand(session, games):
    """What ``Habits`` should count, by table, row and column."""
    found = Counter()
    cards = session.cards

    def effects(whats):
        return {names.EFFECTS[cards.effect[cards.kind[what]]] for what in whats if what < names.OTHER}

    def others(whats):
        return {names.OTHERS[what - names.OTHER] for what in whats if what >= names.OTHER} - {"end", "pass"}

    def count(table, column, rows):
        found.update((table, row, column) for row in rows)

    for number in range(games):
        turn, could_play, part = 0, set(), "early"
        for game, options, decided in replayed(session, number):
            public, kind = game["public"], names.KINDS[decided.kind]
            whats = {what for what, _ in options}
            assert (decided.what, decided.target) in options
            if public["turn"] != turn:
                turn, could_play = int(public["turn"]), set()
            alive = int(public["alive"]).bit_count()
            if part != "early" or alive < public["players"]:
                part = "late" if alive <= 3 else "middle"
            if len(options) > 1:
                count("decisions", "asked", [(kind,)])
                if decided.what not in (names.END, names.PASS):
                    count("decisions", "acted", [(kind,)])
            count("answers", "offered", [(name,) for name in others(whats)])
            count("answers", "taken", [(name,) for name in others([decided.what])])
            chances, plays = effects(whats), effects([decided.what])
            if kind == "play":
                chances -= could_play
                could_play |= chances
                found.update(attack(session, game, part, decided, plays))
            if kind in ("play", "warn", "mirage"):
                for names_here, column in ((chances, "chances"), (plays, "plays")):
                    living = names_here & set(names.LIVING_EFFECTS)
                    count("cards", column, [(name,) for name in living])
                    count("dead_cards", column, [(name,) for name in names_here - living])
            elif kind in RESPONSES:
                count("responses", "chances", [(kind, name) for name in chances])
                count("responses", "given", [(kind, name) for name in plays])
    return found


def attack(session, game, part, decided, effects):
    """The attack that a play is, if it is one."""
    if decided.target >= names.SEATS:
        return []
    ghosts = int(game["public"]["ghosts"]) if session.with_ghosts else 0
    attacker, target = (names.ROLES[int(game["own"][seat]["role"])] for seat in (decided.seat, decided.target))
    if ghosts >> decided.seat & 1:
        if ghosts >> decided.target & 1 or not (effects & HAUNTINGS or decided.what == names.CONVERT):
            return []
        return [("attacks", (part, f"ghost {attacker}"), target)]
    if ghosts >> decided.target & 1:
        target = "ghosts"
    return [("attacks", (part, attacker), target)] if effects & ATTACKS else []


def as_counter(tables, counts):
    """Tables of counts as ``counted_by_hand`` returns them."""
    return Counter(
        {
            (table.name, row, column): int(count)
            for table, counted in zip(tables, counts.tables, strict=True)
            for row, line in zip(table.rows, counted, strict=True)
            for column, count in zip(table.columns, line, strict=True)
            if count
        }
    )


def count_of(habits, games):
    return habits.count(SEED, 0, games, np.zeros(1, np.uint8))


@pytest.mark.parametrize(("settings", "strategy", "games"), SETUPS, ids=str)
def test_the_counts_are_those_of_the_journal(settings, strategy, games):
    session = session_of(settings, strategy)
    habits = Habits(session)
    found = as_counter(habits.tables, count_of(habits, games))
    assert found == counted_by_hand(session, games)
    assert {table for table, _, _ in found} == {table.name for table in habits.tables}


@pytest.mark.parametrize("settings", [{}, MESA], ids=str)
def test_the_games_are_those_of_a_run(settings):
    rules, strategies = BANG.resolve(settings), registry.assign(BANG, ["simple"])
    counts = count_of(BANG.habits(rules, strategies), 200)
    tallies = BANG.session(rules, strategies).play(SEED, 0, 200, np.zeros(1, np.uint8))
    assert (counts.games, counts.tallies.decisions, counts.tallies.turns) == (200, tallies.decisions, tallies.turns)
    assert np.array_equal(counts.tallies.sums, tallies.sums)
    assert np.array_equal(counts.tallies.examples, tallies.examples)


def test_threads_do_not_matter():
    rules, strategies = BANG.resolve({}), registry.assign(BANG, ["simple"])
    habits = BANG.habits(rules, strategies)
    one, two = (watching.watch(habits, BANG, rules, strategies, SEED, 900, threads).to_json() for threads in (1, 2))
    del one["seconds"], two["seconds"]
    assert one == two
    assert one["games"] == 900


def test_only_who_asks_for_them_pays_for_them():
    session = session_of({}, "simple")
    count_of(Habits(session), 5)
    session._own_block()["script"]["habits"][:] = 0
    session.play(SEED, 0, 20, np.zeros(1, np.uint8))
    assert not session._own_block()["script"]["habits"]["asked"].any()


PROGRAM = """
import json, sys
import numpy as np
from sim.bang.game import BANG
from sim.services import registry
habits = BANG.habits(BANG.resolve({"expansions": "death_mesa"}), registry.assign(BANG, ["simple"]))
print(json.dumps([table.tolist() for table in habits.count(31, 0, 4, np.zeros(1, np.uint8)).tables]))
"""


def test_the_counts_are_the_same_without_the_compiler():
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    counts = count_of(BANG.habits(BANG.resolve(MESA), registry.assign(BANG, ["simple"])), 4)
    assert json.loads(done.stdout) == [table.tolist() for table in counts.tables]


def made_up():
    tables = [
        CountTable(
            "attacks", "Who hits whom", ("part", "who"), (("early", "a"), ("late", "a")), ("a", "b"), ROW_SHARES
        ),
        CountTable(
            "cards", "Cards", ("card",), (("beer",), ("duel",), ("jail",)), ("had", "plays"), "plays", "Unplayed"
        ),
        CountTable("answers", "Answers", ("to", "answer"), (("save", "x"),), ("offered", "taken"), SHARE, "Untaken"),
    ]
    counted = [np.array([[1, 3], [0, 0]]), np.array([[4, 6], [5, 0], [0, 0]]), np.array([[7, 0]])]
    rules = BANG.resolve({"draw_count": 3})
    return watching.Habits(
        game="bang",
        rules=rules,
        strategies={"default": "simple"},
        seed=1,
        games_asked=10,
        notes=(),
        tables=tables,
        counts=Counts(Tallies.empty(1, 1), counted, 10),
        seconds=1.0,
    )


def test_what_was_never_done_is_told():
    found = made_up()
    assert found.never == {"cards": ["duel"], "answers": ["save: x"]}
    console = Console(width=200)
    with console.capture() as capture:
        for part in report.lines(found, "BANG!"):
            console.print(part)
    text = capture.get()
    lines = [line.split() for line in text.splitlines()]
    assert ["early", "a", "1", "25.0", "%", "3", "75.0", "%", "4"] in lines
    assert not any(line[:1] == ["late"] for line in lines)
    assert ["beer", "4", "6", "1.50"] in lines
    assert ["save", "x", "7", "0", "0.0", "%"] in lines
    assert "Unplayed: duel\n" in text
    assert "Untaken: save: x\n" in text
    assert "Changed: draw_count=3" in text


def test_that_everything_was_done_is_told_too():
    found = made_up()
    found.counts.tables[1][1, 1] = found.counts.tables[2][0, 1] = 1
    assert "used at least once" in list(report.lines(found, "BANG!"))[-1]


def test_the_command_line(scofflaw):
    answer = scofflaw("habits", "--games", 300)
    assert answer.code == 0
    for text in ("300 games of seed 1", "Attacks by role", "late", "cat_balou", "jourdonnais", "Chances never taken"):
        assert text in answer.out
    assert "ghost" not in answer.out
    found = json.loads(scofflaw("habits", "--games", 300, "--json").out)
    assert list(found) == [
        "schema", "command", "version", "game", "rules", "strategies", "seed", "games", "unfinished", "illegal",
        "decisions", "tables", "never", "seconds",
    ]  # fmt: skip
    assert (found["schema"], found["command"], found["games"]) == (1, "habits", 300)
    tables = {table["name"]: table for table in found["tables"]}
    assert list(tables) == ["attacks", "cards", "responses", "decisions", "answers"]
    assert set(found["never"]) == {"cards", "responses", "decisions", "answers"}
    for row in tables["attacks"]["rows"]:
        assert sum(row["rates"].values()) == pytest.approx(1)
        assert row["counts"]["sheriff"] == 0 or row["attacker"] != "sheriff"
    for row in tables["decisions"]["rows"]:
        assert row["rates"]["acted"] == row["counts"]["acted"] / row["counts"]["asked"] <= 1
    for row in tables["cards"]["rows"]:
        assert row["rates"]["plays"] == row["counts"]["plays"] / row["counts"]["chances"]


def test_ghosts_have_rows_of_their_own(scofflaw):
    out = scofflaw("habits", "--games", 100, "--expansions", "death_mesa").out
    assert re.search(r"ghosts +all\b", out)
    for text in ("ghost outlaw", "bad_moon_rising", "mirage", "convert", "Dead Men's Deck: 48"):
        assert text in out


def test_a_mistake_is_told(scofflaw):
    answer = scofflaw("habits", "--games", 0)
    assert (answer.code, answer.out) == (2, "")
    assert "games is 0; valid: 1.." in answer.err
