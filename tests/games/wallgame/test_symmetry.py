"""The symmetries of the Wall Game commute with its rules and stay on the board."""

import numpy as np
import pytest

import ludus
from ludus.games.calls import Calls
from ludus.games.wallgame.view import WallgameView


def image(game, state, symmetry):
    out = game.empty_state()
    game.rules.symmetric_state(state, symmetry, out)
    return out


def test_symmetries_commute_with_legal_play_and_outcome(any_board, walks, rng):
    game = ludus.game(any_board)
    calls = Calls(game.rules, game.max_legal, compiled=True)
    for position in walks(any_board, rng, 8):
        for symmetry in range(game.num_symmetries):
            mirrored = image(game, position.state, symmetry)
            moved = [game.rules.symmetric_action(position.state, symmetry, action) for action in position.actions]
            assert sorted(moved) == calls.legal(mirrored)
            for index in rng.integers(len(moved), size=4):
                after = calls.play(position.state, position.actions[index])
                assert image(game, after, symmetry).tobytes() == calls.play(mirrored, moved[index]).tobytes()
                assert calls.outcome(after) == calls.outcome(image(game, after, symmetry))


def test_square_boards_have_eight_symmetries_and_others_four():
    assert ludus.game("wallgame:classic:5x5@6x6").num_symmetries == 8
    assert ludus.game("wallgame:classic:5x5@6x7").num_symmetries == 4
    assert ludus.game("wallgame:classic:5x6").num_symmetries == 4


@pytest.mark.parametrize(("symmetry", "corner"), [(0, (0, 0)), (1, (0, 4)), (2, (4, 0)), (3, (4, 4)), (5, (4, 0))])
def test_a_board_smaller_than_its_frame_is_mirrored_in_place(symmetry, corner):
    game = ludus.game("wallgame:classic:5x5@6x6")
    view = WallgameView.read(image(game, game.start().state, symmetry))
    assert view.at(view.pawns[0]) == corner


def test_planes_of_a_mirrored_state_are_mirrored(walks, rng):
    spec = "wallgame:standard:6x6"
    game = ludus.game(spec)
    for position in walks(spec, rng, 20):
        here, there = position.planes, np.zeros(game.planes, np.uint8)
        with np.errstate(over="ignore"):
            game.rules.encode(image(game, position.state, 1), there)
        for plane in (0, 1, 2, 3, 5, 6, 7, 8):  # plane 4 names passages by their left cell
            assert np.array_equal(there[plane], here[plane, ::-1])
        assert np.array_equal(there[4, :-1], here[4, -2::-1])
