"""The reference pages say what the source says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_pages_are_fresh():
    command = [sys.executable, "tools/reference.py", "--check"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
