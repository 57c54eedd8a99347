"""Boards without a table: lines replayed, positions arranged by hand, lessons, puzzles."""
