"""A chess engine behind UCI: `talker.py` hears and says, the others are what it knows and decides."""
