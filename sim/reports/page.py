"""The report of an experiment as one HTML page that needs nothing but itself, and its charts as files beside it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import UserError
from sim.files import write_whole
from sim.reports import tables
from sim.reports.findings import Findings, findings
from sim.reports.frames import NARROW, WIDE, Frame
from sim.reports.look import inline, look, png, svg
from sim.reports.method import method
from sim.reports.pictures import charts
from sim.reports.pictures.chart import Chart
from sim.reports.verdict import best, judged, verdict
from sim.reports.wording import joined, setting, title
from sim.services.results import PAGE, Results, SetUp

if TYPE_CHECKING:
    from markupsafe import Markup

CHARTS = "charts"

PICTURES = (".svg", ".png")
"""What a chart is written as."""

TEMPLATES = Path(__file__).parent / "templates"

MOST_SETTINGS = 6
"""Settings in which the baseline differs that are named."""

LONGEST_KEPT = 32
"""Characters in brackets that are kept on one line."""

MOST_MACHINE = 200
"""Characters shown of a fact about the machine."""


def write(results: Results) -> Path:
    """Writes the page and the charts into the folder of the experiment, and returns the page's path.

    The same folder gives the same bytes. Raises UserError if nothing can be written there.
    """
    found = findings(results)
    folder = results.folder / CHARTS
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be made: {error.strerror}; choose another place") from None
    drawn = charts(found)
    pictures = [_drawn(chart, folder, k) for k, chart in enumerate(drawn)]
    _remove_others(folder, {chart.name for chart in drawn})
    path = results.folder / PAGE
    write_whole(path, html(found, pictures).encode())
    return path


def html(found: Findings, pictures: Sequence[Mapping[str, Any]]) -> str:
    """The page. All texts that come from users are escaped by the template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["whole"] = whole
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template("report.html").render(
        style=(TEMPLATES / "report.css").read_text(encoding="utf-8"), script=script, digest=digest,
        charts=pictures, **_content(found),
    )  # fmt: skip


def _drawn(chart: Chart, folder: Path, number: int) -> dict[str, Any]:
    """Writes a chart as files, and returns what the page shows of it."""
    with look():
        picture = chart.draw(Frame(WIDE, chart.title))
        for ending, content in zip(PICTURES, (svg(picture, chart.title, chart.text), png(picture)), strict=True):
            write_whole(folder / f"{chart.name}{ending}", content)
        drawn = [
            inline(chart.draw(Frame(width)), f"c{number}{kind[0]}", kind, f"{chart.title}. {chart.text}")
            for width, kind in ((WIDE, "wide"), (NARROW, "narrow"))
        ]
    return {"chart": chart, "drawn": "\n".join(drawn), "files": f"{CHARTS}/{chart.name}"}


def _remove_others(folder: Path, names: Collection[str]) -> None:
    """Removes the charts of an earlier page, which no page shows any more. Raises UserError."""
    try:
        for path in folder.iterdir():
            if path.suffix in PICTURES and path.stem not in names and path.is_file():
                path.unlink()
    except OSError as error:
        raise UserError(f"{folder}: an old chart cannot be removed: {error.strerror}") from None


def _content(found: Findings) -> dict[str, Any]:
    """What the page says, part by part."""
    manifest = found.manifest
    told = verdict(found)
    return {
        "manifest": manifest,
        "heading": manifest.question or manifest.name,
        "about": " ".join(filter(None, (_about(found), _baseline(found)))),
        "reading": _reading(found),
        "verdict": told[0],
        "more": told[1:],
        "warnings": _warnings(found),
        "tables": tables.main_tables(found),
        "groups": list(tables.other_tables(found)),
        "funnels": list(tables.funnel_tables(found)),
        "examples": _examples(found),
        "method": method(found),
        "robustness": _robustness(found),
        "spread": tables.spread_table(found),
        "facts": _facts(found),
    }


def _reading(found: Findings) -> list[str]:
    """How the charts are read."""
    read = (
        "A point is what the games gave, and the line through it or the band around it is the 95 % interval; where none"
        " is seen, it is narrower than the point. An open point of a rate is a bound: never seen, or always."
    )
    differences = (
        "In charts of differences, right of the line at 0 is more than in the baseline. There an open point is a"
        " difference that is not clear after the correction for many comparisons."
    )
    return [read, differences] if found.changes else [read]


def _about(found: Findings) -> str:
    """What was played, in a line."""
    cells = list(found.cells.values())
    games = sum(cell.games for cell in cells)
    rules = "".join(f" {text}," for text in _common(found))
    swept = f" {len(cells)} set-ups, by {joined(found.swept)};" if found.swept else ""
    compared = " compared with a baseline game by game;" if found.changes else ""
    players = ", ".join(dict.fromkeys(text for cell in cells for text in _players(cell)))
    played = f" played by {players};" if players else ""
    return f"{found.manifest.title}:{rules}{swept}{compared}{played} {games:,} games."


