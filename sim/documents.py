"""TOML files that people write: read, checked against a model, and each mistake reported with its line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from sim.errors import UserError, nearest, shortened

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    Model = TypeVar("Model", bound=BaseModel)

Key = tuple[str | int, ...]
"""Where a value stands: ``("seat", 1, "hand", 0)``."""

_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]\]?")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'[^']*'")
MOST_FAULTS = 10
"""Mistakes of one file that are reported at once."""

MOST_NESTED = 50
"""Lists and tables within each other. Python gives up at about a thousand, at a place of its own choosing."""

MOST_SHOWN = 80
"""Characters of a wrong value that a message shows."""

VALID = {
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "literal_error": "{expected}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
}
"""What would be right, by pydantic's type of error."""


class Document:
    """A TOML file: ``data`` as read, and the line of every key."""

    def __init__(self, text: str, path: str | Path) -> None:
        """Raises UserError if the text is not TOML, or nested deeper than any file of ours."""
        self.path = str(path)
        if "\0" in text:
            nul = text[: text.index("\0")].count("\n") + 1
            raise UserError(f"{path}:{nul}: there is a NUL byte, so this is no text; save the file as UTF-8 text")
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            place = f"{path}:{line[1]}" if line else f"{path}"
            raise UserError(f"{place}: this is not TOML: {error}") from None
        except ValueError as error:  # a number with thousands of digits
            raise UserError(f"{path}: this cannot be read: {error}") from None
        except RecursionError:
            raise self._too_deep() from None
        if _is_deeper(self.data, MOST_NESTED):
            raise self._too_deep()
        self._lines = _lines(text)

    def _too_deep(self) -> UserError:
        return UserError(f"{self.path}: lists and tables are nested more than {MOST_NESTED} deep")

    def place(self, *key: str | int) -> str:
        """``file:line`` of a key, or of the nearest table around it that the file has."""
        for length in range(len(key), 0, -1):
            if key[:length] in self._lines:
                return f"{self.path}:{self._lines[key[:length]]}"
        return self.path


def read_document(path: str | Path) -> Document:
    """The TOML file at a path. Raises UserError if it cannot be read or is not TOML."""
    try:
        # Some editors begin a file with a byte order mark.
        return Document(Path(path).read_text(encoding="utf-8-sig"), path)
    except UnicodeDecodeError:
        raise UserError(f"{path}: this is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        close = _beside(Path(path)) if isinstance(error, FileNotFoundError) else []
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise UserError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}{hint}") from None


def _beside(path: Path) -> list[str]:
    """The TOML files in the folder of a file that is not there whose names are nearest to its."""
    there = [other.name for other in path.parent.glob("*.toml")] if path.parent.is_dir() else []
    return [str(path.with_name(name)) for name in nearest(path.name, there)]


