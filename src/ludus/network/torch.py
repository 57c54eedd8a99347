"""A network run by PyTorch: the reference on CPUs, the way on GPUs."""

from typing import Any

import numpy as np
import torch

from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, Logits, Outcomes, Planes, check_finite
from ludus.network.model import Network


class TorchEvaluator:
    """A network on one device."""

    def __init__(
        self,
        arrays: Arrays,
        settings: NetworkSettings,
        shapes: Shapes,
        *,
        device: str = "cpu",
        name: str = "The network",
    ) -> None:
        """Put the network on its device.

        Args:
            arrays: the checkpoint, by torch's names.
            settings: what the network is made of.
            shapes: input and policy shapes.
            device: `cpu`, `cuda`, `cuda:1`, ...
            name: of the model, for errors.
        """
        self.shapes, self.device, self.name = shapes, torch.device(device), name
        self.network = Network(settings, shapes).to(self.device).eval()
        self.load(arrays)

    def load(self, arrays: Arrays) -> None:
        """Use other weights from the next batch on."""
        tensors = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
        self.network.load_state_dict(tensors)

    def lane(self, batch: int) -> "TorchLane":
        """Return a new lane for batches of at most `batch` rows."""
        return TorchLane(self, batch)


class TorchLane:
    """One batch at a time."""

    def __init__(self, evaluator: TorchEvaluator, batch: int) -> None:
        """Take the evaluator whose network judges."""
        self._evaluator = evaluator
        self.planes: Planes = np.zeros((batch, *evaluator.shapes.planes), np.uint8)
        self._answer: Any = None

    def submit(self, count: int) -> None:
        """Run the network on the first `count` rows."""
        with torch.inference_mode():
            batch = torch.from_numpy(self.planes[:count]).to(self._evaluator.device)
            logits, outcome = self._evaluator.network(batch)
            self._answer = logits, torch.softmax(outcome, 1)

    def answer(self) -> tuple[Logits, Outcomes]:
        """Return what the network says of the submitted rows; raises BadModel if these are no numbers."""
        logits, outcomes = (tensor.float().cpu().numpy() for tensor in self._answer)
        check_finite(self._evaluator.name, logits, outcomes)
        return logits, outcomes
