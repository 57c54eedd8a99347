"""The planes of the option `ways` against a simple search of boards with one more wall."""

import numpy as np
import pytest

import ludus
from ludus.games.wallgame.planes import NUM_PLANES, NUM_WAY_PLANES
from ludus.games.wallgame.view import HORIZONTAL, VERTICAL, WallgameView

BOARDS = (
    "classic:5x5",
    "standard:8x8",
    "classic:4x5@6x7",
    "survival:6x6",
    "standard:12x10",
    pytest.param("classic:13x10", marks=pytest.mark.full),
    "classic:20x20",
)


def ways_of(view: WallgameView, cat: int, goal: int) -> list[tuple[int, int]]:
    """Return the passages (from, to) on shortest paths, found by the sum of the distances to both ends."""
    length = view.distance(cat, goal)
    found = []
    for cell in range(view.cells):
        for other, is_open in ((cell + view.frame_rows, view.right >> cell & 1), (cell + 1, view.down >> cell & 1)):
            for one, two in ((cell, other), (other, cell)) if is_open else ():
                before, after = view.distance(cat, one), view.distance(two, goal)
                if before is not None and after is not None and before + 1 + after == length:
                    found.append((one, two))
    return found


def expected(view: WallgameView) -> np.ndarray:
    """Return the twelve planes [12, frame columns, frame rows], computed in the simplest way."""
    planes = np.zeros((NUM_WAY_PLANES, view.frame_columns * view.frame_rows), np.uint8)
    cats = {player: (cat, goal) for player, cat, goal in view.hunts}
    for side in range(2):
        player = view.player ^ side
        if player not in cats:
            continue
        cat, goal = cats[player]
        length = view.distance(cat, goal)
        assert length is not None
        planes[side] = length
        passages = ways_of(view, cat, goal)
        planes[2 + side, [cat, goal, *(cell for passage in passages for cell in passage)]] = 1
        at = [view.distance(cat, one) for one, _ in passages]
        for (one, two), distance in zip(passages, at, strict=True):
            cell, is_down = min(one, two), abs(one - two) == 1
            if at.count(distance) == 2:
                planes[8 + 2 * side + is_down, cell] = 1
            row, column = view.at(cell)
            wall = ((row + 1, column), HORIZONTAL) if is_down else ((row, column), VERTICAL)
            longer = view.with_wall(wall).distance(cat, goal)
            if longer is not None:
                planes[4 + 2 * side + is_down, cell] = longer - length
    return planes.reshape(NUM_WAY_PLANES, view.frame_columns, view.frame_rows)


@pytest.mark.parametrize("board", BOARDS)
def test_the_planes_of_ways_agree_with_a_simple_search(board, walks, rng):
    spec, large = f"wallgame:{board}:ways", "20x20" in board
    seen = np.zeros(NUM_WAY_PLANES, bool)
    for index, position in enumerate(walks(spec, rng, 600 if large else 120)):
        if index % (60 if large else 2):
            continue
        planes = position.planes[NUM_PLANES:]
        assert np.array_equal(planes, expected(WallgameView.read(position.state)))
        seen |= planes.any(axis=(1, 2))
    assert seen.all()  # every plane was nonzero somewhere


def test_the_option_adds_planes_and_changes_nothing_else(walks, rng):
    plain = ludus.game("wallgame:standard:5x5@6x6").start()
    for more in walks("wallgame:standard:5x5@6x6:ways:masked", rng, 60):
        if not more.history[1:]:
            plain = ludus.game("wallgame:standard:5x5@6x6").start()
        else:
            plain = plain.play(more.history[-1].action)
        assert np.array_equal(more.state, plain.state)
        assert more.actions == plain.actions
        assert np.array_equal(more.planes[:NUM_PLANES], plain.planes)
        assert more.planes[-1].sum() == 25


def test_a_wall_across_the_only_shortest_path_shows_its_detour():
    walls = [{"cell": [1, column], "orientation": "horizontal"} for column in range(1, 4)]  # under the top row
    pawns = {"p1": {"cat": [0, 0], "home": [0, 3]}, "p2": {"cat": [3, 3], "home": [3, 0]}}
    planes = ludus.game("wallgame:classic:4x4:ways").start({"pawns": pawns, "walls": walls}).planes[NUM_PLANES:]
    assert (planes[0, 0, 0], planes[1, 0, 0]) == (3, 3)
    assert planes[2, :, 0].tolist() == [1, 1, 1, 1]
    assert planes[4].max() == 0  # the top row is a dead end, which no wall may cut off
    assert planes[6, :3, 3].tolist() == [2, 2, 2]  # the detour leads through the row below
