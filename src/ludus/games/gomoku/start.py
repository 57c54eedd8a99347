"""First positions: an empty board, or stones that stand already."""

from collections.abc import Callable
from typing import Any

from ludus.errors import BadNotation
from ludus.games.gomoku.layout import (
    BLACK_STONE,
    COLOUR,
    COUNT,
    INFO,
    PAD,
    PLAY,
    PLAYER,
    RESULT,
    ROWS,
    RULE,
    SIZE,
    STAGE,
    THREE,
    stone_bit,
    stones,
)
from ludus.games.gomoku.notation import cell_text, read_cell
from ludus.games.gomoku.rules import wins
from ludus.games.packed import field, with_field
from ludus.games.rules import State

KEYS = ("black", "white", "to_play")


def starter(size: int, rule: int, *, swap2: bool) -> Callable[[State, Any], None]:
    """Return `start`.

    A setup is `{"black": ["h8", ...], "white": ["i9", ...], "to_play": "white"}`, each part optional: Black is player
    0, and the opening is over.
    """

    def start(state: State, setup: Any = None) -> None:  # noqa: ANN401 - JSON
        state[:] = 0
        info = with_field(with_field(0, SIZE, size), RULE, rule)
        state[INFO] = with_field(info, STAGE, THREE if swap2 and setup is None else PLAY)
        if setup is not None:
            put_up(state, setup)

    return start


def put_up(state: State, setup: Any) -> None:  # noqa: ANN401 - JSON
    """Put the stones of a setup on an empty board; raise BadNotation if it cannot be read or the game would be over."""
    if not isinstance(setup, dict) or not set(setup) <= set(KEYS):
        raise BadNotation(f"gomoku: a setup is an object with the keys {', '.join(KEYS)}, not {str(setup)[:80]!r}.")
    size, rule = field(int(state[INFO]), SIZE), field(int(state[INFO]), RULE)
    count = 0
    for colour, name in enumerate(KEYS[:2]):
        points = setup.get(name, [])
        if not isinstance(points, list) or not all(isinstance(point, str) for point in points):
            raise BadNotation(f'gomoku: {name} must be a list of points such as ["h8"].')
        for point in points:
            cell = read_cell(size, point)
            bits = stone_bit(cell % size, 0) | stone_bit(cell % size, 1)
            if int(state[ROWS + cell // size]) & bits:
                raise BadNotation(f"gomoku: {point} has a stone already.")
            state[ROWS + cell // size] |= stone_bit(cell % size, colour)
            count += 1
    to_play = setup.get("to_play", "black")
    if to_play not in KEYS[:2]:
        raise BadNotation(f"gomoku: to_play is {to_play!r}; it must be black or white.")
    player = KEYS.index(to_play)
    if count == size * size or any(
        wins(state, cell, colour, rule) for colour in range(2) for cell in cells_of(state, colour)
    ):
        raise BadNotation("gomoku: this game would be over before it begins.")
    info = with_field(with_field(int(state[INFO]), COUNT, count), COLOUR, player)
    state[INFO] = with_field(info, PLAYER, player)


def cells_of(state: State, colour: int) -> list[int]:
    """Return the cells of one colour's stones."""
    size = field(int(state[INFO]), SIZE)
    return [
        row * size + column
        for row in range(size)
        for column in range(size)
        if stones(state, row, colour) >> (PAD + column) & 1
    ]


def setup(state: State) -> dict[str, Any] | None:
    """Return the setup that leads to a state; None in an opening, at the end, and where player 0 is White."""
    info = int(state[INFO])
    if field(info, STAGE) != PLAY or field(info, RESULT) or field(info, PLAYER) != field(info, COLOUR):
        return None
    size = field(info, SIZE)
    found = {KEYS[colour]: [cell_text(size, cell) for cell in cells_of(state, colour)] for colour in range(2)}
    return {**found, "to_play": KEYS[0 if field(info, COLOUR) == BLACK_STONE else 1]}
