"""Every preset that ships can be loaded and run, and forgives no misspelling."""

from pathlib import Path

import pytest

from ludus import config
from ludus.errors import BadPreset
from ludus.loop.preset import Preset

PRESETS = sorted((Path(__file__).parents[2] / "presets").glob("*.toml"))


pytestmark = pytest.mark.parametrize("path", PRESETS, ids=[path.stem for path in PRESETS])


def test_every_preset_loads_with_its_games(path):
    preset = config.load(path, Preset)
    assert preset.make_games()
    assert path.stem.startswith(preset.games[0].split(":")[0]), "a preset is called <game>-<purpose>.toml"


def test_a_preset_is_saved_as_it_was_loaded(path, tmp_path):
    preset = config.load(path, Preset)
    (tmp_path / path.name).write_text(config.dump(preset))
    assert config.load(tmp_path / path.name, Preset) == preset


def test_a_misspelt_setting_of_a_preset_is_named(path, tmp_path):
    misspelt = tmp_path / path.name
    misspelt.write_text("gnerations = 3\n" + path.read_text())
    with pytest.raises(BadPreset, match="no setting 'gnerations'; did you mean 'generations'"):
        config.load(misspelt, Preset)
