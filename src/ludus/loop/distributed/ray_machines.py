"""Members on the machines of a Ray cluster, each on a GPU or on all cores of a machine.

The only file that knows Ray, which is imported when a run asks for a cluster.  A member that dies stays dead: what it
held is in its memory alone, so the run starts another one and deals its games again; Ray's own restarts would repeat a
question to a process that knows nothing of it.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from types import TracebackType
from typing import Any

from ludus.errors import BadInput, LudusError, Unavailable, with_extra
from ludus.loop.distributed.messages import SAME_LUDUS, Failed, Lost, MemberPlace

LOOK_S = 5.0  # for an answer of the cluster's head
MISSES = 3  # of them in a row, after which the head is taken for gone
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nobody is told that a run goes on
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # what Ray says of lost processes, the run says in its own words
    "RAY_gcs_rpc_server_reconnect_timeout_s": "1000000",  # or Ray ends this process, in the middle of learning, say
}


class RayMachines:
    """The cluster at an address; use it as a context, which ends the members."""

    def __init__(self, address: str, member: type, device: str) -> None:
        """Take the cluster, and what plays there.

        Args:
            address: `HOST:PORT` of the cluster's head, or `auto` for the one to which this machine belongs.
            member: the class of which each place gets an object; its methods are the questions.
            device: the preset's; machines without a GPU play only if it does not ask for one.
        """
        self.address, self._member, self._device = address, member, device
        self._ray: Any = None
        self._misses = 0  # looks in a row at which the head did not answer
        self._has_begun = False  # whether machines were found

    def __enter__(self) -> RayMachines:
        """Find the cluster.

        Raises:
            Unavailable: Ray is not installed, or there is no cluster at the address.
        """
        os.environ.update(QUIET)  # read when Ray is imported
        try:
            import ray
            from ray.exceptions import RayError
        except ImportError as error:
            raise Unavailable(f"--cluster needs Ray; install it with {with_extra('cluster')}.") from error
        if self.address != "auto" and not _answers(self.address):
            raise Unavailable(
                f"{self.address}: no Ray cluster answers there; start one (`ray start --head` on one machine, "
                "`ray start --address=HOST:PORT` on the others, this one included), or name its HOST:PORT."
            )
        is_main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGTERM) if is_main else None
        try:
            ray.init(address=self.address, log_to_driver=False, logging_level=logging.CRITICAL)
        except (ConnectionError, RuntimeError, OSError, ValueError, RayError) as error:
            raise Unavailable(
                f"{self.address}: the Ray cluster cannot be joined ({_line(error)}); this machine must be one of its "
                "own (`ray start --address=HOST:PORT` here), with the same Ray and Python."
            ) from error
        finally:
            if before is not None:
                signal.signal(signal.SIGTERM, before)  # Ray's own handler would end the process without a word
        self._ray = ray
        if self.address == "auto":
            self.address = str(ray.get_runtime_context().gcs_address)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave the cluster, which ends the members."""
        if self._ray is not None:
            self._ray.shutdown()

    def places(self) -> list[MemberPlace] | None:
        """Return where members may play now; None: the head does not answer, and other questions would wait for it.

        A machine that gives no cores does not play, whatever GPUs it has: its own run may learn on them.

        Raises:
            Unavailable: the head is gone, or no machine can play when the run begins.
        """
        self._misses = 0 if _connects(self.address) else self._misses + 1
        if self._misses >= MISSES:
            raise Unavailable(
                f"{self.address}: the head of the cluster no longer answers; start the cluster again, then "
                "the same command continues the run: its finished games are safe."
            )
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
                f"for) to play with; `ray start --address={self.address}` brings one in."
            )
        self._has_begun = True
        return found

    def start(self, place: MemberPlace) -> Any:  # noqa: ANN401 - Ray's handle
        """Return a new member, which begins as soon as the place is free.

        It ends with this process, however that ends.
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
        """End a member; it may have ended before."""
        self._ray.kill(member)

    def put(self, thing: object) -> Any:  # noqa: ANN401
        """Return what stands for something large in questions, so that it crosses to each machine once."""
        return self._ray.put(thing)

    def ask(self, member: Any, question: str, *with_what: object) -> Any:  # noqa: ANN401
        """Ask a member; return what stands for the answer."""
        return getattr(member, question).remote(*with_what)

    def hear(self, asked: list[Any], seconds: float) -> list[tuple[Any, Any]]:
        """Return the answers that come within some time, each with what stood for it; at once if there are any."""
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


def _answers(address: str) -> bool:
    """Return whether something that could be Ray's head listens at `HOST:PORT`.

    Ray itself looks for it for two minutes.  Its head speaks HTTP/2, and greets whoever does; pages do not.
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
            return len(greeting) == 4 and greeting[3] == 4  # SETTINGS as well
    except (OSError, OverflowError, UnicodeError):  # of a port that is none, of a name such as `10.0.0..1`
        return False


def _connects(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), LOOK_S).close()
    except OSError:
        return False
    return True


def _line(error: BaseException) -> str:
    """Return what an error says, in one line."""
    return (" ".join(str(error).split()) or type(error).__name__).rstrip(".")
