"""Puzzles that `ludus mine` has found in finished games, and the file in which they are kept.

The first line says who looked at the games, and how; each line after it is of one game, with the puzzles found there.
Lines are sealed (`ludus.lines`) and only ever appended to, so that an interrupted search goes on where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludus import lines
from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.games.blame import Blaming
from ludus.games.game import Game, Position
from ludus.games.recorded import replay_moves

DIGITS = 12  # of the name of a puzzle or of a game


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position at the beginning of a turn in which few moves are right, and the player of the game missed them."""

    id: str
    """Names the position, mirrored or not."""
    spec: str
    """Of the game, as people play it."""
    setup: dict[str, Any] | str | None
    """Where the game began, as its rules take it; None: as usual."""
    moves: list[str]
    """That led to the position."""
    right: list[str]
    """The right moves, the engine's choice first; other orders of one move's actions are not listed."""
    played: str
    """The move of the game."""
    value: float
    """With the right move, seen by player 0, as all values."""
    value_played: float
    """After the move of the game."""
    wrong: str
    """The best of the other moves, as far as a search that had to choose among them has found; empty: none is legal."""
    value_wrong: float
    value_short: float
    """What the short search thought of the position."""
    proof: int
    """The outcome's code if best play is proved to lead to it, else 0."""
    prior: float
    """The share of attention that the network gave the first right move before any search."""
    line: list[str]
    """The main line that begins with the engine's choice."""


class Mining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file: who looked for puzzles, and what was demanded of them."""

    model: str
    weights: str
    """Fingerprint of the model's network."""
    short: int
    """Visits of the search that misses what is right."""
    visits: int
    """Of the search that finds it; one of twice as many agrees."""
    worth: float
    """The least value of the position for the mover, unless it is proved."""
    gap: float
    """By how much at least the other moves are worth less, that of the game among them."""
    near: float
    """Moves that are worth less by no more than this are right, too."""
    most_right: int
    puzzles: int = 1
    """Version of this format."""


class Mined(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any other line: a game that was looked at."""

    game: str
    """Names the game by its moves."""
    turns: int
    """Positions at the beginning of a turn that were looked at."""
    refused: dict[str, int]
    """How many of them are no puzzles, by the reason (`ludus.players.jobs.puzzle_check.REASONS`)."""
    puzzles: list[Puzzle]


def read_puzzles(path: Path) -> tuple[Mining, list[Mined]]:
    """Return what a file of puzzles holds, each game and each puzzle once.

    Raises:
        BadRecord: it is damaged, empty, or no file of puzzles.
        Unavailable: it cannot be read.
    """
    try:
        written = lines.whole_lines(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
    if not written:
        raise BadRecord(f"{path}: holds no puzzles; name a file that `ludus mine` has written.")
    first, *others = [lines.unsealed(path, number, line) for number, line in enumerate(written, 1)]
    try:
        mining = msgspec.json.decode(first, type=Mining)
        found = [msgspec.json.decode(each, type=Mined) for each in others]
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"{path}: is no file of puzzles ({error}); name one that `ludus mine` has written.") from error
    return mining, _each_once(found)


def _each_once(found: Sequence[Mined]) -> list[Mined]:
    """Leave out what two commands have written that looked at the same games at the same time."""
    games: dict[str, Mined] = {}
    known: set[str] = set()
    for mined in found:
        if mined.game not in games:
            fresh = [puzzle for puzzle in mined.puzzles if puzzle.id not in known]
            known.update(puzzle.id for puzzle in fresh)
            games[mined.game] = msgspec.structs.replace(mined, puzzles=fresh)
    return list(games.values())


def begin_of(puzzle: Puzzle, game: Game) -> Position:
    """Return the position of a puzzle; raises BadInput if its moves cannot be played in `game`."""
    try:
        position = replay_moves(game.start(puzzle.setup), puzzle.moves)
    except BadInput as error:
        raise type(error)(f"The puzzle {puzzle.id}: {error}") from error
    if position.outcome:
        raise BadInput(f"The puzzle {puzzle.id}: its game is over, so that nothing is to be found.")
    return position


def ends_of(puzzle: Puzzle, begin: Position) -> dict[bytes, str]:
    """Return the right moves by the states that they lead to; raises BadInput if one is no whole legal move."""
    ends: dict[bytes, str] = {}
    for move in puzzle.right:
        try:
            after = begin.play(move)
        except BadInput as error:
            raise type(error)(f"The puzzle {puzzle.id}: {error}") from error
        if not turn_is_over(begin, after):
            raise BadInput(f"The puzzle {puzzle.id}: {move} is no whole move.")
        ends[after.state.tobytes()] = move
    if not ends:
        raise BadInput(f"The puzzle {puzzle.id}: no move is right.")
    return ends


def turn_is_over(before: Position, after: Position) -> bool:
    """Return whether the turn that began at `before` has ended at `after`."""
    return after.outcome is not None or after.to_play != before.to_play


def name_of(position: Position, spec: str) -> str:
    """Return the name of a position of the game `spec`, which is that of all its mirrored twins."""
    game = position.game
    twins: list[bytes] = []
    for symmetry in range(game.num_symmetries):
        twin = game.empty_state()
        with np.errstate(over="ignore"), Blaming(game.name):
            game.rules.symmetric_state(position.state, symmetry, twin)
        twins.append(twin.tobytes())
    return digest(spec.encode(), min(twins))


def digest(*parts: bytes) -> str:
    """Return a short name for some bytes."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:DIGITS]
