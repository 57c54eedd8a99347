"""The catalogue of the site: games, boards, options, and the bots that play them."""
