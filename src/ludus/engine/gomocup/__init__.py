"""A Gomoku engine behind the Gomocup protocol: `talker.py` hears and says, the others are what it knows and decides."""
