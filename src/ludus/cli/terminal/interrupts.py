"""Interrupts: those that Python drops are repeated, and a command that one ended is left without Python's own end."""

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

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

ENDED = frozenset({128 + signal.SIGINT, 128 + signal.SIGTERM})
"""Exit statuses of commands that an interrupt ended, as shells count them."""

AGAIN_S = 0.05
"""Seconds until a dropped interrupt is repeated, when the callback that dropped it should be over."""


def keep_interrupts() -> None:
    """Repeat each `KeyboardInterrupt` that had nowhere to go, until it reaches what the command does.

    Where C calls Python back (llvmlite does when code is compiled) and in finalisers, an exception has no caller:
    Python hands it to `sys.unraisablehook` and goes on as if nobody had asked it to stop.
    """
    report = sys.unraisablehook
    main = threading.get_ident()

    def repeat(dropped: "UnraisableHookArgs", /) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            report(dropped)
        elif not sys.is_finalizing():
            again = threading.Timer(AGAIN_S, signal.pthread_kill, (main, signal.SIGINT))  # wakes a sleeping thread, too
            again.daemon = True
            again.start()

    sys.unraisablehook = repeat


@contextmanager
def interruptible(words: Callable[[], str]) -> Generator[None]:
    """Let Ctrl-C or SIGTERM end a command that can be continued, with a sentence in place of a traceback."""
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
    """End the process at once, with all that was printed.

    Threads that an interrupted command did not wait for to the end may still be compiling, or inside the evaluator;
    Python's own end would take down the libraries that they are in, and abort.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)
