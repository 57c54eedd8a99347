"""Expected final maps by a network or by playouts: near 0 or 1 in settled areas, less certain elsewhere."""

import numpy as np

import ludus
from ludus.players.judging.ownership import expected_maps, played_out


def test_settled_areas_are_nearly_certain_and_a_lost_stone_is_dead():
    game = ludus.game("go:5x5:komi=0")
    walls = {"black": "C1 C2 C3 C4 C5 B2 B4", "white": "D1 D2 D3 D4 D5 E2 E4 A1"}
    maps = played_out(game, game.start(walls | {"to_play": "white"}).state, playouts=12)
    assert maps[0, :, 2].min() > 0.8
    assert maps[1, :, 3].min() > 0.8
    assert maps[0, 4, 0] > 0.8


def test_playouts_of_an_open_board_repeat_with_equal_seeds():
    game = ludus.game("go:4x4")
    first, again, other = (played_out(game, game.start_state(), playouts=6, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert ((first[0] + first[1]) <= 1.0).all()


class Prophet:
    """A network that predicts all cells for the mover or, if it does not `speak`, has no final maps."""

    def __init__(self, speaks=True):
        self.speaks, self.seen = speaks, []

    def maps(self, planes):
        self.seen.append(planes.shape)
        return np.stack([np.ones((1, 4, 4)), np.zeros((1, 4, 4))], 1).astype(np.float32) if self.speaks else None


def test_the_maps_of_a_network_are_turned_to_player_0():
    position, prophet = ludus.game("go:4x4").start(), Prophet()
    assert expected_maps(prophet, position, playouts=1)[0].all()
    assert expected_maps(prophet, position.play("A1"), playouts=1)[1].all()
    assert prophet.seen == [(1, *position.game.planes)] * 2


def test_playouts_replace_a_network_without_final_maps():
    maps = expected_maps(Prophet(speaks=False), ludus.game("go:4x4").start(), playouts=2)
    assert 0.0 < maps.sum() <= 16.0


def test_a_game_without_final_maps_has_no_expected_maps():
    assert expected_maps(Prophet(), ludus.game("tictactoe").start(), playouts=1) is None
    assert expected_maps(None, ludus.game("connect4").start(), playouts=1) is None
