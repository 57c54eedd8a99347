"""Verification reports all faults of a run's directory, even if there are several."""

import shutil

import msgspec
import numpy as np
import pytest

from ludus.games.behaviour import behaviour
from ludus.games.registry import game
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.journal import Journal
from ludus.loop.directory.verify import verify
from ludus.loop.run import Run
from ludus.store import Samples, read_shard, shard_path, write_shard


@pytest.fixture(scope="module")
def finished(tiny, tmp_path_factory):
    """Return the directory of a finished run."""
    path = tmp_path_factory.mktemp("finished")
    Run(tiny, path).go()
    return path


@pytest.fixture
def folder(finished, tmp_path):
    """Return a copy of the run, which a test may damage."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    assert verify(Folder(tmp_path)) == []
    return Folder(tmp_path)


def damage(path, at=-9):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


def test_every_damaged_file_is_reported(folder):
    names = [
        "preset.toml", "metrics.jsonl", "history.jsonl", "matches.jsonl", "gen-0000-0000.shard", "gen-0001-0000.shard",
        "gen-0000.safetensors", "learner.safetensors", "games.journal",
    ]  # fmt: skip
    journal = Journal(folder.journal, 2, behaviour(game("tictactoe")))
    journal.add(read_shard(shard_path(folder.shards, 0, 0)))
    journal.close()
    (folder.path / "preset.toml").write_text("games = [")
    for name in ("metrics.jsonl", "history.jsonl", "matches.jsonl"):
        damage(folder.path / name, 5)
    for index in (0, 1):
        damage(shard_path(folder.shards, index, 0))
    damage(folder.model(0))
    damage(folder.path / "learner.safetensors")
    damage(folder.journal, 3)
    faults = verify(folder)
    assert len(faults) == len(names), faults
    for name in names:
        assert sum(name in fault for fault in faults) == 1, name


def test_a_run_that_is_being_trained_is_not_verified(folder):
    damage(folder.path / "metrics.jsonl", 5)
    with folder.locked():
        assert verify(folder) == [
            f"{folder.path}: another process is training here; verify the run after that has ended."
        ]
    assert "metrics.jsonl, line 1: is damaged" in verify(folder)[0]
    (folder.path / "run.lock").unlink(missing_ok=True)
    verify(folder)
    assert not (folder.path / "run.lock").exists(), "verification creates no files"


def test_a_damaged_record_does_not_hide_what_is_missing(folder):
    damage(folder.path / "matches.jsonl", 5)
    shard_path(folder.shards, 1, 0).unlink()
    faults = verify(folder)
    assert len(faults) == 2, faults
    assert "matches.jsonl, line 1: is damaged" in faults[0]
    assert "gen-0001-0000.shard: is missing" in faults[1]


def test_files_that_are_no_shards_are_passed_over(folder):
    for name in ("copy.shard", "gen-0000-0000 (1).shard", "gen-.shard"):
        shutil.copy(shard_path(folder.shards, 0, 0), folder.shards / name)
    assert verify(folder) == []


def test_generations_of_five_digits_are_looked_at(folder, tiny):
    rules = behaviour(game("tictactoe"))
    write_shard(shard_path(folder.shards, 10_000, 0), Samples.empty(1), rules_key=rules, names=tiny.games)
    (fault,) = verify(folder)
    assert "gen-10000-0000.shard: game numbers are not 0 to 11, each once" in fault


def test_all_shards_of_a_generation_are_looked_at(folder, tiny):
    first = shard_path(folder.shards, 0, 0)
    samples = read_shard(first)
    rules = behaviour(game("tictactoe"))
    begins_later = samples.game_id >= 8
    for index, part in enumerate((~begins_later, begins_later)):
        taken = samples.take(np.flatnonzero(part))
        write_shard(shard_path(folder.shards, 0, index), taken, rules_key=rules, names=tiny.games)
    assert verify(folder) == [], "two shards may hold the games of one generation"
    damage(shard_path(folder.shards, 0, 1))
    (fault,) = verify(folder)
    assert "gen-0000-0001.shard: its checksum is wrong" in fault
    shutil.copy(first, shard_path(folder.shards, 0, 1))
    games, positions = verify(folder)
    assert "gen-0000-0001.shard: game numbers are not 0 to 15, each once" in games
    assert "positions, but metrics.jsonl states" in positions


def test_a_gates_match_and_a_measured_match_are_both_valid(folder):
    (measured,) = [match for match in folder.matches() if (match.a, match.b) == ("gen-0001", "gen-0000")]
    tested = msgspec.structs.replace(measured, sequential=True)
    folder.note(tested)
    assert verify(folder) == []
    folder.note(tested)
    assert verify(folder) == ["matches.jsonl: gen-0001 met gen-0000 2 times."]
