"""Setting up Go positions: stones and the side to move."""

from typing import Any

from ludus.games.about import Arranged, Editor
from ludus.games.game import Position
from ludus.games.go.view import vertex
from ludus.games.stone_editor import COLOURS, arranged_stones, stone_kit

KEPT = ("komi", "bonus")
"""Keys of a setup that an arranged position keeps."""


def setup(arranged: Arranged, start: Position) -> dict[str, Any]:
    """Return the setup of an arranged position; raise BadNotation for a piece that is no stone on the board."""
    size = start.describe().rows
    cells = arranged_stones(arranged, size)
    stones = {colour: " ".join(vertex(at, size) for at in found) for colour, found in zip(COLOURS, cells, strict=True)}
    kept = arranged.setup if isinstance(arranged.setup, dict) else {}
    return {**stones, "to_play": COLOURS[arranged.to_play]} | {key: kept[key] for key in KEPT if key in kept}


EDITOR = Editor(stone_kit, setup, prefix="Setup of Go")
