"""A network evaluated by inference servers on other machines, and by this machine if none of them responds.

Evaluations can be repeated without side effects, so a batch that a server lost is sent to another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np

from ludus.network.checkpoint import Checkpoint
from ludus.network.config import Shapes
from ludus.network.evaluator import Evaluator, Forecaster, Lane, Logits, Maps, Outcomes, Planes, check_finite
from ludus.network.oip import answered, ask
from ludus.network.servers import Call, Servers
from ludus.network.tensors import LOGITS, MAPS, OUTCOMES, served_name

WANTED = (LOGITS, OUTCOMES)


class RemoteEvaluator:
    """An evaluator that sends batches to inference servers; threads may share it."""

    def __init__(self, checkpoint: Checkpoint, addresses: Sequence[str], local: Callable[[], Evaluator]) -> None:
        """Connect to the servers and test which of them respond.

        Args:
            checkpoint: the network, which the servers must also have.
            addresses: `host:port` of each server.
            local: creates the evaluator of this machine when it is needed.

        Raises:
            BadInput: an address is invalid.
        """
        info = checkpoint.info
        self.shapes: Shapes = info.shapes
        self.name, self.served = info.name, served_name(checkpoint)
        self._has_maps = "maps" in info.network.auxiliary
        self._make_local, self._creating = local, threading.Lock()
        self._local: Evaluator | None = None
        trial = np.ones((1, *self.shapes.planes), np.uint8)
        self.servers = Servers(
            addresses,
            self.served,
            ask(self.served, trial, WANTED),
            lambda response: answered(response, self.shapes, WANTED, 1),
        )

    @property
    def local(self) -> Evaluator:
        """This machine's own evaluator; the first thread that needs it creates it, and others wait."""
        with self._creating:
            if self._local is None:
                self._local = self._make_local()
            return self._local

    def lane(self, batch: int) -> RemoteLane:
        """Return a new lane for batches of at most `batch` rows."""
        return RemoteLane(self, batch)

    def maps(self, planes: Planes) -> Maps | None:
        """Return the predicted final maps; None if the network has no such head."""
        if not self._has_maps:
            return None
        request = ask(self.served, planes, (MAPS,))
        read = lambda response: answered(response, self.shapes, (MAPS,), len(planes))  # noqa: E731
        if found := self.servers.result(self.servers.call(request), read):
            return found[0]
        assert isinstance(self.local, Forecaster), "the evaluator of a network can predict maps"
        return self.local.maps(planes)

    def close(self) -> None:
        """Close all connections."""
        self.servers.close()


class RemoteLane:
    """A buffer of planes and a batch that may be in flight."""

    def __init__(self, evaluator: RemoteEvaluator, batch: int) -> None:
        """Allocate the buffer."""
        self._evaluator = evaluator
        shapes = evaluator.shapes
        self.planes: Planes = np.zeros((batch, *shapes.planes), np.uint8)
        self._logits: Logits = np.zeros((batch, shapes.num_actions), np.float32)  # [B, A]
        self._outcomes: Outcomes = np.zeros((batch, 3), np.float32)  # [B, 3]
        self._call: Call | None = None
        self._count = 0
        self._local: Lane | None = None

    def submit(self, count: int) -> None:
        """Send `count` rows to a server, or evaluate them on this machine."""
        self._count = count
        self._call = self._evaluator.servers.call(ask(self._evaluator.served, self.planes[:count], WANTED))
        if self._call is None:
            self._submit_here()

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the results are not finite."""
        shapes, count = self._evaluator.shapes, self._count
        if self._call is not None:
            found = self._evaluator.servers.result(
                self._call, lambda response: answered(response, shapes, WANTED, count)
            )
            if found is not None:
                self._logits[:count], self._outcomes[:count] = found
                check_finite(self._evaluator.name, self._logits[:count], self._outcomes[:count])
                return self._logits, self._outcomes
            self._submit_here()
        assert self._local is not None, "no batch was submitted"
        return self._local.answer()

    def _submit_here(self) -> None:
        if self._local is None:
            self._local = self._evaluator.local.lane(len(self.planes))
        self._local.planes[: self._count] = self.planes[: self._count]
        self._local.submit(self._count)
