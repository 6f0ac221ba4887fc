"""How the figures of a report came to be, in plain words: only what this report uses."""

from __future__ import annotations

from collections.abc import Iterator

from sim.reports.findings import Findings
from sim.reports.wording import joined
from sim.services.differences import SURE

METHODS = {
    "wilson": "rates of games by Wilson's interval",
    "clopper-pearson": "rates that were hardly ever or nearly always seen by the exact interval of Clopper and Pearson",
    "clustered wilson": "rates of what happens several times a game by Wilson's interval, with the game as the unit",
    "clustered clopper-pearson": "rare events of that kind by the exact interval, with the game as the unit",
    "clustered t": "means by Student's t, with the game as the unit",
    "anytime beta-binomial": "rates of games by intervals that hold however often one looks while games are played",
    "clustered anytime beta-binomial": "rates of what happens several times a game so too, the game being the unit",
    "clustered anytime normal mixture": "means by intervals that hold however often one looks",
}
"""By the method of ``sim.services.statistics``: what it is for."""


def method(found: Findings) -> list[str]:
    """Paragraphs."""
    return [*_games(found), *_intervals(found), *_differences(found), *_many(found)]


def _games(found: Findings) -> Iterator[str]:
    games = sorted({cell.games for cell in found.cells.values()})
    number = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    each = " of each set-up" if len(found.cells) > 1 else ""
    yield (
        f"Scripted players played {number} games{each} by the full rules; the computer counted what happened. A game"
        " is the unit of everything here: what happens several times in one game is not taken for independent."
    )
    seeds = {cell.seed for cell in found.cells.values()}
    if len(found.cells) > 1 and len(seeds) == 1:
        yield (
            "All set-ups were played with the same seed, so that they meet the same deals where their rules allow it:"
            " differences between them are less a matter of luck than their single intervals suggest."
        )


def _intervals(found: Findings) -> Iterator[str]:
    yield (
        "A 95 % interval says how far off a figure may be by chance. Of 100 such experiments with other seeds, about 95"
        " have the true figure within it; the true figure is what endless games by these players would give."
        " What never happened is shown as a bound (“< 0.004 %”), never as 0."
    )
    used = {value.method for values in found.values.values() for value in values}
    known = [text for name, text in METHODS.items() if name in used]
    if known:
        yield f"How the intervals were found: {joined(known)}."


def _differences(found: Findings) -> Iterator[str]:
    if found.changes:
        yield (
            "Differences from the baseline are paired: game by game the same deal is played by both, and the interval"
            " is that of the difference. “Gain by pairing” is how many times as many games it would take to know it as"
            " well from games that are not paired; “games that differ” says in how many the metric came out differently"
            " at all."
        )
        yield (
            "Whoever compares much finds something by chance. So each p is corrected for the number of comparisons, and"
            f" a difference is called clear if the corrected p is below {SURE:g}."
        )


def _many(found: Findings) -> Iterator[str]:
    count = len(found.cells)
    if count > 1 and not found.changes:
        yield (
            f"There are {count} set-ups. Each interval is about its own set-up alone: of {count} of them"
            f" about {max(1, round(0.05 * count))} may miss the truth, and the highest and the lowest of many are a"
            " little further out than the truth is. Before you decide, play the chosen set-up again with another seed."
        )
