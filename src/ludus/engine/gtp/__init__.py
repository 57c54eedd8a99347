"""A Go engine for the Go Text Protocol: `talker.py` handles commands, the other files hold state and decisions."""
