"""What may be put on a board by hand, a file for each kind of game."""
