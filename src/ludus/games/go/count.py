"""Scoring: the owner of each point under area or territory scoring, with or without marked dead stones.

Under territory scoring, eyes in seki are worth nothing.  Stones not marked as dead are alive.  An alive group that
touches neutral points is in seki unless it can have two eyes: here, if it surrounds only one region, of one or two
points.

The final maps for training are the areas: map 0 holds my points at the end (stones, and what they alone surround),
map 1 the opponent's.  Their difference and the komi give the score (after cbaduk).
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ludus.games.go import layout
from ludus.games.go.points import Points, point_sets
from ludus.games.packed import ONE, read_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit


class Count(NamedTuple):
    """The scoring operations for sets of points with one number of words."""

    area: Callable[[State], tuple[Points, Points]]
    """The points of Black and White: stones not marked as dead, and points that only they reach."""
    margin: Callable[[State], int]
    """Black's score minus White's, with komi, compensation and button, in half points."""
    in_seki: Callable[[State], tuple[Points, Points]]
    """The points that Black and White surround by groups in seki."""
    neutral: Callable[[State], int]
    """The number of neutral points."""


SMALL_EYE = 2
"""Maximum size of a region without room for two eyes."""


@cache
def count_points(width: int) -> Count:
    """Build the scoring operations for sets of points in `width` words."""
    load, _, single, union, common, without, is_empty, count, lowest, around, fill = point_sets(width)
    black_at, empty_at, dead_at = (layout.SETS + each * width for each in (layout.BLACK, layout.EMPTY, layout.DEAD))

    def area(state: State) -> tuple[Points, Points]:
        frame, dead = read_field(state, layout.FRAME), load(state, dead_at)
        black, white = without(load(state, black_at), dead), without(load(state, black_at + width), dead)
        empty = union(load(state, empty_at), dead)
        for_black, for_white = fill(black, union(black, empty), frame), fill(white, union(white, empty), frame)
        return without(for_black, for_white), without(for_white, for_black)

    def eyes_in_seki(area_: Points, stones: Points, neutral: Points, frame: int) -> Points:
        """Return the points that a player surrounds by groups in seki."""
        found, left = without(area_, area_), stones
        while not is_empty(left):
            group = fill(single(lowest(left)), area_, frame)  # with the points that it surrounds
            left = without(left, group)
            eyes = without(group, stones)
            if is_empty(eyes) or count(eyes) > SMALL_EYE or is_empty(common(around(group, frame), neutral)):
                continue
            if count(fill(single(lowest(eyes)), eyes, frame)) == count(eyes):
                found = union(found, eyes)
        return found

    def in_seki(state: State) -> tuple[Points, Points]:
        frame, dead = read_field(state, layout.FRAME), load(state, dead_at)
        blacks, whites = load(state, black_at), load(state, black_at + width)
        black, white = area(state)
        neutral = without(without(union(union(blacks, whites), load(state, empty_at)), black), white)
        return (
            eyes_in_seki(black, without(blacks, dead), neutral, frame),
            eyes_in_seki(white, without(whites, dead), neutral, frame),
        )

    def margin(state: State) -> int:
        black, white = area(state)
        points = count(black) - count(white)
        if read_field(state, layout.TERRITORY) == 1:
            dead = load(state, dead_at)
            blacks, whites = load(state, black_at), load(state, black_at + width)
            for_black, for_white = in_seki(state)
            points -= count(without(blacks, dead)) - count(without(whites, dead))
            points -= count(for_black) - count(for_white)
            points += read_field(state, layout.TAKEN[0]) + count(common(whites, dead))
            points -= read_field(state, layout.TAKEN[1]) + count(common(blacks, dead))
        return 2 * points - layout.whites_compensation(state)

    def num_neutral(state: State) -> int:
        black, white = area(state)
        on_board = union(union(load(state, black_at), load(state, black_at + width)), load(state, empty_at))
        return count(on_board) - count(black) - count(white)

    return Count(area, margin, in_seki, num_neutral)


@cache
def final_maps(width: int) -> Callable[[State, int, np.ndarray], None]:
    """Build the rule `final_maps` for sets of points in `width` words."""
    area = count_points(width).area

    def write_maps(state: State, player: int, maps: np.ndarray) -> None:
        flat = maps.reshape(maps.size)  # [2 N]
        cells = maps.shape[1] * maps.shape[2]
        black, white = area(state)
        for word in range(width):
            for owner in range(2):
                left = black[word] if owner == 0 else white[word]
                first = (0 if owner == player else cells) + 64 * word
                while left != np.uint64(0):
                    flat[first + lowest_bit(left)] = 1
                    left &= left - ONE

    return write_maps
