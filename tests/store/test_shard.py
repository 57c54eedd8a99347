"""Shards return the written samples, and detect any damage."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import BadRecord, Unavailable
from ludus.store import Samples, read_header, read_shard, write_shard
from ludus.store.samples import DTYPES


def random_samples(seed: int, num_positions: int, words: int = 3) -> Samples:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 5, num_positions)
    start = np.concatenate([[0], np.cumsum(counts)])
    weight = rng.random(start[-1])
    sums = np.add.reduceat(weight, start[:-1]) if num_positions else weight
    arrays = {
        "states": rng.integers(0, 2**64, (num_positions, words), dtype=np.uint64),
        "game": rng.integers(0, 2, num_positions),
        "ply": rng.integers(0, 300, num_positions),
        "mover": rng.integers(0, 2, num_positions),
        "action": rng.integers(-1, 1000, num_positions),
        "policy_start": start,
        "policy_action": rng.integers(0, 1000, start[-1]),
        "policy_weight": weight / np.repeat(sums, counts),
        "outcome": rng.integers(1, 4, num_positions),
        "root_value": rng.uniform(-1, 1, num_positions),
        "root_draw": rng.random(num_positions),
        "surprise": rng.random(num_positions),
        "weight": rng.random(num_positions),
        "network": rng.integers(-1, 9, num_positions),
        "game_id": rng.integers(0, 2**60, num_positions),
    }
    return Samples(**{name: array.astype(DTYPES[name]) for name, array in arrays.items()})


def assert_alike(one: Samples, other: Samples):
    for field in dataclasses.fields(Samples):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name), field.name)


def write(path: Path, samples: Samples) -> Path:
    write_shard(path, samples, rules_key="abc", names=["connect4", "tictactoe"])
    return path


@given(st.integers(0, 2**32), st.integers(0, 40), st.integers(1, 5))
def test_a_shard_gives_back_what_was_written(tmp_path_factory, seed, num_positions, words):
    path = tmp_path_factory.mktemp("shards") / "gen-0000-0000.shard"
    samples = random_samples(seed, num_positions, words)
    assert_alike(read_shard(write(path, samples), rules_key="abc"), samples)
    header = read_header(path)
    assert (header.rules_key, header.names) == ("abc", ["connect4", "tictactoe"])
    assert (header.num_positions, header.num_words) == (num_positions, words)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_every_changed_byte_is_detected(tmp_path):
    path = write(tmp_path / "a.shard", random_samples(1, 3))
    data = path.read_bytes()
    for place in range(len(data)):
        for change in (1, 2, 4, 8, 16, 32, 64, 128, 255):
            path.write_bytes(data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])
            with pytest.raises(BadRecord, match=r"a\.shard: "):
                read_shard(path)


def test_every_cut_and_every_longer_file_is_detected(tmp_path):
    path = write(tmp_path / "a.shard", random_samples(1, 3))
    data = path.read_bytes()
    for damaged in [*(data[:length] for length in range(len(data))), data + b"\0", data + data]:
        path.write_bytes(damaged)
        with pytest.raises(BadRecord, match=r"a\.shard: "):
            read_shard(path)


def test_a_damaged_header_is_detected_without_the_body(tmp_path):
    path = write(tmp_path / "a.shard", random_samples(1, 3))
    data = path.read_bytes()
    for place in range(data.index(b"}") + 1):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BadRecord, match=r"a\.shard: "):
            read_header(path)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "this is not a Ludus shard of self-play positions"),
        (
            b"PK\x03\x04 some other kind of file, long enough for a prefix",
            "this is not a Ludus shard of self-play positions",
        ),
        (b"LUDUS\x00SH\x09\x00\x00\x00" + bytes(40), "shard version 9; this Ludus reads version 2"),
    ],
)
def test_other_files_are_refused(tmp_path, data, sentence):
    (tmp_path / "a.shard").write_bytes(data)
    with pytest.raises(BadRecord, match=sentence):
        read_shard(tmp_path / "a.shard")


def test_a_missing_shard_is_reported_in_one_line(tmp_path):
    with pytest.raises(BadRecord, match=r"cannot be read \(No such file or directory\)"):
        read_shard(tmp_path / "a.shard")


def test_shards_of_other_rules_are_refused(tmp_path):
    path = write(tmp_path / "a.shard", random_samples(1, 3))
    with pytest.raises(BadRecord, match=r"written with other rules \(abc, now def\)"):
        read_shard(path, rules_key="def")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_only_the_old_file(tmp_path, monkeypatch, call):
    def full(*_args):
        raise OSError(28, "No space left on device")

    old = random_samples(1, 3)
    path = write(tmp_path / "a.shard", old)
    monkeypatch.setattr("os.fsync" if call == "fsync" else "pathlib.Path.replace", full)
    with pytest.raises(Unavailable, match=r"a\.shard: cannot be written \(No space left on device\)"):
        write(path, random_samples(2, 5))
    assert [file.name for file in tmp_path.iterdir()] == ["a.shard"]
    assert_alike(read_shard(path), old)


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be written"):
        write(tmp_path / "file" / "a.shard", random_samples(1, 3))


def test_an_interrupted_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(_descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "a.shard", random_samples(1, 3))
    assert list(tmp_path.iterdir()) == []


def test_the_games_of_a_shard_are_found_from_every_folder(tmp_path, monkeypatch):
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    Path("mine.py").touch()
    write_shard(Path("a.shard"), random_samples(1, 3), rules_key="rules", names=["mine.py:5x5", "connect4"])
    monkeypatch.chdir(tmp_path)
    Path("project").rename("moved")
    assert read_header(Path("moved/a.shard")).names == ["moved/mine.py:5x5", "connect4"]
