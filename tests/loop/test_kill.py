"""A training run that is killed at random times loses no finished work; bench/kill.py tests it longer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench/kill.py"


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork, which the test needs")
@pytest.mark.parametrize("mode", ["generations", "pipelined"])
def test_nothing_that_was_finished_is_lost_or_counted_twice(mode):
    options = ["--kills", "6", "--generations", "2", "--longest", "2", "--mode", mode]
    done = subprocess.run([sys.executable, BENCH, *options], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults  0" in done.stdout
