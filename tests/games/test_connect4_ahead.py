"""The planes of Connect Four's option `ahead`: wins by force, and fillings of the board."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame
from ludus.games.calls import RULES
from ludus.games.connect4.filling import ORDERS
from ludus.games.connect4.filling import filled as filled_side_by_side
from ludus.games.connect4.replies import DECIDED, LEVELS
from ludus.games.connect4.solved import read_columns
from ludus.kernel import entry
from ludus.seeding import stream

GAME = ludus.game("connect4:ahead")
SOLVED = Path("tests/golden/connect4-solved.jsonl.gz")
COLUMNS, ROWS = range(7), range(6)
ROWS_OF_COLUMNS = [[column for columns in order for column in columns] for order in ORDERS]
PAIRS = [(columns, [6 - column for column in columns]) for columns in ROWS_OF_COLUMNS]  # each with its mirror image
CELLS = list(itertools.product(COLUMNS, ROWS))
LINES = [
    line
    for (column, row), (right, up) in itertools.product(CELLS, ((1, 0), (0, 1), (1, 1), (1, -1)))
    if (line := frozenset((column + k * right, row + k * up) for k in range(4))).issubset(CELLS)
]
THROUGH = {cell: [line for line in LINES if cell in line] for cell in CELLS}

# A board here is a pair of sets of cells (column, row from the bottom), the player to move first.


def free_cells(mine, theirs):
    """Return the cells where a disc may be dropped."""
    heights = [sum((column, row) in mine | theirs for row in ROWS) for column in COLUMNS]
    return [(column, height) for column, height in enumerate(heights) if height in ROWS]


def is_four(discs, cell):
    """Return whether a disc on a cell completes four."""
    return any(line <= discs | {cell} for line in THROUGH[cell])


def fours(mine, theirs, discs):
    """Return the cells where a dropped disc completes four."""
    return [cell for cell in free_cells(mine, theirs) if is_four(discs, cell)]


def begins(mine, theirs, cell):
    """Return whether a disc there wins by a four, a double threat, or a threat whose only answer allows the next."""
    if is_four(mine, cell):
        return True
    mine = mine | {cell}
    if fours(mine, theirs, theirs):
        return False
    threats = fours(mine, theirs, mine)
    return len(threats) > 1 or (len(threats) == 1 and wins(mine, theirs | {threats[0]}))


def wins(mine, theirs):
    return any(begins(mine, theirs, cell) for cell in free_cells(mine, theirs))


def fill(mine, theirs, last, order, *, growing):
    """Return the result of filling the board by the strategy of `filling`: 1 if the player to move wins, -1 or 0."""
    lines, sign = None if growing else (mine, theirs), 1
    while True:
        my_lines, their_lines = lines or (mine, theirs)
        free = free_cells(mine, theirs)
        if not free:
            return 0
        if any(is_four(my_lines, cell) for cell in free):
            return sign
        stops = [cell for cell in free if is_four(their_lines, cell)]
        spared = [(c, r) for c, r in free if r + 1 not in ROWS or not is_four(their_lines, (c, r + 1))]
        harmless = [(c, r) for c, r in spared if r + 1 not in ROWS or not is_four(my_lines, (c, r + 1))]
        if len(stops) > 1 or not (stops or spared):
            return -sign
        answer = (last[0], last[1] + 1)
        choice = stops or harmless or spared
        last = answer if answer in choice else min(choice, key=lambda cell: order.index(cell[0]))
        mine, theirs, sign = theirs, mine | {last}, -sign
        lines = lines and (lines[1], lines[0])


def filled(mine, theirs, cell, pair, *, growing):
    """Return whether a disc wins (1), loses (-1) or neither, by both orders of a pair."""
    if is_four(mine, cell):
        return 1
    return np.sign(sum(-fill(theirs, mine | {cell}, cell, order, growing=growing) for order in pair))


def best_worth(mine, theirs, last, discs):
    """Return a position's value for the player to move, searching `depth` discs ahead as `replies` does."""
    if wins(mine, theirs):
        return DECIDED
    free = free_cells(mine, theirs)
    if not free:
        return 0
    if discs == 0:
        ways = [(PAIRS[0], False), *((pair, True) for pair in PAIRS)]
        return sum(fill(mine, theirs, last, order, growing=growing) for pair, growing in ways for order in pair)
    stops = [cell for cell in free if is_four(theirs, cell)]
    return max(-best_worth(theirs, mine | {cell}, cell, discs - 1) for cell in stops or free)


def worth(mine, theirs, cell):
    """Return a disc's value for the player to move."""
    return DECIDED if begins(mine, theirs, cell) else -best_worth(theirs, mine | {cell}, cell, 2)


@entry
def fillings_of(mine, theirs, last):
    return filled_side_by_side(mine, theirs, last, -9, 9)


def planes_of(state):
    """Return the planes from the compiled rules, since plain Python needs a tenth of a second."""
    planes = np.zeros(GAME.planes, np.uint8)
    RULES["encode"].entry(GAME.rules, state.copy(), planes)
    return planes


