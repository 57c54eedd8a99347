"""Threats found for a whole board at once agree with a search along each line and with exhaustive search."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadNotation
from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.fours import ROOM, find_wins_by_fours
from ludus.games.gomoku.layout import PAD, stone_bit
from ludus.games.gomoku.planes import THREAT_PLANES, WIN_PLANES
from ludus.games.gomoku.threats import find_fours, half_of, make_threats
from ludus.kernel import COMPILED, entry
from ludus.kernel.rules import compiled

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
FIVE, FOUR, TWO_FOURS, THREE, TWO_THREES = range(5)


def lines_through(cell, length, size):
    """Yield all rows of `length` cells on the board that contain a cell, each with its direction."""
    for direction in DIRECTIONS:
        for back in range(length):
            cells = [
                tuple(at + (k - back) * step for at, step in zip(cell, direction, strict=True)) for k in range(length)
            ]
            if all(0 <= row < size and 0 <= column < size for row, column in cells):
                yield direction, cells


def beside(cells, direction):
    """Return the cells before and after a row."""
    return [
        tuple(at - step for at, step in zip(cells[0], direction, strict=True)),
        tuple(at + step for at, step in zip(cells[-1], direction, strict=True)),
    ]


def lacks_one(cells, direction, stones, colour, exact):
    """Return the one cell that a row of a colour's stones lacks, or None; with `exact`, no stone may extend the row."""
    lacking = [cell for cell in cells if stones.get(cell) != colour]
    adjoined = any(stones.get(cell) == colour for cell in beside(cells, direction))
    return lacking[0] if len(lacking) == 1 and lacking[0] not in stones and not (exact and adjoined) else None


def made(cell, stones, colour, size, exact):
    """Return the set of threats that a stone on a free cell makes, by the numbers above."""
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
    """Draw a board size and stones that are close together, so that lines arise."""
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
def test_threats_of_the_whole_board_agree_with_a_search_per_cell(rule, case):
    size, stones = case
    game = ludus.game(f"gomoku:{rule}:{size}x{size}:threats")
    try:
        position = game.start(setup_of(size, stones))
    except BadNotation:  # the board already has a five
        assume(False)
    planes = position.planes[-len(THREAT_PLANES) :].reshape(2, -1, size, size)  # [2, T, N, N]
    for side in range(2):
        colour = side if game.rules.to_play(position.state) == 0 else 1 - side
        exact = rule == "standard" or (rule == "renju" and colour == 0)
        for cell in np.ndindex(size, size):
            seen = {threat for threat in range(5) if planes[side, threat][cell]}
            assert seen == (made(cell, stones, colour, size, exact) if cell not in stones else set()), (cell, colour)


def points(stones, colour, size, exact):
    """Return all free cells that complete a five of a colour."""
    found = set()
    for cell in stones:
        for direction, cells in lines_through(cell, 5, size) if stones[cell] == colour else ():
            found.add(lacks_one(cells, direction, stones, colour, exact))
    return found - {None}


def begin_wins(stones, colour, size, exact, forbidden, patience):
    """Return the cells where a colour starts a win by fours, by trying all sequences.

    exact: whether each colour needs exactly five; forbidden: returns whether a point is forbidden to Black; patience:
    [number of positions that may still be tried].
    """
    patience[0] -= 1
    assume(patience[0] > 0)
    theirs = points(stones, 1 - colour, size, exact[1 - colour])
    won = set()
    for cell in theirs or set(np.ndindex(size, size)) - set(stones):
        if len(theirs) > 1:
            continue
        after = {**stones, cell: colour}
        stops = points(after, colour, size, exact[colour])
        if not stops or (colour == 0 and forbidden(stones, cell)):
            continue
        if len(stops) > 1 or any(colour == 1 and forbidden(after, stop) for stop in stops):
            won.add(cell)
        else:
            (stop,) = stops
            if begin_wins({**after, stop: 1 - colour}, colour, size, exact, forbidden, patience):
                won.add(cell)
    return won


def state_of(empty, stones):
    """Return a state with these stones."""
    state = empty.copy()
    for (row, column), colour in stones.items():
        state[1 + row] |= stone_bit(column, colour)
    return state


def cells_of(rows):
    """Return the cells of a set of rows, column 0 at bit PAD."""
    return {(row, column) for row, column in np.ndindex(len(rows), len(rows)) if (rows[row] >> (PAD + column)) & 1}


