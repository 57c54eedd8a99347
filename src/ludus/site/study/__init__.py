"""Boards without a table: replayed lines, arranged positions, lessons, puzzles."""
