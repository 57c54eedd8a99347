"""Lets a UCI engine play with itself at few nodes, and writes the games as PGN: data for a supervised start.

python bench/chess_games.py ENGINE --games 4000 --nodes 400 --out games.pgn

Each game begins after some random moves, which are not part of it (tags SetUp and FEN), so that every move is the
engine's.  How many nodes a move gets is drawn anew for each game, from half of what is asked to one and a half.  A game
ends by the rules, at draws that can be claimed, after `--plies` half moves as a draw, or when both sides have agreed
for eight half moves that one of them is so far ahead (`--won`, in centipawns).  The same command appends more games:
give it another seed.
"""

import argparse
import random
import subprocess
from pathlib import Path

import ludus
from ludus.games.chess.fen import write_fen
from ludus.games.chess.pgn import recorded, write_pgn
from ludus.games.chess.view import View
from ludus.games.position import Position

AGREED = 8  # half moves
MATE = 100_000


class Engine:
    """A UCI engine in a process."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ask("uci", until="uciok")
        self._ask("setoption name Hash value 4", "isready", until="readyok")

    def new_game(self) -> None:
        self._ask("ucinewgame", "isready", until="readyok")

    def choose(self, fen: str, moves: list[str], nodes: int) -> tuple[str, int]:
        """Return a move, and what it is worth for the mover in centipawns."""
        said = self._ask(f"position fen {fen} moves {' '.join(moves)}", f"go nodes {nodes}", until="bestmove")
        scores = [line.split(" score ")[1].split()[:2] for line in said if " score " in line]
        kind, number = scores[-1] if scores else ("cp", "0")
        score = int(number) if kind == "cp" else (MATE if int(number) > 0 else -MATE)
        return said[-1].split()[1], score

    def quit(self) -> None:
        self._ask("quit")
        self._process.wait(10)

    def _ask(self, *lines: str, until: str = "") -> list[str]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        said: list[str] = []
        while until and not (said and said[-1].startswith(until)):
            said.append(self._process.stdout.readline())
            if not said[-1]:
                raise RuntimeError(f"the engine ended before it said {until}")
        return said


def opening(rng: random.Random, most: int) -> Position:
    """Return a position after some random moves, in which the game goes on, with nothing before it."""
    while True:
        position = ludus.game("chess").start()
        for _ in range(rng.randint(0, most)):
            position = position.play(rng.choice(position.actions))
            if position.outcome:
                break
        else:
            return ludus.game("chess").start(write_fen(View.read(position.state)))


def play(engine: Engine, position: Position, nodes: int, plies: int, won: int) -> str:
    """Play a game to its end; return it as PGN."""
    fen, moves = write_fen(View.read(position.state)), list[str]()
    ahead = 0  # half moves for which White has led so clearly; negative for Black
    engine.new_game()
    while not position.outcome and len(moves) < plies and abs(ahead) < AGREED:
        move, score = engine.choose(fen, moves, nodes)
        seen_by_white = score if position.to_play == 0 else -score
        lead = 1 if seen_by_white >= won else -1 if seen_by_white <= -won else 0
        ahead = ahead + lead if lead and ahead * lead >= 0 else lead
        moves.append(move)
        position = position.play(move)
    game = recorded(position)
    if not position.outcome:
        game.result = "1/2-1/2" if abs(ahead) < AGREED else "1-0" if ahead > 0 else "0-1"
        game.tags["Result"] = game.result
    game.tags["White"] = game.tags["Black"] = f"{nodes} nodes"
    return write_pgn(game)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--random", type=int, default=10, help="most random moves before a game")
    parser.add_argument("--plies", type=int, default=300)
    parser.add_argument("--won", type=int, default=1500, help="centipawns")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    ludus.game("chess").compile()
    engine, rng = Engine(given.engine), random.Random(given.seed)
    with given.out.open("a") as out:
        for _ in range(given.games):
            nodes = rng.randint(given.nodes // 2, 3 * given.nodes // 2)
            print(play(engine, opening(rng, given.random), nodes, given.plies, given.won), file=out, flush=True)
    engine.quit()


if __name__ == "__main__":
    main()
