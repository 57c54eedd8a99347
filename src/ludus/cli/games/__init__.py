"""Commands about a game and its positions: rules checked, pictures drawn, play at the terminal, puzzles mined."""
