"""Measures the cost of evaluation files: `python bench/evaluation_file.py [--entries 200000] [--points 361]`.

It uses random policies with the sharpness that the author of the symbol code measured on 19x19 (94 of 100 actions below
1/2048), and prints bytes per policy and per entry, entries appended and looked up per second on one core (in batches of
64), the time to open the file, and the memory of its index.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from ludus.evaluations.entry import HEAD
from ludus.evaluations.file import EvaluationFile, FileInfo
from ludus.evaluations.index import Rows
from ludus.selfplay.measure import describe_machine

BATCH = 64
DISTINCT = 4096
INFO = FileInfo("none", "none", "none", "none", "none")


def made_up(entries: int, points: int) -> list[Rows]:
    """Return batches of evaluations with distinct keys and repeated policies."""
    rng = np.random.default_rng(0)
    logits = (5.3 * rng.standard_normal((DISTINCT, points))).astype(np.float32)
    outcomes = rng.dirichlet((1, 1, 1), DISTINCT).astype(np.float32)
    keys = rng.permutation(np.arange(1, entries + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    actions = np.tile(np.arange(points, dtype=np.int16), (BATCH, 1))
    counts = np.full(BATCH, points, np.int32)
    starts = [first % DISTINCT for first in range(0, entries - BATCH + 1, BATCH)]
    return [
        Rows(keys[k * BATCH : (k + 1) * BATCH], actions, counts, logits[at : at + BATCH], outcomes[at : at + BATCH])
        for k, at in enumerate(starts)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=200_000)
    parser.add_argument("--points", type=int, default=361)
    options = parser.parse_args()
    parts = made_up(options.entries, options.points)
    count = BATCH * len(parts)
    blank = Rows(*parts[0][:3], np.zeros_like(parts[0].logits), np.zeros_like(parts[0].outcomes))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.ev"
        with EvaluationFile(path, "append", begin=INFO) as file:
            file.look_up(blank)
            file.add(parts[0])
            begun, size = time.process_time(), file.size
            for part in parts[1:]:
                file.add(part)
            added_s, entry_bytes = time.process_time() - begun, (file.size - size) / (count - BATCH)
        begun = time.process_time()
        with EvaluationFile(path) as file:
            open_s = time.process_time() - begun
            order = np.random.default_rng(1).permutation(len(parts))
            begun, found = time.process_time(), 0
            for k in order:
                found += int(file.look_up(blank._replace(keys=parts[k].keys)).sum())
            asked_s, index_bytes = time.process_time() - begun, file.index_nbytes
            strange = blank._replace(keys=parts[0].keys ^ np.uint64(1 << 62))
            begun = time.process_time()
            for _ in parts:
                file.look_up(strange)
            missed_s = time.process_time() - begun
    assert found == count, "all added entries are found"
    result = {
        "bench": "evaluation_file",
        "entries": count,
        "actions": options.points,
        "bytes_per_policy": entry_bytes - HEAD,
        "bytes_per_entry": entry_bytes,
        "appended_per_cpu_s": (count - BATCH) / added_s,
        "found_per_cpu_s": count / asked_s,
        "not_found_per_cpu_s": count / missed_s,
        "open_cpu_s": open_s,
        "index_bytes_per_entry": index_bytes / count,
    }
    print(json.dumps(result | describe_machine(), indent=1))


if __name__ == "__main__":
    main()
