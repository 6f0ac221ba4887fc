"""Strategies in files of the user's: they play like the same code compiled in, and what is wrong in them is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sim
import strategies.bang.simple
from sim.bang.core import state
from sim.bang.game import BANG

GUIDE = Path(sim.__file__).parent / "guide" / "strategies.md"
RULES = {"players": 4}


def played(strategies: dict[str, object] | str, games: int = 2000) -> sim.Result:
    return sim.run(rules=RULES, strategies=strategies, games=games, seed=5, threads=1)


def test_a_file_plays_like_the_same_code_compiled_in(tmp_path: Path) -> None:
    copy = tmp_path / "copied.py"
    copy.write_text(Path(strategies.bang.simple.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    inside = played({"default": "random", "outlaw": "simple"})
    outside = played({"default": "random", "outlaw": f"{copy}:decide"})
    assert (outside.tallies.sums == inside.tallies.sums).all()
    assert outside.tallies.decisions == inside.tallies.decisions
    assert inside.tallies.decisions > 100_000


def test_the_new_strategy_plays_and_its_settings_matter(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    text = BANG.new_files["strategy"][0].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 50
    mine.write_text(text.replace("{file}", mine.name), encoding="utf-8")
    usual = played({"default": "simple", "outlaw": f"{mine}:decide"})
    careful = played({"default": "simple", "outlaw": {"name": f"{mine}:decide", "reserve": 9}})
    beaten = played({"default": "simple", "outlaw": "random"})
    rates = [next(row.rate for row in one.win_rates if row.name == "outlaw") for one in (usual, careful, beaten)]
    assert usual.tallies.illegal == careful.tallies.illegal == 0
    assert rates[0] > rates[1] + 0.1  # who keeps all his cards wins less
    assert rates[0] > rates[2] + 0.1
    assert careful.strategies["outlaw"] == f"{mine}:decide,reserve=9"


WRONG = '''
from sim.bang.core.questions import passive_answer

def negative(public, own, rules, tables):
    return public.life[own.seat - 1]

def beyond(public, own, rules, tables):
    return 0 * public.life[own.seat + 7] + passive_answer(own)

def writes_public(public, own, rules, tables):
    public.life[0] = 100
    return passive_answer(own)

def writes_own(public, own, rules, tables):
    own.role = 0
    own.seat = 7
    return passive_answer(own)

def writes_tables(public, own, rules, tables):
    tables.range[0] = 9
    return passive_answer(own)

def no_field(public, own, rules, tables):
    return public.lyfe[0]

def no_name(public, own, rules, tables):
    return unheard_of + 1

def no_answer(public, own, rules, tables):
    return None

def few(public, own):
    return 0

def raises(public, own, rules, tables):
    if public.turn > 3:
        raise RuntimeError("what now")
    return passive_answer(own)
'''


@pytest.mark.parametrize(
    "function, told",
    [
        ("negative", "line 5: an index out of bounds"),
        ("beyond", "line 8: an index out of bounds"),
        ("writes_public", "it changed public"),
        ("writes_own", "it changed own"),
        ("writes_tables", "it changed tables"),
        ("no_field", "line 24: unknown field 'lyfe'; did you mean life"),
        ("no_name", "name 'unheard_of' is not defined"),
        ("no_answer", "it returns none where an answer is wanted"),
        ("few", "line 32: few(public, own) does not take what it is given; write def few(public, own, rules, tables)"),
        ("raises", "it raised RuntimeError: what now"),
        ("nobody", "unknown function 'nobody'"),
    ],
)
def test_what_is_wrong_is_told_before_a_game_is_played(tmp_path: Path, function: str, told: str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG, encoding="utf-8")
    with pytest.raises(sim.UserError, match=re.escape(told)) as error:
        played(f"{file}:{function}")
    assert "wrong.py" in str(error.value)


FUNCTION = "def decide(public, own, rules, tables): return 0"


@pytest.mark.parametrize(
    "text, told",
    [
        ("def decide(", "line 1: this is no Python"),
        ("import nothing_of_the_kind\n" + FUNCTION, "line 1: No module named"),
        ("WEIGHTS = 3\n" + FUNCTION, "line 1: WEIGHTS is not a tuple of rows"),
        ('WEIGHTS = (("a", 5, 0, 3, ""),)\n' + FUNCTION, "(0, 5, 3), not in order"),
        ("import os; os._exit(7)\n" + FUNCTION, "the trial games could not be played"),
        ("import os; os.abort()\n" + FUNCTION, "crash (signal 6)"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(sim.UserError, match=re.escape(told)):
        played(f"{file}:decide")


def test_the_guide_names_every_field_a_strategy_can_read() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)(?:\[[^]]*\])?`", text))
    source = Path(state.__file__).read_text(encoding="utf-8")
    lists = re.findall(r"^_(?:PUBLIC|OWN)_OF_GHOSTS = \[.*?^\]", source, re.MULTILINE | re.DOTALL)
    ghosts = set(re.findall(r'^    \("(\w+)"', "".join(lists), re.MULTILINE))
    assert len(ghosts) > 20
    fields = {*state.PUBLIC.names, *state.OWN.names, *state.QUESTION.names} | ghosts
    assert fields <= named, sorted(fields - named)


def test_mistakes_make_players_worse() -> None:
    rates = []
    for mistakes in (0, 0.2, 1):
        found = played({"default": "simple", "outlaw": {"name": "simple", "mistakes": mistakes}}, 4000)
        rates.append(next(row.rate for row in found.win_rates if row.name == "outlaw"))
    assert rates[0] > rates[1] + 0.05 > rates[2] + 0.1
    always = played({"default": "simple", "outlaw": {"name": "simple", "mistakes": 1.0}})
    chance = played({"default": "simple", "outlaw": "random"})
    assert abs(always.tallies.turns / chance.tallies.turns - 1) < 0.03
