"""``python -m sim.cli`` is the command ``scofflaw``."""

from __future__ import annotations

from sim.cli.main import main

main()
