"""Finished games: search, replay, texts to take home, and links that carry a whole game."""
