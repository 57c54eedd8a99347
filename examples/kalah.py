"""Kalah with six pits and four seeds: sow your seeds, and collect more than half in your store (W. J. Champion, 1940).

The seeds of a pit are sown one by one into the next pits and the mover's store.  A last seed in the store earns another
move.  A last seed in an empty pit of the mover captures itself and the seeds opposite.  When the pits of one side are
empty, the other side keeps the seeds in its own.
"""

import ludus

# The state: the seeds in six pits and the store of player 0 (South), then of player 1 (North), in the order of sowing;
# the player to move.  An action is the number of a pit of the mover, 0 to 5 in the order of sowing.
PITS, STORE, HOLES, TURN, SEEDS = 6, 6, 14, 14, 48


def start(state):
    """Put four seeds into every pit; South begins."""
    state[:HOLES] = SEEDS // (2 * PITS)
    state[STORE] = state[HOLES - 1] = 0


def legal(state, actions):
    """List the mover's pits that have seeds."""
    count = 0
    for pit in range(PITS):
        if state[7 * int(state[TURN]) + pit] > 0:
            actions[count] = pit
            count += 1
    return count


def last_hole(state, action):
    """Return where the last seed of a pit falls, counted from the mover's first pit without the opponent's store."""
    return (action + int(state[7 * int(state[TURN]) + action])) % (HOLES - 1)


def play(state, action):
    """Sow the seeds of a pit; a last seed in the store earns another move, one in an own empty pit captures."""
    own, last = 7 * int(state[TURN]), last_hole(state, action)
    seeds, hole = int(state[own + action]), action
    state[own + action] = 0
    for _ in range(seeds):
        hole = (hole + 1) % (HOLES - 1)
        state[(own + hole) % HOLES] += 1
    opposite = (own + 2 * PITS - last) % HOLES
    if last < STORE and state[own + last] == 1 and state[opposite] > 0:
        state[own + STORE] += state[opposite] + 1
        state[opposite] = state[own + last] = 0
    if last != STORE:
        state[TURN] = 1 - state[TURN]
    if state[:PITS].sum() == 0 or state[STORE + 1 : STORE + 1 + PITS].sum() == 0:
        for side in (0, 7):
            state[side + STORE] += state[side : side + PITS].sum()
            state[side : side + PITS] = 0


def outcome(state):
    """Return the side with more than half of the seeds; a draw if both have half."""
    half = SEEDS // 2
    if state[STORE] == half and state[HOLES - 1] == half:
        return ludus.DRAW
    if state[STORE] > half:
        return ludus.FIRST_WINS
    return ludus.SECOND_WINS if state[HOLES - 1] > half else ludus.ONGOING


def heuristic(state, actions, count, weights):
    """Prefer pits whose last seed falls into the store, and return the lead in stores as the value."""
    for index in range(count):
        weights[index] = 4.0 if last_hole(state, int(actions[index])) == STORE else 1.0
    return (int(state[STORE]) - int(state[HOLES - 1])) / SEEDS


def encode(state, planes):
    """Write the seeds of the mover's pits and of those opposite, where they are empty, and the seeds in the stores."""
    own = 7 * int(state[TURN])
    for pit in range(PITS):
        for side in range(2):
            seeds = state[own + pit if side == 0 else (own + 2 * PITS - pit) % HOLES]
            planes[0, side, pit] = seeds
            planes[1, side, pit] = seeds == 0
            planes[2 + side, :, pit] = state[(own + STORE + 7 * side) % HOLES]
        planes[4, 0, pit] = last_hole(state, pit) == STORE


def column_of(player, pit):
    """Return the column of a pit: South sows to the right, North to the left."""
    return 1 + pit if player == 0 else PITS - pit


def action_text(state, action):
    """Return the letter of the pit's column, a to f from the left, as South sees the board."""
    return "abcdef"[column_of(int(state[TURN]), action) - 1]


def spots():
    """Return the cells: North's pits above South's, North's store at the left, South's at the right."""
    rows, columns = (("South", 1), ("North", 0)), range(1, 1 + PITS)
    pits = [ludus.Spot((row, at), name=f"{side}'s pit {'abcdef'[at - 1]}") for side, row in rows for at in columns]
    stores = [((1, 1 + PITS), "South's store"), ((0, 0), "North's store")]
    return pits + [ludus.Spot(at, (0.5, at[1]), (2, 1), name) for at, name in stores]


CELLS = spots()


def describe(position):
    """Describe pits with seeds, and a store at each end; each side sees its own pits below."""
    state, mover = position.state, position.to_play
    at = [(1 - side, column_of(side, pit)) for side in (0, 1) for pit in range(PITS + 1)]
    marks = []
    if position.parent and position.action is not None:
        marks = [ludus.Mark(at[7 * position.parent.to_play + position.action], "last")]
    return ludus.Board(
        rows=2,
        columns=2 + PITS,
        style="pits",
        pieces=[ludus.Piece(at[hole], "seed") for hole in range(HOLES) for _ in range(state[hole])],
        marks=marks,
        choices=[ludus.Choice(pit, action_text(state, pit), "cell", at[7 * mover + pit]) for pit in position.actions],
        column_labels=["", *"abcdef", ""],
        opposite=True,
        cells=CELLS,
    )


about = ludus.About(
    aim="Sow the seeds of a pit, and collect more than half of all seeds in your store.",
    example="c.f b d a",
)

game = ludus.Game(
    name="kalah",
    state_size=HOLES + 1,
    num_actions=PITS,
    planes=(5, 2, PITS),
    plane_names=("seeds", "empty", "my store", "other store", "reaches the store"),
    plane_scale=(0.25, 1, 1 / SEEDS, 1 / SEEDS, 1),
    max_actions=250,
    start=start,
    to_play=lambda state: int(state[TURN]),
    legal=legal,
    play=play,
    outcome=outcome,
    heuristic=heuristic,
    encode=encode,
    action_text=action_text,
    reason=lambda state: f"{state[STORE]} to {state[HOLES - 1]} seeds",
    describe=describe,
    players=("South", "North"),
)
