"""Hex on 11 by 11 cells: join your two sides of the board; after the first stone, Blue may swap (Piet Hein, 1942).

The board is a rhombus of hexagons.  Red joins the top and the bottom, Blue the left and the right.  Nobody can draw.
"""

import ludus

# The state: 121 cells, row by row from the top left; the winner (0: none, 1: Red, 2: Blue); the player to move.  A cell
# holds 0 (empty), 1 (red) or 2 (blue), plus 4 if its chain touches its colour's first side (top, left), plus 8 if it
# touches the second (bottom, right).  An action is a cell, or SWAP: replace Red's stone by a blue one in the mirror
# image of its cell, which stands to Blue's sides as Red's stood to Red's.
SIZE, CELLS, WON, TURN, SWAP = 11, 121, 121, 122, 121
COLOUR, FIRST, SECOND = 3, 4, 8
BOTH = FIRST + SECOND
NEAR = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
LETTERS = "abcdefghijk"


def start(state):
    """Keep the zeros: an empty board, and Red begins."""


def linked(state, cell):
    """Return the sides that a stone touches: by itself, or through its neighbours of the same colour."""
    row, column, colour = cell // SIZE, cell % SIZE, int(state[cell]) & COLOUR
    place = row if colour == 1 else column
    sides = int(state[cell]) | (FIRST if place == 0 else 0) | (SECOND if place == SIZE - 1 else 0)
    for down, right in NEAR:
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE:
            there = int(state[cell + down * SIZE + right])
            if there & COLOUR == colour:
                sides |= there
    return sides & BOTH


def put(state, cell, colour):
    """Put a stone on a cell, and tell its whole chain which sides it touches."""
    state[cell] = colour
    changed = linked(state, cell) != 0
    while changed:
        changed = False
        for each in range(CELLS):
            if int(state[each]) & COLOUR == colour:
                sides = linked(state, each)
                if sides != int(state[each]) & BOTH:
                    state[each] = colour + sides
                    changed = True
    if int(state[cell]) & BOTH == BOTH:
        state[WON] = colour


def legal(state, actions):
    """List the empty cells, and the swap if there is only Red's first stone."""
    count = 0
    for cell in range(CELLS):
        if state[cell] == 0:
            actions[count] = cell
            count += 1
    if count == CELLS - 1 and state[TURN] == 1:
        actions[count] = SWAP
        count += 1
    return count


def play(state, action):
    """Put a stone, or swap; pass the turn."""
    player = int(state[TURN])
    if action == SWAP:
        for cell in range(CELLS):
            if int(state[cell]) & COLOUR == 1:
                state[cell] = 0
                put(state, cell % SIZE * SIZE + cell // SIZE, 2)
                break
    else:
        put(state, action, 1 + player)
    state[TURN] = 1 - player


def outcome(state):
    """Return the player whose chain touches both sides; on a full board there is one."""
    if state[WON] == 0:
        return ludus.ONGOING
    return ludus.FIRST_WINS if state[WON] == 1 else ludus.SECOND_WINS


def encode(state, planes):
    """Write the mover's stones, those linked to its first and to its second side, the opponent's, and the mover."""
    planes[6] = state[TURN]
    for cell in range(CELLS):
        stone = int(state[cell])
        if stone != 0:
            first = 0 if (stone & COLOUR) - 1 == state[TURN] else 3
            planes[first, cell // SIZE, cell % SIZE] = 1
            planes[first + 1, cell // SIZE, cell % SIZE] = stone // FIRST % 2
            planes[first + 2, cell // SIZE, cell % SIZE] = stone // SECOND


def symmetric_state(state, symmetry, out):
    """Write the board rotated by 180 degrees, so that first and second sides change places."""
    for cell in range(CELLS):
        stone = int(state[cell])
        out[CELLS - 1 - cell] = (stone & COLOUR) + stone // FIRST % 2 * SECOND + stone // SECOND * FIRST
    out[WON], out[TURN] = state[WON], state[TURN]


def symmetric_action(state, symmetry, action):
    """Return the rotated cell; the swap stays the swap."""
    return SWAP if action == SWAP else CELLS - 1 - action


def action_text(state, action):
    """Return a cell's name, such as `f6`; as usual in Hex, the first row is at the top."""
    return "swap" if action == SWAP else f"{LETTERS[action % SIZE]}{action // SIZE + 1}"


def borders():
    """Return the coloured border: Red's at the top and the bottom, Blue's at the left and the right."""
    last, edges = SIZE - 1, []
    for k in range(SIZE):
        edges += [ludus.Edge((0, k), side, 0) for side in ("top-left", "top-right")]
        edges += [ludus.Edge((last, k), side, 0) for side in ("bottom-left", "bottom-right")]
        edges += [ludus.Edge((k, 0), "left", 1), ludus.Edge((k, last), "right", 1)]
        if k < last:
            edges += [ludus.Edge((k, 0), "bottom-left", 1), ludus.Edge((k + 1, last), "top-right", 1)]
    return edges


BORDERS = borders()


def describe(position):
    """Describe a rhombus of hexagons; the swap is a button."""
    state, before = position.state, position.parent.state if position.parent else position.state
    stones = {divmod(cell, SIZE): int(state[cell]) for cell in range(CELLS) if state[cell]}
    old = {divmod(cell, SIZE): int(before[cell]) for cell in range(CELLS)}
    marks = [ludus.Mark(at, "last") for at, stone in stones.items() if old[at] & COLOUR != stone & COLOUR]
    marks += [ludus.Mark(at, "win") for at, stone in stones.items() if stone & BOTH == BOTH]
    choices = []
    for action in position.actions:
        text = action_text(state, action)
        if action == SWAP:
            choices.append(ludus.Choice(action, text, "button", label="Swap"))
        else:
            choices.append(ludus.Choice(action, text, "cell", divmod(action, SIZE)))
    swap = "Blue may swap: take over Red's stone, mirrored." if SWAP in position.actions else ""
    return ludus.Board(
        rows=SIZE,
        columns=SIZE,
        style="hexagons",
        pieces=[ludus.Piece(at, "stone", (stone & COLOUR) - 1) for at, stone in stones.items()],
        edges=BORDERS,
        marks=marks,
        choices=choices,
        column_labels=list(LETTERS),
        row_labels=[str(1 + row) for row in range(SIZE)],
        note=swap or "Red joins top and bottom, Blue left and right.",
        paints=("red", "blue"),
    )


about = ludus.About(
    aim="Join your two sides of the board with a chain; after the first stone, Blue may swap.",
    example="c2 f6 g4 e4 f3 d6 e5 f5 h5 g6 d8 e7 c10 d9",
)

game = ludus.Game(
    name="hex",
    state_size=CELLS + 2,
    num_actions=CELLS + 1,
    planes=(7, SIZE, SIZE),
    plane_names=("mine", "my first", "my second", "other", "its first", "its second", "mover"),
    max_actions=CELLS + 1,  # every action but the swap fills a cell
    start=start,
    to_play=lambda state: int(state[TURN]),
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
    num_symmetries=2,
    symmetric_state=symmetric_state,
    symmetric_action=symmetric_action,
    action_text=action_text,
    reason=lambda state: "both sides joined",
    describe=describe,
    players=("Red", "Blue"),
)
