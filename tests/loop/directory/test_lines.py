"""Records of a run are read as they were written; a torn last line is ignored, other damage is reported."""

import json
from pathlib import Path

import msgspec
import pytest

from ludus.errors import BadRecord, Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics, append, read


def line_of(folder, struct):
    """Return the bytes of a line as they are in the file."""
    append(folder / "one.jsonl", struct)
    return (folder / "one.jsonl").read_bytes()


def test_lines_are_read_as_they_were_written(tmp_path, metrics, match):
    folder = Folder(tmp_path)
    assert folder.metrics() == folder.matches() == folder.history() == []
    lines = [metrics(0), metrics(1, elo=12.5, elo_error=30.0)]
    for line in (*lines, match(), match("gen-0002")):
        folder.note(line)
    assert folder.metrics() == lines
    assert folder.matches() == [match(), match("gen-0002")]
    first = json.loads((tmp_path / "metrics.jsonl").read_text().splitlines()[0])
    assert (first["generation"], first["facts"]["games"]) == (0, 12), "a line is plain JSON"


def test_a_torn_last_line_is_ignored_and_replaced(tmp_path, metrics):
    whole = line_of(tmp_path, metrics(1))[:-1]
    for length in (1, 20, len(whole) - 1, len(whole)):  # the last length lacks only the line's end
        folder = Folder(tmp_path / str(length))
        folder.path.mkdir()
        folder.note(metrics(0))
        with (folder.path / "metrics.jsonl").open("ab") as file:
            file.write(whole[:length])
        assert folder.metrics() == [metrics(0)]
        folder.note(metrics(1, evaluations=9))
        folder.note(metrics(2))
        assert folder.metrics() == [metrics(0), metrics(1, evaluations=9), metrics(2)]


def test_a_file_of_a_torn_line_alone_is_empty(tmp_path, match):
    folder = Folder(tmp_path)
    (tmp_path / "matches.jsonl").write_bytes(b'{"a":"gen-00')
    assert folder.matches() == []
    folder.note(match())
    assert folder.matches() == [match()]


@pytest.mark.parametrize("damage", [b"{}", b"", b'{"generation": "one"}', b"\xff\xfe"])
def test_a_damaged_line_in_the_middle_is_reported(tmp_path, metrics, damage):
    whole = line_of(tmp_path, metrics(0))
    (tmp_path / "metrics.jsonl").write_bytes(whole + damage + b"\n" + whole)
    with pytest.raises(BadRecord, match=r"metrics.jsonl, line 2: is damaged .*restore it"):
        Folder(tmp_path).metrics()


def test_every_changed_byte_of_a_line_is_noticed(tmp_path, match):
    whole = line_of(tmp_path, match())
    for at in range(len(whole) - 1):
        changed = bytearray(whole)
        changed[at] ^= 1
        (tmp_path / "matches.jsonl").write_bytes(bytes(changed))
        with pytest.raises(BadRecord, match="line 1: is damaged"):
            Folder(tmp_path).matches()


def test_generations_that_are_not_in_order_are_refused(tmp_path, metrics):
    folder = Folder(tmp_path)
    folder.note(metrics(0))
    folder.note(metrics(2))
    with pytest.raises(BadRecord, match="generations are not numbered 0, 1, 2"):
        folder.metrics()


def test_a_line_of_a_later_version_can_be_read(tmp_path, metrics):
    class Later(GenerationMetrics, frozen=True):
        new: int = 1

    append(tmp_path / "metrics.jsonl", Later(**msgspec.structs.asdict(metrics(0))))
    assert Folder(tmp_path).metrics() == [metrics(0)]


def test_a_line_of_another_form_is_refused(tmp_path, match):
    append(tmp_path / "metrics.jsonl", match())
    with pytest.raises(BadRecord, match="line 1: written by another version of Ludus"):
        read(tmp_path / "metrics.jsonl", GenerationMetrics)


def test_an_unwritable_record_is_reported(tmp_path, metrics):
    (tmp_path / "metrics.jsonl").mkdir()
    with pytest.raises(Unavailable, match=r"metrics\.jsonl: cannot be written"):
        Folder(tmp_path).note(metrics(0))


def test_an_unreadable_record_is_reported(tmp_path, metrics, monkeypatch):
    folder = Folder(tmp_path)
    folder.note(metrics(0))

    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(Unavailable, match=r"metrics\.jsonl: cannot be read \(Permission denied\); fix"):
        folder.metrics()
