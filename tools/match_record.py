"""Matches between two programs: command-line options, and records that allow a match to continue."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

import msgspec
from line_program import ProtocolError

from ludus.errors import BadInput, BadRecord, LudusError, Unavailable
from ludus.lines import append, begin, unsealed, whole_lines
from ludus.rating.elo import elo_of_pairs
from ludus.selfplay.measure import describe_machine

NOBODY = -1


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a match, which are the first line of its record."""

    programs: tuple[str, str]
    """The programs' commands."""
    game: str
    """Spec of the game."""
    opening: int
    """Number of random stones at the start of a game; both games of a pair have the same."""
    seed: int
    """Seed of the openings."""
    finish: str = ""
    """Command of a program that plays resigned games to their ends; empty: a resignation loses."""


class PlayedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game of a record."""

    number: int
    """Number from 0; an even number and the next one are a pair."""
    first: int
    """The program with the first move: 0 or 1."""
    opening: list[str]
    moves: list[str]
    points: float
    """Points of program 0."""
    result: str
    """Result in the game's notation."""
    seconds: float
    fault_of: int = NOBODY
    """The program that lost by a protocol error, else NOBODY."""
    fault: str = ""
    verdict: str = ""
    """The judge's result; empty: none."""


class Record:
    """The record of one match on disk."""

    def __init__(self, path: Path | None, conditions: Conditions) -> None:
        """Read or create a record; without a path, games are not written.

        Raises:
            BadInput: the file records a match with other settings.
            BadRecord: the file is damaged, or not a record.
            Unavailable: the file cannot be read or written.
        """
        self._path, self.conditions, self.games = path, conditions, dict[int, PlayedGame]()
        if path is None:
            return
        try:
            if begin(path, conditions):
                return
            lines = whole_lines(path)  # lines of an existing record, or of one that another process has just created
        except OSError as error:
            raise Unavailable(f"{path}: cannot be a record ({error.strerror}); name another file.") from error
        if not lines:
            raise BadRecord(f"{path}: is not a record of this program; name another file.")
        try:
            found, *games = [
                msgspec.json.decode(unsealed(path, number, line), type=PlayedGame if number > 1 else Conditions)
                for number, line in enumerate(lines, 1)
            ]
        except msgspec.DecodeError as error:
            raise BadRecord(f"{path}: is not a record of this program ({error}); name another file.") from error
        if found != conditions:
            raise BadInput(f"{path}: contains a match of {found}, not of {conditions}; name another file.")
        self.games = {game.number: game for game in games if isinstance(game, PlayedGame)}

    def add(self, game: PlayedGame) -> None:
        """Write a game and flush it to disk."""
        if self._path:
            append(self._path, game)
        self.games[game.number] = game

    def missing(self, games: int) -> list[int]:
        """Return the numbers below `games` without a recorded game."""
        return [number for number in range(games) if number not in self.games]


class Match(Protocol):
    """A match between two programs, which are started when needed."""

    @property
    def spec(self) -> str:
        """Return the spec of the game."""
        ...

    def play(self, number: int) -> PlayedGame:
        """Play a game to its end, or to a protocol error."""
        ...

    def close(self) -> None:
        """End the programs."""
        ...


def run_match(
    parser: argparse.ArgumentParser, make: Callable[[argparse.Namespace], Match], arguments: list[str] | None
) -> int:
    """Play the missing games of a match; return the exit status, 2 if it cannot be played.

    Args:
        parser: parser with the options of this kind of match; common options are added.
        make: creates the match, which is closed at the end.
        arguments: command-line arguments; None: those of the process.
    """
    parser.add_argument("programs", nargs=2, metavar="COMMAND")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--opening", type=int, default=0, help="random stones, an even number of them")
    parser.add_argument("--seed", type=int, default=0, help="seed of the openings")
    parser.add_argument("--record", type=Path)
    parser.set_defaults(finish="")  # some kinds of matches have this option
    wanted = parser.parse_args(arguments)
    if wanted.opening % 2 or not 0 <= wanted.opening <= wanted.size**2 // 2:
        parser.error("--opening: give an even number of at most half of the board's points")
    try:
        with closing(make(wanted)) as match:
            programs = wanted.programs[0], wanted.programs[1]
            conditions = Conditions(programs, match.spec, wanted.opening, wanted.seed, wanted.finish)
            return play_match(Record(wanted.record, conditions), wanted.games, match.play)
    except (LudusError, ProtocolError) as error:
        print(error, file=sys.stderr)
        return 2


def play_match(record: Record, games: int, play: Callable[[int], PlayedGame]) -> int:
    """Play the missing games below `games`, print results and a summary; return the exit status."""
    for number in record.missing(games):
        game = play(number)
        record.add(game)
        winner = {1.0: "program 1 wins", 0.0: "program 2 wins"}.get(game.points, "a draw")
        said = f", the judge says {game.verdict}" if game.verdict else ""
        said += f", error of program {game.fault_of + 1}: {game.fault}" if game.fault else ""
        moves = len(game.moves)
        print(f"game {number + 1}: {winner}, {game.result} in {moves} moves, {game.seconds} s{said}", flush=True)
    print(msgspec.json.encode(msgspec.to_builtins(record.conditions) | summary(list(record.games.values()))).decode())
    return 1 if any(game.fault for game in record.games.values()) else 0


def summary(games: list[PlayedGame]) -> dict[str, object]:
    """Return results and Elo of program 0 (95 % error, from pairs), and the numbers of protocol errors."""
    points = {game.number: game.points for game in games}
    halves = Counter(
        round(2 * (won + points[number + 1]))
        for number, won in points.items()
        if number % 2 == 0 and number + 1 in points
    )
    elo, error = elo_of_pairs([halves[count] for count in range(5)])
    wins, losses = (sum(game.points == worth for game in games) for worth in (1.0, 0.0))
    faults = [sum(game.fault_of == program for game in games) for program in (0, 1)]
    judged = [game for game in games if game.verdict]
    return {
        "games": len(games),
        "wins": wins,
        "draws": len(games) - wins - losses,
        "losses": losses,
        "as_first": [sum(game.points for game in games if game.first == each) for each in (0, 1)],
        "pairs": sum(halves.values()),
        "elo": round(elo),
        "error": round(error),
        "protocol_errors": faults,
        "judged": len(judged),
        "other_winner": sum(game.verdict[:1] != game.result[:1] for game in judged),
        "other_margin": sum(game.verdict != game.result for game in judged),
        "moves": round(sum(len(game.moves) for game in games) / max(1, len(games)), 1),
        "seconds": round(sum(game.seconds for game in games)),
        **describe_machine(),
    }
