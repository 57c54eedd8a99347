"""The game interface of Go: names, start positions, descriptions, planes, laws."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games.board import Mark
from ludus.games.check.run import check
from ludus.games.drawing import draw


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("go", "the name lacks a board"),
        ("go:9x10", "boards and frames must be square"),
        ("go:20x20", "boards are 2x2 to 19x19"),
        ("go:19x19@9x9", "no larger than their frame"),
        ("go:9x9:blitz", "unknown option 'blitz'; options are tromp-taylor"),
        ("go:9x9:chinese:japanese", "is repeated, or excludes an earlier option"),
        ("go:9x9:komi=6.3", "komi=6.3 is not a multiple of 0.5"),
        ("go:9x9:handicap=10", "handicap=10 is not between 2 and 9"),
        ("go:5x5:handicap=2", "write free=N"),
        ("go:9x9:handicap=2:free=3", "handicap and free exclude each other"),
        ("go:9x9:seed:liberties", "leave out liberties and history"),
        ("go:9x9:plies=0", "plies=0 is not between 1 and 8191"),
    ],
)
def test_a_wrong_name_is_refused_with_the_reason(spec, complaint):
    with pytest.raises(BadGame) as refusal:
        ludus.game(spec)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        ({"black": "D4 D4"}, "two stones are on D4"),
        ({"black": "I4"}, "'I4' is not a point"),
        ({"black": "K4"}, "'K4' is not a point of a board of 9x9; points are A1 to J9"),
        ({"black": "A1", "white": "A2 B1"}, "the stones at A1 have no liberty"),
        ({"komi": 1000}, "not a multiple of 0.5"),
        ({"to_play": "red"}, "not a player"),
        ({"stones": "A1"}, "unknown field"),
        ({"ply": 3, "history": ["0"]}, "ply 3 does not fit 1 earlier positions"),
        ({"counters": {"luck": 1}}, "'luck' cannot be 1"),
        ({"free": 80}, "80 stones of handicap are too many"),
        ({"free": -1}, "`int` >= 0 - at `$.free`"),
        ({"black": "D4", "handicap": -5}, "`int` >= 0 - at `$.handicap`"),
        ({"black": "D4", "handicap": 82}, "82 stones of handicap are too many for a board of 9x9"),
        ({"black": "D4", "handicap": 10**400}, "not a setup of Go"),
        ({"handicap": 10}, "10 handicap stones on a board of 9x9: there are 2 to 9"),
        ({"handicap": 2, "free": 2}, "handicap and free exclude each other"),
        ({"free": 2, "to_play": "white"}, "Black places a free handicap before White moves"),
        ({"counters": {"placing": 1}, "to_play": "white"}, "Black places a free handicap before White moves"),
        ({"komi": "\ud800"}, "contains half a surrogate pair"),
        (7, "not a setup of Go"),
    ],
)
def test_a_wrong_setup_is_refused_with_the_reason(setup, complaint):
    with pytest.raises(BadNotation) as refusal:
        ludus.game("go:9x9").start(setup)
    assert complaint in str(refusal.value)


def test_the_default_komi_follows_from_rules_and_handicap():
    komis = {
        spec: ludus.game(f"go:9x9:{spec}").setup(ludus.game(f"go:9x9:{spec}").start_state())["komi"]
        for spec in ("chinese", "japanese", "handicap=3", "komi=-4.5")
    }
    assert komis == {"chinese": 7.5, "japanese": 6.5, "handicap=3": 0.5, "komi=-4.5": -4.5}


def test_common_spellings_of_moves_are_read(play):
    game = ludus.game("go:9x9")
    assert game.start().play("d4").play("PASS").moves == ["D4", "pass"]
    with pytest.raises(IllegalMove, match="the point is occupied"):
        play("go:9x9", "D4 D4")
    with pytest.raises(BadNotation, match="or pass"):
        play("go:9x9", "Z4")


def test_a_board_is_drawn_with_stars_stones_and_the_last_one(play):
    board = play("go:9x9", "D4 E5").describe()
    assert draw(board).splitlines()[4].split() == ["5", ".", ".", ".", ".", "o", ".", ".", ".", "."]
    assert board.style == "points"
    assert Mark(at=(4, 4), kind="last") in board.marks
    assert {mark.at for mark in board.marks if mark.kind == "star"} == {(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)}
    assert [choice.label for choice in board.choices if choice.kind == "button"] == ["Pass"]


def test_ko_territory_and_dead_stones_are_marked(play):
    board = play("go:5x5", "B1 C1 A2 D2 B3 C3 C2 B2").describe()
    assert Mark(at=(3, 2), kind="ko") in board.marks
    board = play("go:5x5:komi=0:marking", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass A1 pass pass A1").describe()
    assert Mark(at=(4, 0), kind="dead") in board.marks
    assert {mark.at[1] for mark in board.marks if mark.kind == "territory-0"} == {0, 1}
    assert [choice.label for choice in board.choices if choice.kind == "button"] == ["Agree: B+5"]


def test_a_frame_does_not_change_the_game(play):
    moves = "C3 B2 C2 B3 pass"
    small, framed = play("go:5x5", moves), play("go:5x5@9x9", moves)
    assert small.moves == framed.moves
    assert [small.text(action) for action in small.actions] == [framed.text(action) for action in framed.actions]
    assert np.array_equal(small.planes, framed.planes[:, :5, :5])
    assert not framed.planes[:, 5:].any()
    assert not framed.planes[:, :, 5:].any()


def test_earlier_boards_have_planes_newest_first(play):
    position = play("go:5x5:history", "C3 B2 D4")  # White to move
    mine, theirs = position.planes[11::2], position.planes[12::2]
    assert [int(plane.sum()) for plane in mine[:4]] == [1, 0, 0, 0]
    assert [int(plane.sum()) for plane in theirs[:4]] == [1, 1, 0, 0]
    seed = play("go:5x5:seed", "C3 B2 D4").planes
    assert [int(plane.sum()) for plane in seed] == [1, 1, *[0] * 6, 2, 1, 1, *[0] * 5, 0, 25]


def test_the_komi_plane_is_seen_by_the_mover():
    planes = ludus.game("go:5x5:komi=6.5").start().planes
    assert {int(value) for value in planes[9].ravel()} == {128 - 13}
    assert {int(value) for value in ludus.game("go:5x5:komi=6.5").start().play("C3").planes[9].ravel()} == {128 + 13}


def test_final_maps_hold_the_final_owners(play):
    position = play("go:5x5:komi=0", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass")
    maps = np.zeros((2, 5, 5), np.uint8)
    position.game.rules.final_maps(position.state, 1, maps)
    assert maps[0].tolist() == [[0, 0, 0, 1, 1]] * 5
    assert (maps[0] + maps[1]).min() == 1


@pytest.mark.parametrize(
    "spec", ["go:3x3", "go:4x4@5x5:new-zealand:liberties:history", "go:3x3:japanese:marking:pass-lock:free=2"]
)
def test_the_laws_hold(spec):
    assert check(ludus.game(spec), games=6).breach is None
