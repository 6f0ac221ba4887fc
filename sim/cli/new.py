"""``scofflaw new``: writes a file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import console, options


def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What to write: strategy.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the file.")],
) -> None:
    """Write a commented file that runs as it is, to be changed.

    \b
    scofflaw new strategy mine
        mine.py, a player of your own: scofflaw run --strategy simple --strategy outlaw=mine.py:decide
    """
    from sim.errors import UserError, unknown
    from sim.services import registry

    templates = registry.game(options.GAME).new_files
    if kind not in templates:
        raise unknown("kind of file", kind, templates)
    template = templates[kind]
    path = Path(name) if name.endswith(template.suffix) else Path(name + template.suffix)
    text = template.read_text(encoding="utf-8").replace("{file}", path.as_posix())
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} is there already and stays as it is; choose another name") from None
    except OSError as error:
        raise UserError(f"{path}: it cannot be written: {error.strerror}") from None
    console.show_line(f"Wrote {path}; its first lines say how to run it.")
