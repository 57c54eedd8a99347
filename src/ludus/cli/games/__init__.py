"""Commands for a game and its positions: check rules, draw pictures, play in the terminal, find puzzles."""
