"""``scofflaw new``: writes a file to begin with."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sim.cli import console, options

SCHEMA = "schema"


def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="experiment, deck, cards, strategy, or schema.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the file.")],
) -> None:
    """Write a commented file that runs as it is, to be changed.

    \b
    scofflaw new experiment draws
        draws.toml, a sweep of two rules: scofflaw run draws.toml
    scofflaw new deck mine
        mine.csv, the printed deck, a card a row: scofflaw run --rules deck=mine.csv
    scofflaw new cards mine_cards
        mine_cards.csv, other numbers on cards: scofflaw run --rules cards=mine_cards.csv
    scofflaw new schema experiment.schema
        experiment.schema.json, with which an editor completes and checks experiment files
    scofflaw new strategy mine
        mine.py, a player of your own: scofflaw run --strategy simple --strategy outlaw=mine.py:decide
    """
    from sim.errors import UserError, unknown
    from sim.services import registry

    templates = registry.game(options.GAME).new_files
    if kind not in (*templates, SCHEMA):
        raise unknown("kind of file", kind, (*templates, SCHEMA))
    ending = ".json" if kind == SCHEMA else templates[kind][-1].suffix
    path = Path(name) if name.endswith(ending) else Path(name + ending)
    if path.name.strip() == ending:
        raise UserError(f"NAME is {name!r}, which names no file; write for example: scofflaw new {kind} mine")
    text = _schema() if kind == SCHEMA else _filled(templates[kind], path)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} is there already and stays as it is; choose another name") from None
    except OSError as error:
        raise UserError(f"{path}: it cannot be written: {error.strerror}") from None
    console.show_line(f"Wrote {path}" if kind == SCHEMA else f"Wrote {path}; its first lines say how to run it.")


def _filled(templates: Sequence[Path], path: Path) -> str:
    text = "".join(template.read_text(encoding="utf-8") for template in templates)
    return text.replace("{file}", shlex.quote(path.as_posix())).replace("{name}", shlex.quote(path.stem))


def _schema() -> str:
    import json

    from sim.services import experiment

    return json.dumps(experiment.schema(), indent=2) + "\n"
