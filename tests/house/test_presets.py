"""Every shipped preset can be loaded, and misspelt settings are rejected."""

from pathlib import Path

import pytest

from ludus import config
from ludus.errors import BadPreset
from ludus.loop.preset import Preset

PRESETS = sorted((Path(__file__).parents[2] / "presets").glob("*.toml"))


def test_every_preset_loads_with_its_games():
    assert PRESETS
    presets = {path: config.load(path, Preset) for path in PRESETS}
    assert all(preset.make_games() for preset in presets.values())
    found = [path for path, preset in presets.items() if not path.stem.startswith(preset.games[0].split(":")[0])]
    assert not found, "a preset is called <game>-<purpose>.toml"


def test_a_preset_is_saved_as_it_was_loaded(tmp_path):
    for path in PRESETS:
        preset = config.load(path, Preset)
        (tmp_path / path.name).write_text(config.dump(preset))
        assert config.load(tmp_path / path.name, Preset) == preset


def test_a_misspelt_setting_of_a_preset_is_named(tmp_path):
    for path in PRESETS:
        misspelt = tmp_path / path.name
        misspelt.write_text("gnerations = 3\n" + path.read_text())
        with pytest.raises(BadPreset, match="no setting 'gnerations'; did you mean 'generations'"):
            config.load(misspelt, Preset)
