"""The life of one game, immutable and pure: moves, clocks, offers, events, and rows of the database."""
