"""Finds games and strategies by name, through the entry points of installed packages.

A package announces a game in the group ``scofflaw.games`` (``bang = sim.bang.game:BANG``) and a strategy in the group
``scofflaw.strategies`` (``bang.simple = strategies.bang.simple:decide``). Ours have no other standing than anybody's,
and a file of the user's (``my.py:function``) is named in place of a name.

A strategy is written ``NAME`` or ``NAME,KEY=VALUE,…``, with its weights as keys, and ``mistakes`` for all of them. The
weights are declared in its file, or in one it imports them from, as a literal: ``WEIGHTS = (("patience", 8, 0, 20,
"what it means"), …)`` with name, default, least and highest value.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from sim.errors import UserError, unknown
from sim.game import Game, Strategy, Weight

GAMES = "scofflaw.games"
STRATEGIES = "scofflaw.strategies"

DEFAULT_STRATEGY = "standard"
"""The strategy of everybody where nothing is said."""

RANDOM = "random"
"""What a strategy is called that plays by chance: it tells nothing about how people play."""

DEFAULT = "default"
"""The key of the strategy of everybody without one of his own."""

NAME, MISTAKES = "name", "mistakes"
"""Keys that every strategy has besides its weights."""

DECLARATION = "WEIGHTS"
MOST_WEIGHTS = 64
LEAST, MOST = -(2**31), 2**31 - 1
"""What a weight can be at all."""

FILE = ".py"

Found = tuple[Path, str, str | None]
"""The file of a strategy, its function, and its module if it is installed."""

How = str | Mapping[str, Any]
"""What a strategy is named by: a text, or a mapping with its name and what it is set to."""


@cache
def game(name: str) -> Game:
    """The game of this name. Raises UserError with the nearest names."""
    found = {entry.name: entry for entry in entry_points(group=GAMES)}
    if name not in found:
        raise unknown("game", name, found)
    loaded: Game = found[name].load()
    return loaded


def strategy_names(game_name: str) -> list[str]:
    """The names of all installed strategies for a game, sorted."""
    return sorted(_strategies(game_name))


def name_of(how: How) -> str:
    """The name in what a strategy is named by, without its settings; empty for what names none, to be told later."""
    if isinstance(how, str):
        return how.partition(",")[0].strip()
    name = how.get(NAME) if isinstance(how, Mapping) else None
    return name if isinstance(name, str) else ""


def as_words(named: Mapping[str, str]) -> list[str]:
    """What ``assign`` takes: the texts of strategies, by role, as they are written on the command line."""
    return [text if key == DEFAULT else f"{key}={text}" for key, text in named.items()]


def is_file(name: str) -> bool:
    """Whether a strategy of this name is a file of the user's."""
    return f"{FILE}:" in name or name.endswith(FILE)


def strategy(game_name: str, how: How) -> Strategy:
    """The strategy that a text or mapping names; its file is found and read, not imported.

    Raises UserError for unknown names, with the nearest ones, and for values that a weight cannot have.
    """
    settings = _settings(game_name, how)
    name = settings.pop(NAME)
    found = _in_file(name) if is_file(name) else _installed(game_name, name)
    declared = _weights(found[0])
    values = {weight.name: weight.default for weight in declared}
    mistakes = 0.0
    for key, value in settings.items():
        if key == MISTAKES:
            mistakes = _share(name, value)
        elif key in values:
            values[key] = _whole(name, next(weight for weight in declared if weight.name == key), value)
        else:
            raise unknown("setting", key, (*values, MISTAKES), f"strategy {name}")
    changed = tuple(f"{key}={value}" for key, value in settings.items())
    return Strategy(name, *found, tuple(values.values()), mistakes, changed)


def description(game_name: str, name: str) -> str:
    """The first line of a strategy's file, which says what it does. Raises UserError."""
    text = ast.get_docstring(_tree(strategy(game_name, name).source))
    return text.splitlines()[0] if text else ""


