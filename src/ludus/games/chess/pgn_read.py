"""Reads PGN files; a damaged game is reported with its line, and reading continues with the next game."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from ludus.errors import BadInput, BadNotation
from ludus.games.annotations import RecordLine, RecordMove
from ludus.games.calls import pause
from ludus.games.chess.pgn import ROSTER, PgnGame
from ludus.games.chess.pgn_text import normalised
from ludus.games.game import Game
from ludus.games.records import RESULTS
from ludus.games.rules import State

TAG = re.compile(r'\s*+\[\s*+([A-Za-z0-9_]++)\s++"((?:[^"\\]|\\.)*+)"\s*+\]')
MALFORMED = re.compile(r"\s*+\[\s*+([A-Za-z][\w-]*+)\s*+(.*)\]\s*+")  # possessive: its time is linear
"""A line that looks like a tag but has quotation marks of another kind, none, or more within its value."""
QUOTES = "\"'`\u00b4\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a"
SPELLED = {name.lower(): name for name in (*ROSTER, "FEN", "SetUp", "Variant", "WhiteElo", "BlackElo")}
"""Standard spellings of tag names by their lower-case form, since some programs write `SETUP` or `whiteelo`."""
TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}) | (?P<open_comment>\{) | (?P<rest>;[^\n]*)
      | (?P<nag>\$[0-9]{1,3}(?![0-9])) | (?P<glyph>[!?]{1,2}(?![!?])) | (?P<offer>\(=\)) | (?P<begin>\() | (?P<end>\))
      | (?P<result>1-0|0-1|1/2(?:-1/2)?|\*) (?![\w/-])
      | (?P<sign>(?:\+/-|-/\+|\+/=|=/\+|\+-|-\+|\+=|=\+|=|TN|N|D|[±∓⩲⩱∞]) (?=[\s)]|\Z))
      | (?P<number>[0-9]+(?:\s*\.+\)?|[:)](?=\s)|(?=\s|\Z))|\.+)
      | (?P<passing>e\.\ ?p\.?|(?:ep|ch|mate|dbl\.?\ ?ch)(?!\w)\.?|[+\#]+(?=\s|\Z))  # what the move says itself
      | (?P<move>0-0(?:-0)?[+\#]*|[A-Za-z][\w=:/+\#-]*(?:(?<=[36]e)\.p\.?[+\#]*)?|--)  # `--` is a null move
      | (?P<space>\s+) | (?P<other>.)""",
    re.VERBOSE | re.ASCII,
)
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_EVEN_OR_BETTER = {"=": 10, "∞": 13, "+/=": 14, "+=": 14, "⩲": 14, "=/+": 15, "=+": 15, "⩱": 15}
SIGNS = _EVEN_OR_BETTER | {"+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19, "N": 146, "TN": 146, "D": 220}
"""Signs for an evaluation or a novelty, with their NAG numbers."""
NULL_MOVES = ("--", "Z0")
DEEPEST = 100  # levels of nested variations
MOST_LEFT_OUT = 20  # sentences about variations that are left out


class BrokenPgn(msgspec.Struct, frozen=True):
    """A game that could not be read."""

    line: int
    """Line number in the file, counted from 1."""
    what: str

    def __str__(self) -> str:
        """Return `line N: ` and the fault."""
        return f"line {self.line}: {self.what}"


def read_pgn(
    lines: Iterable[str], *, compiled: bool = True, most_moves: int | None = None
) -> Iterator[PgnGame | BrokenPgn]:
    """Yield the games of a file in order.

    Args:
        lines: the file, or its lines; games are read one at a time, so the file may be of any size.
        compiled: compile the rules first, which takes seconds and pays off from some dozen games on.
        most_moves: most moves of a game, and most moves in its variations, of which the rest is left out; None: any.
    """
    for first, chunk in _chunks(lines.splitlines() if isinstance(lines, str) else lines):
        yield from _games(first, chunk, compiled=compiled, most_moves=most_moves)


def _chunks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Split a file into sections of tags and moves; yield the number of the first line and the lines of each."""
    chunk: list[str] = []
    first, in_moves, in_comment = 1, False, False
    names: set[str] = set()  # of the tags above
    has_gap = False  # whether a blank line stands below them
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
        is_tag = _is_tag(line) and (not in_comment or line.startswith("[Event "))
        tags, rest = _without_tags(line) if is_tag else ({}, line)
        is_next = has_gap and ("Event" in tags or not names.isdisjoint(tags))  # the game above has tags alone
        if is_tag and (in_moves or is_next):
            yield first, chunk
            chunk, in_moves, in_comment, names = [], False, False, set()
        names |= tags.keys()
        has_gap = bool(names) and not is_tag and (has_gap or not line.strip())
        if not chunk:
            first = number
        chunk.append(line)
        if rest.strip() and not line.startswith("%"):
            in_moves = True
            in_comment = _leaves_comment_open(rest, in_comment)
    if any(line.strip() for line in chunk):
        yield first, chunk


def _is_tag(line: str) -> bool:
    return bool(TAG.match(line) or MALFORMED.fullmatch(line))


def _without_tags(line: str) -> tuple[dict[str, str], str]:
    """Return the tags at the beginning of a line, and the rest of the line."""
    tags: dict[str, str] = {}
    end = 0
    while found := TAG.match(line, end):
        pause.get()()
        name = SPELLED.get(found[1].lower(), found[1])
        tags[name] = re.sub(r"\\(.)", r"\1", found[2])
        end = found.end()
    line = line[end:]
    if found := MALFORMED.fullmatch(line):
        name, value = SPELLED.get(found[1].lower()), found[2].rstrip().strip(QUOTES)
        if name and value:
            tags[name] = value
        line = ""
    if "Result" in tags:
        tags["Result"] = normalised(tags["Result"]).strip()
    return tags, line


def _leaves_comment_open(line: str, inside: bool) -> bool:
    for letter in line:
        if inside:
            inside = letter != "}"
        elif letter == ";":
            return False
        else:
            inside = letter == "{"
    return inside


def _games(first: int, chunk: list[str], *, compiled: bool, most_moves: int | None) -> Iterator[PgnGame | BrokenPgn]:
    """Yield the games of a section: one with its tags, and any that follow without tags."""
    tags: dict[str, str] = {}
    at = 0
    while at < len(chunk) and (not chunk[at].strip() or chunk[at].startswith("%") or _is_tag(chunk[at])):
        found, rest = _without_tags(chunk[at])
        tags |= found
        if found and rest.strip():
            chunk[at] = rest
            break
        at += 1
    reader = _PgnReader(tags, first + at, compiled=compiled, most_moves=most_moves)
    try:
        reader.begin(tags)
        yield from reader.read([line if not line.startswith("%") else "" for line in chunk[at:]])
    except BadInput as error:
        yield BrokenPgn(reader.line, str(error))


class _PgnReader:
    """Reads the moves of a section."""

    def __init__(self, tags: dict[str, str], line: int, *, compiled: bool, most_moves: int | None) -> None:
        self.line = line
        self.most_moves = most_moves
        self.compiled = compiled
        self.recorded = PgnGame(tags, RecordLine())
        self.seen = bool(tags)

    def begin(self, tags: dict[str, str]) -> None:
        """Start a new game."""
        self.recorded = PgnGame(tags, RecordLine())
        self.game: Game = self.recorded.game.compile() if self.compiled else self.recorded.game
        state = self.recorded.start_state()
        self.stack: list[tuple[RecordLine, State, State]] = [(self.recorded.line, state, state)]
        """For each open line: the line, and the states before and after its last move."""
        self.seen = bool(tags)
        self.num_tried = {True: 0, False: 0}
        """Moves of the main line (True), and moves of variations, whether they could be played or not."""
        self.skipped = 0
        """Number of open variations inside the skipped one, including it."""

    def read(self, lines: list[str]) -> Iterator[PgnGame]:
        """Yield the games; raise BadNotation at a damaged one."""
        again = False
        for found in TOKEN.finditer(normalised("\n".join(lines)).rstrip()):
            pause.get()()
            kind, text = str(found.lastgroup), found[0]
            if kind == "number" and text.endswith(")") and (len(self.stack) > 1 or self.skipped > 1):
                kind = "end"  # a last number without a move; elsewhere `1)` is a number like `1.`
            if kind not in ("space", "result", "offer"):  # draw offers are not stored
                self.seen = True
                self.take(kind, text)
            ends = kind == "result" and len(self.stack) == 1 and self.skipped <= 1
            if ends:  # some programs also end variations with a result
                yield self.finished(text)
                again = True
                self.begin({})
            self.line += text.count("\n")
        if self.seen:
            if len(self.stack) == 1 and not self.recorded.line.moves and not self.recorded.tags:
                if again:
                    return  # a comment after the last result
                raise BadNotation("the section has neither a move nor a result.")
            yield self.finished(self.recorded.tags.get("Result", "*"))

    def finished(self, result: str) -> PgnGame:
        """Return the finished game."""
        if len(self.stack) > 1:
            raise BadNotation("a variation has no closing bracket.")
        result = "1/2-1/2" if result == "1/2" else result
        self.recorded.result = result if result in RESULTS else "*"
        return self.recorded

    def take(self, kind: str, text: str) -> None:
        """Add the next token to the game."""
        line = self.stack[-1][0]
        if self.skipped:
            self.skip(kind)
        elif kind == "move":
            self.take_move(text)
        elif kind in ("comment", "rest"):
            comment = " ".join((text[1:-1] if kind == "comment" else text[1:]).split())
            (line.moves[-1].comments if line.moves else line.comments).append(comment)
        elif kind in ("nag", "glyph", "sign"):
            self.mark(kind, text)
        elif kind == "begin":
            self.open()
        elif kind == "end":
            if len(self.stack) == 1:
                raise BadNotation("a closing bracket has no opening bracket.")
            self.stack.pop()
        elif kind == "open_comment":
            raise BadNotation("a comment has no closing brace.")
        elif kind == "other":
            tag = 'a tag cannot be read; write each tag on its own line, such as [White "Doe, J."].'
            raise BadNotation(tag if text == "[" else f"{text!r} is not part of a game.")

    def take_move(self, text: str) -> None:
        """Play a move; skip the rest of a variation that cannot be played, and every move after a null move."""
        try:
            self.count()
            if text in NULL_MOVES:
                raise BadNotation("null moves cannot be played; the moves after it are left out.")
            self.play(text)
        except BadInput as error:
            if len(self.stack) == 1 and text not in NULL_MOVES:
                raise
            if len(self.recorded.left_out) < MOST_LEFT_OUT:
                self.recorded.left_out.append(f"line {self.line}: {error}")
            self.skipped = 1
            if len(self.stack) > 1:
                self.stack[-2][0].moves[-1].variations.pop()

    def count(self) -> None:
        """Count a move; raise BadNotation above the limit."""
        is_main = len(self.stack) == 1
        self.num_tried[is_main] += 1
        if self.most_moves is not None and self.num_tried[is_main] > self.most_moves:
            where = "the game has" if is_main else "its variations have"
            raise BadNotation(f"{where} more than {self.most_moves} moves.")

    def mark(self, kind: str, text: str) -> None:
        """Annotate the last move; an evaluation sign before the first move is dropped."""
        moves = self.stack[-1][0].moves
        if moves:
            moves[-1].signs.append(int(text[1:]) if kind == "nag" else (GLYPHS | SIGNS).get(text, 0))
        elif kind != "sign":
            raise BadNotation(f"{text} comes before any move.")

    def skip(self, kind: str) -> None:
        """Skip a token of a variation that cannot be played, or of a main line after a null move."""
        if kind == "open_comment":
            raise BadNotation("a comment has no closing brace.")
        self.skipped += {"begin": 1, "end": -1}.get(kind, 0)
        if not self.skipped:
            if len(self.stack) == 1:
                raise BadNotation("a closing bracket has no opening bracket.")
            self.stack.pop()

    def open(self) -> None:
        """Start a variation, an alternative to the last move."""
        line, before, _ = self.stack[-1]
        if not line.moves:
            raise BadNotation("a variation comes before any move.")
        if len(self.stack) > DEEPEST:
            raise BadNotation(f"variations are nested deeper than {DEEPEST} levels.")
        variation = RecordLine()
        line.moves[-1].variations.append(variation)
        self.stack.append((variation, before, before))

    def play(self, text: str) -> None:
        """Play a move."""
        line, _, state = self.stack[-1]
        actions = self.game.parse_move(state, text)
        line.moves.append(RecordMove(self.game.move_text(state, actions), actions))
        self.stack[-1] = (line, state, self.game.calls.play(state, actions[0]))
