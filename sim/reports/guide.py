"""The guide for designers: Markdown files of the package, a topic each."""

from __future__ import annotations

from importlib.resources import files

from sim.errors import unknown

ORDER = (
    "concepts", "rules", "cards", "strategies", "metrics", "intervals", "comparing", "experiments", "results",
    "bestresponse", "scenarios",
)  # fmt: skip
"""The topics in the order in which a newcomer reads them; others come after them."""

_FOLDER = files("sim") / "guide"
_SUFFIX = ".md"


def topics() -> list[str]:
    """The names of the topics there are."""
    names = sorted(file.name.removesuffix(_SUFFIX) for file in _FOLDER.iterdir() if file.name.endswith(_SUFFIX))
    return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def text(topic: str) -> str:
    """The Markdown of a topic. Raises UserError with the nearest names."""
    if topic not in topics():
        raise unknown("topic", topic, topics(), "guide")
    return (_FOLDER / f"{topic}{_SUFFIX}").read_text(encoding="utf-8")


def first_line(topic: str) -> str:
    """The heading of a topic, which says what it is about; it may begin with the name of the topic and a colon."""
    heading = text(topic).splitlines()[0].lstrip("# ")
    name, colon, about = heading.partition(": ")
    return about if colon and name.lower() == topic else heading
