"""The immutable state of one game: moves, clocks, offers and result, and its conversion to database rows."""
