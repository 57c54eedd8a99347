"""How strong a player is, from the results of games alone, with error bars."""

from ludus.rating.elo import ELO_PER_LOGIT, Rating, Result, elo_of_pairs, elo_of_score, rate

__all__ = ["ELO_PER_LOGIT", "Rating", "Result", "elo_of_pairs", "elo_of_score", "rate"]
