"""The protocol UCI: parse commands and format answers, without the rules of a game.

Source: the description of the protocol by Meyer-Kahlen and Huber (2004), with later extensions: `wdl` in `info`, the
options `UCI_LimitStrength`, `UCI_Elo` and `UCI_ShowWDL`, and `go perft`.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

MOST_CENTIPAWNS = 12_800
NO_MOVE = "(none)"

# ---- commands --------------------------------------------------------------------------------------------------------


class Plain(msgspec.Struct, frozen=True):
    """A command without arguments."""

    word: Literal["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit"]


class Debug(msgspec.Struct, frozen=True):
    """`debug on|off`: switch additional output on or off."""

    on: bool


class SetOption(msgspec.Struct, frozen=True):
    """`setoption name NAME [value VALUE]`."""

    name: str
    value: str = ""


class SetPosition(msgspec.Struct, frozen=True):
    """`position startpos|fen FEN [moves MOVE ...]`."""

    fen: str = ""
    """Empty: the start position."""
    moves: tuple[str, ...] = ()


class GoCommand(msgspec.Struct, frozen=True):
    """`go`: search with these limits; times are in milliseconds, for White and Black."""

    searchmoves: tuple[str, ...] = ()
    times: tuple[int | None, int | None] = (None, None)
    increments: tuple[int, int] = (0, 0)
    movestogo: int = 0
    depth: int = 0
    nodes: int = 0
    mate: int = 0
    movetime: int | None = None
    infinite: bool = False
    ponder: bool = False
    perft: int = 0
    strange: tuple[str, ...] = ()
    """Unknown words, which are ignored."""


Command = Plain | Debug | SetOption | SetPosition | GoCommand

PLAIN = ("uci", "isready", "ucinewgame", "stop", "ponderhit", "quit")
COMMANDS = re.compile(rf"{'|'.join(PLAIN)}|debug|setoption|position|go")
COUNTS = ("movestogo", "depth", "nodes", "mate", "perft")
CLOCKS = ("wtime", "btime", "winc", "binc")
FLAGS = ("infinite", "ponder")
LARGEST = 2**53


def read(line: str) -> Command | None:
    """Parse a line as a command; return None if it contains none.

    As the protocol requires, unknown words before the command are skipped; so are unknown arguments.
    """
    words = line.split()
    while words and not COMMANDS.fullmatch(words[0]):
        words.pop(0)
    if not words:
        return None
    command, rest = words[0], words[1:]
    if command == "debug":
        return Debug(rest[:1] != ["off"])
    if command == "setoption":
        return _read_option(rest)
    if command == "position":
        return _read_position(rest)
    if command in PLAIN:
        return msgspec.convert({"word": command}, Plain)
    return _read_go(rest)


def _read_option(words: list[str]) -> SetOption | None:
    """Parse `name NAME [value VALUE]`; both may contain spaces."""
    if words[:1] != ["name"]:
        return None
    end = words.index("value") if "value" in words else len(words)
    return SetOption(" ".join(words[1:end]), " ".join(words[end + 1 :]))


def _read_position(words: list[str]) -> SetPosition | None:
    end = words.index("moves") if "moves" in words else len(words)
    moves = tuple(words[end + 1 :])
    if words[:1] == ["startpos"]:
        return SetPosition("", moves)
    return SetPosition(" ".join(words[1:end]), moves) if words[:1] == ["fen"] and end > 1 else None


def _read_go(words: list[str]) -> GoCommand:
    known = {"searchmoves", "movetime", *COUNTS, *CLOCKS, *FLAGS}
    found: dict[str, int | bool | tuple[str, ...]] = {}
    strange: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "searchmoves":
            first = at
            while at < len(words) and words[at] not in known:
                at += 1
            found[word] = tuple(words[first:at])
        elif word in FLAGS:
            found[word] = True
        elif word in known and at < len(words) and (number := _number(words[at])) is not None:
            found[word] = number if word in CLOCKS or word == "movetime" else max(0, number)
            at += 1
        else:
            strange.append(word)
    wtime, btime, winc, binc = (found.pop(word, None) for word in CLOCKS)
    clocks = {"times": (wtime, btime), "increments": (max(0, winc or 0), max(0, binc or 0))}  # pyright: ignore
    return msgspec.convert(found | clocks | {"strange": tuple(strange)}, GoCommand)


def _number(text: str) -> int | None:
    """Parse an integer, clamped to the range that JSON can represent; return None if the text is not one."""
    try:
        return max(-LARGEST, min(LARGEST, int(text)))
    except ValueError:
        return None


# ---- answers ---------------------------------------------------------------------------------------------------------


class Option(msgspec.Struct, frozen=True):
    """An option of the engine that a program may set."""

    name: str
    kind: Literal["check", "spin", "string", "button"]
    default: bool | int | str = ""
    low: int = 0
    high: int = 0

    def __str__(self) -> str:
        """Format the option as a line of the answer to `uci`."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            return f"{text} default {str(self.default).lower()}"
        if self.kind == "spin":
            return f"{text} default {self.default} min {self.low} max {self.high}"
        return f"{text} default {self.default or '<empty>'}" if self.kind == "string" else text


