"""A chess engine for UCI: `talker.py` handles commands, the other files hold state and decisions."""
