"""How compiled functions are compiled.

A ``leaf`` is always inlined: small functions, and effects with one caller. A ``shared`` function has many callers (a
shot, damage, a question) and is never inlined, so its code exists once. An ``entry`` is called from Python; its machine
code is kept on disk.

By itself numba optimises and compiles every function with all that it calls before it goes on to the caller, at every
level of the call tree again: minutes, for a game. Here leaf and shared functions are only translated; the entry links
everything below it and is optimised once, as a whole.

With ``NUMBA_DISABLE_JIT=1`` all three stay Python functions, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import _dynfunc, config, njit, types
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    RewriteDynamicRaises,
    RewriteSemanticConstants,
    WithLifting,
)

from sim.kernel.plain import plain_entry
from sim.kernel.pointers import PLAIN_FUNCTIONS
from sim.kernel.storage import CodeCache


class _PartLibrary(JITCodeLibrary):
    """The code of one function, as it was translated."""

    def finalize(self) -> None:
        self._finalized = True


class _WholeLibrary(JITCodeLibrary):
    """The code of an entry with everything that is called below it."""

    def finalize(self) -> None:
        callees_first: dict[Any, None] = {}
        for library in self._linking_libraries:
            _add_callees_first(library, callees_first)
        # LLVM takes in only what is already called for, so that callers have to be linked before callees.
        self._linking_libraries = list(reversed(callees_first))
        self._own = {function.name for function in self._final_module.functions if not function.is_declaration}
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Nobody else calls what is below an entry: LLVM may change how it is called, and drop tests for errors."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = "internal"
        super()._optimize_final_module()


def _add_callees_first(library: Any, found: dict[Any, None]) -> None:
    if library not in found:
        for callee in library._linking_libraries:
            _add_callees_first(callee, found)
        found[library] = None


@contextmanager
def _indices_not_negative() -> Iterator[None]:
    """Compiles array[i] without the test whether i counts from the end: no index in compiled code may be negative."""
    from numba.np import arrayobj  # only those who compile wait for it

    usual = arrayobj.fix_integer_index

    def as_it_is(context: Any, builder: Any, type_: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, type_, types.intp)

    arrayobj.fix_integer_index = as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


class _Lower(Lower):
    """Code generation with plain indices."""

    def lower(self) -> None:
        with _indices_not_negative():
            super().lower()


class _ApartLower(_Lower):
    """Code generation that forbids LLVM to inline the function."""

    def post_lower(self) -> None:
        super().post_lower()
        self.builder.function.attributes.add("noinline")


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "lowering_plain"

    @property
    def lowering_class(self) -> Any:
        return _Lower


class _CheckedLower(Lower):
    """Code generation in which an index that is out of bounds, a negative one too, is an error that tells its line."""

    def lower(self) -> None:
        from numba.core import cgutils

        usual = cgutils.do_boundscheck

        def telling(context: Any, builder: Any, index: Any, size: Any, axis: Any = None) -> None:
            message = f"{self.loc.filename}:{self.loc.line}"
            outside = builder.icmp_unsigned(">=", index, size)
            with builder.if_then(outside, likely=False):
                context.call_conv.return_user_exc(builder, IndexError, (message,))

        cgutils.do_boundscheck = telling
        try:
            with _indices_not_negative():
                super().lower()
        finally:
            cgutils.do_boundscheck = usual


@register_pass(mutates_CFG=True, analysis_only=False)
class _CheckedLowering(NativeLowering):
    _name = "lowering_checked"

    @property
    def lowering_class(self) -> Any:
        return _CheckedLower


@register_pass(mutates_CFG=True, analysis_only=False)
class _ApartLowering(NativeLowering):
    _name = "lowering_apart"

    @property
    def lowering_class(self) -> Any:
        return _ApartLower


def _written_once() -> None:
    """Keeps the text of a record: numba writes it at every step of compiling, whether anybody reads it or not."""
    usual = types.Record.__repr__

    def kept(self: Any) -> str:
        if not hasattr(self, "_text"):
            self._text = usual(self)
        return str(self._text)

    types.Record.__repr__ = kept


def _resolved_once() -> None:
    """Keeps what a builtin (an operator, ``len``) gives for some types: numba searches anew at every use."""
    usual = types.functions.BaseFunction.get_call_type

    def kept(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return usual(self, context, args, kws)
        known = self.__dict__.setdefault("_known", {})
        if args not in known:
            known[args] = usual(self, context, args, kws)
        return known[args]

    types.functions.BaseFunction.get_call_type = kept


_written_once()
_resolved_once()


def _no_executable(library: Any, descriptor: Any, environment: Any) -> Any:
    """What stands for a part in numba's tables: a builtin of its own that has no machine code and is never called."""
    name = descriptor.qualname.split(".")[-1]
    return _dynfunc.make_function(descriptor.lookup_module(), name, "part", 0, environment, (library,))


