"""Finds the files that Ludus ships with: models, puzzles and presets.

In a checkout they are in folders at its root.  An installed package has them inside, in `ludus/data`.
"""

from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).parent


def folder(kind: Literal["models", "puzzles", "presets"]) -> Path:
    """Return the folder of the shipped files of one kind."""
    inside = PACKAGE / "data" / kind
    return inside if inside.is_dir() else PACKAGE.parents[1] / kind


def model(path: Path) -> Path:
    """Return the path of a model: a shipped one for `NAME` or `models/NAME`, if there is nothing at that path.

    So commands that name a model work in any folder.
    """
    if path.parent not in (Path(), Path("models")) or path.exists():
        return path
    there = folder("models") / path.name
    return there if path.name and there.is_dir() else path
