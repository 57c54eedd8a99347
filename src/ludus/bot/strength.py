"""The strength of a model's levels, in words that the players of its game know."""

from typing import NamedTuple

from ludus.engine.ladder import Ladder, Strength
from ludus.games.registry import about

ABOVE_RANDOM = "Elo 0 is a player of random moves; measured in matches between the levels."


class StrengthWords(NamedTuple):
    """What a bot says about its strength."""

    value: str
    """Its rating with half the width of the 95 % interval, such as `1,540 ± 150 Elo` or `7 kyu ± 1`."""
    source: str
    """How the rating was measured."""


def strength_words(ladder: Ladder, game: str) -> list[StrengthWords]:
    """Return the strength of each level of a ladder, in the words of a game."""
    if ladder.yardstick is None:
        return [StrengthWords(_elo(each), ABOVE_RANDOM) for each in ladder.strengths()]
    rank, source = about(game).rank, f"Measured in {ladder.yardstick.source}, and in matches between the levels."
    return [StrengthWords(rank(*each) if rank else _elo(each), source) for each in ladder.strengths()]


def _elo(strength: Strength) -> str:
    return f"{round(strength.elo, -1):,} ± {round(strength.error, -1)} Elo"
