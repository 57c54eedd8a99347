"""Plays a match over UCI between Ludus and another engine, and counts faults.

python bench/uci_match.py --model models/chess --engine ENGINE --option Skill\\ Level=0 --games 500 --time 1+0.1 \\
    --record match.jsonl

The referee is python-chess, which is independent of Ludus.  The games of a pair have the same random opening and
swapped colours.  Counted faults are illegal moves, moves after the flag has fallen, unreadable output, and processes
that end.  Finished games are appended to the record with their moves; the same command continues with the missing ones.
With `--games 0` it only prints a JSON summary of the record.
"""

import argparse
import math
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import msgspec

from ludus.errors import BadInput, BadRecord, LudusError
from ludus.lines import append, unsealed, whole_lines
from ludus.rating.elo import elo_of_pairs
from ludus.selfplay.measure import describe_machine

TIME = r"\d+(\.\d+)?\+\d+(\.\d+)?"
GRACE_S = 0.0  # seconds that a clock may be below zero


class GameLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded game."""

    number: int
    conditions: str
    """Players, options and time control, equal for all games of a record."""
    fen: str
    moves: str
    """Moves in UCI notation."""
    white: bool
    """Whether Ludus had White."""
    points: float
    """Points of Ludus."""
    fault: str = ""
    """The fault that ended the game; empty: none."""
    least_left_s: float = 0.0
    """Shortest time on Ludus's clock after a move."""


class Clocks:
    """The clocks of both players."""

    def __init__(self, seconds: float, increment: float) -> None:
        self.left = [seconds, seconds]
        self.increment = increment

    def limit(self) -> chess.engine.Limit:
        white, black = (max(0.001, left) for left in self.left)
        increment = self.increment
        return chess.engine.Limit(white_clock=white, black_clock=black, white_inc=increment, black_inc=increment)

    def spend(self, player: int, seconds: float) -> bool:
        """Subtract time and add the increment; return whether the player's flag has fallen."""
        self.left[player] -= seconds
        fallen = self.left[player] < -GRACE_S
        self.left[player] += self.increment
        return fallen


def opening(seed: int, number: int, plies: int) -> chess.Board:
    """Return an unfinished position after random moves, the same for both games of a pair."""
    rng = random.Random(f"{seed} {number // 2}")
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over():
            return board


def is_over(board) -> bool:
    """Return whether the game has ended, or its current position allows a draw claim."""
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()


def play(ours, theirs, board, our_side, limits) -> tuple[float, str, float]:
    """Play a game; return our points, the fault, and the shortest time on our clock."""
    clocks = Clocks(*limits)
    game, least = object(), limits[0]
    while not is_over(board):
        mine = board.turn == our_side
        player = 0 if board.turn == chess.WHITE else 1
        begun = time.perf_counter()
        try:
            found = (ours if mine else theirs).play(board, clocks.limit(), game=game)
        except chess.engine.EngineTerminatedError as error:
            return (0.0, f"ended: {error}", least) if mine else (1.0, f"they ended: {error}", least)
        except chess.engine.EngineError as error:
            print(f"{'ours' if mine else 'theirs'}: {error} in {board.fen()}", file=sys.stderr)
            return (0.0, "illegal or unreadable", least) if mine else (1.0, "their error", least)
        spent = time.perf_counter() - begun
        fallen = clocks.spend(player, spent)
        if mine:
            least = min(least, clocks.left[player] - clocks.increment)
        if fallen:
            print(f"{'our' if mine else 'their'} flag fell after {spent:.3f} s", file=sys.stderr)
            return (0.0, "time", least) if mine else (1.0, "their time", least)
        assert found.move, "an engine that plays has a move"
        board.push(found.move)
    points = {"1-0": 1.0, "0-1": 0.0}.get(board.result(), 0.5)
    return (points if our_side == chess.WHITE else 1.0 - points), "", least


