"""Game names become the protocol's game, variant and size."""

import pytest

from ludus.protocol.spec import Setting, setting_of


@pytest.mark.parametrize(
    ("spec", "setting"),
    [
        ("connect4", Setting("connect4", "standard", None, None)),
        ("go:9x9", Setting("go", "standard", 9, 9)),
        ("wallgame:classic:5x4@6x6:short", Setting("wallgame", "classic", 5, 4)),
        ("wallgame:standard:5x5@8x8:masked", Setting("wallgame", "standard", 5, 5)),
        ("examples/hexapawn.py:4x4", Setting("hexapawn", "standard", 4, 4)),
    ],
)
def test_a_game_name_is_split_into_its_setting(spec, setting):
    assert setting_of(spec) == setting
