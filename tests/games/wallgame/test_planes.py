"""The planes of the Wall Game against a simple breadth-first search."""

import numpy as np

import ludus


def test_planes_agree_with_a_breadth_first_search(any_board, reference, walks, rng):
    for position in walks(any_board, rng, 30):
        slow = reference(any_board, position.history[0])
        for later in position.history[1:]:
            slow.play(later.action)
        assert np.array_equal(position.planes, slow.planes())


def test_the_first_planes_are_the_movers():
    position = ludus.game("wallgame:standard:8x8").start()
    assert position.planes[0, 0, 0] == 0  # my cat, top left
    assert position.planes[1, 7, 7] == 0  # the opponent's mouse, bottom right
    after = position.play("Cb7")
    assert after.planes[0, 7, 0] == 0  # columns first: player 2's cat is at the top right
    assert after.planes[2, 1, 1] == 0
    assert (position.planes[7].min(), after.planes[7].max()) == (1, 0)


def test_the_second_action_has_a_plane():
    position = ludus.game("wallgame:classic:5x5").start()
    assert position.planes[6].max() == 0
    assert position.play(0).planes[6].min() == 1


def test_a_region_without_a_path_is_far_away():
    corner = [[0, 4, "horizontal", 1], [0, 3, "vertical", 0]]
    walls = [{"cell": [row + down, column], "orientation": way} for row, column, way, down in corner]
    pawns = {"p1": {"cat": [0, 0], "home": [4, 4]}, "p2": {"cat": [4, 4], "home": [4, 0]}}
    position = ludus.game("wallgame:classic:5x5").start({"pawns": pawns, "walls": walls})
    assert position.planes[:4, 4, 0].tolist() == [25] * 4


def test_only_classic_has_an_empty_variant_plane():
    for variant, value in (("classic", 0), ("standard", 1), ("freestyle", 1), ("survival", 1)):
        assert np.all(ludus.game(f"wallgame:{variant}:4x4").start().planes[8] == value)
