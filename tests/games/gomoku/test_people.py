"""Gomoku for people: notation, setups and descriptions."""

import pytest

import ludus
from ludus.errors import BadNotation, IllegalMove
from ludus.games.check.run import check
from ludus.games.drawing import draw

GAME = ludus.game("gomoku:9x9")


@pytest.mark.parametrize(
    "spec", [pytest.param("gomoku:standard:6x6", marks=pytest.mark.full), "gomoku:renju:7x7:swap2"]
)
def test_all_laws_hold_in_random_games(spec, one_in_ten):
    assert check(ludus.game(spec), games=len(one_in_ten(range(20)))).breach is None


@pytest.mark.parametrize("text", ["", "j1", "a10", "a0", "e55", "5e", "h8h9", "\u00e41", "a1.", "x" * 1000, "black"])
def test_text_that_names_no_point_is_refused(text):
    with pytest.raises((BadNotation, IllegalMove), match=r"^gomoku: "):
        GAME.start().play(text)


def test_points_are_read_in_both_cases_and_occupied_ones_refused():
    position = GAME.start().play("E5")
    assert position.action == 4 * 9 + 4
    with pytest.raises(IllegalMove, match=r"^gomoku: e5 is taken\.$"):
        position.play("e5")


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ([], "a setup is an object"),
        ({"blue": []}, "a setup is an object"),
        ({"black": "e5"}, "black must be a list"),
        ({"black": ["z9"]}, "names no point"),
        ({"black": ["e5"], "white": ["e5"]}, "is named twice"),
        ({"to_play": "me"}, "must be black or white"),
        ({"black": ["a1", "b1", "c1", "d1", "e1"]}, "over before it begins"),
    ],
)
def test_impossible_setups_are_refused(setup, said):
    with pytest.raises(BadNotation, match=said):
        GAME.start(setup)


def test_a_setup_leads_back_to_its_position():
    position = GAME.start({"black": ["e5", "e6"], "white": ["a1"], "to_play": "white"})
    assert position.to_play == 1
    assert GAME.setup(position.state) == {"black": ["e6", "e5"], "white": ["a1"], "to_play": "white"}
    assert GAME.start(GAME.setup(position.state)).state.tolist() == position.state.tolist()


def test_forbidden_points_are_marked_for_black_only():
    setup = {"black": ["h9", "h10", "f8", "g8"], "white": ["a1", "a3", "a5", "a7"]}
    game = ludus.game("gomoku:renju:15x15")
    board = game.start(setup).describe()
    assert [mark.at for mark in board.marks if mark.kind == "forbidden"] == [(7, 7)]
    assert {mark.kind for mark in game.start({**setup, "to_play": "white"}).describe().marks} == {"star"}
    assert board.style == "points"


def test_a_finished_game_marks_the_line_or_the_forbidden_point():
    setup = {"black": ["a1", "b1", "c1", "d1"], "white": ["a9"]}
    marks = GAME.start(setup).play("e1").describe().marks
    assert [mark.at for mark in marks if mark.kind == "win"] == [(8, column) for column in range(5)]
    renju = ludus.game("gomoku:renju:9x9").start({"black": ["a1", "b1", "c1", "e1", "f1"]}).play("d1")
    assert [mark.at for mark in renju.describe().marks if mark.kind == "forbidden"] == [(8, 3)]


def test_the_choices_of_swap2_are_buttons():
    position = ludus.game("gomoku:9x9:swap2").start().play("e5.d4.f6")
    buttons = [choice for choice in position.describe().choices if choice.kind == "button"]
    assert [(choice.text, choice.label) for choice in buttons] == [("black", "Take Black"), ("two", "Put two more")]


@pytest.mark.parametrize(
    ("line", "colours", "next_colour"),
    [
        ("", (None, None), 0),
        ("e5", (None, None), 1),
        ("e5.d4.f6", (None, None), 1),
        ("e5.d4.f6 black", (1, 0), 1),
        ("e5.d4.f6 g7", (0, 1), 0),
        ("e5.d4.f6 black g7", (1, 0), 0),
        ("e5.d4.f6 two.a1", (None, None), 0),
        ("e5.d4.f6 two.a1.b2", (None, None), 1),
        ("e5.d4.f6 two.a1.b2 black", (0, 1), 1),
        ("e5.d4.f6 two.a1.b2 g7", (1, 0), 0),
    ],
)
def test_the_board_shows_the_players_colours_after_swap2(line, colours, next_colour):
    position = ludus.game("gomoku:9x9:swap2").start()
    for move in line.split():
        position = position.play(move)
    board = position.describe()
    assert board.colours == colours
    assert board.next_colour == next_colour


def test_without_swap2_the_first_player_has_the_black_stones():
    board = GAME.start({"black": ["e5"], "to_play": "white"}).describe()
    assert board.colours == (0, 1)
    assert board.next_colour == 1


def test_the_colours_remain_after_a_win_in_swap2():
    position = ludus.game("gomoku:9x9:swap2").start().play("a1.a9.b1").play("black")
    for point in "c9", "c1", "e9", "d1", "g9", "e1":
        position = position.play(point)
    assert position.outcome.winner == 1
    assert position.describe().colours == (1, 0)


def test_the_board_is_drawn_with_row_one_at_the_bottom():
    drawn = draw(ludus.game("gomoku:5x5").start().play("b1").play("e5").describe()).splitlines()
    assert drawn[0] == "5  .   .   .   .   o"
    assert drawn[4] == "1  .   x   .   .   ."
    assert drawn[5].split() == list("abcde")
