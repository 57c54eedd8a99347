"""Seats and sessions: minds that answer the questions of a game server; the logic without input or output."""
