"""``scofflaw report``: experiments read back, the verdict, the charts, and the page as a browser shows it."""

from __future__ import annotations

import io
import json
import re
import shutil
from html.parser import HTMLParser
from itertools import pairwise

import pandas
import pytest
import studies
from rich.console import Console

from sim.cli import experiment
from sim.errors import UserError
from sim.reports import cells, look, page, tables
from sim.reports.findings import findings
from sim.reports.frames import NARROW, WIDE, Frame
from sim.reports.pictures import charts
from sim.reports.verdict import verdict
from sim.services import results

OUTLAWS, LAW = "win_rate.team.outlaws", "win_rate.team.law"
QUESTION = 'Which <b>number</b> & "why"? </script><script>alert(1)</script> {{ 7 * 7 }}'
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def found_in(folder):
    return findings(results.read(folder))


def drawn(chart, width=WIDE):
    with look.look():
        return chart.draw(Frame(width))


def by_draws(draws, players=7, **_):
    """Outlaws win a half of the games where draws + players is 10."""
    return {OUTLAWS: 0.5 + 0.05 * (draws + players - 10), LAW: 0.4}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Pages of four experiments that were played: one set-up, along a setting, a map, and against a baseline."""
    root = tmp_path_factory.mktemp("results")
    folders = {
        "one": studies.play(root / "one", {"expansions": "death_mesa"}, games=400),
        "line": studies.play(root / "line", {}, {"draw_count": [1, 2, 3]}, games=400, question=QUESTION),
        "map": studies.play(
            root / "map", {}, {"draw_count": [1, 2, 3], "players": [5, 6, 7]}, games=400,
            goal={"metric": OUTLAWS, "target": 0.5},
            report={"metrics": [OUTLAWS], "heatmap": ["draw_count", "players"]},
        ),
        "baseline": studies.play(
            root / "baseline", {"preset": "seed"}, baseline={"preset": "official"}, games=2000,
            report={"metrics": [LAW, "turns"]},
        ),
    }  # fmt: skip
    for folder in folders.values():
        page.write(results.read(folder))
    return folders


# Reading


def test_what_was_written_is_read_back(played):
    read = results.read(played["map"])
    assert read.manifest.swept == ["draw_count", "players"]
    assert [cell.values for cell in read.manifest.cells][:2] == [
        {"draw_count": 1, "players": 5}, {"draw_count": 1, "players": 6},
    ]  # fmt: skip
    found = findings(read)
    first = read.cells[(read.cells["metric"] == OUTLAWS) & (read.cells["cell"] == 4)].iloc[0]
    assert found.value(4, OUTLAWS).estimate == first["estimate"] == first["numerator"] / 400
    assert found.headline == OUTLAWS and found.is_grid and found.numeric == ["draw_count", "players"]


def test_a_name_or_a_path_finds_the_folder(played, tmp_path):
    root = played["one"].parent
    assert results.find("one", root) == results.find(str(root / "one"), tmp_path) == root / "one"
    with pytest.raises(UserError, match="no such folder.*did you mean baseline?"):
        results.find("basline", root)
    with pytest.raises(UserError, match="play an experiment first: scofflaw run FILE"):
        results.find("one", tmp_path)
    with pytest.raises(UserError, match="is a file; name the folder"):
        results.find(str(root / "one" / "manifest.json"), root)


def cut(path):
    path.write_bytes(path.read_bytes()[:-40])


def manifest_with(**changes):
    def change(folder):
        path = folder / "manifest.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        content.update(changes)
        path.write_text(json.dumps({name: v for name, v in content.items() if v is not None}), encoding="utf-8")

    return change


def without_column(folder):
    path = folder / "cells.parquet"
    pandas.read_parquet(path).drop(columns="draw_count").to_parquet(path)


def without_rows(folder):
    path = folder / "cells.parquet"
    pandas.read_parquet(path).head(0).to_parquet(path)


MISTAKES = [
    (lambda folder: (folder / "manifest.json").unlink(), "no results of an experiment"),
    (lambda folder: cut(folder / "manifest.json"), "damaged, no JSON"),
    (manifest_with(schema=2), "schema 2, and this version reads schema 1"),
    (manifest_with(schema=None), "no schema"),
    (manifest_with(cells=None), "cells: field required"),
    (manifest_with(cells=[]), "cell 0 is not in manifest.json"),
    (manifest_with(swept=["draw_count", "cell"]), "cell 0 has no value of cell"),
    (manifest_with(report={"metrics": ["win_rate.team.lay"]}), "did you mean win_rate.team.law"),
    (manifest_with(report={"heatmap": ["draw_cont"]}), "unknown swept setting 'draw_cont'; did you mean draw_count?"),
    (manifest_with(baseline={"seed": 1, "games": 1}), "differences.parquet: there is no such file"),
    (lambda folder: (folder / "cells.parquet").unlink(), "cells.parquet: there is no such file"),
    (lambda folder: cut(folder / "cells.parquet"), "cells.parquet: damaged"),
    (without_column, "there is no column 'draw_count'"),
    (without_rows, "there are no figures in it"),
]


@pytest.mark.parametrize(("damage", "message"), MISTAKES)
def test_what_is_missing_or_damaged_is_told(played, tmp_path, damage, message):
    folder = tmp_path / "line"
    shutil.copytree(played["line"], folder)
    damage(folder)
    with pytest.raises(UserError, match=re.escape(message)):
        results.read(folder)


def test_the_command_writes_the_page_and_tells_where(scofflaw, played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(played["line"], tmp_path / "results" / "cards", ignore=shutil.ignore_patterns("*.html", "charts"))
    answer = scofflaw("report", "cards")
    assert (answer.code, answer.out, answer.err) == (0, "Report: results/cards/report.html\n", "")
    names = {path.stem for path in (tmp_path / "results" / "cards" / "charts").iterdir()}
    assert names == {chart.name for chart in charts(found_in(played["line"]))}
    wrong = scofflaw("report", "card")
    assert (wrong.code, wrong.out) == (2, "") and "did you mean cards?" in wrong.err


# The verdict


def test_the_verdict_names_the_set_up_nearest_to_the_target(tmp_path):
    folder = studies.make(
        tmp_path / "a", studies.grid(draws=[1, 2, 4]), by_draws, goal={"metric": OUTLAWS, "target": 0.47},
        report={"metrics": [LAW]},
    )  # fmt: skip
    told = verdict(found_in(folder))
    assert told[0].startswith("With draws = 2, the win rate of outlaws (team) is 45.00 % (44.03 – 45.98 %).")
    assert "nearest to the target, 47 %, of the 3 set-ups" in told[0]
    assert "The target lies above the interval: none meets it." in told[0]
    assert told[1] == "It passes the target between draws = 2 and draws = 4."
    assert told[2].startswith("There the win rate of law (team) is 40.00 %")


def test_the_verdict_counts_the_set_ups_that_meet_the_target(tmp_path):
    sweep = studies.grid(draws=[2, 3, 4], players=[6, 7])
    folder = studies.make(tmp_path / "a", sweep, by_draws, goal={"metric": OUTLAWS, "target": 0.5})
    told = verdict(found_in(folder))[0]
    assert "lies within its interval, and within that of 1 other." in told


@pytest.mark.parametrize(
    ("games", "said"), [(100_000, "is clearly behind"), (100, "cannot tell it from 1 other of the 3")]
)
def test_the_verdict_tells_the_best_from_the_next_if_the_games_do(tmp_path, games, said):
    sweep = studies.grid(draws=[1, 4, 5])
    goal = {"metric": OUTLAWS, "target": "highest"}
    told = verdict(found_in(studies.make(tmp_path / "a", sweep, by_draws, games=games, goal=goal)))
    assert told[0].startswith("The win rate of outlaws (team) is highest with draws = 5: 60.")
    assert said in told[0]


def test_the_verdict_on_one_set_up_says_who_wins(played):
    told = verdict(found_in(played["one"]))
    assert re.match(
        r"Share of games won, by team: outlaws \d+\.\d % \([\d.]+ – [\d.]+ %\), law .* and renegade", told[0]
    )


def test_the_verdict_tells_clear_differences_from_others(tmp_path):
    baseline = {OUTLAWS: 0.5, LAW: 0.4}
    one = studies.make(tmp_path / "one", studies.grid(draws=[5]), by_draws, baseline)
    told = verdict(found_in(one))
    assert told[0] == (
        "Compared with the baseline, the win rate of outlaws (team) rises by 10.0 points (+8.8 to +11.2), from 50 %"
        " to 60 %."
    )
    assert told[1].startswith("The win rate of law (team) does not change clearly: +0.0 points (−1.2 to +1.2)")
    many = studies.make(tmp_path / "many", studies.grid(draws=[1, 3, 5]), by_draws, baseline)
    assert verdict(found_in(many))[0] == (
        "The win rate of outlaws (team) is clearly higher than in the baseline in 1 and clearly lower in 1 of 3 set-ups"
        ": from −10.0 points (−11.2 to −8.8) with draws = 1 to +10.0 points (+8.8 to +11.2) with draws = 5."
    )
    for name, draws, told in (("less", [1, 2], "falls clearly in both"), ("more", [4, 5, 6], "rises clearly in all 3")):
        assert f"{told} set-ups: by 5.0 points" in verdict(found_in(
            studies.make(tmp_path / name, studies.grid(draws=draws), by_draws, baseline)
        ))[0]  # fmt: skip


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ((0.9, 0.9), "rises clearly in both set-ups: by 50.0 points (+48.8 to +51.2)."),
        ((0.4, 0.4), "does not differ clearly from the baseline in any of 2 set-ups: +0.0 points"),
    ],
)
def test_the_verdict_says_once_what_is_the_same_in_all_set_ups(tmp_path, rates, said):
    by_draw = dict(zip((2, 3), rates, strict=True))
    folder = studies.make(tmp_path / "a", studies.grid(draws=[2, 3]), lambda draws: {LAW: by_draw[draws]}, {LAW: 0.4})
    sentence = verdict(findings(results.read(folder)))[0]
    assert said in sentence
    assert "draws" not in sentence


@pytest.mark.parametrize("name", ["one", "line", "map", "baseline"])
def test_a_large_sweep_is_shown_from_the_rows_that_are_shown(played, name):
    whole, brief = results.read(played[name]), results.read(played[name], brief=True)
    assert len(brief.cells) < len(whole.cells) / 2
    assert shown_text(brief) == shown_text(whole)


def test_a_large_sweep_is_shown_where_no_difference_is_of_a_metric_that_it_names(played, tmp_path):
    """A metric that the baseline does not have has no differences."""
    folder = shutil.copytree(played["baseline"], tmp_path / "other")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["report"]["metrics"] = ["showdown_won"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    table = pandas.read_parquet(folder / "differences.parquet")
    table[table["metric"] != "showdown_won"].to_parquet(folder / "differences.parquet")
    assert shown_text(results.read(folder, brief=True)) == shown_text(results.read(folder))


def shown_text(found):
    told = Console(file=io.StringIO(), width=200)
    for line in cells.lines(found):
        told.print(line)
    return told.file.getvalue()


def test_another_file_that_writes_into_the_same_folder_is_told(tmp_path, capsys):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.toml").write_text("", encoding="utf-8")
    one, other = (tmp_path / name / "same.toml" for name in ("one", "other"))
    folder = studies.make(tmp_path / "a", studies.grid(draws=[1, 2]), by_draws, command=f"scofflaw run {one}")
    experiment._warn_of_another(folder, one)
    experiment._warn_of_another(tmp_path / "nothing", one)
    assert capsys.readouterr().err == ""
    experiment._warn_of_another(folder, other)
    told = " ".join(capsys.readouterr().err.split())
    assert f"has the results of {one}, whose tables make way for those of {other}" in told


def test_charts_of_an_earlier_page_go_and_files_of_others_stay(tmp_path):
    folder = studies.make(tmp_path / "a", studies.grid(draws=[1, 2]), by_draws)
    (folder / "charts").mkdir()
    for name in ("old.svg", "old.png", "notes.txt"):
        (folder / "charts" / name).write_text("", encoding="utf-8")
    page.write(results.read(folder))
    there = {path.name for path in (folder / "charts").iterdir()}
    assert "notes.txt" in there and not there & {"old.svg", "old.png"}
    assert {path.rpartition(".")[2] for path in there} == {"txt", "svg", "png"}


def test_strategies_are_a_range_beside_the_interval_not_a_choice(tmp_path):
    def rates(draws, strategy):
        return {OUTLAWS: 0.3 + 0.1 * draws if strategy == "simple" else 0.5}

    sweep = studies.grid(draws=[1, 2], strategy=["simple", "random"])
    folder = studies.make(tmp_path / "a", sweep, rates, goal={"metric": OUTLAWS, "target": 0.41})
    found = found_in(folder)
    told = verdict(found)
    assert told[0].startswith("With draws = 1 and strategy = simple, the win rate of outlaws (team) is 40.00 %")
    assert "of the 2 set-ups with strategy = simple." in told[0]
    assert told[-1] == (
        "Over strategy (simple and random), the win rate of outlaws (team), with draws = 1, goes from 40.00 %"
        " (strategy = simple) to 50.00 % (strategy = random): more than the width of an interval."
    )
    spread = tables.spread_table(found)
    assert [row[0] for row in spread.rows] == ["1", "2"]
    assert spread.rows[0][1] == "40.00 %" and spread.rows[0][3:5] == ["simple", "50.00 %"]


# Charts


def test_a_map_has_the_line_of_the_target_where_it_is(tmp_path):
    folder = studies.make(
        tmp_path / "a", studies.grid(draws=[1, 2, 3, 4], players=[5, 6, 7, 8]), by_draws,
        goal={"metric": OUTLAWS, "target": 0.475},
    )  # fmt: skip
    found = found_in(folder)
    first = charts(found)[0]
    assert first.title == "Win rate: outlaws (team), by draws and players"
    assert "black line it would be 47.5 %" in first.reading and "frame marks" in first.reading
    axes = drawn(first).axes[0]
    (points,) = [path.vertices for path in axes.collections[-1].get_paths()]
    # Columns are draws 1 … 4 and rows players 5 … 8, so draws + players = 9.5 is where column + row = 3.5.
    assert points.sum(axis=1) == pytest.approx([3.5] * len(points), abs=1e-3)
    shown = {text.get_text() for text in axes.texts}
    assert {"30.0", "50.0", "60.0"} <= shown


def test_few_differences_of_one_unit_are_in_one_chart_a_block_a_metric(tmp_path):
    baseline, report = {OUTLAWS: 0.5, LAW: 0.4}, {"metrics": [OUTLAWS, LAW]}
    for draws, titles in (
        ([1, 3, 5], ["Change from the baseline, by draws"]),
        (range(1, 14), [f"Win rate: {who} (team), less the baseline, by draws" for who in ("outlaws", "law")]),
    ):
        sweep = studies.grid(draws=list(draws))
        found = found_in(studies.make(tmp_path / str(len(draws)), sweep, by_draws, baseline, report=report))
        chosen = [chart for chart in charts(found) if chart.name.startswith("difference-")]
        assert [chart.title for chart in chosen] == titles
        points = [line.get_xdata() for chart in chosen for line in drawn(chart).axes[0].lines]
        values = [x[0] for x in points if len(x) == 1]
        changes = [*found.changes_of(OUTLAWS), *found.changes_of(LAW)]
        assert values == pytest.approx([100 * change.estimate for change in changes])


def test_rows_are_the_rates_and_their_intervals(tmp_path):
    folder = studies.make(tmp_path / "a", studies.grid(preset=["seed", "official"], draws=[3]), by_draws)
    found = found_in_named(folder)
    chart = next(chart for chart in charts(found) if chart.title == "Win rate: outlaws (team), by preset and draws")
    lines = [line.get_xdata() for line in drawn(chart).axes[0].lines]
    values = found.known(OUTLAWS)
    assert [list(x) for x in lines[::2]] == [pytest.approx([100 * v.low, 100 * v.high]) for v in values]
    assert [x[0] for x in lines[1::2]] == pytest.approx([100 * v.estimate for v in values])


def found_in_named(folder):
    manifest_with(report={"metrics": [OUTLAWS]})(folder)
    return found_in(folder)


@pytest.mark.parametrize("name", ["one", "line", "map", "baseline"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_nothing_is_cut_off(played, name, width):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    for chart in charts(found_in(played[name])):
        with look.look():
            figure = chart.draw(Frame(width, chart.title))
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
        wide, high = canvas.get_width_height()
        shown = [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]
        for axes in figure.axes:
            left, right = axes.get_xlim()
            shown += [text for text in axes.get_xticklabels() if left <= text.get_position()[0] <= right]
        for text in shown:
            box = text.get_window_extent()
            fits = box.x0 >= -1 and box.x1 <= wide + 1 and box.y0 >= -1 and box.y1 <= high + 1
            assert fits or not text.get_text(), (chart.name, text.get_text())


def test_of_many_rows_the_lowest_and_the_highest_are_shown(tmp_path):
    sweep = [{"deck": f"{k}.csv"} for k in range(80)]
    folder = studies.make(tmp_path / "a", sweep, lambda deck: {OUTLAWS: int(deck[:-4]) / 100})
    (chart,) = charts(found_in(folder))
    assert "the 30 lowest and the 30 highest of 80" in chart.reading
    assert len(drawn(chart).axes[0].lines) == 120


def test_points_of_a_sample_are_not_joined(tmp_path):
    sweep = [{"draws": 1, "players": 4}, {"draws": 3, "players": 7}, {"draws": 2, "players": 5}]
    found = found_in(studies.make(tmp_path / "a", sweep, by_draws))
    assert [chart.title for chart in charts(found)] == [
        "Win rate: outlaws (team), across draws", "Win rate: outlaws (team), across players",
    ]  # fmt: skip
    axes = drawn(charts(found)[0]).axes[0]
    assert [len(line.get_xdata()) for line in axes.lines if line.get_linestyle() != "None"] == []
    assert [list(line.get_xdata()) for line in axes.lines] == [[1, 2, 3]]


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


def test_the_same_folder_gives_the_same_bytes(played, tmp_path):
    import matplotlib

    first = contents(played["map"])
    copy = tmp_path / "map"
    shutil.copytree(played["map"], copy, ignore=shutil.ignore_patterns("*.html", "charts"))
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red"}):  # a user's style
        page.write(results.read(copy))
    assert contents(copy) == first
    assert {path.suffix for path in first} == {".json", ".parquet", ".html", ".svg", ".png"}


# The page


class Reader(HTMLParser):
    """Tags with their attributes, and the text of what is no style and no script."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.inside = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_data(self, data):
        if self.inside not in ("style", "script"):
            self.words.append(data)


