"""Fixed opponents without a network: minimax, UCB1, perfect play in solved games, random moves."""
