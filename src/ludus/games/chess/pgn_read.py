"""Reads recorded games of chess: a broken one is reported by its line, and the next is read."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from ludus.errors import BadInput, BadNotation
from ludus.games.chess.pgn import ROSTER, PgnGame, PgnLine, Played
from ludus.games.game import Game
from ludus.games.recorded import RESULTS
from ludus.games.rules import State

TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
UNREADABLE = re.compile(r"\s*\[\s*[A-Za-z].*\]\s*")
"""A line that is meant to be a tag, such as one whose value holds quotation marks; it is skipped."""
SPELLED = {name.lower(): name for name in (*ROSTER, "FEN", "SetUp", "Variant", "WhiteElo", "BlackElo")}
"""Tags as the standard writes them, which some programs do not."""
TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}) | (?P<open_comment>\{) | (?P<rest>;[^\n]*)
      | (?P<nag>\$[0-9]{1,3}(?![0-9])) | (?P<glyph>[!?]{1,2}(?![!?])) | (?P<offer>\(=\)) | (?P<begin>\() | (?P<end>\))
      | (?P<result>1-0|0-1|1/2(?:-1/2)?|\*) (?![\w/-])
      | (?P<sign>(?:\+/-|-/\+|\+/=|=/\+|\+-|-\+|\+=|=\+|=|N|[±∓⩲⩱∞]) (?=[\s)]|\Z))
      | (?P<number>[0-9]+(?:\s*\.+|(?=\s|\Z))|\.+) | (?P<passing>e\.p\.?)
      | (?P<move>0-0(?:-0)?[+\#]*|[A-Za-z][\w=:/+\#-]*(?:(?<=[36]e)\.p\.?[+\#]*)?|--)  # `--` is none
      | (?P<space>\s+) | (?P<other>.)""",
    re.VERBOSE | re.ASCII,
)
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_EVEN_OR_BETTER = {"=": 10, "∞": 13, "+/=": 14, "+=": 14, "⩲": 14, "=/+": 15, "=+": 15, "⩱": 15}
SIGNS = _EVEN_OR_BETTER | {"+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19, "N": 146}
"""What annotators say of a position, or of a new move, and the numbers for it."""
NULL_MOVES = ("--", "Z0")
DEEPEST = 100  # variations within variations


class BrokenPgn(msgspec.Struct, frozen=True):
    """A game that could not be read."""

    line: int
    """Where in the file, counted from 1."""
    what: str

    def __str__(self) -> str:
        """Say it as one sentence."""
        return f"line {self.line}: {self.what}"


def decode(raw: bytes) -> str:
    """Return the text of a file: UTF-8, with or without a byte order mark, else Latin-1, as the standard once said."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def read_pgn(lines: Iterable[str], *, compiled: bool = True) -> Iterator[PgnGame | BrokenPgn]:
    """Yield the games of a file, in their order.

    Args:
        lines: the file, or its lines; games are read one after the other, however many there are.
        compiled: whether the rules are compiled first, which takes seconds, and pays from some dozen games on.
    """
    for first, chunk in _chunks(lines.splitlines() if isinstance(lines, str) else lines):
        yield from _games(first, chunk, compiled=compiled)


def _chunks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line, and the lines, of each stretch of tags and moves."""
    chunk: list[str] = []
    first, in_moves, in_comment = 1, False, False
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
        is_tag = _is_tag(line) and (not in_comment or line.startswith("[Event "))
        if is_tag and in_moves:
            yield first, chunk
            chunk, in_moves, in_comment = [], False, False
        if not chunk:
            first = number
        chunk.append(line)
        rest = _without_tags(line)[1] if is_tag else line
        if rest.strip() and not line.startswith("%"):
            in_moves = True
            in_comment = _leaves_comment_open(rest, in_comment)
    if any(line.strip() for line in chunk):
        yield first, chunk


def _is_tag(line: str) -> bool:
    return bool(TAG.match(line) or UNREADABLE.fullmatch(line))


def _without_tags(line: str) -> tuple[dict[str, str], str]:
    """Return the tags with which a line begins, and the rest of it."""
    tags: dict[str, str] = {}
    while found := TAG.match(line):
        name = SPELLED.get(found[1].lower(), found[1])
        tags[name] = re.sub(r"\\(.)", r"\1", found[2])
        line = line[found.end() :]
    return tags, "" if UNREADABLE.fullmatch(line) else line


def _leaves_comment_open(line: str, inside: bool) -> bool:
    for letter in line:
        if inside:
            inside = letter != "}"
        elif letter == ";":
            return False
        else:
            inside = letter == "{"
    return inside


def _games(first: int, chunk: list[str], *, compiled: bool) -> Iterator[PgnGame | BrokenPgn]:
    """Yield the games of a stretch: one with its tags, then perhaps others without."""
    tags: dict[str, str] = {}
    at = 0
    while at < len(chunk) and (not chunk[at].strip() or chunk[at].startswith("%") or _is_tag(chunk[at])):
        found, rest = _without_tags(chunk[at])
        tags |= found
        if found and rest.strip():
            chunk[at] = rest
            break
        at += 1
    reader = _PgnReader(tags, first + at, compiled=compiled)
    try:
        reader.begin(tags)
        yield from reader.read([line if not line.startswith("%") else "" for line in chunk[at:]])
    except BadInput as error:
        yield BrokenPgn(reader.line, str(error))


class _PgnReader:
    """Reads the moves of a stretch."""

    def __init__(self, tags: dict[str, str], line: int, *, compiled: bool) -> None:
        self.line = line
        self.compiled = compiled
        self.recorded = PgnGame(tags, PgnLine())
        self.seen = bool(tags)

    def begin(self, tags: dict[str, str]) -> None:
        """Begin a game."""
        self.recorded = PgnGame(tags, PgnLine())
        self.game: Game = self.recorded.game.compile() if self.compiled else self.recorded.game
        state = self.recorded.start_state()
        self.stack: list[tuple[PgnLine, State, State]] = [(self.recorded.line, state, state)]
        """For each line that is open: itself, and the states before and after its last move."""
        self.seen = bool(tags)
        self.skipped = 0
        """Variations that are open within one another in the one that is left out, itself included."""

    def read(self, lines: list[str]) -> Iterator[PgnGame]:
        """Yield the games; raise BadNotation where one is broken."""
        again = False
        for found in TOKEN.finditer("\n".join(lines).rstrip()):
            kind, text = str(found.lastgroup), found[0]
            if kind not in ("space", "result", "offer"):  # that a draw was offered is not kept
                self.seen = True
                self.take(kind, text)
            if kind == "result" and len(self.stack) == 1:  # some programs end variations with one, too
                yield self.finished(text)
                again = True
                self.begin({})
            self.line += text.count("\n")
        if self.seen:
            if len(self.stack) == 1 and not self.recorded.line.moves and not self.recorded.tags:
                if again:
                    return  # a comment behind the last result
                raise BadNotation("there is no move and no result.")
            yield self.finished(self.recorded.tags.get("Result", "*"))

    def finished(self, result: str) -> PgnGame:
        """Return the game."""
        if len(self.stack) > 1:
            raise BadNotation("a variation is not closed.")
        result = "1/2-1/2" if result == "1/2" else result
        self.recorded.result = result if result in RESULTS else "*"
        return self.recorded

    def take(self, kind: str, text: str) -> None:
        """Take the next token into the game."""
        line = self.stack[-1][0]
        if self.skipped:
            self.skip(kind)
        elif kind == "move" and text in NULL_MOVES and len(self.stack) > 1:
            self.stack[-2][0].moves[-1].variations.pop()
            self.skipped = 1
        elif kind == "move":
            self.play(text)
        elif kind in ("comment", "rest"):
            comment = " ".join((text[1:-1] if kind == "comment" else text[1:]).split())
            (line.moves[-1].comments if line.moves else line.comments).append(comment)
        elif kind in ("nag", "glyph", "sign"):
            self.mark(kind, text)
        elif kind == "begin":
            self.open()
        elif kind == "end":
            if len(self.stack) == 1:
                raise BadNotation("a variation is closed that was not opened.")
            self.stack.pop()
        elif kind == "open_comment":
            raise BadNotation("a comment is not closed.")
        elif kind == "other":
            tag = 'a tag cannot be read; each has a line of its own, such as [White "Doe, J."].'
            raise BadNotation(tag if text == "[" else f"{text!r} is not part of a game.")

    def mark(self, kind: str, text: str) -> None:
        """Mark the last move; what annotators say of a position may also stand before the first one, and is lost."""
        moves = self.stack[-1][0].moves
        if moves:
            moves[-1].nags.append(int(text[1:]) if kind == "nag" else (GLYPHS | SIGNS).get(text, 0))
        elif kind != "sign":
            raise BadNotation(f"{text} stands before any move.")

    def skip(self, kind: str) -> None:
        """Leave out a token of a variation that holds a null move, which is not played here."""
        if kind == "open_comment":
            raise BadNotation("a comment is not closed.")
        self.skipped += {"begin": 1, "end": -1}.get(kind, 0)
        if not self.skipped:
            self.stack.pop()

    def open(self) -> None:
        """Begin a variation in place of the last move."""
        line, before, _ = self.stack[-1]
        if not line.moves:
            raise BadNotation("a variation stands before any move.")
        if len(self.stack) > DEEPEST:
            raise BadNotation(f"there are more than {DEEPEST} variations within one another.")
        variation = PgnLine()
        line.moves[-1].variations.append(variation)
        self.stack.append((variation, before, before))

    def play(self, text: str) -> None:
        """Play a move."""
        line, _, state = self.stack[-1]
        actions = self.game.parse_move(state, text)
        line.moves.append(Played(self.game.move_text(state, actions), actions[0]))
        self.stack[-1] = (line, state, self.game.calls.play(state, actions[0]))