@pytest.fixture(scope="module")
def pages(played):
    texts = {name: (folder / "report.html").read_text(encoding="utf-8") for name, folder in played.items()}
    return {name: (text, Reader(text)) for name, text in texts.items()}


@pytest.mark.parametrize("name", ["one", "line", "map", "baseline"])
def test_a_page_needs_nothing_but_itself_and_can_be_read_aloud(pages, name):
    text, read = pages[name]
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes.get("href", attributes.get("src", "")) for _, attributes in read.tags]
    assert not any(re.match(r"(https?:)?//", link) for link in links)
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    charts_shown = [attributes for tag, attributes in read.tags if tag == "svg"]
    assert charts_shown and all(a["role"] == "img" and len(a["aria-label"]) > 20 for a in charts_shown)
    assert "".join(read.words).count("95 % interval") > 2
    assert "#0072B2" not in text.upper().split("</STYLE>", 1)[1]  # in both themes colours are the page's own


def test_what_users_write_is_text(pages):
    text, read = pages["line"]
    assert "<script>alert" not in text and "<b>number" not in text and "49" not in text.split("<h1>")[1][:120]
    assert QUESTION in "".join(read.words)
    assert [tag for tag, _ in read.tags].count("script") == 1


def test_examples_are_commands_that_show_the_game(pages, played):
    _, read = pages["line"]
    cell = results.read(played["line"]).manifest.cells[1]
    game = cell.examples["law"][0]
    assert f"scofflaw trace --rules draw_count=2 --strategy simple --seed 20111007 --game {game}" in read.words
    assert "scofflaw run experiments/line.toml" in read.words


