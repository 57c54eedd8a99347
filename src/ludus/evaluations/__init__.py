"""Evaluation files: what a network said of positions, packed, on disk, found again by the position."""
