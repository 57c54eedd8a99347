"""The stages of a generation (self-play, learning, matches), and what they share."""
