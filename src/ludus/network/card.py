"""A model's card: the file README.md beside the weights, with a table of facts about the network."""

import re
from pathlib import Path

CARD = "README.md"
_LICENCE = re.compile(r"^\|\s*licen[cs]e\s*\|\s*(.+?)\s*\|\s*$", re.MULTILINE | re.IGNORECASE)


def licence_of(model: Path) -> str:
    """Return the licence that a model's card states, such as `MIT`; empty if it states none.

    Args:
        model: the model's folder or file.
    """
    card = (model if model.is_dir() else model.parent) / CARD
    try:
        stated = _LICENCE.search(card.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
    return stated[1] if stated else ""
