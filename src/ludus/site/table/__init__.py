"""The life of one game, immutable and pure: moves, clocks, offers, and database rows."""
