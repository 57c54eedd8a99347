"""The standard streams of an engine: one with what it is asked, one with its answers alone."""

import logging
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO

from ludus.cli.screen import announce_compilation


@contextmanager
def answers_only() -> Generator[BinaryIO]:
    """Set standard output aside for answers: whatever else is printed, by whichever library, goes to standard error."""
    announce_compilation()
    logging.basicConfig(stream=sys.stderr, format="ludus engine: %(message)s", level=logging.INFO)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        yield answers


def questions() -> BinaryIO:
    """Return standard input as a file of its own.

    Where a thread still waits for a line of `sys.stdin` itself, Python cannot end but by a crash.  An engine that reads
    in its main thread, as `answer_lines` does, may take `sys.stdin`: a signal ends that thread's waiting.
    """
    return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
