"""The meaning of `int(x)` and `float(x)` in compiled code: a signed 64-bit integer and a 64-bit float.

Numba's own `int(x)` keeps the type of an integer, so that `int(a) - int(b)` of two unsigned numbers wraps, and its
`float(x)` keeps 32-bit floats.  Here both compute as plain Python does, for all integers from -2**63 to 2**63 - 1.  A
uint64 of 2**63 or more becomes negative, with the same 64 bits.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false, reportIncompatibleMethodOverride=false

from typing import Any

import numpy as np
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import find_const, get_definition, guard
from numba.core.untyped_passes import InlineClosureLikes


@register_pass(mutates_CFG=False, analysis_only=False)
class _Conversions(FunctionPass):
    """Replaces `int(x)` and `float(x)` by conversions to NumPy's 64-bit types."""

    _name = "ludus_conversions"

    def __init__(self) -> None:  # abstract in Numba's class
        super().__init__()

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401 - the compiler's objects are untyped
        """Change the code of one function; return whether it changed."""
        code, changed = state.func_ir, False
        for block in code.blocks.values():
            for call in block.find_exprs("call"):
                called: Any = guard(get_definition, code, call.func)
                wide = _wide_type(getattr(called, "value", None))
                if wide and len(call.args) == 1 and not isinstance(guard(find_const, code, call.args[0]), str):
                    called.value, changed = wide, True
        return changed


def _wide_type(called: object) -> type | None:
    return np.int64 if called is int else np.float64 if called is float else None


class _Compiler(CompilerBase):
    """Numba's compiler with these conversions."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_Conversions, InlineClosureLikes)
        passes.finalize()
        return [passes]


class Compiler(_Compiler):
    """The compiler of entries and kernels, whose indices count from the start."""

    def __init__(self, *arguments: Any) -> None:  # noqa: ANN401 - the compiler's objects are untyped
        """Prepare to compile one function."""
        super().__init__(*arguments)
        self.state.targetctx.counts_from_start = True  # see indices.py


class UnitCompiler(_Compiler):
    """The compiler of a rule, which is optimised with all that it calls before others call it."""

    def compile_extra(self, func: Any) -> Any:  # noqa: ANN401
        """Compile a function."""
        library = self.state.targetctx.codegen().create_library(func.__qualname__)
        library.enable_object_caching()
        library.is_unit = True
        self.state.library = library
        return super().compile_extra(func)
