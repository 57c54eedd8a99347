"""Memory that is too small is told in a sentence, whoever wanted it."""

import sys

import numpy as np
import pytest
import torch

from ludus.cli import main

HUGE = 1 << 50


def run_out_on_a_gpu():
    raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 1 GiB.\nAnd so on")


@pytest.fixture
def run(monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # which main replaces

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
def test_it_is_told(run, command, why):
    told = run(command)
    assert told.startswith(f"ludus: this machine's memory is too small {why}")
    assert told.endswith("); ask for less at once.\n")
    assert told.count("\n") == 1


def test_another_error_of_torch_is_a_fault_of_ludus(run):
    with pytest.raises(RuntimeError, match="must match"):
        run(lambda: torch.zeros(2) + torch.zeros(3))
