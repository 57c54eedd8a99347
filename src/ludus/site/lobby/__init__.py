"""Where people find games: seats are opened and taken, lists are kept, bots are chosen."""
