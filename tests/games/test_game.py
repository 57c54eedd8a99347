"""The definition of a game: accepted and refused arguments, and the defaults for people."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games import tictactoe

PARTS = {
    "name": "mygame",
    "state_size": 10,
    "num_actions": 9,
    "planes": (2, 3, 3),
    "max_actions": 9,
    "start": tictactoe.start,
    "to_play": tictactoe.to_play,
    "legal": tictactoe.legal,
    "play": tictactoe.play,
    "outcome": tictactoe.outcome,
    "encode": tictactoe.encode,
}


def game_with(**parts):
    return ludus.Game(**{**PARTS, **parts})


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"dtype": "float32"}, "mygame: dtype float32 is not an integer type; use uint8"),
        ({"num_actions": 40000}, "mygame: num_actions is 40000; it must be 32767 or less."),
        ({"num_actions": 0}, "mygame: num_actions is 0; it must be a positive integer."),
        ({"state_size": 2.5}, "mygame: state_size is 2.5; it must be a positive integer."),
        ({"planes": (2, 3)}, r"planes is \(2, 3\); it must be three numbers \(C, H, W\)."),
        (
            {"plane_scale": (1.0,)},
            r"mygame: plane_scale is \(1.0,\); it must hold a finite number above 0 per plane.",
        ),
        ({"plane_scale": (1.0, 0.0)}, r"mygame: plane_scale is \(1.0, 0.0\); it must hold a finite number"),
        ({"planes": (2, 0, 3)}, r"mygame: planes\[1\] is 0; it must be a positive integer."),
        ({"num_maps": 1}, "mygame: num_maps and the rule final_maps belong together; num_maps is 1."),
        ({"num_maps": -1}, "mygame: num_maps is -1; it must be 0 or a positive integer."),
        ({"num_symmetries": 2}, "mygame: 2 symmetries need the rules symmetric_state and symmetric_action."),
        ({"max_legal": "x"}, "mygame: max_legal is 'x'; it must be an integer from 1 to num_actions, 9."),
        ({"max_legal": -1}, "mygame: max_legal is -1; it must be an integer from 1 to num_actions, 9."),
        ({"max_legal": 0}, "mygame: max_legal is 0; it must be an integer from 1 to num_actions, 9."),
        ({"max_legal": 10}, "mygame: max_legal is 10; it must be an integer from 1 to num_actions, 9."),
        (
            {"players": ("Black",)},
            r"players is \('Black',\); it must be two strings, the names of the sides.",
        ),
        ({"players": (1, 2)}, r"players is \(1, 2\); it must be two strings"),
        ({"players": "AB"}, "players is 'AB'; it must be two strings"),
        ({"players": None}, "players is None; it must be two strings"),
        ({"planes": 3}, r"planes is 3; it must be three numbers \(C, H, W\)."),
        ({"planes": (2.0, 3, 3)}, r"planes is \(2.0, 3, 3\); it must be three numbers"),
        ({"plane_scale": 1.0}, "plane_scale is 1.0; it must be a list of numbers, one per plane."),
        ({"plane_names": "ab"}, "plane_names is 'ab'; it must be a list of strings, one per plane."),
        ({"action_places": [1, 2]}, r"action_places is \[1, 2\]; it must be a list of places \(layer, row"),
        ({"action_classes": ["a"]}, r"action_classes is \['a'\]; it must be a dictionary of lists of actions."),
        ({"dtype": "unit8"}, "dtype is 'unit8'; it must be uint8, int16, int32, int64 or uint64."),
        ({"describe": "a board"}, "describe is 'a board'; it must be a function."),
        ({"name": 3}, "name is 3; it must be a string."),
        ({"state_sise": 9}, r"Game takes no 'state_sise'; did you mean 'state_size'\?"),
        ({"xyz": 9}, "Game takes no 'xyz'; it takes name, state_size, num_actions, "),
        ({"start": None}, "mygame: start must be a plain function of the state"),
        ({"legal": lambda state: 0}, r"mygame: rule legal\(\) takes 1 arguments; it must take 2 \(test_game.py, line"),
        ({"encode": 5}, r"mygame: rule encode\(\) is 5; it must be a plain function."),
    ],
)
def test_a_wrong_part_is_refused_in_one_sentence(parts, sentence):
    with pytest.raises(BadGame, match=f"^{sentence}"):
        game_with(**parts)


def test_a_state_is_padded_to_whole_words_of_zeros():
    game = game_with()
    assert game.state_words == 2
    assert game.empty_state().nbytes == 16
    assert game_with(dtype="int32").state_words == 5
    assert not game.start_state()[10:].any()


def test_a_start_without_setups_refuses_one():
    with pytest.raises(BadNotation, match="mygame has only one start position; leave out the setup"):
        game_with().start({"cells": 3})


def test_a_start_with_setups_receives_it():
    def start(state, setup):
        state[0] = setup or 0

    assert game_with(start=start).start(2).state[0] == 2
    assert game_with(start=start).start().state[0] == 0


def test_the_default_notation_is_numbers_joined_by_dots():
    game = game_with()
    assert game.action_text(game.start_state(), 7) == "7"
    assert game.parse_move(game.start_state(), " 7 ") == [7]
    assert game.move_text(game.start_state(), [7, 2]) == "7.2"


def test_each_action_of_a_move_is_written_in_its_own_state():
    game = game_with(action_text=lambda state, action: f"{'xo'[state[9]]}{action}")
    assert game.move_text(game.start_state(), [7, 2]) == "x7.o2"


def test_unreadable_and_illegal_moves_raise_different_errors():
    game = game_with(action_text=tictactoe.action_text)
    state = game.start().play("b2").state
    with pytest.raises(IllegalMove, match="'b2' may not be played here; legal: a3, b3, c3, a2, c2, a1, b1, c1"):
        game.parse_move(state, "b2")
    for nonsense in ("", "d4", "b2b2", "²", "-1", "4"):
        with pytest.raises(BadNotation, match="names no action"):
            game.parse_move(state, nonsense)


def to_play_in_threes(state):
    return sum(1 for cell in range(9) if state[cell] != 0) // 3 % 2


def play_in_threes(state, action):
    state[action] = 1 + to_play_in_threes(state)


def game_in_threes(**parts):
    return game_with(name="threes", to_play=to_play_in_threes, play=play_in_threes, **parts)


def test_a_move_of_several_actions_is_read_as_it_is_written():
    start = game_in_threes().start()
    assert start.parse(" 3.8.0 ") == [3, 8, 0]
    assert start.parse("3.8") == [3, 8]  # the beginning of a move
    assert start.play("3.8.0").play("1.2.4").moves == ["3.8.0", "1.2.4"]
    assert start.play("3").parse("8.0") == [8, 0]


def test_action_texts_may_contain_dots():
    texts = ["a", "a.b", "b", "b.x", "c", "d.a", "d", "e.", "f"]
    game = game_in_threes(action_text=lambda state, action: texts[action])
    for text, actions in {
        "a.b": [1],
        "a.b.c": [1, 4],
        "a.b.c.d": [1, 4, 6],
        "a.b.x.c": [0, 3, 4],
        "a.b.c.d.a": [1, 4, 5],
        "b.a.c": [2, 0, 4],
        "e..f": [7, 8],
        "d.a.a.b": [5, 1],
    }.items():
        assert game.start().parse(text) == actions


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("3.3", IllegalMove, "'3' may not be played after '3'; legal: 0, 1, 2, 4, 5, 6, 7, 8."),
        ("3.8.3.1", IllegalMove, "'3' may not be played after '3.8'; legal: 0, 1, 2, 4, 5, 6, 7."),
        ("3.8.x", BadNotation, "'x' names no action; legal after '3.8': 0, 1, 2, 4, 5, 6, 7."),
        ("x.3", BadNotation, "'x.3' names no action; legal here: 0, 1, 2, 3, 4, 5, 6, 7, 8."),
        ("3.8.0.1", BadNotation, "the move ends with '0'; '1' cannot follow."),
        ("3.", BadNotation, "'' names no action; legal after '3': 0, 1, 2, 4, 5, 6, 7, 8."),
        ("3..8", BadNotation, "'.8' names no action; legal after '3': 0, 1, 2, 4, 5, 6, 7, 8."),
    ],
)
def test_a_move_is_refused_at_its_first_unreadable_action(text, error, sentence):
    with pytest.raises(error) as refusal:
        game_in_threes().start().parse(text)
    assert str(refusal.value) == f"threes: {sentence}"


def test_an_illegal_first_action_is_named():
    with pytest.raises(IllegalMove, match=r"^threes: '3' may not be played here; legal: 0, 1, 2, 4"):
        game_in_threes().start().play("3").parse("3.8")
    with pytest.raises(BadNotation, match=r"^mygame: the move ends with '3'; '8' cannot follow\.$"):
        game_with().start().parse("3.8")


def test_a_notation_that_raises_on_illegal_actions_still_refuses_nonsense():
    def action_text(state, action):
        assert state[action] == 0
        return f"cell {action}"

    with pytest.raises(BadNotation, match="'elsewhere' names no action"):
        game_with(action_text=action_text).start().play(4).play("elsewhere")


def test_the_default_description_is_a_row_of_buttons():
    board = game_with().start().play(4).describe()
    assert [(choice.kind, choice.label) for choice in board.choices] == [("button", str(n)) for n in range(9) if n != 4]
    assert (board.rows, board.columns) == (0, 0)


def test_the_default_heuristic_has_equal_weights():
    game = game_with()
    assert not game.has_rule("heuristic")
    weights = np.zeros(9, np.float32)
    assert game.rules.heuristic(game.start_state(), np.arange(9, dtype=np.int16), 9, weights) == 0.0
    assert weights.tolist() == [1.0] * 9


def test_the_repr_of_a_game_loads_it():
    assert repr(ludus.game("connect4")) == "ludus.game('connect4')"
