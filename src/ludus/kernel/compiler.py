"""Compilation: `@entry` and `@kernel` turn plain Python functions into machine code, with a safe disk cache.

An *entry* is called from Python, releases the GIL and is cached on disk.  A *kernel* is compiled into the compiled code
that calls it, and runs as plain Python when Python calls it.  With NUMBA_DISABLE_JIT=1 both run as plain functions.
The cached machine code of an entry is valid for one fingerprint of all code that the entry calls and for one version of
this package.  Files of the cache are replaced whole, so only writing takes a lock: a complete cache may be on a
read-only disk.  Each file begins with a checksum of the rest; a file that does not match it, as after a disk fault, is
compiled again.  A lock for each entry and game makes processes wait for machine code that another one is compiling.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false, reportIncompatibleMethodOverride=false

import contextlib
import gc
import hashlib
import logging
import os
import pickle
import re
import textwrap
import threading
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from filelock import FileLock
from numba.core import config, errors
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator  # pyright: ignore
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaTypeSafetyWarning
from numba.extending import overload
from platformdirs import user_cache_path

from ludus.errors import BadGame, LudusError, Unavailable
from ludus.kernel import indices, library
from ludus.kernel.clock import pauses
from ludus.kernel.conversions import Compiler
from ludus.kernel.fingerprint import fingerprint

P = ParamSpec("P")
R = TypeVar("R")

warnings.simplefilter("ignore", NumbaTypeSafetyWarning)  # it names lines of this package

_log = logging.getLogger(__name__)

COMPILED = not config.DISABLE_JIT  # False: every kernel runs as plain Python
SOURCES = fingerprint(*(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py"))))
"""Fingerprint of this package: machine code also depends on its intrinsics and options, which others do not cover."""
_DIGEST_BYTES = 16
ANNOUNCE_AFTER_S = 0.8  # shorter compilations are not announced

if COMPILED:
    library.install()
    indices.install()
    errors.termcolor()._markup = lambda text, *_style, **_: text  # no colours, even if the package colorama is there

kernels: set[Callable[..., Any]] = set()
_announce: Callable[[str], Any] = nullcontext  # replaced by `announce_with`


def announce_with(context: Callable[[str], Any]) -> None:
    """Set the context manager `context(subject)` to enter while `subject` is compiled (e.g. to show a spinner)."""
    global _announce
    _announce = context


def cache_directory() -> Path:
    """Return the directory for compiled code: `LUDUS_CACHE`, else the user's cache directory."""
    return Path(os.environ.get("LUDUS_CACHE") or user_cache_path("ludus")) / "compiled"


def _lock(name: str) -> FileLock:
    """Return a lock shared by all processes that use this cache; raise Unavailable if it cannot be written."""
    directory = cache_directory() / "locks"
    with _writing():
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()
    return FileLock(directory / name)


@contextmanager
def _writing() -> Generator[None]:
    """Raise Unavailable with a remedy if the cache directory is not writable."""
    try:
        yield
    except OSError as error:
        remedy = "set LUDUS_CACHE to a directory that can be written"
        raise Unavailable(
            f"{cache_directory()}: compiled rules cannot be kept here ({error.strerror}); {remedy}."
        ) from error


class _Locator(_CacheLocator):
    """The location of an entry's machine code in the cache, and the stamp for which it is valid.

    The stamp is part of the file names.  Numba numbers the files of each stamp from 1 and writes its index first, so
    with one name for all stamps, an interrupt after the index would leave a new index that leads to old machine code.
    """

    def __init__(self, function: Callable[..., Any], _file: str) -> None:
        self._module, self._directory = function.__module__, cache_directory()
        self._stamp = fingerprint(function, config.BOUNDSCHECK, config.OPT, numba.__version__, SOURCES)

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


