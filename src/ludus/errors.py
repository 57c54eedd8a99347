"""The error classes of Ludus, as one tree: the class names the kind of fault, the text the place and the remedy.

LudusError                      any error below; its text names the place and the remedy
├── BadInput                    wrong input from the user: a file, a text or a setting
│   ├── BadNotation             a move or position that cannot be parsed
│   ├── IllegalMove             a move that is illegal in this position
│   ├── BadGame                 a game file that breaks the game interface or its laws
│   ├── BadPreset               a preset file that cannot be loaded
│   ├── BadModel                a model that is missing, damaged, or made for another game
│   └── BadMessage              a message that breaks a protocol
├── BadRecord                   a stored file that is damaged
└── Unavailable                 a resource that cannot be used: a port, a folder, a full disk
"""

import sys
from importlib.util import find_spec


class LudusError(Exception):
    """Base class of all errors that Ludus raises on purpose; `str(error)` is a message for the user."""


class BadInput(LudusError):
    """Wrong input from the user; raised before anything is changed."""


class BadNotation(BadInput):
    """Text that cannot be parsed as a move or position of this game."""


class IllegalMove(BadInput):
    """A move that can be parsed, but is illegal in this position."""


class BadGame(BadInput):
    """A game definition that breaks the game interface or one of its laws."""


class BadPreset(BadInput):
    """A preset file that cannot be read or holds a wrong setting."""


class BadModel(BadInput):
    """A model that is missing, damaged, or belongs to another game or network."""


class BadMessage(BadInput):
    """A message from another program that cannot be parsed, or that the protocol does not allow at this point."""


class BadRecord(LudusError):
    """A stored file whose checksum or layout is wrong."""


class Unavailable(LudusError):
    """A resource outside Ludus that cannot be used: a port in use, a protected folder, a full disk."""


EXTRAS = {"torch": ("PyTorch", "train")}
"""Optional packages that commands import without asking first: the name for people, and the extra that has it."""


def is_installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    return find_spec(package) is not None


def need(package: str) -> None:
    """Raise Unavailable if a package of `EXTRAS` is not installed; the error names the extra."""
    if not is_installed(package):
        raise Unavailable(f"{lacking(package)}.")


def lacking(package: str | None) -> str | None:
    """Return which extra has a missing package, without a full stop; None if it belongs to none in `EXTRAS`."""
    name, extra = EXTRAS.get((package or "").partition(".")[0], ("", ""))
    return f"{name} is not installed, which is needed here; install it with {with_extra(extra)}" if extra else None


def with_extra(extra: str) -> str:
    """Return the command that installs an optional dependency group for the running Python, in backquotes."""
    return f"`{sys.executable} -m pip install 'ludus[{extra}]'`"


def lacks_memory(error: Exception) -> bool:
    """Return whether an error means that memory or GPU memory ran out; compares names, to avoid importing torch."""
    kind, what = type(error).__name__, str(error)
    return isinstance(error, MemoryError) or kind == "OutOfMemoryError" or "DefaultCPUAllocator" in what


def cannot_compile(error: Exception) -> bool:
    """Return whether an error means that torch could not compile a network, e.g. for lack of a C++ compiler."""
    return any(kind.__name__ == "TorchDynamoException" for kind in type(error).__mro__)
