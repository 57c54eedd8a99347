"""How many positions a second does each evaluator judge, and how far is it from PyTorch in single precision?

python bench/evaluators.py [--json]
"""

import json
import sys
import time

import numpy as np
import torch

from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Evaluator, TorchEvaluator
from ludus.network.model import Network
from ludus.network.openvino import OpenVinoEvaluator, best_precision
from ludus.selfplay.measure import describe_machine

BOARDS = {
    "connect4": Shapes(planes=(2, 6, 7), num_actions=7),
    "wallgame 6x6": Shapes(planes=(9, 6, 6), num_actions=81),
    "wallgame 8x8": Shapes(planes=(9, 8, 8), num_actions=137),
}
SIZES = ((4, 48, 16), (5, 64, 32), (20, 128, 32))  # blocks, channels, head channels
BATCHES = (1, 64, 256)
SECONDS = 0.5


def main() -> None:
    """Measure every board, network and batch, with one thread."""
    torch.set_num_threads(1)
    rows = [row for board in BOARDS for size in SIZES for row in measure(board, *size)]
    if "--json" in sys.argv:
        print(json.dumps({"bench": "evaluators", "rows": rows} | describe_machine()))
        return
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))


def measure(board: str, blocks: int, channels: int, head_channels: int) -> list[dict[str, object]]:
    """Return a row for each evaluator and batch."""
    settings = NetworkSettings(blocks=blocks, channels=channels, head_channels=head_channels)
    shapes = BOARDS[board]
    torch.manual_seed(0)
    network = Network(settings, shapes).eval()
    arrays = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    evaluators: dict[str, Evaluator] = {
        "torch f32": TorchEvaluator(network),
        **{
            f"openvino {precision}": OpenVinoEvaluator(arrays, settings, shapes, precision=precision)
            for precision in dict.fromkeys(("f32", best_precision()))
        },
    }
    planes = np.random.default_rng(0).random((max(BATCHES), *shapes.planes), np.float32)
    truth = evaluators["torch f32"].evaluate(planes, max(BATCHES))[0].copy()
    rows: list[dict[str, object]] = []
    for name, evaluator in evaluators.items():
        for batch in BATCHES:
            error = float(np.abs(evaluator.evaluate(planes, batch)[0][:batch] - truth[:batch]).max())
            calls, begun = 0, time.perf_counter()
            while time.perf_counter() - begun < SECONDS:
                evaluator.evaluate(planes, batch)
                calls += 1
            rate = round(calls * batch / (time.perf_counter() - begun))
            rows.append(
                {
                    "board": board,
                    "network": f"{blocks}x{channels}",
                    "evaluator": name,
                    "batch": batch,
                    "positions/s": rate,
                    "largest logit error": round(error, 4),
                }
            )
    return rows


if __name__ == "__main__":
    main()
