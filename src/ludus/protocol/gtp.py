"""The Go Text Protocol, version 2, as data: commands as lines, answers as text, and the errors in its own words.

Sources: Farnebäck, "GTP version 2, draft 2" (2002); the extensions of KGS, of Leela Zero and of KataGo for analysis.
"""

import re

import msgspec

VERSION = "2"
UNKNOWN_COMMAND, SYNTAX_ERROR, ILLEGAL_MOVE = "unknown command", "syntax error", "illegal move"
UNACCEPTABLE_SIZE, BOARD_NOT_EMPTY, BAD_VERTEX_LIST = "unacceptable size", "board not empty", "bad vertex list"
INVALID_STONES, CANNOT_UNDO, CANNOT_LOAD = "invalid number of stones", "cannot undo", "cannot load file"
CANNOT_SCORE, UNACCEPTABLE_KOMI = "cannot score", "komi must be a multiple of a half"
MAX_ID = 1 << 31
MAX_DIGITS = 10  # of an id: Python reads no numbers of thousands

ANALYZE = ("lz-analyze", "kata-analyze")
GENMOVE_ANALYZE = ("lz-genmove_analyze", "kata-genmove_analyze")
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Failure(Exception):
    """A command that fails; the text is what the answer says after its question mark."""


class Command(msgspec.Struct, frozen=True):
    """One command."""

    id: str
    """Digits; empty if there is none."""
    name: str
    arguments: tuple[str, ...]
    """In the file's letters; colours and vertices may be written small or large."""
    rest: str
    """All arguments as one text, for names of files."""


class AnalyzeWish(msgspec.Struct, frozen=True):
    """What an analysis is to show."""

    mover: int | None = None
    """For whom it is made; None: for the player to move."""
    interval_s: float = 1.0
    least: int = 0
    """Moves that are shown at least."""
    most: int = 1000
    avoid: tuple[tuple[int, tuple[str, ...], int], ...] = ()
    """Of which player, which vertices, for how many plies: not considered."""
    allow: tuple[tuple[int, tuple[str, ...], int], ...] = ()
    """Likewise: nothing else is considered."""
    ownership: bool = False


def read_command(line: str) -> Command | None:
    """Return the command of a line; None if there is none: it is empty, or a comment."""
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
    """Return the answer to a command that has worked, without the line's own end; a blank line closes it."""
    return f"={command.id} {_body(text)}".rstrip(" ") + "\n"


def failure(command: Command, text: str) -> str:
    """Return the answer to a command that has failed, likewise."""
    return f"?{command.id} {_body(text)}".rstrip(" ") + "\n"


def _body(text: str) -> str:
    return "\n".join(line.rstrip() or " " for line in text.split("\n")) if "\n" in text else text


def colour(text: str) -> int:
    """Return the player of a colour; raise Failure if it is none."""
    player = COLOURS.get(text.lower())
    if player is None:
        raise Failure(SYNTAX_ERROR)
    return player


def whole(text: str) -> int:
    """Return a whole number that is not negative; raise Failure if it is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Failure(SYNTAX_ERROR)
    return int(text)


def number(text: str) -> float:
    """Return a number; raise Failure if it is none, or not finite."""
    if not re.fullmatch(r"[+-]?(\d{1,9}(\.\d*)?|\.\d+)", text, re.ASCII):
        raise Failure(SYNTAX_ERROR)
    return float(text)


def read_wish(arguments: tuple[str, ...]) -> AnalyzeWish:
    """Return what an analysis is asked for: `[colour] [interval] [key value]...`, in any order that is in use.

    Raises:
        Failure: an argument means nothing.
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
            fields |= {"ownership": left[0] == "true"} if word == "ownership" else {}
            at += 2
        else:
            raise Failure(SYNTAX_ERROR)
    return AnalyzeWish(**fields, avoid=tuple(avoid), allow=tuple(allow))  # pyright: ignore[reportArgumentType]
