"""A chess engine of UCI: `talker.py` handles commands, the other files hold state and decisions."""
