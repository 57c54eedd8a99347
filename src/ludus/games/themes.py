"""Themes of puzzles: those of every game, and functions with which games declare their own (`About.themes`)."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from ludus.games.about import About
from ludus.games.game import Position
from ludus.games.rules import DRAW


def themes_of(about: About, line: Sequence[Position], proof: int) -> list[str]:
    """Return the themes of a puzzle.

    Args:
        about: the description of the puzzle's game.
        line: the positions of the main line: that of the puzzle, and those after each move.
        proof: code of the proved outcome, else 0.
    """
    forced = [] if not proof else ["Draw by force" if proof == DRAW else "Win by force"]
    own_moves = len(line) // 2
    length = [] if own_moves < 2 or not proof else ["Two moves" if own_moves == 2 else "Three moves or more"]
    return [*forced, *length, *(word for word, fits in about.themes if fits(line))]


def written(signs: str, *, later: bool = False) -> Callable[[Sequence[Position]], bool]:
    """Return a test whether the first move of a line contains one of some characters in its notation.

    Args:
        signs: the characters.
        later: whether the mover's later moves count, too.
    """

    def fits(line: Sequence[Position]) -> bool:
        return any(sign in after.moves[-1] for after in line[1 : None if later else 2 : 2] for sign in signs)

    return fits


def takes(least: int, most: int = 1000) -> Callable[[Sequence[Position]], bool]:
    """Return a test whether the mover takes so many of the opponent's pieces in a line."""

    def fits(line: Sequence[Position]) -> bool:
        mover = line[0].to_play
        pieces = [sum(piece.owner == 1 - mover for piece in each.describe().pieces) for each in line]
        turns = zip(line, pairwise(pieces), strict=False)
        return least <= sum(before - after for each, (before, after) in turns if each.to_play == mover) <= most

    return fits
