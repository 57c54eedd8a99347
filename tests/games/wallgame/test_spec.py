"""The names of Wall Games in `ludus.game`."""

import pytest

import ludus
from ludus.errors import BadGame


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("wallgame", "the name lacks a variant"),
        ("wallgame:draughts:8x8", "there is no variant 'draughts'"),
        ("wallgame:classic", "'' is not a board size"),
        ("wallgame:classic:8", "'8' is not a board size"),
        ("wallgame:classic:8x8@", "'8x8@' is not a board size"),
        ("wallgame:classic:2x8", "each side must have 3 to 20 cells"),
        ("wallgame:classic:8x21", "each side must have 3 to 20 cells"),
        ("wallgame:classic:8x8@9x7", "the frame 9x7 is smaller than the board 8x8"),
        ("wallgame:classic:8x8:fast", "the options are 2026-09, 2026-01, short, search-short"),
        ("wallgame:classic:8x8:short:short", "each at most once"),
        ("wallgame:classic:8x8:2026-01:2026-09", "one edition"),
    ],
)
def test_a_wrong_name_is_refused_with_the_reason(spec, complaint):
    with pytest.raises(BadGame) as refusal:
        ludus.game(spec)
    assert complaint in str(refusal.value)


def test_planes_and_actions_have_the_size_of_the_frame():
    game = ludus.game("wallgame:classic:5x4@8x6")
    assert game.planes == (9, 8, 6)
    assert game.num_actions == 2 * 48 + 9
    assert game.start().describe().columns == 5


@pytest.mark.parametrize(("size", "items"), [("8x8", 4), ("12x10", 6), ("13x10", 16), ("20x20", 16)])
def test_a_state_has_as_many_words_as_the_frame_needs(size, items):
    assert ludus.game(f"wallgame:classic:{size}").state_size == items
