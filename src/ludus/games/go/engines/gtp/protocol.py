"""The Go Text Protocol (GTP), version 2: parse commands, format responses, and the protocol's standard errors.

Sources: Farnebäck, "GTP version 2, draft 2" (2002); the extensions of KGS, Leela Zero and KataGo.
"""

import re

import msgspec

VERSION = "2"
UNKNOWN_COMMAND, SYNTAX_ERROR, ILLEGAL_MOVE = "unknown command", "syntax error", "illegal move"
UNACCEPTABLE_SIZE, BOARD_NOT_EMPTY, BAD_VERTEX_LIST = "unacceptable size", "board not empty", "bad vertex list"
INVALID_STONES, CANNOT_UNDO, CANNOT_LOAD = "invalid number of stones", "cannot undo", "cannot load file"
CANNOT_SCORE, UNACCEPTABLE_KOMI = "cannot score", "komi must be a multiple of a half"
MAX_ID = 1 << 31
MAX_DIGITS = 10  # of an id, since Python refuses to parse numbers with thousands of digits

ANALYZE = ("lz-analyze", "kata-analyze")
GENMOVE_ANALYZE = ("lz-genmove_analyze", "kata-genmove_analyze")
FLAGS = {
    "ownership": "ownership",
    "movesownership": "moves_ownership",
    "rootinfo": "root_info",
    "pvvisits": "line_visits",
}
"""Fields of `AnalyzeWish` by the options of analysis commands, in lower case."""
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Failure(Exception):
    """Raised when a command fails; its text is the error in the response."""


class Command(msgspec.Struct, frozen=True):
    """A parsed command."""

    id: str
    """The id as digits; empty if there is none."""
    name: str
    arguments: tuple[str, ...]
    """The arguments, with upper and lower case unchanged."""
    rest: str
    """All arguments as one text, for file names with spaces."""


class AnalyzeWish(msgspec.Struct, frozen=True):
    """The arguments of an analysis command."""

    mover: int | None = None
    """The player to analyse for; None: the player to move."""
    interval_s: float = 1.0
    """Seconds between reports."""
    least: int = 0
    """Fewest moves to report."""
    most: int = 1000
    """Most moves to report."""
    avoid: tuple[tuple[int, tuple[str, ...], int], ...] = ()
    """Moves to exclude from the search, as (player, vertices, number of plies)."""
    allow: tuple[tuple[int, tuple[str, ...], int], ...] = ()
    """Moves to restrict the search to, in the same form."""
    ownership: bool = False
    """Whether to report the expected owner of each point."""
    moves_ownership: bool = False
    """Whether to report the expected owner of each point after each move."""
    root_info: bool = False
    """Whether to report the statistics of the position itself."""
    line_visits: bool = False
    """Whether to report the visits of each move of a line."""


def read_command(line: str) -> Command | None:
    """Parse a line as a command; return None for an empty line or a comment."""
    line = _CONTROL.sub("", line).replace("\t", " ").partition("#")[0].strip()
    if not line:
        return None
    number, _, rest = line.partition(" ")
    has_id = number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS and int(number) < MAX_ID
    if has_id:
        line = rest.strip()
    name, _, rest = line.partition(" ")
    return Command(number if has_id else "", name, tuple(rest.split()), rest.strip())


def success(command: Command, text: str = "") -> str:
    """Format a success response; printed with a line feed, it ends in the blank line that GTP requires."""
    return f"={command.id} {_body(text)}".rstrip(" ") + "\n"


def failure(command: Command, text: str) -> str:
    """Format an error response; printed with a line feed, it ends in the blank line that GTP requires."""
    return f"?{command.id} {_body(text)}".rstrip(" ") + "\n"


def _body(text: str) -> str:
    return "\n".join(line.rstrip() or " " for line in text.split("\n")) if "\n" in text else text


def colour(text: str) -> int:
    """Parse a colour as a player; raises Failure."""
    player = COLOURS.get(text.lower())
    if player is None:
        raise Failure(SYNTAX_ERROR)
    return player


def whole(text: str) -> int:
    """Parse a non-negative integer; raises Failure."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Failure(SYNTAX_ERROR)
    return int(text)


def number(text: str) -> float:
    """Parse a finite decimal number; raises Failure."""
    if not re.fullmatch(r"[+-]?(\d{1,9}(\.\d*)?|\.\d+)", text, re.ASCII):
        raise Failure(SYNTAX_ERROR)
    return float(text)


def read_wish(arguments: tuple[str, ...]) -> AnalyzeWish:
    """Parse the arguments of an analysis command: `[colour] [interval] [key value]...`, in any order.

    Raises:
        Failure: an argument is unknown.
    """
    fields: dict[str, object] = {}
    avoid: list[tuple[int, tuple[str, ...], int]] = []
    allow: list[tuple[int, tuple[str, ...], int]] = []
    words = [word.lower() for word in arguments]
    at = 0
    while at < len(words):
        word, left = words[at], words[at + 1 :]
        if word in COLOURS:
            fields["mover"] = COLOURS[word]
            at += 1
        elif word.isdecimal():
            fields["interval_s"] = whole(word) / 100.0
            at += 1
        elif word in ("interval", "minmoves", "maxmoves") and left:
            name = {"interval": "interval_s", "minmoves": "least", "maxmoves": "most"}[word]
            fields[name] = whole(left[0]) / 100.0 if word == "interval" else whole(left[0])
            at += 2
        elif word in ("avoid", "allow") and len(left) >= 3:
            entry = (colour(left[0]), tuple(left[1].split(",")), whole(left[2]))
            (avoid if word == "avoid" else allow).append(entry)
            at += 4
        elif left and left[0] in ("true", "false"):
            fields |= {FLAGS[word]: left[0] == "true"} if word in FLAGS else {}
            at += 2
        else:
            raise Failure(SYNTAX_ERROR)
    return AnalyzeWish(**fields, avoid=tuple(avoid), allow=tuple(allow))  # pyright: ignore[reportArgumentType]
