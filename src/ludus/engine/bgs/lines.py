"""The shell around an engine: JSON lines in, JSON lines out, and a process that outlives whatever comes in."""

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO

from ludus.engine.bgs.engine import Engine, Post, Question
from ludus.errors import BadMessage
from ludus.protocol.bgs import Response
from ludus.protocol.registration import MAX_MESSAGE_BYTES
from ludus.protocol.wire import decode_request, encode, unreadable

_log = logging.getLogger(__name__)

MAX_OPEN = 4096
"""Questions without an answer after which no more lines are read."""
QUOTED = 200  # bytes of a senseless line that are logged


class _Desk:
    """The engine's thread and its open questions."""

    def __init__(self, make_engine: Callable[[Post], Engine], answers: BinaryIO) -> None:
        self._events: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._engine = make_engine(self._events.put)
        self._answers = answers
        self._room = threading.Semaphore(MAX_OPEN)
        self._open = 0
        self._accident: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="ludus-engine", daemon=True)
        self._thread.start()

    def put(self, question: Question) -> None:
        """Have a question answered, as soon as not too many are open."""
        while self.is_open and not self._room.acquire(timeout=1.0):
            pass
        self._events.put(lambda: self._ask(question))

    @property
    def is_open(self) -> bool:
        """Return whether questions are still answered."""
        return self._thread.is_alive()

    def finish(self, *, at_once: bool = False) -> None:
        """Return when all questions are answered (at once: those that need a search, with an error) or none will be."""
        if at_once:
            self._events.put(self._engine.break_off)
        self._events.put(None)
        self._thread.join()
        if self._accident:
            raise self._accident

    def _ask(self, question: Question) -> None:
        self._open += 1
        self._engine.ask(question, self._answer)

    def _answer(self, response: Response) -> None:
        self._open -= 1
        self._room.release()
        self._answers.write(encode(response) + b"\n")
        self._answers.flush()

    def _run(self) -> None:
        ended = False
        try:
            while not (ended and self._open == 0):
                event = self._events.get()
                if event is None:
                    ended = True
                else:
                    event()
        except BrokenPipeError:
            _log.info("Nobody reads the answers any more.")
        except Exception as error:  # noqa: BLE001 - it is raised in the thread that reads
            self._accident = error


def answer_lines(make_engine: Callable[[Post], Engine], lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `lines` end and all are answered, or until Ctrl-C; what cannot be read is logged.

    Args:
        make_engine: returns the engine, given its `post`.
        lines: one JSON object a line.
        answers: takes one JSON object a line, flushed after each; nothing else is written to it.
    """
    desk = _Desk(make_engine, answers)
    try:
        while desk.is_open and (line := lines.readline(MAX_MESSAGE_BYTES + 1)):
            question = _read_long(line, lines) if _is_long(line) else _read(line.strip())
            if question:
                desk.put(question)
    except KeyboardInterrupt:
        desk.finish(at_once=True)
    else:
        desk.finish()


def _is_long(line: bytes) -> bool:
    return len(line) > MAX_MESSAGE_BYTES and not line.endswith(b"\n")


def _read(line: bytes) -> Question | None:
    """Return the question of a line; None, logged, if it names no session to answer."""
    if not line:
        return None
    try:
        return decode_request(line)
    except BadMessage as error:
        return _salvage(line, str(error))


def _read_long(line: bytes, lines: BinaryIO) -> Question | None:
    while (rest := lines.readline(MAX_MESSAGE_BYTES)) and not rest.endswith(b"\n"):
        pass
    return _salvage(line, f"The line is longer than {MAX_MESSAGE_BYTES} bytes; it was dropped.")


def _salvage(line: bytes, error: str) -> Question | None:
    question = unreadable(line, error)
    if question is None:
        _log.error("%s Line: %r", error, line[:QUOTED])
    return question
