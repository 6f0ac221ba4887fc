"""Writing to the terminal: reports and JSON on stdout, everything else on stderr."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from sim.errors import Notice

INTERRUPTED = 130

WIDEST = 10_000
"""Columns that any row of a table fits in."""

T = TypeVar("T")


def show(*parts: Any) -> None:
    """Prints rich renderables on stdout, and text as it is: a long line is not broken, so that it can be copied."""
    from rich.console import Console
    from rich.text import Text

    # A reader that is no terminal gets each row on one line, so that it can search for it.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDEST)
    with console.capture() as capture:
        for part in parts:
            # Rows are rather longer than a narrow terminal than cut off.
            console.print(part, markup=False, soft_wrap=isinstance(part, (str, Text)), crop=False)
    # Written here and not by rich, which answers a closed pipe with exit code 1.
    sys.stdout.write(capture.get())


def show_markdown(text: str) -> None:
    """Prints Markdown, laid out on a terminal and as it is for any other reader."""
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(Markdown(text))
    sys.stdout.write(capture.get())


def show_line(text: str) -> None:
    """Prints a line at once, without wrapping it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show_json(content: Any) -> None:
    """Prints one JSON object on stdout."""
    show_line(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))


def tell(text: str) -> None:
    """Prints a line on stderr, if there is one that takes it."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()


def leave_stdout() -> None:
    """What is still to be written is thrown away, so that Python does not try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def notices_told() -> Iterator[None]:
    """Prints what the services warn of as a line on stderr."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, Notice):
                tell(f"scofflaw: {message}")
            else:
                usual(message, category, *place, **more)

        warnings.showwarning = show_warning
        yield


def tell_compiling() -> None:
    """Says why nothing seems to happen for a while."""
    tell("Compiling the game for these rules (first time only, half a minute; with ghosts a minute)...")


def _before_the_first_game() -> str:
    return "Interrupted before the first game."


def in_background(call: Callable[[], T], interrupted: Callable[[], str] = _before_the_first_game) -> T:
    """The result of a call that may compile.

    Compiling makes millions of objects and drops few of them: it takes an eighth longer if they are collected. And the
    compiler does not listen to Ctrl-C. It works in another thread, so that this one can end the program at once.
    ``interrupted``: what is told then.
    """
    future: Future[T] = Future()

    def work() -> None:
        gc.disable()
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)
        finally:
            gc.enable()

    threading.Thread(target=work, daemon=True).start()
    try:
        return future.result()
    except KeyboardInterrupt:
        tell(interrupted())
        sys.stdout.flush()
        if "sim.kernel.build" in sys.modules:
            sys.modules["sim.kernel.build"].remove_temporary()
        os._exit(INTERRUPTED)


@contextmanager
def progress_bar() -> Iterator[Callable[..., None] | None]:
    """What to tell games played, games asked, and what else to show in and above the bar; None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
        TextColumn("{task.fields[more]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, rate="", more="")

        def advance(played: int, asked: int, more: str = "", line: str = "") -> None:
            if line:
                bar.console.print(line, markup=False, highlight=False)
            seconds = bar.tasks[0].elapsed or 0
            rate = f"{played / seconds:,.0f} games/s" if seconds > 0 else ""
            bar.update(task, completed=played, total=asked, rate=rate, more=more)

        yield advance
