"""The expected lead: the final maps, and the points that a game counts beside them."""

import numpy as np
import pytest

import ludus
from ludus.players.judging.lead import expected_lead


@pytest.mark.parametrize(
    ("spec", "setup", "lead"),
    [
        ("go:5x5", {"komi": 6.5}, 18.5),
        ("go:5x5:japanese", {"komi": 0.5, "counters": {"taken_by_black": 3, "taken_by_white": 1}}, 26.5),
        ("gomoku:9x9", None, None),
    ],
)
def test_the_lead_counts_the_maps_and_the_points_beside_the_board(spec, setup, lead):
    position = ludus.game(spec).start(setup)
    everything = np.zeros((2, *position.game.planes[1:]), np.float32)
    everything[0] = 1.0
    assert expected_lead(position, everything) == lead
