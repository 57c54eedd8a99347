"""Othello: a disc turns the opponent's discs between itself and another disc of its side; no turn means a pass.

Rules: World Othello Federation.  Unlike the tutorial's game, this one has a pass, a heuristic for bots without a
network, eight symmetries, a button, names of the sides, and a note beside the board.
"""

import ludus

# The state: 64 cells, row by row from a1 at the top left, then the player to move.  A cell holds 0 (empty), 1 (a disc
# of player 0) or 2 (of player 1).  Actions are the cells, then the pass.
SIZE, CELLS, TURN, PASS = 8, 64, 64, 64
WAYS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
CORNERS = (0, SIZE - 1, CELLS - SIZE, CELLS - 1)
LETTERS = "abcdefgh"


def start(state):
    """Put two discs of each side in the centre; Black is player 0."""
    state[3 * SIZE + 4] = state[4 * SIZE + 3] = 1
    state[3 * SIZE + 3] = state[4 * SIZE + 4] = 2


def turned(state, cell, down, right, disc):
    """Return the number of discs that a disc on this cell would turn in one direction."""
    row, column, count = cell // SIZE + down, cell % SIZE + right, 0
    while 0 <= row < SIZE and 0 <= column < SIZE and state[row * SIZE + column] == 3 - disc:
        row, column, count = row + down, column + right, count + 1
    if 0 <= row < SIZE and 0 <= column < SIZE and state[row * SIZE + column] == disc:
        return count
    return 0


def turns_any(state, cell, disc):
    """Return whether a disc may be put on this cell."""
    if state[cell] == 0:
        for down, right in WAYS:
            if turned(state, cell, down, right, disc) > 0:
                return True
    return False


def legal(state, actions):
    """List the cells where a disc turns others; if there are none, list the pass."""
    disc, count = 1 + int(state[TURN]), 0
    for cell in range(CELLS):
        if turns_any(state, cell, disc):
            actions[count] = cell
            count += 1
    if count == 0:
        actions[0], count = PASS, 1
    return count


def play(state, action):
    """Put the disc, turn the discs in between, pass the turn."""
    disc = 1 + int(state[TURN])
    if action != PASS:
        for down, right in WAYS:
            for step in range(1, 1 + turned(state, action, down, right, disc)):
                state[action + step * (down * SIZE + right)] = disc
        state[action] = disc
    state[TURN] = 1 - state[TURN]


def outcome(state):
    """Return the side with more discs once neither side can put a disc; until then, ONGOING."""
    for cell in range(CELLS):
        if turns_any(state, cell, 1) or turns_any(state, cell, 2):
            return ludus.ONGOING
    lead = (state[:CELLS] == 1).sum() - (state[:CELLS] == 2).sum()
    if lead == 0:
        return ludus.DRAW
    return ludus.FIRST_WINS if lead > 0 else ludus.SECOND_WINS


def corner_near(cell):
    """Return the corner of a cell's quarter of the board."""
    return CORNERS[2 * (cell // SIZE >= SIZE // 2) + (cell % SIZE >= SIZE // 2)]


def heuristic(state, actions, count, weights):
    """Prefer corners, avoid cells next to an empty corner, and return the lead in corners as the value."""
    for index in range(count):
        cell, weights[index] = int(actions[index]), 1.0
        if cell != PASS:
            corner = corner_near(cell)
            rows, columns = abs(cell // SIZE - corner // SIZE), abs(cell % SIZE - corner % SIZE)
            if cell == corner:
                weights[index] = 10.0
            elif rows <= 1 and columns <= 1 and state[corner] == 0:
                weights[index] = 0.1
    lead = 0
    for corner in CORNERS:
        if state[corner] != 0:
            lead += 3 - 2 * int(state[corner])
    return 0.2 * lead


def encode(state, planes):
    """Write the mover's discs (plane 0) and the opponent's (plane 1)."""
    for cell in range(CELLS):
        if state[cell] != 0:
            planes[(state[cell] - 1) ^ state[TURN], cell // SIZE, cell % SIZE] = 1


def moved(cell, symmetry):
    """Return the image of a cell: bit 0 mirrors the columns, bit 1 the rows; bit 2 then swaps rows and columns."""
    row, column = cell // SIZE, cell % SIZE
    if symmetry & 1:
        column = SIZE - 1 - column
    if symmetry & 2:
        row = SIZE - 1 - row
    return column * SIZE + row if symmetry & 4 else row * SIZE + column


def symmetric_state(state, symmetry, out):
    """Write the board under one of the square's eight symmetries."""
    for cell in range(CELLS):
        out[moved(cell, symmetry)] = state[cell]
    out[TURN] = state[TURN]


def symmetric_action(state, symmetry, action):
    """Return the image of the cell; a pass stays a pass."""
    return PASS if action == PASS else moved(action, symmetry)


def action_text(state, action):
    """Return a cell's name, such as `d3`; as usual in Othello, the first row is at the top."""
    return "pass" if action == PASS else f"{LETTERS[action % SIZE]}{action // SIZE + 1}"


def describe(position):
    """Describe a board of squares; a pass is a button."""
    state, choices = position.state, []
    pieces = [ludus.Piece(divmod(cell, SIZE), "stone", int(state[cell]) - 1) for cell in range(CELLS) if state[cell]]
    for action in position.actions:
        text = action_text(state, action)
        if action == PASS:
            choices.append(ludus.Choice(action, text, "button", label="Pass"))
        else:
            choices.append(ludus.Choice(action, text, "cell", divmod(action, SIZE)))
    black, white = ((state[:CELLS] == disc).sum() for disc in (1, 2))
    note = f"Black has {black} discs, White {white}."
    labels, paints = (list(LETTERS), list("12345678")), ("black", "white")
    return ludus.Board(SIZE, SIZE, "squares", pieces, [], [], choices, *labels, note=note, paints=paints)


game = ludus.Game(
    name="othello",
    state_size=CELLS + 1,
    num_actions=CELLS + 1,
    planes=(2, SIZE, SIZE),
    max_actions=2 * (CELLS - 4),  # two passes in a row cannot occur
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
    action_text=action_text,
    describe=describe,
    players=("Black", "White"),
)
