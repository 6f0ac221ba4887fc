"""Strategies in files of the user's: compiled apart from the core, and called by their address.

A file is an ordinary module. Each of its functions is compiled; what it imports from ``sim.bang.core`` is the code of
the core for the expansions in use. ``trial`` plays it first, every index and every record checked.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from traceback import extract_tb
from types import FunctionType, ModuleType
from typing import Any

from numba import config
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from sim.bang.kernels import COMPILED_IN, core_texts, in_kernel, require_function
from sim.errors import UserError, shortened, unknown
from sim.game import Strategy
from sim.kernel import build as building
from sim.kernel import jit

PROGRAM = "program"
"""The module of the user's functions in their kernel."""

CHANGED = "changed"
"""What a checked function raises with the name of a record."""

TAIL = """

from sim.bang.outside import compile_functions as _compile_functions
_compile_functions(globals(), {checked})
"""
"""Stands behind the user's text, so that its lines keep their numbers."""

DOOR = '''"""Where the core comes in: four addresses become records."""

from numba import carray

from .program import {function} as decide
from .state import OWN, PUBLIC, RULES, TABLES


def call(public, own, rules, tables):
    return decide(
        carray(public, 1, PUBLIC)[0], carray(own, 1, OWN)[0], carray(rules, 1, RULES)[0], carray(tables, 1, TABLES)[0]
    )
'''

CHECKED_DOOR = '''"""Where the core comes in: four addresses become records, which must come back unchanged."""

import numpy as np
from numba import carray

from sim.kernel.checked import leaf

from .program import {function} as decide
from .state import OWN, PUBLIC, RULES, TABLES

PUBLIC_SIZE, OWN_SIZE, RULES_SIZE, TABLES_SIZE = PUBLIC.itemsize, OWN.itemsize, RULES.itemsize, TABLES.itemsize
DICE, AFTER_DICE = OWN.fields["dice"][1], OWN.fields["dice"][1] + 8


@leaf
def changed(before, now):
    for k in range(before.size):
        if before[k] != now[k]:
            return True
    return False


def call(public, own, rules, tables):
    publics, owns = carray(public, PUBLIC_SIZE, np.uint8), carray(own, OWN_SIZE, np.uint8)
    fixed, lists = carray(rules, RULES_SIZE, np.uint8), carray(tables, TABLES_SIZE, np.uint8)
    seen, known, ruled, listed = publics.copy(), owns.copy(), fixed.copy(), lists.copy()
    given = decide(
        carray(public, 1, PUBLIC)[0], carray(own, 1, OWN)[0], carray(rules, 1, RULES)[0], carray(tables, 1, TABLES)[0]
    )
    for k in range(DICE, AFTER_DICE):
        known[k] = owns[k]
    if changed(seen, publics):
        raise ValueError("changed", "public")
    if changed(known, owns):
        raise ValueError("changed", "own")
    if changed(ruled, fixed):
        raise ValueError("changed", "rules")
    if changed(listed, lists):
        raise ValueError("changed", "tables")
    return given
'''

PLAIN_DOOR = '''"""Where the core comes in, with the JIT off."""

from .program import {function} as call
'''


ARGUMENTS = ("public", "own", "rules", "tables")


def compile_functions(module: dict[str, Any], checked: bool) -> None:
    """Puts compiled functions in place of all functions that were written in a module, decorated or not."""
    part = jit.checked_part if checked else jit.part
    for name, value in list(module.items()):
        function = value.py_func if isinstance(value, Dispatcher) else value
        if isinstance(function, FunctionType) and function.__module__ == module["__name__"]:
            module[name] = part(function)


def kernel_of(strategy: Strategy, expansions: tuple[str, ...], words: int, checked: bool) -> building.Kernel:
    """The package with the user's functions and the core that they may import. Raises UserError."""
    text = require_function(strategy)
    _require_arguments(strategy, text)
    text += TAIL.format(checked=checked)
    texts = core_texts(expansions, words, instrumented=False)
    door = PLAIN_DOOR if config.DISABLE_JIT else CHECKED_DOOR if checked else DOOR
    texts |= {PROGRAM: text, "door": door.format(function=strategy.function)}
    if checked:
        usual, checking = "from sim.kernel.jit import", "from sim.kernel.checked import"
        texts = {name: text.replace(usual, checking) for name, text in texts.items()}
    return building.build(in_kernel(texts), COMPILED_IN)


def _require_arguments(strategy: Strategy, text: str) -> None:
    """Raises UserError unless the function takes what it will be given."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == strategy.function:
            given = [argument.arg for argument in statement.args.args]
            if len(given) != len(ARGUMENTS) or statement.args.kwonlyargs:
                raise UserError(
                    f"strategy {strategy.name}, line {statement.lineno}: {strategy.function}({', '.join(given)}) does "
                    f"not take what it is given; write def {strategy.function}({', '.join(ARGUMENTS)})"
                )


@cache
def address_of(strategy: Strategy, expansions: tuple[str, ...], words: int, checked: bool = False) -> int:
    """The address of the compiled function. Raises UserError for what Python or numba cannot make of it."""
    kernel = kernel_of(strategy, expansions, words, checked)
    try:
        return jit.outside(kernel.module("door").call, stored=not checked)
    except NumbaError as error:
        raise UserError(f"strategy {strategy.name}: {_gist(str(error), kernel.folder)}") from None
    except KeyError as error:  # so numba says that a record has no such field
        raise _no_field(strategy, str(error.args[0]), kernel.module("state")) from None
    except Exception as error:
        raise UserError(f"strategy {strategy.name}: {_place(error, kernel.folder)}{error}") from None


def _no_field(strategy: Strategy, name: str, state: ModuleType) -> UserError:
    records = (state.PUBLIC, state.OWN, state.QUESTION, state.RULES, state.TABLES)
    fields = {field for record in records for field in record.names}
    text = strategy.source.read_text(encoding="utf-8").splitlines()
    lines = [str(number) for number, line in enumerate(text, 1) if re.search(rf"\.{re.escape(name)}\b", line)]
    place = f", line {' or '.join(lines)}" if lines else ""
    return unknown("field", name, fields, f"strategy {strategy.name}{place}")


def _gist(text: str, folder: Path) -> str:
    """What is wrong, by the compiler's message, and at which line of the user's: the last one that it names."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    file = re.escape(str(folder / f"{PROGRAM}.py"))
    lines = re.findall(rf'File "{file}", line (\d+)|{file} \((\d+)\)', plain)
    place = f"line {next(filter(None, lines[-1]))}: " if lines else ""
    said = [line.strip() for line in plain.splitlines()]
    said = [line for line in said if line and not line.startswith(NO_NEWS)]
    if said and said[0].startswith(NO_ANSWER):
        found = said[0].removeprefix(NO_ANSWER).partition(" to int64")[0]
        return f"it returns {found} where an answer is wanted, a whole number such as answer(END, NOBODY)"
    return f"{place}it cannot be compiled: {shortened(' '.join(said[:2]), LONGEST)}"


NO_NEWS = ("Failed in", "During:", "File ", "No implementation of function", "- Resolution failure", "def call(")
NO_ANSWER = "No conversion from "
LONGEST = 300


def _place(error: BaseException, folder: Path) -> str:
    """The last line of the user's file that an error of Python passed through."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: "
    passed = extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in passed if frame.filename == str(folder / f"{PROGRAM}.py")]
    return f"line {lines[-1]}: " if lines else ""
