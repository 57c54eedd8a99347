"""Nine Men's Morris: three stones in a line are a mill and take a stone; a side with two stones loses (about 1400 BC).

Both sides put nine stones, then move along the lines; a side with three stones may fly to any point.  A stone in a mill
is taken only if all are in mills.  A side without a move loses, too.
"""

import numpy as np

import ludus

# The state: 24 points, row by row from the top left, 0 (empty), 1 (white) or 2 (black); the stones that White and Black
# still have to put; 1 if the mover has closed a mill and takes a stone; the player to move; the moves since the last
# stone was put or taken.  An action puts a stone on a point, takes one (24 + point) or moves one (48 + 24 * from + to).
POINTS, HAND, TAKES, TURN, QUIET, TAKE, MOVE = 24, 24, 26, 27, 28, 24, 48
STONES, MOST_QUIET, MOST_LEGAL = 9, 50, 54
CELLS = [(row, column) for row in range(7) for column in range(7) if (row, column) != (3, 3)]
AT = tuple(cell for cell in CELLS if 3 in cell or cell[0] in (cell[1], 6 - cell[1]))  # row and column of each point
BY_COLUMN = sorted(range(POINTS), key=lambda point: AT[point][::-1])
LINES = tuple(tuple(order[k : k + 3]) for order in (range(POINTS), BY_COLUMN) for k in range(0, POINTS, 3))
NEXT = np.zeros((POINTS, POINTS), np.bool_)  # whether a line joins two points
for a, b, c in LINES:
    NEXT[[a, b, b, c], [b, a, c, b]] = True


