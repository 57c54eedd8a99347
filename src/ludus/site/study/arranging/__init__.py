"""Positions arranged by hand, a file for each kind of game."""
