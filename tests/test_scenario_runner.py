"""The runner of scenario files: what it asks of a file, how it follows a script, what it says when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.errors import UserError
from sim.services.scenarios import run_scenarios, scenario_files

HEAD = """title = "a test"
game = "bang"
seed = 3
"""
SEATS = """
[[seat]]
role = "sheriff"
character = "Slab the Killer"
life = 4
hand = ["BANG! AS", "Beer 6H"]

[[seat]]
role = "deputy"
character = "Sid Ketchum"
life = 2
hand = ["Missed! 2S", "Missed! 3S", "Missed! 4S"]

[[seat]]
role = "outlaw"
character = "none"
max_life = 4
hand = ["Panic! JH"]
in_play = ["Mustang 8H"]

[[seat]]
role = "renegade"
character = "Rose Doolan"
"""
DEAD_OUTLAW = SEATS.replace("max_life = 4", "max_life = 4\nghost = true").replace(
    'hand = ["Panic! JH"]\nin_play = ["Mustang 8H"]\n', ""
)
START = """
[start]
seat = 0
phase = "play"
"""


def step(seat, choose, more=""):
    return f'\n[[do]]\nseat = {seat}\nchoose = "{choose}"\n{more}\n'


@pytest.fixture
def verdict(tmp_path):
    """Runs a file made of these pieces."""

    def run(*pieces, head=HEAD, seeds=1):
        path = tmp_path / "a.toml"
        path.write_text("".join([head, *pieces]), encoding="utf-8")
        return run_scenarios([path], seeds)[0]

    return run


SHOT = [step(0, "play BANG! AS on 3"), step(0, "end")]


def test_expectations_are_tested(verdict):
    script = [SEATS, START, *SHOT]
    assert verdict(*script, "[expect.seat.3]\nlife = 3").outcome == "passed"
    seat = '[expect.seat.3]\nlife = 4\nhand = ["Beer"]\n'
    wrong = verdict(*script, '[expect]\nwinner = "law"\n', seat, '[expect.piles]\ndiscard_top = "Beer"')
    assert wrong.outcome == "failed"
    for sentence in (
        "winner: expected law, found none",
        "seat 3: life: expected 4, found 3",
        "seat 3: hand: expected Beer, found nothing",
        "piles: discard_top: expected Beer, found BANG! AS",
    ):
        assert sentence in wrong.message


def test_steps_that_nobody_is_asked_for_fail_with_the_options(verdict):
    silent = verdict(SEATS, START, step(0, "play BANG! AS on 1"), step(0, "end"))
    assert silent.outcome == "failed"
    assert "step 2: it is for seat 0, but seat 1 is asked (answer)" in silent.message
    assert "respond Missed! 2S, respond Missed! 3S, respond Missed! 4S, pass" in silent.message


def test_an_illegal_and_an_ambiguous_choice_fail(verdict):
    assert "'play Beer 7H' is no legal answer" in verdict(SEATS, START, step(0, "play Beer 7H")).message
    ambiguous = verdict(SEATS, START, step(0, "play BANG!"))
    assert "fits 2 options: play BANG! AS on 1, play BANG! AS on 3" in ambiguous.message


def test_parts_may_be_left_out_while_one_option_fits(verdict):
    assert verdict(SEATS, START, step(0, "play Beer"), "[expect.seat.0]\nlife = 5").outcome == "passed"
    taken = [step(2, "play Panic! on 1"), "[expect.seat.1]\nhand_size = 2"]
    assert verdict(SEATS, START.replace("seat = 0", "seat = 2"), *taken).outcome == "passed"


def test_refuse_and_offer_are_patterns(verdict):
    both = 'refuse = ["play BANG! on 2"]\noffer = ["play BANG!"]'
    assert verdict(SEATS, START, step(0, "end", both)).outcome == "passed"
    refused = verdict(SEATS, START, step(0, "end", 'refuse = ["play BANG!"]'))
    assert "'play BANG!' must not be offered, but 'play BANG! AS on 1' is" in refused.message
    assert "'play Jail' must be offered" in verdict(SEATS, START, step(0, "end", 'offer = ["play Jail"]')).message


def test_kind_must_match(verdict):
    for kind in ("answer", "respond"):
        script = [step(0, "play BANG! AS on 1"), step(1, "pass", f'kind = "{kind}"'), step(0, "end")]
        assert verdict(SEATS, START, *script).outcome == "passed"
    assert "its kind is play, but the question is of kind answer" in verdict(
        SEATS, START, step(0, "play BANG! AS on 1"), step(1, "pass", 'kind = "play"')
    ).message


def test_a_step_may_be_skipped_if_it_is_not_offered(verdict):
    optional = step(1, "respond Missed! 2S", "if_offered = true")
    expected = "[expect.seat.1]\nhand_size = {}\n"
    assert verdict(SEATS, START, optional, *SHOT, optional, expected.format(3)).outcome == "passed"
    shot = [step(0, "play BANG! AS on 1"), optional, step(1, "pass"), step(0, "end")]
    assert verdict(SEATS, START, *shot, expected.format(2)).outcome == "passed"


def test_steps_left_over_fail(verdict):
    lonely = DEAD_OUTLAW.replace('"Rose Doolan"', '"Rose Doolan"\nlife = 1')
    over = verdict(lonely, START, *SHOT, '[expect]\nending = "law"')
    assert over.outcome == "failed" and "step 2: the game is over, but the script has steps left" in over.message
    assert verdict(lonely, START, SHOT[0], '[expect]\nending = "law"\nwinners = [1, 0]').outcome == "passed"


def test_sid_ketchum_needs_no_step_but_may_have_one(verdict):
    assert verdict(SEATS, START, *SHOT, "[expect.seat.1]\nlife = 2\nhand_size = 3").outcome == "passed"
    other = 'offer = ["use Sid Ketchum with Missed! 3S Missed! 2S"]'
    used = step(1, "use Sid Ketchum with Missed! 4S Missed! 2S", other)
    expected = '[expect.seat.1]\nlife = 3\n[expect.piles]\ndiscard = ["Missed! 2S", "Missed! 4S", "BANG! AS"]'
    assert verdict(SEATS, START, SHOT[0], used, SHOT[1], expected).outcome == "passed"


def test_the_turn_is_played_to_its_end_or_play_stops_after_the_script(verdict):
    many = SEATS.replace("life = 4\nhand", "life = 1\nhand")
    assert verdict(many, START, "[expect.seat.0]\nhand_size = 1").outcome == "passed"
    at_once = HEAD + 'stop = "after_script"\n'
    assert verdict(many, START, "[expect]\nasked = 0\n[expect.seat.0]\nhand_size = 2", head=at_once).outcome == "passed"
    wrong = verdict(many, START, step(0, "play BANG! AS on 1"), "[expect]\nasked = 0", head=at_once)
    assert "asked: expected 0, found 1" in wrong.message


def test_the_next_turns_are_played_if_steps_are_left(verdict):
    turns = [step(0, "end"), step(1, "end"), step(1, "discard Missed! 2S"), step(1, "discard", "if_offered = true")]
    rest = [step(1, "discard", "if_offered = true")]
    short = SEATS.replace('"Missed! 2S", "Missed! 3S", "Missed! 4S"', '"Missed! 2S"')
    piles = '\n[piles]\ndraw = ["Beer 7H", "Beer 8H"]\n'
    played = verdict(short, piles, START, *turns, *rest, '[expect.seat.1]\nhand = ["Beer 7H", "Beer 8H"]')
    assert played.outcome == "passed", played.message


def test_bare_names_take_the_first_card_that_no_full_name_has_reserved(verdict):
    piles = '\n[piles]\ndraw = ["Beer", "Panic! AH", "Panic!", "Beer 7H", "AH"]\n'
    expected = '[expect.piles]\ndraw_top = ["Beer 8H", "Panic! AH", "Panic! QH", "7H", "BANG! AH"]'
    head = HEAD + 'stop = "after_script"\n'
    found = verdict(SEATS, piles, START, expected, head=head)
    assert found.outcome == "passed", found.message
    found = verdict(SEATS, piles.replace('"AH"', '"AH", "AH"'), START, expected, head=head)
    assert found.outcome == "invalid"
    assert "AH is used more often than it is in the deck (2 of it)" in found.message


def test_cards_may_be_named_briefly_in_what_is_expected(verdict):
    end = [step(0, "end"), "[expect.seat.1]\nhand = {}"]
    for hand in ('["Missed!", "Missed!", "2S"]', '["Missed!", "4S", "Missed! 2S"]'):
        assert verdict(SEATS, START, *[piece.format(hand) for piece in end]).outcome == "passed"
    many = ", ".join(['"Missed!"'] * 14)
    for hand in ('["Missed!", "2S"]', '["2S", "2S", "Missed!"]', f"[{many}]"):
        assert verdict(SEATS, START, *[piece.format(hand) for piece in end]).outcome == "failed"


def test_seeds_fix_the_rest_of_the_pile_only(verdict):
    piles = '\n[piles]\ndraw = ["Beer 7H"]\n'
    expected = '[expect.piles]\ndraw_top = ["Beer 7H"]\ndraw_size = 73'
    assert verdict(SEATS, piles, START, *SHOT, expected, seeds=20).outcome == "passed"
    second = [step(0, "end"), '[expect.piles]\ndraw_top = ["Beer 7H", "BANG!"]']
    assert verdict(SEATS, piles, START, *second, seeds=20).outcome == "failed"


@pytest.mark.parametrize(
    ("pieces", "line", "sentences"),
    [
        ([SEATS.replace("life = 4", "lief = 4"), START], 8, ["unknown key 'lief'", "did you mean life"]),
        ([SEATS.replace('"outlaw"', '"outlow"'), START], 18, ["'outlow'", "did you mean outlaw"]),
        ([SEATS.replace("Slab the", "Slap the"), START], 7, ["unknown character 'Slap the Killer'", "Slab the Killer"]),
        ([SEATS.replace("Beer 6H", "Bear 6H"), START], 9, ["unknown card 'Bear 6H'", "Beer 6H"]),
        ([SEATS.replace("Beer 6H", "Missed! 2S"), START], 15, ["Missed! 2S is used more often"]),
        ([SEATS.replace("life = 2", "life = 9"), START], 14, ["life of seat 1 is 9; valid: 1..4"]),
        ([SEATS.replace('"Mustang 8H"', '"Mustang 8H", "Mustang 9H"'), START], 22, ["two cards named Mustang"]),
        ([SEATS.replace('"Mustang 8H"', '"Volcanic", "Winchester"'), START], 22, ["more than one weapon"]),
        ([SEATS.replace('"Mustang 8H"', '"Beer"'), START], 22, ["Beer is brown"]),
        ([SEATS.replace("Rose Doolan", "Sid Ketchum"), START], 26, ["Sid Ketchum is in play twice"]),
        ([SEATS.replace('"deputy"', '"sheriff"'), START], 5, ["2 sheriffs"]),
        ([SEATS.replace("max_life = 4", ""), START], 17, ["needs max_life"]),
        ([SEATS.replace("max_life = 4", "max_life = 4\nghost = true"), START], 22, ["is eliminated and has no hand"]),
        ([SEATS + 'buried = ["Beer"]\n', START], 27, ["buried belongs to death_mesa"]),
        ([SEATS, START.replace("seat = 0", "seat = 4")], 29, ["there is no seat 4"]),
        ([SEATS, START.replace('"play"', '"pley"')], 30, ["'pley'", "did you mean play"]),
        ([SEATS, START, step(0, "plya Beer")], 34, ["unknown verb 'plya'", "play"]),
        ([SEATS, START, step(9, "end")], 33, ["there is no seat 9"]),
        ([SEATS, START, "[rules]\nbang_limt = 2"], 32, ["unknown parameter 'bang_limt'", "bang_limit"]),
        ([SEATS, START, '[rules]\nexpansions = ["dodge_city"]'], 32, ["does not play dodge_city"]),
        ([SEATS, START, "[rules]\nplayers = 5"], 32, ["players is 5 but there are 4 seats"]),
        ([SEATS, START, "[expect]\nasked = 0"], 32, ['asked needs stop = "after_script"']),
        ([SEATS, START, "[expect.seat.7]\nlife = 2"], 31, ["unknown seat '7'"]),
        ([SEATS, START, '[expect.piles]\ndraw_top = ["Bear"]'], 32, ["unknown card 'Bear'"]),
        ([SEATS, START, "[[effect]]\ncard = \"Curse\""], 31, ["effect belongs to death_mesa"]),
        ([SEATS, START, "[expect\n"], 31, ["this is not TOML"]),
        ([SEATS, START, "[[doo]]\nseat = 0"], 31, ["unknown key 'doo'", "did you mean do"]),
        ([SEATS, START, "[rulse]\nbang_limit = 2"], 31, ["unknown key 'rulse'", "did you mean rules"]),
        ([SEATS, START, "[xyzzyxyzzy]"], 31, ["valid: cites, do, effect, expect, game, piles, rules, seat"]),
        ([SEATS.replace("[[seat]]", "[[seats]]"), START], 5, ["no [[seat]]", "did you mean [[seat]] where 'seats' is"]),
        ([START], None, ["no [[seat]]"]),
        ([SEATS, START, "[rules]\nexpansions = " + "[" * 3000 + "]" * 3000], None, ["nested more than 50 deep"]),
        ([SEATS, START, "[rules]\n" + ".".join("a" * 900) + " = 1"], None, ["nested more than 50 deep"]),
        ([SEATS, START, "[rules]\nbang_limit = " + "9" * 5000], None, ["cannot be read", "digits"]),
        ([SEATS.replace("Beer", "B\0er"), START], 9, ["there is a NUL byte"]),
        ([SEATS.replace("life = 4", 'life = "4"'), START], 8, ["seat 0 life is '4'; valid: a whole number"]),
        ([SEATS.replace('["BANG! AS", "Beer 6H"]', "5"), START], 9, ["seat 0 hand is 5; valid: a list"]),
        ([SEATS, "[expect.piles]\ndraw_top = 3", START], 28, ["draw_top is 3; valid: a list or text in quotes"]),
        ([SEATS, START, "[expect.seat]\n1 = 5"], 32, ["expect seat 1 is 5; valid: a table"]),
        ([SEATS, START, step(0, "play BNAG! on 1")], 34, ["unknown card or character 'BNAG!'", "BANG!"]),
        ([SEATS, START, step(0, "end", 'refuse = ["play Bere"]')], 35, ["unknown card or character 'Bere'", "Beer"]),
        ([SEATS, START, step(0, "end", 'refuse = ["play Beer 6S"]')], 35, ["unknown card 'Beer 6S'", "Beer 6H"]),
        ([SEATS, START, step(0, "end", 'offer = ["play BANG! on 4"]')], 35, ["unknown seat '4'", "valid: 0, 1, 2, 3"]),
        ([SEATS, START, step(0, "end", 'refuse = ["use Sid Kechum"]')], 35, ["'Sid Kechum'", "Sid Ketchum"]),
        ([SEATS, START, step(0, "end", 'refuse = ["play Panic! on 2 taking Mustng"]')], 35, ["'Mustng'", "Mustang"]),
        ([SEATS, START, step(0, "end", 'refuse = ["draw from dek"]')], 35, ["unknown place 'dek'", "deck"]),
    ],
)  # fmt: skip
def test_a_broken_file_is_invalid_with_the_line(verdict, pieces, line, sentences):
    found = verdict(*pieces)
    assert found.outcome == "invalid"
    for sentence in sentences:
        assert sentence in found.message
    assert line is None or f"a.toml:{line}:" in found.message, found.message


def test_patterns_may_name_what_the_game_has(verdict):
    names = ["play Jail on 1", "play 7S", "use Jourdonnais", "use bonus on 1", "choose hand", "choose S", "draw from 1"]
    patterns = [*names, "draw from deck", "play Panic! on 1 taking hand with nothing"]
    found = verdict(SEATS, START, step(0, "end", f"refuse = {patterns}"))
    assert found.outcome == "passed", found.message


def test_a_byte_order_mark_is_taken(verdict):
    assert verdict(SEATS, START, head="\ufeff" + HEAD).outcome == "passed"


def test_a_game_that_is_won_already_is_invalid(verdict):
    assert "won already (law)" in verdict(DEAD_OUTLAW.replace('"renegade"', '"deputy"'), START).message


def test_folders_skip_what_is_no_scenario_and_a_path_must_be_there(tmp_path):
    (tmp_path / "notes.toml").write_text("a = 1")
    (tmp_path / "inner").mkdir()
    with pytest.raises(UserError, match="no scenario in this folder"):
        run_scenarios([tmp_path])
    (tmp_path / "inner" / "b.toml").write_text(HEAD + SEATS + START)
    assert [v.outcome for v in run_scenarios([tmp_path])] == ["passed"]
    assert run_scenarios([tmp_path / "notes.toml"])[0].outcome == "invalid"
    with pytest.raises(UserError, match=r"nowhere.*no such file"):
        run_scenarios([tmp_path / "nowhere"])
    with pytest.raises(UserError, match="seeds is 0"):
        run_scenarios([tmp_path], 0)


def test_a_folder_leaves_out_only_what_was_never_meant_as_a_scenario(tmp_path):
    texts = {
        "good.TOML": HEAD + SEATS + START,
        "misspelt.toml": HEAD + SEATS.replace("[[seat]]", "[[seats]]") + START,
        "deep.toml": "a = " + "[" * 3000 + "]" * 3000,
        "begun.toml": 'title = "to be written"',
        "empty.toml": "",
        "other.toml": "a = 1",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files, others = scenario_files([tmp_path])
    assert [path.name for path in others] == ["empty.toml", "other.toml"]
    outcomes = {Path(v.path).name: v.outcome for v in run_scenarios([tmp_path])}
    assert outcomes == {
        "good.TOML": "passed", "misspelt.toml": "invalid", "deep.toml": "invalid", "begun.toml": "invalid"
    }  # fmt: skip


def test_one_line_is_a_play_with_all_its_parts(verdict, tmp_path):
    (tmp_path / "costly.csv").write_text("card,second_card\nPanic!,2\n")
    rules = f'\n[rules]\ncards = "{tmp_path / "costly.csv"}"\n'
    seats = SEATS.replace('hand = ["Panic! JH"]', 'hand = ["Panic! JH", "Beer 7H", "Beer 8H", "Beer 9H"]')
    start = START.replace("seat = 0", "seat = 2")
    offered = ["taking hand with Beer 8H Beer 7H", "on 1 with Beer 9H Beer 7H"]
    refused = ["with nothing", "with Beer 7H", "with Beer 7H Beer 7H", "with Beer 7H Beer 8H Beer 9H"]
    patterns = [f"offer = {[f'play Panic! {part}' for part in offered]}"]
    patterns += [f"refuse = {[f'play Panic! {part}' for part in refused]}"]
    play = step(2, "play Panic! on 3 taking Scope with Beer 9H Beer 8H", "\n".join(patterns))
    seats = seats.replace('"Rose Doolan"', '"Rose Doolan"\nin_play = ["Scope AS", "Barrel QS"]')
    expected = '[expect.seat.2]\nhand = ["Beer 7H", "Scope AS"]\n[expect.piles]\ndiscard = ["Panic! JH", "8H", "9H"]'
    found = verdict(rules, seats, start, play, expected)
    assert found.outcome == "passed", found.message
