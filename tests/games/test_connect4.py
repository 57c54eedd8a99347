"""Connect Four: lines, full columns, and known numbers of positions."""

import itertools

import pytest

import ludus
from ludus.errors import BadNotation, IllegalMove
from ludus.games.drawing import draw
from ludus.seeding import stream

GAME = ludus.game("connect4")


def after(columns):
    position = GAME.start()
    for column in columns:
        position = position.play(column)
    return position


@pytest.mark.parametrize(
    ("columns", "winner"),
    [
        ("1213141", 0),  # upright
        ("1122334", 0),  # horizontal, from the left edge
        ("7766554", 0),  # horizontal, to the right edge
        ("12233434474", 0),  # rising
        ("76655454414", 0),  # falling
        ("61213171", 1),  # vertical, by the second player
    ],
)
def test_four_in_a_line_win_with_the_last_disc(columns, winner):
    assert after(columns[:-1]).outcome is None
    assert after(columns).outcome == ludus.Outcome(winner=winner, reason="four in a line")


def reference_winner(grid):
    """Return 1 or 2 if that player has four in a line of `grid`, else 0; slow and simple."""
    for row in range(6):
        for column in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + k * down, column + k * right) for k in range(4)]
                if all(r < 6 and 0 <= c < 7 for r, c in cells):
                    discs = {grid[r][c] for r, c in cells}
                    if discs in ({1}, {2}):
                        return discs.pop()
    return 0


def test_random_games_agree_with_a_slow_reference(one_in_ten):
    rng = stream(0, "test", "connect4")
    for _ in one_in_ten(range(60)):
        position, grid = GAME.start(), [[0] * 7 for _ in range(6)]
        while True:
            open_columns = [column for column in range(7) if grid[0][column] == 0]
            winner = reference_winner(grid)
            if winner or not open_columns:
                assert position.outcome.winner == (winner - 1 if winner else None)
                assert position.actions == []
                break
            assert position.outcome is None
            assert position.actions == open_columns
            column = int(rng.choice(open_columns))
            row = max(row for row in range(6) if grid[row][column] == 0)
            grid[row][column] = 1 + position.to_play
            position = position.play(column)
            planes = position.planes
            for player in range(2):
                plane = planes[0 if player == position.to_play else 1]
                assert plane.tolist() == [[int(disc == 1 + player) for disc in line] for line in grid]
                if position.outcome is None:
                    fours = planes[2 if player == position.to_play else 3]
                    assert fours.tolist() == reference_fours(grid, 1 + player)
                    pairs = planes[5 if player == position.to_play else 6]
                    assert pairs.tolist() == reference_pairs(grid, 1 + player)
            assert planes[4].tolist() == [[int(row % 2 != position.to_play)] * 7 for row in range(6)]
            landing = [max((r for r in range(6) if grid[r][c] == 0), default=-1) for c in range(7)]
            assert planes[7].tolist() == [[int(row == landing[c]) for c in range(7)] for row in range(6)]


def test_the_option_discs_shows_the_discs_alone():
    game = ludus.game("connect4:discs")
    position, shown = game.start(), GAME.start()
    for column in (3, 3, 2, 4, 1, 0, 6, 6, 5):
        assert position.planes.tolist() == shown.planes[:2].tolist()
        position, shown = position.play(column), shown.play(column)
    assert game.plane_names == ("my discs", "opponent's discs")
    assert position.planes.tolist() == shown.planes[:2].tolist()


def reference_pairs(grid, disc):
    """Return the empty cells of lines of four that hold two of these discs and no other disc."""
    found = [[0] * 7 for _ in range(6)]
    for row, column in itertools.product(range(6), range(7)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = [(row + k * down, column + k * right) for k in range(4)]
            if not all(r < 6 and 0 <= c < 7 for r, c in cells):
                continue
            if sorted(grid[r][c] for r, c in cells) == [0, 0, disc, disc]:
                for r, c in cells:
                    found[r][c] |= int(grid[r][c] == 0)
    return found


def reference_fours(grid, disc):
    """Return the empty cells where a disc would complete four in a line."""
    found = [[0] * 7 for _ in range(6)]
    for row, column in itertools.product(range(6), range(7)):
        if grid[row][column] == 0:
            grid[row][column] = disc
            found[row][column] = int(reference_winner(grid) == disc)
            grid[row][column] = 0
    return found


def test_a_full_board_is_a_draw():
    columns = "446323116125713546635334125521577677446722"
    assert after(columns[:-1]).outcome is None
    assert after(columns).outcome == ludus.Outcome(winner=None, reason="board full")


@pytest.mark.parametrize(("plies", "positions"), [(1, 7), (2, 49), (3, 238), (4, 1120)])
def test_the_number_of_positions_is_the_known_one(plies, positions):
    level = {GAME.start().state.tobytes(): GAME.start()}
    for _ in range(plies):
        level = {
            child.state.tobytes(): child for parent in level.values() for child in map(parent.play, parent.actions)
        }
    assert len(level) == positions  # https://oeis.org/A212693


def test_the_board_is_drawn_with_all_discs():
    board = after("4435").describe()
    assert board.style == "drop"
    assert draw(board).splitlines()[-3:] == [
        "  .   .   .   o   .   .   .",
        "  .   .   x   x   o   .   .",
        "  1   2   3   4   5   6   7",
    ]
    assert {choice.action for choice in board.choices if choice.at == (0, 3)} == {3}


def test_a_full_column_and_an_unknown_one_raise_different_errors():
    position = after("444444")
    with pytest.raises(IllegalMove, match="'4' may not be played here; legal: 1, 2, 3, 5, 6, 7"):
        position.play("4")
    with pytest.raises(BadNotation, match="'8' names no action"):
        position.play("8")
