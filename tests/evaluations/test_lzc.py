"""Files in the `.lzc` format: reading, recovery at the next guide after damage, and writing."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import BadRecord
from ludus.evaluations import lzc
from ludus.evaluations.lzc import GUIDE, HEAD, LzcFile, LzcWriter

GOLDEN = Path(__file__).parents[1] / "golden"


def test_an_entry_whose_last_point_is_large_is_read():
    file = LzcFile(GOLDEN / "nncache-9x9-edge.lzc", 81)
    with gzip.open(GOLDEN / "nncache-9x9-edge.jsonl.gz", "rt") as lines:
        lost = [record["hash"] for record in map(json.loads, lines) if record.get("original_decoder", "ok") != "ok"]
    hashes = {f"{each:016x}" for each in file.heads["hash"].tolist()}
    assert lost
    assert hashes >= set(lost) - {"f" * 16}


def entries(count, seed=0, points=81):
    """Return random hashes and policies."""
    rng = np.random.default_rng(seed)
    policies = rng.dirichlet(np.full(points, 0.05), count).astype(np.float32)
    return [int(each) for each in rng.integers(0, 1 << 63, count)], policies


def write(path, count, seed=0):
    hashes, policies = entries(count, seed)
    with LzcWriter(path) as writer:
        for position_hash, policy in zip(hashes, policies, strict=True):
            assert writer.add(position_hash, policy, 0.25, 0.5)
    return hashes


def test_each_session_begins_with_a_guide(tmp_path):
    path = tmp_path / "book.lzc"
    first, second = write(path, 3), write(path, 2, seed=1)
    assert path.read_bytes().count(GUIDE) == 2
    assert LzcFile(path, 81).heads["hash"].tolist() == first + second


def test_reserved_hashes_and_long_policies_are_not_written(tmp_path):
    with LzcWriter(tmp_path / "book.lzc") as writer:
        _, policies = entries(1)
        assert not writer.add((1 << 64) - 1, policies[0], 0.0, 0.0)
        assert not writer.add(5, np.full(361, 40 / 2048, np.float32), 0.0, 0.0)
    assert len(LzcFile(tmp_path / "book.lzc", 81)) == 0


@pytest.mark.parametrize("text", [b"", b"\xfeLN", b"something else"])
def test_another_kind_of_file_is_refused(tmp_path, text):
    (tmp_path / "x.lzc").write_bytes(text)
    with pytest.raises(BadRecord, match=r"not an \.lzc file"):
        LzcFile(tmp_path / "x.lzc", 81)
    if text:
        with pytest.raises(BadRecord, match="another one to write to"):
            LzcWriter(tmp_path / "x.lzc")


def test_damage_does_not_affect_entries_after_the_next_guide(tmp_path):
    path = tmp_path / "book.lzc"
    write(path, 30)
    size = path.stat().st_size
    later = write(path, 20, seed=1)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(60):
        data = bytearray(whole)
        at = int(rng.integers(4, size - 40))
        data[at : at + 30] = rng.bytes(30)
        (tmp_path / "damaged.lzc").write_bytes(data)
        found = LzcFile(tmp_path / "damaged.lzc", 81).heads["hash"].tolist()
        assert found[-20:] == later


def test_a_file_truncated_at_any_byte_keeps_all_entries_before_and_can_be_appended_to(tmp_path):
    path, cut = tmp_path / "book.lzc", tmp_path / "cut.lzc"
    hashes = write(path, 6)
    whole, sizes = path.read_bytes(), []
    for size in range(whole.index(GUIDE), len(whole) + 1):
        cut.write_bytes(whole[:size])
        found = LzcFile(cut, 81).heads["hash"].tolist()
        assert found == hashes[: len(found)]
        sizes.append(len(found))
        if size % 5 == 0:
            more = write(cut, 2, seed=1)
            assert LzcFile(cut, 81).heads["hash"].tolist()[-2:] == more
    assert sizes == sorted(sizes)
    assert set(sizes) == set(range(7))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 255), st.integers(0, 255))
def test_ones_beside_a_guide_do_not_hide_it(tmp_path_factory, before, behind):
    """Read past a guide between a broken entry that ends in ones and a hash that begins with them."""
    folder = tmp_path_factory.mktemp("ones")
    path = folder / "book.lzc"
    write(path, 2)
    broken = bytes([1] * 16 + [3, 7, before, 255])
    hashes, policies = entries(1, seed=3)
    position_hash = hashes[0] & ~0xFFFF | 0xFF | behind << 8
    with path.open("ab") as file:
        file.write(broken)
    with LzcWriter(path) as writer:
        assert writer.add(position_hash, policies[0], 0.25, 0.5)
    assert LzcFile(path, 81).heads["hash"].tolist()[-1] == position_hash


class Counted(np.ndarray):
    """Bytes that count their reads."""

    reads = 0

    def __getitem__(self, at):
        Counted.reads += 1
        return super().__getitem__(at)


def test_reading_after_a_long_run_of_ones_takes_linear_time():
    values, reads = np.zeros(81, np.int32), []
    for count in (100, 1000):
        Counted.reads = 0
        data = np.full(count, 255, np.uint8).view(Counted)
        assert lzc._after_guide(data, 0, 81, values) == 16
        reads.append(Counted.reads)
    assert reads[0] == reads[1] > 0


@pytest.mark.parametrize("ones", range(14, 70))
def test_a_run_of_ones_between_entries_loses_no_entry(tmp_path, ones):
    path = tmp_path / "book.lzc"
    first = write(path, 2)
    with path.open("ab") as file:
        file.write(b"\xff" * ones)
    later = write(path, 2, seed=1)
    assert LzcFile(path, 81).heads["hash"].tolist() == first + later


def test_the_head_of_an_entry_has_its_17_bytes():
    assert HEAD.itemsize == 17
