"""Lets two programs play Go against each other over GTP, referees by Ludus's rules, and says what went wrong.

python tools/twogtp.py [--games N] [--size N] [--rules NAME] [--komi K] [--opening N] [--sgf FOLDER] "COMMAND" "COMMAND"

Colours change with each game.  With --opening, so many stones lie on random points before it begins, the same for two
games in a row.  The referee scores the board as it stands after two passes; where the second program
knows `final_score`, its verdict stands beside it.  An answer that is refused, an illegal move, and silence are errors
of protocol: they are printed, the game is stopped, and the exit status is 1.
"""

import argparse
import random
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import ludus
from ludus.errors import BadInput
from ludus.games.go.describe import margin, score_text
from ludus.games.go.sgf_game import write_game
from ludus.games.go.view import vertex

COLOURS = ("black", "white")


class ProtocolError(Exception):
    """A program does not do what the protocol wants."""


class Program:
    """A program that speaks GTP."""

    def __init__(self, command: str, patience_s: float) -> None:
        """Start it."""
        self.command, self._patience_s = command, patience_s
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self.name = self.ask("name")

    def _read(self) -> None:
        assert self._process.stdout, "its output is a pipe"
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put("\0")

    def ask(self, command: str) -> str:
        """Return the answer to a command; raise ProtocolError if it fails."""
        assert self._process.stdin, "its input is a pipe"
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines: list[str] = []
        while not lines or lines[-1]:
            try:
                line = self._lines.get(timeout=self._patience_s)
            except Empty as error:
                raise ProtocolError(f"{self.command}: no answer to {command!r}") from error
            if line == "\0":
                raise ProtocolError(f"{self.command}: ended at {command!r}")
            lines += [line] if line or lines else []
        if not lines[0].startswith("="):
            raise ProtocolError(f"{self.command}: {command!r} is answered by {lines[0]!r}")
        return "\n".join([lines[0][1:].strip(), *lines[1:-1]]).strip()

    def knows(self, command: str) -> bool:
        """Return whether it has a command."""
        return self.ask(f"known_command {command}") == "true"

    def close(self) -> None:
        """End it."""
        with suppress(ProtocolError, OSError):
            self.ask("quit")
        self._process.kill()
        self._process.wait()


def random_stones(rng: random.Random, size: int, count: int) -> list[str]:
    """Return points for Black and White by turns, no two of them neighbours: nothing is captured."""
    chosen: list[tuple[int, int]] = []
    for cell in rng.sample([(row, column) for row in range(size) for column in range(size)], size * size):
        if len(chosen) < count and all(abs(cell[0] - row) + abs(cell[1] - column) > 1 for row, column in chosen):
            chosen.append(cell)
    return [vertex(cell, size) for cell in chosen]


def play(players: list[Program], size: int, rules: str, komi: float, stones: list[str]) -> tuple[ludus.Position, str]:
    """Return the last position of a game, Black's program first, and how it ended."""
    game = ludus.game(f"go:{size}x{size}:{rules}:komi={komi:g}:plies={4 * size * size}").compile()
    position = game.start({"black": " ".join(stones[::2]), "white": " ".join(stones[1::2])})
    put = [f"play {COLOURS[number % 2]} {stone}" for number, stone in enumerate(stones)]
    for player in players:
        for command in (f"boardsize {size}", "clear_board", f"komi {komi:g}", *put):
            player.ask(command)
    while not position.outcome:
        mover = position.to_play
        move = players[mover].ask(f"genmove {COLOURS[mover]}")
        if move.lower() == "resign":
            return position, f"{'WB'[mover]}+R"
        try:
            position = position.play(move)
        except BadInput as error:
            raise ProtocolError(f"{players[mover].command}: plays {move!r}: {error}") from error
        players[1 - mover].ask(f"play {COLOURS[mover]} {move}")
    return position, score_text(margin(position.state))


def main() -> int:
    """Play the games; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=2, metavar="COMMAND")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--rules", default="ko=positional:suicide=no")
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--opening", type=int, default=0, help="random stones, an even number of them")
    parser.add_argument("--seed", type=int, default=0, help="names the openings")
    parser.add_argument("--sgf", type=Path)
    parser.add_argument("--patience", type=float, default=1000.0, help="seconds for an answer")
    wanted = parser.parse_args()
    programs = [Program(command, wanted.patience) for command in wanted.programs]
    names = [f"{number}: {program.name}" for number, program in enumerate(programs, 1)]
    wins, errors = Counter[str](), 0
    for number in range(wanted.games):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        begun = time.perf_counter()
        try:
            stones = random_stones(random.Random(f"{wanted.seed} {number // 2}"), wanted.size, wanted.opening)
            players = [programs[each] for each in order]
            position, result = play(players, wanted.size, wanted.rules, wanted.komi, stones)
        except (ProtocolError, OSError) as error:
            errors += 1
            print(f"game {number + 1}: {error}", flush=True)
            for program in programs:
                program.close()
            programs = [Program(command, wanted.patience) for command in wanted.programs]
            continue
        winner = {"B": names[order[0]], "W": names[order[1]]}.get(result[0], "nobody")
        wins[winner] += 1
        verdict = f", {names[1]} says {programs[1].ask('final_score')}" if programs[1].knows("final_score") else ""
        length, seconds = len(position.moves), time.perf_counter() - begun
        print(f"game {number + 1}: {winner} wins {result} in {length} moves, {seconds:.1f} s{verdict}", flush=True)
        if wanted.sgf:
            wanted.sgf.mkdir(parents=True, exist_ok=True)
            tags = {"PB": names[order[0]], "PW": names[order[1]], "RE": result}
            (wanted.sgf / f"game-{number + 1}.sgf").write_text(write_game(position, tags))
    for program in programs:
        program.close()
    print(f"{wanted.games} games, {errors} errors of protocol; wins: {dict(wins)}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
