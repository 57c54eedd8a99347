"""Self-play: games of an engine against itself, which produce training data for the learner."""
