"""PyTorch's threads spin briefly before they sleep, unless the user wants something else."""

import os
import subprocess
import sys

import pytest

WATCH = """
import os, sys
from importlib.abc import MetaPathFinder

class Watch(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "torch":
            print(os.environ.get("GOMP_SPINCOUNT"))
            sys.exit()

sys.meta_path.insert(0, Watch())
"""


@pytest.mark.parametrize("module", ["learner.train", "network.model", "loop.run"])
@pytest.mark.parametrize(
    ("given", "spins"), [({}, "1000"), ({"GOMP_SPINCOUNT": "7"}, "7"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "None")]
)
def test_threads_are_told_before_torch_is_imported(module, given, spins):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GOMP_", "OMP_"))}
    command = [sys.executable, "-c", f"{WATCH}import ludus.{module}"]
    done = subprocess.run(command, env=environment | given, stdout=subprocess.PIPE, text=True, timeout=300, check=True)
    assert done.stdout.strip() == spins
