"""Ratings of players from game results, with error bars, and sequential tests that end a match early."""

from ludus.rating.cycles import cycles
from ludus.rating.elo import ELO_PER_LOGIT, MatchScore, Rating, elo_of_pairs, rate, reached
from ludus.rating.gate import GateSettings
from ludus.rating.sprt import Sprt

__all__ = [
    "ELO_PER_LOGIT",
    "GateSettings",
    "MatchScore",
    "Rating",
    "Sprt",
    "cycles",
    "elo_of_pairs",
    "rate",
    "reached",
]