def validate(
    model: type[Model], data: Mapping[str, Any], document: Document, others: Iterable[str] = ()
) -> Model:
    """The data of a document as a model. Raises UserError with the line of each mistake.

    ``others``: keys that the file may have as well, though the data has not; the message for a misspelt key names them.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = error.errors()
    by_key: dict[Key, list[ErrorDetails]] = {}
    for fault in faults:
        by_key.setdefault(_key_of(fault, data), []).append(fault)
    sentences = (
        f"{document.place(*key)}: {_sentence(model, key, found, others)}"
        for key, found in islice(by_key.items(), MOST_FAULTS)
    )
    raise UserError("\n".join(sentences))


def _key_of(fault: ErrorDetails, data: Any) -> Key:
    """Where a mistake is. pydantic names the types that a value was tried as like keys; they are left out."""
    key: Key = ()
    for part in fault["loc"]:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return (*key, part) if fault["type"] == "missing" else key
        key = (*key, part)
    return key


def _sentence(model: type[BaseModel], key: Key, faults: Sequence[ErrorDetails], others: Iterable[str]) -> str:
    """One mistake for people; several faults are those of the types that the value may have."""
    *parents, name = key or ("",)
    where = "".join(f"{part} " for part in parents)
    fault = faults[0]
    if fault["type"] == "extra_forbidden":
        valid = sorted({*_fields(model, parents), *(() if parents else others)})
        close = nearest(str(name), valid)
        hint = f"did you mean {' or '.join(close)}?" if close else f"valid: {', '.join(valid)}"
        return f"{where}unknown key {name!r}; {hint}"
    if fault["type"] == "missing":
        return f"{where}{name} is missing"
    valid_values = " or ".join(dict.fromkeys(_valid(fault) for fault in faults))
    close = nearest(str(fault["input"]), re.findall(r"'([^']*)'", valid_values))
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    return f"{where}{name} is {shortened(repr(fault['input']), MOST_SHOWN)}; valid: {valid_values}{hint}"


def _valid(fault: ErrorDetails) -> str:
    if fault["type"] in VALID:
        return VALID[fault["type"]].format(**fault.get("ctx", {}))
    return fault["msg"]


def _is_deeper(data: Any, most: int) -> bool:
    """Whether lists and tables are nested deeper than this."""
    level = [data]
    for _ in range(most):
        inner = (value.values() if isinstance(value, Mapping) else value for value in level)
        level = [part for parts in inner for part in parts if isinstance(part, (Mapping, list))]
    return bool(level)


def _fields(model: type[BaseModel], parents: Iterable[str | int]) -> Sequence[str]:
    """The keys that a model has at a place inside it."""
    for parent in parents:
        if isinstance(parent, str) and parent in model.model_fields:
            model = _inner_model(model.model_fields[parent].annotation) or model
    return list(model.model_fields)


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    """The model inside a type such as ``list[Seat]`` or ``dict[str, Seat]``."""
    if hasattr(annotation, "model_fields"):
        return annotation  # type: ignore[no-any-return]
    return next((inner for part in get_args(annotation) if (inner := _inner_model(part))), None)


def _lines(text: str) -> dict[Key, int]:
    """The line of each key and each table. Lines inside a list that goes over several lines belong to its key."""
    lines: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if depth == 0 and header:
            table = _table(_parts(header[2]), header[1] == "[[", counts)
            lines.setdefault(table, number)
            if header[1] == "[[":
                lines.setdefault(table[:-1], number)
        else:
            if depth == 0 and key:
                parts = (*table, *_parts(key[1]))
                for length in range(len(table) + 1, len(parts) + 1):
                    lines.setdefault(parts[:length], number)
            bare = _STRINGS.sub("", line).split("#")[0]
            depth += sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}")
    return lines


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_NAME, dotted))


def _table(parts: Sequence[str], is_list: bool, counts: dict[Key, int]) -> Key:
    """The key of a table from its header; ``counts``: how many there are of each list of tables."""
    table: Key = ()
    for i, part in enumerate(parts):
        table = (*table, part)
        if is_list and i == len(parts) - 1:
            counts[table] = counts.get(table, 0) + 1
        if table in counts:
            table = (*table, counts[table] - 1)
    return table


def written(data: Mapping[str, Any]) -> str:
    """Data as a TOML file: plain values first, then tables and lists of tables, in the given order."""
    return "\n".join(_written(data, ()))


def _written(data: Mapping[str, Any], table: tuple[str, ...]) -> Iterator[str]:
    tables = {key: value for key, value in data.items() if _is_table(value) or _is_table_list(value)}
    for key, value in data.items():
        if key not in tables:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in tables.items():
        name = ".".join(map(_key, (*table, key)))
        for inner in value if isinstance(value, list) else [value]:
            if any(not _is_table(part) for part in inner.values()) or not inner:
                yield f"\n[[{name}]]" if isinstance(value, list) else f"\n[{name}]"
            yield from _written(inner, (*table, key))
    if not table:
        yield ""


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_table_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_table, value))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    """A plain value or a list of plain values; JSON writes those as TOML does."""
    return json.dumps(value, ensure_ascii=False)
