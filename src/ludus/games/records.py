"""Text formats of recorded games: what a game brings to read and write its games as other programs do.

A game names its format in `About.records`; games without one use the plain format (`ludus.games.recorded`).  Sites
import and export games with it, and `ludus learn-from`, `mine` and `precompute` read files of games.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from ludus.errors import BadInput
from ludus.files import marked_encoding
from ludus.games.annotations import NONE, Annotations, GameTree
from ludus.games.game import Game, Position

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UNFINISHED = "unfinished"
"""The `reason` of games whose text has no result."""
WITHOUT_RESULT = ("aborted", UNFINISHED)
"""Reasons of games that were neither won nor drawn."""
_TAG = re.compile(r'\[\s*+(\w++)\s*+(?:"((?:[^"\\]|\\.)*+)"|[^\]\n]*+)\s*+\]')  # possessive: its time is linear
_TAGS = re.compile(rf"[\ufeff\s]*(?:{_TAG.pattern}\s*)*")
_NUMBER = r"(\d{1,6}(?:\.\d{1,3})?)"
_CLOCK = re.compile(rf"{_NUMBER}(?:\+(\d{{1,4}}(?:\.\d{{1,3}})?))?", re.ASCII)
_BYO_YOMI = re.compile(rf"(\d{{1,3}}) ?x ?{_NUMBER}(?: byo-?yomi)?|{_NUMBER} byo-?yomi", re.ASCII | re.IGNORECASE)
_CANADIAN = re.compile(rf"(\d{{1,3}}) ?(?:moves)? ?/ ?{_NUMBER}(?: canadian)?", re.ASCII | re.IGNORECASE)
_DAYS = re.compile(r"1/(\d{1,7})", re.ASCII)
NO_CLOCK = ("", "-", "?", "0", "no", "none")
"""Time controls in lower case that mean none, or an unknown one."""
MAX_CLOCK = 60
"""Most characters of a time control that a sentence quotes."""
_DATE = re.compile(r"(\d{4})[.-](\d\d)[.-](\d\d)", re.ASCII)


class Overtime(NamedTuple):
    """Periods that begin when the main time of a clock is used up: byo-yomi, or Canadian overtime."""

    seconds: float
    """The length of a period."""
    periods: int = 1
    moves: int = 1
    """Moves to play in a period, and then it begins again."""


class RecordHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What a record says about a game besides its moves."""

    names: tuple[str, str] = ("?", "?")
    """The names of the players."""
    ratings: tuple[int | None, int | None] = (None, None)
    result: str = "*"
    """One of RESULTS."""
    reason: str = ""
    """Why the game ended, as `Outcome.reason` or a site names it; empty if unknown."""
    rated: bool = False
    ended: float | None = None
    """When the game ended, in seconds since 1970; of a record without a time, the beginning of the day."""
    clock: tuple[float, float] | None = None
    """The time on each clock at the start, and the time added after each move, in seconds; None: no clocks."""
    overtime: Overtime | None = None
    """The overtime; the main time is that of `clock`."""
    other_clock: str = ""
    """The time control as the record states it, if it is of a kind that `clock` and `overtime` cannot hold."""

    @property
    def winner(self) -> int | None:
        """The player who won; None for a draw or without a result."""
        return {"1-0": 0, "0-1": 1}.get(self.result)


def result_of(winner: int | None, *, over: bool) -> str:
    """Return a game's result in record notation, `*` if the game is not over."""
    if not over:
        return "*"
    return "1/2-1/2" if winner is None else RESULTS[winner]


def leading_tags(text: str) -> dict[str, str]:
    """Return the tags at the beginning of a text: `[Name "value"]`."""
    tags = _TAGS.match(text)
    return dict(_TAG.findall(tags[0])) if tags else {}


def rating_in(text: str) -> int | None:
    """Return a rating of up to five digits; None for other texts, such as `?`."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else None


def clock_text(clock: tuple[float, float], overtime: Overtime | None = None) -> str:
    """Return a time control in seconds: `180+2`, `600+5x30 byo-yomi`, `600+25/300 canadian`, `1/259200` for days."""
    if overtime is None:
        return "+".join(map(number_text, clock))
    if not clock[0] and overtime[1:] == (1, 1):  # so many seconds for each move
        return f"1/{number_text(overtime.seconds)}"
    return f"{number_text(clock[0])}+{overtime_text(overtime)}"


def overtime_text(overtime: Overtime) -> str:
    """Return overtime as Go programs write it in SGF: `5x30 byo-yomi`, `25/300 canadian`."""
    seconds = number_text(overtime.seconds)
    if overtime.moves > 1:
        return f"{overtime.moves}/{seconds} canadian"
    return f"{overtime.periods}x{seconds} byo-yomi"


def overtime_in(text: str) -> Overtime | None:
    """Return the overtime of a text such as `5x30 byo-yomi` or `25/300 Canadian`; None for others."""
    text = text.strip()
    if found := _BYO_YOMI.fullmatch(text):
        seconds, periods, moves = float(found[2] or found[3]), int(found[1] or 1), 1
    elif found := _CANADIAN.fullmatch(text):
        seconds, periods, moves = float(found[2]), 1, int(found[1])
    else:
        return None
    return Overtime(seconds, periods, moves) if seconds > 0 and periods > 0 and moves > 0 else None


def clocks_in(text: str) -> tuple[tuple[float, float] | None, Overtime | None]:
    """Return the time control of a text that `clock_text` writes, and its overtime; None for what it does not say."""
    text = text.strip()
    if days := _DAYS.fullmatch(text):
        return (0.0, 0.0), Overtime(float(days[1]))
    main, plus, more = text.partition("+")
    overtime = overtime_in(more) if plus else None
    if overtime and re.fullmatch(_NUMBER, main.strip(), re.ASCII):
        return (float(main), 0.0), overtime
    return clock_in(text), None


def number_text(value: float) -> str:
    """Return a number with at most three decimal places and no exponent: `300`, `2.5`."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def clock_in(text: str) -> tuple[float, float] | None:
    """Return the time control of a text such as `180+2` or `600`; None for others."""
    found = _CLOCK.fullmatch(text.strip())
    return (float(found[1]), float(found[2] or 0)) if found else None


