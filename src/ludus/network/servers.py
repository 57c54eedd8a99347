"""Inference servers that a process may ask: which of them answer, who is asked next, and who is left alone for a while.

Every server gets one chance for a batch.  One that fails, or is silent for much longer than it ever was, is left alone
until it answers a trial batch; the batch goes to another.  Who was silent is tried with that very batch, which nobody
waits for any more: it may only be slow, and then its answer says how slow.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ludus.errors import BadInput, BadMessage
from ludus.network.oip import RECEIVES, grpc, stubs

TRIAL_S = 1.0  # between two trials of a server that is left alone
FIRST_PATIENCE_S, LEAST_PATIENCE_S, MOST_PATIENCE_S = 2.0, 0.4, 10.0
LONGER = 8.0  # times as long as its slowest answer lately: then a server is taken to hang
FORGET = 0.98  # of its slowest answer, with each that is quicker
SILENT = "it does not answer in time"
KNOWN = 16  # answers after which a server is known; before, what it does at first use may take long

Read = Callable[[Any], object]  # reads a response, or raises BadMessage

_log = logging.getLogger(__name__)


class Server:
    """One server."""

    def __init__(self, address: str) -> None:
        """Prepare to call it; nothing is sent yet."""
        self.address = address
        self.away = "was not asked yet"
        """Why it is left alone; empty: it answers."""
        self.lost: tuple[Any, Read] | None = None
        """The batch that it was silent about, and what reads the answer."""
        self.in_flight = 0
        self.patience_s = FIRST_PATIENCE_S
        self._slowest_s = 0.0
        self.heard = 0
        options = [(RECEIVES, -1), ("grpc.max_reconnect_backoff_ms", 1000)]  # a server that is back is to be found soon
        self.channel: Any = grpc.insecure_channel(address, options)
        self.stub: Any = stubs.GRPCInferenceServiceStub(self.channel)

    def took(self, seconds: float) -> None:
        """Learn how long an answer took."""
        self.heard += 1
        self._slowest_s = max(seconds, FORGET * self._slowest_s)
        least = LEAST_PATIENCE_S if self.heard >= KNOWN else FIRST_PATIENCE_S
        self.patience_s = min(MOST_PATIENCE_S, max(least, LONGER * self._slowest_s))


class Call:
    """A batch on its way to a server and back."""

    def __init__(self, servers: Servers, server: Server, request: Any) -> None:  # noqa: ANN401
        """Send the batch."""
        self._servers, self.server, self.request = servers, server, request
        self._sent = _Sent(server, request, server.patience_s)
        self._sent.future.add_done_callback(lambda _future: servers.landed(server))

    def result(self, read: Read) -> Any | None:  # noqa: ANN401
        """Wait for the answer and return what `read` makes of it; None: the server failed, and is left alone now."""
        try:
            found = read(self._sent.future.result())
        except (grpc.RpcError, BadMessage) as error:
            why = _said(error)
            if why == SILENT:
                self.server.lost = self.request, read
            self._servers.leave(self.server, why)
            return None
        self.server.took(self._sent.seconds)
        return found


class _Sent:
    """A request that was sent, and when it was answered, which may be long before anybody looks."""

    def __init__(self, server: Server, request: Any, patience_s: float) -> None:  # noqa: ANN401
        self._begun = time.monotonic()
        self._landed: float | None = None
        self.future: Any = server.stub.ModelInfer.future(request, timeout=patience_s)
        self.future.add_done_callback(self._note)

    def _note(self, _future: object) -> None:
        self._landed = time.monotonic()

    @property
    def seconds(self) -> float:
        return (self._landed or time.monotonic()) - self._begun


class Servers:
    """Servers of one network, whom threads may share."""

    def __init__(self, addresses: Sequence[str], name: str, trial: Any, read: Read) -> None:  # noqa: ANN401
        """Try them all, and wait until each has answered or not.

        Args:
            addresses: `host:port` of each.
            name: of the network, for the log.
            trial: a small request that every server of the network can answer.
            read: reads the answer to it.

        Raises:
            BadInput: an address is none.
        """
        self._servers = [Server(checked_address(address)) for address in addresses]
        self.name, self._trial, self._read = name, trial, read
        self._lock = threading.Lock()
        self._turn = 0
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.try_again()
        for server in self._servers:
            if server.away:
                _log.warning("%s: the inference server %s is left alone: %s", name, server.address, server.away)
        self._watch()

    @property
    def answering(self) -> list[str]:
        """Return the addresses of those who answer."""
        return [server.address for server in self._servers if not server.away]

    def call(self, request: Any) -> Call | None:  # noqa: ANN401
        """Send a request to the server that has the fewest batches; None: none answers."""
        with self._lock:
            here = [server for server in self._servers if not server.away]
            if not here:
                return None
            self._turn += 1
            turns = [here[(self._turn + index) % len(here)] for index in range(len(here))]
            server = min(turns, key=lambda each: each.in_flight)
            server.in_flight += 1
        return Call(self, server, request)

    def result(self, call: Call | None, read: Read) -> Any | None:  # noqa: ANN401
        """Return what `read` makes of a call's answer, or of another server's; None: none answers any more."""
        while call is not None:
            found = call.result(read)
            if found is not None:
                return found
            call = self.call(call.request)
        return None

    def landed(self, server: Server) -> None:
        """Count a batch as over, however it went."""
        with self._lock:
            server.in_flight -= 1

    def leave(self, server: Server, why: str) -> None:
        """Leave a server alone until it answers a trial."""
        with self._lock:
            news, server.away = not server.away, why
            server.heard = 0  # it may be another process when it is back
            others = any(not each.away for each in self._servers)
        if news:
            rest = "the others go on." if others else "none is left, so batches are judged here."
            _log.warning("%s: the inference server %s is left alone: %s; %s", self.name, server.address, why, rest)
        self._watch()

    def try_again(self) -> None:
        """Give those who are left alone a trial batch, all at a time."""
        away = sorted((each for each in self._servers if each.away), key=lambda each: each.lost is not None)
        for server, read, sent in [self._try(each) for each in away]:
            try:
                read(sent.future.result())
            except (grpc.RpcError, BadMessage) as error:
                server.away = _said(error)
                continue
            server.took(sent.seconds)
            server.lost = None
            server.away = ""
            _log.info("%s: the inference server %s answers.", self.name, server.address)

    def _try(self, server: Server) -> tuple[Server, Read, _Sent]:
        """Send a trial; who was silent has more time, since no search waits for it."""
        if server.lost is None:
            return server, self._read, _Sent(server, self._trial, FIRST_PATIENCE_S)
        request, read = server.lost
        return server, read, _Sent(server, request, MOST_PATIENCE_S)

    def close(self) -> None:
        """Hang up."""
        self._ended.set()
        for server in self._servers:
            server.channel.close()

    def _watch(self) -> None:
        """Have a thread try those who are left alone, if there are any."""
        with self._lock:
            if self._thread is not None or not any(server.away for server in self._servers):
                return
            self._thread = threading.Thread(
                target=_try_until_all_answer, args=(weakref.ref(self), self._ended), name="ludus-servers", daemon=True
            )
            self._thread.start()

    def is_whole(self) -> bool:
        """Return whether all answer, after which nobody watches until one fails."""
        with self._lock:
            if any(server.away for server in self._servers):
                return False
            self._thread = None
            return True


def _try_until_all_answer(watched: weakref.ref[Servers], ended: threading.Event) -> None:
    """Try servers from time to time, until all answer or nobody needs them any more."""
    while not ended.wait(TRIAL_S):
        servers = watched()
        if servers is None:
            return
        try:
            servers.try_again()
        except ValueError:  # hung up in the meantime
            return
        if servers.is_whole():
            return
        del servers


def checked_address(address: str) -> str:
    """Return an address `host:port`; raises BadInput if it is none."""
    found = re.fullmatch(r"(?:\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[\w.-]+):([0-9]{1,5})", address)
    if not found or not 0 < int(found[1]) < 1 << 16:
        raise BadInput(
            f"{address!r} is no address of an inference server; write HOST:PORT, such as 10.0.0.7:8001 or [::1]:8001."
        )
    return address


def _said(error: Any) -> str:  # noqa: ANN401
    """Return why a call failed, in words."""
    if isinstance(error, BadMessage):
        return str(error).rstrip(".")
    code = error.code()
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return SILENT
    if code == grpc.StatusCode.UNAVAILABLE:
        return "nobody answers there"
    return str(error.details() or code.name).rstrip(".")
