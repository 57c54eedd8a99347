"""The rule `heuristic` of Go, for searches without a network: move weights, and the area as the position's value.

It does not fill a player's own eyes, captures or saves groups in atari, and plays the edge last.
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.go.count import count_points
from ludus.games.go.layout import BLACK, FRAME, ONE_LIBERTY, RULES, SETS, SIZE, TURN, recent_action
from ludus.games.go.points import point_sets
from ludus.games.packed import field, read_field
from ludus.games.rules import State

EYE, EDGE, TAKES, SAVES, NEAR = 0.002, 0.3, 8.0, 3.0, 2.0
PASSES = 0.05
SPREAD = 0.1
"""The area's margin, as a share of the board, that gives a value of 0.76."""


@cache
def heuristic(width: int) -> Callable[[State, np.ndarray, int, np.ndarray], float]:
    """Build the rule `heuristic` for sets of points in `width` words."""
    load, _, single, _, common, without, is_empty, count, _, around, _ = point_sets(width)
    margin = count_points(width).margin

    def judge(state: State, actions: np.ndarray, count_: int, weights: np.ndarray) -> float:
        rules, player = np.uint64(state[RULES]), read_field(state, TURN)
        size, frame = field(rules, SIZE), field(rules, FRAME)
        black_at = SETS + BLACK * width
        mine, theirs = load(state, black_at + player * width), load(state, black_at + (1 - player) * width)
        in_atari = load(state, SETS + ONE_LIBERTY * width)
        last = recent_action(state, 0)
        nothing = without(mine, mine)
        beside_last = around(single(last), frame) if 0 <= last < frame * frame else nothing
        for index in range(count_):
            action = int(actions[index])
            if action == frame * frame:
                weights[index] = PASSES
                continue
            point = single(action)
            near = around(point, frame)
            row, column = action // frame, action % frame
            sides = (row == 0) + (row == size - 1) + (column == 0) + (column == size - 1)
            own = common(near, mine)
            weight = 1.0 if sides == 0 else EDGE
            if not is_empty(common(common(near, theirs), in_atari)):
                weight *= TAKES
            elif count(own) == 4 - sides:
                weight = EYE if is_empty(common(own, in_atari)) else SAVES
            elif not is_empty(common(own, in_atari)):
                weight *= SAVES
            if not is_empty(common(beside_last, point)):
                weight *= NEAR
            weights[index] = weight
        return math.tanh(0.5 * float(margin(state)) / (SPREAD * size * size))

    return judge