def weights_of(game_name: str, name: str) -> tuple[Weight, ...]:
    """What an installed strategy can be set by, besides ``mistakes``. Raises UserError."""
    return _weights(_installed(game_name, name)[0])


def weights_in(found: Strategy) -> tuple[Weight, ...]:
    """What a strategy that was found can be set by, as ``weights_of``; ``Strategy.weights`` are in this order."""
    return _weights(found.source)


def _weights(path: Path) -> tuple[Weight, ...]:
    """The weights that the file of a strategy declares. Raises UserError for a declaration that cannot be read."""
    statement = _declaration(_tree(path))
    if isinstance(statement, ast.ImportFrom):
        part = importlib.util.find_spec(str(statement.module))
        return _weights(Path(str(part.origin))) if part else ()
    return () if statement is None else _declared(path, statement)


@lru_cache(maxsize=64)
def _declaration(tree: ast.Module) -> ast.ImportFrom | ast.Assign | None:
    """Where a file declares its weights, or has them from."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and DECLARATION in [alias.name for alias in statement.names]:
            return statement
        if isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == [DECLARATION]:
            return statement
    return None


def _declared(path: Path, statement: ast.Assign) -> tuple[Weight, ...]:
    place = f"{path}, line {statement.lineno}"
    try:
        declared = tuple(Weight(*row) for row in ast.literal_eval(statement.value))
    except (ValueError, TypeError):
        raise UserError(
            f'{place}: {DECLARATION} is not a tuple of rows such as ("patience", 8, 0, 20, "what it means"): '
            "name, default, least, highest value, meaning"
        ) from None
    if len(declared) > MOST_WEIGHTS:
        raise UserError(f"{place}: there are {len(declared)} weights; valid: 0..{MOST_WEIGHTS}")
    names = [weight.name for weight in declared]
    for weight in declared:
        numbers = weight.least, weight.default, weight.most
        if not isinstance(weight.name, str) or weight.name in (NAME, MISTAKES) or names.count(weight.name) > 1:
            raise UserError(f"{place}: no weight can be called {weight.name!r}, or it is declared twice")
        if any(type(number) is not int for number in numbers) or not LEAST <= numbers[0] <= numbers[1] <= numbers[2]:
            raise UserError(f"{place}: weight {weight.name}: least, default, highest value are {numbers}, not in order")
        if weight.most > MOST:
            raise UserError(f"{place}: weight {weight.name} can be {weight.most}; no weight can be above {MOST}")
    return declared


def _settings(game_name: str, how: How) -> dict[str, Any]:
    """The name and the settings of a strategy, each once. Raises UserError."""
    if isinstance(how, str):
        name, *pairs = (part.strip() for part in how.split(","))
        settings: dict[str, Any] = {NAME: name}
        for pair in pairs:
            key, separator, value = (part.strip() for part in pair.partition("="))
            if not (key and separator and value):
                raise UserError(f"strategy {how!r}: {pair!r} is no KEY=VALUE; write for example {name},{MISTAKES}=0.1")
            if key in settings:
                raise UserError(f"strategy {how!r}: {key} is set twice")
            settings[key] = value
    elif isinstance(how, Mapping):
        settings = {str(key): value for key, value in how.items()}
    else:
        settings = {}
    if not isinstance(settings.get(NAME), str):
        installed = ", ".join(strategy_names(game_name))
        raise UserError(f"strategy: {how!r} is not a name in quotes; installed: {installed}")
    return settings


def _whole(name: str, weight: Weight, value: Any) -> int:
    """The value of a weight. Raises UserError."""
    valid = f"valid: {weight.least}..{weight.most} ({weight.meaning})"
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if isinstance(number, bool) or not isinstance(number, int):
        raise UserError(f"strategy {name}: {weight.name} is {value!r}, which is not a whole number; {valid}")
    if not weight.least <= number <= weight.most:
        raise UserError(f"strategy {name}: {weight.name} is {number}; {valid}")
    return number


def _share(name: str, value: Any) -> float:
    """The value of ``mistakes``. Raises UserError."""
    try:
        share = float(value)
    except (TypeError, ValueError):
        share = -1.0
    if isinstance(value, bool) or not 0 <= share <= 1:
        raise UserError(f"strategy {name}: {MISTAKES} is {value!r}; valid: 0..1, the share of decisions left to chance")
    return share


def assign(of_game: Game, choices: Iterable[str]) -> dict[str, Strategy]:
    """Strategies by role from texts such as ``simple`` (everybody) and ``renegade=random``.

    Raises UserError for unknown roles and strategies, a role named twice, and roles without a strategy.
    """
    return from_names(of_game, by_role(of_game, choices))


def by_role(of_game: Game, choices: Iterable[str]) -> dict[str, How]:
    """What names the strategy of each role that such texts speak of. Raises UserError for what is no such text."""
    named: dict[str, How] = {}
    for choice in choices:
        first, comma, settings = choice.partition(",")
        key, separator, name = first.partition("=")
        key, name = (key.strip(), name.strip()) if separator else (DEFAULT, first.strip())
        if separator and not (key and name):
            raise UserError(
                f"strategy {choice!r}: write ROLE=NAME, with one of {', '.join(of_game.strategy_keys())} and one of "
                f"{', '.join(strategy_names(of_game.name))}"
            )
        if key in named:
            who = "everybody" if key == DEFAULT else key
            raise UserError(f"strategy: {who} has two of them, {named[key]!r} and {name!r}; name one")
        named[key] = name + comma + settings
    return named


def from_names(of_game: Game, names: Mapping[str, How]) -> dict[str, Strategy]:
    """Strategies by role from what names them. Raises UserError like ``assign``."""
    keys = of_game.strategy_keys()
    for key in names:
        if key not in keys:
            raise unknown("role", str(key), keys, "strategy")
    if DEFAULT not in names:
        raise UserError(
            "strategy: nothing is said about the other roles; name a strategy for everybody as well, "
            f"one of {', '.join(strategy_names(of_game.name))}"
        )
    return {key: strategy(of_game.name, how) for key, how in names.items()}


def _installed(game_name: str, name: str) -> Found:
    found = _strategies(game_name)
    if name not in found:
        raise unknown("strategy", name, found)
    return _source(found[name]), found[name].attr, found[name].module


def _in_file(name: str) -> Found:
    """A file of the user's with one of its functions. Raises UserError."""
    file, separator, function = name.rpartition(":")
    if not separator or file[-len(FILE) :] != FILE or not function.isidentifier():
        raise UserError(f"strategy {name!r}: write FILE.py:FUNCTION, for example my.py:decide")
    path = Path(file).expanduser()
    if not path.is_file():
        raise UserError(f"strategy {name!r}: there is no file {file}")
    return path.resolve(), function, None


def _tree(path: Path) -> ast.Module:
    """The syntax of a file. Raises UserError."""
    try:
        return _parsed(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise UserError(f"{path}, line {error.lineno}: this is no Python: {error.msg}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: it cannot be read: {error}") from None


@lru_cache(maxsize=64)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def _strategies(game_name: str) -> dict[str, EntryPoint]:
    prefix = f"{game_name}."
    entries = (entry for entry in entry_points(group=STRATEGIES) if entry.name.startswith(prefix))
    return {entry.name.removeprefix(prefix): entry for entry in entries}


@cache
def _source(entry: EntryPoint) -> Path:
    """The file of an entry point's module; only the packages around it are imported."""
    spec = importlib.util.find_spec(entry.module)
    if spec is None or spec.origin is None:
        raise UserError(f"strategy {entry.name}: its module {entry.module} is not there; install its package again")
    return Path(spec.origin)
