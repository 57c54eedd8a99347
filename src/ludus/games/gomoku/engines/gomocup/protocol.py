"""The Gomocup protocol: parse a manager's commands, and format an engine's answers.

Sources: the description of the Piskvork protocol by Petricek and Lastovicka, and the extensions of Yixin that managers
use (`INFO max_node`, `INFO strength`, `YXSHOWFORBID`, `YXSTOP`).  Points are `x,y`, counted from 0 at the top left.
"""

import re
from typing import Literal

import msgspec

Point = tuple[int, int]  # column from the left, row from the top

OWN, OPPONENT, OUT = 1, 2, 3
"""Owners of a stone in `BOARD`; 3 is a stone of a winning line that no longer counts."""
EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""Bits of `INFO rule`."""
PLAIN = ("RESTART", "BEGIN", "ABOUT", "END", "YXSTOP", "YXSHOWFORBID")
MOST = 2**53
MOST_STONES = 1000  # most stones in a list


class PlainCommand(msgspec.Struct, frozen=True):
    """A command without arguments."""

    word: Literal["RESTART", "BEGIN", "ABOUT", "END", "YXSTOP", "YXSHOWFORBID"]


class Start(msgspec.Struct, frozen=True):
    """`START SIZE` or `RECTSTART WIDTH,HEIGHT`: begin with an empty board of this size."""

    width: int
    height: int


class Stone(msgspec.Struct, frozen=True):
    """`TURN X,Y` (a stone of the opponent), `TAKEBACK X,Y` (remove a stone) or `PLAY X,Y` (a stone of the engine)."""

    word: Literal["TURN", "TAKEBACK", "PLAY"]
    at: Point


class Stones(msgspec.Struct, frozen=True):
    """`BOARD` or `SWAP2BOARD`: a list of stones, one a line, ended by `DONE`."""

    word: Literal["BOARD", "SWAP2BOARD"]
    stones: tuple[tuple[Point, int], ...]
    """Points and owners in the order of the lines; the owner is 0 in `SWAP2BOARD`, where colours alternate."""
    fault: str = ""
    """The first error in the list; empty if there is none."""


class ManagerInfo(msgspec.Struct, frozen=True):
    """`INFO KEY VALUE`: a setting, which the engine does not answer."""

    key: str
    value: str

    @property
    def number(self) -> int | None:
        """Return the value as a number, or None if it is not a number; a negative `time_left` counts as 0."""
        if self.key == "time_left" and re.fullmatch(r"-\d{1,20}", self.value, re.ASCII):
            return 0
        return _number(self.value)


class Senseless(msgspec.Struct, frozen=True):
    """A line that cannot be parsed."""

    said: str
    known: bool
    """Whether the command is known, so that only its arguments are wrong."""


Command = PlainCommand | Start | Stone | Stones | ManagerInfo | Senseless


class Reader:
    """A parser of lines into commands; the lines from `BOARD` to `DONE` form one command."""

    def __init__(self) -> None:
        """Create a parser that expects the first line of a command."""
        self._list: str = ""  # the command whose list is being read; empty outside a list
        self._stones: list[tuple[Point, int]] = []
        self._fault = ""

    def read(self, line: str) -> Command | None:
        """Parse a line; return None if it is empty, or if its command has more lines."""
        words = line.split(None, 1)
        if not words:
            return None
        word, rest = words[0].upper(), words[1].strip() if len(words) > 1 else ""
        if self._list and not word[0].isalpha():
            self._take(line)
            return None
        if self._list:
            command = Stones(
                "BOARD" if self._list == "BOARD" else "SWAP2BOARD",
                tuple(self._stones),
                self._fault if word == "DONE" else f"{self._list} ends without DONE",
            )
            self._list, self._stones, self._fault = "", [], ""
            return command if word == "DONE" else self.read(line)  # drops a list without DONE
        if word in ("BOARD", "SWAP2BOARD"):
            self._list = word
            return None
        return _read_other(word, rest, line)

    def _take(self, line: str) -> None:
        """Parse a line of a list, and store its stone or its error."""
        numbers = [_number(text) for text in re.split(r"[,\s]+", line.strip())]
        known = [number for number in numbers if number is not None]
        lengths = (3,) if self._list == "BOARD" else (2, 3)
        if len(known) < len(numbers) or len(known) not in lengths or len(self._stones) >= MOST_STONES:
            self._fault = self._fault or f"{line.strip()[:40]!r} is no stone"
            return
        owner = known[2] if self._list == "BOARD" else 0
        if self._list == "BOARD" and owner not in (OWN, OPPONENT, OUT):
            self._fault = self._fault or f"{line.strip()[:40]!r}: a stone is 1, 2 or 3"
            return
        self._stones.append(((known[0], known[1]), owner))


def _read_other(word: str, rest: str, line: str) -> Command:
    if word in PLAIN:
        return msgspec.convert({"word": word}, PlainCommand)
    if word == "START" and (size := _number(rest)) is not None:
        return Start(size, size)
    if word in ("RECTSTART", "TURN", "TAKEBACK", "PLAY") and (point := read_point(rest)):
        return Start(*point) if word == "RECTSTART" else msgspec.convert({"word": word, "at": point}, Stone)
    if word == "INFO" and rest:
        key, _, value = rest.partition(" ")
        return ManagerInfo(key.lower(), value.strip())
    known = word in ("START", "RECTSTART", "TURN", "TAKEBACK", "PLAY", "INFO")
    return Senseless(line.strip()[:80], known)


def read_point(text: str) -> Point | None:
    """Parse a point `x,y`; return None if the text is not one."""
    found = re.fullmatch(r"(\d{1,4})\s*,\s*(\d{1,4})", text.strip(), re.ASCII)
    return (int(found[1]), int(found[2])) if found else None


def _number(text: str) -> int | None:
    return min(int(text), MOST) if re.fullmatch(r"\d{1,20}", text.strip(), re.ASCII) else None


# ---- answers of the engine -------------------------------------------------------------------------------------------

OK = "OK"
SWAP = "SWAP"


def point_text(*points: Point) -> str:
    """Format one or several points."""
    return " ".join(f"{x},{y}" for x, y in points)


def error(reason: str) -> str:
    """Format the answer to a command that failed."""
    return f"ERROR {one_line(reason)}"


def unknown(said: str) -> str:
    """Format the answer to an unknown command."""
    return f"UNKNOWN {one_line(said)}"


def message(text: str) -> str:
    """Format a message for the manager's user."""
    return f"MESSAGE {one_line(text)}"


def about(**facts: str) -> str:
    """Format the answer to `ABOUT`."""
    return ", ".join(f'{key}="{one_line(value).replace(chr(34), chr(39))}"' for key, value in facts.items())


def forbidden(points: list[Point]) -> str:
    """Format the answer to `YXSHOWFORBID`: four digits for each point, two for its column and two for its row."""
    return "FORBID " + "".join(f"{x:02d}{y:02d}" for x, y in points) + "."


def one_line(text: str) -> str:
    """Join a text into one line, and replace unprintable characters by "?"."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
