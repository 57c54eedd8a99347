"""The analysis board and its relatives: replayed lines, positions set up by hand, lessons, puzzles."""
