"""Minimax for any game: iterative deepening, alpha-beta, a transposition table; a fixed opponent and a yardstick."""

from ludus.players.opponents.minimax.deepening import Found, Minimax, MinimaxPlayer
from ludus.players.opponents.minimax.memory import MinimaxSettings

__all__ = ["Found", "Minimax", "MinimaxPlayer", "MinimaxSettings"]
