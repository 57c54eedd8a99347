"""Board games: the interface of a game, the built-in games, recorded games, puzzles and the checker."""

BUILT_IN = ("wallgame", "chess", "go", "gomoku", "connect4", "tictactoe")
"""The built-in games in the order of lists; the first is the main game, which protocols mean if they name none."""
MAIN_GAME = BUILT_IN[0]
EXAMPLE_GAME = "connect4"
"""The game of examples and of measurements that name none: a name without parts, and quick to train."""
