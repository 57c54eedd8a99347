"""The Gomocup protocol as data: what a manager says to an engine and what the engine says back; no input or output.

After the description of the Piskvork protocol by Petricek and Lastovicka, with the additions of Yixin that managers use
(`INFO max_node`, `INFO strength`, `YXSHOWFORBID`, `YXSTOP`).  Points are `x,y`, counted from 0 at the top left.
"""

import re
from typing import Literal

import msgspec

Point = tuple[int, int]  # column from the left, row from the top

OWN, OPPONENT, OUT = 1, 2, 3
"""Whose a stone of `BOARD` is; 3 is one that no line may be made of any more."""
EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""Bits of `INFO rule`."""
PLAIN = ("RESTART", "BEGIN", "ABOUT", "END", "YXSTOP", "YXSHOWFORBID")
MOST = 2**53
MOST_STONES = 1000  # of a list; what follows is not kept


class PlainCommand(msgspec.Struct, frozen=True):
    """A command without arguments."""

    word: Literal["RESTART", "BEGIN", "ABOUT", "END", "YXSTOP", "YXSHOWFORBID"]


class Start(msgspec.Struct, frozen=True):
    """`START SIZE` or `RECTSTART WIDTH,HEIGHT`: a new board."""

    width: int
    height: int


class Stone(msgspec.Struct, frozen=True):
    """`TURN X,Y`, `TAKEBACK X,Y` or `PLAY X,Y`: the opponent's stone, one less, or the engine's own."""

    word: Literal["TURN", "TAKEBACK", "PLAY"]
    at: Point


class Stones(msgspec.Struct, frozen=True):
    """`BOARD` or `SWAP2BOARD`, lines, `DONE`."""

    word: Literal["BOARD", "SWAP2BOARD"]
    stones: tuple[tuple[Point, int], ...]
    """In the order of the lines; whose they are, 0 where that was not said (in `SWAP2BOARD` they alternate)."""
    fault: str = ""
    """What could not be read, if anything."""


class ManagerInfo(msgspec.Struct, frozen=True):
    """`INFO KEY VALUE`: never answered."""

    key: str
    value: str

    @property
    def number(self) -> int | None:
        """Return the value as a number; None if it is none. Who has used up more than his time has none left."""
        if self.key == "time_left" and re.fullmatch(r"-\d{1,20}", self.value, re.ASCII):
            return 0
        return _number(self.value)


class Senseless(msgspec.Struct, frozen=True):
    """A line that means nothing here."""

    said: str
    known: bool
    """Whether its command is known: then its arguments are wrong."""


Command = PlainCommand | Start | Stone | Stones | ManagerInfo | Senseless


class Reader:
    """Makes commands of lines; between `BOARD` and `DONE`, several lines make one."""

    def __init__(self) -> None:
        """Wait for the first line."""
        self._list: str = ""  # the command whose lines are being read
        self._stones: list[tuple[Point, int]] = []
        self._fault = ""

    def read(self, line: str) -> Command | None:
        """Return what a line says; None if it says nothing, or if more lines belong to it."""
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
            return command if word == "DONE" else self.read(line)  # a list that was broken off is forgotten
        if word in ("BOARD", "SWAP2BOARD"):
            self._list = word
            return None
        return _read_other(word, rest, line)

    def _take(self, line: str) -> None:
        """Note a line of a list."""
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
    """Return the point that a text names; None if it names none."""
    found = re.fullmatch(r"(\d{1,4})\s*,\s*(\d{1,4})", text.strip(), re.ASCII)
    return (int(found[1]), int(found[2])) if found else None


def _number(text: str) -> int | None:
    return min(int(text), MOST) if re.fullmatch(r"\d{1,20}", text.strip(), re.ASCII) else None


# ---- what the engine says --------------------------------------------------------------------------------------------

OK = "OK"
SWAP = "SWAP"


def point_text(*points: Point) -> str:
    """Write one or several points."""
    return " ".join(f"{x},{y}" for x, y in points)


def error(reason: str) -> str:
    """Say that a command cannot be carried out."""
    return f"ERROR {one_line(reason)}"


def unknown(said: str) -> str:
    """Say that a line means nothing."""
    return f"UNKNOWN {one_line(said)}"


def message(text: str) -> str:
    """Tell the person at the manager something."""
    return f"MESSAGE {one_line(text)}"


def about(**facts: str) -> str:
    """Answer `ABOUT`."""
    return ", ".join(f'{key}="{one_line(value).replace(chr(34), chr(39))}"' for key, value in facts.items())


def forbidden(points: list[Point]) -> str:
    """Answer `YXSHOWFORBID`: each point in four digits, column and row."""
    return "FORBID " + "".join(f"{x:02d}{y:02d}" for x, y in points) + "."


def one_line(text: str) -> str:
    """Return a text that is nothing but a line: without line ends, and with a mark for what cannot be printed."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
