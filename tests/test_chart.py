"""Charts: what is on them, the same bytes for the same result, and mistakes before anything is played."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from toy import CAREFUL, TOY

import sim
from sim.errors import UserError
from sim.reports import chart, look
from sim.reports.summary import again
from sim.services import batch
from sim.services.result import Result

RULES = TOY.resolve({"players": 4})


@pytest.fixture(scope="module")
def result():
    declared, endings = TOY.metrics(RULES), TOY.endings(RULES)
    tallies, _ = batch.play(TOY.session(RULES, {"default": CAREFUL}), len(declared), len(endings), 9, 300, 1)
    return Result(
        command="run", version="0.1", game="toy", rules=RULES, strategies={"default": "careful"}, seed=9,
        games_asked=300, tallies=tallies, declared=declared, ending_names=endings, seconds=2.0,
    )  # fmt: skip


@pytest.fixture(scope="module")
def mesa():
    return sim.run(rules={"expansions": "death_mesa"}, games=2000)


def figure_of(result, options=""):
    with look.look():
        return chart._figure(result, "High Card", options)


def texts(figure):
    found = [text.get_text() for text in figure.texts]
    for axes in figure.axes:
        found += [axes.get_title(loc="left"), *(text.get_text() for text in axes.texts)]
        found += [label.get_text() for label in axes.get_yticklabels()]
    return found


def test_a_chart_says_what_was_played_and_how_to_do_it_again(result):
    found = texts(figure_of(result, " --rules players=4"))
    assert found[0] == "High Card, 4 players, no expansion, preset toy"
    assert found[1] == "300 games of seed 9, 95 % intervals  ·  Strategy: careful"
    assert found[2] == "scofflaw run --games 300 --seed 9 --rules players=4"
    assert "How games end, share of all games" in found
    assert "Roles as dealt, share that won" in found


def test_points_and_lines_are_the_rates_and_their_intervals(result):
    endings, roles = figure_of(result).axes
    for axes, rows in ((endings, result.endings), (roles, [r for r in result.win_rates if r.group == "role"])):
        lines = [line.get_xdata() for line in axes.lines]
        assert [list(x) for x in lines[::2]] == [pytest.approx([100 * row.low, 100 * row.high]) for row in rows]
        assert [x[0] for x in lines[1::2]] == pytest.approx([100 * row.rate for row in rows])
        assert [label.get_text() for label in axes.get_yticklabels()] == [row.name for row in rows]
        assert axes.get_xlim()[1] >= max(100 * row.high for row in rows)
        assert axes.get_xticklabels()[1].get_text().endswith(" %")


def test_the_roads_of_the_dead_renegade_are_funnels(mesa):
    figure = figure_of(mesa)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[3] == "The dead Renegade as a Scofflaw"
    assert "The dead Renegade as a Zombie" not in titles  # switched off by the rules
    rows = {row.name: row for row in mesa.metrics}
    steps = mesa.funnels["The dead Renegade as a Scofflaw"]
    widths = [patch.get_width() for patch in figure.axes[3].patches]
    assert widths == pytest.approx([100 * rows[step].numerator / 2000 for step in steps])
    assert len({axes.get_xlim() for axes in figure.axes[3:]}) == 1


def test_nothing_is_cut_off_or_on_top_of_another(mesa):
    """Every text lies within the picture, and no text over another."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = figure_of(mesa, " --rules dm_zombie_goods_needed=3" * 8)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = canvas.get_width_height()
    shown = [*figure.texts]
    for axes in figure.axes:
        shown += [*axes.texts, *axes.get_yticklabels(), *axes.get_xticklabels(), axes._left_title]
    boxes = [text.get_window_extent() for text in shown if text.get_text()]
    assert len(boxes) > 60
    for box in boxes:
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height
    overlaps = [
        (a, b) for i, a in enumerate(boxes) for b in boxes[:i]
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 2
    ]  # fmt: skip
    assert overlaps == []


def test_a_long_command_keeps_options_and_values_together(result):
    command = again(result, " --rules some_rule=1" * 20)
    lines = chart._broken(command)
    assert len(lines) > 2 and " ".join(lines) == command
    assert not any(line.endswith("--rules") for line in lines)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".SVG"])
def test_the_same_result_gives_the_same_bytes(result, tmp_path, suffix, monkeypatch):
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    chart.draw(result, "High Card", "", first)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    import matplotlib

    with matplotlib.rc_context({"font.size": 20}):  # a user's style
        chart.draw(result, "High Card", "", second)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(os.listdir(tmp_path)) == [first.name, second.name]
    if suffix == ".png":
        assert first.read_bytes().startswith(b"\x89PNG")
    else:
        assert ET.fromstring(first.read_bytes()).tag.endswith("svg")


def test_dollars_in_file_names_are_no_formulas(result):
    figure = figure_of(result, " --rules deck=$x$.csv")
    assert "deck=$x$.csv" in texts(figure)[2]
    assert not any(text.get_parse_math() for text in figure.texts)


def test_what_was_never_seen_has_an_open_point(result):
    sums = result.tallies.sums.copy()
    sums[1] = (0, 300, 0, 0, 300)
    never = replace(result, tallies=replace(result.tallies, sums=sums))
    colours = [line.get_markerfacecolor() for line in figure_of(never).axes[0].lines[1::2]]
    assert colours[1] == look.PAPER != colours[0]


MISTAKES = [
    ("chart.gif", "'.gif' is no kind of picture that is drawn; write chart.png or chart.svg"),
    ("chart.pgn", "write chart.png"),
    ("chart", "the name has no ending; write chart.png or chart.svg"),
    ("no/such/chart.png", "there is no folder"),
    ("folder.png", "is a folder"),
]


@pytest.mark.parametrize(("name", "message"), MISTAKES)
def test_a_chart_that_cannot_be_is_told_before_games_are_played(scofflaw, tmp_path, monkeypatch, name, message):
    (tmp_path / "folder.png").mkdir()
    monkeypatch.setattr("sim.api.play", lambda *_: pytest.fail("games were played"))
    answer = scofflaw("run", "--games", 10, "--plot", tmp_path / name)
    assert (answer.code, answer.out) == (2, "")
    assert "--plot: " in answer.err and message in answer.err


def test_a_folder_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    def refuse(*_args, **_more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(UserError, match="nothing can be written in .*: Permission denied"):
        chart.check(tmp_path / "a.png")


def test_a_chart_is_written_whole_or_not_at_all(result, tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    path.write_bytes(b"old")

    def refuse(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(UserError, match="No space left"):
        chart.draw(result, "High Card", "", path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["a.png"])


def test_run_draws_a_chart_and_json_stays_alone_on_stdout(scofflaw, tmp_path):
    import json

    path = tmp_path / "chart.svg"
    answer = scofflaw("run", "--games", 200, "--plot", path, "--json")
    assert json.loads(answer.out)["games"] == 200
    assert answer.err.endswith(f"Chart: {path}\n")
    assert re.search(rb"<svg", path.read_bytes())
    assert oct(path.stat().st_mode & 0o777) == oct(0o666 & ~_umask())


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
