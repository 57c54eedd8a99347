"""A run interrupted during self-play keeps its finished games; a full disk damages nothing."""

import errno
import pathlib
import threading

import msgspec
import numpy as np
import pytest

from ludus.errors import Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.journal import read_journal
from ludus.loop.directory.verify import verify
from ludus.loop.run import Run
from ludus.loop.stages import play, sources
from ludus.store import read_shard, shard_path


class Interruption(BaseException):
    """A stand-in for KeyboardInterrupt."""


@pytest.fixture(scope="module")
def quick(tiny):
    """Return a preset with one generation, no matches and two workers."""
    match = msgspec.structs.replace(tiny.match, pairs=0)
    return msgspec.structs.replace(tiny, generations=1, workers=2, deterministic=False, match=match)


def cut_short(run, after):
    """Train until `after` more games are in the journal, then interrupt."""
    real, lock, count = play.Journal.add, threading.Lock(), [0]

    def add(self, samples):
        with lock:
            if count[0] == after:
                raise Interruption
            count[0] += 1
        real(self, samples)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play.Journal, "add", add)
        with pytest.raises(Interruption):
            run.go()


def test_finished_games_survive_and_are_counted_once(quick, tmp_path):
    kept = {}
    for after in (3, 5, 1):
        cut_short(Run(quick, tmp_path), after)
        games = {int(each.game_id[0]): each for each in read_journal(tmp_path / "games.journal").games}
        assert len(games) == len(kept) + after
        for number, game in kept.items():
            assert np.array_equal(games[number].states, game.states), "a finished game does not change"
        kept = games
    Run(quick, tmp_path).go()
    samples = read_shard(shard_path(tmp_path / "shards", 0, 0))
    assert np.unique(samples.game_id).tolist() == list(range(16))
    for number, game in kept.items():
        assert np.array_equal(samples.states[samples.game_id == number], game.states)
    assert not (tmp_path / "games.journal").exists()
    assert verify(Folder(tmp_path)) == []


def test_a_continued_generation_does_not_play_the_same_games_again(quick, tmp_path, monkeypatch):
    seeds = []
    real = sources.WorkerPool
    monkeypatch.setattr(
        sources, "WorkerPool", lambda *args, **options: (seeds.append(options["seed"]), real(*args, **options))[1]
    )
    for _ in range(3):
        cut_short(Run(quick, tmp_path), 1)
    assert len(set(seeds)) == 3


class FullDisk:
    """A disk that is full after `writes` writes; the next write is cut off in its middle."""

    def __init__(self, writes):
        self.left = writes
        self.real = pathlib.Path.open

    def open(self, path, mode="r", *args, **options):
        file = self.real(path, mode, *args, **options)
        return file if mode in ("r", "rb") else FullFile(self, file)


class FullFile:
    """A file on a full disk."""

    def __init__(self, disk, file):
        self._disk, self._file = disk, file

    def write(self, data):
        self._disk.left -= 1
        if self._disk.left < 0:
            self._file.write(data[: len(data) // 2])
            self._file.flush()
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()


@pytest.mark.parametrize(
    "writes", [0, 4, 20, *(pytest.param(each, marks=pytest.mark.full) for each in (1, 2, 3, 9, 19, 21, 22, 23))]
)
def test_a_full_disk_is_reported_and_the_run_continues_when_space_is_freed(quick, tmp_path, writes):
    disk = FullDisk(writes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pathlib.Path, "open", lambda path, *args, **options: disk.open(path, *args, **options))
        with pytest.raises(Unavailable, match=r"cannot be written \(No space left .*; free disk space or") as caught:
            Run(quick, tmp_path).go()
    assert "\n" not in str(caught.value)
    before = {int(each.game_id[0]) for each in read_journal(tmp_path / "games.journal").games}
    Run(quick, tmp_path).go()
    assert verify(Folder(tmp_path)) == []
    assert len(Folder(tmp_path).metrics()) == 1
    assert len(before) == min(16, max(0, writes - 4)) or (tmp_path / "shards").exists()


def test_the_full_disk_test_covers_every_write_of_a_run(quick, tmp_path, monkeypatch):
    disk = FullDisk(10_000)
    monkeypatch.setattr(pathlib.Path, "open", lambda path, *args, **options: disk.open(path, *args, **options))
    Run(quick, tmp_path).go()
    assert 10_000 - disk.left == 24
