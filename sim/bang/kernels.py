"""The kernel for a set-up: which sources, flags and strategies go into it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from sim.errors import unknown
from sim.game import Strategy
from sim.kernel import build as building

CORE = Path(__file__).parent / "core"
CORE_PACKAGE = "sim.bang.core."
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
    programs: tuple[Strategy, ...], expansions: tuple[str, ...], words: int, instrumented: bool
) -> building.Kernel:
    """The kernel compiled around the functions of these strategies, however they are set.

    ``expansions``: those in use. ``words``: 64-bit words of a card set. ``instrumented``: with journal, scripts and
    checked mode. Raises UserError.
    """
    for strategy in programs:
        _require_function(strategy)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(CORE.glob("*.py"))}
    texts["flags"] = FLAGS.format(words=words, death_mesa="death_mesa" in expansions, instrumented=instrumented)
    texts["chosen"] = _chosen(programs)
    for strategy in programs:
        texts |= _parts(strategy)
    return building.build({name: _bound(text) for name, text in texts.items()}, COMPILED_IN)


def _bound(text: str) -> str:
    """The text with its imports from the core turned into imports from the kernel that it is a part of."""
    return re.sub(rf"\bfrom {re.escape(CORE_PACKAGE)}", "from .", text)


def _require_function(strategy: Strategy) -> None:
    """Raises UserError unless the file of a strategy has its function."""
    found = re.findall(r"^def (\w+)\(", strategy.source.read_text(encoding="utf-8"), re.MULTILINE)
    if strategy.function not in found:
        raise unknown("function", strategy.function, found, str(strategy.source))


def _parts(strategy: Strategy) -> Mapping[str, str]:
    """The modules of a strategy by their names in a kernel: its own, and those of its package that they import."""
    own = strategy.module or strategy.source.stem
    texts: dict[str, str] = {}
    left = {own: strategy.source}
    while left:
        module, path = left.popitem()
        text = path.read_text(encoding="utf-8")
        for imported in re.findall(rf"^from ({re.escape(own.split('.')[0])}\.\S+) import", text, re.MULTILINE):
            part = importlib.util.find_spec(imported)
            if part is not None and part.origin is not None:
                text = text.replace(f"from {imported} import", f"from .{_name(imported)} import")
                if _name(imported) not in texts:
                    left[imported] = Path(part.origin)
        texts[_name(module)] = text
    return texts


def _name(module: str) -> str:
    """What a module of a strategy is called in a kernel."""
    return "strategy_" + module.replace(".", "_")


def _chosen(programs: Sequence[Strategy]) -> str:
    """The module that calls the strategy of a seat: no test at all when there is only one."""
    imports = "\n".join(
        f"from .{_name(strategy.module or strategy.source.stem)} import {strategy.function} as decide_{k}"
        for k, strategy in enumerate(programs)
    )
    cases = [
        f"    if program == {k}:\n        return decide_{k}(public, own, rules, tables)"
        for k in range(1, len(programs))
    ]
    if cases:
        cases.insert(0, "    program = tables.program[own.strategy]")
    return CHOSEN.format(imports=imports, cases="\n".join([*cases, "    return decide_0(public, own, rules, tables)"]))
