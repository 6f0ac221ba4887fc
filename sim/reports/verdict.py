"""What an experiment found, in a few sentences: the first is the answer, the others say how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sim.reports.findings import Change, Findings, Value, is_win_rate
from sim.reports.wording import (
    MINUS,
    change_texts,
    change_unit,
    joined,
    plain_value,
    said,
    sentence,
    sentence_set_up,
    set_up,
    setting,
    setting_text,
    short,
    subject,
    value_texts,
)

MOST = 4
"""Metrics that the verdict speaks of."""

EXTREMES = ("highest", "lowest")


class Spread(NamedTuple):
    """The lowest and the highest value that the headline has over what is not known, all else being the same."""

    common: dict[str, object]
    lowest: Value
    highest: Value


def verdict(found: Findings) -> list[str]:
    """The sentences. Every number comes with its interval, or is one of two between which others lie."""
    sentences = _goal(found) if found.manifest.goal is not None else []
    if found.changes:
        sentences += _changes(found)
    if not sentences:
        sentences = _alone(found) if len(found.cells) == 1 else _across(found)
    return [*sentences, *_range(found)] if sentences else ["Nothing was counted of what the report is about."]


def spreads(found: Findings) -> list[Spread]:
    """For set-ups that differ in nothing but assumptions: between what values these move the headline."""
    rows = []
    for common, cells in found.split(found.assumptions):
        values = [value for cell in cells if (value := found.value(cell, found.headline)) is not None]
        if len(values) > 1:
            by_rate = sorted(values, key=lambda value: value.estimate)
            rows.append(Spread(common, by_rate[0], by_rate[-1]))
    return rows


def reference(found: Findings) -> dict[str, object]:
    """The first value of each assumption, if settings besides the assumptions were swept: the verdict is about it."""
    if set(found.swept) == set(found.assumptions):
        return {}
    first = next(iter(found.cells.values()))
    return {name: first.values[name] for name in found.assumptions}


def best(found: Findings, values: Sequence[Value]) -> Value:
    """The value that comes nearest to the goal."""
    assert found.manifest.goal is not None
    target = found.manifest.goal.target
    if isinstance(target, str):
        return (max if target == EXTREMES[0] else min)(values, key=lambda value: value.estimate)
    return min(values, key=lambda value: abs(value.estimate - target))


def judged(found: Findings) -> list[Value]:
    """The values of the headline in the set-ups that the verdict compares."""
    fixed = reference(found).items()
    return [
        value for value in found.known(found.headline)
        if all(found.cells[value.cell].values[name] == one for name, one in fixed)
    ]  # fmt: skip


def _goal(found: Findings) -> list[str]:
    values = judged(found)
    if not values:
        return []
    assert found.manifest.goal is not None
    target = found.manifest.goal.target
    choice = best(found, values)
    if isinstance(target, str):
        return [f"{_is(choice, found, f' {target}')}{_rivals(found, choice, values)}", *_there(found, choice)]
    first = f"{_is(choice, found, '')}{_beside(found, choice, target, values)}"
    return [first, *_crossing(found, values, target), *_there(found, choice)]


def _there(found: Findings, choice: Value) -> list[str]:
    """What the other metrics of the report are in the set-up that the verdict names."""
    others = [value for name in found.main[1:MOST] if (value := found.value(choice.cell, name)) is not None]
    told = [f"{subject(value.metric, found)} is {said(value)}" for value in others]
    return [f"There {joined(told)}."] if told else []


def _is(value: Value, found: Findings, how: str) -> str:
    what = subject(value.metric, found)
    where = found.cells[value.cell].values
    place = f" {sentence_set_up(where)}" if where else ""
    if how:
        return f"{sentence(what)} is{how}{place}: {said(value)}."
    return f"{sentence(f'{place.strip()}, {what}' if place else what)} is {said(value)}."


def _beside(found: Findings, choice: Value, target: float, values: Sequence[Value]) -> str:
    """Where the target lies beside the nearest value, and how many other set-ups meet it as well."""
    wish = plain_value(target, choice.unit)
    fixed = reference(found)
    compared = f"{len(values)} set-ups{f' {sentence_set_up(fixed)}' if fixed else ''}"
    near = f" That is nearest to the target, {wish}, of the {compared}." if len(values) > 1 else ""
    if not _meets(choice, target):
        side = "below" if target < choice.low else "above"
        return f"{near} The target{'' if near else f', {wish},'} lies {side} the interval: none meets it."
    others = sum(_meets(value, target) for value in values) - 1
    as_well = f", and within that of {others} other{'s' * (others > 1)}" if others else ""
    return f"{near} The target{'' if near else f', {wish},'} lies within its interval{as_well}."


def _meets(value: Value, target: float) -> bool:
    return value.low <= target <= value.high


def _crossing(found: Findings, values: Sequence[Value], target: float) -> list[str]:
    """Between which values of the one setting the target is passed, chance apart."""
    others = [name for name in found.swept if name not in found.assumptions]
    if len(others) != 1 or others[0] not in found.numeric:
        return []
    levels = {found.cells[value.cell].values[others[0]]: value for value in values}
    order = [levels[level] for level in sorted(levels)]
    passed = [
        f"{setting(others[0], low)} and {setting(others[0], high)}"
        for (low, one), (high, other) in zip(sorted(levels.items()), sorted(levels.items())[1:], strict=False)
        if (one.high < target < other.low) or (other.high < target < one.low)
    ]
    return [f"It passes the target between {joined(passed)}."] if passed and len(order) > 1 else []


def _rivals(found: Findings, choice: Value, values: Sequence[Value]) -> str:
    """What can be said of the set-ups that come next."""
    others = sorted(
        (value for value in values if value is not choice), key=lambda value: abs(value.estimate - choice.estimate)
    )
    if not others:
        return ""
    level = [value for value in others if value.low <= choice.high and choice.low <= value.high]
    second = f"{set_up(found.cells[others[0].cell].values)}: {said(others[0])}"
    if not level:
        return f" The next, {second}, is clearly behind: the intervals do not overlap."
    count = f"{len(level)} other{'s' * (len(level) > 1)} of the {len(values)} set-ups"
    return f" These games cannot tell it from {count}, whose intervals overlap; the nearest is {second}."


def _changes(found: Findings) -> list[str]:
    if len(found.cells) == 1:
        number = next(iter(found.cells))
        changes = [change for name in found.main[:MOST] if (change := found.change(number, name)) is not None]
        texts = [f"{_moves(change, found)}." for change in changes]
        return [f"Compared with the baseline, {text}" if k == 0 else sentence(text) for k, text in enumerate(texts)]
    return [text for name in found.main[:MOST] if (text := _moves_most(found, name))]


def _moves(change: Change, found: Findings) -> str:
    estimate, limits = change_texts(change)
    unit = change_unit(change.unit)
    what = subject(change.metric, found)
    ends = f"{plain_value(change.baseline, change.unit)} to {plain_value(change.rate, change.unit)}"
    if change.low <= 0 <= change.high:
        return f"{what} does not change clearly: {estimate} {unit} ({limits}), from {ends}"
    verb = "rises" if change.estimate > 0 else "falls"
    doubt = "" if change.is_clear else "; among so many comparisons chance may have done that"
    return f"{what} {verb} by {estimate.lstrip(f'+{MINUS}')} {unit} ({limits}), from {ends}{doubt}"


def _moves_most(found: Findings, metric: str) -> str:
    changes = found.changes_of(metric)
    if not changes:
        return ""
    what = sentence(subject(metric, found))
    if len(changes) == 1:
        place = sentence_set_up(found.cells[changes[0].cell].values)
        return f"{sentence(place)}, {_moves(changes[0], found)}."
    low, high = min(changes, key=lambda c: c.estimate), max(changes, key=lambda c: c.estimate)
    up, down = (sum(c.is_clear and c.estimate * sign > 0 for c in changes) for sign in (1, -1))
    every = "both" if len(changes) == 2 else f"all {len(changes)}"
    alike = len({_signed(change) for change in changes}) == 1
    if len(changes) in (up, down):
        verb, ends = ("rises", (low, high)) if up else ("falls", (high, low))
        much = _unsigned(low) if alike else " to ".join(_with(end, found, _unsigned(end)) for end in ends)
        return f"{what} {verb} clearly in {every} set-ups: by {much}."
    counts = f"is clearly higher than in the baseline in {up} and clearly lower in {down} of {len(changes)} set-ups"
    if not up and not down:
        counts = f"does not differ clearly from the baseline in any of {len(changes)} set-ups"
    if alike:
        return f"{what} {counts}: {_signed(low)} in {every}."
    return f"{what} {counts}: from {_with(low, found, _signed(low))} to {_with(high, found, _signed(high))}."


def _unsigned(change: Change) -> str:
    return _signed(change).lstrip(f"+{MINUS}")


def _with(change: Change, found: Findings, text: str) -> str:
    return f"{text} {sentence_set_up(found.cells[change.cell].values)}"


def _signed(change: Change) -> str:
    estimate, limits = change_texts(change)
    return f"{estimate} {change_unit(change.unit)} ({limits})"


def _alone(found: Findings) -> list[str]:
    """One set-up: who wins how often, in one sentence where the metrics are all of one group."""
    known = [values[0] for name in found.main if (values := found.known(name))]
    groups = {value.group for value in known}
    if len(groups) == 1 and len(known) > 1 and all(is_win_rate(value.metric) for value in known):
        by_rate = sorted(known, key=lambda value: -value.estimate)
        told = [f"{short(value.metric)} {said(value)}" for value in by_rate]
        return [f"Share of games won, by {groups.pop()}: {joined(told)}."]
    return [f"{sentence(subject(value.metric, found))} is {said(value)}." for value in known[:MOST]]


def _across(found: Findings) -> list[str]:
    """Many set-ups: between what values each metric moves."""
    sentences = []
    for name in found.main[:MOST]:
        values = sorted(found.known(name), key=lambda value: value.estimate)
        if len(values) > 1 and len({said(value) for value in values}) == 1:
            sentences.append(f"{sentence(subject(name, found))} is {said(values[0])} in all {len(values)} set-ups.")
        elif len(values) > 1:
            low, high = (f"{said(v)} {sentence_set_up(found.cells[v.cell].values)}" for v in (values[0], values[-1]))
            sentences.append(f"{sentence(subject(name, found))} goes from {low} to {high}.")
    return sentences


def _range(found: Findings) -> list[str]:
    """How far the headline moves with what is not known; of the set-up that the verdict names, if there is one."""
    rows = spreads(found)
    if not rows:
        return []
    row = max(rows, key=lambda row: row.highest.estimate - row.lowest.estimate)
    if found.manifest.goal is not None and (values := judged(found)):
        chosen = found.cells[best(found, values).cell].values
        row = next((r for r in rows if all(chosen[name] == one for name, one in r.common.items())), row)
    names = joined([f"{name} ({joined(list(map(setting_text, found.levels(name))))})" for name in found.assumptions])
    place = f", {sentence_set_up(row.common)}," if row.common else ""
    ends = [f"{value_texts(value)[0]} ({_assumed(found, value)})" for value in (row.lowest, row.highest)]
    what = subject(found.headline, found)
    return [f"Over {names}, {what}{place} goes from {ends[0]} to {ends[1]}: {_compared(row)}."]


def _assumed(found: Findings, value: Value) -> str:
    values = found.cells[value.cell].values
    return ", ".join(setting(name, values[name]) for name in found.assumptions)


def _compared(row: Spread) -> str:
    width = max(value.high - value.low for value in (row.lowest, row.highest))
    more = row.highest.estimate - row.lowest.estimate > width
    return f"{'more' if more else 'no more'} than the width of an interval"
