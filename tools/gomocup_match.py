"""Plays a match of Gomoku between two programs over the Gomocup protocol, and reports protocol errors.

python tools/gomocup_match.py [--games N] [--size N] [--rule NAME] [--opening N] [--turn MS] [--record FILE] \
    "COMMAND" "COMMAND"

It acts as a Gomocup manager and referees by Ludus's rules.  Colours alternate.  With --opening, each pair of games
starts with the same random stones.  An ERROR or UNKNOWN answer, an illegal move, no answer and a late answer are
protocol errors: that program loses the game, both programs are restarted, and the exit status is 1.  With --record,
finished games are appended to a file, and the same command continues with the missing ones; `--games 0` only prints
the summary.  The last line is a summary in JSON.
"""

import argparse
import random
import re
import sys
import time
from contextlib import suppress

from line_program import LineProgram, ProtocolError
from match_record import NOBODY, PlayedGame, run_match

import ludus
from ludus.errors import BadInput

RULES = {"freestyle": 0, "standard": 1, "renju": 4}
MAX_MEMORY = 1 << 30  # bytes that programs are allowed
START_S = 300.0  # timeout for a program's start
ABOUT_S = 2.0  # timeout for ABOUT, which some programs never answer
GRACE_S = 1.0  # added to the time of a turn for communication


class Program(LineProgram):
    """A program that uses the Gomocup protocol."""

    def begin(self, size: int, turn_ms: int, rule: int) -> None:
        """Make the program set up an empty board; raises ProtocolError if it fails."""
        self.say(f"START {size}", "\r\n")
        if (answer := self._answer("START", START_S)) != "OK":
            raise ProtocolError(self.number, f"START is answered by {answer!r}")
        infos = {"timeout_turn": turn_ms, "timeout_match": 0, "max_memory": MAX_MEMORY, "game_type": 1, "rule": rule}
        for key, value in infos.items():
            self.say(f"INFO {key} {value}", "\r\n")

    def greet(self) -> None:
        """Ask for the program's name; an answer is optional."""
        self.say("ABOUT", "\r\n")
        with suppress(ProtocolError):
            self._answer("ABOUT", ABOUT_S)

    def move(self, question: list[str], patience_s: float) -> tuple[int, int]:
        """Return x and y of the program's move; raises ProtocolError if there is none."""
        self.say("\r\n".join(["INFO time_left 2147483647", *question]), "\r\n")
        begun, answer = time.monotonic(), self._answer(question[0], patience_s)
        point = re.fullmatch(r"(\d{1,2}),(\d{1,2})", answer, re.ASCII)
        if not point:
            raise ProtocolError(self.number, f"{question[0]!r} is answered by {answer!r}")
        if time.monotonic() - begun > patience_s:
            raise ProtocolError(self.number, f"{question[0]!r} is answered too late")
        return int(point[1]), int(point[2])

    def _answer(self, question: str, patience_s: float) -> str:
        """Return the next line, except for messages to people."""
        ends = time.monotonic() + patience_s
        while (line := self.hear(question, max(0.0, ends - time.monotonic())).strip()).split(" ")[0] in (
            "MESSAGE",
            "DEBUG",
        ):
            pass
        return line


class Match:
    """A match: its games, and its programs, which are started when needed."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        """Prepare a match."""
        self._wanted, self.spec = wanted, f"gomoku:{wanted.rule}:{wanted.size}x{wanted.size}"
        self._game = ludus.game(self.spec)
        self._position = self._game.start()
        self._players: list[Program] = []

    def close(self) -> None:
        """End the programs."""
        for program in self._players:
            program.close("END")
        self._players = []

    def play(self, number: int) -> PlayedGame:
        """Play a game to its end, or to a protocol error."""
        begun, wanted, first = time.perf_counter(), self._wanted, number % 2
        rng = random.Random(f"{wanted.seed} {number // 2}")
        opening = rng.sample([(x, y) for x in range(wanted.size) for y in range(wanted.size)], wanted.opening)
        names = [self._name(point) for point in opening]
        self._position = self._game.start({"black": names[::2], "white": names[1::2]})
        fault_of, fault = NOBODY, ""
        try:
            outcome = self._moves(first, opening)
            points = 0.5 if outcome.winner is None else float(outcome.winner == first)
            result = {0: "B", 1: "W", None: "draw"}[outcome.winner]
        except ProtocolError as error:
            self.close()
            fault_of, fault, points = error.program, str(error), float(error.program)
            result = f"{'WB'[fault_of ^ first]}+F"
        seconds, moves = round(time.perf_counter() - begun, 1), list(self._position.moves)
        return PlayedGame(number, first, names, moves, points, result, seconds, fault_of, fault)

    def _moves(self, first: int, stones: list[tuple[int, int]]) -> ludus.Outcome:
        """Play the moves of a game; return its outcome."""
        wanted = self._wanted
        if not self._players:
            self._players = [Program(command, START_S, number) for number, command in enumerate(wanted.programs)]
            for player in self._players:
                player.begin(wanted.size, wanted.turn, RULES[wanted.rule])
                player.greet()
        for player in self._players:
            player.begin(wanted.size, wanted.turn, RULES[wanted.rule])
        asked = [False, False]
        while not self._position.outcome:
            colour = self._position.to_play
            mover = self._players[colour ^ first]
            question = [f"TURN {stones[-1][0]},{stones[-1][1]}"] if asked[colour] else _board(stones, colour)
            asked[colour] = True
            point = mover.move(question, wanted.turn / 1000.0 + GRACE_S)
            try:
                self._position = self._position.play(self._name(point))
            except BadInput as error:
                raise ProtocolError(mover.number, f"plays {point[0]},{point[1]}: {error}") from error
            stones = [*stones, point]
        return self._position.outcome

    def _name(self, point: tuple[int, int]) -> str:
        """Return the name of a point with x and y counted from the top left."""
        x, y = point
        return f"{chr(ord('a') + x)}{self._wanted.size - y}"


def _board(stones: list[tuple[int, int]], colour: int) -> list[str]:
    """Return the lines that describe the stones to a player for the first time."""
    if not stones:
        return ["BEGIN"]
    lines = [f"{x},{y},{1 if number % 2 == colour else 2}" for number, (x, y) in enumerate(stones)]
    return ["BOARD", *lines, "DONE"]


def main(arguments: list[str] | None = None) -> int:
    """Play the games; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--rule", choices=list(RULES), default="freestyle")
    parser.add_argument("--turn", type=int, default=30_000, metavar="MS", help="time per move")
    return run_match(parser, Match, arguments)


if __name__ == "__main__":
    sys.exit(main())