def other_clock(text: str) -> str:
    """Return a time control that `clocks_in` does not know, shortened; empty if the text is known or means none."""
    text = " ".join(text.split())
    return "" if clocks_in(text)[0] or text.lower() in NO_CLOCK else text[:MAX_CLOCK]


def date_text(seconds: float, form: str = "%Y.%m.%d") -> str:
    """Return the day of a time in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).strftime(form)


def date_in(text: str) -> float | None:
    """Return the beginning of a day, `2026.01.31` or `2026-01-31`, in seconds since 1970; None for other texts."""
    found = _DATE.match(text.strip())
    try:
        return datetime(*map(int, found.groups()), tzinfo=UTC).timestamp() if found else None
    except ValueError:  # such as the 31st of February
        return None


class RecordedGame(msgspec.Struct, kw_only=True):
    """A game as its record states it; moves may be checked only when `positions` plays them.

    A format whose moves are texts or numbers of actions fills the fields; another one overrides the methods.
    """

    spec: str
    """The game's name, with the rules that the record names."""
    header: RecordHeader = RecordHeader()
    setup: Any = None
    """The argument of `Game.start`."""
    moves: Sequence[str | int] = ()
    """The moves of the main line: texts of whole moves, or numbers of actions."""
    notes: Annotations = NONE
    """The comments and variations."""
    leads: Sequence[float | None] = ()
    """Player 0's recorded lead after 0, 1, ... actions; None: not recorded, infinite: a forced win."""
    any_variant: bool = False
    """Whether the moves can also be played under the rules of the game's other variants, on the same board."""
    is_rearranged: bool = False
    """Whether pieces are set up by hand after the first move."""
    left_out: Sequence[str] = ()
    """What could not be read, each as a sentence that begins with its place."""

    @property
    def num_moves(self) -> int:
        """The length of the main line."""
        return len(self.moves)

    def positions(self, game: Game, *, is_cut: bool = False) -> list[Position]:
        """Play the main line, and return its positions in order.

        Args:
            game: the rules to play by.
            is_cut: stop where these rules end the game, instead of refusing the moves after it.

        Raises:
            BadInput: the first position or a move is impossible; the message names the move.
        """
        return replay_moves(game.start(self.setup), self.moves, is_cut=is_cut).history

    def annotations(self, positions: list[Position]) -> tuple[Annotations, list[str]]:
        """Return the comments and variations, and a sentence for each kind of thing that is left out.

        Args:
            positions: the result of `positions`.
        """
        assert positions, "a game has a first position"
        return self.notes, []

    def end(self, last: Position) -> tuple[int | None, str]:
        """Return the winner and the reason: by the rules if they end the game at `last`, else as the record says."""
        if last.outcome:
            return last.outcome.winner, last.outcome.reason
        header = self.header
        if header.result == "*":
            return None, header.reason if header.reason in WITHOUT_RESULT else UNFINISHED
        return header.winner, header.reason


class BrokenGame(msgspec.Struct, frozen=True):
    """A game of a file that cannot be read."""

    what: str
    """The place and the fault: `line 3: ...`."""


class Doubt(msgspec.Struct, frozen=True):
    """A place of a file whose meaning is unclear."""

    what: str
    """The place and how it is read, as a sentence."""


class RecordFormat(ABC):
    """A text format of recorded games; a game brings one as `About(records=...)`."""

    title: str
    """What people call the format: `PGN`."""
    suffix: str
    """The ending of its files, without the dot."""

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Return whether a text has this format, by what no other format has."""

    @abstractmethod
    def read(self, text: str, *, compiled: bool = False) -> Iterator[RecordedGame | BrokenGame | Doubt]:
        """Yield the games of a text in order; the fault of one game costs no other.

        Args:
            text: the contents of a file, or what somebody pasted.
            compiled: compile rules that are needed to read moves, which takes seconds and pays off for files of games.

        Raises:
            BadInput: the text is not of this format.
        """

    @abstractmethod
    def write(self, tree: GameTree, header: RecordHeader) -> str:
        """Return the text of a game with its comments and variations; `read` returns the same game."""

    def decode(self, raw: bytes) -> tuple[str, list[str]]:
        """Return the text of a file, and a sentence for each unclear place: UTF-8 or UTF-16, else Latin-1."""
        try:
            return raw.decode(marked_encoding(raw) or "utf-8"), []
        except UnicodeDecodeError:
            return raw.decode("latin-1"), []


def replay_moves(position: Position, moves: Sequence[str | int], *, is_cut: bool = False) -> Position:
    """Return the position after some moves.

    Args:
        position: the position before the first move.
        moves: texts of whole moves, or numbers of actions.
        is_cut: stop at the end of the game, instead of refusing the moves after it.

    Raises:
        BadNotation: a move cannot be read.
        IllegalMove: a move is illegal; the message names its number.
    """
    for number, move in enumerate(moves):
        if is_cut and position.outcome:
            break
        try:
            position = position.play(move)
        except BadInput as error:
            raise type(error)(f"Move {number // 2 + 1}: {error}") from error
    return position
