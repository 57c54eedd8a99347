"""Shipped files are found in a checkout and in a package, and a model may be named instead of its path."""

from pathlib import Path

import pytest

import ludus
from ludus import shipped

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("kind", ["models", "puzzles", "presets"])
def test_a_checkout_has_its_files_at_the_root_and_a_package_inside(kind, tmp_path, monkeypatch):
    assert shipped.folder(kind) == ROOT / kind
    assert any(shipped.folder(kind).iterdir())
    package = tmp_path / "site-packages" / "ludus"
    (package / "data" / kind).mkdir(parents=True)
    monkeypatch.setattr(shipped, "PACKAGE", package)
    assert shipped.folder(kind) == package / "data" / kind


def test_a_model_may_be_named_in_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (Path("connect4"), Path("models/connect4")):
        assert shipped.model(path) == ROOT / "models" / "connect4"
    assert ludus.load("connect4").name == "connect4"


def test_a_path_comes_before_the_name_of_a_shipped_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("connect4").mkdir()
    (Path("models") / "chess").mkdir(parents=True)
    for path in map(Path, ("connect4", "models/chess", "", ".", "..", "nowhere", "other/connect4", "models")):
        assert shipped.model(path) == path
    for path in (tmp_path / "go-9x9", Path("models/go-9x9/model.safetensors")):
        assert shipped.model(path) == path
