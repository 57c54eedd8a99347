"""The records of a run are read as they were written; a torn last line is forgiven, other damage is named."""

import msgspec
import pytest

from ludus.arena import MatchResult
from ludus.errors import BadRecord, Unavailable
from ludus.learner.losses import Losses
from ludus.loop.folder import Folder, Metrics

WHOLE = ("games", "positions", "steps", "evaluations", "simulations", "cache_hits")


def metrics(generation, **changed):
    numbers = dict.fromkeys(Metrics.__struct_fields__, 0.5) | dict.fromkeys(WHOLE, 3)
    return Metrics(**numbers | {"generation": generation, "elo": None, "elo_error": None} | changed)


def match(a="gen-0001", b="gen-0000"):
    return MatchResult(a, b, ["tictactoe"], 1, 2, 1, [0, 0, 2, 0, 0], [5, 6, 7, 8], [], 3.5, 40.0)


def test_lines_are_read_as_they_were_written(tmp_path):
    folder = Folder(tmp_path)
    assert folder.metrics() == folder.matches() == []
    lines = [metrics(0), metrics(1, elo=12.5, elo_error=30.0)]
    for line in (*lines, match(), match("gen-0002")):
        folder.append(line)
    assert folder.metrics() == lines
    assert folder.matches() == [match(), match("gen-0002")]


def test_a_torn_last_line_is_forgiven_and_replaced(tmp_path):
    whole = msgspec.json.encode(metrics(1))
    for length in (1, 20, len(whole) - 1, len(whole)):  # the last one lacks nothing but its end
        folder = Folder(tmp_path / str(length))
        folder.path.mkdir()
        folder.append(metrics(0))
        with (folder.path / "metrics.jsonl").open("ab") as file:
            file.write(whole[:length])
        assert folder.metrics() == [metrics(0)]
        folder.append(metrics(1, games=9))
        folder.append(metrics(2))
        assert folder.metrics() == [metrics(0), metrics(1, games=9), metrics(2)]


def test_a_file_of_a_torn_line_alone_is_empty(tmp_path):
    folder = Folder(tmp_path)
    (tmp_path / "matches.jsonl").write_bytes(b'{"a":"gen-00')
    assert folder.matches() == []
    folder.append(match())
    assert folder.matches() == [match()]


@pytest.mark.parametrize("damage", [b"{}", b"", b'{"generation": "one"}', b"\xff\xfe"])
def test_a_damaged_line_in_the_middle_is_named(tmp_path, damage):
    folder = Folder(tmp_path)
    lines = [msgspec.json.encode(metrics(0)), damage, msgspec.json.encode(metrics(1)), b""]
    (tmp_path / "metrics.jsonl").write_bytes(b"\n".join(lines))
    with pytest.raises(BadRecord, match=r"metrics.jsonl, line 2: is damaged .*restore it"):
        folder.metrics()


def test_generations_that_are_not_in_order_are_refused(tmp_path):
    folder = Folder(tmp_path)
    folder.append(metrics(0))
    folder.append(metrics(2))
    with pytest.raises(BadRecord, match="generations are not 0, 1, 2"):
        folder.metrics()


def test_a_line_of_a_later_version_can_be_read(tmp_path):
    line = msgspec.to_builtins(metrics(0)) | {"new": 1}
    (tmp_path / "metrics.jsonl").write_bytes(msgspec.json.encode(line) + b"\n")
    assert Folder(tmp_path).metrics() == [metrics(0)]


def test_a_record_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "metrics.jsonl").mkdir()
    with pytest.raises(Unavailable, match=r"metrics\.jsonl: cannot be written"):
        Folder(tmp_path).append(metrics(0))


def test_a_directory_is_locked_by_one_at_a_time(tmp_path):
    refused = pytest.raises(Unavailable, match="another process is training here")
    with Folder(tmp_path).locked(), refused, Folder(tmp_path).locked():
        raise AssertionError("not reached")
    with Folder(tmp_path).locked():
        assert (tmp_path / "run.lock").exists()


def test_a_learner_comes_back_with_its_losses(tmp_path):
    import numpy as np

    folder = Folder(tmp_path)
    assert folder.load_learner() is None
    losses = Losses(1.5, 0.5, 2.0, 7, validation_policy=1.75, auxiliary={"reply": 3.0})
    timed = msgspec.structs.replace(losses, data_wait_share=0.25)
    folder.save_learner({"weight": np.ones(3, np.float32)}, 2, timed)
    kept = folder.load_learner()
    assert kept is not None
    assert (kept.generation, kept.losses) == (2, losses)
    assert kept.arrays.keys() == {"weight"}


def test_a_damaged_learner_is_named(tmp_path):
    from safetensors.numpy import save

    for data in (b"", b"nonsense" * 10, save({})):
        (tmp_path / "learner.safetensors").write_bytes(data)
        with pytest.raises(BadRecord, match=r"learner.safetensors: the file is damaged"):
            Folder(tmp_path).load_learner()
