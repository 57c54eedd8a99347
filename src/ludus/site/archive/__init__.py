"""Finished games: search, replay, export and import as text, and links that contain a whole game."""
