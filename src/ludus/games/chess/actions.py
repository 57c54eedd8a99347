"""The numbering of the 4672 actions: 73 planes of 64 squares, `64 * plane + from`; a square is `8 * file + 8 - rank`.

    0-55    queen moves: directions NW, N, NE, E, SE, S, SW, W, each with distances 1 to 7; a pawn that reaches the
            last rank becomes a queen; castling is the king's move W or E by distance 2, wherever the rook stands
    56-63   knight moves: files and ranks (-1,+2) (+1,+2) (-2,+1) (-2,-1) (+1,-2) (-1,-2) (+2,-1) (+2,+1)
    64-72   a pawn becomes a knight (64-66), bishop or rook: capturing towards the a-file, straight, towards the h-file

Directions and squares are seen by the mover, so ranks are counted from the mover's own side.  Under the option `seed`,
White's directions and squares are used for both players; a black pawn's underpromotions keep their numbers.
"""

import numpy as np

NUM_ACTIONS = 73 * 64
COMPASS = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))
"""Steps (files, ranks) of the directions, in the order of the planes."""
KNIGHT = ((-1, 2), (1, 2), (-2, 1), (-2, -1), (1, -2), (-1, -2), (2, -1), (2, 1))
PAWN_LEFT, PAWN_ONE, PAWN_TWO, PAWN_RIGHT = 0, 7, 8, 14
"""Planes of pawn actions: capture to the left, one step, two steps, capture to the right."""
CASTLE_RIGHT, CASTLE_LEFT = 22, 50
UNDERPROMOTIONS = 64


def _steps() -> list[tuple[int, int]]:
    queen = [(distance * file, distance * rank) for file, rank in COMPASS for distance in range(1, 8)]
    return queen + list(KNIGHT) + [(file, 1) for _ in range(3) for file in (-1, 0, 1)]


def _targets() -> np.ndarray:
    targets = np.zeros(NUM_ACTIONS, np.uint8)  # 0 for actions that lead off the board
    for plane, (files, ranks) in enumerate(_steps()):
        for square in range(64):
            file, row = square // 8 + files, square % 8 - ranks
            if 0 <= file < 8 and 0 <= row < 8:
                targets[64 * plane + square] = 8 * file + row
    return targets


def _between_squares() -> np.ndarray:
    actions = np.full(64 * 64, -1, np.int16)
    for plane, (files, ranks) in enumerate(_steps()[:UNDERPROMOTIONS]):
        for square in range(64):
            file, row = square // 8 + files, square % 8 - ranks
            if 0 <= file < 8 and 0 <= row < 8:
                actions[64 * square + 8 * file + row] = 64 * plane + square
    return actions


def _upside_down() -> np.ndarray:
    steps = _steps()
    there = [
        steps.index((files, -ranks)) if plane < UNDERPROMOTIONS else plane for plane, (files, ranks) in enumerate(steps)
    ]
    return np.array([64 * plane + (square ^ 7) for plane in there for square in range(64)], np.int16)


def places(*, by_ranks: bool) -> list[tuple[int, int, int]]:
    """Return each action's place (plane, row, column); the rows of the network's planes are ranks or files."""
    squares = [(square % 8, square // 8) if by_ranks else (square // 8, square % 8) for square in range(64)]
    return [(plane, *square) for plane in range(NUM_ACTIONS // 64) for square in squares]


TARGET = _targets()
"""The target square of each action [4672]."""
ACTION = _between_squares()
"""The action from one square to another, without underpromotions [64 * from + to]; -1 if no piece moves so."""
UPSIDE_DOWN = _upside_down()
"""Each action as seen by the other player [4672]."""
