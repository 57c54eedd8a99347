"""The text format of recorded games: tags, numbered moves in the game's notation, and a result.

    [Game "connect4"]
    [Result "1-0"]

    1. 4 4 2. 3 5
    1-0

The tag `Game` is the game's name, `Setup` (JSON) its setup, if not the usual start.  A move is one word; a move that
could be misread is written as a JSON string.  A number counts a move of both sides, as in chess, and so do the rest:
comments in braces or from a semicolon to the end of the line, variations in brackets, and signs such as `$1` for `!`.
"""

import json
import re

import msgspec

from ludus.errors import BadGame, BadNotation
from ludus.games.annotations import MAX_DEPTH, RecordLine, RecordMove
from ludus.games.calls import pause
from ludus.games.game import Game, Position, unusual_setup
from ludus.games.movetext import wrapped, written
from ludus.games.records import RESULTS
from ludus.games.registry import file_of, name_told
from ludus.games.registry import game as find_game

WIDTH = 100
MAX_CHARS = 200_000
_TAG = re.compile(r'\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_PLAIN = re.compile(r"[^\s{};\"\[\]]+")
_NUMBER = re.compile(r"[0-9]+\.+")
_SIGN = re.compile(r"\$[0-9]{1,3}")
_TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}) | (?P<rest>;[^\n]*) | (?P<open>\{) | (?P<quoted>"(?:[^"\\\n]|\\.)*")
      | (?P<word>[^\s{};"\[\]]+) | (?P<space>\s+) | (?P<other>.)""",
    re.VERBOSE,
)


class Recorded(msgspec.Struct):
    """A recorded game as its text states it; moves are not yet checked."""

    tags: dict[str, str]
    line: RecordLine
    """The moves in order of play; the sides alternate."""
    result: str = "*"
    """One of RESULTS."""

    @property
    def moves(self) -> list[str]:
        """The moves of the main line in notation."""
        return [move.text for move in self.line.moves]


def write_record(recorded: Recorded) -> str:
    """Return the text of a recorded game."""
    tags = recorded.tags | {"Result": recorded.result}
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*head, "", *wrapped(written(recorded.line, 0, _spelled), WIDTH), recorded.result, ""])


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
            line = text.count("\n", 0, found.start(1)) + 1
            raise BadNotation(f"Line {line}: the tag {found[1]} is repeated.")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL)
        end = found.end()
    reader = _LineReader(text)
    reader.read(end)
    result = reader.result or tags.get("Result", "*")
    if result not in RESULTS:
        raise BadNotation(f"{result[:20]!r} is not a result; results are {', '.join(RESULTS)}.")
    return Recorded(tags, reader.main, result)


def game_told(name: str, files: tuple[str, ...] = ()) -> Game:
    """Return the game that a record names.

    Args:
        name: the tag Game.
        files: paths of game files that the record may name, besides the built-in games.

    Raises:
        BadGame: the game does not exist.
    """
    if file_of(name):
        raise BadGame(f"{name[:80]}: a record cannot name a file; it must name a built-in game.")
    return find_game(name_told(name, files) or name)


def setup_tag(first: Position) -> dict[str, str]:
    """Return the tag for an unusual start; empty for the usual one."""
    setup = unusual_setup(first)
    return {} if setup is None else {"Setup": json.dumps(setup, separators=(",", ":"), ensure_ascii=False)}


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


def _spelled(move: str) -> str:
    is_plain = _PLAIN.fullmatch(move) and move.count("(") == move.count(")")
    others = move in RESULTS or _NUMBER.fullmatch(move) or _SIGN.fullmatch(move)
    return move if is_plain and not others else json.dumps(move)


class _LineReader:
    """Reads moves with their comments, signs and variations, without recursion."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.main = RecordLine()
        self.result = ""
        """Empty if there is none after the moves."""
        self._open = [self.main]

    def read(self, begin: int) -> None:
        """Read the text after the tags; raise BadNotation with the line of a fault."""
        for found in _TOKEN.finditer(self._text, begin):
            pause.get()()
            self._at = found.start()
            kind, word = found.lastgroup, found[0]
            if kind == "word":
                self._take_word(word)
            elif kind == "comment":
                self._comment(word[1:-1])
            elif kind == "rest":
                self._comment(word[1:])
            elif kind == "quoted":
                try:
                    self._move(json.loads(word))
                except ValueError as error:
                    raise self._fault(f"{word[:40]} is no JSON ({error})") from error
            elif kind == "open":
                raise self._fault("a comment has no closing brace")
            elif kind == "other":
                raise self._fault(f"{word!r} is not part of a record")
        if len(self._open) > 1:
            raise self._fault("a variation has no closing bracket")

    def _take_word(self, word: str) -> None:
        """Take a word with the brackets around it; brackets in pairs belong to a move."""
        excess = word.count("(") - word.count(")")
        opening = min(max(0, excess), len(word) - len(word.lstrip("(")))
        for _ in range(opening):
            self._begin()
        word = word[opening:]
        closing = min(max(0, opening - excess), len(word) - len(word.rstrip(")")), len(self._open) - 1)
        word = word[: len(word) - closing]
        if _SIGN.fullmatch(word) and self._open[-1].moves:
            self._open[-1].moves[-1].signs.append(int(word[1:]))
        elif word in RESULTS:
            self._end(word)
        elif word and not _NUMBER.fullmatch(word):
            self._move(word)
        del self._open[len(self._open) - closing :]

    def _begin(self) -> None:
        if not self._open[-1].moves:
            raise self._fault("a variation comes before any move")
        if len(self._open) > MAX_DEPTH:
            raise self._fault(f"variations are nested deeper than {MAX_DEPTH} levels")
        line = RecordLine()
        self._open[-1].moves[-1].variations.append(line)
        self._open.append(line)

    def _end(self, result: str) -> None:
        if self.result:
            raise BadNotation("The record continues after its result; it must hold one game.")
        if len(self._open) == 1:  # some programs also end variations with a result
            self.result = result

    def _move(self, text: str) -> None:
        if self.result:
            raise BadNotation("The record continues after its result; it must hold one game.")
        self._open[-1].moves.append(RecordMove(text))

    def _comment(self, text: str) -> None:
        line, comment = self._open[-1], " ".join(text.split())
        if comment:
            (line.moves[-1].comments if line.moves else line.comments).append(comment)

    def _fault(self, what: str) -> BadNotation:
        return BadNotation(f"Line {self._text.count(chr(10), 0, self._at) + 1}: {what}.")
