"""Evaluation files: a network's evaluations of positions, stored on disk and looked up by position."""
