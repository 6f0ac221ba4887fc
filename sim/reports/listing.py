"""What there is: rules, cards, metrics, strategies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sim.errors import UserError, unknown
from sim.game import Game, Rules, Weight
from sim.parameters import Parameter

PRESET = "preset"
LEAST_WIDTH = 12
"""Characters that a column of sentences has in the narrowest terminal."""

INDENT, INDENT_MORE = (0, 0, 0, 4), (0, 0, 0, 8)


def rules_listing(game: Game, rules: Rules, names: Collection[str], diff: str | None) -> Iterator[Any]:
    """Each parameter with its value, valid values, default and rule id, and on the next line its meaning.

    ``names``: only these, or those that begin with one of them. ``diff``: only those whose value is not the default of
    this preset. Raises UserError for names and presets that do not exist.
    """
    parameters = {parameter.name: parameter for parameter in game.parameters()}
    preset = rules.preset if diff is None else _preset(parameters, diff)
    chosen = _chosen(parameters, names, rules)
    if diff is not None:
        chosen = [p for p in chosen if p.name != PRESET and rules[p.name] != p.defaults[preset]]
        if not chosen:
            yield f"nothing differs from the preset {preset}"
    for parameter in chosen:
        yield from _rule(parameter, rules[parameter.name], preset)


def card_tables(game: Game, rules: Rules) -> Iterator[Any]:
    """One table a deck, the columns as the game has them; before them what of the cards is assumed."""
    for note in game.notes(rules):
        yield Text(note, style="yellow")
    for deck, rows in game.card_tables(rules).items():
        yield Text(f"{deck}: {sum(int(row.get('copies', 1)) for row in rows)} cards", style="bold")
        table = _table([column.replace("_", " ") for column in rows[0]])
        for row in rows:
            table.add_row(*map(_text, row.values()))
        yield readable(table)


def metrics_table(game: Game, rules: Rules) -> Table:
    """Every metric: its name, its unit, what is counted and of what."""
    table = _table(["metric", "unit", "counts", "of all"])
    for metric in game.metrics(rules):
        table.add_row(metric.name, metric.unit, metric.numerator, metric.denominator)
    return readable(table, LEAST_WIDTH)


def strategy_listing(name: str, description: str, weights: Sequence[Weight]) -> Iterator[Any]:
    """A strategy in a line, then each of its weights with its default and valid values, and its meaning."""
    yield Text.assemble((name, "bold cyan"), f": {description}")
    for weight in weights:
        line = Text.assemble((f"{weight.name} = {weight.default}", "cyan"), f"   valid: {weight.least}..{weight.most}")
        yield Padding(line, INDENT, expand=False)
        yield Padding(weight.meaning, INDENT_MORE, expand=False)


def _rule(parameter: Parameter, value: Any, preset: str) -> Iterator[Any]:
    default = parameter.defaults[preset]
    line = Text.assemble((f"{parameter.name} = {_text(value)}", "cyan" if value == default else "bold cyan"))
    line.append(f"   valid: {parameter.valid}")
    if value != default:
        line.append(f"   {preset}: {_text(default)}")
    yield line.append(f"   {parameter.rule}", style="dim")
    yield Padding(parameter.meaning, INDENT, expand=False)


def _preset(parameters: Mapping[str, Parameter], name: str) -> str:
    presets = parameters[PRESET].choices
    if name not in presets:
        raise unknown(PRESET, name, presets, "--diff")
    return name


def _chosen(parameters: Mapping[str, Parameter], names: Collection[str], rules: Rules) -> list[Parameter]:
    """The parameters in use, of which only those that begin with a name, if there are names. Raises UserError."""
    in_use = [parameter for parameter in parameters.values() if parameter.name in rules.values]
    for name in names:
        fitting = [parameter for parameter in parameters.values() if parameter.name.startswith(name)]
        if not fitting:
            raise unknown("rule", name, parameters)
        if not any(parameter in in_use for parameter in fitting):
            raise UserError(f"rule {name!r} belongs to {fitting[0].part}, which is not in use; name it in --expansions")
    return [p for p in in_use if not names or p.name.startswith(tuple(names))]


def _table(columns: Collection[str]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def readable(table: Table, least: int | None = None) -> Table:
    """The finished table as it stays in the narrowest terminal, which breaks the rows rather than the cells.

    Names, the first column, are never folded; the others are not below ``least`` characters, or not at all.
    """
    for k, column in enumerate(table.columns):
        longest = max(len(str(cell)) for cell in (column.header, *column.cells))
        column.min_width = longest if k == 0 or least is None else min(longest, least)
        column.no_wrap = column.min_width == longest
    table.columns[0].style = "cyan"
    return table


def _text(value: Any) -> str:
    """A value as it is written on the command line; nothing is said to be empty."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if value != "" else "(empty)"
