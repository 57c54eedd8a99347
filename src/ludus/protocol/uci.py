"""UCI as data: what a program says to a chess engine and what the engine says back; no input or output, no chess.

After the description of the protocol by Meyer-Kahlen and Huber (2004), with what programs have added since: `wdl` in
`info`, the options `UCI_Chess960`, `UCI_LimitStrength`, `UCI_Elo` and `UCI_ShowWDL`, and `go perft`.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

MOST_CENTIPAWNS = 12_800
NO_MOVE = "(none)"

# ---- what a program says ---------------------------------------------------------------------------------------------


class Plain(msgspec.Struct, frozen=True):
    """A command without arguments."""

    word: Literal["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit"]


class Debug(msgspec.Struct, frozen=True):
    """`debug on`: the engine is to say more than it must."""

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


class Go(msgspec.Struct, frozen=True):
    """`go`: think; times are in milliseconds, of White and Black."""

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
    """What was not understood, and is ignored."""


Command = Plain | Debug | SetOption | SetPosition | Go

PLAIN = ("uci", "isready", "ucinewgame", "stop", "ponderhit", "quit")
COMMANDS = (*PLAIN, "debug", "setoption", "position", "go")
COUNTS = ("movestogo", "depth", "nodes", "mate", "perft")
CLOCKS = ("wtime", "btime", "winc", "binc")
FLAGS = ("infinite", "ponder")
LARGEST = 2**53


def read(line: str) -> Command | None:
    """Return what a line says; None if it says nothing known.

    Words before the first one that is known are skipped, as the protocol has it, and so is what is senseless after it.
    """
    words = line.split()
    while words and words[0] not in COMMANDS:
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
    if command == "go":
        return _read_go(rest)
    return msgspec.convert({"word": command}, Plain)


def _read_option(words: list[str]) -> SetOption | None:
    """Read `name NAME [value VALUE]`, both of which may hold blanks."""
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


def _read_go(words: list[str]) -> Go:
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
    return msgspec.convert(found | clocks | {"strange": tuple(strange)}, Go)


def _number(text: str) -> int | None:
    """Return a number that JSON can hold, too; None if the text is none."""
    try:
        return max(-LARGEST, min(LARGEST, int(text)))
    except ValueError:
        return None


# ---- what an engine says ---------------------------------------------------------------------------------------------


class Option(msgspec.Struct, frozen=True):
    """An option that a program may set."""

    name: str
    kind: Literal["check", "spin", "string", "button"]
    default: bool | int | str = ""
    low: int = 0
    high: int = 0

    def __str__(self) -> str:
        """Write it as the engine offers it."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            return f"{text} default {str(self.default).lower()}"
        if self.kind == "spin":
            return f"{text} default {self.default} min {self.low} max {self.high}"
        return f"{text} default {self.default or '<empty>'}" if self.kind == "string" else text


class Score(msgspec.Struct, frozen=True):
    """What a line of play is worth to the player who is to move."""

    centipawns: int = 0
    mate: int | None = None
    """Mate in so many moves; below 0: being mated."""

    def __str__(self) -> str:
        """Write it as in `info score`."""
        return f"cp {self.centipawns}" if self.mate is None else f"mate {self.mate}"


class Info(msgspec.Struct, frozen=True):
    """A line of play as the engine sees it."""

    depth: int
    score: Score
    seldepth: int | None = None
    multipv: int | None = None
    wdl: tuple[int, int, int] | None = None
    """Wins, draws, losses in a thousand games."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    """Of the memory, in thousandths."""
    time: int | None = None
    """Milliseconds."""
    pv: Sequence[str] = ()

    def __str__(self) -> str:
        """Write it as a line."""
        before = [("depth", self.depth), ("seldepth", self.seldepth), ("multipv", self.multipv), ("score", self.score)]
        after = [("nodes", self.nodes), ("nps", self.nps), ("hashfull", self.hashfull), ("tbhits", 0)]
        after = after if self.nodes is not None else []
        wdl = None if self.wdl is None else " ".join(map(str, self.wdl))
        named = [*before, ("wdl", wdl), *after, ("time", self.time), ("pv", " ".join(self.pv) or None)]
        return "info " + " ".join(f"{name} {value}" for name, value in named if value is not None)


def remark(text: str) -> str:
    """Return a line that says something to people."""
    return "info string " + " ".join(text.split())


def best_move(move: str, ponder: str = "") -> str:
    """Return the line that ends a search."""
    return f"bestmove {move}" + (f" ponder {ponder}" if ponder else "")


def greeting(name: str, author: str, options: Iterable[Option]) -> list[str]:
    """Return the answer to `uci`."""
    return [f"id name {name}", f"id author {author}", *map(str, options), "uciok"]


def centipawns(value: float) -> int:
    """Return a value in [-1, 1] as lc0 does: 111.714640912 tan(1.5620688421 value), at most 12800 either way.

    (lc0, "WDL rescale and centipawn conversion".)
    """
    value = max(-1.0, min(1.0, value))
    return max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, round(111.714640912 * math.tan(1.5620688421 * value))))


def win_draw_loss(value: float, draw: float) -> tuple[int, int, int]:
    """Return wins, draws and losses in a thousand games.

    Args:
        value: seen by the mover, in [-1, 1].
        draw: probability of a draw.
    """
    draw = max(0.0, min(draw, 1.0 - abs(value)))
    wins, draws = round(500.0 * (1.0 - draw + value)), round(1000.0 * draw)
    wins = min(wins, 1000 - draws)
    return wins, draws, 1000 - draws - wins
