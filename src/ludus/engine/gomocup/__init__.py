"""A Gomoku engine of the Gomocup protocol: `talker.py` handles commands, the other files hold state and decisions."""