def test_a_page_warns_of_what_must_not_be_overlooked(tmp_path):
    folder = studies.make(tmp_path / "a", studies.grid(draws=[1, 2]), by_draws, partial=True)
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    content["cells"][1].update(unfinished=3, illegal=7)
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    html = page.html(found_in(folder), [])
    assert html.count('class="warning"') == 3
    assert "3 games came to no end" in html and "7 illegal answers" in html and "interrupted" in html
    content["cells"][0].update(baseline_unfinished=2, baseline_illegal=4, reached=False)
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    html = page.html(found_in(folder), [])
    assert "5 games came to no end" in html and "11 illegal answers" in html
    assert "1 of 2 set-ups did not come to the half-width that was asked for with the games allowed." in html
    told = " ".join(map(str, cells.lines(results.read(folder))))
    assert "5 games came to no end" in told and "11 answers were not legal" in told and "1 of 2 set-ups did not" in told


def test_a_large_experiment_makes_no_heavy_page(tmp_path):
    names = [OUTLAWS, LAW, *(f"dead_card.card_{k}.played" for k in range(118))]
    sweep = studies.grid(draws=[1, 2, 3, 4, 5], players=[4, 5, 6, 7], preset=["seed", "official"])
    folder = studies.make(
        tmp_path / "a", sweep, lambda **_: {name: 0.1 + 0.005 * k for k, name in enumerate(names)},
        {name: 0.1 for name in names}, report={"metrics": names[:6], "heatmap": []},
    )  # fmt: skip
    path = page.write(results.read(folder))
    assert len(pandas.read_parquet(folder / "cells.parquet")) == 40 * 120
    assert path.stat().st_size < 1.5e6


