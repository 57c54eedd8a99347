"""Too little memory and a missing compiler are reported with one message by every command."""

import sys

import numpy as np
import pytest
import torch
from torch._inductor.exc import InductorError, InvalidCxxCompiler

from ludus.cli import main

HUGE = 1 << 50


def run_out_on_a_gpu():
    raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 1 GiB.\nAnd so on")


@pytest.fixture
def run(monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # replaced by main

    def run(command):
        monkeypatch.setattr("ludus.cli.app.app", command)
        with pytest.raises(SystemExit, match=r"^1$"):
            main()
        return capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (lambda: np.zeros(HUGE), "(Unable to allocate"),
        (lambda: torch.empty(HUGE), "(DefaultCPUAllocator: "),
        (run_out_on_a_gpu, "(CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 1 GiB)"),
    ],
)
def test_too_little_memory_is_reported(run, command, why):
    told = run(command)
    assert told.startswith(f"ludus: this machine does not have enough memory {why}")
    assert told.endswith("); use smaller numbers.\n")
    assert told.count("\n") == 1


def test_a_missing_compiler_is_reported_with_the_remedy(run):
    def compile_network():
        raise InductorError(InvalidCxxCompiler(), None)

    told = run(compile_network)
    assert told.startswith("ludus: torch cannot compile the network here (")
    assert told.endswith("); set learner.compile = false, and continue the run.\n")
    assert told.count("\n") == 1


def test_another_error_of_torch_is_a_fault_of_ludus(run):
    with pytest.raises(RuntimeError, match="must match"):
        run(lambda: torch.zeros(2) + torch.zeros(3))
