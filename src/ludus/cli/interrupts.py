"""Ctrl-C that Python drops is repeated: a signal in a callback of the compiler must end a command, too."""

import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

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
