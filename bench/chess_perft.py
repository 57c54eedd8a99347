"""Measures the speed of the chess rules: counts positions at a depth (perft) and prints nodes per processor second.

python bench/chess_perft.py [FEN DEPTH]...

Nodes are the positions at the last depth.  They are counted in bulk: actions of the last ply are generated but not
played.
"""

import sys
import time

import ludus
from ludus.games.chess.perft import perft

POSITIONS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
)
RUNS = 3  # the fastest one counts


def measure(fen: str, depth: int) -> tuple[int, float]:
    game, best, nodes = ludus.game("chess:960"), float("inf"), 0
    state = game.start_state(fen)
    perft(game, state, 1)
    for _ in range(RUNS):
        begin = time.process_time()
        nodes = perft(game, state, depth)
        best = min(best, time.process_time() - begin)
    return nodes, best


def main(arguments: list[str]) -> None:
    if len(arguments) % 2 or not all(depth.isdecimal() for depth in arguments[1::2]):
        sys.exit("Name each position with its depth: chess_perft.py FEN DEPTH, each FEN in quotes.")
    total, seconds = 0, 0.0
    given = list(zip(arguments[::2], map(int, arguments[1::2]), strict=True))
    for fen, depth in given or POSITIONS:
        nodes, best = measure(fen, depth)
        total, seconds = total + nodes, seconds + best
        print(f"{nodes:12} nodes  {nodes / best / 1e6:7.1f} M/s  depth {depth}  {fen}")
    print(f"{total:12} nodes  {total / seconds / 1e6:7.1f} M/s  together")


if __name__ == "__main__":
    main(sys.argv[1:])
