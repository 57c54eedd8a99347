"""WebAssembly: compiles entries to one module that a browser runs, from the same LLVM code as machine code.

Numba writes the code of a plain processor, not optimised: in it, sizes of pointers are still LLVM's to decide.  Here
that code gets the layout of WebAssembly's memory, loses all that belongs to Python, is optimised for WebAssembly by
LLVM, and linked with `support.c` by the linker of the package `ziglang`.  No floating-point operation is reordered,
so a module computes the same bits as machine code.

Numba can do this only in a process of its own, whose environment has `PLAIN`, since it reads its options once.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import msgspec
import numba
import numpy as np
from llvmlite import binding as llvm
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from ludus.errors import BadGame, Unavailable, with_extra
from ludus.kernel.compiler import SOURCES, Entry, cache_directory, complaint
from ludus.kernel.conversions import Compiler
from ludus.kernel.fingerprint import fingerprint
from ludus.kernel.reference import _settings  # pyright: ignore[reportPrivateUsage]

TESTED = {"numba": "0.68", "llvmlite": "0.50"}
"""The versions, without their last number, whose code this file is tested with: others may write it differently."""
PLAIN = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0", "NUMBA_DISABLE_JIT": "0"}
"""The environment of the process that compiles."""
MOST_BYTES = 1 << 30
"""Most memory that an instance of a module takes."""
STACK = 1 << 20
_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "simd128", "bulk-memory", "nontrapping-fptoint", "sign-ext", "mutable-globals"
_SUPPORT = Path(__file__).with_name("support.c")
_SOURCES = fingerprint(SOURCES, Path(__file__).read_bytes(), _SUPPORT.read_bytes())
# Reference counts of one thread, which fold to nothing for the arrays of a reference.
_COUNTS = """
declare void @NRT_MemInfo_call_dtor(ptr)
define linkonce_odr void @NRT_incref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = add i64 %old, 1
  store i64 %new, ptr %info
  br label %done
done:
  ret void
}
define linkonce_odr void @NRT_decref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = sub i64 %old, 1
  store i64 %new, ptr %info
  %last = icmp eq i64 %new, 0
  br i1 %last, label %end, label %done
end:
  call void @NRT_MemInfo_call_dtor(ptr %info)
  br label %done
done:
  ret void
}
"""
_UNDEFINED = re.compile(r"undefined symbol: (\S+)")
_REWRITES = (
    (re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"'), ""),
    (
        re.compile(r"^define [^\n]*@(NRT_incref|NRT_decref)\([^\n]*\{\n.*?^\}\n", re.M | re.S),
        r"declare void @\1(ptr)\n",
    ),
    # What makes the arguments of an error into Python's objects.
    (
        re.compile(r"^(define [^\n]*@__excinfo_unwrap_args\w+\([^\n]*\{\n).*?^\}\n", re.M | re.S),
        r"\1  ret ptr null\n}\n",
    ),
    (re.compile(r"^.*call void @llvm\.prefetch.*\n", re.M), ""),
)


class Export(NamedTuple):
    """An entry that a module exports."""

    name: str
    """Its name in the module."""
    entry: Callable[..., Any]
    arguments: tuple[Any, ...]
    """Arguments of the types with which it is compiled."""

    @property
    def signature(self) -> tuple[Any, ...]:
        """Return the types of the arguments."""
        return tuple(numba.typeof(argument) for argument in self.arguments)


def module_key(exports: Sequence[Export]) -> str:
    """Return the fingerprint of a module: of all code in it, and of what turns it into WebAssembly."""
    code = [(each.name, _plain(each.entry), [str(kind) for kind in each.signature]) for each in exports]
    return fingerprint(code, [_rules_of(each) for each in exports], numba.__version__, llvmlite.__version__, _SOURCES)


def compile_module(exports: Sequence[Export]) -> bytes:
    """Compile entries to a module, in a process whose environment has `PLAIN`.

    A function of the module takes addresses of its result and of an error, then its arguments: a reference is an
    address; an array has seven numbers of 64 bits, or nine with two axes, of which two pairs are addresses.  It returns
    0, or the code of an error.

    Raises:
        BadGame: the rules do not compile.
        Unavailable: there is no linker.
    """
    assert os.environ.items() >= PLAIN.items(), "Numba has read other options"
    check_tools()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return _linked(_assembled([_code(each) for each in exports], [each.name for each in exports]), exports)


def _assembled(code: Sequence[str], names: Sequence[str]) -> bytes:
    """Return an object file of modules of LLVM's code that exports these functions."""
    features = ",".join(f"+{each}" for each in _FEATURES)
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(opt=3, features=features)
    module = llvm.parse_assembly(code[0])
    for text in code[1:]:
        module.link_in(llvm.parse_assembly(text))
    module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    _keep_only(module, names)
    counted = passes.getModulePassManager()
    counted.add_refprune_pass()
    counted.run(module, passes)
    module.link_in(llvm.parse_assembly(_COUNTS))
    _keep_only(module, names)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


