"""Paths in files are relative to the file, and files that have moved are found."""

from functools import partial
from pathlib import PureWindowsPath

import pytest

from ludus.games.registry import file_of, told_name
from ludus.paths import found, in_game, lasting, path_in, spec_parts


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a working directory with a project beside it: a game, and the folder of a model deep below it."""
    for folder in ("here", "project/games", "project/runs/mine/models"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "project/games/mine.py").touch()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mine.py", "{}/project/games/mine.py"),
        ("../runs", "{}/project/runs"),
        ("../../here/model", "model"),  # in the working directory
        ("/absolute/mine.py", "/absolute/mine.py"),
    ],
)
def test_a_written_path_starts_at_its_files_folder(here, written, meant):
    assert path_in(written, here / "../project/games/mine.toml") == meant.format(here.parent)


def test_a_stored_path_does_not_depend_on_the_working_directory(here):
    assert lasting("../project/games/mine.py") == str(here.parent / "project/games/mine.py")


@pytest.mark.parametrize("stored", ["games/mine.py", "/gone/project/games/mine.py", "/gone/games/mine.py"])
def test_a_file_that_has_moved_is_found_above_the_file_that_names_it(here, stored):
    model = here.parent / "project/runs/mine/models/gen-0001.safetensors"
    assert found(stored, model) == str(here.parent / "project/games/mine.py")


def test_a_games_file_beside_its_model_is_found(here):
    model = here.parent / "project/games/model.safetensors"
    assert found("/gone/mine.py", model) == str(here.parent / "project/games/mine.py")


def test_the_stored_place_comes_first(here):
    (here / "mine.py").touch()
    assert found("mine.py", here.parent / "project/games/model.safetensors") == "mine.py"


def test_a_file_that_is_nowhere_keeps_its_path(here):
    assert found("/gone/other.py", here / "model.safetensors") == "/gone/other.py"
    assert found("other.py", here / "model.safetensors") == "other.py"


@pytest.mark.parametrize(
    ("spec", "changed"),
    [
        ("connect4:ahead", "connect4:ahead"),
        ("mine.py", "{}/mine.py"),
        ("mine.py:hex:7x7", "{}/mine.py:hex:7x7"),
        ("a:b/mine.py:7x7", "{}/a:b/mine.py:7x7"),
    ],
)
def test_only_the_path_of_a_games_name_is_changed(here, spec, changed):
    assert in_game(spec, lasting) == changed.format(here)
    assert in_game(in_game(spec, lasting), partial(path_in, file=here / "mine.toml")) == spec


@pytest.mark.parametrize(
    ("spec", "name", "parts"),
    [
        ("connect4:ahead:7x6", "connect4", ["ahead", "7x6"]),
        ("mine.py", "mine.py", []),
        (r"C:\x\mine.py", r"C:\x\mine.py", []),
        (r"C:\x\mine.py:hex:7x7", r"C:\x\mine.py", ["hex", "7x7"]),
        ("d:/x/mine.py:7x7", "d:/x/mine.py", ["7x7"]),
        (r"\\server\share\mine.py:hex", r"\\server\share\mine.py", ["hex"]),
        ("a:b", "a", ["b"]),  # a game with a name of one letter
        ("", "", []),
    ],
)
def test_a_drive_belongs_to_the_path_of_a_game(spec, name, parts):
    assert spec_parts(spec) == [name, *parts]
    assert ":".join(spec_parts(spec)) == spec
    if name.endswith(".py"):
        assert in_game(spec, str.upper) == ":".join([name.upper(), *parts])
        assert file_of(spec) == name


def test_a_game_on_windows_is_called_by_the_name_of_its_file(monkeypatch):
    monkeypatch.setattr("ludus.games.registry.Path", PureWindowsPath)
    assert told_name(r"C:\x\mine.py:hex:7x7") == "mine:hex:7x7"
    assert told_name("D:/x/mine.py") == "mine"
