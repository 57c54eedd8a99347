"""Adapts the engine of the package gomoku-terminal to the Gomocup protocol, as an opponent in matches.

python tools/pbrain_gomoku_terminal.py LEVEL

LEVEL is easy, medium or hard.  The package (MIT licence, on PyPI) has an engine but no protocol.  It need not be in
Ludus's environment: any Python with its module `gomoku` will do.  Supported are the commands that a match manager
sends: START, BEGIN, TURN, BOARD, INFO, ABOUT and END.
"""

# pyright: reportMissingImports=false

import random
import sys

from gomoku.ai import GomokuAI
from gomoku.board import Board

OWN = 1


def main() -> None:
    """Answer commands until END."""
    level = sys.argv[1]
    engine, board, random_seed = GomokuAI(level), Board(), 1
    random.seed(random_seed)
    lines = (line.strip() for line in sys.stdin)
    for line in lines:
        command, _, rest = line.partition(" ")
        moves = False
        if command == "END":
            return
        if command == "START":
            Board.SIZE = int(rest)
            board = Board()
            print("OK", flush=True)
        elif command == "ABOUT":
            print(f'name="gomoku-terminal {level}", version="1.0.2"', flush=True)
        elif command == "BEGIN":
            moves = True
        elif command == "TURN":
            put(board, rest, Board.WHITE)
            moves = True
        elif command == "BOARD":
            board = Board()
            while (stone := next(lines)) != "DONE":
                point, _, whose = stone.rpartition(",")
                put(board, point, Board.BLACK if int(whose) == OWN else Board.WHITE)
            moves = True
        elif command != "INFO":
            print(f"UNKNOWN {command}", flush=True)
        if moves:
            row, column = engine.get_move(board, Board.BLACK)
            board.place_stone(row, column, Board.BLACK)
            print(f"{column},{row}", flush=True)


def put(board: Board, point: str, colour: int) -> None:
    """Put a stone on a point given as x,y."""
    x, y = map(int, point.split(","))
    board.place_stone(y, x, colour)


if __name__ == "__main__":
    main()
