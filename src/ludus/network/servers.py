"""The inference servers of a process: which of them respond, and which one gets the next batch.

A server that fails a batch, or takes much longer than it ever has, is excluded until it answers a trial batch; the
failed batch goes to another server.  A server that timed out is tried with the batch that timed out, so that its
answer, when it comes, shows how slow the server is.
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

TRIAL_S = 1.0  # interval between trials of an excluded server
FIRST_PATIENCE_S, LEAST_PATIENCE_S, MOST_PATIENCE_S = 2.0, 0.4, 10.0
LONGER = 8.0  # a server has timed out after this many times its slowest recent answer
FORGET = 0.98  # decay of the slowest answer with each faster one
SILENT = "it does not answer in time"
KNOWN = 16  # answers after which timeouts apply; a server's first answers may be slow

Read = Callable[[Any], object]  # reads a response; raises BadMessage if it is invalid

_log = logging.getLogger(__name__)


class Server:
    """State of one inference server: its connection, its speed, and why it is excluded."""

    def __init__(self, address: str) -> None:
        """Create the channel; nothing is sent yet."""
        self.address = address
        self.away = "it has not been tried yet"
        """Reason for excluding it; empty: it responds."""
        self.lost: tuple[Any, Read] | None = None
        """The batch that timed out, and the function that reads its response."""
        self.in_flight = 0
        self.patience_s = FIRST_PATIENCE_S
        self._slowest_s = 0.0
        self.heard = 0
        options = [(RECEIVES, -1), ("grpc.max_reconnect_backoff_ms", 1000)]  # reconnect soon to a server that is back
        self.channel: Any = grpc.insecure_channel(address, options)
        self.stub: Any = stubs.GRPCInferenceServiceStub(self.channel)

    def took(self, seconds: float) -> None:
        """Record the duration of an answer."""
        self.heard += 1
        self._slowest_s = max(seconds, FORGET * self._slowest_s)
        least = LEAST_PATIENCE_S if self.heard >= KNOWN else FIRST_PATIENCE_S
        self.patience_s = min(MOST_PATIENCE_S, max(least, LONGER * self._slowest_s))


class Call:
    """A batch sent to a server, waiting for its response."""

    def __init__(self, servers: Servers, server: Server, request: Any) -> None:  # noqa: ANN401
        """Send the batch."""
        self._servers, self.server, self.request = servers, server, request
        self._sent = _Sent(server, request, server.patience_s)
        self._sent.future.add_done_callback(lambda _future: servers.landed(server))

    def result(self, read: Read) -> Any | None:  # noqa: ANN401
        """Wait for the response and return the result of `read`; None if the server failed and is now excluded."""
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
    """A request that was sent, with the time of its response, which may be long before it is read."""

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
    """The servers of one network; threads may share them."""

    def __init__(self, addresses: Sequence[str], name: str, trial: Any, read: Read) -> None:  # noqa: ANN401
        """Try all servers, and wait until each has responded or failed.

        Args:
            addresses: `host:port` of each server.
            name: name of the network, for the log.
            trial: a small request that every server of the network can answer.
            read: reads the response to it.

        Raises:
            BadInput: an address is invalid.
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
                _log.warning("%s: the inference server %s is not used: %s", name, server.address, server.away)
        self._watch()

    @property
    def answering(self) -> list[str]:
        """Return the addresses of the servers that respond."""
        return [server.address for server in self._servers if not server.away]

    def call(self, request: Any) -> Call | None:  # noqa: ANN401
        """Send a request to the server with the fewest batches in flight; None if no server responds."""
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
        """Return the result of `read` for a call's response, trying other servers if it fails; None if all fail."""
        while call is not None:
            found = call.result(read)
            if found is not None:
                return found
            call = self.call(call.request)
        return None

    def landed(self, server: Server) -> None:
        """Count a batch as finished, whether it succeeded or failed."""
        with self._lock:
            server.in_flight -= 1

    def leave(self, server: Server, why: str) -> None:
        """Exclude a server until it answers a trial batch."""
        with self._lock:
            news, server.away = not server.away, why
            server.heard = 0  # it may be a new process when it is back
            others = any(not each.away for each in self._servers)
        if news:
            rest = "the others continue." if others else "none is left, so batches are evaluated on this machine."
            _log.warning("%s: the inference server %s is not used: %s; %s", self.name, server.address, why, rest)
        self._watch()

    def try_again(self) -> None:
        """Send a trial batch to all excluded servers at once."""
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
            _log.info("%s: the inference server %s responds.", self.name, server.address)

    def _try(self, server: Server) -> tuple[Server, Read, _Sent]:
        """Send a trial batch; a server that timed out gets more time, since no search is waiting for it."""
        if server.lost is None:
            return server, self._read, _Sent(server, self._trial, FIRST_PATIENCE_S)
        request, read = server.lost
        return server, read, _Sent(server, request, MOST_PATIENCE_S)

    def close(self) -> None:
        """Close all connections."""
        self._ended.set()
        for server in self._servers:
            server.channel.close()

    def _watch(self) -> None:
        """Start a thread that tries excluded servers, if there are any."""
        with self._lock:
            if self._thread is not None or not any(server.away for server in self._servers):
                return
            self._thread = threading.Thread(
                target=_try_until_all_answer, args=(weakref.ref(self), self._ended), name="ludus-servers", daemon=True
            )
            self._thread.start()

    def is_whole(self) -> bool:
        """Return whether all servers respond; no thread is then needed until one fails."""
        with self._lock:
            if any(server.away for server in self._servers):
                return False
            self._thread = None
            return True


def _try_until_all_answer(watched: weakref.ref[Servers], ended: threading.Event) -> None:
    """Try excluded servers periodically, until all respond or the servers are no longer used."""
    while not ended.wait(TRIAL_S):
        servers = watched()
        if servers is None:
            return
        try:
            servers.try_again()
        except ValueError:  # closed in the meantime
            return
        if servers.is_whole():
            return
        del servers


def checked_address(address: str) -> str:
    """Return an address `host:port` unchanged; raises BadInput if it is invalid."""
    found = re.fullmatch(r"(?:\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[\w.-]+):([0-9]{1,5})", address)
    if not found or not 0 < int(found[1]) < 1 << 16:
        raise BadInput(
            f"{address!r} is not the address of a server; write HOST:PORT, such as 10.0.0.7:8001 or [::1]:8001."
        )
    return address


def _said(error: Any) -> str:  # noqa: ANN401
    """Return a readable reason why a call failed."""
    if isinstance(error, BadMessage):
        return str(error).rstrip(".")
    code = error.code()
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return SILENT
    if code == grpc.StatusCode.UNAVAILABLE:
        return "no server responds at this address"
    return str(error.details() or code.name).rstrip(".")
