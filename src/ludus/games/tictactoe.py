"""Tic-tac-toe on 3 by 3 cells: the simplest example of a game, used by most tests."""

import numpy as np

from ludus.games.about import STANDARD, About, Variant
from ludus.games.board import Board, Choice, Mark, Piece
from ludus.games.game import Game, Position
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, State

# The state is ten small numbers: nine cells and the player to move.  An action is the number of the cell to fill.
#
#     0 1 2       a cell holds 0 (empty), 1 (player 0's cross) or 2 (player 1's nought)
#     3 4 5
#     6 7 8
SIZE, CELLS = 3, 9
TURN = 9  # index of the player to move
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def start(state: State) -> None:
    """Write an empty board; crosses begin."""
    state[:] = 0


def to_play(state: State) -> int:
    """Return the player to move; the players alternate."""
    return int(state[TURN])


def legal(state: State, actions: np.ndarray) -> int:
    """List the empty cells."""
    count = 0
    for cell in range(CELLS):
        if state[cell] == 0:
            actions[count] = cell
            count += 1
    return count


def play(state: State, action: int) -> None:
    """Fill the cell and pass the turn."""
    player = int(state[TURN])
    state[action] = 1 + player
    state[TURN] = 1 - player


def outcome(state: State) -> int:
    """Return the winner if there are three in a line, a draw if the board is full, else ONGOING."""
    for a, b, c in LINES:
        if state[a] != 0 and state[a] == state[b] and state[a] == state[c]:
            return FIRST_WINS + int(state[a]) - 1
    return DRAW if np.all(state[:CELLS] != 0) else ONGOING


def encode(state: State, planes: np.ndarray) -> None:
    """Write plane 0 (the mover's cells) and plane 1 (the opponent's)."""
    mover = int(state[TURN])
    for cell in range(CELLS):
        if state[cell] != 0:
            planes[0 if int(state[cell]) == 1 + mover else 1, cell // SIZE, cell % SIZE] = 1


def symmetric_state(state: State, symmetry: int, out: State) -> None:
    """Write the state under one of the square's eight symmetries."""
    for cell in range(CELLS):
        out[symmetric_action(state, symmetry, cell)] = state[cell]
    out[TURN] = state[TURN]


def symmetric_action(state: State, symmetry: int, action: int) -> int:  # noqa: ARG001
    """Return the mirrored cell: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns."""
    row, column = action // SIZE, action % SIZE
    if symmetry & 1:
        column = SIZE - 1 - column
    if symmetry & 2:
        row = SIZE - 1 - row
    return column * SIZE + row if symmetry & 4 else row * SIZE + column


# ---- for people ------------------------------------------------------------------------------------------------------


def action_text(state: State, action: int) -> str:  # noqa: ARG001
    """Name a cell by column a to c from the left and row 1 to 3 from the bottom: the top left cell is a3."""
    return "abc"[action % SIZE] + "321"[action // SIZE]


def reason(state: State) -> str:
    """Return why the game is over."""
    return "board full" if outcome(state) == DRAW else "three in a line"


def describe(position: Position) -> Board:
    """Draw a grid of squares; a click on an empty cell fills it."""
    state, at = position.state, [(cell // SIZE, cell % SIZE) for cell in range(CELLS)]
    pieces = [
        Piece(at=at[cell], shape=("cross", "nought")[state[cell] - 1], owner=int(state[cell]) - 1)
        for cell in range(CELLS)
        if state[cell] != 0
    ]
    won = {cell for line in LINES for cell in line if state[line[0]] and len({int(state[c]) for c in line}) == 1}
    marks = [Mark(at=at[cell], kind="win") for cell in sorted(won)]
    if position.action is not None:
        marks.append(Mark(at=at[position.action], kind="last"))
    choices = [
        Choice(action=cell, text=action_text(state, cell), kind="cell", at=at[cell]) for cell in position.actions
    ]
    columns, rows = list("abc"), list("321")
    return Board(SIZE, SIZE, "squares", pieces, [], marks, choices, column_labels=columns, row_labels=rows)


about = About(
    title="Tic-tac-toe",
    aim="Three of yours in a line win.",
    example="b2 a3 c1 a1 a2",
    variants=(Variant(STANDARD, board=(SIZE, SIZE)),),
    heuristic_boards=("",),
)

game = Game(
    name="tictactoe",
    state_size=CELLS + 1,
    num_actions=CELLS,
    planes=(2, SIZE, SIZE),
    plane_names=("mine", "the opponent's"),
    max_actions=CELLS,
    start=start,
    to_play=to_play,
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
    num_symmetries=8,
    symmetric_state=symmetric_state,
    symmetric_action=symmetric_action,
    action_places=[(0, cell // SIZE, cell % SIZE) for cell in range(CELLS)],
    players=("Crosses", "Noughts"),
    action_text=action_text,
    reason=reason,
    describe=describe,
)
