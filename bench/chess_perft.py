"""Measures the speed of the chess rules: counts positions at a depth (perft) and prints nodes per processor second.

python bench/chess_perft.py [FEN DEPTH]... [--runs N] [--json]

Nodes are the positions at the last depth.  They are counted in bulk: actions of the last ply are generated but not
played.
"""

import argparse
import json
import time

import ludus
from ludus.games.chess.perft import perft
from ludus.selfplay.measure import describe_machine, settings_key

POSITIONS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
)


def measure(fen: str, depth: int, runs: int) -> tuple[int, float]:
    game, best, nodes = ludus.game("chess:960"), float("inf"), 0
    state = game.start_state(fen)
    perft(game, state, 1)
    for _ in range(runs):
        begin = time.process_time()
        nodes = perft(game, state, depth)
        best = min(best, time.process_time() - begin)
    return nodes, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("positions", nargs="*", metavar="FEN DEPTH", help="positions in quotes, each with its depth")
    parser.add_argument("--runs", type=int, default=3, help="the fastest one counts")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    fens, depths = options.positions[::2], options.positions[1::2]
    if len(fens) != len(depths) or not all(depth.isdecimal() for depth in depths):
        parser.error("Name each position with its depth: chess_perft.py FEN DEPTH, each FEN in quotes.")
    positions = list(zip(fens, map(int, depths), strict=True)) or POSITIONS
    total, seconds = 0, 0.0
    for fen, depth in positions:
        nodes, best = measure(fen, depth, options.runs)
        total, seconds = total + nodes, seconds + best
        if not options.json:
            print(f"{nodes:12} nodes  {nodes / best / 1e6:7.1f} M/s  depth {depth}  {fen}")
    if options.json:
        said = {"bench": "perft", "nodes_per_cpu_s": total / seconds, "settings": settings_key(positions)}
        print(json.dumps(said | describe_machine()))
    else:
        print(f"{total:12} nodes  {total / seconds / 1e6:7.1f} M/s  together")


if __name__ == "__main__":
    main()