def image(point, symmetry):
    """Return a point's image: bits 0 and 1 mirror the board, bit 2 its diagonal, bit 3 swaps outer and inner ring."""
    row, column = ((place - 3) * (-1 if symmetry >> bit & 1 else 1) for bit, place in enumerate(AT[point]))
    ring = max(abs(row), abs(column))
    row, column = ((4 - ring if symmetry & 8 else ring) * place // ring + 3 for place in (row, column))
    return AT.index((column, row) if symmetry & 4 else (row, column))


IMAGES = np.array([[image(point, symmetry) for point in range(POINTS)] for symmetry in range(16)])


def start(state):
    """Give both sides nine stones; White begins."""
    state[HAND] = state[HAND + 1] = STONES


def closes(state, origin, point, colour):
    """Return whether a stone that comes from `origin` (-1: from nowhere) to a point stands in a mill there."""
    for a, b, c in LINES:
        if point in (a, b, c) and origin not in (a, b, c):
            others = int(a != point and state[a] == colour) + int(b != point and state[b] == colour)
            if others + int(c != point and state[c] == colour) == 2:
                return True
    return False


def is_locked(state, colour):
    """Return whether all stones of a colour are in mills."""
    outside = 0
    for point in range(POINTS):
        outside += int(state[point] == colour and not closes(state, -1, point, colour))
    return outside == 0


def legal(state, actions):
    """List the stones to take, the points to put a stone on, or the moves."""
    player, own, other, count = int(state[TURN]), 1 + int(state[TURN]), 2 - int(state[TURN]), 0
    flies, locked = (state[:POINTS] == own).sum() == 3, state[TAKES] != 0 and is_locked(state, other)
    for point in range(POINTS):
        if state[TAKES] != 0:
            if state[point] == other and (locked or not closes(state, -1, point, other)):
                actions[count], count = TAKE + point, count + 1
        elif state[point] == 0 and state[HAND + player] > 0:
            actions[count], count = point, count + 1
        elif state[point] == 0:
            for origin in range(POINTS):
                if state[origin] == own and (flies or NEXT[origin, point]):
                    actions[count], count = MOVE + POINTS * origin + point, count + 1
    return count


def play(state, action):
    """Put, move or take a stone; the turn passes unless this closes a mill."""
    player, own, closed = int(state[TURN]), 1 + int(state[TURN]), False
    state[QUIET] = state[QUIET] + 1 if action >= MOVE else 0
    if action < TAKE:
        closed = closes(state, -1, action, own)
        state[action] = own
        state[HAND + player] -= 1
    elif action < MOVE:
        state[action - TAKE] = state[TAKES] = 0
    else:
        origin, point = (action - MOVE) // POINTS, (action - MOVE) % POINTS
        closed = closes(state, origin, point, own)
        state[origin], state[point] = 0, own
    if closed and (state[:POINTS] == 3 - own).any():
        state[TAKES] = 1
    else:
        state[TURN] = 1 - player


def outcome(state):
    """Return the winner once a side has two stones or cannot move; 50 moves that take nothing are a draw."""
    player = int(state[TURN])
    if state[TAKES] != 0:
        return ludus.ONGOING
    few = state[HAND + player] == 0 and (state[:POINTS] == 1 + player).sum() < 3
    if few or legal(state, np.zeros(MOST_LEGAL, np.int16)) == 0:
        return ludus.SECOND_WINS if player == 0 else ludus.FIRST_WINS
    return ludus.DRAW if state[QUIET] >= MOST_QUIET else ludus.ONGOING


def heuristic(state, actions, count, weights):
    """Prefer to close mills, and return the lead in stones as the value."""
    own = 1 + int(state[TURN])
    for index in range(count):
        action = int(actions[index])
        origin = (action - MOVE) // POINTS if action >= MOVE else -1
        mill = not TAKE <= action < MOVE and closes(state, origin, action % POINTS, own)
        weights[index] = 8.0 if mill else 1.0
    lead = (state[:POINTS] == 1).sum() + int(state[HAND]) - (state[:POINTS] == 2).sum() - int(state[HAND + 1])
    return max(-0.9, min(0.9, 0.15 * lead))


def encode(state, planes):
    """Write the stones of mover and opponent, their stones in hand, whether one is to be taken, and the quiet moves."""
    player = int(state[TURN])
    planes[2], planes[3] = state[HAND + player], state[HAND + 1 - player]
    planes[4], planes[5] = state[TAKES], state[QUIET]
    for point in range(POINTS):
        if state[point] != 0:
            planes[int(state[point] != 1 + player), AT[point][0], AT[point][1]] = 1


def symmetric_state(state, symmetry, out):
    """Write the state under one of the board's 16 symmetries."""
    out[POINTS : QUIET + 1] = state[POINTS : QUIET + 1]
    for point in range(POINTS):
        out[IMAGES[symmetry, point]] = state[point]


def symmetric_action(state, symmetry, action):
    """Return the image of the points of an action."""
    if action < MOVE:
        return action // POINTS * POINTS + IMAGES[symmetry, action % POINTS]
    return MOVE + POINTS * IMAGES[symmetry, action // POINTS - 2] + IMAGES[symmetry, action % POINTS]


def action_text(state, action):
    """Write `d6` for a stone that is put, `xd6` for one that is taken, and `d6-d7` for a move."""
    origin, point = ("abcdefg"[AT[at][1]] + "7654321"[AT[at][0]] for at in (action // POINTS - 2, action % POINTS))
    return (point, "x" + point)[action // POINTS] if action < MOVE else f"{origin}-{point}"


def choice(state, action):
    """Return where to click for an action: a move also has the stone to move."""
    source = AT[action // POINTS - 2] if action >= MOVE else None
    return ludus.Choice(action, action_text(state, action), "cell", AT[action % POINTS], source)


def describe(position):
    """Describe points joined by lines, and the stones in hand in trays above and below."""
    state, before = position.state, position.parent.state if position.parent else position.state
    pieces = [ludus.Piece(AT[point], "stone", int(state[point]) - 1) for point in range(POINTS) if state[point]]
    for player, tray in enumerate(((7, 0), (-1, 0))):
        pieces += [ludus.Piece(tray, "stone", player)] * int(state[HAND + player])
    marks = [ludus.Mark(AT[at], "last") for at in range(POINTS) if state[at] and state[at] != before[at]]
    choices = [choice(state, action) for action in position.actions]
    return ludus.Board(
        *(7, 7, "points", pieces, [], marks, choices, list("abcdefg"), list("7654321")),
        note="A mill: take a stone of the other side." if state[TAKES] and not position.outcome else "",
        paints=("white", "black"),
        cells=[ludus.Spot(at) for at in AT],
        lines=[[AT[point] for point in line] for line in LINES],
        trays=1,
    )


about = ludus.About(title="Nine Men's Morris", aim="Three in a line take a stone.", example="d6 d2 f4 b4 g7 e5")

game = ludus.Game(
    name="morris",
    state_size=QUIET + 1,
    num_actions=MOVE + POINTS * POINTS,
    planes=(6, 7, 7),
    plane_scale=(1, 1, 1 / STONES, 1 / STONES, 1, 1 / MOST_QUIET),
    max_actions=800,  # 18 stones are put, 14 taken, with 50 moves between at most
    max_legal=MOST_LEGAL,
    start=start,
    to_play=lambda state: int(state[TURN]),
    legal=legal,
    play=play,
    outcome=outcome,
    heuristic=heuristic,
    encode=encode,
    num_symmetries=16,
    symmetric_state=symmetric_state,
    symmetric_action=symmetric_action,
    action_text=action_text,
    describe=describe,
    players=("White", "Black"),
)
