"""A Go engine behind the Go Text Protocol: `talker.py` hears and says, the others are what it knows and decides."""
