"""Connect Four on 7 columns by 6 rows: drop discs, four in a line wins; solved, so it is the ground truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludus.games.board import Board, Choice, Mark, Piece
from ludus.games.game import DRAW, ONGOING, Game, State
from ludus.kernel import write_bits

if TYPE_CHECKING:
    from ludus.games.position import Position

ROWS, COLUMNS, CELLS = 6, 7, 42
HEIGHT = ROWS + 1  # bits of a column: a free bit on top keeps lines from running into the next column

# The state is three words.  Bit `column * HEIGHT + height` of a player's word is a disc of that player:
#
#     6 13 20 27 34 41 48   always free
#     5 12 19 26 33 40 47   top row
#     ...
#     0  7 14 21 28 35 42   bottom row
NUM_DISCS = 2  # index of the counter; words 0 and 1 are the players' discs
ONE = np.uint64(1)
SPREAD = np.array(  # [64] the six bits of a column, as the first cells of the six rows from the top
    [sum((discs >> ROWS - 1 - row & 1) << row * COLUMNS for row in range(ROWS)) for discs in range(1 << ROWS)],
    np.uint64,
)
NUM_PLANES = 8
BOARD = np.uint64(sum(((1 << ROWS) - 1) << column * HEIGHT for column in range(COLUMNS)))
ODD_ROWS = np.uint64(sum((1 << COLUMNS) - 1 << row * COLUMNS for row in (1, 3, 5)))  # counted from below; row by row
EVEN_ROWS = np.uint64(sum((1 << COLUMNS) - 1 << row * COLUMNS for row in (0, 2, 4)))
DIRECTIONS = (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)  # up, right, down-right, up-right


def start(state: State) -> None:
    """An empty board."""
    state[0] = state[1] = state[NUM_DISCS] = 0


def to_play(state: State) -> int:
    """The players take turns."""
    return int(state[NUM_DISCS]) & 1


def legal(state: State, actions: np.ndarray) -> int:
    """An action is a column, from the left; full columns are closed."""
    discs = np.uint64(state[0]) | np.uint64(state[1])
    count = 0
    for column in range(COLUMNS):
        if int(discs >> np.uint64(column * HEIGHT + ROWS - 1)) & 1 == 0:
            actions[count] = column
            count += 1
    return count


def play(state: State, action: int) -> None:
    """Adding a bit at the foot of a column carries up to the first free cell."""
    discs = np.uint64(state[0]) | np.uint64(state[1])
    foot = ONE << np.uint64(action * HEIGHT)
    column = ((ONE << np.uint64(ROWS)) - ONE) << np.uint64(action * HEIGHT)
    player = int(state[NUM_DISCS]) & 1
    state[player] = np.uint64(state[player]) | (((discs & column) + foot) & ~discs)
    state[NUM_DISCS] = np.uint64(state[NUM_DISCS]) + ONE


def outcome(state: State) -> int:
    """Only the player who moved last can have made four."""
    last = 1 - (int(state[NUM_DISCS]) & 1)
    if has_four(np.uint64(state[last])):
        return 1 + last
    return DRAW if int(state[NUM_DISCS]) == ROWS * COLUMNS else ONGOING


def has_four(discs: np.uint64) -> bool:
    """Return whether four discs stand in a line."""
    for step in DIRECTIONS:
        pairs = discs & (discs >> np.uint64(step))
        if int(pairs & (pairs >> np.uint64(2 * step))) != 0:
            return True
    return False


def encode(state: State, planes: np.ndarray) -> None:
    """Planes 0 and 1: discs of the mover and of the opponent; 2 and 3: cells that would give each of them four.

    Plane 4: every other row, the first player's in whose turn it is: who fills a column from below alternates, so the
    first player gets the odd rows, and the second the even ones, of columns that nobody wants to begin.  Planes 5 and
    6: cells of lines in which the mover, or the opponent, has two discs and nobody has another.  Plane 7: where a disc
    would come to lie.
    """
    mover = int(state[NUM_DISCS]) & 1
    mine, theirs = np.uint64(state[mover]), np.uint64(state[1 - mover])
    free = BOARD & ~(mine | theirs)
    flat = planes.reshape(NUM_PLANES * CELLS)  # each word is 64 bytes, whose end the next one writes over
    write_bits(flat, 0, by_rows(mine))
    write_bits(flat, CELLS, by_rows(theirs))
    write_bits(flat, 2 * CELLS, by_rows(free & completing(mine)))
    write_bits(flat, 3 * CELLS, by_rows(free & completing(theirs)))
    write_bits(flat, 4 * CELLS, EVEN_ROWS if mover == 1 else ODD_ROWS)
    write_bits(flat, 5 * CELLS, by_rows(preparing(mine, free)))
    stops = by_rows(preparing(theirs, free))
    write_bits(flat, 6 * CELLS, stops)
    landing = by_rows(free & ~(free << ONE))
    write_bits(flat, NUM_PLANES * CELLS - 64, stops >> np.uint64(2 * CELLS - 64) | landing << np.uint64(64 - CELLS))


def preparing(discs: np.uint64, free: np.uint64) -> np.uint64:
    """Return the free cells of lines of four in which two of these discs lie, and none of the other player."""
    found = np.uint64(0)
    for step in DIRECTIONS:
        one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
        d1, d2, d3 = discs >> one, discs >> two, discs >> three
        e1, e2, e3 = free >> one, free >> two, free >> three
        w = free & e1 & d2 & d3
        found |= w | w << one
        w = free & d1 & e2 & d3
        found |= w | w << two
        w = free & d1 & d2 & e3
        found |= w | w << three
        w = discs & e1 & e2 & d3
        found |= w << one | w << two
        w = discs & e1 & d2 & e3
        found |= w << one | w << three
        w = discs & d1 & e2 & e3
        found |= w << two | w << three
    return found


def completing(discs: np.uint64) -> np.uint64:
    """Return the cells that would make four in a line with three of these discs, whatever lies there now."""
    below = discs << ONE & discs << np.uint64(2) & discs << np.uint64(3)
    found = np.uint64(below)
    for step in DIRECTIONS[1:]:
        one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
        up, down = discs << one, discs >> one  # what lies a step before each cell, and behind it
        found |= up & discs << two & (discs << three | down) | down & discs >> two & (discs >> three | up)
    return found


def final_maps(state: State, player: int, maps: np.ndarray) -> None:
    """Map 0: where the player's discs lie at the end; map 1: the opponent's."""
    flat = maps.reshape(2 * CELLS)
    for side in range(2):
        discs = by_rows(np.uint64(state[player ^ side]))
        for cell in range(CELLS):
            flat[side * CELLS + cell] = int(discs >> np.uint64(cell)) & 1


def by_rows(discs: np.uint64) -> np.uint64:
    """Return a player's cells in the order of planes: row by row from the top left."""
    cells = np.uint64(0)
    for column in range(COLUMNS):
        cells |= SPREAD[int(discs >> np.uint64(column * HEIGHT)) & (1 << ROWS) - 1] << np.uint64(column)
    return cells