class _SealedFiles(IndexDataCacheFile):
    """Numba's index and data files, with a checksum in front of the data and of the index."""

    def load(self, key: Any) -> Any:  # noqa: ANN401
        """Return the data of a key; None if there is none, or if a file is damaged, which is logged."""
        try:
            stored, data = super().load(key) or (key, None)
        except Exception as error:  # noqa: BLE001 - a damaged pickle can raise anything
            _log.warning("%s: compiled code is damaged and is compiled again (%s).", self._index_path, error)
            return None
        return data if stored == key else None  # another process may have replaced the file

    def save(self, key: Any, data: Any) -> None:  # noqa: ANN401
        """Store the data of a key."""
        super().save(key, (key, data))

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, found = _unsealed(Path(self._index_path))
        except OSError:  # there is none yet
            return {}
        except ValueError as error:
            _log.warning(
                "%s: the index of compiled code is damaged and is written again (%s).", self._index_path, error
            )
            return {}
        return found if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:  # noqa: ANN401
        return _unsealed(Path(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:  # noqa: ANN401
        self._write(self._data_path(name), data)

    def _write(self, path: str, thing: Any) -> None:  # noqa: ANN401
        data = self._dump(thing)
        with self._open_for_write(path) as file:
            file.write(_digest(data) + data)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()


def _unsealed(path: Path) -> Any:  # noqa: ANN401
    """Return what a sealed file holds; raise ValueError if its bytes have changed."""
    whole = path.read_bytes()
    digest, data = whole[:_DIGEST_BYTES], whole[_DIGEST_BYTES:]
    if digest != _digest(data):
        raise ValueError("its checksum is wrong")
    return pickle.loads(data)


class EntryCache(FunctionCache):
    """The machine code of one entry, for each type of its arguments."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        """Open the cache of an entry, all of whose functions must be defined."""
        super().__init__(function)
        self._cache_file: Any = _SealedFiles(
            self._impl.locator.get_cache_path(), self._impl.filename_base, self._impl.locator.get_source_stamp()
        )
        self.missed = threading.Event()
        """Set on a cache miss: the remaining time is then spent on compilation rather than on waiting for the disk."""

    def knows(self, signature: tuple[Any, ...], context: Any) -> bool:  # noqa: ANN401
        """Return whether the index has machine code for these types."""
        with global_compiler_lock:  # Numba registers new functions by generators, which two threads must not share
            context.refresh()
            key = self._index_key(signature, context.codegen())
        return key in self._cache_file._load_index()

    def has_rules(self, key: str, context: Any) -> bool:  # noqa: ANN401
        """Return whether the index has machine code for any arguments that begin with these rules."""
        context.refresh()
        target = context.codegen().magic_tuple()
        known = self._cache_file._load_index()
        return any(found == target and getattr(types[0], "rules_key", None) == key for types, found, _ in known)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401
        """Return cached machine code, or None."""
        found = super().load_overload(sig, target_context)
        if found is None:
            self.missed.set()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401
        """Store machine code; the lock keeps the entries of concurrent processes in the index."""
        with _lock("index"), _writing():
            super().save_overload(sig, data)


class Entry:
    """A compiled function to be called from Python; it is compiled for its first argument, if these are rules."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Prepare `function`; compilation starts with the first call."""
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.dispatcher: Any = numba.njit(nogil=True, error_model="numpy", pipeline_class=Compiler)(function)
        self._function = function
        self._cache: EntryCache | None = None
        self._ready: set[object] = set()
        self._lock = threading.Lock()

    def __call__(self, *args: Any) -> Any:  # noqa: ANN401 - as the function it wraps
        """Call the machine code; compile or load it first if these rules are new to this process."""
        key = getattr(args[0], "key", None)
        if key not in self._ready:
            self.prepare(*args)
        return self.dispatcher(*args)

    def prepare(self, *args: Any) -> None:  # noqa: ANN401
        """Compile or load the machine code for the types of these arguments."""
        key = getattr(args[0], "key", None)
        task = self.__name__.strip("_").replace("_", " ")
        subject = f"{task} for {args[0].name}" if key else task
        with pauses.one(), self._lock, contextlib.ExitStack() as stack:
            cache = self._opened()
            signature = tuple(self.dispatcher.typeof_pyval(argument) for argument in args)
            if not cache.knows(signature, self.dispatcher.targetctx):
                stack.enter_context(_uncollected())
                stack.enter_context(_lock(f"{self.__name__}-{key or 'plain'}"))  # another process may compile it now
            cache.missed, done = threading.Event(), threading.Event()
            watcher = threading.Thread(target=_watch, args=(subject, cache.missed, done), daemon=True)
            watcher.start()
            try:
                self.dispatcher.compile(signature)
            except Exception as error:
                if not key or isinstance(error, LudusError):
                    raise
                remedy = "`ludus check` names the rule"
                raise BadGame(f"{args[0].name}: the rules do not compile: {complaint(error)}; {remedy}.") from error
            finally:
                done.set()
                cache.missed.set()
                watcher.join()
        self._ready.add(key)

    def is_cached(self, key: str) -> bool:
        """Return whether the disk cache has machine code for the rules with this fingerprint and this processor."""
        with self._lock:
            return self._opened().has_rules(key, self.dispatcher.targetctx)

    def _opened(self) -> EntryCache:
        """Return the cache, opened at first use, when all functions that the fingerprint covers are defined."""
        if self._cache is None:
            self._cache = self.dispatcher._cache = EntryCache(self._function)  # njit(cache=True) with our locator
        return self._cache


@contextmanager
def _uncollected() -> Generator[None]:
    """Keep Python from searching for garbage, which takes an eighth of the time of a compilation."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _watch(subject: str, missed: threading.Event, done: threading.Event) -> None:
    missed.wait()
    if not done.wait(ANNOUNCE_AFTER_S):
        with _announce(subject):
            done.wait()


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as an entry: callable from Python, without the GIL, cached on disk."""
    if COMPILED:
        return cast(Callable[P, R], Entry(function))
    return np.errstate(over="ignore")(function)  # hashes overflow, which machine code does not report either


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Allow entries, kernels and rules to call `function` as machine code; for Python it remains the plain function."""
    return kernel_made_of(function)(function)


def kernel_made_of(native: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator like `kernel`; the machine code comes from `native`, which must return the same results."""

    def register(plain: Callable[P, R]) -> Callable[P, R]:
        kernels.add(plain)
        if COMPILED:
            options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # half the compile time
            options["pipeline_class"] = Compiler
            options["error_model"] = "numpy"  # tests for division by zero would cost more than the divisions
            overload(plain, jit_options=options, strict=False)(lambda *_a, **_k: native)
        return plain

    return register


def prepare(function: Callable[P, Any], *args: P.args, **_none: P.kwargs) -> None:
    """Compile or load an entry for these argument types, without calling it; raise BadGame if that fails."""
    if isinstance(function, Entry):
        function.prepare(*args)


def is_cached(function: Callable[..., Any], key: str) -> bool:
    """Return whether an entry needs no compilation for rules with the fingerprint `key`, e.g. at its first call."""
    return not isinstance(function, Entry) or function.is_cached(key)


def bind(function: Callable[P, R], *args: P.args, **_none: P.kwargs) -> Callable[P, R]:
    """Return the machine code of an entry for exactly these argument types: a call costs 1 us instead of 4 to 14.

    It skips the type check of arguments, so arrays of another type or layout would be misread.
    """
    if not isinstance(function, Entry):
        return function
    function.prepare(*args)
    dispatcher = function.dispatcher
    signature = tuple(dispatcher.typeof_pyval(argument) for argument in args)
    return cast(Callable[P, R], dispatcher.overloads[signature].entry_point)


_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_RAISED = re.compile(r"\. Raised from (.+) \((\d+)\)$")  # a line number in the form of some messages
_WORDING = (
    (re.compile(r"Function\(<(?:built-in )?(?:function|intrinsic) (\w+)[^>]*>\)"), r"\1()"),
    (re.compile(r"found for signature: >>> "), "for "),
    (re.compile(r"Literal\[\w+\]\((\w+)\)"), r"\1"),
    (re.compile(r"<\S*OverloadSelector object at \w+>, \((.*),\)"), r"\1 is no constant"),
)
"""Replacements for the compiler's internal names in its messages."""
_STEP = "Failed in nopython mode pipeline (step"
_AFTERWARDS = re.compile(r"\n\s*(?:During:|There are|Return of:|File )")
_OURS = Path(__file__).parents[1]  # the package's own files
_LONGEST = 240  # maximum number of characters to quote


def complaint(error: BaseException, function: str = "") -> str:
    """Return the fault from a compiler's message, with the user's file and line.

    A message contains nested messages, innermost first: the fault comes before the first line in a user's file.  If
    there is no such line, the place is `function`, the start of the function being compiled.
    """
    message = str(error).removesuffix(". Raised from None").rstrip(".")
    raised = _RAISED.search(message)
    line = raised or next((found for found in _PLACE.finditer(message) if _is_users(found[1])), None)
    said = message[: line.start()] if line else message
    said = said.rpartition(_STEP)[2].partition(")\n")[2] or said
    fault = " ".join(_AFTERWARDS.split(said)[0].split()).rstrip(".")
    for theirs, ours in _WORDING:
        fault = theirs.sub(ours, fault)
    fault = textwrap.shorten(fault, _LONGEST, placeholder=" ...")
    place = f"{Path(line[1]).name}, line {line[2]}" if line else function
    return f"{fault} ({place})" if place else fault


def _is_users(file: str) -> bool:
    path = Path(file).resolve()
    return "site-packages" not in path.parts and not (path.is_relative_to(_OURS) and path.parent.name == "kernel")
