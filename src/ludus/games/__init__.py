"""Board games: the interface of a game, the built-in games, recorded games, puzzles and the checker."""
