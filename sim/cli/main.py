"""The command ``scofflaw``, as it is started."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Runs the command line and exits: 0 fine, 1 a check failed, 2 the user's mistake, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that has no “–” shows a question mark; it gets no traceback.
            stream.reconfigure(errors="replace")
    try:
        from sim.cli import console
        from sim.cli.app import app

        if sys.stdout is None:
            console.tell("scofflaw: stdout is closed; send it to a file, or to /dev/null")
            sys.exit(2)
        app(prog_name="scofflaw")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        if error.filename is not None:  # not a stream
            raise
        console.leave_stdout()
        console.tell(f"scofflaw: stdout cannot be written: {error.strerror}")
        sys.exit(2)
