"""The standard streams of an engine: one with what it is asked, one with its answers alone."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from ludus.cli.terminal.screen import announce_compilation
from ludus.kernel import announce_with


@contextmanager
def answers_only(notice: Callable[[str], str] | None = None) -> Generator[BinaryIO]:
    """Set standard output aside for answers: whatever else is printed, by whichever library, goes to standard error.

    Args:
        notice: makes a line of the protocol of what is told beside answers, for programs that read both streams as one;
            None: it is told on standard error.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        if notice:
            _tell_among(answers, notice)
        else:
            announce_compilation()
            logging.basicConfig(stream=sys.stderr, format="ludus engine: %(message)s", level=logging.INFO)
        yield answers


def _tell_among(answers: BinaryIO, notice: Callable[[str], str]) -> None:
    """Have what is compiled, and what is logged, told as lines among the answers."""

    def tell(text: str) -> None:
        with suppress(OSError, ValueError):  # nobody reads them any more
            answers.write(notice(text).encode() + b"\n")  # a whole line at once: other threads answer
            answers.flush()

    @contextmanager
    def announce(subject: str) -> Generator[None]:
        tell(f"compiling {subject} for this machine (once) ...")
        yield

    announce_with(announce)
    logging.basicConfig(handlers=[_Notices(tell)], level=logging.INFO)


class _Notices(logging.Handler):
    """Tells what is logged, each in a sentence."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        self._tell(f"{record.getMessage()} {fault!r}" if fault else record.getMessage())


def questions() -> BinaryIO:
    """Return standard input as a file of its own.

    Where a thread still waits for a line of `sys.stdin` itself, Python cannot end but by a crash.  An engine that reads
    in its main thread, as `answer_lines` does, may take `sys.stdin`: a signal ends that thread's waiting.
    """
    return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
