"""Dots and Boxes on 3 by 3 boxes: draw a line; who closes a box owns it and moves again (Edouard Lucas, 1889)."""

import ludus

# The state: 12 lines across, from the top left, row by row, each the top of the box below it; 12 lines down, each on
# the right of the box before it; 9 boxes, 0 (open), 1 (player 0's) or 2; the player to move.  An action is a line.
SIZE, ACROSS, LINES, TURN = 3, 12, 24, 33


def start(state):
    """Nothing is drawn, and player 0 begins."""


def side(box, number):
    """Return a line around a box: its top, its bottom, on its left, on its right."""
    row, column = box // SIZE, box % SIZE
    if number < 2:
        return box + SIZE * number
    return ACROSS + (SIZE + 1) * row + column + number - 2


def legal(state, actions):
    """Any line that is not drawn yet."""
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
    """Who owns most boxes has won, as soon as nobody can catch up; of nine there is no draw."""
    for player in range(2):
        if 2 * (state[LINES:TURN] == 1 + player).sum() > SIZE * SIZE:
            return ludus.FIRST_WINS if player == 0 else ludus.SECOND_WINS
    return ludus.ONGOING


def encode(state, planes):
    """Planes 0 to 3: the lines around each box; plane 4: the mover's boxes; plane 5: the opponent's."""
    for box in range(SIZE * SIZE):
        row, column = box // SIZE, box % SIZE
        for number in range(4):
            planes[number, row, column] = state[side(box, number)]
        if state[LINES + box] != 0:
            planes[4 + (state[LINES + box] - 1 ^ state[TURN]), row, column] = 1


def where(line):
    """Return the cell whose `top` or `right` a line is; row 3 and column -1 lie beyond the board."""
    if line < ACROSS:
        return (line // SIZE, line % SIZE), "top"
    line -= ACROSS
    return (line // (SIZE + 1), line % (SIZE + 1) - 1), "right"


def action_text(state, action):
    """`hb1` is the first line across (horizontal) in column b, `vb1` the second line down (vertical) in row 1."""
    (row, column), kind = where(action)
    return f"h{'abc'[column]}{row + 1}" if kind == "top" else f"v{'abcd'[column + 1]}{row + 1}"


def describe(position):
    """Lines are edges of cells, and boxes that are owned hold a disc."""
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
