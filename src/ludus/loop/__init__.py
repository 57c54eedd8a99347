"""The loop: generations of self-play, learning and matches, in a directory that is the whole truth of a run."""
