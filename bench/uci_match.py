"""Plays games over UCI between Ludus and another engine, and counts what must not happen.

python bench/uci_match.py --model models/chess --engine ENGINE --option Skill\\ Level=0 --games 500 --time 1+0.1

The referee is python-chess, which knows nothing of Ludus.  Each pair of games begins with the same random opening and
changes sides.  Counted are illegal moves, moves that come after the flag has fallen, lines of Ludus that the referee
cannot read, and processes that end.  The last line is a summary in JSON.
"""

import argparse
import json
import math
import random
import sys
import time
from collections import Counter
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from ludus.selfplay.measure import describe_machine

GRACE_S = 0.0  # a flag falls when its clock shows nothing


class Clocks:
    """The clocks of a game."""

    def __init__(self, seconds: float, increment: float) -> None:
        self.left = [seconds, seconds]
        self.increment = increment
        self.least = seconds

    def limit(self) -> chess.engine.Limit:
        white, black = (max(0.001, left) for left in self.left)
        increment = self.increment
        return chess.engine.Limit(white_clock=white, black_clock=black, white_inc=increment, black_inc=increment)

    def spend(self, player: int, seconds: float) -> bool:
        """Return whether the flag of a player has fallen."""
        self.left[player] -= seconds
        fallen = self.left[player] < -GRACE_S
        self.left[player] += self.increment
        return fallen


def opening(rng: random.Random, plies: int) -> chess.Board:
    """Return a position after some random moves in which the game goes on."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over():
            return board


def play(ours, theirs, board, our_side, limits, faults) -> tuple[float, chess.Board]:
    """Play a game; return our points and the last position."""
    clocks = Clocks(*limits)
    game = object()
    while not board.is_game_over(claim_draw=True):
        mine = board.turn == our_side
        player = 0 if board.turn == chess.WHITE else 1
        begun = time.perf_counter()
        try:
            found = (ours if mine else theirs).play(board, clocks.limit(), game=game)
        except chess.engine.EngineTerminatedError:
            faults["ended" if mine else "their engine ended"] += 1
            raise
        except chess.engine.EngineError as error:
            faults["illegal or unreadable" if mine else "their error"] += 1
            print(f"{'ours' if mine else 'theirs'}: {error} in {board.fen()}", file=sys.stderr)
            return (0.0 if mine else 1.0), board
        spent = time.perf_counter() - begun
        if clocks.spend(player, spent):
            faults["time" if mine else "their time"] += 1
            print(f"{'our' if mine else 'their'} flag fell after {spent:.3f} s", file=sys.stderr)
            return (0.0 if mine else 1.0), board
        assert found.move, "an engine that plays has a move"
        board.push(found.move)
    result = board.result(claim_draw=True)
    points = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
    return (points if our_side == chess.WHITE else 1.0 - points), board


def elo(score: float) -> float:
    """Return the difference in Elo that a share of the points means."""
    score = min(max(score, 1e-3), 1.0 - 1e-3)
    return 400.0 * math.log10(score / (1.0 - score))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE of the other engine")
    parser.add_argument("--own", action="append", default=[], help="NAME=VALUE of Ludus")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--time", default="1+0.1")
    parser.add_argument("--opening", type=int, default=4, help="random moves before a pair of games")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=math.inf, help="no game is begun after so long")
    parser.add_argument("--pgn", type=Path)
    given = parser.parse_args()
    seconds, increment = map(float, given.time.split("+"))
    ours = chess.engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "ludus", "engine", "uci", "--model", given.model], timeout=600.0
    )
    theirs = chess.engine.SimpleEngine.popen_uci([given.engine], timeout=60.0)
    ours.configure(dict(each.split("=", 1) for each in given.own))
    theirs.configure(dict(each.split("=", 1) for each in given.option))
    ours.timeout = None
    ours.play(chess.Board(), chess.engine.Limit(nodes=2))  # what is compiled at first use is ready then
    rng, faults, points, begun = random.Random(given.seed), Counter(), [], time.monotonic()
    board = chess.Board()
    try:
        for number in range(given.games):
            if time.monotonic() - begun > 60.0 * given.minutes:
                break
            if number % 2 == 0:
                start = opening(rng, given.opening)
            our_side = chess.WHITE if number % 2 == 0 else chess.BLACK
            score, board = play(ours, theirs, start.copy(), our_side, (seconds, increment), faults)
            points.append(score)
            if given.pgn:
                game = chess.pgn.Game.from_board(board)
                game.headers["White" if our_side else "Black"] = "Ludus"
                with given.pgn.open("a") as out:
                    print(game, file=out, end="\n\n")
    finally:
        for engine in (ours, theirs):
            engine.close()
    wins, losses = points.count(1.0), points.count(0.0)
    count, score = max(1, len(points)), sum(points) / max(1, len(points))
    spread = math.sqrt(sum((each - score) ** 2 for each in points) / count) / math.sqrt(count)
    print(
        json.dumps(
            {"games": len(points), "time": given.time, "wins": wins, "draws": count - wins - losses, "losses": losses}
            | {"faults": dict(faults), "engine": given.engine, "options": given.option, "own": given.own}
            | {"elo": round(elo(score)), "elo_low": round(elo(score - 1.96 * spread))}
            | {"elo_high": round(elo(score + 1.96 * spread))}
            | describe_machine()
        )
    )


if __name__ == "__main__":
    main()
