"""Set-ups that can be sent to other processes and machines, and the digest that says what they are.

A set-up carries the text of every file that the user named, decks and strategies alike: whoever plays it needs the
program, and none of the user's folders.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from sim.errors import UserError
from sim.files import replace_whole
from sim.game import Compiling, Game, Rules, Session, Strategy
from sim.kernel import storage
from sim.services import registry
from sim.services.result import json_rules

FILE_TYPE = "path"
"""The type of parameters whose value is a file of the user's."""

SOURCES = (".py", ".csv")
FILES = "files"
"""Folder in the cache where texts that came from elsewhere are laid down."""


@dataclass(frozen=True)
class Setup:
    """One set-up as plain data: rules as the user set them, and strategies by role.

    ``files`` has the text of the file of each parameter that names one, ``sources`` that of each strategy's file, by
    how the strategy is named. Everything can be pickled.
    """

    game: str
    settings: Mapping[str, Any]
    strategies: Mapping[str, registry.How]
    files: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}  # nothing that was worked out here

    @cached_property
    def rules(self) -> Rules:
        """The rules, with files laid down in the cache. Raises UserError."""
        laid = {name: _laid_down(text, Path(str(self.settings[name])).name) for name, text in self.files.items()}
        return registry.game(self.game).resolve({**self.settings, **laid})

    @cached_property
    def players(self) -> Mapping[str, Strategy]:
        """The strategies, with files laid down in the cache. Raises UserError."""
        return registry.from_names(
            registry.game(self.game), {key: self._here(how) for key, how in self.strategies.items()}
        )

    def session(self, compiling: Compiling | None = None) -> Session:
        """The set-up ready to play. Raises UserError."""
        try:
            return registry.game(self.game).session(self.rules, self.players, compiling=compiling)
        except UserError as error:
            raise self._by_own_paths(error) from None

    def _by_own_paths(self, error: UserError) -> UserError:
        """The error with files called as the user calls them, not as they lie in the cache."""
        named = [(str(self.settings[name]), text) for name, text in self.files.items()]
        named += [(name.rpartition(":")[0], text) for name, text in self.sources.items()]
        said = str(error)
        for path, text in named:
            said = said.replace(_laid_down(text, Path(path).name), path)
        return UserError(said)

    def _here(self, how: registry.How) -> registry.How:
        name = registry.name_of(how)
        if name not in self.sources:
            return how
        file, _, function = name.rpartition(":")
        laid = f"{_laid_down(self.sources[name], Path(file).name)}:{function}"
        return how.replace(name, laid, 1) if isinstance(how, str) else {**how, registry.NAME: laid}

    @cached_property
    def program(self) -> str:
        """Digest of what has to be installed to play it: the game and the strategies. Raises UserError."""
        packages = {one.module: _of_package(one.module) for one in self.players.values() if one.module is not None}
        return key_of(core_digest(self.game), packages)

    @property
    def content(self) -> Mapping[str, Any]:
        """All that the games depend on, the seed apart: every rule, the texts of files, the sources of strategies.

        Worked out each time: kept for ten thousand set-ups, it would be most of their memory.
        """
        rules = json_rules(self.rules)
        rules.update({name: _digest(text) for name, text in self.files.items()})
        players = {
            key: [
                _digest(self.sources[name]) if (name := registry.name_of(self.strategies[key])) in self.sources else
                [one.module, one.function, _of_package(one.module)],
                list(one.weights),
                one.mistakes,
            ]
            for key, one in self.players.items()
        }  # fmt: skip
        return {"game": self.game, "core": core_digest(self.game), "rules": rules, "strategies": players}


def setup(
    game: Game, settings: Mapping[str, Any], strategies: Mapping[str, registry.How], folder: Path | None = None
) -> Setup:
    """The set-up with the texts of all files that it names, paths being taken from ``folder``.

    Raises UserError for what cannot be.
    """
    flat, files = dict(settings), {}
    for parameter in game.parameters():
        value = flat.get(parameter.name)
        if parameter.type == FILE_TYPE and isinstance(value, str) and value:
            flat[parameter.name], files[parameter.name] = _read(_from(folder, value), parameter.name)
    named: dict[str, registry.How] = {}
    sources: dict[str, str] = {}
    for key, how in strategies.items():
        name = registry.name_of(how)
        if registry.is_file(name):
            file, colon, function = name.rpartition(":")
            path = _from(folder, file)
            found = f"{path.as_posix()}{colon}{function}"
            how = how.replace(name, found, 1) if isinstance(how, str) else {**how, registry.NAME: found}
            sources[found] = registry.strategy(game.name, how).source.read_text(encoding="utf-8")
        named[key] = how
    whole = Setup(game.name, flat, named, files, sources)
    rules = game.resolve(flat)  # mistakes are told by the user's own paths
    if files:
        game.card_tables(rules)
    registry.from_names(game, named)
    return whole


def _from(folder: Path | None, name: str) -> Path:
    """A path as it is named, or as seen from the folder of the file that names it."""
    path = Path(name).expanduser()
    beside = (folder or Path()) / path
    return beside if beside.is_file() or not path.is_file() else path


def _read(path: Path, what: str) -> tuple[str, str]:
    try:
        return path.as_posix(), path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{what}: {path} is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{what}: {path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


@cache
def _laid_down(text: str, name: str) -> str:
    """A file with this text and name in the cache folder, where its digest says that it is whole."""
    path = storage.cache_folder() / FILES / _digest(text)[:32] / name
    try:
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_whole(path, text.encode())
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}; free some space, or set "
            f"{storage.CACHE_VARIABLE} to a folder that can be written"
        ) from None
    return str(path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def core_digest(game: str) -> str:
    """SHA-256 of the sources that decide how a game goes: its package with the card tables, and the kernel under it."""
    loaded = registry.game(game)
    module = inspect.getmodule(type(loaded))
    assert module is not None and module.__file__ is not None
    own = Path(module.__file__)
    files = _sources(own.parent) if (own.parent / "__init__.py").exists() else [own]
    return _of_files([*_sources(Path(storage.__file__).parent), *files], f"rules {loaded.rules_version}")


@cache
def _of_package(module: str) -> str:
    """SHA-256 of the sources around an installed strategy: all of its package."""
    spec = importlib.util.find_spec(module.partition(".")[0])
    assert spec is not None
    places = list(spec.submodule_search_locations or ())
    return _of_files(_sources(Path(places[0])) if places else [Path(str(spec.origin))], "")


def _sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES)


def _of_files(paths: Iterable[Path], start: str) -> str:
    digest = hashlib.sha256(start.encode())
    for path in paths:
        data = path.read_bytes()
        digest.update(f"\0{path.name} {len(data)}\0".encode() + data)
    return digest.hexdigest()


def key_of(*contents: Any) -> str:
    """SHA-256 of plain data, which are written in one way only."""
    return _digest(json.dumps(contents, sort_keys=True, separators=(",", ":"), allow_nan=False))
