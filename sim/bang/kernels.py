"""The kernel for a set-up: which sources, flags and strategies go into it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from sim.errors import unknown
from sim.game import Strategy
from sim.kernel import build as building

CORE = Path(__file__).parent / "core"
COMPILED_IN = tuple(Path(building.__file__).parent / f"{name}.py" for name in ("bits", "jit", "piles", "streams"))

FLAGS = '''"""What this kernel is compiled for."""

WORDS = {words}
DEATH_MESA = {death_mesa}
INSTRUMENTED = {instrumented}
CACHE = True
'''

CHOSEN = '''"""The strategies that this kernel is compiled around."""

from sim.kernel.jit import leaf

{imports}


@leaf
def choose(public, own, rules, tables):
    """The answer of the asked seat's strategy to its question."""
{cases}
'''


@cache
def kernel_for(
    strategies: tuple[Strategy, ...], expansions: tuple[str, ...], words: int, instrumented: bool
) -> building.Kernel:
    """The kernel compiled around these strategies; strategy k of a seat is the k-th of them.

    ``expansions``: those in use. ``words``: 64-bit words of a card set. ``instrumented``: with journal, scripts and
    checked mode. Raises UserError.
    """
    for strategy in strategies:
        _require_function(strategy)
    sources = {path.stem: path for path in sorted(CORE.glob("*.py"))}
    sources |= {f"strategy_{k}": strategy.source for k, strategy in enumerate(strategies)}
    generated = {
        "flags": FLAGS.format(words=words, death_mesa="death_mesa" in expansions, instrumented=instrumented),
        "chosen": _chosen(strategies),
    }
    for name in generated:
        del sources[name]
    return building.build(sources, generated, "sim.bang.core", COMPILED_IN)


def _require_function(strategy: Strategy) -> None:
    """Raises UserError unless the file of a strategy has its function."""
    found = re.findall(r"^def (\w+)\(", strategy.source.read_text(encoding="utf-8"), re.MULTILINE)
    if strategy.function not in found:
        raise unknown("function", strategy.function, found, str(strategy.source))


def _chosen(strategies: Sequence[Strategy]) -> str:
    """The module that calls the strategy of a seat: no test at all when there is only one."""
    imports = "\n".join(
        f"from .strategy_{k} import {strategy.function} as decide_{k}" for k, strategy in enumerate(strategies)
    )
    cases = [
        f"    if own.strategy == {k}:\n        return decide_{k}(public, own, rules, tables)"
        for k in range(1, len(strategies))
    ]
    return CHOSEN.format(imports=imports, cases="\n".join([*cases, "    return decide_0(public, own, rules, tables)"]))
