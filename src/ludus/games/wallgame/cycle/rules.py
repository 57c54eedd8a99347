"""The compiled rules of animal-cycle: legal actions, play and outcome.

The cat hunts the mouse, the mouse the elephant, the elephant the dog, and the dog the cat; cat and elephant are player
0's.  Actions, for a frame of N cells:

    0 to 2N-1           a wall, as in the other variants
    2N to 2N+3          a step of the mover's first pawn (cat or mouse): right, down, left, up
    2N+4 to 2N+7        a step of the second pawn (elephant or dog)
    2N+8                the end of the move
    2N+9 to 2N+24       a jump: both actions of a move, over a cell where a step would meet an enemy (`layout.JUMPS`)

The game ends after a pawn action at which a hunter and its prey share a cell; the hunter's player wins, also if the
other player moved.  If several do, the first pair of the order above counts.  A pawn does not enter the cell of its
teammate, and does not jump over it.
"""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.packed import ONE, field, read_field, with_field
from ludus.games.rules import FIRST_WINS, ONGOING, State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import pawn
from ludus.games.wallgame.rules import neighbour, outcome, steps_and_walls, to_play
from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.words import words

NUM_PAWNS = 4


@cache
def cycle_rules(width: int) -> dict[str, Any]:  # noqa: C901 - two rules and their helpers
    """Build `legal` and `play` for boards of at most `width` words of cells."""
    _, load, single, _, _, without, _, _, _ = words(width)
    _, joined, _, rings, bridges, cuts = walls(width)
    can_step, write_walls = steps_and_walls(width)
    downward = layout.PASSAGES + width

    def legal(state: State, actions: np.ndarray) -> int:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        right, down = load(state, layout.PASSAGES), load(state, downward)
        free_right, free_down = right, down
        ring_right, ring_down = rings(right, down, rows)
        found = bridges(right, down, rows, read_field(state, layout.ROWS), read_field(state, layout.COLUMNS))
        for slot in range(NUM_PAWNS):
            hunter, prey = single(pawn(state, slot)), single(pawn(state, (slot + 1) & 3))
            if not joined(ring_right, ring_down, rows, hunter, prey):
                cut_right, cut_down = cuts(right, down, rows, found, hunter, prey)
                free_right, free_down = without(free_right, cut_right), without(free_down, cut_down)
        count = write_walls(free_right, 0, cells, actions, 0)
        count = write_walls(free_down, cells, cells, actions, count)

        player = read_field(state, layout.PLAYER)
        back = read_field(state, layout.BACK)
        for step in range(layout.NUM_STEPS):
            slot = player + 2 * (step >> 2)
            cell = pawn(state, slot)
            is_open_way = step + 1 != back and can_step(state, cell, step & 3, rows)
            if is_open_way and neighbour(cell, step & 3, rows) != pawn(state, slot ^ 2):
                actions[count] = 2 * cells + step
                count += 1
        if count == 0 or read_field(state, layout.SHORT) == 1:  # where a jump is legal, a step is legal, too
            actions[count] = 2 * cells + layout.NUM_STEPS
            count += 1
        if read_field(state, layout.SECOND) == 0:
            for jump in range(layout.NUM_JUMPS):
                if may_jump(state, player + 2 * (jump >> 3), jump & 7, rows):
                    actions[count] = 2 * cells + layout.NUM_STEPS + 1 + jump
                    count += 1
        return count

    def may_jump(state: State, slot: int, jump: int, rows: int) -> bool:
        """Return whether a jump is legal: a way of two open steps exists, and each such way meets an enemy."""
        here, mate = pawn(state, slot), pawn(state, slot ^ 2)
        prey, hunter = pawn(state, (slot + 1) & 3), pawn(state, (slot + 3) & 3)
        first = jump & 3
        second = first if jump < 4 else (first + 1) & 3
        possible, avoidable = False, False
        for order in range(1 if jump < 4 else 2):
            one, two = (first, second) if order == 0 else (second, first)
            if can_step(state, here, one, rows):
                between = neighbour(here, one, rows)
                if between != mate and can_step(state, between, two, rows):
                    possible = possible or neighbour(between, two, rows) != mate
                    avoidable = avoidable or (between != prey and between != hunter)
        return possible and not avoidable

    def play(state: State, action: int) -> None:
        board, turn = np.uint64(state[layout.BOARD]), np.uint64(state[layout.TURN])
        rows = field(board, layout.FRAME_ROWS)
        cells = rows * field(board, layout.FRAME_COLUMNS)
        player = field(turn, layout.PLAYER)
        step = action - 2 * cells
        back, result = 0, ONGOING
        if step < 0:
            cell = action if action < cells else action - cells
            at = (layout.PASSAGES if action < cells else downward) + (cell >> 6)
            state[at] = np.uint64(state[at]) & ~(ONE << np.uint64(cell & 63))
        elif step != layout.NUM_STEPS:
            jump = step - layout.NUM_STEPS - 1
            slot = player + 2 * (step >> 2 if jump < 0 else jump >> 3)
            cell = neighbour(pawn(state, slot), step & 3 if jump < 0 else jump & 3, rows)
            if jump >= 0:
                cell = neighbour(cell, jump & 3 if jump & 7 < 4 else (jump + 1) & 3, rows)
            turn = with_field(turn, (layout.PAWN_BITS * slot, layout.PAWN_BITS, layout.TURN), cell)
            back = 1 + (step ^ 2)
            result = caught(turn)
        if field(turn, layout.SECOND) == 0 and step < layout.NUM_STEPS and result == ONGOING:
            turn = with_field(with_field(turn, layout.SECOND, 1), layout.BACK, back)
        else:
            turn = with_field(with_field(turn, layout.SECOND, 0), layout.BACK, 0)
            turn = with_field(turn, layout.PLAYER, 1 - player)
        state[layout.TURN] = with_field(turn, layout.RESULT, result)

    def caught(turn: np.uint64) -> int:
        """Return the outcome of the first pair of hunter and prey on one cell."""
        for slot in range(NUM_PAWNS):
            prey = (slot + 1) & 3
            hunter_at = field(turn, (layout.PAWN_BITS * slot, layout.PAWN_BITS, layout.TURN))
            if hunter_at == field(turn, (layout.PAWN_BITS * prey, layout.PAWN_BITS, layout.TURN)):
                return FIRST_WINS + (slot & 1)
        return ONGOING

    return {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome}
