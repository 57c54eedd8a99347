"""Compiled and plain searches grow the same trees and play the same games with every method, bit by bit."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS, FORESEEN

SCRIPT = Path(__file__).with_name("grow_trees.py")
METHODS = ("puct", "growing cpuct", "noise", "shaped noise", "root temperature", "forced playouts", "gumbel",
           "gumbel with all", "bound", "several leaves", "unproved", "blind",
           "for play", "symmetries", "everything")  # fmt: skip
PARTS = [
    *(f"connect4 {method}" for method in METHODS),
    *(f"tictactoe {method}" for method in ("puct", "for play", "gumbel", "several leaves", "unproved")),
    *(f"wallgame:classic:4x4 {method}" for method in ("everything", "gumbel with all", "symmetries")),
    *("playouts", "heuristic"),
    *(f"games {name}" for name in ("plain", "forced", "gumbel")),
]


@pytest.fixture(scope="module")
def grown(tmp_path_factory, pytestconfig):
    """Return the arrays of the compiled and the plain run, computed in parallel."""
    folder = tmp_path_factory.mktemp("grown")
    full = ["--full"] if pytestconfig.getoption("full") else []
    runs = {
        name: subprocess.Popen(
            [sys.executable, SCRIPT, folder / f"{name}.npz", *full],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, plain in (("compiled", "0"), ("plain", "1"))
    }
    for run in runs.values():
        _, errors = run.communicate(timeout=1100)
        assert run.returncode == 0, errors
    return tuple(dict(np.load(folder / f"{name}.npz")) for name in runs)


@pytest.mark.parametrize("part", PARTS)
def test_compiled_and_plain_code_compute_the_same_bits(grown, part):
    compiled, plain = grown
    names = [name for name in compiled if name.startswith(f"{part}, ")]
    assert names
    for name in names:
        one, other = compiled[name], plain[name]
        assert (one.dtype, one.shape) == (other.dtype, other.shape), name
        for field in one.dtype.names or [...]:
            assert one[field].tobytes() == other[field].tobytes(), f"{name}, {field}"


def test_all_computed_arrays_are_compared(grown):
    compiled, plain = grown
    assert compiled.keys() == plain.keys()
    assert {name.rpartition(", ")[0] for name in compiled} == set(PARTS)


def test_the_compared_methods_have_an_effect(grown):
    compiled, _ = grown

    def counts(part, name):
        return int(compiled[f"{part}, counter"][COUNTERS.index(name)])

    for method in METHODS:
        assert counts(f"connect4 {method}", "simulations") > 100
    trees = {
        tuple(compiled[f"connect4 {method}, {part}"].tobytes() for part in ("edge", "chosen")) for method in METHODS
    }
    assert len(trees) == len(METHODS), "no two methods have the same trees and choices"
    assert counts("tictactoe puct", "proofs") > 20
    assert counts("connect4 everything", "cache_hits") > 5
    assert (compiled["connect4 puct, child"]["kind"] == FORESEEN).any()
    assert not (compiled["connect4 blind, child"]["kind"] == FORESEEN).any()
    assert (compiled["connect4 puct, tree"]["foreseen"] > 0).any()
    assert counts("connect4 several leaves", "collisions") > 0
    assert counts("wallgame:classic:4x4 everything", "widenings") > 2
    for name in ("plain", "forced", "gumbel"):
        assert len(np.unique(compiled[f"games {name}, game_id"])) == 6
    assert compiled["games forced, report"][-2:].tolist() != [0, 0] or len(compiled["games forced, ply"]) < 40
    assert (compiled["games gumbel, policy_weight"] > 0).all()


def test_every_setting_of_the_search_is_compared():
    """Require every setting to be used by a method here."""
    script = SCRIPT.read_text()
    missing = [name for name in SearchSettings.__struct_fields__ if f'"{name}"' not in script]
    assert not missing


@pytest.mark.full
def test_no_index_of_a_search_is_out_of_bounds():
    command = [sys.executable, SCRIPT.with_name("play_checked.py")]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1100, check=False)
    assert run.returncode == 0, run.stderr
    lines = [line.split() for line in run.stdout.splitlines()]
    assert [(game, int(games)) for game, games, *_ in lines] == [
        *(("connect4:ahead", 6), ("connect4:ahead", 12)),
        *(("wallgame:classic:5x5", 6), ("wallgame:classic:5x5", 12)),
    ]
    assert all(int(simulations) > 500 for *_, simulations, _ in lines)
    assert any(int(widenings) > 0 for *_, widenings in lines)