def symmetric_state(state: State, symmetry: int, out: State) -> None:  # noqa: ARG001 - there is one besides identity
    """The mirror image: columns in reverse."""
    mask = (ONE << np.uint64(HEIGHT)) - ONE
    for player in range(2):
        discs = np.uint64(state[player])
        mirrored = np.uint64(0)
        for column in range(COLUMNS):
            bits = (discs >> np.uint64(column * HEIGHT)) & mask
            mirrored |= bits << np.uint64((COLUMNS - 1 - column) * HEIGHT)
        out[player] = mirrored
    out[NUM_DISCS] = state[NUM_DISCS]


def symmetric_action(state: State, symmetry: int, action: int) -> int:  # noqa: ARG001
    """The mirrored column."""
    return COLUMNS - 1 - action


# ---- for people ------------------------------------------------------------------------------------------------------


def action_text(state: State, action: int) -> str:  # noqa: ARG001
    """Columns are numbered 1 to 7 from the left, as in the solvers' records."""
    return str(action + 1)


def winning_bits(state: State) -> int:
    """Return the cells of all fours on the board, as bits."""
    found = 0
    for player in range(2):
        discs = int(state[player])
        for step in DIRECTIONS:
            four = discs & (discs >> step) & (discs >> 2 * step) & (discs >> 3 * step)
            found |= four | (four << step) | (four << 2 * step) | (four << 3 * step)
    return found


def reason(state: State) -> str:
    """Say why the game is over."""
    return "four in a line" if winning_bits(state) else "board full"


def describe(position: Position) -> Board:
    """A standing rack; a click on any cell of a column drops a disc there."""
    state = position.state
    pieces: list[Piece] = []
    marks: list[Mark] = []
    won = winning_bits(state)
    before = position.parent.state if position.parent else state
    for column in range(COLUMNS):
        for height in range(ROWS):
            bit = 1 << (column * HEIGHT + height)
            at = (ROWS - 1 - height, column)
            for player in range(2):
                if int(state[player]) & bit:
                    pieces.append(Piece(at=at, shape="disc", owner=player))
                    if not int(before[player]) & bit:
                        marks.append(Mark(at=at, kind="last"))
            if won & bit:
                marks.append(Mark(at=at, kind="win"))
    choices = [
        Choice(action=action, text=action_text(state, action), kind="cell", at=(row, action))
        for action in position.actions
        for row in range(ROWS)
    ]
    labels = [str(column + 1) for column in range(COLUMNS)]
    return Board(
        rows=ROWS, columns=COLUMNS, style="drop", pieces=pieces, marks=marks, choices=choices, column_labels=labels
    )


game = Game(
    name="connect4",
    state_size=3,
    dtype="uint64",
    num_actions=COLUMNS,
    planes=(NUM_PLANES, ROWS, COLUMNS),
    max_actions=ROWS * COLUMNS,
    start=start,
    to_play=to_play,
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
    num_symmetries=2,
    symmetric_state=symmetric_state,
    symmetric_action=symmetric_action,
    action_places=[(0, 0, column) for column in range(COLUMNS)],  # where a disc is dropped
    num_maps=2,
    final_maps=final_maps,
    players=("Red", "Yellow"),
    action_text=action_text,
    describe=describe,
    reason=reason,
)
