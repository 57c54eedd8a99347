"""Conversion of full game names to the protocol's game, variant and size."""

import pytest

from ludus.protocol.spec import Framed, Setting, framed, plain_spec, setting_of, spec_in_play


@pytest.mark.parametrize(
    ("spec", "setting"),
    [
        ("connect4", Setting("connect4", "standard", None, None)),
        ("connect4:ahead", Setting("connect4", "standard", None, None)),
        ("gomoku:9x9:threats", Setting("gomoku", "freestyle", 9, 9)),
        ("chess:play-on", Setting("chess", "standard", None, None)),
        ("chess:960:5", Setting("chess", "960", None, None)),
        ("go:9x9", Setting("go", "standard", 9, 9)),
        ("go:9x9@13x13:pass-lock:liberties:komi=7:japanese", Setting("go", "japanese", 9, 9)),
        ("wallgame:classic:5x4@6x6:short", Setting("wallgame", "classic", 5, 4)),
        ("wallgame:standard:5x5@8x8:ways:masked", Setting("wallgame", "standard", 5, 5)),
        ("examples/hexapawn.py:4x4", Setting("hexapawn", "standard", 4, 4)),
    ],
)
def test_a_game_name_is_split_into_its_setting(spec, setting):
    assert setting_of(spec) == setting


def test_rules_for_training_are_dropped_in_play():
    assert spec_in_play("go:9x9:pass-lock:liberties") == "go:9x9:liberties"
    assert spec_in_play("wallgame:classic:5x5") == "wallgame:classic:5x5:short"
    assert spec_in_play("connect4") == "connect4"


def test_plain_names_have_no_options_for_networks():
    assert plain_spec("wallgame:classic:5x5@6x6:ways:short:2026-01") == "wallgame:classic:5x5:2026-01"
    assert plain_spec("connect4:ahead") == plain_spec("connect4:discs") == "connect4"
    assert plain_spec("go:9x9:japanese:liberties") == "go:9x9:japanese"
    assert plain_spec("chess:play-on") == "chess:play-on"


def test_a_model_plays_boards_that_fit_into_its_planes():
    assert framed("wallgame:classic:6x6", "standard", 5, 5) == Framed("wallgame:standard:5x5@6x6", 36)
    assert framed("wallgame:classic:6x6:short:ways", "classic", 5, 5) == Framed("wallgame:classic:5x5@6x6:ways", 36)
    assert framed("chess", "960", 8, 8) == Framed("chess:960", 64)
    assert framed("chess:960", "standard", 8, 8) == Framed("chess", 64)
    assert framed("chess", "blitz", 8, 8) is None
    assert framed("wallgame:classic:6x6", "classic", 7, 7) is None
    assert framed("go:9x9@19x19:ko=simple:liberties", "standard", 13, 13) == Framed(
        "go:13x13@19x19:ko=simple:liberties", 361
    )
    assert framed("go:9x9", "standard", 13, 13) is None
    assert framed("connect4", "standard", 6, 6) is None
