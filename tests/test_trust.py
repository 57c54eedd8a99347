"""Which files of games may run, and what commands remember of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus import trust
from ludus.paths import shown

PRESET = """
name = "mine"
games = ["mine.py"]
generations = 1
workers = 2
processes = 2
network = { blocks = 1, channels = 8, head_channels = 2 }
search = { cache_entries = 256 }
selfplay = { games = 12, first_games = 16, parallel = 6, visits = 8, fast_visits = 4 }
learner = { batch = 32, max_steps = 8 }
match = { pairs = 0 }
"""
COMMAND = [sys.executable, "-m", "ludus"]


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text("import ludus\n")
    return path


@pytest.fixture
def memory(tmp_path):
    """Return the file of remembered games, which this process uses until the test ends."""
    trust.remember_in(tmp_path / "cache" / "named-games.json")
    yield tmp_path / "cache" / "named-games.json"
    trust.remember_in(None)


def in_another_process():
    trust._named.clear()


def test_a_file_may_run_once_it_is_named_by_any_path(game, tmp_path):
    (tmp_path / "link.py").symlink_to(game)
    before = trust.permitted()
    assert "you have not named it yourself (a model mentions it)" in trust.refusal(game, "a model mentions it")
    trust.permit("connect4", f"{tmp_path / 'link.py'}:7x7")
    assert trust.refusal(game, "") is None
    assert trust.permitted() == (*before, str(tmp_path / "link.py"))


def test_a_command_remembers_a_file_until_it_changes(game, memory):
    trust.permit(str(game))
    in_another_process()
    assert trust.refusal(game, "") is None
    game.write_text("import ludus, os\n")
    assert "it has changed since you named it" in trust.refusal(game, "")
    trust.permit(str(game))
    in_another_process()
    assert trust.refusal(game, "") is None
    assert [*json.loads(memory.read_bytes())] == [str(game.resolve())]


def test_files_that_are_gone_are_forgotten(game, memory, tmp_path):
    trust.permit(str(game))
    game.unlink()
    other = tmp_path / "other.py"
    other.touch()
    trust.permit(str(other))
    assert [*json.loads(memory.read_bytes())] == [str(other.resolve())]


@pytest.mark.parametrize("damage", [b"", b"[1]", b'{"/x.py": 3}', b"\xff"])
def test_a_damaged_memory_remembers_nothing_and_is_written_again(game, memory, damage):
    trust.permit(str(game))
    memory.write_bytes(damage)
    in_another_process()
    assert trust.refusal(game, "")
    trust.permit(str(game))
    in_another_process()
    assert trust.refusal(game, "") is None


def test_without_a_cache_that_can_be_written_each_command_names_its_files(game, tmp_path):
    (tmp_path / "file").touch()
    trust.remember_in(tmp_path / "file" / "named-games.json")  # a folder that cannot be made, for root either
    try:
        trust.permit(str(game))
        assert trust.refusal(game, "") is None
        in_another_process()
        assert trust.refusal(game, "")
    finally:
        trust.remember_in(None)


def test_of_two_named_files_of_one_name_neither_stands_for_a_third(game, tmp_path):
    stored = "/nowhere/mygame.py"
    trust.permit(str(game))
    assert trust.found(stored, tmp_path / "a" / "model.safetensors") == shown(game)
    other = tmp_path / "b" / "mygame.py"
    other.parent.mkdir()
    other.touch()
    trust.permit(str(other))
    assert trust.found(stored, Path("/nowhere/model.safetensors")) == stored
    assert trust.found(str(other), Path("/nowhere/model.safetensors")) == shown(other)


def test_a_child_process_loads_no_module_from_the_working_directory(tmp_path):
    (tmp_path / "typer.py").write_text("import pathlib; pathlib.Path('ran').touch()\n")
    ran = subprocess.run([*trust.COMMAND, "runs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "contains no run" in ran.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.full
def test_a_game_that_one_command_named_plays_in_the_next(tmp_path):
    rules = Path(trust.__file__).parent / "games" / "tictactoe.py"
    (tmp_path / "mine.py").write_bytes(rules.read_bytes())
    (tmp_path / "mine.toml").write_text(PRESET)
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "compiled").symlink_to(Path(os.environ["LUDUS_CACHE"]) / "compiled")
    environment = os.environ | {"LUDUS_CACHE": str(cache)}

    def run(*words):
        return subprocess.run(
            [*COMMAND, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    assert run("train", "mine.toml", "--run", "run").returncode == 0
    told = run("match", "run/models/gen-0000.safetensors", "random", "--pairs", "2")
    assert told.returncode == 0, told.stderr
    (cache / "named-games.json").unlink()
    assert "you have not named it yourself" in run("runs", "run", "--verify").stdout
    assert run("runs", "run", "--verify", "--game", "mine.py").returncode == 0
