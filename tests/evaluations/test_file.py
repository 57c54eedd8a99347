"""Evaluation files return the added entries, also after damage and to concurrent readers."""

import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock, Timeout
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.evaluations.entry import GUIDE, crc32
from ludus.evaluations.file import EvaluationFile, FileInfo, read_info
from ludus.evaluations.index import SKIPPED, Rows
from ludus.files import write_atomically

INFO = FileInfo("mygame", "rules", "start", "model, generation 3", "weights")
ACTIONS = 81
STEP = 1 / 2048


def rows(count, seed=0, actions=ACTIONS):
    """Return random evaluations."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, actions + 1, count).astype(np.int32)
    legal = np.zeros((count, actions), np.int16)
    for row in range(count):
        legal[row, : counts[row]] = np.sort(rng.permutation(actions)[: counts[row]])
    return Rows(
        keys=rng.integers(1, 1 << 63, count).astype(np.uint64) * np.uint64(2) + np.uint64(1),
        actions=legal,
        counts=counts,
        logits=(3 * rng.standard_normal((count, actions))).astype(np.float32),
        outcomes=rng.dirichlet((1, 1, 1), count).astype(np.float32),
    )


def blank(asked):
    return asked._replace(logits=np.zeros_like(asked.logits), outcomes=np.zeros_like(asked.outcomes))


def policy(logits):
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return weights / weights.sum()


def found_in(file, asked):
    """Return which rows are found, and check that these are equal to the added ones."""
    read = blank(asked)
    found = file.look_up(read)
    for row in np.flatnonzero(found):
        actions = asked.actions[row, : asked.counts[row]]
        wanted, policy_read = policy(asked.logits[row, actions]), policy(read.logits[row, actions])
        assert np.abs(wanted - policy_read).max() < 2 * STEP
        assert np.abs(asked.outcomes[row] - read.outcomes[row]).max() < 1e-4
    return found


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.ev"


def make(path, *parts):
    """Write a file with one session for each part; return its bytes."""
    for part in parts:
        with EvaluationFile(path, "append", begin=INFO) as file:
            file.add(part)
    return path.read_bytes()


def test_added_positions_are_found_at_once_and_by_later_readers(path):
    added = rows(300)
    with EvaluationFile(path, "append", begin=INFO) as file:
        assert not file.look_up(blank(added)).any()
        file.add(added)
        assert found_in(file, added).all()
        assert not file.look_up(blank(rows(300, seed=1))).any()
    with EvaluationFile(path) as file:
        assert found_in(file, added).all()
        assert (len(file), file.tally[SKIPPED], file.info) == (300, 0, INFO)
    assert read_info(path) == INFO


def test_a_position_is_stored_once(path):
    added = rows(50)
    first = make(path, added)
    assert make(path, added) == first
    with EvaluationFile(path, "append") as file:
        file.add(Rows(*(np.concatenate([each, each]) for each in rows(5, seed=2))))
        assert len(file) == 55


def test_rows_without_actions_are_neither_added_nor_found(path):
    added = rows(4)
    added.counts[1:3] = 0
    with EvaluationFile(path, "append", begin=INFO) as file:
        file.add(added)
        assert found_in(file, added).tolist() == [True, False, False, True]


def test_probabilities_of_legal_actions_are_never_zero(path):
    added = rows(1)
    added.logits[0] = -50.0
    added.logits[0, added.actions[0, 0]] = 50.0
    with EvaluationFile(path, "append", begin=INFO) as file:
        file.add(added)
        read = blank(added)
        file.look_up(read)
    shares = policy(read.logits[0, added.actions[0, : added.counts[0]]])
    assert 0.99 < shares[0] < 1.0
    assert (shares > 0.0).all()


def test_there_is_a_guide_after_every_1024_entries(path):
    data = make(path, rows(2500))
    places = [at for at in range(len(data)) if data.startswith(GUIDE, at)]
    assert len(places) == 3
    make(path, rows(10, seed=1))
    assert path.read_bytes().count(GUIDE) == 4


def test_a_file_truncated_at_any_byte_keeps_all_entries_before(path, tmp_path):
    added = rows(12)
    whole = make(path, added)
    begin = whole.index(GUIDE)
    cut = tmp_path / "cut.ev"
    sizes = []
    for size in range(begin, len(whole) + 1):
        cut.write_bytes(whole[:size])
        with EvaluationFile(cut) as file:
            found = found_in(file, added)
            assert found.tolist() == [True] * len(file) + [False] * (12 - len(file)), "the first ones"
            sizes.append(len(file))
    assert sizes == sorted(sizes)
    assert set(sizes) == set(range(13))


def test_a_truncated_file_can_be_appended_to(path, tmp_path):
    added, more = rows(12), rows(12, seed=1)
    whole = make(path, added)
    for size in range(whole.index(GUIDE), len(whole), 7):
        cut = tmp_path / "cut.ev"
        cut.write_bytes(whole[:size])
        with EvaluationFile(cut, "append") as file:
            file.add(more)
            assert found_in(file, more).all()
        with EvaluationFile(cut) as file:
            assert found_in(file, more).all()
            assert len(file) >= 12


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damage_affects_only_the_damaged_entries(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damage") / "book.ev"
    added = rows(40, seed=data.draw(st.integers(0, 5)))
    whole = bytearray(make(path, added))
    begin = whole.index(GUIDE)
    at = data.draw(st.integers(begin, len(whole) - 1))
    size = data.draw(st.integers(1, 120))
    damage = data.draw(st.sampled_from([b"\0", b"\xff", b"LU", bytes(range(256))])) * size
    ends = ends_of_entries(bytes(whole), begin)
    whole[at : at + size] = damage[: len(whole[at : at + size])]
    path.write_bytes(whole)
    with EvaluationFile(path) as file:
        found = found_in(file, added)
        for row, (first, end) in enumerate(ends):
            if end <= at or first >= at + size:
                assert found[row], "an entry beside the damage"


def ends_of_entries(data, at):
    """Return the offsets of all entries, computed from the description of the format."""
    found = []
    while at < len(data):
        if data.startswith(GUIDE, at):
            at += 16
            continue
        end = at + 18 + int.from_bytes(data[at + 4 : at + 6], "little")
        assert zlib.crc32(data[at + 4 : end]) == int.from_bytes(data[at : at + 4], "little")
        found.append((at, end))
        at = end
    return found


@given(st.binary(max_size=50))
def test_the_checksum_is_that_of_zlib(data):
    assert crc32(np.frombuffer(data, np.uint8), 0, len(data)) == zlib.crc32(data)


def test_a_reader_finds_what_is_appended_meanwhile(path):
    first, second = rows(20), rows(20, seed=1)
    with EvaluationFile(path, "append", begin=INFO) as writer, EvaluationFile(path) as reader:
        writer.add(first)
        assert not reader.look_up(blank(first)).any()
        reader.refresh()
        assert found_in(reader, first).all()
        writer.add(second)
        reader.refresh()
        assert found_in(reader, second).all()
        assert found_in(reader, first).all()


def test_a_partly_written_entry_is_found_when_complete(path):
    added = rows(3)
    whole = make(path, added)
    path.write_bytes(whole[:-5])
    with EvaluationFile(path) as reader:
        assert found_in(reader, added).tolist() == [True, True, False]
        with path.open("ab") as file:
            file.write(whole[-5:])
        reader.refresh()
        assert found_in(reader, added).all()
        assert reader.tally[SKIPPED] == 0


def test_one_process_appends_at_a_time(path):
    make(path, rows(1))
    program = (
        "import sys; from pathlib import Path; from ludus.evaluations.file import EvaluationFile\n"
        "try: EvaluationFile(Path(sys.argv[1]), 'append')\n"
        "except Exception as error: print(error)"
    )
    with EvaluationFile(path, "append"):
        said = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True).stdout
        assert "another process appends to this file" in said
    EvaluationFile(path, "append").close()


def test_a_folder_that_does_not_support_locks_is_reported_as_such(path, monkeypatch):
    def refuse(lock, **_settings):  # as FileLock does on a file system where it cannot create its file
        raise Timeout(lock.lock_file)

    make(path, rows(1))
    path.with_name(f".{path.name}.lock").unlink(missing_ok=True)
    monkeypatch.setattr(FileLock, "acquire", refuse)
    with pytest.raises(Unavailable, match=r"cannot be written .its lock file cannot be created."):
        EvaluationFile(path, "append")


def test_two_processes_that_create_a_file_lose_nothing(path, monkeypatch):
    def begin_meanwhile(there, data):
        with pytest.raises(BadInput, match="another process appends"):
            EvaluationFile(path, "append", begin=INFO)
        write_atomically(there, data)

    monkeypatch.setattr("ludus.evaluations.file.write_atomically", begin_meanwhile)
    make(path, rows(10))
    with EvaluationFile(path, "append", begin=INFO) as file:
        assert found_in(file, rows(10)).all()


@pytest.mark.parametrize("begin", [None, INFO])
def test_an_unusable_file_is_not_locked(path, begin):
    path.write_bytes(b"nonsense")
    with pytest.raises(BadRecord):
        EvaluationFile(path, "append", begin=begin)
    assert list(path.parent.iterdir()) == [path]


def test_a_missing_folder_is_created_only_for_a_new_file(tmp_path):
    path = tmp_path / "new" / "book.ev"
    with pytest.raises(BadInput, match="no such file"):
        EvaluationFile(path, "append")
    assert not path.parent.exists()
    make(path, rows(10))


def test_the_index_grows_up_to_its_limit_and_then_leaves_out(path):
    many = rows(4000, actions=5)
    with EvaluationFile(path, "append", begin=INFO) as file:
        file.add(many)
        assert found_in(file, many).all()
    with EvaluationFile(path, index_bytes=1024 * 8) as file:
        found = found_in(file, many)
        assert file.index_nbytes == 8192
        assert found[:768].all()
        assert found.sum() == len(file) == 768
        assert file.left_out == 4000 - 768
    size = path.stat().st_size
    with EvaluationFile(path, "append", index_bytes=1024 * 8) as file:
        assert file.is_full
        file.add(rows(10, seed=9, actions=5))
    assert path.stat().st_size <= size + len(GUIDE)


def test_more_bytes_than_the_buffer_can_be_appended_in_one_session(path, monkeypatch):
    monkeypatch.setattr("ludus.evaluations.file.NEW_BYTES", 1 << 13)
    with EvaluationFile(path, "append", begin=INFO) as file:
        parts = [rows(100, seed=seed, actions=362) for seed in range(4)]
        for part in parts:
            part.logits[:] /= 3  # flat policies take many bytes
            file.add(part)
        assert file.size > 4 << 13
        assert all(file.look_up(blank(part)).all() for part in parts)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda data: b"", "not a Ludus evaluation file"),
        (lambda data: b"LUDUS\0SH" + data[8:], "not a Ludus evaluation file"),
        (lambda data: data[:8] + b"\2" + data[9:], "version 2"),
        (lambda data: data[:60] + b"?" + data[61:], "header is damaged"),
        (lambda data: data[:60], "header is damaged"),
    ],
)
def test_a_file_of_another_format_is_refused(path, spoil, complaint):
    path.write_bytes(spoil(make(path, rows(1))))
    for read in (EvaluationFile, read_info):
        with pytest.raises(BadRecord, match=complaint):
            read(path)


def test_a_missing_file_is_named(path):
    with pytest.raises(BadInput, match="there is no such file"):
        EvaluationFile(path)


def test_the_game_of_a_file_is_found_from_every_folder(tmp_path, monkeypatch):
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    Path("mine.py").touch()
    begin = FileInfo("mine.py:5x5", "rules", "start", "model, generation 3", "weights")
    with EvaluationFile(Path("mine.ev"), "append", begin=begin) as file:
        assert file.info.game == "mine.py:5x5"
    monkeypatch.chdir(tmp_path)
    Path("project").rename("moved")
    assert read_info(Path("moved/mine.ev")).game == "moved/mine.py:5x5"
