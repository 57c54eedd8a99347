"""Plays random games against the laws of a game, and names the law that breaks with the shortest example found."""
