"""Counting: whose each point is, by area or by territory, with or without stones that are marked as dead."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ludus.games.fields import field
from ludus.games.game import State
from ludus.games.go.layout import (
    BLACK,
    BONUS,
    DEAD,
    EMPTY,
    FRAME,
    GAME,
    KOMI,
    NO_KOMI,
    OPTIONS,
    RULES,
    SETS,
    TAKEN,
    TERRITORY,
)
from ludus.games.go.points import Points, point_sets


class Count(NamedTuple):
    """The operations of counting, for sets of one width."""

    area: Callable[[State], tuple[Points, Points]]
    """The points of Black and of White: stones that are not marked as dead, and what they alone reach."""
    margin: Callable[[State], int]
    """Black's points less White's, komi and compensation included, in half points."""
    neutral: Callable[[State], int]
    """How many points are nobody's."""


@cache
def count_points(width: int) -> Count:
    """Return the operations for sets of `width` words."""
    load, _, _, union, common, without, _, count, _, _, fill = point_sets(width)
    black_at, empty_at, dead_at = SETS + BLACK * width, SETS + EMPTY * width, SETS + DEAD * width

    def area(state: State) -> tuple[Points, Points]:
        frame, dead = field(np.uint64(state[RULES]), FRAME), load(state, dead_at)
        black, white = without(load(state, black_at), dead), without(load(state, black_at + width), dead)
        empty = union(load(state, empty_at), dead)
        for_black, for_white = fill(black, union(black, empty), frame), fill(white, union(white, empty), frame)
        return without(for_black, for_white), without(for_white, for_black)

    def margin(state: State) -> int:
        rules, options, game = np.uint64(state[RULES]), np.uint64(state[OPTIONS]), np.uint64(state[GAME])
        black, white = area(state)
        points = count(black) - count(white)
        if field(rules, TERRITORY) == 1:
            dead = load(state, dead_at)
            blacks, whites = load(state, black_at), load(state, black_at + width)
            points -= count(without(blacks, dead)) - count(without(whites, dead))
            points += field(game, TAKEN[0]) + count(common(whites, dead))
            points -= field(game, TAKEN[1]) + count(common(blacks, dead))
        return 2 * points - (field(options, KOMI) - NO_KOMI) - 2 * field(options, BONUS)

    def neutral(state: State) -> int:
        black, white = area(state)
        on_board = union(union(load(state, black_at), load(state, black_at + width)), load(state, empty_at))
        return count(on_board) - count(black) - count(white)

    return Count(area, margin, neutral)
