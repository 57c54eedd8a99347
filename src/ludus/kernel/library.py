"""Code of the compiler that becomes machine code once for each entry, instead of once for each function.

Numba optimises each function and turns it into machine code as soon as it is lowered, and again with all that it calls
in each of its callers.  But only the machine code of entries is ever called.  So here a function stays LLVM's code
until its address is asked for; then it is linked with all that it calls, optimised, and turned into machine code.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false, reportIncompatibleMethodOverride=false

from collections.abc import Iterator
from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

# ruff: noqa: ANN401 - the compiler's objects are untyped

_OBJECTS = "_ZN08NumbaEnv"  # how Numba names the variables that refer to a function's Python objects


class Library(JITCodeLibrary):
    """A function, and later its callees.

    Attributes:
        is_unit: whether the function and its callees are optimised together before callers are linked with them, as the
            rules of a game: they may allocate arrays, whose reference counts hide what could be optimised.
    """

    is_unit = False

    def add_linking_library(self, library: Any) -> None:
        """Remember that this library calls functions of another."""
        self._linking_libraries.append(library)

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, or 0 if this library does not define it."""
        return super().get_pointer_to_function(name) if self._finalized or self._defines(name) else 0

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        self._raise_if_finalized()
        self.link(llvm.Linkage.internal)  # so LLVM inlines each function that is called at one place
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_OBJECTS) and (objects := lookup_environment(variable.name)):
                self._codegen.set_env(variable.name, objects)

    def link(self, linkage: llvm.Linkage) -> None:
        """Add the code of all callees, with this linkage: they need not remain as functions of their own."""
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        called = [*self._called(set())]
        for each in sorted(called, key=lambda each: each._finalized):  # LLVM omits what nothing refers to yet
            self._reload_init.update(each._reload_init)
            code = each._get_module_for_linking() if each._finalized else each._part()
            self._final_module.link_in(code, preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = linkage
        self._linking_libraries = []

    def _called(self, seen: set[Any]) -> Iterator[Any]:
        """Yield all libraries that this one calls, directly or through others."""
        for each in self._linking_libraries:
            if each not in seen:
                seen.add(each)
                yield each
                if not each._finalized:
                    each._part()
                    yield from each._called(seen)

    def _part(self) -> Any:
        """Return the code that callers are linked with, whose functions other parts may define, too."""
        if self.is_unit and self._linking_libraries:
            self.link(llvm.Linkage.linkonce_odr)  # other rules may have the same callees
            self._optimize_final_module()
            self._optimize_final_module()  # reference counts went at the end of the first time
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = llvm.Linkage.weak_odr
        return self._final_module

    def _defines(self, name: str) -> bool:
        try:
            return not self._final_module.get_function(name).is_declaration
        except NameError:
            return False


def _tell(codegen: Any, name: str, objects: Any) -> None:
    """Tell machine code where its Python objects are; there may be no machine code yet."""
    if codegen._engine.is_symbol_defined(name):
        JITCPUCodegen.set_env(codegen, name, objects)


_Codegen = type("_Codegen", (JITCPUCodegen,), {"_library_class": Library, "set_env": _tell})


def install() -> None:
    """Let Numba keep code in these libraries from now on."""
    cpu_target.target_context.codegen().__class__ = _Codegen
