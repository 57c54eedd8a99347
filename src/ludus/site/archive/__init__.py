"""Finished games: found again, looked at ply by ply, taken home as text, and sent to others in a link."""
