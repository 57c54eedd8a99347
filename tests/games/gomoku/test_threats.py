"""What a stone would make where, for the whole board at once, is what walking along each line finds."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadNotation
from ludus.games.gomoku.planes import THREAT_PLANES

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
FIVE, FOUR, TWO_FOURS, THREE, TWO_THREES = range(5)


def lines_through(cell, length, size):
    """All rows of so many cells that hold a cell and lie on the board, each with its direction."""
    for direction in DIRECTIONS:
        for back in range(length):
            cells = [
                tuple(at + (k - back) * step for at, step in zip(cell, direction, strict=True)) for k in range(length)
            ]
            if all(0 <= row < size and 0 <= column < size for row, column in cells):
                yield direction, cells


def beside(cells, direction):
    """The cells before and behind a row."""
    return [
        tuple(at - step for at, step in zip(cells[0], direction, strict=True)),
        tuple(at + step for at, step in zip(cells[-1], direction, strict=True)),
    ]


def lacks_one(cells, direction, stones, colour, exact):
    """The one cell that a row of a colour's stones lacks, or None; with `exact` nothing of the colour may adjoin."""
    lacking = [cell for cell in cells if stones.get(cell) != colour]
    adjoined = any(stones.get(cell) == colour for cell in beside(cells, direction))
    return lacking[0] if len(lacking) == 1 and lacking[0] not in stones and not (exact and adjoined) else None


def made(cell, stones, colour, size, exact):
    """What a stone on a free cell makes: a set of the numbers above."""
    found, after, lines_with_four, completions = set(), {**stones, cell: colour}, set(), set()
    for direction, cells in lines_through(cell, 5, size):
        if lacks_one(cells, direction, stones, colour, exact) == cell:
            found.add(FIVE)
        last = lacks_one(cells, direction, after, colour, exact)
        if last is not None:
            lines_with_four.add(direction)
            completions.add((direction, last))
    lines_with_three = set()
    for direction, cells in lines_through(cell, 6, size):
        inner = cells[1:-1]
        if cell not in inner or any(end in after for end in (cells[0], cells[-1])):
            continue
        lacking = [other for other in inner if after.get(other) != colour]
        adjoined = any(stones.get(other) == colour for other in beside(cells, direction))
        if len(lacking) == 1 and lacking[0] not in after and not (exact and adjoined):
            lines_with_three.add(direction)
    threes = len(lines_with_three - lines_with_four)
    found |= {FOUR} if completions else set()
    found |= {TWO_FOURS} if len(completions) >= 2 else set()
    found |= {THREE} if threes else set()
    return found | ({TWO_THREES} if threes >= 2 else set())


@st.composite
def crowded(draw):
    """A size and stones that lie close together, so that lines come about."""
    size = draw(st.integers(5, 9))
    cells = [(row, column) for row in range(size) for column in range(size)]
    most = draw(st.sampled_from([0, 1]))  # one colour has more stones, so that its lines stay open
    of_each = [None, None, None, None, most, most, 0, 1]
    colours = draw(st.lists(st.sampled_from(of_each), min_size=len(cells), max_size=len(cells)))
    return size, {cell: colour for cell, colour in zip(cells, colours, strict=True) if colour is not None}


def setup_of(size, stones):
    points = {"black": [], "white": []}
    for (row, column), colour in stones.items():
        points["white" if colour else "black"].append(f"{'abcdefghi'[column]}{size - row}")
    return points


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@settings(max_examples=60, deadline=None)
@given(crowded())
def test_the_whole_board_at_once_is_each_cell_by_itself(rule, case):
    size, stones = case
    game = ludus.game(f"gomoku:{rule}:{size}x{size}:threats")
    try:
        position = game.start(setup_of(size, stones))
    except BadNotation:  # somebody has a five already
        assume(False)
    planes = position.planes[-len(THREAT_PLANES) :]  # [2 T, N, N]
    for side in range(2):
        colour = side if game.rules.to_play(position.state) == 0 else 1 - side
        exact = rule == "standard" or (rule == "renju" and colour == 0)
        for cell in np.ndindex(size, size):
            seen = {threat for threat in range(5) if planes[5 * side + threat][cell]}
            assert seen == (made(cell, stones, colour, size, exact) if cell not in stones else set()), (cell, colour)
