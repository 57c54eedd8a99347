"""Every error that Ludus raises on purpose, as one tree; it knows whose fault each is, not how it is shown.

LudusError                      one clear sentence with the place and the remedy
├── BadInput                    the user's file, text or setting is at fault
│   ├── BadNotation             a move or position that cannot be read
│   ├── IllegalMove             a move that can be read but may not be played here
│   ├── BadGame                 a game file that breaks the interface or its laws
│   ├── BadPreset               a preset that cannot be loaded
│   ├── BadModel                a model that is missing, broken, or made for something else
│   └── BadMessage              a message that breaks a protocol
├── BadRecord                   a stored file whose bytes are not what was written
└── Unavailable                 the machine refuses: port in use, no permission, disk full
"""

import sys


class LudusError(Exception):
    """The root: `str(error)` is one sentence for a person."""


class BadInput(LudusError):
    """The user's input is at fault; nothing was changed."""


class BadNotation(BadInput):
    """Text that names no move or position of this game."""


class IllegalMove(BadInput):
    """A move that is understood, but may not be played in this position."""


class BadGame(BadInput):
    """A game whose definition breaks the interface or one of its laws."""


class BadPreset(BadInput):
    """A preset file that cannot be read or holds a wrong setting."""


class BadModel(BadInput):
    """A model that is missing, damaged, or belongs to another game or network."""


class BadMessage(BadInput):
    """A message from another program that cannot be read, or that may not be said now."""


class BadRecord(LudusError):
    """A stored file whose checksum or layout is wrong."""


class Unavailable(LudusError):
    """Something outside Ludus refuses: a port, a directory, a disk."""


def with_extra(extra: str) -> str:
    """Return how an optional part is installed for this very Python; on PyPI, another program has Ludus's name."""
    return f"`{sys.executable} -m pip install 'ludus[{extra}]'`"


def lacks_memory(error: Exception) -> bool:
    """Return whether memory, or a GPU's, was too small; torch, which is not imported to ask, has other words for it."""
    kind, what = type(error).__name__, str(error)
    return isinstance(error, MemoryError) or kind == "OutOfMemoryError" or "DefaultCPUAllocator" in what


def cannot_compile(error: Exception) -> bool:
    """Return whether torch was to compile a network and could not, as without a compiler for C++."""
    return any(kind.__name__ == "TorchDynamoException" for kind in type(error).__mro__)