def read(record: Path, conditions: str) -> dict[int, GameLine]:
    """Return the recorded games by number; raises BadInput for other conditions, or BadRecord."""
    if not record.is_file():
        return {}
    texts = [unsealed(record, number, line) for number, line in enumerate(whole_lines(record), 1)]
    try:
        games = [msgspec.json.decode(text, type=GameLine) for text in texts]
    except msgspec.DecodeError as error:
        raise BadRecord(f"{record}: is not a record of this program ({error}); name another file.") from error
    for game in games:
        if game.conditions != conditions:
            raise BadInput(f"{record}: contains games of {game.conditions}, not of {conditions}; name another file.")
    return {game.number: game for game in games}


def summary(games: list[GameLine], conditions: str) -> str:
    """Return a JSON summary of the games."""
    points = [game.points for game in games]
    by_number = {game.number: game.points for game in games}
    pairs = [
        (won, by_number[number + 1]) for number, won in by_number.items() if not number % 2 and number + 1 in by_number
    ]
    sums = Counter(round(2 * sum(pair)) for pair in pairs)  # half points: 0 to 4
    elo, error = elo_of_pairs([sums[halves] for halves in range(5)])
    wins, losses = points.count(1.0), points.count(0.0)
    found = {"conditions": conditions, "games": len(games), "wins": wins, "draws": len(games) - wins - losses}
    found |= {"losses": losses, "faults": dict(Counter(game.fault for game in games if game.fault))}
    found |= {"least_left_s": round(min((game.least_left_s for game in games), default=0.0), 3)}
    found |= {"pairs": len(pairs), "elo": round(elo), "error": round(error)}
    return msgspec.json.encode(found | describe_machine()).decode()


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
    parser.add_argument("--minutes", type=float, default=math.inf, help="start no game after so many minutes")
    parser.add_argument("--record", type=Path, required=True)
    given = parser.parse_args()
    if not re.fullmatch(TIME, given.time):
        parser.error("--time: seconds and increment are written as 1+0.1")
    if unnamed := [each for each in given.own + given.option if "=" not in each]:
        parser.error(f"{unnamed[0]}: an option is written as NAME=VALUE")
    own, options = " ".join(sorted(given.own)), " ".join(sorted(given.option))
    conditions = f"{Path(given.model).name} [{own}] - {Path(given.engine).name} [{options}], {given.time}"
    for name, number in (("opening", given.opening), ("seed", given.seed)):
        if number != parser.get_default(name):  # defaults are not mentioned
            conditions += f", {name} {number}"
    try:
        games = read(given.record, conditions)
        missing = [number for number in range(given.games) if number not in games]
        if missing:
            games |= play_all(given, conditions, missing)
    except (LudusError, OSError, chess.engine.EngineError) as error:
        sys.exit(str(error))
    print(summary(list(games.values()), conditions))


def play_all(given: argparse.Namespace, conditions: str, numbers: list[int]) -> dict[int, GameLine]:
    """Play the numbered games, append each to the record, and return them."""
    seconds, increment = map(float, given.time.split("+"))
    command = [sys.executable, "-m", "ludus", "engine", "uci", "--model", given.model]
    ours = chess.engine.SimpleEngine.popen_uci(command, timeout=600.0)
    theirs = chess.engine.SimpleEngine.popen_uci([given.engine], timeout=60.0)
    ours.configure(dict(each.split("=", 1) for each in given.own))
    theirs.configure(dict(each.split("=", 1) for each in given.option))
    ours.timeout = None
    ours.play(chess.Board(), chess.engine.Limit(nodes=2))  # compiles
    played: dict[int, GameLine] = {}
    begun = time.monotonic()
    try:
        for number in numbers:
            if time.monotonic() - begun > 60.0 * given.minutes:
                break
            board = opening(given.seed, number, given.opening)
            fen, our_side = board.fen(), number % 2 == 0
            board = chess.Board(fen)
            points, fault, least = play(ours, theirs, board, our_side, (seconds, increment))
            played[number] = GameLine(number, conditions, fen, moves(board), our_side, points, fault, round(least, 4))
            append(given.record, played[number])
            if "ended: " in fault:
                print(f"game {number}: {fault}; repeat the command to continue", file=sys.stderr)
                break
    finally:
        for engine in (ours, theirs):
            engine.close()
    return played


def moves(board: chess.Board) -> str:
    """Return the moves of a game in UCI notation."""
    return " ".join(move.uci() for move in board.move_stack)


if __name__ == "__main__":
    main()
