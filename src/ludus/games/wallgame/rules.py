"""The compiled rules of the Wall Game: legal actions, play and outcome.

Actions, for a frame of N cells:

    0 to N-1          a wall on the right of a cell
    N to 2N-1         a wall below a cell
    2N to 2N+3        a step of the mover's cat: right, down, left, up
    2N+4 to 2N+7      a step of the mover's mouse
    2N+8              the end of the move

A move has two actions.  Ending it earlier is legal with the option `short`, and if nothing else is legal.  A game can
end only at the end of a move, so a cat may pass over the mouse.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ludus.games.packed import ONE, field, read_field, with_field
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import mouse_slot, pawn
from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.words import Cells, words


def to_play(state: State) -> int:
    """Return the player to move, who makes both actions of a move."""
    return read_field(state, layout.PLAYER)


def outcome(state: State) -> int:
    """Return the outcome, which was stored at the end of the last move."""
    return read_field(state, layout.RESULT)


def neighbour(cell: int, direction: int, rows: int) -> int:
    """Return the neighbour to the right, below, to the left or above (0 to 3)."""
    step = rows if direction % 2 == 0 else 1
    return cell + step if direction < 2 else cell - step


def is_open(state: State, at: int, cell: int) -> bool:
    """Return whether a passage is open; `at` is the index of the first word of its direction."""
    return int(np.uint64(state[at + (cell >> 6)]) >> np.uint64(cell & 63)) & 1 == 1


@cache
def steps_and_walls(
    width: int,
) -> tuple[Callable[[State, int, int, int], bool], Callable[[Cells, int, int, np.ndarray, int], int]]:
    """Build the parts of `legal` that all variants share, for boards of at most `width` words of cells.

    Returns:
        can_step(state, cell, direction, rows): returns whether the passage in a direction is open.
        write_walls(free, first, cells, actions, count): adds an action for each cell of a set; returns the new count.
    """
    downward = layout.PASSAGES + width

    def can_step(state: State, cell: int, direction: int, rows: int) -> bool:
        if direction == 0:
            return is_open(state, layout.PASSAGES, cell)
        if direction == 1:
            return is_open(state, downward, cell)
        if direction == 2:
            return cell >= rows and is_open(state, layout.PASSAGES, cell - rows)
        return cell > 0 and is_open(state, downward, cell - 1)

    def write_walls(free: Cells, first: int, cells: int, actions: np.ndarray, count: int) -> int:
        for word in range(width):
            bits = free[word]
            for bit in range(min(64, cells - 64 * word)):
                actions[count] = first + 64 * word + bit  # overwritten by the next bit if this one is not set
                count += int(bits >> np.uint64(bit)) & 1
        return count

    return can_step, write_walls


@cache
def rules(width: int) -> dict[str, Any]:  # noqa: C901 - two rules and their helpers
    """Build `legal` and `play` for boards of at most `width` words of cells."""
    _, load, single, _, _, without, _, _, meet = words(width)
    neighbours, joined, _, rings, bridges, cuts = walls(width)
    can_step, _write = steps_and_walls(width)
    downward = layout.PASSAGES + width

    def legal(state: State, actions: np.ndarray) -> int:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        right, down = load(state, layout.PASSAGES), load(state, downward)
        free_right, free_down = right, down
        ring_right, ring_down = rings(right, down, rows)
        cat, goal = single(pawn(state, 0)), single(pawn(state, 1))
        other_cat, other_goal = single(pawn(state, 2)), single(pawn(state, 3))
        safe = joined(ring_right, ring_down, rows, cat, goal)
        other_safe = joined(ring_right, ring_down, rows, other_cat, other_goal)
        if not (safe and other_safe):
            found = bridges(right, down, rows, read_field(state, layout.ROWS), read_field(state, layout.COLUMNS))
            if not safe:
                cut_right, cut_down = cuts(right, down, rows, found, cat, goal)
                free_right, free_down = without(free_right, cut_right), without(free_down, cut_down)
            if not other_safe:
                cut_right, cut_down = cuts(right, down, rows, found, other_cat, other_goal)
                free_right, free_down = without(free_right, cut_right), without(free_down, cut_down)
        count = _write(free_right, 0, cells, actions, 0)
        count = _write(free_down, cells, cells, actions, count)

        player = read_field(state, layout.PLAYER)
        movable = read_field(state, layout.MOVABLE) >> (2 * player)
        back = read_field(state, layout.BACK)
        for step in range(layout.NUM_STEPS):
            kind = step >> 2  # 0 cat, 1 mouse
            if (movable >> kind) & 1 == 1 and step + 1 != back:
                cell = pawn(state, 2 * player if kind == 0 else mouse_slot(player))
                if can_step(state, cell, step & 3, rows):
                    actions[count] = 2 * cells + step
                    count += 1
        if count == 0 or read_field(state, layout.SHORT) == 1:
            actions[count] = 2 * cells + layout.NUM_STEPS
            count += 1
        return count

    def play(state: State, action: int) -> None:
        board, turn = np.uint64(state[layout.BOARD]), np.uint64(state[layout.TURN])
        rows = field(board, layout.FRAME_ROWS)
        cells = rows * field(board, layout.FRAME_COLUMNS)
        player = field(turn, layout.PLAYER)
        step = action - 2 * cells
        back = 0
        if step < 0:
            cell = action if action < cells else action - cells
            at = (layout.PASSAGES if action < cells else downward) + (cell >> 6)
            state[at] = np.uint64(state[at]) & ~(ONE << np.uint64(cell & 63))
        elif step < layout.NUM_STEPS:
            slot = 2 * player if step < 4 else mouse_slot(player)
            cell = neighbour(pawn(state, slot), step & 3, rows)
            turn = with_field(turn, (layout.PAWN_BITS * slot, layout.PAWN_BITS, layout.TURN), cell)
            back = 1 + (step ^ 2) if field(board, layout.OLD_RULES) == 0 else 0
        if field(turn, layout.SECOND) == 0 and step != layout.NUM_STEPS:
            state[layout.TURN] = with_field(with_field(turn, layout.SECOND, 1), layout.BACK, back)
        else:
            turn = with_field(with_field(turn, layout.SECOND, 0), layout.BACK, 0)
            state[layout.TURN] = with_field(turn, layout.PLAYER, 1 - player)
            end_move(state, player)

    def end_move(state: State, player: int) -> None:
        turn = np.uint64(state[layout.TURN])
        survival = read_field(state, layout.VARIANT) == layout.SURVIVAL
        result = ONGOING
        if pawn(state, 2 * player) == pawn(state, 2 * player + 1) and not (survival and player == 1):
            result = FIRST_WINS + player
            if player == 0 and within_two(state):
                result = DRAW
        elif pawn(state, 2 - 2 * player) == pawn(state, 3 - 2 * player) and not (survival and player == 0):
            result = SECOND_WINS - player
        elif survival and player == 0:
            left = field(turn, layout.TURNS_LEFT) - 1
            turn = with_field(turn, layout.TURNS_LEFT, left)
            result = SECOND_WINS if left == 0 else ONGOING
        state[layout.TURN] = with_field(turn, layout.RESULT, result)

    def within_two(state: State) -> bool:
        variant = read_field(state, layout.VARIANT)
        if read_field(state, layout.OLD_RULES) == 0 or (variant != layout.STANDARD and variant != layout.FREESTYLE):
            return False
        rows = read_field(state, layout.FRAME_ROWS)
        right, down = load(state, layout.PASSAGES), load(state, downward)
        cat, mouse = single(pawn(state, 2)), single(pawn(state, 3))
        one = neighbours(cat, right, down, rows)
        two = neighbours(one, right, down, rows)
        return meet(cat, mouse) or meet(one, mouse) or meet(two, mouse)

    return {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome}
