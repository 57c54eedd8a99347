"""The text format of recorded games: tags, numbered moves in the game's notation, and a result.

    [Game "connect4"]
    [Result "1-0"]

    1. 4 4 2. 3 5
    1-0

The tag `Game` is the game's name, `Setup` (JSON) its setup, if not the usual start.  A move is one word; a move that
could be misread is written as a JSON string.  Comments, in braces or from a semicolon to the end of the line, are
skipped.  A number counts a move of both sides, as in chess.
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
    """A recorded game as its text states it; moves are not yet checked."""

    tags: dict[str, str]
    moves: list[str]
    """In order of play; the sides alternate."""
    result: str = "*"
    """One of RESULTS."""
    has_comments: bool = False
    """Whether the text has comments, which are skipped."""


def result_of(winner: int | None, *, over: bool) -> str:
    """Return a game's result in record notation, `*` if the game is not over."""
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
        BadNotation: the text is not a record; the message names the line.
    """
    if len(text) > MAX_CHARS:
        raise BadNotation(f"The record has {len(text)} characters; at most {MAX_CHARS} are allowed.")
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n")
    tags: dict[str, str] = {}
    end = 0
    while found := _TAG.match(text, end):
        if found[1] in tags:
            raise BadNotation(f"Line {_line(text, found.start(1))}: the tag {found[1]} is repeated.")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL)
        end = found.end()
    moves: list[str] = []
    result = None
    has_comments = False
    for kind, word in _words_of(text, end):
        if kind == "comment":
            has_comments = True
        elif result is not None:
            raise BadNotation("The record continues after its result; it must hold one game.")
        elif kind == "word" and word in RESULTS:
            result = word
        else:
            moves.append(word)
    result = result or tags.get("Result", "*")
    if result not in RESULTS:
        raise BadNotation(f"{result[:20]!r} is not a result; results are {', '.join(RESULTS)}.")
    return Recorded(tags, moves, result, has_comments)


def record_position(position: Position, tags: dict[str, str] | None = None, result: str | None = None) -> Recorded:
    """Return the record of the game that led to a position.

    Args:
        position: the last position.
        tags: further tags.
        result: for games that did not end by the rules; None takes the position's result.
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
        files: paths of game files that the record may name, besides the built-in games.

    Raises:
        BadNotation: the game, the setup or a move cannot be read.
        IllegalMove: a move is not legal.
        BadGame: the game does not exist.
    """
    name = recorded.tags.get("Game")
    if name is None:
        raise BadNotation("The record has no tag Game, which names the rules; add it.")
    if file_of(name):
        raise BadGame(f"{name[:80]}: a record cannot name a file; it must name a built-in game.")
    game = find_game(name_told(name, files) or name)
    return replay_moves(game.start(read_setup(recorded.tags)), recorded.moves)


def replay_moves(position: Position, moves: list[str]) -> Position:
    """Return the position after some moves; raise BadNotation or IllegalMove with the number of the wrong move."""
    for number, move in enumerate(moves):
        try:
            position = position.play(move)
        except BadInput as error:
            raise type(error)(f"Move {number // 2 + 1}: {error}") from error
    return position


def setup_tag(first: Position) -> dict[str, str]:
    """Return the tag for an unusual start; empty for the usual one."""
    setup = unusual_setup(first)
    return {} if setup is None else {"Setup": json.dumps(setup, separators=(",", ":"), ensure_ascii=False)}


def unusual_setup(first: Position) -> Any:  # noqa: ANN401 - each game has its own setups
    """Return the setup of a game's first position; None for the usual start."""
    if (first.state == first.game.start_state()).all():
        return None
    return first.game.setup(first.state) if first.setup is None else first.setup


def read_setup(tags: dict[str, str]) -> object:
    """Return the setup from the tags; raise BadNotation if the tag is not JSON."""
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
    """Yield the moves, comments and result after the tags: the kind (`word`, `quoted`, `comment`) and the text."""
    for found in _TOKEN.finditer(text, end):
        kind, word = found.lastgroup, found[0]
        if kind == "word":
            yield kind, word
        elif kind in ("comment", "rest"):
            yield "comment", word
        elif kind == "quoted":
            try:
                yield kind, json.loads(word)
            except ValueError as error:
                raise BadNotation(f"Line {_line(text, found.start())}: {word[:40]} is no JSON ({error}).") from error
        elif kind == "open":
            raise BadNotation(f"Line {_line(text, found.start())}: a comment has no closing brace.")
        elif kind == "other":
            raise BadNotation(f"Line {_line(text, found.start())}: {word!r} is not part of a record.")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