# In a browser


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture
def opened(browser, played):
    """Opens a page; what it logs and asks the network for is kept with it."""
    contexts = []

    def open_page(name, width=1000, **options):
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        shown = context.new_page()
        shown.heard = []
        shown.on("console", lambda message: shown.heard.append(message.text))
        shown.on("pageerror", lambda error: shown.heard.append(str(error)))
        shown.on("request", lambda request: shown.heard.append(request.url))
        shown.goto((played[name] / "report.html").as_uri())
        return shown

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["one", "line", "map", "baseline"])
@pytest.mark.parametrize("width", [1000, 360])
def test_a_page_is_quiet_and_as_wide_as_the_screen(opened, played, name, width):
    shown = opened(name, width)
    asked = [heard for heard in shown.heard if not heard.startswith("data:")]
    assert asked == [(played[name] / "report.html").as_uri()]
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    seen = "[...document.querySelectorAll('svg')].filter(s => s.checkVisibility())"
    kinds = shown.evaluate(f"{seen}.map(s => s.classList[0])")
    assert set(kinds) == {"narrow" if width == 360 else "wide"}
    small = shown.evaluate(
        "Math.min(...[...document.querySelectorAll('svg text')].filter(t => t.checkVisibility())"
        ".map(t => t.getBoundingClientRect().height))"
    )
    assert small > 10


