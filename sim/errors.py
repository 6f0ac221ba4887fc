"""The exception that means: the user asked for something that cannot be; and the warning about something that can."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache


class UserError(Exception):
    """A mistake in what the user wrote: what is wrong, where, and what would be right.

    The command line prints the message without a traceback and exits with 2.
    """


class Notice(UserWarning):
    """What the user should know though the work goes on. The command line prints it as a line on stderr."""


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """The name in lower case, without accents, other characters between words one underscore.

    This is how card and character names are written in parameter names (``copies.rev_carabine``).
    """
    decomposed = unicodedata.normalize("NFKD", name)
    letters = "".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c))
    return "_".join(letters.lower().split())


def shortened(text: str, most: int) -> str:
    """The text on one line of so many characters at most, what cannot be printed being escaped."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: most + 1])
    return line if len(line) <= most else f"{line[: most - 1]}…"


def nearest(name: str, valid: Iterable[str], count: int = 3) -> list[str]:
    """The valid names closest in spelling, best first; compared without case and accents."""
    by_plain = {plain(v): v for v in valid}
    found = difflib.get_close_matches(plain(name), by_plain, n=count, cutoff=0.5)
    return [by_plain[f] for f in found]


def unknown(what: str, name: str, valid: Iterable[str], where: str = "") -> UserError:
    """The error for a name that does not exist, with the nearest valid names."""
    valid = sorted(valid)
    close = nearest(name, valid)
    hint = f"did you mean {' or '.join(close)}?" if close else f"valid: {', '.join(valid)}"
    place = f"{where}: " if where else ""
    return UserError(f"{place}unknown {what} {name!r}; {hint}")
