"""Minimax for any game, with iterative deepening, alpha-beta and a transposition table: a fixed opponent."""

from ludus.players.opponents.minimax.deepening import Found, Minimax, MinimaxPlayer
from ludus.players.opponents.minimax.memory import MinimaxSettings

__all__ = ["Found", "Minimax", "MinimaxPlayer", "MinimaxSettings"]
