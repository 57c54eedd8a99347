"""Final maps are checked as planes are, and Connect Four's show where the discs lie."""

import numpy as np

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check import check
from ludus.games.guard import Guarded

SYMMETRIC = {
    "num_symmetries": 8,
    "symmetric_state": sound.symmetric_state,
    "symmetric_action": sound.symmetric_action,
}


def broken_law(**parts):
    rules = ("start", "to_play", "legal", "play", "outcome", "encode")
    game = ludus.Game(
        name="broken",
        state_size=10,
        num_actions=9,
        planes=(2, 3, 3),
        max_actions=9,
        num_maps=1,
        **{rule: getattr(sound, rule) for rule in rules},
        **parts,
    )
    breach = check(game, games=60).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def own_cells(state, player, maps):
    for cell in range(9):
        maps[0, cell // 3, cell % 3] = 1 if int(state[cell]) == 1 + player else 0


def own_corner(state, player, maps):
    maps[0, 0, 0] = 1 if int(state[0]) == 1 + player else 0


def numbered_cells(state, player, maps):
    for cell in range(9):
        maps[0, cell // 3, cell % 3] = state[cell]


def test_final_maps_that_keep_the_laws_pass():
    assert broken_law(final_maps=own_cells, **SYMMETRIC) == "none"


def test_final_maps_of_other_numbers_break_the_law_maps():
    said = broken_law(final_maps=numbered_cells)
    assert said.startswith("maps: final_maps() writes 2 into map 0, row ")
    assert said.endswith("; write 0 or 1")


def test_final_maps_that_are_not_symmetric_break_the_law_symmetry():
    said = broken_law(final_maps=own_corner, **SYMMETRIC)
    assert said.startswith("symmetry: ")
    assert said.endswith("the maps of the symmetric state hold other numbers")


def test_connect_four_shows_whose_discs_lie_where():
    game = ludus.game("connect4")
    position = game.start()
    for move in "4435":
        position = position.play(move)
    for compiled in (False, True):
        maps = Guarded(game, compiled=compiled).final_maps(position.state, 1)
        assert maps.shape == (2, 6, 7)
        assert np.argwhere(maps[0]).tolist() == [[4, 3], [5, 4]], "the player's own"
        assert np.argwhere(maps[1]).tolist() == [[5, 2], [5, 3]], "the opponent's"
