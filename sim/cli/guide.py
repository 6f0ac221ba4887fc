"""``scofflaw guide``: how to ask, and how to read the answers."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.cli import complete, console


def guide(
    topic: Annotated[
        str | None, typer.Argument(metavar="TOPIC", help="What to read about.", autocompletion=complete.topics)
    ] = None,
) -> None:
    """Read the guide for designers; without a topic, what there is to read.

    \b
    scofflaw guide              the topics
    scofflaw guide intervals    what an interval says, and how many games it takes
    """
    from sim.reports import guide as pages

    if topic is not None:
        console.show_markdown(pages.text(topic))
        return
    width = max(map(len, pages.topics())) + 2
    for name in pages.topics():
        console.show_line(f"{name:<{width}}{pages.first_line(name)}")
    console.show_line("Read one with: scofflaw guide TOPIC")
