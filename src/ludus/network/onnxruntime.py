"""The ONNX Runtime evaluator: for processors, and for GPUs that ONNX Runtime has an execution provider for.

It computes in 32 bits, if the provider does.  Batches may have any size.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from ludus.errors import Unavailable, with_extra
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, Logits, Maps, Outcomes, Planes, check_finite
from ludus.network.onnx import OUTCOME, ModelProto, maps_model, network_model
from ludus.network.tensors import LOGITS, MAPS, PLANES

try:
    import onnxruntime
except ModuleNotFoundError as missing:
    raise Unavailable(f"ONNX Runtime needs an extra: {with_extra('onnx')}.") from missing

CPU = "CPUExecutionProvider"
ERRORS_ONLY = 3  # severity of messages that ONNX Runtime logs


class OnnxRuntimeEvaluator:
    """A network in an ONNX Runtime session; threads may share it."""

    def __init__(
        self,
        arrays: Arrays,
        settings: NetworkSettings,
        shapes: Shapes,
        *,
        provider: str = CPU,
        package: str = "onnxruntime",
        streams: int = 1,
        threads: int = 1,
        name: str = "The network",
    ) -> None:
        """Create the session.

        Args:
            arrays: the checkpoint's weights, by torch's names.
            settings: the form of the network.
            shapes: input and policy shapes.
            provider: ONNX Runtime's name of the execution provider.  What it cannot compute, the processor does.
            package: name of the package that has the provider, for error messages.
            streams: number of batches that are evaluated at the same time; on a GPU, always one.
            threads: CPU threads for each of these batches.
            name: name of the model, for error messages.

        Raises:
            Unavailable: this installation of ONNX Runtime lacks the provider, or the provider finds no device.
        """
        self.settings, self.shapes, self.name = settings, shapes, name
        self._provider, self._package, self._threads = provider, package, threads
        self.workers = ThreadPoolExecutor(streams if provider == CPU else 1, "onnxruntime")
        self.load(arrays)

    def load(self, arrays: Arrays) -> None:
        """Create a session with other weights; batches submitted from now on use it."""
        self.session = self._session(network_model(arrays, self.settings, self.shapes))
        has_maps = "maps" in self.settings.auxiliary
        self._maps_model = maps_model(arrays, self.settings, self.shapes) if has_maps else None
        self._maps: Any = None  # the session for maps, created when first needed

    def lane(self, batch: int) -> OnnxRuntimeLane:
        """Return a new lane for batches of at most `batch` rows."""
        return OnnxRuntimeLane(self, batch)

    def maps(self, planes: Planes) -> Maps | None:
        """Return the predicted final maps; None if the network has no such head."""
        if self._maps_model is None:
            return None
        if self._maps is None:
            self._maps = self._session(self._maps_model)
        (found,) = self.workers.submit(self._maps.run, [MAPS], {PLANES: planes}).result()
        return found.reshape(-1, self.shapes.num_maps, *self.shapes.planes[1:])

    def _session(self, model: ModelProto) -> Any:  # noqa: ANN401
        if self._provider not in onnxruntime.get_available_providers():
            raise Unavailable(
                f"The installed ONNX Runtime has no {self._provider}; install {self._package} in place of the package "
                "onnxruntime, on a system for which it exists."
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other batches need the cores
        options.enable_mem_pattern = self._provider == CPU  # DirectML does not allow it
        options.log_severity_level = ERRORS_ONLY
        try:
            session = onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=list(dict.fromkeys([self._provider, CPU]))
            )
        except Exception as error:  # its classes have no common base
            raise Unavailable(f"ONNX Runtime cannot load {self.name} with {self._provider} ({error}).") from error
        if self._provider not in session.get_providers():  # it logs the reason and goes on without the provider
            raise Unavailable(
                f"ONNX Runtime's {self._provider} finds no device, or lacks its libraries; use the backend onnxruntime."
            )
        return session


class OnnxRuntimeLane:
    """An input buffer, and a batch that may be in flight on the evaluator's threads."""

    def __init__(self, evaluator: OnnxRuntimeEvaluator, batch: int) -> None:
        """Allocate the buffer."""
        self._evaluator = evaluator
        self.planes: Planes = np.zeros((batch, *evaluator.shapes.planes), np.uint8)
        self._answer: Future[list[Any]] | None = None

    def submit(self, count: int) -> None:
        """Start to evaluate `count` rows."""
        run = self._evaluator.session.run
        self._answer = self._evaluator.workers.submit(run, [LOGITS, OUTCOME], {PLANES: self.planes[:count]})

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the results are not finite."""
        assert self._answer is not None, "no batch was submitted"
        logits, outcomes = self._answer.result()
        check_finite(self._evaluator.name, logits, outcomes)
        return logits, outcomes
