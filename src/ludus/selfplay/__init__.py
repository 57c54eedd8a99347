"""Self-play: games of an engine against itself, as data for the learner."""