def column(shown, place):
    """The texts of a column of the first table, as it is sorted now."""
    rows = "[...document.querySelectorAll('main table')[0].tBodies[0].rows]"
    return [text.strip() for text in shown.evaluate(f"{rows}.map(row => row.cells[{place}].textContent)")]


def test_tables_sort_by_mouse_and_keyboard(opened):
    shown = opened("map")
    heading = shown.locator("main table").first.locator("th", has_text="value")
    heading.get_by_role("button").click()
    rates = [float(text.rstrip(" %")) for text in column(shown, 2)]
    assert rates == sorted(rates) and heading.get_attribute("aria-sort") == "ascending"
    heading.get_by_role("button").press("Enter")
    assert [float(text.rstrip(" %")) for text in column(shown, 2)] == sorted(rates, reverse=True)
    assert heading.get_attribute("aria-sort") == "descending"
    assert shown.get_by_role("status").text_content() == "Sorted by value, highest first."
    first = shown.locator("main table").first.locator("th", has_text="players").get_by_role("button")
    first.press("Space")
    assert all(int(a) <= int(b) for a, b in pairwise(column(shown, 1)))
    assert heading.get_attribute("aria-sort") is None


def test_numbers_sort_as_numbers(opened):
    """Minus signs, thousands and bounds, and what is not known last."""
    shown = opened("baseline")
    texts = ["−1.5 points", "+10.2 points", "< 0.02 %", "?", "1,234", "9", "−20"]
    shown.evaluate(
        "texts => { const body = document.querySelector('main table').tBodies[0];"
        " body.innerHTML = texts.map(text => `<tr><th>x</th><td>${text}</td></tr>`).join(''); }",
        [text.replace("<", "&lt;") for text in texts],
    )
    shown.locator("main table").first.locator("th", has_text="value").get_by_role("button").click()
    assert column(shown, 1) == ["−20", "−1.5 points", "< 0.02 %", "9", "+10.2 points", "1,234", "?"]


def test_a_link_to_a_folded_table_unfolds_it(opened):
    shown = opened("one")
    table = shown.locator("#group-character")
    assert not table.is_visible()
    shown.evaluate("location.hash = '#group-character'")
    table.wait_for(state="visible")


def test_dark_pages_are_dark_and_paper_is_white(opened):
    colours = "['body', 'svg text'].map(name => getComputedStyle(document.querySelector(name)))"
    colours = f"(([body, text]) => [body.backgroundColor, text.fill])({colours})"
    light, dark = (opened("line", color_scheme=scheme).evaluate(colours) for scheme in ("light", "dark"))
    assert light[0] == "rgb(255, 255, 255)" and all(int(c) < 60 for c in re.findall(r"\d+", dark[0]))
    assert light[1] != dark[1]
    printed = opened("line", color_scheme="dark")
    printed.emulate_media(media="print")
    assert printed.evaluate(colours) == light
    assert not printed.locator("nav").is_visible()
