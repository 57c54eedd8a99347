"""The window bench measures only the replay."""

import inspect
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus.store.samples import DTYPES, Samples


@pytest.fixture
def bench(load_program):
    return load_program("bench/window.py")


def blank_game(length, words):
    arrays = {name: np.zeros(length, dtype) for name, dtype in DTYPES.items()}
    arrays["states"] = np.zeros((length, words), np.uint64)
    arrays["policy_start"] = np.zeros(length + 1, np.int32)
    arrays |= {name: np.zeros(0, DTYPES[name]) for name in ("policy_action", "policy_weight")}
    return Samples(**arrays)


def test_writing_files_is_not_measured_as_replay(bench, monkeypatch):
    clock = [0.0]

    def replay(*_):
        clock[0] += 0.004
        return 6

    def write_shard(path, samples, **_):
        clock[0] += 1000.0
        path.write_bytes(samples.states.tobytes())

    monkeypatch.setattr(bench, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    monkeypatch.setattr(bench, "replay", replay)
    monkeypatch.setattr(bench, "write_shard", write_shard)
    found = bench.compare(blank_game(4, ludus.game(bench.SPEC).start_state().view(np.uint64).size))
    assert found["us_to_replay"] == pytest.approx(1000.0)
    assert found["actions_to_replay"] == 1.5


def test_memory_of_the_parent_does_not_count(bench):
    source = inspect.getsource(bench.peak_mb)
    program = f"import re, resource\nfrom pathlib import Path\n{source}\nprint(peak_mb())"
    small = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(small.stdout) < bench.peak_mb() / 2  # the parent has loaded torch and the package
