"""The evaluation bar: what every position of a game is worth, for all who watch it, from one session with a bot."""
