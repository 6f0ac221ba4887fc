"""scofflaw plays tabletop games by the million and tells what the rules do to the balance.

``sim.run`` plays one set-up and returns a ``sim.Result``, ``sim.experiment`` plays a sweep or a comparison and returns
its tables; ``sim.UserError`` is raised for what cannot be::

    import sim

    result = sim.run(rules={"players": 5}, games=100_000)
    print(result.endings[0].rate, result.to_pandas())
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import experiment, run
    from sim.errors import UserError
    from sim.services.result import Result

__all__ = ["Result", "UserError", "__version__", "experiment", "run"]

_HOME = {"experiment": "sim.api", "run": "sim.api", "Result": "sim.services.result", "UserError": "sim.errors"}


def __getattr__(name: str) -> Any:
    """Loads what is asked for only then: numba and scipy take half a second."""
    if name == "__version__":
        from importlib.metadata import version

        return version("scofflaw")
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'sim' has no attribute {name!r}")
