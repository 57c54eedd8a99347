"""The shell around an engine: JSON lines in, JSON lines out, and a process that outlives whatever comes in."""

import logging
from typing import BinaryIO, Protocol

from ludus.errors import BadMessage
from ludus.protocol.bgs import MAX_MESSAGE_BYTES, Request, Response, decode_request, encode, failure_for

_log = logging.getLogger(__name__)


class Answers(Protocol):
    """Whatever answers requests: an engine."""

    def handle(self, request: Request) -> Response:
        """Return the answer."""
        ...


def answer_lines(engine: Answers, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `lines` end; what cannot be read or answered is logged, and nothing else is written.

    Args:
        engine: answers each request.
        lines: one JSON object a line.
        answers: takes one JSON object a line, flushed after each.
    """
    while line := lines.readline(MAX_MESSAGE_BYTES + 1):
        if len(line) > MAX_MESSAGE_BYTES and not line.endswith(b"\n"):
            _skip_line(lines)
            _log.error("A line longer than %d bytes was dropped.", MAX_MESSAGE_BYTES)
        elif line.strip():
            response = answer_line(engine, line.strip())
            if response is not None:
                answers.write(encode(response) + b"\n")
                answers.flush()


def answer_line(engine: Answers, line: bytes) -> Response | None:
    """Return the answer to one line; None, with a line in the log, if it cannot be told what the line asks."""
    try:
        request = decode_request(line)
    except BadMessage as error:
        response = failure_for(line, str(error))
        if response is None:
            _log.error("%s Line: %r", error, line[:200])
        return response
    return engine.handle(request)


def _skip_line(lines: BinaryIO) -> None:
    while (rest := lines.readline(MAX_MESSAGE_BYTES)) and not rest.endswith(b"\n"):
        pass
