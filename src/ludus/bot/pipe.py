"""The pipes of one engine process: questions go in as JSON lines, and each answer is matched to its question."""

import asyncio
import contextlib
import logging

from ludus.errors import BadMessage
from ludus.protocol.bgs import Request, Response, failure
from ludus.protocol.session import check_answer
from ludus.protocol.wire import decode_response, encode, session_of

_log = logging.getLogger(__name__)


class Pipe:
    """What one process is asked and says, from its start to its end.

    Attributes:
        clock: tells the time, in seconds.
    """

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        """Talk to a process with pipes at both ends, which the log calls `name`; `read` listens to it."""
        assert process.stdin, "opened as a pipe"
        assert process.stdout, "opened as a pipe"
        self._stdin, self._stdout = process.stdin, process.stdout
        self._name = name
        self.clock = asyncio.get_running_loop().time
        self._heard = self.clock()  # when it last said something, or was first asked after that
        self._waiting: dict[str, tuple[Request, asyncio.Future[Response | None]]] = {}
        self._closed = False

    @property
    def is_asked(self) -> bool:
        """Return whether a question is open."""
        return bool(self._waiting)

    @property
    def silence_s(self) -> float:
        """Return for how many seconds nothing was heard."""
        return self.clock() - self._heard

    async def exchange(self, request: Request) -> Response | None:
        """Ask; return None if the process ends before it answers."""
        if self._closed:
            return None
        future: asyncio.Future[Response | None] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._heard = self.clock()
        self._waiting[request.bgs_id] = request, future
        with contextlib.suppress(ConnectionError):  # whoever reads notices that the process has ended
            self._stdin.write(encode(request) + b"\n")
            await self._stdin.drain()
        return await future

    async def read(self) -> None:
        """Hand out answers until the process says no more."""
        while True:
            try:
                line = await self._stdout.readline()
            except ValueError:
                _log.error("Engine `%s` wrote a line that is too long.", self._name)
                continue
            if not line:
                return
            self._heard = self.clock()
            if line.strip():
                self._take(line.strip())

    def close(self) -> None:
        """Resolve all open questions with None."""
        self._closed = True
        for _, future in self._waiting.values():
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    def _take(self, line: bytes) -> None:
        """Resolve the question of an answer; an unreadable answer fails the question of its session."""
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
            _log.error("Engine `%s` answered about session %s unasked.", self._name, response.bgs_id)
            return
        try:
            check_answer(request, response)
        except BadMessage as error:
            _log.error("Engine `%s`: %s", self._name, error)
            return
        del self._waiting[response.bgs_id]
        if not future.done():
            future.set_result(response)
