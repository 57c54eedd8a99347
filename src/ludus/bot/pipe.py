"""The pipes of one engine process: writes requests as JSON lines and matches each response to its request."""

import asyncio
import contextlib
import logging

from ludus.errors import BadMessage
from ludus.protocol.bgs import EvaluatePosition, Request, Response, StartGameSession, failure
from ludus.protocol.session import check_answer
from ludus.protocol.wire import decode_response, encode, session_of

_log = logging.getLogger(__name__)

STARTING_S = 30.0
"""How long a process may write nothing while it starts a session."""
QUICK_S = 5.0
"""How long a process may write nothing while it only applies moves and ends sessions."""


class Pipe:
    """The conversation with one process, from its start to its end.

    Attributes:
        clock: returns the time in seconds.
        heard: time of the last line, or of the first request after it.
        doubted: whether an evaluation has failed since the last probe.
    """

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        """Wrap a process with piped stdin and stdout; the log calls it `name`. `read` receives its responses."""
        assert process.stdin, "opened as a pipe"
        assert process.stdout, "opened as a pipe"
        self._stdin, self._stdout = process.stdin, process.stdout
        self._name = name
        self.clock = asyncio.get_running_loop().time
        self.heard = self.clock()
        self.doubted = False
        self._waiting: dict[str, tuple[Request, asyncio.Future[Response | None]]] = {}
        self._closed = False

    @property
    def is_asked(self) -> bool:
        """Return whether a request waits for its response."""
        return bool(self._waiting)

    def limit_s(self, answer_s: float) -> float:
        """Return how long the process may write nothing while its open requests wait; 0 if none is open.

        Args:
            answer_s: how long the server waits for an answer.
        """
        kinds = {type(request) for request, _ in self._waiting.values()}
        evaluations = [request for request, _ in self._waiting.values() if isinstance(request, EvaluatePosition)]
        longest_s = answer_s + max((request.seconds or 0.0 for request in evaluations), default=0.0)
        if StartGameSession in kinds:  # it may compile the rules of its game
            return max(STARTING_S, longest_s)
        if evaluations:
            return longest_s
        return min(QUICK_S, answer_s) if kinds else 0.0

    async def exchange(self, request: Request) -> Response | None:
        """Send a request and return its response; None if the process ends first."""
        if self._closed:
            return None
        future: asyncio.Future[Response | None] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self.heard = self.clock()
        self._waiting[request.bgs_id] = request, future
        with contextlib.suppress(ConnectionError):  # `read` notices that the process has ended
            self._stdin.write(encode(request) + b"\n")
            await self._stdin.drain()
        answer = await future
        self.doubted |= isinstance(request, EvaluatePosition) and answer is not None and not answer.success
        return answer

    async def read(self) -> None:
        """Read responses and resolve their requests until the process closes its output."""
        while True:
            try:
                line = await self._stdout.readline()
            except ValueError:
                _log.error("Engine `%s` wrote a line that is too long.", self._name)
                continue
            if not line:
                return
            self.heard = self.clock()
            if line.strip():
                self._take(line.strip())

    def close(self) -> None:
        """Resolve all open requests with None."""
        self._closed = True
        for _, future in self._waiting.values():
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    def _take(self, line: bytes) -> None:
        """Resolve the request that a line answers; an unreadable line fails the open request of its session."""
        try:
            response = decode_response(line)
        except BadMessage as error:
            _log.error("Engine `%s`: %s", self._name, error)
            request, future = self._waiting.pop(session_of(line) or "", (None, None))
            if request and future and not future.done():
                future.set_result(failure(request, f"The engine's answer cannot be read: {error}"))
            return
        request, future = self._waiting.get(response.bgs_id, (None, None))
        if request is None or future is None:
            _log.error("Engine `%s` answered session %s without an open request.", self._name, response.bgs_id)
            return
        try:
            check_answer(request, response)
        except BadMessage as error:
            _log.error("Engine `%s`: %s", self._name, error)
            return
        del self._waiting[response.bgs_id]
        if not future.done():
            future.set_result(response)
