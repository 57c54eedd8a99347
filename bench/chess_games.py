"""Lets a UCI engine play itself with few nodes, and writes PGN files for a supervised start.

python bench/chess_games.py ENGINE --games 4000 --nodes 400 --out games.pgn

Games start after some random moves, which are not recorded (tags SetUp and FEN), so every recorded move is the
engine's.  The number of nodes per move is drawn for each game, from half to one and a half of `--nodes`.  A game ends
by the rules, by a claimable draw, as a draw after `--plies` half-moves, or when both sides' scores have agreed for
eight half-moves that one side leads by `--won` centipawns.  The engine's score follows each move, from White's view
(`[%eval 0.31]`, `[%eval #-4]`).  Repeating the command appends games; use another seed.
"""

import argparse
import random
import sys
from pathlib import Path

import chess
import chess.engine

import ludus
from ludus.errors import LudusError
from ludus.games.annotations import GameTree
from ludus.games.chess.fen import write_fen
from ludus.games.chess.pgn import recorded, write_pgn
from ludus.games.chess.view import ChessView
from ludus.games.game import Position

AGREED = 8  # half-moves
MATE = 100_000


def opening(rng: random.Random, most: int) -> Position:
    """Return an unfinished position after some random moves, without their history."""
    while True:
        position = ludus.game("chess").start()
        for _ in range(rng.randint(0, most)):
            position = position.play(rng.choice(position.actions))
            if position.outcome:
                break
        else:
            return ludus.game("chess").start(write_fen(ChessView.read(position.state)))


def play(engine: chess.engine.SimpleEngine, position: Position, nodes: int, plies: int, won: int) -> str:
    """Play a game to its end; return its PGN."""
    board, game = chess.Board(write_fen(ChessView.read(position.state))), object()
    ahead = 0  # consecutive half-moves with a decisive lead of White; negative: of Black
    thoughts: list[list[str]] = []  # comments after each move
    while not position.outcome and len(board.move_stack) < plies and abs(ahead) < AGREED:
        found = engine.play(board, chess.engine.Limit(nodes=nodes), game=game, info=chess.engine.INFO_SCORE)
        assert found.move, "an engine that plays has a move"
        score = found.info["score"].white() if "score" in found.info else None
        thoughts.append([evaluation(score)] if score else [])
        seen_by_white = score.score(mate_score=MATE) if score else 0
        lead = 1 if seen_by_white >= won else -1 if seen_by_white <= -won else 0
        ahead = ahead + lead if lead and ahead * lead >= 0 else lead
        board.push(found.move)
        position = position.play(found.move.uci())
    recorded_game = recorded(GameTree(position))
    for played, comments in zip(recorded_game.line.moves, thoughts, strict=True):
        played.comments = comments
    if not position.outcome:
        recorded_game.result = "1/2-1/2" if abs(ahead) < AGREED else "1-0" if ahead > 0 else "0-1"
        recorded_game.tags["Result"] = recorded_game.result
    recorded_game.tags["White"] = recorded_game.tags["Black"] = f"{nodes} nodes"
    return write_pgn(recorded_game)


def evaluation(score: chess.engine.Score) -> str:
    """Format an engine's score for PGN: pawns, or moves until mate."""
    mate, pawns = score.mate(), (score.score() or 0) / 100
    return f"[%eval {pawns:.2f}]" if mate is None else f"[%eval #{mate}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--random", type=int, default=10, help="maximum number of random moves before a game")
    parser.add_argument("--plies", type=int, default=300)
    parser.add_argument("--won", type=int, default=1500, help="centipawns")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    ludus.game("chess").compile()
    rng = random.Random(given.seed)
    try:
        with (
            chess.engine.SimpleEngine.popen_uci(given.engine, timeout=60.0) as engine,
            given.out.open("a") as out,
        ):
            engine.configure({"Hash": 4})
            engine.timeout = None
            for _ in range(given.games):
                nodes = rng.randint(given.nodes // 2, 3 * given.nodes // 2)
                print(play(engine, opening(rng, given.random), nodes, given.plies, given.won), file=out, flush=True)
    except (OSError, LudusError, chess.engine.EngineError) as error:
        sys.exit(f"{given.engine}: {error}")


if __name__ == "__main__":
    main()
