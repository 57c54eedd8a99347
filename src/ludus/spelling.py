"""What somebody probably meant who misspelt a word."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a word that is none of those known: the nearest of them; empty if none is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""
