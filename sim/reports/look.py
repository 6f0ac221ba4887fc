"""The one look of all charts, and how a chart becomes a picture: a file, or a part of a page in the page's colours."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PURPLE, BROWN, GREY = "#0072B2", "#D55E00", "#009E73", "#B5508F", "#7A5230", "#5F6670"
"""Colours that the colour-blind tell apart (after Okabe, Ito), darker where lines on white would be faint."""

SERIES = (BLUE, ORANGE, GREEN, PURPLE, BROWN, GREY)
MARKERS = "osD^vP"
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), (0, (1, 1.5)), (0, (9, 3)))
"""A series has a marker and dashes of its own besides its colour."""

INK, FAINT, PAPER = "#222222", "#DDDDDD", "#FFFFFF"

VARIABLES = {
    INK: "ink", FAINT: "faint", PAPER: "paper", **{colour: f"c{k}" for k, colour in enumerate(SERIES)},
}  # fmt: skip
"""The page's style sheet has each of these colours as a variable, one value for light and one for dark."""

DPI = 150

SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "scofflaw", "font.family": "DejaVu Sans", "font.size": 9.0, "text.parse_math": False,
    "axes.unicode_minus": True, "text.color": INK, "axes.labelcolor": INK, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
}  # fmt: skip

SHORTER = (
    (r"font: [^;\"]*?([0-9.]+)px[^;\"]*", r"font-size: \1px"),
    (r"; font-family: [^;\"]*", ""),
    (r' transform="rotate\(-?0 [^"]*\)"', ""),
    (r"(\d\.\d\d)\d+", r"\1"),
    (r"\s*\n([A-Zz])", r"\1"),
    (r"([:;]) ", r"\1"),
    *((f"(?i){colour}", f"var(--{variable})") for colour, variable in VARIABLES.items()),
)
"""What a page needs less of in a tag than a file, as patterns and what takes their place."""


@contextmanager
def look() -> Iterator[None]:
    """Figures made within have the one look, whatever the user's own style is."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of its font cache
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # A name of the user's may have characters that the font has not: a box is drawn for them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def png(figure: Figure) -> bytes:
    """The picture; the same figure gives the same bytes. To be called within ``look``."""
    from PIL import Image

    drawn, content = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI, metadata={"Software": None})
    with Image.open(drawn) as picture:  # few colours: with a palette the file is a third as large
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(content, format="png", optimize=True)
    return content.getvalue()


def svg(figure: Figure, title: str = "", text: str = "") -> bytes:
    """The picture as a file that looks the same everywhere; ``title`` and ``text`` are for those who cannot see it."""
    content = _svg(figure, "path")
    if not title:
        return content.encode()
    said = f'<title id="title">{escape(title)}</title>\n<desc id="desc">{escape(text)}</desc>'
    opening = re.sub(r"<svg ", '<svg role="img" aria-labelledby="title desc" ', _opening(content))
    return content.replace(_opening(content), f"{opening}\n {said}").encode()


def inline(figure: Figure, name: str, kind: str, text: str) -> str:
    """The picture as a part of a page: letters as text, colours as variables, and not a byte more than it takes.

    Ids begin with ``name``, ``kind`` is its class, ``text`` what it shows in words.
    """
    content = _svg(figure, "none")
    box = re.search(r'viewBox="[^"]*"', _opening(content))
    assert box is not None
    start = f'<svg class="{kind}" {box[0]} role="img" aria-label="{escape(text)}">'
    content = content.split(_opening(content), 1)[1]
    content = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", content, flags=re.DOTALL)
    content = _own_ids(content, name)
    content = re.sub(r"<[^>]+>", _shorter, content)
    content = re.sub(r"<g/>|<defs>\s*</defs>", "", content)
    return start + _without_bare_groups(content).strip()


def _shorter(tag: re.Match[str]) -> str:
    text = tag[0]
    for pattern, short in SHORTER:
        text = re.sub(pattern, short, text)
    return text


def _svg(figure: Figure, fonts: str) -> str:
    import matplotlib

    content = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": fonts}):
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": "scofflaw"})
    return content.getvalue()


def _opening(content: str) -> str:
    found = re.search(r"<svg [^>]*>", content)
    assert found is not None
    return found[0]


def _own_ids(content: str, name: str) -> str:
    """Ids that are used get short names of the page's own, the others go: ids must be unique on a page."""
    used = dict.fromkeys(one or other for one, other in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', content))
    short = {one: f"{name}{k}" for k, one in enumerate(used)}
    content = re.sub(r' id="([^"]+)"', lambda m: f' id="{short[m[1]]}"' if m[1] in short else "", content)
    content = re.sub(r'xlink:href="#([^"]+)"', lambda m: f'href="#{short[m[1]]}"', content)
    return re.sub(r"url\(#([^)]+)\)", lambda m: f"url(#{short[m[1]]})", content)


def _without_bare_groups(content: str) -> str:
    """Groups that have no attributes say nothing: what is in them stays."""
    parts: list[str] = []
    opened: list[bool] = []
    for part in re.split(r"(<g(?: [^>]*)?>|</g>)", content):
        if part.startswith("<g") and not part.endswith("/>"):
            opened.append(part != "<g>")
            parts += [part] * opened[-1]
        elif part == "</g>":
            parts += [part] * opened.pop()
        else:
            parts.append(part)
    return re.sub(r"\n\s*", "\n", re.sub(r"\n\s*\n", "\n", "".join(parts)))


def clean(axes: Axes, grid: str) -> None:
    """Axes without a frame: a faint grid along ``x``, ``y`` or both behind the marks, and a faint line below."""
    axes.grid(axis=grid, color=FAINT, linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)
    axes.tick_params(color=FAINT, labelsize=8)


def interval(
    axes: Axes, y: float, limits: tuple[float, float], middle: float, colour: str, filled: bool = True
) -> None:
    """An estimate as a point on the line of its interval. An open point says that it is a bound, or not clear."""
    axes.plot(limits, [y, y], color=colour, linewidth=2.2, solid_capstyle="butt", clip_on=False)
    axes.plot(
        [middle], [y], "o", color=colour, markerfacecolor=colour if filled else PAPER, markersize=4.5,
        clip_on=False,
    )  # fmt: skip
