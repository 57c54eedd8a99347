"""The parts of a sound game, of which the tests replace some."""

from ludus.games import tictactoe

PARTS = {rule: getattr(tictactoe, rule) for rule in ("start", "to_play", "legal", "play", "outcome", "encode")}
PARTS |= {"name": "broken", "state_size": 10, "num_actions": 9, "planes": (2, 3, 3), "max_actions": 9}
"""Tic-tac-toe without symmetries, notation and board, as arguments of `ludus.Game`."""
