"""The compiled rules of Gomoku: freestyle, standard and renju, with or without the opening swap2."""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.gomoku import layout
from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.layout import BLACK_STONE, INFO, ROWS, SIZE, WHITE_STONE, free_cells, stone_bit
from ludus.games.gomoku.lines import CENTRES, has_run, runs, windows
from ludus.games.packed import field, image, read_field, with_field
from ludus.games.rules import DRAW, ONGOING, State


def to_play(state: State) -> int:
    """Return the player to move, who puts several stones in a row in an opening."""
    return read_field(state, layout.PLAYER)


def legal(state: State, actions: np.ndarray) -> int:
    """List the free cells, and the choices of swap2; forbidden points are legal, and lose."""
    size, stage = read_field(state, layout.SIZE), read_field(state, layout.STAGE)
    count = 0
    for row in range(size):
        free = free_cells(state, row, size) >> layout.PAD
        for column in range(size):
            actions[count] = row * size + column  # overwritten by the next cell if this one is occupied
            count += (free >> column) & 1
    if stage in (layout.CHOICE, layout.LAST_CHOICE):
        actions[count] = size * size + layout.TAKE_BLACK
        count += 1
    if stage == layout.CHOICE:
        actions[count] = size * size + layout.PUT_TWO
        count += 1
    return count


def outcome(state: State) -> int:
    """Return the outcome that the last stone stored in the state."""
    return read_field(state, layout.RESULT)


def is_exact(rule: int, colour: int) -> bool:
    """Return whether a colour needs exactly five."""
    return rule != layout.FREESTYLE and (rule != layout.RENJU or colour == layout.BLACK_STONE)


def wins(state: State, cell: int, colour: int, rule: int) -> bool:
    """Return whether a stone on `cell` makes a winning five."""
    return has_run(runs(windows(state, cell, colour) | CENTRES), is_exact(rule, colour))


def next_stage(stage: int, count: int) -> int:
    """Return the stage after a stone, given the number of stones on the board."""
    if stage == layout.THREE:
        return layout.CHOICE if count == 3 else layout.THREE
    if stage == layout.TWO_MORE:
        return layout.LAST_CHOICE if count == 5 else layout.TWO_MORE
    return layout.PLAY


@cache
def rules(renju: bool) -> dict[str, Any]:
    """Build the rules; without `renju`, the check of forbidden points is not compiled."""

    def play(state: State, action: int) -> None:
        info = int(state[layout.INFO])
        size, stage = field(info, layout.SIZE), field(info, layout.STAGE)
        player, colour = field(info, layout.PLAYER), field(info, layout.COLOUR)
        if action >= size * size:
            if action == size * size + layout.TAKE_BLACK:
                state[layout.INFO] = with_field(with_field(info, layout.STAGE, layout.PLAY), layout.PLAYER, 1 - player)
            else:
                state[layout.INFO] = with_field(info, layout.STAGE, layout.TWO_MORE)
            return
        count = field(info, layout.COUNT) + 1
        result = ONGOING
        if wins(state, action, colour, field(info, layout.RULE)):
            result = 1 + player
        elif renju and colour == layout.BLACK_STONE and is_forbidden(state, action):
            result = 2 - player
        elif count == size * size:
            result = DRAW
        state[layout.ROWS + action // size] |= stone_bit(action % size, colour)
        after = next_stage(stage, count)
        stays = after in (layout.THREE, layout.TWO_MORE)
        info = with_field(with_field(info, layout.COUNT, count), layout.COLOUR, 1 - colour)
        info = with_field(with_field(info, layout.STAGE, after), layout.PLAYER, player if stays else 1 - player)
        state[layout.INFO] = with_field(info, layout.RESULT, result)

    return {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome}


def symmetric_state(state: State, symmetry: int, out: State) -> None:
    """Write the state with its stones moved by a symmetry."""
    size = read_field(state, SIZE)
    for row in range(size):
        out[ROWS + row] = 0
    for row in range(size):
        word = int(state[ROWS + row])
        for column in range(size):
            there = image(row * size + column, symmetry, size, size)
            if word & stone_bit(column, BLACK_STONE):
                out[ROWS + there // size] |= stone_bit(there % size, BLACK_STONE)
            if word & stone_bit(column, WHITE_STONE):
                out[ROWS + there // size] |= stone_bit(there % size, WHITE_STONE)
    out[INFO] = state[INFO]


def symmetric_action(state: State, symmetry: int, action: int) -> int:
    """Return the image of a cell; an opening's choices stay the same."""
    size = read_field(state, SIZE)
    return image(action, symmetry, size, size) if action < size * size else action
