"""Compiled and plain, the same source grows the same trees and plays the same games, bit by bit."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).with_name("grow_trees.py")


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Return the arrays of both ways; they are computed side by side."""
    folder = tmp_path_factory.mktemp("grown")
    runs = {
        name: subprocess.Popen(
            [sys.executable, SCRIPT, folder / f"{name}.npz"],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, plain in (("compiled", "0"), ("plain", "1"))
    }
    for run in runs.values():
        _, errors = run.communicate(timeout=300)
        assert run.returncode == 0, errors
    return tuple(dict(np.load(folder / f"{name}.npz")) for name in runs)


def assert_bits_are_equal(grown, part):
    compiled, plain = grown
    names = [name for name in compiled if name.startswith(f"{part}, ")]
    assert compiled.keys() == plain.keys()
    assert names
    for name in names:
        one, other = compiled[name], plain[name]
        assert (one.dtype, one.shape) == (other.dtype, other.shape), name
        for field in one.dtype.names or [...]:
            assert one[field].tobytes() == other[field].tobytes(), f"{name}, {field}"


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "wallgame:classic:5x5"])
def test_trees_with_noise_cache_reuse_and_several_leaves_are_the_same(grown, game):
    assert_bits_are_equal(grown, game)
    counters = dict(zip(("simulations", "evaluations", "cache_hits"), grown[0][f"{game}, counter"], strict=False))
    assert counters["simulations"] > 30
    assert counters["cache_hits"] > 0


@pytest.mark.parametrize("teacher", ["playouts", "heuristic"])
def test_trees_of_the_first_teachers_are_the_same(grown, teacher):
    assert_bits_are_equal(grown, teacher)


def test_games_of_self_play_are_the_same(grown):
    assert_bits_are_equal(grown, "self-play")
    assert len(np.unique(grown[0]["self-play, game_id"])) == 5
