"""The compiler's door: `@entry` and `@kernel` turn plain Python into machine code, cached soundly on disk.

An *entry* is called from Python, frees the GIL and is cached on disk; a *kernel* is compiled where compiled code calls
it, and runs as plain Python where Python calls it.  With NUMBA_DISABLE_JIT=1 both run as the plain functions that they
decorate.  The disk cache of an entry is valid for one fingerprint of everything that the entry reaches, and one text of
this package.  Processes that need the same machine code wait for the one that makes it; what is made at the same time
is for different rules.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false, reportIncompatibleMethodOverride=false

import os
import re
import threading
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from filelock import FileLock
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator  # pyright: ignore
from numba.core.errors import NumbaTypeSafetyWarning
from numba.extending import overload
from platformdirs import user_cache_path

from ludus.errors import BadGame, LudusError, Unavailable
from ludus.kernel.fingerprint import fingerprint

P = ParamSpec("P")
R = TypeVar("R")

warnings.simplefilter("ignore", NumbaTypeSafetyWarning)  # it names a line of ours; an error names the author's

COMPILED = not config.DISABLE_JIT  # False: every kernel runs as plain Python
_SOURCES = fingerprint(*(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py"))))
"""Of this package, on which all machine code depends in ways that no fingerprint sees: intrinsics, and options."""
ANNOUNCE_AFTER_S = 0.8  # compiling that takes less is not worth a line

kernels: set[Callable[..., Any]] = set()
_announce: Callable[[str], Any] = nullcontext  # until `announce_with` names a listener


def announce_with(context: Callable[[str], Any]) -> None:
    """Let `context(subject)`, a context manager, be open while `subject` is compiled (the terminal shows a spinner)."""
    global _announce
    _announce = context


def cache_directory() -> Path:
    """Return where compiled code is kept (`LUDUS_CACHE`, else the user's cache directory)."""
    return Path(os.environ.get("LUDUS_CACHE") or user_cache_path("ludus")) / "compiled"


def _lock(name: str) -> FileLock:
    """Return a lock for all processes with this cache."""
    directory = cache_directory() / "locks"
    with _writing():
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()
    return FileLock(directory / name)


@contextmanager
def _writing() -> Generator[None]:
    """Tell whoever cannot write into the cache directory what to do."""
    try:
        yield
    except OSError as error:
        remedy = "set LUDUS_CACHE to a directory that can be written"
        raise Unavailable(
            f"{cache_directory()}: compiled rules cannot be kept here ({error.strerror}); {remedy}."
        ) from error


class _Locator(_CacheLocator):
    """Where an entry's machine code lies, and the stamp under which it is valid.

    The stamp is part of the files' names: Numba numbers the files of each stamp from 1, and writes its index before
    them, so under one name an interrupt between the two would leave a new index that leads to old machine code.
    """

    def __init__(self, function: Callable[..., Any], _file: str) -> None:
        self._module, self._directory = function.__module__, cache_directory()
        self._stamp = fingerprint(function, config.BOUNDSCHECK, config.OPT, numba.__version__, _SOURCES)

    def get_cache_path(self) -> str:
        return str(self._directory)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return fingerprint(self._module, self._stamp)

    def ensure_cache_path(self) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator":
        return cls(function, file)


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - Numba's own declaration


class _Cache(FunctionCache):
    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self.missed = threading.Event()
        """Set where machine code was not found, so that what takes time is compiling rather than a busy disk."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401
        """Return machine code, or None; files that were cut off, as by a power failure, are forgotten."""
        with _lock("index"):
            try:
                found = super().load_overload(sig, target_context)
            except Exception:  # noqa: BLE001 - what is wrong with a damaged pickle may be anything
                found = None
                with _writing():
                    self.flush()
        if found is None:
            self.missed.set()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401
        """Store machine code; two processes that do so at once would mix up each other's entries in Numba's index."""
        with _lock("index"), _writing():
            super().save_overload(sig, data)


class Entry:
    """A compiled function that Python calls; its first argument may be the rules that it is compiled for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Prepare `function`; nothing is compiled before the first call."""
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.dispatcher: Any = numba.njit(nogil=True, error_model="numpy")(function)
        self._function = function
        self._cache: _Cache | None = None
        self._ready: set[object] = set()
        self._lock = threading.Lock()

    def __call__(self, *args: Any) -> Any:  # noqa: ANN401 - as the function it wraps
        """Call the machine code, compiling or loading it first if these rules are new to this process."""
        key = getattr(args[0], "key", None)
        if key not in self._ready:
            self.prepare(*args)
        return self.dispatcher(*args)

    def prepare(self, *args: Any) -> None:  # noqa: ANN401
        """Compile or load the machine code for arguments such as these."""
        key = getattr(args[0], "key", None)
        task = self.__name__.strip("_").replace("_", " ")
        subject = f"{task} for {args[0].name}" if key else task
        with self._lock, _lock(f"{self.__name__}-{key or 'plain'}"):
            if self._cache is None:  # not before all that it reaches is defined: the fingerprint is taken here
                self._cache = self.dispatcher._cache = _Cache(self._function)  # njit(cache=True) with our locator
            self._cache.missed, done = threading.Event(), threading.Event()
            watcher = threading.Thread(target=_watch, args=(subject, self._cache.missed, done), daemon=True)
            watcher.start()
            try:
                self.dispatcher.compile(tuple(self.dispatcher.typeof_pyval(argument) for argument in args))
            except Exception as error:
                if not key or isinstance(error, LudusError):
                    raise
                remedy = "`ludus check` names the rule"
                raise BadGame(f"{args[0].name}: the rules do not compile: {complaint(error)}; {remedy}.") from error
            finally:
                done.set()
                self._cache.missed.set()
                watcher.join()
        self._ready.add(key)


def _watch(subject: str, missed: threading.Event, done: threading.Event) -> None:
    missed.wait()
    if not done.wait(ANNOUNCE_AFTER_S):
        with _announce(subject):
            done.wait()


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as an entry: callable from Python, without the GIL, cached on disk."""
    if COMPILED:
        return cast(Callable[P, R], Entry(function))
    return np.errstate(over="ignore")(function)  # hashes wrap around, of which machine code says nothing either


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Let entries, kernels and rules call `function` as machine code; to Python it stays the plain function."""
    return kernel_made_of(function)(function)


def kernel_made_of(native: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate as `kernel` a plain function whose machine code is made of `native`, which computes the same."""

    def register(plain: Callable[P, R]) -> Callable[P, R]:
        kernels.add(plain)
        if COMPILED:
            options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # half the compile time
            options["error_model"] = "numpy"  # a test for zero before each division would cost more than the division
            overload(plain, jit_options=options, strict=False)(lambda *_a, **_k: native)
        return plain

    return register


def prepare(function: Callable[P, Any], *args: P.args, **_none: P.kwargs) -> None:
    """Compile or load an entry for arguments such as these, without calling it; raise BadGame if the rules do not."""
    if isinstance(function, Entry):
        function.prepare(*args)


def bind(function: Callable[P, R], *args: P.args, **_none: P.kwargs) -> Callable[P, R]:
    """Return the machine code of an entry for arguments of exactly these types: a call costs 1 us instead of 4 to 14.

    It skips the search for the code that fits the arguments: arrays of another type or layout would be misread.
    """
    if not isinstance(function, Entry):
        return function
    function.prepare(*args)
    dispatcher = function.dispatcher
    signature = tuple(dispatcher.typeof_pyval(argument) for argument in args)
    return cast(Callable[P, R], dispatcher.overloads[signature].entry_point)


_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_RAISED = re.compile(r"\. Raised from (.+) \((\d+)\)$")  # how some messages name the line
_WORDING = (
    (re.compile(r"Function\(<(?:built-in )?(?:function|intrinsic) (\w+)[^>]*>\)"), r"\1()"),
    (re.compile(r"found for signature: >>> "), "for "),
    (re.compile(r"Literal\[\w+\]\((\w+)\)"), r"\1"),
    (re.compile(r"<\S*OverloadSelector object at \w+>, \((.*),\)"), r"\1 is no constant"),
)
"""What is said of the compiler's own objects, and how an author would say it."""
_STEP = "Failed in nopython mode pipeline (step"
_AFTERWARDS = re.compile(r"\n\s*(?:During:|There are|Return of:|File )")
_OURS = Path(__file__).parents[1]  # the package's own files
_LONGEST = 240  # characters quoted


def complaint(error: BaseException, function: str = "") -> str:
    """Return what names the fault in a compiler's message, and the user's file and line it lies in.

    A message nests as the calls do, innermost first: the fault is what is said before the first line of a user's file.
    If it mentions none, the place is `function`, where the function being compiled begins.
    """
    message = str(error).removesuffix(". Raised from None").rstrip(".")
    raised = _RAISED.search(message)
    line = raised or next((found for found in _PLACE.finditer(message) if _is_users(found[1])), None)
    said = message[: line.start()] if line else message
    said = said.rpartition(_STEP)[2].partition(")\n")[2] or said
    fault = " ".join(_AFTERWARDS.split(said)[0].split()).rstrip(".")
    for theirs, ours in _WORDING:
        fault = theirs.sub(ours, fault)
    fault = fault[:_LONGEST]
    place = f"{Path(line[1]).name}, line {line[2]}" if line else function
    return f"{fault} ({place})" if place else fault


def _is_users(file: str) -> bool:
    path = Path(file).resolve()
    return "site-packages" not in path.parts and not (path.is_relative_to(_OURS) and path.parent.name == "kernel")