def fields_of(parts: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a named tuple or a struct
    """Yield name and value of each field of a reference, in the order of its words.

    An array has one word for its address and one for the length of each axis; a number has one word.
    """
    return _settings(parts) if isinstance(parts, msgspec.Struct) else iter(parts._asdict().items())


def word_of(number: float) -> int:
    """Return the word of a number in a reference, an int or a float, as a signed integer."""
    return int(np.array(number, np.float64 if isinstance(number, float) else np.int64).view(np.int64))


def check_tools() -> None:
    """Raise Unavailable if the linker is missing, or the compiler has a version that is not tested."""
    linker()
    for name, found in (("numba", numba.__version__), ("llvmlite", llvmlite.__version__)):
        if found.rpartition(".")[0] != TESTED[name]:
            raise Unavailable(
                f"Rules for browsers need {name} {TESTED[name]}, and this is {found}: run "
                f"`{sys.executable} -m pip install 'numba=={TESTED['numba']}.*'`."
            )


def linker() -> list[str]:
    """Return the command of the compiler and linker; raise Unavailable if it is not installed."""
    if importlib.util.find_spec("ziglang") is None:
        raise Unavailable(f"Rules for browsers need an extra, which has the linker: {with_extra('web')}.")
    return [sys.executable, "-P", "-m", "ziglang"]


def _plain(entry: Callable[..., Any]) -> Callable[..., Any]:
    assert isinstance(entry, Entry), f"{entry} is not a compiled entry"
    return entry.dispatcher.py_func


def _rules_of(export: Export) -> str:
    return getattr(export.arguments[0], "key", "")


def _code(export: Export) -> str:
    """Return LLVM's code of an entry and all that it calls, for WebAssembly's memory and without optimisation."""
    compiler: Any = Compiler  # not a class of Numba's own
    flags = Flags()
    flags.nrt = flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.error_model = "numpy"
    target = cpu_target.target_context
    target.get_executable = lambda *_arguments: [].append  # some built-in function, since nothing of it runs here
    try:
        found: Any = compile_extra(
            cpu_target.typing_context, target, _plain(export.entry), export.signature, None, flags, {}, None, compiler
        )
    except Exception as error:
        raise BadGame(f"the rules do not compile: {complaint(error)}; `ludus check` names the rule.") from error
    with global_compiler_lock:
        found.library.link(llvm.Linkage.linkonce_odr)  # other entries may have the same callees
    text = found.library.get_llvm_str()
    for pattern, ours in _REWRITES:
        text = pattern.sub(ours, text)
    return text.replace(found.fndesc.llvm_func_name, export.name)


def _keep_only(module: Any, names: Sequence[str]) -> None:  # noqa: ANN401 - LLVM's objects are untyped
    """Let a module export these functions and nothing else."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in names else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def _linked(code: bytes, exports: Sequence[Export]) -> bytes:
    """Link the code with what it needs; raises BadGame if the rules need what browsers lack."""
    with tempfile.TemporaryDirectory() as folder:
        rules, out = Path(folder, "rules.o"), Path(folder, "module.wasm")
        rules.write_bytes(code)
        cpu = "+".join(("generic", *(each.replace("-", "_") for each in _FEATURES)))
        target = ["-target", "wasm32-wasi", "-mexec-model=reactor", f"-mcpu={cpu}", "-O2"]
        options = ["--no-entry", "--strip-all", f"--max-memory={MOST_BYTES}"]
        options += ["-z", f"stack-size={STACK}", *(f"--export={each.name}" for each in exports)]
        command = [*linker(), "cc", *target, str(_SUPPORT), str(rules), "-o", str(out)]
        done = subprocess.run(
            [*command, f"-Wl,{','.join(options)}"],
            env=os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(cache_directory() / "zig")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if missing := sorted(set(_UNDEFINED.findall(done.stderr))):
            raise BadGame(f"the rules call {', '.join(missing)}, which browsers lack; compute it in other ways.")
        if done.returncode:
            raise Unavailable(f"The rules cannot be linked for browsers: {' '.join(done.stderr.split())}")
        return out.read_bytes()
