"""The standard streams of an engine: one for its input, one reserved for its answers."""

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
    """Reserve standard output for answers; redirect all other output, from any library, to standard error.

    Args:
        notice: formats a message as a line of the protocol, to send it among the answers to programs that read both
            streams as one; None: messages go to standard error.
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
    """Send messages about compilation, and log messages, as lines among the answers."""

    def tell(text: str) -> None:
        with suppress(OSError, ValueError):  # the reader has closed the stream
            answers.write(notice(text).encode() + b"\n")  # one write per line, because other threads also write answers
            answers.flush()

    @contextmanager
    def announce(subject: str) -> Generator[None]:
        tell(f"compiling {subject} for this machine (once) ...")
        yield

    announce_with(announce)
    logging.basicConfig(handlers=[_Notices(tell)], level=logging.INFO)


class _Notices(logging.Handler):
    """A log handler that sends messages to a function as text."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        self._tell(f"{record.getMessage()} {fault!r}" if fault else record.getMessage())


def questions() -> BinaryIO:
    """Return standard input as a separate file object.

    Python crashes at exit if a thread is still waiting for a line of `sys.stdin` itself.  An engine that reads in its
    main thread, as `answer_lines` does, may use `sys.stdin`, because a signal interrupts the read.
    """
    return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
