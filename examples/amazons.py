"""Amazons on 6 by 6 cells: move an amazon, then burn a cell with its arrow, until one side cannot (Zamkauskas, 1988).

Amazons move and shoot like queens of chess, never over an amazon or a burnt cell.  A turn has three actions: choose an
amazon, choose where it goes, choose where its arrow lands.  A side that cannot move loses.
"""

import ludus

# The state: 36 cells, row by row from the top left, 0 (empty), 1 (white), 2 (black) or 3 (burnt); the number of actions
# made in this turn; the cell of the chosen amazon; the player to move.  An action is a cell.
SIZE, CELLS, STEP, CHOSEN, TURN, BURNT = 6, 36, 36, 37, 38, 3
WAYS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
LETTERS = "abcdef"
HOMES = ((31, 34, 18, 23), (1, 4, 12, 17))  # b1, e1, a3, f3 and b6, e6, a4, f4
NOTES = ("Choose an amazon.", "Choose where the amazon goes.", "Choose the cell that its arrow burns.")


def start(state):
    """Put four amazons of each side on their homes; White begins."""
    for player in range(2):
        for cell in HOMES[player]:
            state[cell] = 1 + player


def can_leave(state, cell):
    """Return whether a cell beside this one is empty."""
    row, column = cell // SIZE, cell % SIZE
    for down, right in WAYS:
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE and state[cell + down * SIZE + right] == 0:
            return True
    return False


def reached(state, cell, actions):
    """Write the cells that a queen reaches from this one into `actions` and return their number."""
    count = 0
    for down, right in WAYS:
        row, column = cell // SIZE + down, cell % SIZE + right
        while 0 <= row < SIZE and 0 <= column < SIZE and state[row * SIZE + column] == 0:
            actions[count] = row * SIZE + column
            count += 1
            row, column = row + down, column + right
    return count


def legal(state, actions):
    """List the amazons that can move; then the cells to which the chosen one can go; then those it can shoot at."""
    if state[STEP] > 0:
        return reached(state, int(state[CHOSEN]), actions)
    count = 0
    for cell in range(CELLS):
        if state[cell] == 1 + state[TURN] and can_leave(state, cell):
            actions[count] = cell
            count += 1
    return count


def play(state, action):
    """Choose an amazon, move it, or burn a cell and pass the turn."""
    if state[STEP] == 0:
        state[CHOSEN] = action
    elif state[STEP] == 1:
        state[int(state[CHOSEN])], state[action] = 0, 1 + state[TURN]
        state[CHOSEN] = action
    else:
        state[action] = BURNT
        state[CHOSEN] = 0
        state[TURN] = 1 - state[TURN]
    state[STEP] = (state[STEP] + 1) % 3


def outcome(state):
    """Return the opponent of a player who cannot move; an arrow can always be shot at the cell that was left."""
    if state[STEP] > 0:
        return ludus.ONGOING
    for cell in range(CELLS):
        if state[cell] == 1 + state[TURN] and can_leave(state, cell):
            return ludus.ONGOING
    return ludus.SECOND_WINS if state[TURN] == 0 else ludus.FIRST_WINS


def free_cells(state, cell):
    """Return how many cells beside this one are empty."""
    row, column, count = cell // SIZE, cell % SIZE, 0
    for down, right in WAYS:
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE:
            count += int(state[cell + down * SIZE + right] == 0)
    return count


def heuristic(state, actions, count, weights):
    """Prefer cells with free ones beside them, and return the lead in such freedom as the value."""
    for index in range(count):
        weights[index] = 1.0 + free_cells(state, int(actions[index]))
    lead = 0
    for cell in range(CELLS):
        if state[cell] == 1 or state[cell] == 2:
            lead += free_cells(state, cell) * (3 - 2 * int(state[cell]))
    return max(-0.9, min(0.9, 0.06 * lead))


def encode(state, planes):
    """Write the mover's amazons, the opponent's, the burnt cells, the chosen amazon, and the step of the turn."""
    for cell in range(CELLS):
        row, column = cell // SIZE, cell % SIZE
        if state[cell] == BURNT:
            planes[2, row, column] = 1
        elif state[cell] != 0:
            planes[(state[cell] - 1) ^ state[TURN], row, column] = 1
    if state[STEP] > 0:
        planes[3, state[CHOSEN] // SIZE, state[CHOSEN] % SIZE] = 1
        planes[3 + state[STEP]] = 1


def symmetric_action(state, symmetry, action):
    """Return the image of a cell: bit 0 mirrors the columns, bit 1 the rows; bit 2 then swaps rows and columns."""
    row, column = action // SIZE, action % SIZE
    if symmetry & 1:
        column = SIZE - 1 - column
    if symmetry & 2:
        row = SIZE - 1 - row
    return column * SIZE + row if symmetry & 4 else row * SIZE + column


def symmetric_state(state, symmetry, out):
    """Write the state under one of the square's eight symmetries."""
    for cell in range(CELLS):
        out[symmetric_action(state, symmetry, cell)] = state[cell]
    out[STEP], out[CHOSEN], out[TURN] = state[STEP], 0, state[TURN]
    if state[STEP] > 0:
        out[CHOSEN] = symmetric_action(state, symmetry, int(state[CHOSEN]))


def action_text(state, action):
    """Return a cell's name, such as `b1`; the actions of a turn are joined by dots."""
    return f"{LETTERS[action % SIZE]}{SIZE - action // SIZE}"


def describe(position):
    """Describe a chequered board: click the amazon, its target, and the target of its arrow."""
    state, pieces = position.state, []
    for cell in range(CELLS):
        if state[cell] == BURNT:
            pieces.append(ludus.Piece(divmod(cell, SIZE), "#"))
        elif state[cell]:
            pieces.append(ludus.Piece(divmod(cell, SIZE), "queen", int(state[cell]) - 1))
    last = position.action if position.action is not None else int(state[CHOSEN])
    return ludus.Board(
        rows=SIZE,
        columns=SIZE,
        style="checks",
        pieces=pieces,
        marks=[ludus.Mark(divmod(last, SIZE), "last")] if position.parent else [],
        choices=[ludus.Choice(at, action_text(state, at), "cell", divmod(at, SIZE)) for at in position.actions],
        column_labels=list(LETTERS),
        row_labels=list("654321"),
        note="" if position.outcome else NOTES[state[STEP]],
        opposite=True,
        paints=("white", "black"),
    )


about = ludus.About(
    aim="Move an amazon, then burn a cell with its arrow; who cannot move loses.",
    example="b1.b4.e4 e6.e5.f5 a3.d3.d4 a4.a5.c5",
)

game = ludus.Game(
    name="amazons",
    state_size=TURN + 1,
    num_actions=CELLS,
    planes=(6, SIZE, SIZE),
    plane_names=("mine", "other", "burnt", "chosen", "to move", "to shoot"),
    max_actions=3 * (CELLS - 8),  # every turn burns a cell
    start=start,
    to_play=lambda state: int(state[TURN]),
    legal=legal,
    play=play,
    outcome=outcome,
    heuristic=heuristic,
    encode=encode,
    num_symmetries=8,
    symmetric_state=symmetric_state,
    symmetric_action=symmetric_action,
    action_places=[(0, cell // SIZE, cell % SIZE) for cell in range(CELLS)],
    action_text=action_text,
    reason=lambda state: "no move",
    describe=describe,
    players=("White", "Black"),
)
