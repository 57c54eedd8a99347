"""The checker's work depends on the legal actions, and not on the number of all actions."""

import numpy as np
import pytest

import ludus
from ludus.games.check.guard import Guarded
from ludus.games.check.laws import look
from ludus.games.check.laws_for_people import check_texts
from ludus.games.check.run import check

# Amazons on 14x14: a turn is a queen's move, then an arrow shot from where she stands.  Both are lines from a cell.
SIZE, DIRECTIONS, REACH = 14, 8, 13
CELLS, TURN, MOVED = SIZE * SIZE, SIZE * SIZE, SIZE * SIZE + 1  # MOVED: 1 + cell of the queen who must shoot, or 0
STEPS = np.array([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)])
ARROW = 3


def start(state):
    for cell in (4, 9, 56, 69):
        state[cell] = 1
        state[CELLS - 1 - cell] = 2


def target(action):
    cell, direction, distance = action // (DIRECTIONS * REACH), action // REACH % DIRECTIONS, action % REACH + 1
    return cell + distance * int(STEPS[direction, 0] * SIZE + STEPS[direction, 1])


def legal(state, actions):
    count, queen = 0, 1 + int(state[TURN])
    for cell in range(CELLS):
        if int(state[MOVED]) != 1 + cell and (state[MOVED] != 0 or state[cell] != queen):
            continue
        for direction in range(DIRECTIONS):
            row, column = cell // SIZE, cell % SIZE
            for distance in range(REACH):
                row, column = row + int(STEPS[direction, 0]), column + int(STEPS[direction, 1])
                if not (0 <= row < SIZE and 0 <= column < SIZE) or state[row * SIZE + column] != 0:
                    break
                actions[count] = (cell * DIRECTIONS + direction) * REACH + distance
                count += 1
    return count


def play(state, action):
    cell, there = action // (DIRECTIONS * REACH), target(action)
    if state[MOVED] != 0:
        state[there], state[MOVED], state[TURN] = ARROW, 0, 1 - int(state[TURN])
    else:
        state[there], state[cell], state[MOVED] = state[cell], 0, 1 + there


def outcome(state):
    """The player who cannot move a queen has lost."""
    if state[MOVED] != 0:
        return ludus.ONGOING
    queen = 1 + int(state[TURN])
    for cell in range(CELLS):
        if state[cell] != queen:
            continue
        for direction in range(DIRECTIONS):
            row, column = cell // SIZE + int(STEPS[direction, 0]), cell % SIZE + int(STEPS[direction, 1])
            if 0 <= row < SIZE and 0 <= column < SIZE and state[row * SIZE + column] == 0:
                return ludus.ONGOING
    return ludus.SECOND_WINS if queen == 1 else ludus.FIRST_WINS


def encode(state, planes):
    for cell in range(CELLS):
        if state[cell] != 0:
            planes[int(state[cell]) - 1, cell // SIZE, cell % SIZE] = 1
    planes[3] = state[TURN]
    if state[MOVED] != 0:
        planes[4, (int(state[MOVED]) - 1) // SIZE, (int(state[MOVED]) - 1) % SIZE] = 1


def symmetric_state(state, symmetry, out):
    """Mirror left and right."""
    for cell in range(CELLS):
        out[cell] = state[mirrored(cell)]
    out[TURN] = state[TURN]
    out[MOVED] = 0 if state[MOVED] == 0 else 1 + mirrored(int(state[MOVED]) - 1)


def mirrored(cell):
    return cell + SIZE - 1 - 2 * (cell % SIZE)


def symmetric_action(state, symmetry, action):
    cell, direction, distance = action // (DIRECTIONS * REACH), action // REACH % DIRECTIONS, action % REACH
    for other in range(DIRECTIONS):
        if STEPS[other, 0] == STEPS[direction, 0] and STEPS[other, 1] == -STEPS[direction, 1]:
            direction = other
            break
    return (mirrored(cell) * DIRECTIONS + direction) * REACH + distance


AMAZONS = {
    "name": "amazons",
    "state_size": CELLS + 2,
    "num_actions": CELLS * DIRECTIONS * REACH,
    "planes": (5, SIZE, SIZE),
    "max_actions": 2 * CELLS,
    "start": start,
    "to_play": lambda state: int(state[TURN]),
    "legal": legal,
    "play": play,
    "outcome": outcome,
    "encode": encode,
    "num_symmetries": 2,
    "symmetric_state": symmetric_state,
    "symmetric_action": symmetric_action,
}
"""A game of 20,384 actions."""


def test_texts_of_legal_actions_alone_are_asked_for():
    asked = set()
    game = ludus.Game(**AMAZONS, action_text=lambda state, action: asked.add(action) or str(action))
    state = game.start_state()
    sight = look(Guarded(game, compiled=False), state)
    check_texts(game, state, sight)
    assert asked == set(sight.legal)
    assert len(asked) < game.num_actions / 100


@pytest.mark.full
def test_a_game_of_20_000_actions_is_checked():
    report = check(ludus.Game(**AMAZONS), games=3)
    assert report.breach is None
    assert report.notices == []
    assert 100 < report.most_branching < 250
