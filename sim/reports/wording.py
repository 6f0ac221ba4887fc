"""Values, differences, set-ups and metrics in words, the same in sentences, charts and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sim.game import ENDING, SHARE
from sim.reports.findings import Change, Findings, Value, is_win_rate
from sim.reports.listing import as_written
from sim.reports.numbers import UNKNOWN, percent, points, quantity, signed_quantity

MINUS = "\N{MINUS SIGN}"


def value_texts(value: Value) -> tuple[str, str]:
    """An estimate and its interval."""
    if value.denominator == 0 or math.isnan(value.estimate):
        return UNKNOWN, UNKNOWN
    if value.unit == SHARE:
        return percent(value.numerator, value.denominator, value.estimate, value.low, value.high)
    return quantity(value.estimate, value.low, value.high)


def change_texts(change: Change) -> tuple[str, str]:
    """A difference and its interval, both with signs; of shares in percentage points."""
    texts = points if change.unit == SHARE else signed_quantity
    if change.low == change.high == 0:
        return "0", "the same in all games"
    estimate, limits = texts(change.estimate, change.low, change.high)
    return estimate.replace("-", MINUS), limits.replace("-", MINUS).replace(" – ", " to ")


def unit_text(unit: str) -> str:
    """The unit after a number, with a space in front; none after what has its % already."""
    return "" if unit == SHARE else f" {unit}"


def change_unit(unit: str) -> str:
    """The unit of a difference."""
    return "points" if unit == SHARE else unit


def plain_value(estimate: float, unit: str) -> str:
    """A number without an interval: a target, or the value of a baseline."""
    if unit == SHARE:
        return f"{100 * estimate:.3g} %"
    return f"{estimate:,.4g} {unit}"


def said(value: Value) -> str:
    """An estimate with its interval, for sentences."""
    estimate, limits = value_texts(value)
    return f"{estimate}{unit_text(value.unit)} ({limits})"


def setting(name: str, value: Any) -> str:
    """A setting with its value, for sentences and names of rows."""
    return f"{name} = {setting_text(value)}"


def setting_text(value: Any) -> str:
    """The value of a setting as it is written."""
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else as_written(value)


def set_up(values: Mapping[str, Any], sign: str = ", ") -> str:
    """The settings by which a set-up differs from the others."""
    return sign.join(setting(name, value) for name, value in values.items())


def short_set_up(values: Mapping[str, Any]) -> str:
    """Its values alone, for rows of which the title names the settings."""
    return " · ".join(map(setting_text, values.values()))


def sentence_set_up(values: Mapping[str, Any]) -> str:
    """``with a = 1 and b = 2``."""
    parts = [setting(name, value) for name, value in values.items()]
    return f"with {joined(parts)}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Parts of a sentence with commas, the last with a word before it."""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def subject(metric: str, found: Findings) -> str:
    """A metric as the subject of a sentence, in the singular."""
    if is_win_rate(metric):
        return f"the win rate of {_winner(metric)}"
    if metric.startswith(f"{ENDING}."):
        return f"the share of games that end: {metric.removeprefix(f'{ENDING}.')}"
    counts, of = found.manifest.meanings.get(metric, ("", ""))
    per = "of" if found.values[metric][0].unit == SHARE else "over"
    return f"{metric} ({counts}, {per} all {of})" if counts else metric


def title(metric: str) -> str:
    """A metric as a title or the name of a row."""
    if is_win_rate(metric):
        return f"Win rate: {_winner(metric)}"
    if metric.startswith(f"{ENDING}."):
        return f"Ending: {metric.removeprefix(f'{ENDING}.')}"
    return metric


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def short(metric: str) -> str:
    """A metric where its group is named already."""
    if is_win_rate(metric):
        _, group, name = metric.split(".")
        return f"{group} {name}" if name.isdecimal() else name
    return metric.split(".", 1)[-1]


def _winner(metric: str) -> str:
    _, group, name = metric.split(".")
    return f"{group} {name}" if name.isdecimal() else f"{name} ({group})"
