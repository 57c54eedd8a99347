"""The analysis board: replayed lines, positions set up by hand, lessons and puzzles."""