def _common(found: Findings) -> list[str]:
    """The number of players, the expansions and the preset, as far as all set-ups have the same."""
    rules = [cell.rules for cell in found.cells.values()]
    texts = {"players": "{} players", "expansions": "{}", "preset": "preset {}"}
    same = {name: rules[0].get(name) for name in texts if all(one.get(name) == rules[0].get(name) for one in rules)}
    if isinstance(expansions := same.get("expansions"), list):
        same["expansions"] = joined(expansions) or "no expansion"
    return [texts[name].format(value) for name, value in same.items() if value is not None]


def _baseline(found: Findings) -> str:
    """What is different in the baseline, which is that of the first cell."""
    base = found.manifest.baseline
    if base is None or not found.changes:
        return ""
    settings, cell = _settings(base), _settings(next(iter(found.cells.values())))
    others = [name for name, value in settings.items() if cell.get(name) != value]
    texts = [setting(name, settings[name]) for name in others[:MOST_SETTINGS]]
    more = f" and {len(others) - MOST_SETTINGS} more rules" if len(others) > MOST_SETTINGS else ""
    return f"The baseline has {', '.join(texts)}{more}." if texts else ""


def _settings(cell: SetUp) -> dict[str, Any]:
    """All rules and players of a set-up."""
    return {**cell.rules, **{f"strategy of {key}": name for key, name in cell.strategies.items()}}


def whole(text: str) -> Markup:
    """The sentence, escaped, with what stands in brackets and a number and its unit kept on one line."""
    from markupsafe import Markup, escape

    kept = rf"\([^()]{{1,{LONGEST_KEPT}}}\)|[\w.]+ = [^ ,]+|\d[\d,.]* %"
    return Markup(re.sub(kept, r'<span class="whole">\g<0></span>', str(escape(text))))


def _players(cell: SetUp) -> list[str]:
    return [name if key == "default" else f"{key} {name}" for key, name in cell.strategies.items()]


def _warnings(found: Findings) -> list[str]:
    """What must not be overlooked."""
    said = []
    unfinished, illegal = found.manifest.unfinished, found.manifest.illegal
    if found.manifest.partial:
        said.append("The experiment was interrupted; these are first results. Play it again to go on where it ended.")
    if found.manifest.missed is not None:
        said.append(found.manifest.missed)
    if unfinished:
        said.append(f"{unfinished:,} games came to no end and were stopped; they count as unfinished.")
    if illegal:
        said.append(f"Strategies gave {illegal:,} illegal answers, which were replaced by passive ones: mend them.")
    return said


def _examples(found: Findings) -> list[dict[str, Any]]:
    """Commands that show single games, by set-up; those of the set-up that the verdict is about come first, open."""
    cells = list(found.cells.values())
    if found.manifest.goal is not None and (values := judged(found)):
        chosen = best(found, values).cell
        cells.sort(key=lambda cell: cell.cell != chosen)
    shown = [(tables.name_of(cell), cell) for cell in cells]
    if found.manifest.baseline is not None:
        shown.append(("The baseline", found.manifest.baseline))
    return [
        {"name": name, "games": games} for name, cell in shown
        if (games := [
            {"what": what, "command": f"scofflaw trace{cell.options} --seed {cell.seed} --game {numbers[0]}"}
            for what, numbers in cell.examples.items() if numbers
        ])
    ]  # fmt: skip


def _robustness(found: Findings) -> list[str]:
    """What the answer hangs on besides chance."""
    said = []
    if not found.assumptions:
        players = joined(list(dict.fromkeys(text for cell in found.cells.values() for text in _players(cell))))
        one = f" ({players})" if players else ""
        said.append(
            f"One way of playing was tried{one} and one deck. How much the answer hangs on them is not known, and is"
            " often more than the interval: put other strategies into the sweep to find out."
        )
    else:
        said.append(
            f"The range of {title(found.headline)} over {joined(found.assumptions)}, all other settings being the same."
            " Where it is wider than the interval, the answer depends on the assumption more than on chance."
        )
    return [*said, *found.manifest.notes]


def _facts(found: Findings) -> list[tuple[str, str]]:
    """Where the figures come from."""
    manifest = found.manifest
    cells = [*found.cells.values(), *([manifest.baseline] if manifest.baseline is not None else [])]
    facts = [
        ("Experiment", manifest.name),
        ("Program", f"scofflaw {manifest.version}"),
        ("Source", manifest.source),
        ("Libraries", ", ".join(f"{name} {version}" for name, version in manifest.packages.items())),
        ("Machine", ", ".join(f"{name} {value}" for name, value in manifest.machine.items())[:MOST_MACHINE]),
        ("Seeds", joined([str(seed) for seed in dict.fromkeys(cell.seed for cell in cells)])),
        ("Games", f"{sum(cell.games for cell in cells):,}"),
        ("Unfinished games", f"{manifest.unfinished:,}"),
        ("Illegal answers of strategies", f"{manifest.illegal:,}"),
    ]
    if manifest.seconds is not None and manifest.games_per_s is not None:
        facts.append(("Time", f"{manifest.seconds:,.1f} s, {manifest.games_per_s:,.0f} games/s"))
    return [(name, text) for name, text in facts if text]
