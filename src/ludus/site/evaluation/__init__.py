"""Evaluations by bots, for the evaluation bar of a game and for the analysis board."""
