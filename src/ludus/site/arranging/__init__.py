"""Positions put together piece by piece: what may be put on a board, and the position that comes of it.

`kit.py` is what a page needs for it; a file for each kind of game says what that game takes: `chess.py`, `stones.py`
(Go and Gomoku), `wallgame.py`, found by `games.py`.  `arrange.py` asks them.
"""
