"""The evaluator border: planes in, policy logits and outcome probabilities out; whoever computes them."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.float32]  # [B, C, H, W]
Logits = NDArray[np.float32]  # [B, A]
Outcomes = NDArray[np.float32]  # [B, 3] probabilities of win, draw and loss of the mover


class Evaluator(Protocol):
    """Judges batches of positions from their planes."""

    def evaluate(self, planes: Planes, count: int) -> tuple[Logits, Outcomes]:
        """Judge the first `count` rows of `planes`; rows of the answers beyond `count` mean nothing."""
        ...


class NullEvaluator:
    """Pseudo-random answers from a table at next to no cost, to measure the search alone."""

    def __init__(self, num_actions: int, rows: int = 1 << 14) -> None:
        """Draw the table."""
        rng = np.random.default_rng(0)
        self._logits = (2.0 * rng.standard_normal((rows, num_actions))).astype(np.float32)  # [rows, A]
        self._outcomes = rng.dirichlet((1.0, 1.0, 1.0), rows).astype(np.float32)  # [rows, 3]
        self._next = 0

    def evaluate(self, planes: Planes, count: int) -> tuple[Logits, Outcomes]:  # noqa: ARG002 - it does not look
        """Return the next `count` rows of the table."""
        if self._next + count > len(self._logits):
            self._next = 0
        rows = slice(self._next, self._next + count)
        self._next += count
        return self._logits[rows], self._outcomes[rows]


class UniformEvaluator:
    """Knows nothing: every action alike, win and loss alike."""

    def __init__(self, num_actions: int) -> None:
        """Remember the length of the policy."""
        self._num_actions = num_actions

    def evaluate(self, planes: Planes, count: int) -> tuple[Logits, Outcomes]:  # noqa: ARG002
        """Return equal logits and an open outcome."""
        outcomes = np.tile(np.array([0.5, 0.0, 0.5], np.float32), (count, 1))
        return np.zeros((count, self._num_actions), np.float32), outcomes


class TorchEvaluator:
    """A network run by PyTorch: the fallback on CPUs, the way on GPUs."""

    def __init__(self, network: object, device: str = "cpu") -> None:
        """Take a `ludus.network.model.Network` and put it on `device`."""
        from ludus.network.model import Network  # torch takes a second to import

        assert isinstance(network, Network), "the torch evaluator runs a Network"
        self._network = network.to(device).eval()
        self._device = device

    def evaluate(self, planes: Planes, count: int) -> tuple[Logits, Outcomes]:
        """Run the network on `count` rows."""
        import torch

        with torch.inference_mode():
            batch = torch.from_numpy(planes[:count]).to(self._device)
            logits, outcome = self._network(batch)
            return logits.float().cpu().numpy(), torch.softmax(outcome.float(), 1).cpu().numpy()
