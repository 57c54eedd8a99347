"""Breakthrough on 6 by 6 cells: pawns step forward, capture diagonally, and win on the last row (Dan Troyka, 2000)."""

import ludus

# The state: 36 cells, row by row from player 0's left corner, then the player to move.  A cell holds 0 (empty), 1
# (player 0's pawn) or 2 (player 1's).  An action is `3 * cell + step`; steps go forward to the left, straight, right.
SIZE, CELLS, STEPS, TURN = 6, 36, 3, 36


def start(state):
    """Put two rows of pawns on each side."""
    state[: 2 * SIZE] = 1
    state[CELLS - 2 * SIZE : CELLS] = 2


def target(state, action):
    """Return the target cell of an action: player 0 moves up, player 1 down."""
    return action // STEPS + (SIZE if state[TURN] == 0 else -SIZE) + action % STEPS - 1


def legal(state, actions):
    """List the moves: forward to an empty cell, or diagonally forward to a cell without a pawn of the same side."""
    pawn, count = 1 + int(state[TURN]), 0
    for action in range(STEPS * CELLS):
        cell, step = action // STEPS, action % STEPS
        if state[cell] == pawn and 0 <= cell % SIZE + step - 1 < SIZE:
            there = state[target(state, action)]
            if there == 0 or (there != pawn and step != 1):
                actions[count] = action
                count += 1
    return count


def play(state, action):
    """Move the pawn, capture a pawn on its target, pass the turn."""
    state[target(state, action)] = 1 + state[TURN]
    state[action // STEPS] = 0
    state[TURN] = 1 - state[TURN]


def outcome(state):
    """Return the player who reached the last row or captured all pawns; a move always exists, so there are no draws."""
    if (state[CELLS - SIZE : CELLS] == 1).any() or not (state[:CELLS] == 2).any():
        return ludus.FIRST_WINS
    return ludus.SECOND_WINS if (state[:SIZE] == 2).any() or not (state[:CELLS] == 1).any() else ludus.ONGOING


def encode(state, planes):
    """Write the mover's pawns (plane 0), the opponent's (plane 1), and the mover's number (plane 2)."""
    planes[2] = state[TURN]
    for cell in range(CELLS):
        if state[cell] != 0:
            planes[(state[cell] - 1) ^ state[TURN], cell // SIZE, cell % SIZE] = 1


def symmetric_state(state, symmetry, out):
    """Write the mirror image: left and right swapped."""
    for cell in range(CELLS):
        out[cell] = state[cell + SIZE - 1 - 2 * (cell % SIZE)]
    out[TURN] = state[TURN]


def symmetric_action(state, symmetry, action):
    """Return the mirrored action: mirror the cell and the step."""
    return action + STEPS * (SIZE - 1 - 2 * (action // STEPS % SIZE)) + 2 - 2 * (action % STEPS)


def action_text(state, action):
    """Write `b2-b3` for a step and `b2xc3` for a capture."""
    here, there = action // STEPS, target(state, action)
    return "-x"[int(state[there] != 0)].join("abcdef"[cell % SIZE] + "123456"[cell // SIZE] for cell in (here, there))


def describe(position):
    """Describe a board of squares: click a pawn, then its target."""
    state, at = position.state, [(SIZE - 1 - cell // SIZE, cell % SIZE) for cell in range(CELLS)]  # row 0 is at the top
    pieces = [ludus.Piece(at[cell], "stone", int(state[cell]) - 1) for cell in range(CELLS) if state[cell] != 0]
    ends = [(action, action // STEPS, target(state, action)) for action in position.actions]
    choices = [ludus.Choice(action, action_text(state, action), "cell", at[to], at[of]) for action, of, to in ends]
    return ludus.Board(SIZE, SIZE, "squares", pieces, [], [], choices, list("abcdef"), list("654321"))


game = ludus.Game(
    name="breakthrough",
    state_size=CELLS + 1,
    num_actions=STEPS * CELLS,
    planes=(3, SIZE, SIZE),
    max_actions=85,  # every action moves a pawn one row forward
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
    describe=describe,
)
