"""Ownership by playouts: nearly certain where all is settled, a guess elsewhere, the same again from the same seed."""

import numpy as np

import ludus
from ludus.players.ownership import expected_maps


def test_what_is_settled_is_nearly_certain_and_a_lost_stone_is_dead():
    game = ludus.game("go:5x5:komi=0")
    walls = {"black": "C1 C2 C3 C4 C5 B2 B4", "white": "D1 D2 D3 D4 D5 E2 E4 A1"}
    maps = expected_maps(game, game.start(walls | {"to_play": "white"}).state, playouts=12)
    assert maps[0, :, 2].min() > 0.8
    assert maps[1, :, 3].min() > 0.8
    assert maps[0, 4, 0] > 0.8


def test_an_open_board_is_a_guess_that_a_seed_repeats():
    game = ludus.game("go:4x4")
    first, again, other = (expected_maps(game, game.start_state(), playouts=6, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert ((first[0] + first[1]) <= 1.0).all()
