"""Interrupts: repeats those that Python drops, and exits safely from commands that were interrupted."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import typer

from ludus.cli.terminal.screen import console, say
from ludus.system import signal_main

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

ENDED = frozenset({128 + signal.SIGINT, 128 + signal.SIGTERM})
"""Exit statuses of interrupted commands, by the convention of shells."""

AGAIN_S = 0.05
"""Delay before a dropped interrupt is repeated, when the callback that dropped it should have returned."""


def keep_interrupts() -> None:
    """Repeat each dropped `KeyboardInterrupt` until the running command receives it.

    In callbacks from C (llvmlite calls Python during compilation) and in finalizers, an exception has no caller:
    Python passes it to `sys.unraisablehook` and continues without interrupting the command.
    """
    report = sys.unraisablehook

    def repeat(dropped: "UnraisableHookArgs", /) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            report(dropped)
        elif not sys.is_finalizing():
            again = threading.Timer(AGAIN_S, signal_main, (signal.SIGINT,))  # also wakes a sleeping thread
            again.daemon = True
            again.start()

    sys.unraisablehook = repeat


@contextmanager
def interruptible(words: Callable[[], str]) -> Generator[None]:
    """Exit with a message instead of a traceback on Ctrl-C or SIGTERM; for commands that can be continued."""
    heard = [signal.SIGINT]

    def end(number: int, _frame: FrameType | None) -> None:
        heard.append(signal.Signals(number))
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        say(words(), on=console)
        raise typer.Exit(128 + heard[-1]) from None


def leave(status: int) -> NoReturn:
    """End the process at once, after flushing its output.

    Threads of an interrupted command may still be compiling or using the evaluator.  A normal exit of Python would
    unload the libraries that they use, and abort.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)