@pytest.mark.parametrize(
    "rule", ["freestyle", *(pytest.param(rule, marks=pytest.mark.full) for rule in ("standard", "renju"))]
)
@settings(max_examples=40, deadline=None)
@given(crowded())
def test_wins_by_fours_agree_with_trying_all_sequences(rule, case):
    size, stones = case
    game = ludus.game(f"gomoku:{rule}:{size}x{size}:fours")
    try:
        position = game.start(setup_of(size, stones))
    except BadNotation:  # the board already has a five
        assume(False)
    empty = game.start().state
    exact = [rule in ("standard", "renju"), rule == "standard"]

    def forbidden(stones, cell):
        return rule == "renju" and is_forbidden(state_of(empty, stones), cell[0] * size + cell[1])

    planes = position.planes[-len(WIN_PLANES) :]  # [2, N, N]
    for side in range(2):
        colour = side if game.rules.to_play(position.state) == 0 else 1 - side
        has_five = points(stones, colour, size, exact[colour])
        expected = set() if has_five else begin_wins(stones, colour, size, exact, forbidden, [100])
        assert search(position.state, colour, 1000, False) == (expected != set(), expected)
        found, won = search(position.state, colour, ROOM, False)
        assert won == {cell for cell in np.ndindex(size, size) if planes[side][cell]} <= expected
        assert found == (won != set())
        assert search(position.state, colour, 1000, True)[0] == (expected != set())
        found_once, won = search(position.state, colour, ROOM, True)
        assert found <= found_once <= (expected != set()), "without repetitions, the storage lasts longer"
        assert won <= expected


fours, wins, threats = (compiled(each) if COMPILED else each for each in (find_fours, find_wins_by_fours, make_threats))


@entry
def compiled_search(state, colour, half, room, once, won):
    t = threats(len(won))
    fours(state, half, t)
    return wins(state, colour, t, room, once, won)


def search(state, colour, room, once):
    """Return whether a colour wins by fours, and the cells where it starts to."""
    won = np.zeros(len(state) - 1, np.int64)  # [N]
    return compiled_search(state, colour, half_of(colour), room, once, won), cells_of(won)


def test_a_line_of_four_and_a_gap_of_two_is_a_single_four():
    """In `X__XXX` two lines lack the same two cells: a stone on either makes one four with that line."""
    game = ludus.game("gomoku:15x15:threats:fours")
    position = game.start({"black": ["d8", "g8", "h8", "i8"], "white": ["j8", "a1", "a3", "a5"]})
    planes = dict(zip(game.plane_names, position.planes, strict=True))
    fours, two_fours = planes["to put: four"], planes["to put: two fours"]
    assert [tuple(cell) for cell in np.argwhere(fours)] == [(7, 4), (7, 5)]
    assert not two_fours.any()
    assert not planes["to put: win by fours"].any()


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(crowded(), st.integers(1, 7))
def test_a_mirrored_board_has_mirrored_threats(case, symmetry):
    size, stones = case
    game = ludus.game(f"gomoku:{size}x{size}:threats:fours")
    try:
        position = game.start(setup_of(size, stones))
    except BadNotation:  # the board already has a five
        assume(False)
    mirrored = position.state.copy()
    game.rules.symmetric_state(position.state, symmetry, mirrored)
    planes = np.zeros_like(position.planes)  # [C, N, N]
    game.rules.encode(mirrored, planes)
    for cell in range(size * size):
        there = game.rules.symmetric_action(position.state, symmetry, cell)
        assert np.array_equal(planes[:, there // size, there % size], position.planes[:, cell // size, cell % size])


def test_a_win_by_two_fours():
    """Find a win although the first four is stopped at h8: its three in a column becomes an unstoppable four."""
    game = ludus.game("gomoku:15x15:fours")
    position = game.start({"black": ["d8", "e8", "f8", "g9", "g10"], "white": ["c8", "a1", "e15", "o3", "o9"]})
    mine, theirs = position.planes[-len(WIN_PLANES) :]  # [2, N, N]
    assert [tuple(cell) for cell in np.argwhere(mine)] == [(7, 6)]  # g8
    assert not theirs.any()
    stopped = game.start({"black": ["d8", "e8", "f8", "g9", "g10"], "white": ["c8", "a1", "g11", "g7", "o9"]})
    assert not stopped.planes[-len(WIN_PLANES) :].any()