def test_the_fillings_of_a_position_agree_with_a_slow_reference_each():
    ways = [(PAIRS[0], False), *((pair, True) for pair in PAIRS)]
    seen = np.zeros((2, 8), int)
    for position in some_positions(40):
        before = position.state
        for column in position.actions:
            after = position.play(column)
            if after.outcome:
                continue
            mover = int(before[2]) & 1
            mine, theirs = before[1 - mover], after.state[mover]
            won, lost = fillings_of(mine, theirs, theirs ^ before[mover])
            sets = [{(bit // 7, bit % 7) for bit in range(49) if int(word) >> bit & 1} for word in (mine, theirs)]
            last = next(iter(sets[1] - {(bit // 7, bit % 7) for bit in range(49) if int(before[mover]) >> bit & 1}))
            expected = [fill(*sets, last, order, growing=growing) for pair, growing in ways for order in pair]
            assert [(won >> lane & 1) - (lost >> lane & 1) for lane in range(8)] == expected
            seen += [[value == 1 for value in expected], [value == -1 for value in expected]]
    assert seen.min() > 10


def cells_of(plane):
    return {(column, 5 - row) for row, column in np.argwhere(plane)}


DRAWN = "446323116125713546635334125521577677446722"  # a game that ends with a full board


def some_positions(number):
    """Return unfinished positions of random games, and of the end of a drawn one."""
    rng, game = stream(0, "test", "ahead"), GAME.compile()
    late = game.start()
    for column in DRAWN[:-1]:
        late = late.play(column)
        if len(late.moves) > 30:
            yield late
    for _ in range(number):
        position = game.start()
        for _ in range(int(rng.integers(4, 34))):
            after = position.play(int(rng.choice(position.actions)))
            if after.outcome:
                break
            position = after
        yield position


def test_planes_agree_with_a_slow_reference():
    ways = [(PAIRS[0], False), *((pair, True) for pair in PAIRS)]
    seen = np.zeros(2 + 2 * len(ways), int)
    for position in some_positions(80):
        planes = planes_of(position.state)
        mine, theirs = cells_of(planes[0]), cells_of(planes[1])
        free = free_cells(mine, theirs)
        expected = [
            {cell for cell in free if begins(mine, theirs, cell)},
            {cell for cell in free if not is_four(mine, cell) and wins(theirs, mine | {cell})},
        ]
        for pair, growing in ways:
            values = {cell: filled(mine, theirs, cell, pair, growing=growing) for cell in free}
            expected += [{cell for cell in free if values[cell] == value} for value in (1, -1)]
        assert [cells_of(plane) for plane in planes[8:18]] == expected
        seen += [len(cells) for cells in expected]
    assert seen.min() > 10


@pytest.mark.full
def test_values_of_discs_agree_with_a_slow_full_minimax():
    seen = np.zeros(2 * len(LEVELS), int)
    for position in some_positions(20):
        planes = planes_of(position.state)
        mine, theirs = cells_of(planes[0]), cells_of(planes[1])
        worths = {cell: worth(mine, theirs, cell) for cell in free_cells(mine, theirs)}
        expected = [
            {cell for cell, value in worths.items() if sign * value >= level} for level in LEVELS for sign in (1, -1)
        ]
        assert [cells_of(plane) for plane in planes[18:]] == expected
        seen += [len(cells) for cells in expected]
    assert seen.min() > 10


def test_the_first_planes_equal_those_without_the_option():
    plain = ludus.game("connect4")
    for position in some_positions(50):
        there = plain.start()
        for move in position.moves:
            there = there.play(move)
        assert np.array_equal(planes_of(position.state)[:8], there.planes)


def test_planes_of_the_mirror_image_are_mirrored():
    mirrored = GAME.empty_state()
    for position in some_positions(40):
        GAME.rules.symmetric_state(position.state, 1, mirrored)
        assert np.array_equal(planes_of(mirrored), planes_of(position.state)[:, :, ::-1])


def decisive_columns():
    """Return the solved positions in which some column changes the outcome."""
    return [each for each in read_columns(SOLVED) if each.position().is_decisive]


def test_wins_and_losses_by_force_agree_with_the_solver():
    game, seen = GAME.compile(), np.zeros(2, int)
    for each in read_columns(SOLVED):
        position = game.start()
        for column in each.moves:
            position = position.play(column)
        won, lost = (plane.any(axis=0) for plane in planes_of(position.state)[8:10])
        assert all(each.scores[column] > 0 for column in np.flatnonzero(won))
        assert all(each.scores[column] < 0 for column in np.flatnonzero(lost))
        seen += [won.sum(), lost.sum()]
    assert seen.min() > 300


def test_discs_that_win_by_fillings_keep_the_outcome_more_often():
    game, kept, good = GAME.compile(), [], []
    for each in decisive_columns():
        position = game.start()
        for column in each.moves:
            position = position.play(column)
        planes = planes_of(position.state)[10:18].any(axis=1)  # [8, 7]
        verdicts = planes[::2].sum(axis=0, dtype=int) - planes[1::2].sum(axis=0, dtype=int)
        kept += [column in each.optimal_outcome for column in position.actions]
        good += [int(verdicts[column]) for column in position.actions]
    kept, good = np.array(kept), np.array(good)
    # Measured: 65 % of the winning discs keep the outcome, 35 % of all discs, 10 % of the losing ones.
    assert kept[good > 0].mean() > 0.55 > 0.45 > kept.mean() > 0.2 > kept[good < 0].mean()


def test_the_disc_of_the_highest_value_mostly_keeps_the_outcome():
    game, kept = GAME.compile(), []
    for each in decisive_columns():
        position = game.start()
        for column in each.moves:
            position = position.play(column)
        planes = planes_of(position.state)[18:].any(axis=1)  # [2 * LEVELS, 7]
        worths = planes[::2].sum(axis=0, dtype=int) - planes[1::2].sum(axis=0, dtype=int)
        best = max(worths[column] for column in position.actions)
        kept.append(np.mean([column in each.optimal_outcome for column in position.actions if worths[column] == best]))
    assert np.mean(kept) > 0.9  # measured: 92.4 % of 563 positions


@pytest.mark.parametrize("spec", ["connect4:behind", "connect4:", "connect4:ahead:ahead", "connect4:discs:ahead"])
def test_an_unknown_option_is_refused(spec):
    with pytest.raises(BadGame, match="write connect4, or connect4:ahead"):
        ludus.game(spec)
