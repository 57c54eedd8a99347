"""The training loop: generations of self-play, learning and matches; the run's directory holds all its state."""
