"""Dots and Boxes on 3 by 3 boxes: draw a line; closing a box earns the box and another move (Edouard Lucas, 1889)."""

import ludus

# The state: 12 horizontal lines, row by row from the top left, each the top of the box below it; 12 vertical lines,
# each on the right of the box before it; 9 boxes, 0 (open), 1 (player 0's) or 2; the player to move.  An action is a
# line.
SIZE, ACROSS, LINES, TURN = 3, 12, 24, 33


def start(state):
    """Keep the zeros: no line is drawn, and player 0 begins."""


def side(box, number):
    """Return a line of a box: number 0 is its top, 1 its bottom, 2 its left side, 3 its right side."""
    row, column = box // SIZE, box % SIZE
    if number < 2:
        return box + SIZE * number
    return ACROSS + (SIZE + 1) * row + column + number - 2


def legal(state, actions):
    """List the lines that are not drawn yet."""
    count = 0
    for line in range(LINES):
        if state[line] == 0:
            actions[count] = line
            count += 1
    return count


def play(state, action):
    """Draw the line; the turn passes unless it closes a box."""
    state[action] = 1
    closed = 0
    for box in range(SIZE * SIZE):
        drawn = 0
        for number in range(4):
            drawn += state[side(box, number)]
        if drawn == 4 and state[LINES + box] == 0:
            state[LINES + box] = 1 + state[TURN]
            closed += 1
    if closed == 0:
        state[TURN] = 1 - state[TURN]


def outcome(state):
    """Return the player with more than half of the boxes, else ONGOING; with nine boxes, there is no draw."""
    for player in range(2):
        if 2 * (state[LINES:TURN] == 1 + player).sum() > SIZE * SIZE:
            return ludus.FIRST_WINS if player == 0 else ludus.SECOND_WINS
    return ludus.ONGOING


def encode(state, planes):
    """Write the lines around each box (planes 0 to 3), the mover's boxes (plane 4) and the opponent's (plane 5)."""
    for box in range(SIZE * SIZE):
        row, column = box // SIZE, box % SIZE
        for number in range(4):
            planes[number, row, column] = state[side(box, number)]
        if state[LINES + box] != 0:
            planes[4 + (state[LINES + box] - 1 ^ state[TURN]), row, column] = 1


def where(line):
    """Return the cell and the side, `top` or `right`, of a line; row 3 and column -1 are outside the board."""
    if line < ACROSS:
        return (line // SIZE, line % SIZE), "top"
    line -= ACROSS
    return (line // (SIZE + 1), line % (SIZE + 1) - 1), "right"


def action_text(state, action):
    """Return a line's name: `hb1` is the first horizontal line in column b, `vb1` the second vertical line in row 1."""
    (row, column), kind = where(action)
    return f"h{'abc'[column]}{row + 1}" if kind == "top" else f"v{'abcd'[column + 1]}{row + 1}"


def describe(position):
    """Describe lines as edges of cells, and owned boxes as cells with a disc."""
    state = position.state
    lines = [where(line) for line in range(LINES)]
    return ludus.Board(
        rows=SIZE,
        columns=SIZE,
        style="squares",
        edges=[ludus.Edge(at=at, side=kind) for line, (at, kind) in enumerate(lines) if state[line]],
        pieces=[
            ludus.Piece(at=(box // SIZE, box % SIZE), shape="disc", owner=int(state[LINES + box]) - 1)
            for box in range(SIZE * SIZE)
            if state[LINES + box]
        ],
        choices=[
            ludus.Choice(action=line, text=action_text(state, line), kind=lines[line][1], at=lines[line][0])
            for line in position.actions
        ],
    )


game = ludus.Game(
    name="dots",
    state_size=34,
    num_actions=LINES,
    planes=(6, SIZE, SIZE),
    plane_names=("top", "bottom", "left", "right", "my boxes", "other boxes"),
    max_actions=LINES,
    start=start,
    to_play=lambda state: int(state[TURN]),
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
    action_text=action_text,
    describe=describe,
)
