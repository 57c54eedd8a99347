"""The stages of a generation (self-play, learning, matches) and the objects they share."""
