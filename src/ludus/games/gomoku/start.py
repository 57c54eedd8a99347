"""The start of a game: an empty board, or the stones of a setup."""

from collections.abc import Callable
from typing import Any

from ludus.errors import BadNotation
from ludus.games.gomoku import layout
from ludus.games.gomoku.layout import stone_bit, stones
from ludus.games.gomoku.notation import cell_text, read_cell
from ludus.games.gomoku.rules import wins
from ludus.games.packed import read_field, with_field
from ludus.games.rules import State

KEYS = ("black", "white", "to_play")


def starter(size: int, rule: int, *, swap2: bool) -> Callable[[State, Any], None]:
    """Return the function `start`.

    A setup is `{"black": ["h8", ...], "white": ["i9", ...], "to_play": "white"}`, each part optional.  Black is then
    player 0, and there is no opening.
    """

    def start(state: State, setup: Any = None) -> None:  # noqa: ANN401 - JSON
        state[:] = 0
        info = with_field(with_field(0, layout.SIZE, size), layout.RULE, rule)
        state[layout.INFO] = with_field(info, layout.STAGE, layout.THREE if swap2 and setup is None else layout.PLAY)
        if setup is not None:
            put_up(state, setup)

    return start


def put_up(state: State, setup: Any) -> None:  # noqa: ANN401 - JSON
    """Put a setup's stones on an empty board; raise BadNotation if it cannot be read or the game would be over."""
    if not isinstance(setup, dict) or not set(setup) <= set(KEYS):
        raise BadNotation(f"gomoku: a setup is an object with the keys {', '.join(KEYS)}, not {str(setup)[:80]!r}.")
    size, rule = read_field(state, layout.SIZE), read_field(state, layout.RULE)
    count = 0
    for colour, name in enumerate(KEYS[:2]):
        points = setup.get(name, [])
        if not isinstance(points, list) or not all(isinstance(point, str) for point in points):
            raise BadNotation(f'gomoku: {name} must be a list of points such as ["h8"].')
        for point in points:
            cell = read_cell(size, point)
            bits = stone_bit(cell % size, 0) | stone_bit(cell % size, 1)
            if int(state[layout.ROWS + cell // size]) & bits:
                raise BadNotation(f"gomoku: {point} is named twice.")
            state[layout.ROWS + cell // size] |= stone_bit(cell % size, colour)
            count += 1
    to_play = setup.get("to_play", "black")
    if to_play not in KEYS[:2]:
        raise BadNotation(f"gomoku: to_play is {to_play!r}; it must be black or white.")
    player = KEYS.index(to_play)
    if count == size * size or any(
        wins(state, cell, colour, rule) for colour in range(2) for cell in cells_of(state, colour)
    ):
        raise BadNotation("gomoku: this game would be over before it begins.")
    info = with_field(with_field(int(state[layout.INFO]), layout.COUNT, count), layout.COLOUR, player)
    state[layout.INFO] = with_field(info, layout.PLAYER, player)


def cells_of(state: State, colour: int) -> list[int]:
    """Return the cells of one colour's stones."""
    size = read_field(state, layout.SIZE)
    return [
        row * size + column
        for row in range(size)
        for column in range(size)
        if stones(state, row, colour) >> (layout.PAD + column) & 1
    ]


def setup(state: State) -> dict[str, Any] | None:
    """Return the setup of a state; None in an opening, at the end, and if player 0 is White."""
    is_seated = read_field(state, layout.PLAYER) == read_field(state, layout.COLOUR)
    if read_field(state, layout.STAGE) != layout.PLAY or read_field(state, layout.RESULT) or not is_seated:
        return None
    size = read_field(state, layout.SIZE)
    found = {KEYS[colour]: [cell_text(size, cell) for cell in cells_of(state, colour)] for colour in range(2)}
    return {**found, "to_play": KEYS[0 if read_field(state, layout.COLOUR) == layout.BLACK_STONE else 1]}
