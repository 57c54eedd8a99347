"""A game's definition: what it accepts, what it refuses in one sentence, and its defaults for people."""

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
        ({"num_actions": 40000}, "mygame: 40000 actions are more than 32767."),
        ({"num_actions": 0}, "mygame: num_actions is 0; it must be a positive integer."),
        ({"state_size": 2.5}, "mygame: state_size is 2.5; it must be a positive integer."),
        ({"planes": (2, 3)}, r"mygame: planes is \(2, 3\); it must be a shape"),
        (
            {"plane_scale": (1.0,)},
            r"mygame: plane_scale is \(1.0,\); it must hold a finite number above 0 for each plane.",
        ),
        ({"plane_scale": (1.0, 0.0)}, r"mygame: plane_scale is \(1.0, 0.0\); it must hold a finite number"),
        ({"planes": (2, 0, 3)}, r"mygame: planes\[1\] is 0; it must be a positive integer."),
        ({"num_maps": 1}, "mygame: num_maps and the rule final_maps belong together; num_maps is 1."),
        ({"num_maps": -1}, "mygame: num_maps is -1; it must be 0 or a positive integer."),
        ({"num_symmetries": 2}, "mygame: 2 symmetries need the rules symmetric_state and symmetric_action."),
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
    with pytest.raises(BadNotation, match="mygame has one start position and takes no setup"):
        game_with().start({"cells": 3})


def test_a_start_with_setups_receives_it():
    def start(state, setup):
        state[0] = setup or 0

    assert game_with(start=start).start(2).state[0] == 2
    assert game_with(start=start).start().state[0] == 0


def test_actions_are_numbers_and_moves_are_joined_by_dots_unless_the_game_says_otherwise():
    game = game_with()
    assert game.action_text(game.start_state(), 7) == "7"
    assert game.parse_move(game.start_state(), " 7 ") == [7]
    assert game.move_text(game.start_state(), [7, 2]) == "7.2"


def test_a_move_text_is_written_as_the_state_moves_on():
    game = game_with(action_text=lambda state, action: f"{'xo'[state[9]]}{action}")
    assert game.move_text(game.start_state(), [7, 2]) == "x7.o2"


def test_text_that_cannot_be_read_is_told_from_a_move_that_may_not_be_played():
    game = game_with(action_text=tictactoe.action_text)
    state = game.start().play("b2").state
    with pytest.raises(IllegalMove, match="'b2' may not be played here; legal: a3, b3, c3, a2, c2, a1, b1, c1"):
        game.parse_move(state, "b2")
    for nonsense in ("", "d4", "b2b2", "²", "-1", "4"):
        with pytest.raises(BadNotation, match="names no action"):
            game.parse_move(state, nonsense)


def test_a_notation_that_raises_on_illegal_actions_still_refuses_nonsense():
    def action_text(state, action):
        assert state[action] == 0
        return f"cell {action}"

    with pytest.raises(BadNotation, match="'elsewhere' names no action"):
        game_with(action_text=action_text).start().play(4).play("elsewhere")


def test_a_game_without_a_description_is_a_row_of_buttons():
    board = game_with().start().play(4).describe()
    assert [(choice.kind, choice.label) for choice in board.choices] == [("button", str(n)) for n in range(9) if n != 4]
    assert (board.rows, board.columns) == (0, 0)


def test_the_default_heuristic_finds_all_actions_alike():
    game = game_with()
    assert not game.has_heuristic
    weights = np.zeros(9, np.float32)
    assert game.rules.heuristic(game.start_state(), np.arange(9, dtype=np.int16), 9, weights) == 0.0
    assert weights.tolist() == [1.0] * 9


def test_a_game_shows_how_it_is_found():
    assert repr(ludus.game("connect4")) == "ludus.game('connect4')"