class Score(msgspec.Struct, frozen=True):
    """The score of a line from the view of the player to move."""

    centipawns: int = 0
    mate: int | None = None
    """Number of moves to mate; negative if the player to move is mated."""

    def __str__(self) -> str:
        """Format the score as in `info score`."""
        return f"cp {self.centipawns}" if self.mate is None else f"mate {self.mate}"


class Info(msgspec.Struct, frozen=True):
    """One `info` line: depth, score, counters and principal variation."""

    depth: int
    score: Score
    seldepth: int | None = None
    multipv: int | None = None
    wdl: tuple[int, int, int] | None = None
    """Wins, draws and losses per thousand games."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    """Used share of the search memory, in thousandths."""
    time: int | None = None
    """Search time in milliseconds."""
    pv: Sequence[str] = ()

    def __str__(self) -> str:
        """Format the `info` line."""
        before = [("depth", self.depth), ("seldepth", self.seldepth), ("multipv", self.multipv), ("score", self.score)]
        after = [("nodes", self.nodes), ("nps", self.nps), ("hashfull", self.hashfull), ("tbhits", 0)]
        after = after if self.nodes is not None else []
        wdl = None if self.wdl is None else " ".join(map(str, self.wdl))
        named = [*before, ("wdl", wdl), *after, ("time", self.time), ("pv", " ".join(self.pv) or None)]
        return "info " + " ".join(f"{name} {value}" for name, value in named if value is not None)


def remark(text: str) -> str:
    """Format an `info string` line, a message for the user."""
    return "info string " + " ".join(text.split())


def best_move(move: str, ponder: str = "") -> str:
    """Format the `bestmove` line, which ends a search."""
    return f"bestmove {move}" + (f" ponder {ponder}" if ponder else "")


def greeting(name: str, author: str, options: Iterable[Option]) -> list[str]:
    """Format the answer to `uci` as lines."""
    return [f"id name {name}", f"id author {author}", *map(str, options), "uciok"]


def centipawns(value: float) -> int:
    """Convert a value in [-1, 1] to centipawns: 111.714640912 tan(1.5620688421 value), clamped to ±12800.

    Source: lc0, "WDL rescale and centipawn conversion".
    """
    value = max(-1.0, min(1.0, value))
    return max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, round(111.714640912 * math.tan(1.5620688421 * value))))


def win_draw_loss(value: float, draw: float) -> tuple[int, int, int]:
    """Convert a value and a probability of a draw to wins, draws and losses per thousand games.

    Args:
        value: in [-1, 1], from the view of the player to move.
        draw: probability of a draw.
    """
    draw = max(0.0, min(draw, 1.0 - abs(value)))
    wins, draws = round(500.0 * (1.0 - draw + value)), round(1000.0 * draw)
    wins = min(wins, 1000 - draws)
    return wins, draws, 1000 - draws - wins
