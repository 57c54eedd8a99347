"""The shell around an engine that speaks in lines of text: one thread reads them, the caller's is the engine's."""

import logging
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import BinaryIO, Protocol

_log = logging.getLogger(__name__)

MAX_LINE_BYTES = 1 << 20
MAX_OPEN = 1024
"""Lines that wait to be heard after which no more are read."""

Post = Callable[[Callable[[], None]], None]
"""Has a function called in the thread in which the engine lives; may be called in any thread."""
Say = Callable[[str], None]
"""Writes a line, or several; to be called in the engine's thread alone."""


class Talker(Protocol):
    """An engine that hears lines; whatever takes time runs elsewhere and comes back by `Post`."""

    @property
    def is_over(self) -> bool:
        """Whether the conversation is over."""
        ...

    def hear(self, line: str) -> None:
        """Answer a line, now or later."""
        ...

    def end(self) -> None:
        """No line will come any more: be over, as soon as what is owed was said."""
        ...

    def close(self) -> None:
        """Let go of everything, searches that still run included: the conversation is over."""
        ...


def converse(make: Callable[[Post, Say], Talker], lines: BinaryIO, answers: BinaryIO) -> None:
    """Let a talker hear `lines` and say `answers` until it is over; they end with Ctrl-C, too.

    What goes wrong in the talker is logged, and it goes on: a program that has lost its engine would be worse off.

    Args:
        make: returns the talker, given how its searches come back to it, and how it speaks.
        lines: in UTF-8; those that are longer than `MAX_LINE_BYTES` are dropped.
        answers: flushed after each line; the conversation is over when nobody reads them any more.
    """
    events: SimpleQueue[Callable[[], None]] = SimpleQueue()
    room = threading.Semaphore(MAX_OPEN)

    def say(line: str) -> None:
        answers.write(line.encode() + b"\n")
        answers.flush()

    talker = make(events.put, say)

    def hear(line: str) -> None:
        room.release()
        talker.hear(line)

    def read() -> None:
        for line in _lines(lines):
            room.acquire()
            events.put(lambda line=line: hear(line))
        events.put(talker.end)

    threading.Thread(target=read, name="ludus-lines", daemon=True).start()
    try:
        while not talker.is_over:
            try:
                events.get()()
            except KeyboardInterrupt:
                talker.end()
            except BrokenPipeError:
                _log.info("Nobody reads the answers any more.")
                return
            except Exception:  # noqa: BLE001 - whatever it was, it is logged
                _log.exception("The engine goes on after an accident.")
    finally:
        talker.close()


def _lines(lines: BinaryIO) -> Iterator[str]:
    while line := lines.readline(MAX_LINE_BYTES):
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := lines.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            _log.error("A line of more than %d bytes was dropped.", MAX_LINE_BYTES)
        else:
            yield line.decode(errors="replace").strip()
