"""Measures OpenVINO's delay for a new batch size, and its time per position at each size.

python bench/openvino_batches.py        milliseconds of CPU time, which other work hardly affects
"""

import time
from pathlib import Path

from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import draw_arrays
from ludus.network.openvino import OpenVinoEvaluator

WALLGAME = Shapes(planes=(9, 8, 8), plane_scale=(1 / 64,) * 4 + (1.0,) * 5, num_actions=137)
NETWORKS = {"6x64": NetworkSettings(6, 64, 32), "20x128": NetworkSettings(20, 128, 32)}
SIZES = (1, 2, 5, 17, 33, 48, 64, 66, 72, 80, 96)  # sizes that need no padding
REPEATS = 5


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def measure(name: str, settings: NetworkSettings) -> None:
    arrays = draw_arrays(settings, WALLGAME, seed=0)
    begun = time.process_time()
    evaluator = OpenVinoEvaluator(arrays, settings, WALLGAME)
    print(f"{name}: built from arrays in {1e3 * (time.process_time() - begun):.0f} ms")
    lane = evaluator.lane(max(SIZES))

    def judge(count: int) -> float:
        begun = time.process_time()
        lane.submit(count)
        lane.answer()
        return 1e3 * (time.process_time() - begun)

    judge(max(SIZES) - 2)
    before = resident_mb()
    for size in SIZES:
        first, *later = [judge(size) for _ in range(1 + REPEATS)]
        usual = sorted(later)[REPEATS // 2]
        each = 1e3 * usual / size
        print(f"  {size:3} rows: {usual:7.2f} ms, {each:6.1f} us each; the first took {first - usual:.1f} ms more")
    print(f"  {(resident_mb() - before) / len(SIZES):.1f} MB for each size")


for each in NETWORKS.items():
    measure(*each)
