"""What plays, serves and runs engines needs no PyTorch; what trains names the extra that brings it."""

import subprocess
import sys

WITHOUT_TORCH = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""
IMPORT_EVERYTHING = """
import importlib, pkgutil
import ludus

for found in pkgutil.walk_packages(ludus.__path__, "ludus."):
    if not found.name.endswith(("__main__", ".migrations.env")):
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            assert error.name.partition(".")[0] == "torch", error
            print(found.name)
"""
TRAINING = ("ludus.learner.", "ludus.loop.", "ludus.network.surgery", "ludus.cli.training.")
NETWORKS = {"ludus.network.blocks", "ludus.network.cuda", "ludus.network.model", "ludus.network.torch"}


def without_torch(program, *arguments):
    """Run a program as on a machine without PyTorch."""
    command = [sys.executable, "-c", WITHOUT_TORCH + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_only_what_trains_imports_torch():
    done = without_torch(IMPORT_EVERYTHING)
    assert done.returncode == 0, done.stderr
    found = set(done.stdout.split())
    assert found > NETWORKS, "the modules were not imported"
    assert sorted(name for name in found - NETWORKS if not name.startswith(TRAINING)) == []


RUN = "from ludus.cli import main; main()"


def test_a_command_that_needs_torch_names_the_extra(tmp_path):
    commands = (
        ("train", "tictactoe-smoke", "--run", str(tmp_path / "run")),
        ("grow", "tictactoe", "--run", str(tmp_path / "grown")),
        ("surgery", "connect4", str(tmp_path / "out")),
        ("bench", "evaluator", "--backend", "torch"),
    )
    for command in commands:
        done = without_torch(RUN, *command)
        assert done.returncode == 1, done.stdout + done.stderr
        assert done.stderr.startswith("ludus: PyTorch is not installed"), done.stderr
        assert f"`{sys.executable} -m pip install 'ludus[train]'`" in " ".join(done.stderr.split())
        assert [*tmp_path.iterdir()] == []
