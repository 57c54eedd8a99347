"""Long work for a mind: puzzles from finished games, evaluations ahead of time, and how many sessions it serves."""
