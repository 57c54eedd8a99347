"""Puzzles found by `ludus mine` in finished games, and their file format.

The first line describes the search; each further line is one game with its puzzles.  Lines are sealed (`ludus.lines`)
and only appended, so an interrupted `ludus mine` continues where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludus import lines
from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.games.blame import Blaming
from ludus.games.game import Game, Position
from ludus.games.records import replay_moves
from ludus.paths import in_game
from ludus.trust import found

DIGITS = 12  # of the hexadecimal name of a puzzle or game


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position at the start of a turn with few right moves, where the player of the game chose a wrong one."""

    id: str
    """Hash of the position, the same for its mirror images."""
    spec: str
    """Name of the game; a file has the absolute path of a game."""
    setup: dict[str, Any] | str | None
    """The setup of the game; None for the usual start."""
    moves: list[str]
    """The moves from the start to the position."""
    right: list[str]
    """The right moves, the engine's choice first; of moves that differ only in the order of actions, one is listed."""
    played: str
    """The move played in the game."""
    value: float
    """Value for player 0 after the right move."""
    value_played: float
    """Value for player 0 after the move of the game."""
    wrong: str
    """The best of the other moves, found by a search without the right ones; empty if no other move is legal."""
    value_wrong: float
    value_short: float
    """Value that the short search returned."""
    proof: int
    """Code of the proved outcome, else 0."""
    prior: float
    """The network's prior of the first right move."""
    line: list[str]
    """The principal variation, beginning with the engine's choice."""


class Mining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file: the engine, its search, and the criteria for a puzzle."""

    model: str
    weights: str
    """Fingerprint of the network's weights."""
    short: int
    """Visits of the short search, which must miss the right move; 0 if it may find it."""
    visits: int
    """Visits of the full search, which must find the right move; a search with twice as many must agree."""
    worth: float
    """Minimum value of the position for the mover, unless the outcome is proved."""
    gap: float
    """Minimum difference in value between the right moves and all others, including the move of the game."""
    near: float
    """Moves within this distance of the best value are right, too."""
    most_right: int
    own_moves: int = 1
    """Least number of the mover's moves in the main line."""
    found: bool = False
    """Whether positions count, too, in which the player found the right move."""
    wrong: int = 6
    """Number of wrong moves that further searches found."""
    puzzles: int = 1
    """Version of this file format."""


class Mined(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A further line of a file: a game that was searched for puzzles."""

    game: str
    """Hash of the game's moves."""
    turns: int
    """Number of turns that were examined."""
    refused: dict[str, int]
    """Number of examined turns that are no puzzles, by reason (`ludus.players.jobs.puzzle_check.REASONS`)."""
    puzzles: list[Puzzle]


def read_puzzles(path: Path) -> tuple[Mining, list[Mined]]:
    """Read a file of puzzles, without repeated games and puzzles.

    Raises:
        BadRecord: the file is damaged, empty, or not a file of puzzles.
        Unavailable: the file cannot be read.
    """
    try:
        written = lines.whole_lines(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
    if not written:
        raise BadRecord(f"{path}: the file is empty; name a file written by `ludus mine`.")
    first, *others = [lines.unsealed(path, number, line) for number, line in enumerate(written, 1)]
    try:
        mining = msgspec.json.decode(first, type=Mining)
        known = [msgspec.json.decode(each, type=Mined) for each in others]
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"{path}: not a file of puzzles ({error}); name a file written by `ludus mine`.") from error
    return mining, [with_games(mined, partial(found, file=path)) for mined in _each_once(known)]


def with_games(mined: Mined, change: Callable[[str], str]) -> Mined:
    """Return a line of a file with the paths of its puzzles' games changed: `ludus.paths.lasting` to write it."""
    puzzles = [msgspec.structs.replace(puzzle, spec=in_game(puzzle.spec, change)) for puzzle in mined.puzzles]
    return msgspec.structs.replace(mined, puzzles=puzzles)


def _each_once(found: Sequence[Mined]) -> list[Mined]:
    """Remove repeated games and puzzles, which two simultaneous `ludus mine` commands may write."""
    games: dict[str, Mined] = {}
    known: set[str] = set()
    for mined in found:
        if mined.game not in games:
            fresh = [puzzle for puzzle in mined.puzzles if puzzle.id not in known]
            known.update(puzzle.id for puzzle in fresh)
            games[mined.game] = msgspec.structs.replace(mined, puzzles=fresh)
    return list(games.values())


def begin_of(puzzle: Puzzle, game: Game) -> Position:
    """Return the position of a puzzle; raise BadInput if its moves cannot be played in `game`."""
    try:
        position = replay_moves(game.start(puzzle.setup), puzzle.moves)
    except BadInput as error:
        raise type(error)(f"The puzzle {puzzle.id}: {error}") from error
    if position.outcome:
        raise BadInput(f"The puzzle {puzzle.id}: the game is over at its position.")
    return position


def ends_of(puzzle: Puzzle, begin: Position) -> dict[bytes, str]:
    """Map the states after the right moves to these moves; raise BadInput if a move is illegal or incomplete."""
    ends: dict[bytes, str] = {}
    for move in puzzle.right:
        try:
            after = begin.play(move)
        except BadInput as error:
            raise type(error)(f"The puzzle {puzzle.id}: {error}") from error
        if not turn_is_over(begin, after):
            raise BadInput(f"The puzzle {puzzle.id}: {move} is not a complete move.")
        ends[after.state.tobytes()] = move
    if not ends:
        raise BadInput(f"The puzzle {puzzle.id}: its list of right moves is empty.")
    return ends


def turn_is_over(before: Position, after: Position) -> bool:
    """Return whether the turn that began at `before` is over at `after`."""
    return after.outcome is not None or after.to_play != before.to_play


def name_of(position: Position, spec: str) -> str:
    """Return a hash of a position of the game `spec`, equal for all its mirror images."""
    game = position.game
    twins: list[bytes] = []
    for symmetry in range(game.num_symmetries):
        twin = game.empty_state()
        with np.errstate(over="ignore"), Blaming(game.name):
            game.rules.symmetric_state(position.state, symmetry, twin)
        twins.append(twin.tobytes())
    return digest(spec.encode(), min(twins))


def digest(*parts: bytes) -> str:
    """Return a short hash of some bytes."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:DIGITS]
