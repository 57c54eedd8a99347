"""The rules of Gomoku that are compiled: freestyle, standard and renju, with or without the opening swap2."""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.layout import (
    BLACK_STONE,
    CHOICE,
    COLOUR,
    COUNT,
    FREESTYLE,
    INFO,
    LAST_CHOICE,
    PAD,
    PLAY,
    PLAYER,
    PUT_TWO,
    RENJU,
    RESULT,
    ROWS,
    RULE,
    SIZE,
    STAGE,
    TAKE_BLACK,
    THREE,
    TWO_MORE,
    free_cells,
    stone_bit,
)
from ludus.games.gomoku.lines import CENTRES, has_run, runs, windows
from ludus.games.packed import field, with_field
from ludus.games.rules import DRAW, ONGOING, State


def to_play(state: State) -> int:
    """In the opening a player puts several stones in a row."""
    return field(int(state[INFO]), PLAYER)


def legal(state: State, actions: np.ndarray) -> int:
    """Every free cell; in swap2 also what there is to choose.  Forbidden points are legal, and lose."""
    info = int(state[INFO])
    size, stage = field(info, SIZE), field(info, STAGE)
    count = 0
    for row in range(size):
        free = free_cells(state, row, size) >> PAD
        for column in range(size):
            actions[count] = row * size + column  # overwritten by the next if this cell is taken
            count += (free >> column) & 1
    if stage in (CHOICE, LAST_CHOICE):
        actions[count] = size * size + TAKE_BLACK
        count += 1
    if stage == CHOICE:
        actions[count] = size * size + PUT_TWO
        count += 1
    return count


def outcome(state: State) -> int:
    """What the last stone brought about is in the state."""
    return field(int(state[INFO]), RESULT)


def is_exact(rule: int, colour: int) -> bool:
    """Return whether a colour needs exactly five."""
    return rule != FREESTYLE and (rule != RENJU or colour == BLACK_STONE)


def wins(state: State, cell: int, colour: int, rule: int) -> bool:
    """Return whether a stone on `cell` makes a five that counts for its colour."""
    return has_run(runs(windows(state, cell, colour) | CENTRES), is_exact(rule, colour))


def next_stage(stage: int, count: int) -> int:
    """Return the stage after a stone, by the number of stones on the board."""
    if stage == THREE:
        return CHOICE if count == 3 else THREE
    if stage == TWO_MORE:
        return LAST_CHOICE if count == 5 else TWO_MORE
    return PLAY


@cache
def rules(renju: bool) -> dict[str, Any]:
    """Return the rules; without `renju` they need not be compiled for forbidden points."""

    def play(state: State, action: int) -> None:
        info = int(state[INFO])
        size, stage, player, colour = field(info, SIZE), field(info, STAGE), field(info, PLAYER), field(info, COLOUR)
        if action >= size * size:
            if action == size * size + TAKE_BLACK:
                state[INFO] = with_field(with_field(info, STAGE, PLAY), PLAYER, 1 - player)
            else:
                state[INFO] = with_field(info, STAGE, TWO_MORE)
            return
        count = field(info, COUNT) + 1
        result = ONGOING
        if wins(state, action, colour, field(info, RULE)):
            result = 1 + player
        elif renju and colour == BLACK_STONE and is_forbidden(state, action):
            result = 2 - player
        elif count == size * size:
            result = DRAW
        state[ROWS + action // size] |= stone_bit(action % size, colour)
        after = next_stage(stage, count)
        stays = after in (THREE, TWO_MORE)
        info = with_field(with_field(info, COUNT, count), COLOUR, 1 - colour)
        info = with_field(with_field(info, STAGE, after), PLAYER, player if stays else 1 - player)
        state[INFO] = with_field(info, RESULT, result)

    return {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome}
