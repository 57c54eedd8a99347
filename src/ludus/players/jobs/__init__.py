"""Long computations with a model: puzzles from finished games, precomputed evaluations, and a benchmark of sessions."""