_NOT_IN_CORE = frozenset({
    WithLifting, InlineClosureLikes, MakeFunctionToJitFunction, InlineInlinables, InlineOverloads, RewriteDynamicRaises,
    RewriteSemanticConstants, FindLiterallyCalls, LiteralUnroll, LiteralPropagationSubPipelinePass, NopythonRewrites,
})  # fmt: skip
"""Steps for what the code of a game does without: closures, comprehensions, exceptions, sums of whole arrays."""


class _Compiler(CompilerBase):
    """numba's own pipeline, with a library of ours and perhaps another last step."""

    library: type[JITCodeLibrary] = _PartLibrary
    lowering: type[NativeLowering] = _Lowering
    left_out: frozenset[type] = frozenset()

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        if self.library is _PartLibrary:
            state.targetctx.get_executable = _no_executable
        pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
        pipeline.passes[:] = [
            (self.lowering if step is NativeLowering else step, text)
            for step, text in pipeline.passes
            if step not in self.left_out
        ]
        pipeline.finalize()
        pipeline._ENFORCING = False  # or numba analyses the function anew after each step, to test its own steps
        return [pipeline]


class _CoreCompiler(_Compiler):
    left_out = _NOT_IN_CORE


class _SharedCompiler(_CoreCompiler):
    lowering = _ApartLowering


class _EntryCompiler(_Compiler):
    library = _WholeLibrary


class _CheckedCompiler(_Compiler):
    lowering = _CheckedLowering


def _part(compiler: type[CompilerBase], inlined: bool, **more: Any) -> Any:
    """The decorator of a part. numba hands options down to callees: "not inlined" has to be said as well."""
    return njit(
        forceinline=inlined,
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=compiler,
        **more,
    )


leaf = _part(_CoreCompiler, True)
shared = _part(_SharedCompiler, False)
part = _part(_Compiler, False)
"""Neither, and all of Python that numba knows: for code of the user's."""
checked_part = _part(_CheckedCompiler, False, boundscheck=True)
"""In place of both where no index is trusted: one that is out of bounds raises IndexError with its file and line."""


def entry(stored: bool) -> Callable[[Any], Any]:
    """The decorator of functions called from Python. ``stored``: the machine code is kept on disk by the source."""
    if config.DISABLE_JIT:
        return plain_entry
    compiled = njit(
        forceinline=False,
        nogil=True,
        error_model="numpy",
        no_cfunc_wrapper=True,
        pipeline_class=_EntryCompiler,
    )

    def stored_entry(function: Any) -> Any:
        dispatcher = compiled(function)
        # In place of cache=True, which would keep the code in files that damage goes unnoticed in.
        dispatcher._cache = CodeCache(function)
        return dispatcher

    return stored_entry if stored else compiled


def outside(function: Callable[..., Any], stored: bool) -> int:
    """The address of the compiled function, which gets the addresses of four records and returns an int64.

    For code that is compiled apart from what calls it (``pointers.call_at``). It stays there until the program ends.
    Raises numba's NumbaError for what cannot be compiled.
    """
    if config.DISABLE_JIT:
        PLAIN_FUNCTIONS.append(function)
        return len(PLAIN_FUNCTIONS) - 1
    options = {"nogil": True, "error_model": "numpy", "forceinline": False}
    compiled = CFunc(function, ([types.voidptr] * 4, types.int64), {}, options, _EntryCompiler)
    if stored:
        compiled._cache = CodeCache(function)
    compiled.compile()
    _kept.append(compiled)
    return int(compiled.address)


_kept: list[CFunc] = []
