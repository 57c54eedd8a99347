"""Plays a match of Go between two programs over GTP with Ludus's rules, and reports protocol errors.

python tools/twogtp.py [--games N] [--size N] [--rules NAME] [--komi K] [--opening N] [--record FILE] [--sgf FOLDER] \
    [--judge COMMAND] [--finish COMMAND] "COMMAND" "COMMAND"

Colours alternate.  With --opening, each pair of games starts with the same random stones.  After two passes, the
referee scores the board without removing stones.  With --judge, another program's `final_score` is recorded, and the
differences are counted; `--judge sgfmill` replays the game with that library instead, as an independent referee.
With --finish, another program plays both sides after a resignation, so that the board can be
counted, as training games need.  A refused command, an illegal move and no answer are protocol errors: that program
loses the game, both programs are restarted, and the exit status is 1.  With --record, finished games are appended to a
file, and the same command continues with the missing ones; `--games 0` only prints the summary.  The last line is a
summary in JSON.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from line_program import LineProgram, ProtocolError
from match_record import NOBODY, PlayedGame, run_match

import ludus
from ludus.errors import BadInput
from ludus.games.go.describe import margin, score_text
from ludus.games.go.sgf_game import write_game
from ludus.games.go.view import vertex

COLOURS = ("black", "white")
SGFMILL = "sgfmill"
MOST_MOVES = 20
"""Maximum number of moves per point of the board, since games under simple ko may not end; longer ones are scored."""


class Program(LineProgram):
    """A program that uses GTP."""

    def ask(self, command: str) -> str:
        """Return the answer to a command; raises ProtocolError if it fails."""
        self.say(command)
        lines: list[str] = []
        while not lines or lines[-1]:
            line = self.hear(command)
            lines += [line] if line or lines else []
        if not lines[0].startswith("="):
            raise ProtocolError(self.number, f"{command!r} is answered by {lines[0]!r}")
        return "\n".join([lines[0][1:].strip(), *lines[1:-1]]).strip()

    def set_up(self, size: int, komi: float, moves: list[str]) -> None:
        """Set up a game from the empty board."""
        put = [f"play {COLOURS[number % 2]} {move}" for number, move in enumerate(moves)]
        for command in (f"boardsize {size}", "clear_board", f"komi {komi:g}", *put):
            self.ask(command)


def random_stones(rng: random.Random, size: int, count: int) -> list[str]:
    """Return points for Black and White alternately; none are neighbours, so nothing is captured."""
    chosen: list[tuple[int, int]] = []
    for cell in rng.sample([(row, column) for row in range(size) for column in range(size)], size * size):
        if len(chosen) < count and all(abs(cell[0] - row) + abs(cell[1] - column) > 1 for row, column in chosen):
            chosen.append(cell)
    return [vertex(cell, size) for cell in chosen]


def counted_by_sgfmill(size: int, komi: float, opening: Sequence[str], moves: Sequence[str]) -> str:
    """Return the area score of a game as sgfmill replays it, or the first move that it does not allow."""
    from sgfmill.boards import Board  # only this judge needs the library
    from sgfmill.common import move_from_vertex

    board, ko = Board(size), None
    for number, move in enumerate([*opening, *moves]):
        at = move_from_vertex(move, size)
        if at is None:
            ko = None
            continue
        if at == ko or board.get(*at) is not None:
            return f"illegal move {number + 1}: {move}"
        ko = board.play(*at, "bw"[number % 2])
    return score_text(board.area_score() - komi)


class Match:
    """A match: its games, and its programs, which are started when needed."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        """Prepare a match."""
        size, self._wanted = wanted.size, wanted
        self.spec = f"go:{size}x{size}:{wanted.rules}:komi={wanted.komi:g}"
        self._game = ludus.game(self.spec)
        self._position = self._game.start()
        self._most = MOST_MOVES * size * size
        self._players: list[Program] = []
        self._judge: Program | None = None
        self._finisher: Program | None = None

    def start(self) -> None:
        """Start the programs that are not running; raises ProtocolError."""
        if not self._players:
            commands = self._wanted.programs
            self._players = [Program(command, self._wanted.patience, number) for number, command in enumerate(commands)]
        if self._wanted.judge not in (None, SGFMILL) and not self._judge:
            self._judge = Program(self._wanted.judge, self._wanted.patience, NOBODY)
        if self._wanted.finish and not self._finisher:
            self._finisher = Program(self._wanted.finish, self._wanted.patience, NOBODY)

    def close(self) -> None:
        """End the programs."""
        for program in (*self._players, self._judge, self._finisher):
            if program:
                program.close("quit")
        self._players, self._judge, self._finisher = [], None, None

    def play(self, number: int) -> PlayedGame:
        """Play a game to its end, or to a protocol error; raises ProtocolError for the judge or finisher."""
        begun, wanted, first = time.perf_counter(), self._wanted, number % 2
        opening = random_stones(random.Random(f"{wanted.seed} {number // 2}"), wanted.size, wanted.opening)
        self._position = self._game.start({"black": " ".join(opening[::2]), "white": " ".join(opening[1::2])})
        fault_of, fault, verdict = NOBODY, "", ""
        try:
            self.start()
            result = self._moves(first, opening)
            if wanted.judge and not result.endswith("R"):
                verdict = self._judged(opening)
            points = 0.5 if result == "0" else float((result[0] == "B") == (first == 0))
        except ProtocolError as error:
            self.close()
            if error.program == NOBODY:
                raise
            fault_of, fault, points = error.program, str(error), float(error.program)
            result = f"{'WB'[fault_of ^ first]}+F"
        seconds, moves = round(time.perf_counter() - begun, 1), list(self._position.moves)
        if wanted.sgf:
            names = [wanted.programs[each ^ first] for each in (0, 1)]
            wanted.sgf.mkdir(parents=True, exist_ok=True)
            text = write_game(self._position, {"PB": names[0], "PW": names[1], "RE": result})
            (wanted.sgf / f"game-{number + 1}.sgf").write_text(text)
        return PlayedGame(number, first, opening, moves, points, result, seconds, fault_of, fault, verdict)

    def _moves(self, first: int, opening: list[str]) -> str:
        """Play the moves of a game; return its result."""
        for player in self._players:
            player.set_up(self._wanted.size, self._wanted.komi, opening)
        while self._goes_on():
            colour = self._position.to_play
            mover, other = self._players[colour ^ first], self._players[1 - (colour ^ first)]
            move = mover.ask(f"genmove {COLOURS[colour]}")
            if move.lower() == "resign":
                if not self._finisher:
                    return f"{'WB'[colour]}+R"
                self._finish(self._finisher, opening)
                break
            self._put(move, mover)
            other.ask(f"play {COLOURS[colour]} {move}")
        return score_text(margin(self._position.state))

    def _finish(self, finisher: Program, opening: list[str]) -> None:
        """Let one program play both sides to the end of the game."""
        finisher.set_up(self._wanted.size, self._wanted.komi, opening + list(self._position.moves))
        while self._goes_on():
            self._put(finisher.ask(f"genmove {COLOURS[self._position.to_play]}"), finisher)

    def _goes_on(self) -> bool:
        return not self._position.outcome and self._position.num_actions_played < self._most

    def _put(self, move: str, mover: Program) -> None:
        try:
            self._position = self._position.play(move)
        except BadInput as error:
            raise ProtocolError(mover.number, f"plays {move!r}: {error}") from error

    def _judged(self, opening: list[str]) -> str:
        """Return the judge's score in the referee's format."""
        if self._wanted.judge == SGFMILL:
            return counted_by_sgfmill(self._wanted.size, self._wanted.komi, opening, self._position.moves)
        assert self._judge, "only called with a judge"
        self._judge.set_up(self._wanted.size, self._wanted.komi, opening + list(self._position.moves))
        said = self._judge.ask("final_score").split()[0]
        found = re.fullmatch(r"([BW])\+(\d+(?:\.\d+)?)", said)
        return f"{found[1]}+{float(found[2]):g}" if found else said


def main(arguments: list[str] | None = None) -> int:
    """Play the games; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--rules", default="ko=positional:suicide=no", help="rules of the referee")
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--judge", metavar="COMMAND", help="a third program, whose scores are recorded")
    parser.add_argument("--finish", metavar="COMMAND", help="a program that finishes resigned games")
    parser.add_argument("--sgf", type=Path, metavar="FOLDER")
    parser.add_argument("--patience", type=float, default=1000.0, help="timeout of an answer in seconds")
    return run_match(parser, Match, arguments)


if __name__ == "__main__":
    sys.exit(main())
