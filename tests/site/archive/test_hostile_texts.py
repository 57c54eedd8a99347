"""Texts made to keep the site busy are read or refused without much work."""

import pytest

from ludus.errors import BadInput
from ludus.games.recorded import MAX_CHARS
from ludus.site.archive.texts import read_text

BEGINNINGS = ["", "[a ", '[a "', "(;B[aa]", "1. ", "{", '[Event "x"]\n\n', '[Board "8x8"]\n[Result "*"]\n']
PIECES = [
    " ",
    "\t",
    "\n",
    "[",
    "[a ",
    '[a "b"] ',
    "\\",
    '"',
    "{",
    "(",
    ";",
    "]",
    "] ",
    "1. ",
    "(;",
    "x",
    "\ufeff",
    "[\\",
]


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_repeated_signs_contain_no_game(beginning):
    for piece in PIECES:  # a pattern that backtracks would take hours for some of these
        text = beginning + piece * ((MAX_CHARS // 4 - len(beginning)) // len(piece))
        try:
            brought = read_text(text)
        except BadInput:
            continue
        assert brought.last.num_actions_played <= 1, "the game before the repeated signs"
