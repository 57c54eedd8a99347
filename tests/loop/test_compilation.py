"""`ludus compile` compiles all that play, engines, matches and training need, so that the cache may be read-only."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.loop.compilation import games_in_use, groups

ROOT = Path(__file__).parents[2]
QUESTION = {"type": "analyse", "id": "1", "game": "tictactoe", "visits": 50, "ownership": True}
PRESET = """
name = "quick"
games = ["tictactoe"]
generations = 2
workers = 2
network = { blocks = 1, channels = 4, head_channels = 2 }
selfplay = { games = 8, first_games = 8, parallel = 4, visits = 4, fast_visits = 2 }
learner = { batch = 8, max_steps = 2 }
match = { pairs = 1, visits = 4, previous = [1], anchor_visits = 4, anchor_every = 1 }
"""
USES = {
    "train quick.toml --run run": "",
    "play run/models/gen-0001.safetensors": "moves\nb2\n",
    "play playouts:20 --game tictactoe": "b2\n",
    "match run/models/gen-0001.safetensors minimax:3 --pairs 2": "",
    "match ucb:20 playouts:20 --game tictactoe --pairs 2": "",
    "precompute run/models/gen-0001.safetensors x.ev --opening-depth 2 --visits 8": "",
    "engine analysis --model run/models/gen-0001.safetensors": json.dumps(QUESTION) + "\n",
    "engine bgs --sense tictactoe": "",
    "check tictactoe --games 3": "",
}


def ludus(folder, words, text=""):
    ran = subprocess.run(
        [sys.executable, "-m", "ludus", *words.split()],
        cwd=folder,
        env=os.environ | {"LUDUS_CACHE": str(folder / "cache")},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def contents(folder):
    """Return name and time of each file of the cache."""
    return {str(path): path.stat().st_mtime_ns for path in (folder / "cache" / "compiled").rglob("*") if path.is_file()}


def test_one_game_stands_for_all_that_share_compiled_code():
    names = [game.name for game in groups(["connect4", "go:9x9", "go:7x7", "gomoku:9x9", "gomoku:15x15"])]
    assert [name.split(":")[0] for name in names if "connect4" in name] == ["connect4"]
    assert "go:7x7" not in names
    assert "gomoku:15x15" not in names


def test_the_games_of_presets_models_and_bots_are_compiled():
    found = games_in_use([ROOT / "models"])
    assert len(found) == len({*found})
    assert {"tictactoe", "chess", "wallgame:freestyle:12x10"} <= {*found}
    assert {spec.partition(":")[0] for spec in found} == {"chess", "connect4", "go", "gomoku", "tictactoe", "wallgame"}


@pytest.mark.full
def test_after_it_has_run_nothing_is_compiled_any_more_and_the_cache_may_be_read_only(tmp_path):
    (tmp_path / "quick.toml").write_text(PRESET)
    assert "training in" in ludus(tmp_path, "compile tictactoe --web")
    assert len([*(tmp_path / "cache" / "compiled" / "webassembly").glob("*.wasm")]) == 1
    locks = tmp_path / "cache" / "compiled" / "locks"
    for lock in locks.iterdir():
        lock.unlink()
    locks.rmdir()
    locks.write_text("no lock can be written here")  # even for root, who may write to read-only folders
    before = contents(tmp_path)
    for words, text in USES.items():
        assert "compiling" not in ludus(tmp_path, words, text), words
    assert contents(tmp_path) == before
