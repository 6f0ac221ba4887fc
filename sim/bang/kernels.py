"""The kernel for a set-up: which sources, flags and strategies go into it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from sim.errors import unknown
from sim.game import Strategy
from sim.kernel import build as building

CORE = Path(__file__).parent / "core"
CORE_PACKAGE = "sim.bang.core."
COMPILED_IN = tuple(
    Path(building.__file__).parent / f"{name}.py" for name in ("bits", "jit", "piles", "pointers", "streams")
)

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
    programs: tuple[Strategy, ...], outside: bool, expansions: tuple[str, ...], words: int, instrumented: bool
) -> building.Kernel:
    """The kernel compiled around the functions of these strategies, however they are set.

    ``outside``: whether there are others as well, compiled apart and called by their address. ``expansions``: those in
    use. ``words``: 64-bit words of a card set. ``instrumented``: with journal, scripts,
    habits and checked mode. Raises UserError.
    """
    texts = core_texts(expansions, words, instrumented)
    texts["chosen"] = _chosen(programs, outside)
    for strategy in programs:
        require_function(strategy)
        texts |= _parts(strategy)
    return building.build(in_kernel(texts), COMPILED_IN)


def core_texts(expansions: Collection[str], words: int, instrumented: bool) -> dict[str, str]:
    """The modules of the core, and the flags that they are compiled with."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(CORE.glob("*.py"))}
    texts["flags"] = FLAGS.format(words=words, death_mesa="death_mesa" in expansions, instrumented=instrumented)
    return texts


def in_kernel(texts: Mapping[str, str]) -> dict[str, str]:
    """The modules with their imports from the core turned into imports from the kernel that they are parts of."""
    return {name: re.sub(rf"\bfrom {re.escape(CORE_PACKAGE)}", "from .", text) for name, text in texts.items()}


def require_function(strategy: Strategy) -> str:
    """The text of a strategy's file. Raises UserError unless it has the function."""
    text = strategy.source.read_text(encoding="utf-8")
    found = re.findall(r"^def (\w+)\(", text, re.MULTILINE)
    if strategy.function not in found:
        raise unknown("function", strategy.function, found, str(strategy.source))
    return text


def _parts(strategy: Strategy) -> Mapping[str, str]:
    """The modules of a strategy by their names in a kernel: its own, and those of its package that they import."""
    own = strategy.module or strategy.source.stem
    texts: dict[str, str] = {}
    left = {own: strategy.source}
    while left:
        module, path = left.popitem()
        text = path.read_text(encoding="utf-8")
        for imported in re.findall(rf"^from ({re.escape(own.split('.')[0])}\.\S+) import", text, re.MULTILINE):
            part = None if imported.startswith("sim.") else importlib.util.find_spec(imported)
            if part is not None and part.origin is not None:
                text = text.replace(f"from {imported} import", f"from .{_name(imported)} import")
                if _name(imported) not in texts:
                    left[imported] = Path(part.origin)
        texts[_name(module)] = text
    return texts


def _name(module: str) -> str:
    """What a module of a strategy is called in a kernel."""
    return "strategy_" + module.replace(".", "_")


def _chosen(programs: Sequence[Strategy], outside: bool) -> str:
    """The module that calls the strategy of a seat: no test at all when there is only one."""
    imports = [
        f"from .{_name(strategy.module or strategy.source.stem)} import {strategy.function} as decide_{k}"
        for k, strategy in enumerate(programs)
    ]
    calls = [f"decide_{k}(public, own, rules, tables)" for k in range(len(programs))]
    if outside:
        imports.append("from sim.kernel.pointers import call_at")
        calls.append("call_at(tables.address[own.strategy], public, own, rules, tables)")
    cases = [f"    if program == {k}:\n        return {calls[k]}" for k in range(1, len(calls))]
    if cases:
        cases.insert(0, "    program = tables.program[own.strategy]")
    return CHOSEN.format(imports="\n".join(imports), cases="\n".join([*cases, f"    return {calls[0]}"]))
