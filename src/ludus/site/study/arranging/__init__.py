"""Positions that users set up by hand, one module for each kind of game."""
