"""Lets two programs play Gomoku against each other over the Gomocup protocol, and says what went wrong.

python tools/gomocup_match.py [--games N] [--size N] [--rule NAME] [--opening N] [--turn MS] [--record FILE] \
    "COMMAND" "COMMAND"

It does what a Gomocup manager does, and referees by Ludus's rules.  Colours change with each game.  With --opening, so
many stones lie on random points before it begins, the same for two games in a row.  ERROR and UNKNOWN as an answer, an
illegal move, silence and a move that comes too late are errors of protocol: the game is lost by who made it, both
programs are started anew, and the exit status is 1.  With --record each game is a line of a file as soon as it is over,
and the same command plays those that are missing; `--games 0` only says what the record holds.  The last line is a
summary in JSON.
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
START_S = 300.0  # patience with a program that gets ready
ABOUT_S = 2.0  # with one that says who it is: some never do
GRACE_S = 1.0  # beyond the time of a turn, for the way there and back


class Program(LineProgram):
    """A program that speaks the Gomocup protocol."""

    def begin(self, size: int, turn_ms: int, rule: int) -> None:
        """Let it set up an empty board; raise ProtocolError if it does not."""
        self.say(f"START {size}", "\r\n")
        if (answer := self._answer("START", START_S)) != "OK":
            raise ProtocolError(self.number, f"START is answered by {answer!r}")
        infos = {"timeout_turn": turn_ms, "timeout_match": 0, "max_memory": MAX_MEMORY, "game_type": 1, "rule": rule}
        for key, value in infos.items():
            self.say(f"INFO {key} {value}", "\r\n")

    def greet(self) -> None:
        """Ask who it is; it need not say so."""
        self.say("ABOUT", "\r\n")
        with suppress(ProtocolError):
            self._answer("ABOUT", ABOUT_S)

    def move(self, question: list[str], patience_s: float) -> tuple[int, int]:
        """Return x and y of its answer to a question; raise ProtocolError if there is none."""
        self.say("\r\n".join(["INFO time_left 2147483647", *question]), "\r\n")
        begun, answer = time.monotonic(), self._answer(question[0], patience_s)
        point = re.fullmatch(r"(\d{1,2}),(\d{1,2})", answer, re.ASCII)
        if not point:
            raise ProtocolError(self.number, f"{question[0]!r} is answered by {answer!r}")
        if time.monotonic() - begun > patience_s:
            raise ProtocolError(self.number, f"{question[0]!r} is answered too late")
        return int(point[1]), int(point[2])

    def _answer(self, question: str, patience_s: float) -> str:
        """Return its next line that is not said to people."""
        ends = time.monotonic() + patience_s
        while (line := self.hear(question, max(0.0, ends - time.monotonic())).strip()).split(" ")[0] in (
            "MESSAGE",
            "DEBUG",
        ):
            pass
        return line


class Match:
    """A match: its programs, which are started when a game needs them, and its games."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        """Prepare it."""
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
        """Play a game to its end, or to an error of protocol."""
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
        """Play the moves of a game; return how it ended."""
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
        """Return the name of a point whose x and y are counted from the top left."""
        x, y = point
        return f"{chr(ord('a') + x)}{self._wanted.size - y}"


def _board(stones: list[tuple[int, int]], colour: int) -> list[str]:
    """Return how a player of a colour hears of stones, Black's first, for the first time."""
    if not stones:
        return ["BEGIN"]
    lines = [f"{x},{y},{1 if number % 2 == colour else 2}" for number, (x, y) in enumerate(stones)]
    return ["BOARD", *lines, "DONE"]


def main(arguments: list[str] | None = None) -> int:
    """Play the games; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--rule", choices=list(RULES), default="freestyle")
    parser.add_argument("--turn", type=int, default=30_000, metavar="MS", help="time of a move")
    return run_match(parser, Match, arguments)


if __name__ == "__main__":
    sys.exit(main())
