"""How fast are the rules of chess?  Counts all lines of play to a depth (perft), and prints nodes per second on one core.

python bench/chess_perft.py [--each] [FEN DEPTH]...

Nodes are the positions at the last depth.  They are counted in bulk: at the last ply the legal actions are written and
counted, not played; `--each` plays them all.
"""

import sys
import time

import numpy as np

import ludus
from ludus.kernel import Rules, entry

POSITIONS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
)
RUNS = 3  # the best counts


@entry
def perft(rules: Rules, states: np.ndarray, actions: np.ndarray, depth: int) -> int:
    """Count the lines of `depth` actions from `states[0]`; without `outcome`: draws do not end a line."""
    last = depth - 1
    count, done = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    count[0] = rules.legal(states[0], actions[0])
    nodes, level = 0, 0
    while level >= 0:
        if level == last:
            nodes += count[level]
            level -= 1
        elif done[level] == count[level]:
            level -= 1
        else:
            action = int(actions[level, done[level]])
            done[level] += 1
            for word in range(states.shape[1]):
                states[level + 1, word] = states[level, word]
            rules.play(states[level + 1], action)
            level += 1
            done[level] = 0
            count[level] = rules.legal(states[level], actions[level])
    return nodes


@entry
def play_leaves(rules: Rules, states: np.ndarray, actions: np.ndarray, depth: int) -> int:
    """Count as `perft` does, but play every last action, too."""
    count, done = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    count[0] = rules.legal(states[0], actions[0])
    nodes, level = 0, 0
    while level >= 0:
        if done[level] == count[level]:
            level -= 1
            continue
        for word in range(states.shape[1]):
            states[level + 1, word] = states[level, word]
        rules.play(states[level + 1], int(actions[level, done[level]]))
        done[level] += 1
        if level == depth - 1:
            nodes += 1
        else:
            level += 1
            done[level] = 0
            count[level] = rules.legal(states[level], actions[level])
    return nodes


def measure(fen: str, depth: int, each: bool) -> tuple[int, float]:
    game = ludus.game("chess:960")
    states = np.zeros((depth + 1, game.state_size), game.dtype)
    actions = np.zeros((depth, game.max_legal), np.int16)
    walk, best, nodes = play_leaves if each else perft, float("inf"), 0
    states[0] = game.start_state(fen)
    walk(game.rules, states, actions, 1)
    for _ in range(RUNS):
        begin = time.perf_counter()
        nodes = walk(game.rules, states, actions, depth)
        best = min(best, time.perf_counter() - begin)
    return nodes, best


def main(arguments: list[str]) -> None:
    each = "--each" in arguments
    rest = [argument for argument in arguments if argument != "--each"]
    total, seconds = 0, 0.0
    for fen, depth in zip(rest[::2], map(int, rest[1::2]), strict=True) if rest else POSITIONS:
        nodes, best = measure(fen, depth - each, each)
        total, seconds = total + nodes, seconds + best
        print(f"{nodes:12} nodes  {nodes / best / 1e6:7.1f} M/s  depth {depth - each}  {fen}")
    print(f"{total:12} nodes  {total / seconds / 1e6:7.1f} M/s  together")


if __name__ == "__main__":
    main(sys.argv[1:])
