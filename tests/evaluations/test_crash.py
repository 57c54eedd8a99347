"""Evaluation files whose writer is killed while other processes read them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.errors import Unavailable
from ludus.evaluations.file import EvaluationFile, FileInfo
from ludus.evaluations.index import Rows

ACTIONS, BATCH = 40, 16
INFO = FileInfo("none", "none", "none", "none", "none")
WRITER = """
import sys
from pathlib import Path
from test_crash import INFO, batch
from ludus.evaluations.file import EvaluationFile

with EvaluationFile(Path(sys.argv[1]), "append", begin=INFO) as file:
    number = int(sys.argv[2])
    while True:
        file.add(batch(number))
        print(number, flush=True)
        number += 1
"""


def batch(number):
    """Return evaluations that are derived from the batch number."""
    rng = np.random.default_rng(number)
    return Rows(
        rng.integers(1 << 62, size=BATCH, dtype=np.uint64) << np.uint64(1) | np.uint64(1),
        np.tile(np.arange(ACTIONS, dtype=np.int16), (BATCH, 1)),
        np.full(BATCH, ACTIONS, np.int32),
        (4.0 * rng.standard_normal((BATCH, ACTIONS))).astype(np.float32),
        rng.dirichlet((1, 1, 1), BATCH).astype(np.float32),
    )


def found_of(file, number):
    """Return which evaluations of a batch are found, and check that these are correct."""
    rows = batch(number)
    asked = rows._replace(logits=np.zeros_like(rows.logits), outcomes=np.zeros_like(rows.outcomes))
    found = file.look_up(asked)
    said, written = (np.exp(logits) / np.exp(logits).sum(1, keepdims=True) for logits in (asked.logits, rows.logits))
    np.testing.assert_allclose(said[found], written[found], atol=3 / 2048)
    np.testing.assert_allclose(asked.outcomes[found], rows.outcomes[found], atol=1e-4)
    return found


def write_until(path, first, enough):
    """Kill a process after it has appended some batches, and return the last batch that it reported."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    command = [sys.executable, "-c", WRITER, str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        try:
            for line in writer.stdout:
                number = int(line)
                yield number
                if number >= enough:
                    break
        finally:
            writer.send_signal(signal.SIGKILL)
        yield from map(int, writer.stdout.read().split())


def test_what_a_killed_writer_has_said_is_kept_and_read_by_all(tmp_path):
    path = tmp_path / "killed.ev"
    EvaluationFile(path, "append", begin=INFO).close()
    with EvaluationFile(path) as early:
        done = -1
        for enough in (40, 90):  # the second writer takes over from the first, which was killed
            for number in write_until(path, done + 1, enough):
                early.refresh()
                assert found_of(early, number).all(), "what was written before it was said is found at once"
                done = number
        assert done >= 90
        early.refresh()
        with EvaluationFile(path) as late:
            for number in range(done + 1):
                assert found_of(early, number).all()
                assert found_of(late, number).all()
    with EvaluationFile(path, "append") as file:
        file.add(batch(10_000))
        assert found_of(file, 10_000).all()


class Filling:
    """A file object that reports a full disk once, in the middle of an entry."""

    def __init__(self, file):
        self._file, self.is_full = file, False

    def write(self, data):
        return self._file.write(data[: len(data) // 2] if self.is_full else data)

    def __getattr__(self, name):
        return getattr(self._file, name)


def test_what_is_appended_after_a_full_disk_is_found(tmp_path):
    path = tmp_path / "full.ev"
    with EvaluationFile(path, "append", begin=INFO) as file:
        file.add(batch(0))
        file._writer = disk = Filling(file._writer)
        disk.is_full = True
        with pytest.raises(Unavailable, match="the disk is full"):
            file.add(batch(1))
        disk.is_full = False
        for number in range(2, 40):
            file.add(batch(number))
        file.refresh()
        assert all(found_of(file, number).all() for number in [0, *range(2, 40)])
    with EvaluationFile(path) as again:
        assert all(found_of(again, number).all() for number in [0, *range(2, 40)])
