"""Setting up Gomoku positions: stones and the side to move."""

from typing import Any

from ludus.games.about import Arranged, Editor
from ludus.games.game import Position
from ludus.games.gomoku.notation import cell_text
from ludus.games.stone_editor import COLOURS, arranged_stones, stone_kit


def setup(arranged: Arranged, start: Position) -> dict[str, Any]:
    """Return the setup of an arranged position; raise BadNotation for a piece that is no stone on the board."""
    size = start.describe().rows
    cells = arranged_stones(arranged, size)
    stones = {
        colour: [cell_text(size, row * size + column) for row, column in found]
        for colour, found in zip(COLOURS, cells, strict=True)
    }
    return {**stones, "to_play": COLOURS[arranged.to_play]}


EDITOR = Editor(stone_kit, setup, prefix="gomoku")
