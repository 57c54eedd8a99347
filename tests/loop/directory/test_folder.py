"""A run's directory is locked by one process, records each start, and refuses changes that make another run."""

from pathlib import Path

import msgspec
import pytest

from ludus.errors import BadRecord, Unavailable
from ludus.learner.losses import Losses
from ludus.loop.directory.changes import Change, changes
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import RunStart
from ludus.loop.preset import GameShares
from ludus.network.config import NetworkSettings

START = RunStart(0, "2026-01-01", "0.1.0", "abc", "a processor", "3.11", 1, {"tictactoe": "0123456789abcdef"})


def test_allowed_changes_are_noted_in_the_history(tmp_path, tiny):
    folder = Folder(tmp_path)
    folder.begin(tiny, START)
    longer = msgspec.structs.replace(tiny, generations=9, match=msgspec.structs.replace(tiny.match, pairs=3))
    folder.begin(longer, msgspec.structs.replace(START, generation=2))
    assert folder.preset() == longer
    assert [start.changes for start in folder.history()] == [[], ["generations: 2 -> 9", "match.pairs: 2 -> 3"]]


def test_a_run_continues_after_it_or_its_project_was_moved(tmp_path, tiny, monkeypatch):
    project = tmp_path / "project"
    project.mkdir()
    (project / "mine.py").touch()
    monkeypatch.chdir(project)
    mine = msgspec.structs.replace(tiny, games=["mine.py", "tictactoe"])
    Folder(project / "runs" / "mine").begin(mine, START)
    monkeypatch.chdir(tmp_path)
    (project / "runs" / "mine").rename("moved")
    assert Folder(tmp_path / "moved").preset().games == ["project/mine.py", "tictactoe"]
    Path("moved").rename(project / "back")
    project.rename("renamed")
    kept = Folder(tmp_path / "renamed" / "back")
    assert kept.preset().games == ["renamed/mine.py", "tictactoe"]
    kept.begin(kept.preset(), START)
    assert str(tmp_path / "renamed" / "mine.py") in (kept.path / "preset.toml").read_text()


def test_a_run_refuses_other_rules_of_a_game_in_another_folder(tmp_path, tiny):
    folder = Folder(tmp_path / "run")
    one, other = (msgspec.structs.replace(tiny, games=[f"/{place}/mine.py"]) for place in ("one", "other"))
    folder.begin(one, msgspec.structs.replace(START, games={"/one/mine.py": "0000"}))
    folder.begin(other, msgspec.structs.replace(START, games={"/other/mine.py": "0000"}))
    with pytest.raises(BadRecord, match=r"made under other rules of /other/mine\.py \(0000, now 1111\)"):
        folder.begin(other, msgspec.structs.replace(START, games={"/other/mine.py": "1111"}))


@pytest.mark.parametrize(
    ("part", "setting", "change"),
    [
        ("learner", "batch", "learner.batch: 32 -> 64"),
        ("match", "visits", "match.visits: 4 -> 64"),  # otherwise ratings of earlier generations would be wrong
    ],
)
def test_forbidden_changes_are_refused(tmp_path, tiny, part, setting, change):
    folder = Folder(tmp_path)
    folder.begin(tiny, START)
    other = msgspec.structs.replace(tiny, **{part: msgspec.structs.replace(getattr(tiny, part), **{setting: 64})})
    with pytest.raises(Unavailable, match=rf"another preset \({change}\), which cannot change"):
        folder.begin(other, START)
    assert folder.preset() == tiny
    assert len(folder.history()) == 1


@pytest.mark.parametrize(
    ("setting", "value", "line"),
    [
        ("first_teacher", "playouts", 'first_teacher: "auto" -> "playouts"'),
        ("start_offset", (1, 2), "start_offset: [0, 0] -> [1, 2]"),
        (
            "shares",
            (GameShares((1.0,)), GameShares((2.0,), 3)),
            "shares: [] -> [{shares = [1.0], from_generation = 0}, {shares = [2.0], from_generation = 3}]",
        ),
        ("network", NetworkSettings(1, 8, 2, auxiliary=("reply",)), 'network.auxiliary: [] -> ["reply"]'),
        ("deterministic", False, "deterministic: true -> false"),
        ("start", 'a "model"', 'start: "" -> "a \\"model\\""'),
    ],
)
def test_a_change_is_formatted_as_in_the_preset_file(tiny, setting, value, line):
    before = msgspec.structs.replace(tiny, network=NetworkSettings(1, 8, 2))
    (change,) = changes(before, msgspec.structs.replace(before, **{setting: value}))
    assert str(change) == line


def test_a_setting_that_only_one_version_has_is_reported():
    assert str(Change("search.new", None, 3)) == "search.new: nothing -> 3"


def test_rules_that_have_changed_are_refused(tmp_path, tiny):
    folder = Folder(tmp_path)
    folder.begin(tiny, START)
    with pytest.raises(BadRecord, match="made under other rules of tictactoe"):
        folder.begin(tiny, msgspec.structs.replace(START, games={"tictactoe": "another"}))


def test_partial_files_of_a_killed_process_are_removed(tmp_path, tiny):
    (tmp_path / "models").mkdir()
    for partial in (tmp_path / ".learner.safetensors.partial", tmp_path / "models/.gen-0000.safetensors.partial"):
        partial.write_bytes(b"half")
    of_another_run = tmp_path / "other" / "models" / ".gen-0000.safetensors.partial"
    of_another_run.parent.mkdir(parents=True)
    of_another_run.write_bytes(b"half")
    Folder(tmp_path).begin(tiny, START)
    assert list(tmp_path.rglob("*.partial")) == [of_another_run], "another run may still write it"


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


def test_a_damaged_learner_file_is_reported(tmp_path):
    import numpy as np
    from safetensors.numpy import save

    from ludus.loop.directory.sealed import write_sealed

    for data in (b"", b"nonsense" * 10, save({})):
        (tmp_path / "learner.safetensors").write_bytes(data)
        with pytest.raises(BadRecord, match=r"learner.safetensors: the file is damaged"):
            Folder(tmp_path).load_learner()
    write_sealed(tmp_path / "learner.safetensors", {"weight": np.ones(3)})  # undamaged, but not a learner's state
    with pytest.raises(BadRecord, match=r"learner.safetensors: the file is damaged \('losses'\)"):
        Folder(tmp_path).load_learner()


@pytest.mark.parametrize(("method", "asked"), [("read_bytes", "load_learner"), ("is_file", "preset")])
def test_unreadable_files_are_reported(tmp_path, tiny, monkeypatch, method, asked):
    folder = Folder(tmp_path)
    folder.begin(tiny, START)
    folder.save_learner({}, 0, Losses(1.5, 0.5, 2.0, 7))

    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(Unavailable, match=r"cannot be read \(Permission denied\); fix its permissions"):
        getattr(folder, asked)()
