"""The attached bot clients, and the game sessions that the site holds with their bots."""
