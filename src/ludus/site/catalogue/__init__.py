"""What can be played here: games, boards, choices, and which bots play them."""
