"""What can be played here: games, boards, choices, and the bots that play them."""
