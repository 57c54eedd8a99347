"""Where people find games: opening and joining them, lists, and one's own games."""
