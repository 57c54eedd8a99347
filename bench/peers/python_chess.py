"""Measures the rules of python-chess: perft from the start and from Kiwipete, in nodes per second of processor time.

Run it with a Python environment that has `chess`: `python bench/peers/python_chess.py`.
"""

# pyright: reportMissingImports=false

import json
import time

import chess

POSITIONS = {
    "start": (chess.STARTING_FEN, 4),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3),
}


def perft(board: chess.Board, depth: int) -> int:
    """Count the positions at a depth; those of the last ply are not played."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


def main() -> None:
    """Print the speed in both positions."""
    found: dict[str, object] = {"program": f"python-chess {chess.__version__}"}
    for name, (fen, depth) in POSITIONS.items():
        begun = time.process_time()
        nodes = perft(chess.Board(fen), depth)
        found[name] = nodes / (time.process_time() - begun) / 1e6
    print(json.dumps(found))


if __name__ == "__main__":
    main()
