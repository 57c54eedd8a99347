"""Lets a UCI engine play with itself at few nodes, and writes the games as PGN: data for a supervised start.

python bench/chess_games.py ENGINE --games 4000 --nodes 300 --out games.pgn

Each game begins after some random moves, which are not part of it (tags SetUp and FEN), so that every move is the
engine's.  It ends by the rules, at draws that can be claimed, or after `--plies` half moves as a draw.
"""

import argparse
import random
import subprocess
from pathlib import Path

import chess
import chess.pgn


class Engine:
    """A UCI engine in a process."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("uci", until="uciok")
        self._say("setoption name Hash value 4", "isready", until="readyok")

    def new_game(self) -> None:
        self._say("ucinewgame", "isready", until="readyok")

    def choose(self, fen: str, moves: list[str], nodes: int) -> str:
        line = self._say(f"position fen {fen} moves {' '.join(moves)}", f"go nodes {nodes}", until="bestmove")
        return line.split()[1]

    def quit(self) -> None:
        self._say("quit")
        self._process.wait(10)

    def _say(self, *lines: str, until: str = "") -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        while until:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"the engine ended before it said {until}")
            if line.startswith(until):
                return line
        return ""


def opening(rng: random.Random, most: int) -> chess.Board:
    """Return a position after some random moves that does not end the game."""
    while True:
        board = chess.Board()
        for _ in range(rng.randint(1, most)):
            board.push(rng.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


def play(engine: Engine, board: chess.Board, nodes: int, plies: int) -> chess.pgn.Game:
    """Play a game to its end."""
    fen, moves = board.fen(), list[str]()
    board = chess.Board(fen)
    engine.new_game()
    while not board.is_game_over(claim_draw=True) and len(moves) < plies:
        moves.append(engine.choose(fen, moves, nodes))
        board.push_uci(moves[-1])
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = "1/2-1/2" if len(moves) >= plies else board.result(claim_draw=True)
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--random", type=int, default=10, help="most random moves before a game")
    parser.add_argument("--plies", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    engine, rng = Engine(given.engine), random.Random(given.seed)
    with given.out.open("a") as out:
        for number in range(given.games):
            game = play(engine, opening(rng, given.random), given.nodes, given.plies)
            game.headers["Round"] = str(number + 1)
            print(game, file=out, end="\n\n", flush=True)
    engine.quit()


if __name__ == "__main__":
    main()
