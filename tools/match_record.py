"""Matches of two programs: what they are asked for, and a record of games with which a match can be continued."""

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
    """What decides a match: the first line of its record."""

    programs: tuple[str, str]
    """Their commands."""
    game: str
    """Spec."""
    opening: int
    """Stones on the board when a game begins; the two games of a pair have the same."""
    seed: int
    """Names the openings."""
    finish: str = ""
    """The command of who plays on once a program resigns; empty: nobody, and who resigns has lost."""


class PlayedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of the record."""

    number: int
    """From 0; an even one and the next are a pair."""
    first: int
    """Which program had the first player's stones: 0 or 1."""
    opening: list[str]
    moves: list[str]
    points: float
    """Of program 0."""
    result: str
    """In the words of the game."""
    seconds: float
    fault_of: int = NOBODY
    """The program whose error of protocol ended the game, which it loses."""
    fault: str = ""
    verdict: str = ""
    """What the judge says of the result."""


class Record:
    """The record of one match on the disk."""

    def __init__(self, path: Path | None, conditions: Conditions) -> None:
        """Read what there is of a record, or begin one; without a path, games are not written.

        Raises:
            BadInput: it is the record of a match under other conditions.
            BadRecord: it is damaged, or of another kind.
            Unavailable: it cannot be read or written.
        """
        self._path, self.conditions, self.games = path, conditions, dict[int, PlayedGame]()
        if path is None:
            return
        try:
            if begin(path, conditions):
                return
            lines = whole_lines(path)  # those of a record that was there, or that another process has just begun
        except OSError as error:
            raise Unavailable(f"{path}: cannot be a record ({error.strerror}); name another file.") from error
        if not lines:
            raise BadRecord(f"{path}: is not the record of such a match; name another file.")
        try:
            found, *games = [
                msgspec.json.decode(unsealed(path, number, line), type=PlayedGame if number > 1 else Conditions)
                for number, line in enumerate(lines, 1)
            ]
        except msgspec.DecodeError as error:
            raise BadRecord(f"{path}: is not the record of such a match ({error}); name another file.") from error
        if found != conditions:
            raise BadInput(f"{path}: holds a match of {found}, not of {conditions}; name another file.")
        self.games = {game.number: game for game in games if isinstance(game, PlayedGame)}

    def add(self, game: PlayedGame) -> None:
        """Write a game; it is on the disk when this returns."""
        if self._path:
            append(self._path, game)
        self.games[game.number] = game

    def missing(self, games: int) -> list[int]:
        """Return the numbers below `games` that were not played."""
        return [number for number in range(games) if number not in self.games]


class Match(Protocol):
    """A match of two programs, which are started when a game needs them."""

    @property
    def spec(self) -> str:
        """Return the game."""
        ...

    def play(self, number: int) -> PlayedGame:
        """Play a game to its end, or to an error of protocol."""
        ...

    def close(self) -> None:
        """End the programs."""
        ...


def run_match(
    parser: argparse.ArgumentParser, make: Callable[[argparse.Namespace], Match], arguments: list[str] | None
) -> int:
    """Play a match, or what its record lacks of it; return the exit status, 2 if it cannot be played.

    Args:
        parser: knows what this kind of match has besides; what all have is added.
        make: returns the match that is wanted; it is closed at the end.
        arguments: of the command; None: the process's own.
    """
    parser.add_argument("programs", nargs=2, metavar="COMMAND")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--opening", type=int, default=0, help="random stones, an even number of them")
    parser.add_argument("--seed", type=int, default=0, help="names the openings")
    parser.add_argument("--record", type=Path)
    parser.set_defaults(finish="")  # a kind of match may have the option
    wanted = parser.parse_args(arguments)
    if wanted.opening % 2 or not 0 <= wanted.opening <= wanted.size**2 // 2:
        parser.error("--opening: an even number of stones is needed, which leaves half of the board free")
    try:
        with closing(make(wanted)) as match:
            programs = wanted.programs[0], wanted.programs[1]
            conditions = Conditions(programs, match.spec, wanted.opening, wanted.seed, wanted.finish)
            return play_match(Record(wanted.record, conditions), wanted.games, match.play)
    except (LudusError, ProtocolError) as error:
        print(error, file=sys.stderr)
        return 2


def play_match(record: Record, games: int, play: Callable[[int], PlayedGame]) -> int:
    """Play the games below `games` that are missing, say how they end and what all show; return the exit status."""
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
    """Return what games show: results and Elo of program 0 (95 % error, from pairs), and errors of protocol of each."""
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
