"""Fixed opponents without a network: minimax, UCB1, perfect play in Connect Four, random moves."""
