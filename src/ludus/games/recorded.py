"""Recorded games as text: tags, numbered moves in the game's own notation, a result; written and read without loss.

    [Game "connect4"]
    [Result "1-0"]

    1. 4 4 2. 3 5
    1-0

`Game` is the game's name, `Setup` (JSON) what it began from, where that is not the usual start.  A move stands as one
word; one that would not be read as one is written as a JSON string.  Comments in braces, and from a semicolon to the
end of the line, are skipped.  A number counts the moves of both sides, as in chess.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ludus.errors import BadGame, BadInput, BadNotation
from ludus.games.game import Position
from ludus.games.registry import file_of, name_told
from ludus.games.registry import game as find_game

WIDTH = 100
MAX_CHARS = 200_000
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_TAG = re.compile(r'\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_PLAIN = re.compile(r"[^\s{};\"\[\]]+")
_TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}) | (?P<rest>;[^\n]*) | (?P<open>\{) | (?P<quoted>"(?:[^"\\\n]|\\.)*")
      | (?P<number>[0-9]+\.+(?=\s|$)) | (?P<word>[^\s{};"\[\]]+) | (?P<space>\s+) | (?P<other>.)""",
    re.VERBOSE,
)


class Recorded(msgspec.Struct):
    """A recorded game, as text has it; the moves may not be legal."""

    tags: dict[str, str]
    moves: list[str]
    """In the order of play, the sides by turns."""
    result: str = "*"
    """One of RESULTS."""


def result_of(winner: int | None, *, over: bool) -> str:
    """Return how a record writes the end of a game, or that it has none."""
    if not over:
        return "*"
    return "1/2-1/2" if winner is None else RESULTS[winner]


def write_record(recorded: Recorded) -> str:
    """Return the text of a recorded game."""
    tags = recorded.tags | {"Result": recorded.result}
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*head, "", *_wrapped(_words(recorded.moves)), recorded.result, ""])


def read_record(text: str) -> Recorded:
    """Read one recorded game.

    Raises:
        BadNotation: the text is not one; the sentence names the line.
    """
    if len(text) > MAX_CHARS:
        raise BadNotation(f"The record has {len(text)} characters; {MAX_CHARS} at most are read.")
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n")
    tags: dict[str, str] = {}
    end = 0
    while found := _TAG.match(text, end):
        if found[1] in tags:
            raise BadNotation(f"Line {_line(text, found.start(1))}: the tag {found[1]} stands here a second time.")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL)
        end = found.end()
    moves: list[str] = []
    result = None
    for kind, word in _words_of(text, end):
        if result is not None:
            raise BadNotation("The record goes on after its result; it must hold one game.")
        if kind == "word" and word in RESULTS:
            result = word
        else:
            moves.append(word)
    result = result or tags.get("Result", "*")
    if result not in RESULTS:
        raise BadNotation(f"{result[:20]!r} is no result; results are {', '.join(RESULTS)}.")
    return Recorded(tags, moves, result)


def record_position(position: Position, tags: dict[str, str] | None = None, result: str | None = None) -> Recorded:
    """Return the record of a game that led to a position.

    Args:
        position: the last one.
        tags: more about the game.
        result: for games that did not end by the rules; None: as the position says.
    """
    first = position.history[0]
    told = {"Game": position.game.name} | setup_tag(first)
    if result is None:
        outcome = position.outcome
        result = result_of(outcome.winner if outcome else None, over=outcome is not None)
    return Recorded(told | (tags or {}), position.moves, result)


def replay_record(recorded: Recorded, files: tuple[str, ...] = ()) -> Position:
    """Return the last position of a recorded game.

    Args:
        recorded: the game.
        files: paths of game files that it may name, without folder and ending, besides the built-in games.

    Raises:
        BadNotation: its game or setup is not said in a way that can be read, or a move is not.
        IllegalMove: a move may not be played.
        BadGame: there is no such game.
    """
    name = recorded.tags.get("Game")
    if name is None:
        raise BadNotation("The record has no tag Game, so nobody knows its rules.")
    if file_of(name):
        raise BadGame(f"{name[:80]}: a record cannot bring a game of its own; it names one that is built in.")
    game = find_game(name_told(name, files) or name)
    return replay_moves(game.start(read_setup(recorded.tags)), recorded.moves)


def replay_moves(position: Position, moves: list[str]) -> Position:
    """Return the position after some moves; raise BadNotation or IllegalMove, which name the move."""
    for number, move in enumerate(moves):
        try:
            position = position.play(move)
        except BadInput as error:
            raise type(error)(f"Move {number // 2 + 1}: {error}") from error
    return position


def setup_tag(first: Position) -> dict[str, str]:
    """Return the tag that says where a game began, if that is not the usual start."""
    setup = unusual_setup(first)
    return {} if setup is None else {"Setup": json.dumps(setup, separators=(",", ":"), ensure_ascii=False)}


def unusual_setup(first: Position) -> Any:  # noqa: ANN401 - each game has its own setups
    """Return what `Game.start` takes to begin here; None where it begins here anyway."""
    if (first.state == first.game.start_state()).all():
        return None
    return first.game.setup(first.state) if first.setup is None else first.setup


def read_setup(tags: dict[str, str]) -> object:
    """Return what `Game.start` takes; raise BadNotation if the tag is not JSON."""
    if "Setup" not in tags:
        return None
    try:
        return json.loads(tags["Setup"])
    except (ValueError, RecursionError) as error:
        raise BadNotation(f"The tag Setup is not JSON: {error}.") from error


def _escaped(value: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", value).replace("\\", "\\\\").replace('"', '\\"')


def _words(moves: list[str]) -> Iterator[str]:
    for index, move in enumerate(moves):
        if index % 2 == 0:
            yield f"{index // 2 + 1}."
        plain = _PLAIN.fullmatch(move) and move not in RESULTS and not re.fullmatch(r"[0-9]+\.+", move)
        yield move if plain else json.dumps(move)


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line += (" " if line else "") + word
    if line:
        yield line


def _words_of(text: str, end: int) -> Iterator[tuple[str, str]]:
    """Yield what stands behind the tags, comments and numbers left out: `word` or `quoted`, and the move or result."""
    for found in _TOKEN.finditer(text, end):
        kind, word = found.lastgroup, found[0]
        if kind == "word":
            yield kind, word
        elif kind == "quoted":
            try:
                yield kind, json.loads(word)
            except ValueError as error:
                raise BadNotation(f"Line {_line(text, found.start())}: {word[:40]} is no string ({error}).") from error
        elif kind == "open":
            raise BadNotation(f"Line {_line(text, found.start())}: a comment is not closed.")
        elif kind == "other":
            raise BadNotation(f"Line {_line(text, found.start())}: {word!r} is not part of a record.")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
