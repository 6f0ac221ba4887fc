"""Experiment files: what they mean, and how their mistakes are reported."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from sim.bang.game import BANG
from sim.errors import UserError
from sim.services import design, experiment

START = 'question = "Why?"\n'


def read(folder: Path, text: str) -> experiment.Experiment:
    path = folder / "asked.toml"
    path.write_text(START + text, encoding="utf-8")
    return experiment.read(path)


def fault(folder: Path, text: str) -> str:
    with pytest.raises(UserError) as caught:
        read(folder, text)
    return str(caught.value).removeprefix(f"{folder}/")


def test_a_grid_has_every_combination_in_order(tmp_path):
    found = read(tmp_path, "[rules]\nplayers = 5\n[sweep]\ndraw_count = [1, 3]\nsheriff_extra_life = [0, 1, 2]\n")
    assert [tuple(cell.values.values()) for cell in found.cells] == [(d, s) for d in (1, 3) for s in (0, 1, 2)]
    assert all(cell.setup.rules["players"] == 5 for cell in found.cells)
    assert [cell.setup.rules["draw_count"] for cell in found.cells] == [1, 1, 1, 3, 3, 3]
    assert found.kinds == {"draw_count": "int", "sheriff_extra_life": "int"}


def test_cells_share_the_seed_unless_they_are_independent(tmp_path):
    sweep = "[sweep]\ndraw_count = [1, 2, 3]\n"
    assert [cell.seed for cell in read(tmp_path, f"seed = 9\n{sweep}").cells] == [9, 9, 9]
    seeds = [cell.seed for cell in read(tmp_path, f"seed = 9\nindependent = true\n{sweep}").cells]
    assert len(set(seeds)) == 3
    assert seeds != [cell.seed for cell in read(tmp_path, f"seed = 8\nindependent = true\n{sweep}").cells]


def test_the_baseline_is_the_cell_but_for_what_is_compared(tmp_path):
    text = """[rules]
    expansions = ["death_mesa"]
    dm_renegade_return = "zombie"
    [strategies]
    "ghost.renegade" = "random"
    [sweep]
    dm_zombie_goods_needed = [3, 6]
    players = [5, 8]
    [compare]
    rules = { expansions = [] }
    """
    for cell in read(tmp_path, text).cells:
        assert cell.baseline is not None
        assert cell.baseline.rules.expansions == ()
        assert cell.baseline.rules["players"] == cell.setup.rules["players"]
        assert set(cell.baseline.strategies) == {"default"}
        assert cell.setup.rules["dm_zombie_goods_needed"] == cell.values["dm_zombie_goods_needed"]


def test_a_swept_value_replaces_that_of_the_rules_and_strategies(tmp_path):
    text = '[rules]\ncopies = { beer = 8 }\n[strategies]\nrenegade = "random"\n[sweep]\n"copies.beer" = [2, 4]\n'
    found = read(tmp_path, text + '"strategies.renegade" = ["simple"]\n')
    assert [cell.setup.rules["copies.beer"] for cell in found.cells] == [2, 4]
    assert found.cells[0].setup.players["renegade"].name == "simple"


def test_files_are_looked_for_beside_the_experiment_and_travel_as_text(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "cards.csv").write_text("card,range\nWinchester,7\n", encoding="utf-8")
    found = read(tmp_path / "here", '[sweep]\ncards = ["cards.csv", ""]\n')
    setup = found.cells[0].setup
    key = setup.content
    (tmp_path / "here" / "cards.csv").unlink()
    assert setup.files == {"cards": "card,range\nWinchester,7\n"}
    assert Path(setup.rules["cards"]).read_text(encoding="utf-8") == setup.files["cards"]
    assert key["rules"]["cards"] != found.cells[1].setup.content["rules"]["cards"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[rule]\nplayers = 7\n", "asked.toml:2: unknown key 'rule'; did you mean rules"),
        ("[precision]\ngames = 0\n", "asked.toml:3: precision games is 0; valid: 1 or more"),
        ("[precision]\ngames = 5.5\n", "asked.toml:3: precision games is 5.5; valid: a whole number"),
        ("[rules]\nplayers = 7\nplayer = 7\n", "asked.toml:4: rules player: unknown parameter 'player'"),
        ("[rules]\nplayers = 9\n", "asked.toml:3: rules players: players: 9 is out of range; valid: 3..8"),
        ("[sweep]\nplayers = [4, 9]\n", "asked.toml:3: sweep players: players: 9 is out of range"),
        ("[sweep]\nplayers = 4\n", "asked.toml:3: sweep players: players is 4; valid: a list of values"),
        ("[sweep]\nplayers = [4, 4]\n", "asked.toml:3: sweep players: players has a value twice"),
        ('[sweep]\nkind = "lsh"\nplayers = [4, 8]\n', "unknown kind of sweep 'lsh'; did you mean lhs"),
        ('[sweep]\nkind = "sobol"\nsamples = 12\nplayers = [4, 8]\n', "powers of two"),
        ('[sweep]\nkind = "lhs"\nsamples = 9\ndraw_count = [3, 1]\n', "draw_count goes from 3 to 1; write [1, 3]"),
        ('[sweep]\nkind = "sobol"\nsamples = 8\ndraw_count = [3, 3]\n', "draw_count has a value twice"),
        ("[sweep]\ndm_decay = [true, true]\n", "asked.toml:3: sweep dm_decay: dm_decay has a value twice"),
        ('[sweep]\ndraw_count = [2, "2"]\n', "asked.toml:3: sweep draw_count: draw_count has a value twice"),
        (
            "[sweep]\ncopies.beer = [6, 8]\n",
            'asked.toml:3: sweep copies: copies is a table; write the whole name in quotes: "copies.beer" = [6, 8]',
        ),
        (
            '[sweep.strategies]\nrenegade = ["simple"]\n',
            'write the whole name in quotes: "strategies.renegade" = ["simple"]',
        ),
        (
            '[sweep]\nplayers = [4, 5]\n[report]\nheatmap = ["players", "players"]\n',
            "asked.toml:5: report heatmap: a heat map has two",
        ),
        ("[sweep]\nsamples = 12\nplayers = [4, 8]\n", "samples goes with kind"),
        ('[strategies]\nrenegad = "simple"\n', "asked.toml:3: strategies renegad: strategy: unknown role 'renegad'"),
        ('[strategies]\nrenegade = "smple"\n', "unknown strategy 'smple'; did you mean simple"),
        ('[report]\nmetrics = ["turn"]\n', "asked.toml:3: report metrics: unknown metric 'turn'; did you mean turns"),
        ('[report]\nheatmap = ["players"]\n', "asked.toml:3: report heatmap: unknown swept setting"),
        ('[goal]\nmetric = "turns"\ntarget = "most"\n', "asked.toml:4: goal target is 'most'; valid:"),
        ('[precision]\nhalf_width = "1pp"\ngames = 5\n', "asked.toml:4: precision games: games and half_width"),
        ('[precision]\nmetric = "turns"\n', "asked.toml:3: precision metric: metric goes with half_width"),
        ('[precision]\nhalf_width = "1 mile"\n', "asked.toml:3: precision half_width: precision: '1 mile'"),
        ("[compare]\nrules = { draw_count = 2 }\n", "asked.toml:2: compare: the baseline is the same as the cell"),
        ("[compare]\nrules = { draw = 3 }\n", "asked.toml:2: compare: unknown parameter 'draw'"),
        ('[rules]\ndeck = "nowhere.csv"\n', "asked.toml:3: rules deck: deck: "),
        (
            "[strategies]\ndefault = 3\n",
            "asked.toml:3: strategies default: strategy: 3 is not a name in quotes; installed:",
        ),
        ("[strategies]\nrenegade = true\n", "asked.toml:3: strategies renegade: strategy: True is not a name"),
        (
            '[sweep]\n"strategies.outlaw" = [["simple"], "random"]\n',
            "asked.toml:3: sweep strategies.outlaw: strategy: ['simple'] is",
        ),
        ("[compare]\nstrategies = { outlaw = 3 }\n", "asked.toml:2: compare: strategy: 3 is not a name in quotes"),
        (
            '[strategies]\noutlaw = "random"\ndefault = { name = "simple", mistake = 0.1 }\n',
            "asked.toml:4: strategies default: strategy simple: unknown",
        ),
        ('[strategies]\ndefault = ""\n', "asked.toml:3: strategies default: unknown strategy ''"),
        (
            '[sweep]\n"strategies.renegade" = ["simpel"]\n',
            "asked.toml:3: sweep strategies.renegade: unknown strategy 'simpel'",
        ),
        ('[goal]\nmetric = "turns"\ntarget = nan\n', "asked.toml:4: goal target is nan; valid: a number or 'highest'"),
        (
            '[goal]\nmetric = "turns"\ntarget = "max"\n',
            "asked.toml:4: goal target is 'max'; valid: a number or 'highest' or 'lowest'",
        ),
        ('[goal]\nmetric = "turns"\ntarget = inf\n', "asked.toml:4: goal target is inf; valid: a number"),
        (
            '[goal]\nmetric = "win_rate.team.law"\ntarget = 40\n',
            "goal target: target is 40, but win_rate.team.law is a share; valid: 0..1 (write 0.4 for 40 %)",
        ),
        ("seed = -1\n", "asked.toml:2: seed is -1; valid: 0 or more"),
        ('game = "bnag"\n', "asked.toml:2: game: unknown game 'bnag'; did you mean bang"),
    ],
)
def test_mistakes_are_told_with_their_line_and_what_would_be_right(tmp_path, text, said):
    assert said in fault(tmp_path, text)


def test_a_mistake_in_a_file_of_the_users_is_told_by_the_users_path_and_the_line_that_names_it(tmp_path):
    (tmp_path / "bad.csv").write_text("card,range\nWinchestr,7\n", encoding="utf-8")
    (tmp_path / "bad.py").write_text("def decide(view):\n    retrun 3\n", encoding="utf-8")
    place = f"asked.toml:4: rules cards: {tmp_path}/bad.csv:2: unknown card 'Winchestr'; did you mean Winchester?"
    assert fault(tmp_path, '[rules]\nplayers = 5\ncards = "bad.csv"\n') == place
    swept = fault(tmp_path, '[sweep]\ncards = ["", "bad.csv"]\n')
    assert swept.startswith(f"asked.toml:3: sweep cards: {tmp_path}/bad.csv:2: unknown card")
    own = fault(tmp_path, '[strategies]\noutlaw = "bad.py:decide"\n')
    assert own == f"asked.toml:3: strategies outlaw: {tmp_path}/bad.py, line 2: this is no Python: invalid syntax"


def test_a_file_that_is_not_there_is_told_with_the_nearest_beside_it(tmp_path):
    (tmp_path / "draws.toml").write_text(START, encoding="utf-8")
    with pytest.raises(UserError, match=f"drwas.toml: cannot be read: .*; did you mean {tmp_path}/draws.toml"):
        experiment.read(tmp_path / "drwas.toml")


def test_a_program_may_ask_with_numbers_of_numpy(tmp_path):
    rules, sweep = {"draw_count": np.int64(3)}, {"players": np.array([4, 5]), "sheriff_extra_life": (0, 1)}
    found = experiment.of_tables({"question": "?", "rules": rules, "sweep": sweep}, "mine")
    assert [cell.setup.rules["players"] for cell in found.cells] == [4, 4, 5, 5]
    assert found.kinds == {"players": "int", "sheriff_extra_life": "int"}
    assert found.resolved["rules"] == {"draw_count": 3}
    with pytest.raises(UserError, match="mine: rules: players: .* is no text, number"):
        experiment.of_tables({"question": "?", "rules": {"players": object()}}, "mine")


def test_a_question_is_needed(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("seed = 1\n", encoding="utf-8")
    with pytest.raises(UserError, match="question is missing"):
        experiment.read(path)


@pytest.mark.parametrize("kind", ["lhs", "sobol"])
def test_spread_points_fill_ranges_evenly_and_choices_too(kind):
    sweep = {"kind": kind, "samples": 64, "whole": [1, 4], "share": [0.0, 1.0], "word": ["a", "b"], "one": [7]}
    points = design.points(sweep, 3)
    assert len(points) == 64
    assert Counter(point["whole"] for point in points) == dict.fromkeys((1, 2, 3, 4), 16)
    assert Counter(point["word"] for point in points) == {"a": 32, "b": 32}
    assert {point["one"] for point in points} == {7}
    assert Counter(int(point["share"] * 32) for point in points) == dict.fromkeys(range(32), 2)
    assert points == design.points(sweep, 3) != design.points(sweep, 4)


def test_the_schema_takes_what_the_reader_takes(tmp_path):
    """The file that ``scofflaw new experiment`` writes, and not one with a mistake."""
    (template,) = BANG.new_files["experiment"]
    path = tmp_path / "a.toml"
    path.write_text(template.read_text(encoding="utf-8"), encoding="utf-8")
    data = experiment.read(path).resolved
    jsonschema.validate(data, experiment.schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "rule": {}}, experiment.schema())


@pytest.mark.parametrize("precision", ["", '[precision]\nhalf_width = "1pp"\n'])
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"games": 0}, "games is 0; valid: 1..1000000000000"),
        ({"games": -5}, "games is -5; valid: 1.."),
        ({"games": 2.5}, "games: 2.5 is not a whole number; valid: 1.."),
        ({"games": 10**13}, "valid: 1..1000000000000"),
        ({"seed": -1}, "seed is -1; valid: 0.."),
        ({"seed": 10**20}, "valid: 0.."),
    ],
)
def test_numbers_in_place_of_those_of_a_file_have_the_same_limits(tmp_path, precision, changed, said):
    path = tmp_path / "asked.toml"
    path.write_text(START + precision, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        experiment.read(path, **changed)
    found = experiment.read(path, games=7, seed=0)
    assert (found.games, found.file.seed) == (7, 0)


@pytest.mark.parametrize("expansions", ['[], ["death_mesa"]', '["death_mesa"], []'])
@pytest.mark.parametrize(
    "ends",
    [
        '[precision]\nhalf_width = "1pp"\nmetric = "zombie.won"\n',
        '[goal]\nmetric = "zombie.won"\ntarget = "highest"\nracing = true\n',
    ],
)
def test_cells_end_by_a_metric_that_all_of_them_have(tmp_path, ends, expansions):
    said = fault(tmp_path, f"{ends}[sweep]\nexpansions = [{expansions}]\n")
    assert said.startswith("asked.toml:") and "metric: zombie.won is not counted in every cell" in said
    assert "not in the one with expansions=none" in said


def test_a_half_width_is_about_the_same_metric_in_each_cell(tmp_path):
    """Expansions bring metrics, so that those of the game stand in other rows."""
    text = '[precision]\nhalf_width = "1pp"\nmetric = "win_rate.role.renegade"\n'
    found = read(tmp_path, f'{text}[sweep]\nexpansions = [[], ["death_mesa"]]\n')
    declared = [found.game.metrics(cell.setup.rules) for cell in found.cells]
    assert found.wanted is not None
    rows = [found.wanted.rows(metrics) for metrics in declared]
    assert rows[0] != rows[1]
    names = [[metrics[row].name for row in those] for metrics, those in zip(declared, rows, strict=True)]
    assert names == [["win_rate.role.renegade"]] * 2


def test_the_resolved_file_has_every_default(tmp_path):
    found = read(tmp_path, "")
    assert found.games == experiment.DEFAULT_GAMES
    assert found.resolved["report"] == {"metrics": [], "heatmap": [], "listed_games": 0, "correction": "holm"}
    assert len(found.cells) == 1 and found.cells[0].values == {}
