"""A Gomoku engine for the Gomocup protocol: `talker.py` handles commands, the other files hold state and decisions."""
