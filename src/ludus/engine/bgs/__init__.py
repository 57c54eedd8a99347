"""The V3 protocol of bot game sessions: `engine.py` answers, `lines.py` is the shell around it."""
