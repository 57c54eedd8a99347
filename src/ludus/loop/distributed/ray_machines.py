"""Members on the machines of a Ray cluster, each on a GPU or on all cores of a machine.

Only this file imports Ray, and only for runs with a cluster, in a process of its own (`ray_process.py`).  Ray must not
restart members, since their games are only in memory: the run starts another member and deals the games again.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
from types import TracebackType
from typing import Any

from ludus.errors import BadInput, LudusError, Unavailable, with_extra
from ludus.loop.distributed.messages import SAME_LUDUS, Failed, Lost, MemberPlace

LOOK_S = 5.0  # timeout in seconds for an answer of the cluster's head
MISSES = 3  # consecutive failures after which the head counts as gone
AGAIN = "start the cluster again, then the same command continues the run; finished games are safe"
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no usage statistics
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # the run reports lost processes itself
    "RAY_gcs_rpc_server_reconnect_timeout_s": "1000000",  # otherwise Ray would end this process, even during learning
}


class RayMachines:
    """The Ray cluster at an address; a context manager that ends the members on exit."""

    is_remote = True

    def __init__(self, address: str, member: type, device: str) -> None:
        """Store the cluster's address and the members' class.

        Args:
            address: `HOST:PORT` of the cluster's head, or `auto` for this machine's cluster.
            member: a class that Ray instantiates at each place; the questions are its methods.
            device: the preset's device; if it names a GPU, machines without one do not play.
        """
        self.address, self._member, self._device = address, member, device
        self._ray: Any = None
        self._misses = 0  # consecutive failures of the head
        self._has_begun = False  # whether machines were found

    def __enter__(self) -> RayMachines:
        """Connect to the cluster.

        Raises:
            Unavailable: Ray is not installed, or cannot join a cluster at the address.
        """
        os.environ.update(QUIET)  # read when Ray is imported
        try:
            import ray
            from ray.exceptions import RayError
        except ImportError as error:
            raise Unavailable(f"--cluster needs Ray; install it with {with_extra('cluster')}.") from error
        before = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(address=self.address, log_to_driver=False, logging_level=logging.CRITICAL)
        except (ConnectionError, RuntimeError, OSError, ValueError, RayError) as error:
            raise Unavailable(
                f"{self.address}: cannot join the Ray cluster ({_line(error)}); run "
                "`ray start --address=HOST:PORT` on this machine, with the cluster's versions of Ray and Python."
            ) from error
        finally:
            signal.signal(signal.SIGTERM, before)  # Ray's handler would wait for the end of calls of Ray
        self._ray = ray
        if self.address == "auto":
            self.address = str(ray.get_runtime_context().gcs_address)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Disconnect from the cluster, which ends the members."""
        if self._ray is not None:
            self._ray.shutdown()

    def places(self) -> list[MemberPlace] | None:
        """Return the places where members may play now; None: the head does not answer, so skip other requests.

        A machine without cores does not play, even if it has GPUs: the run may use them for learning.

        Raises:
            Unavailable: the head is gone, or no machine can play at the start of the run.
        """
        self._misses = 0 if self.answers() else self._misses + 1
        if self._misses >= MISSES:
            raise Unavailable(f"{self.address}: the head of the cluster no longer answers; {AGAIN}.")
        if self._misses:
            return None
        found: list[MemberPlace] = []
        for node in self._ray.nodes():
            if not node["Alive"]:
                continue
            has, name, address = node["Resources"], str(node["NodeID"]), str(node["NodeManagerAddress"])
            cores, gpus = int(has.get("CPU", 0)), int(has.get("GPU", 0))
            if cores and gpus and self._device.partition(":")[0] in ("auto", "cuda"):
                found += [
                    MemberPlace(name, f"{address} (GPU {number})" if number else address, number, cores // gpus, "cuda")
                    for number in range(gpus)
                ]
            elif cores and not self._device.startswith("cuda"):
                device = "openvino" if self._device == "auto" else self._device
                found.append(MemberPlace(name, address, 0, cores, device))
        if not found and not self._has_begun:
            raise Unavailable(
                f"{self.address}: no machine of the cluster has cores (or the GPU that the preset asks "
                f"for) to play with; add a machine by `ray start --address={self.address}`."
            )
        self._has_begun = True
        return found

    def answers(self) -> bool:
        """Return whether the cluster's head answers."""
        host, _, port = self.address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), LOOK_S).close()
        except OSError:
            return False
        return True

    def start(self, place: MemberPlace) -> Any:  # noqa: ANN401 - Ray's handle
        """Start a member as soon as its place is free; return its handle.

        The member ends with this process, even if this process is killed.
        """
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        options = self._ray.remote(self._member).options(
            num_cpus=place.cores,
            num_gpus=int(place.device == "cuda"),
            max_restarts=0,
            max_task_retries=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(place.node, soft=False),
        )
        return options.remote()

    def dismiss(self, member: Any) -> None:  # noqa: ANN401
        """End a member, which may already have ended."""
        self._ray.kill(member)

    def put(self, thing: object) -> Any:  # noqa: ANN401
        """Store a large object in Ray, which sends it to each machine once; return its handle."""
        return self._ray.put(thing)

    def ask(self, member: Any, question: str, *with_what: object) -> Any:  # noqa: ANN401
        """Send a question to a member; return the handle of the answer."""
        return getattr(member, question).remote(*with_what)

    def hear(self, asked: list[Any], seconds: float) -> list[tuple[Any, Any]]:
        """Return the (handle, answer) pairs that have arrived; wait up to `seconds` if there are none."""
        ready, rest = self._ray.wait(asked, num_returns=1, timeout=seconds)
        if ready and rest:
            ready += self._ray.wait(rest, num_returns=len(rest), timeout=0.0)[0]
        return [(each, self._answer(each)) for each in ready]

    def _answer(self, asked: Any) -> Any:  # noqa: ANN401
        errors = self._ray.exceptions
        try:
            return self._ray.get(asked)
        except errors.RayTaskError as error:
            cause: Any = error.cause
            if isinstance(cause, LudusError):
                return Failed(cause)
            return Failed(Unavailable(f"{type(cause).__name__}: {cause}".replace("\n", " ")))
        except errors.RayError as error:
            if "failed to import" in str(error) or "No module named" in str(error):
                return Failed(BadInput(f"cannot run this Ludus; {SAME_LUDUS}."))
            return Lost("its process or the machine ended")


def check_address(address: str) -> None:
    """Raise Unavailable if no cluster answers at `HOST:PORT`; `auto` is right."""
    if address != "auto" and not _answers(address):
        raise Unavailable(
            f"{address}: no Ray cluster found; start one (`ray start --head` on one machine, "
            "`ray start --address=HOST:PORT` on the others and here), or correct HOST:PORT."
        )


def _answers(address: str) -> bool:
    """Return whether a Ray head seems to listen at `HOST:PORT`.

    Ray's own search takes two minutes.  Its head uses HTTP/2 and sends SETTINGS to every client; web pages do not.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return False
    try:
        with socket.create_connection((host, int(port)), LOOK_S) as line:
            if os.environ.get("RAY_USE_TLS", "0") != "0":
                return True
            line.settimeout(LOOK_S)
            line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))  # empty SETTINGS
            greeting = line.recv(4)
            return len(greeting) == 4 and greeting[3] == 4  # also a SETTINGS frame
    except (OSError, OverflowError, UnicodeError):  # an invalid port, or a host such as `10.0.0..1`
        return False


def _line(error: BaseException) -> str:
    """Return an error's text as one line without a final period."""
    return (" ".join(str(error).split()) or type(error).__name__).rstrip(".")
