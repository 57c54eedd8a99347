"""SAN, the notation of people: written strictly (`Nbd7`, `exd6`, `e8=Q+`, `O-O#`), read tolerantly.

Reading accepts UCI moves, too, `0-0`, missing or superfluous `x`, `+`, `#`, `=`, `!`, `?`, `e.p.`, and squares that are
not needed (`Ng1-f3`), castling in small letters; a promotion without its piece is refused.
"""

import re
from collections.abc import Callable, Iterable

import numpy as np

from ludus.errors import BadNotation, IllegalMove
from ludus.games.calls import Calls
from ludus.games.chess.judge import in_check, may_check
from ludus.games.chess.layout import DIAGONAL, INFO, SPECIAL, STRAIGHT, TURN, square_name, square_named
from ludus.games.chess.uci import ChessMove, moves_of
from ludus.games.chess.view import LETTERS
from ludus.games.packed import field
from ludus.games.rules import State

ORNAMENT = re.compile(r"(?:\s*e\.?p\.?)?[+#!?]*$|\+\+$")
SAN = re.compile(r"([PNBRQK]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/(]?([NBRQnbrq])\)?)?", re.ASCII)
UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?", re.ASCII)
CASTLING = {"O-O": True, "0-0": True, "O-O-O": False, "0-0-0": False}
"""Whether the rook stands on the right of the king."""


def kind_at(state: State, square: int) -> str:
    """Return the capital letter of the piece on one of White's squares; nothing if there is none."""
    at = square ^ 7 * field(np.uint64(state[INFO]), TURN)
    s, d, o = (int(state[word]) >> at & 1 for word in (SPECIAL, DIAGONAL, STRAIGHT))
    return LETTERS.get(s + 2 * d + 4 * o, "")


def write_body(state: State, move: ChessMove, legal: Iterable[ChessMove]) -> str:
    """Return a legal move in SAN, apart from what says check or mate."""
    if move.rook is not None:
        return "O-O" if move.rook > move.here else "O-O-O"
    kind, target = kind_at(state, move.here), square_name(move.there)
    if kind == "P":
        captures = move.here >> 3 != move.there >> 3
        promotion = f"={move.promotion.upper()}" if move.promotion else ""
        return (f"{square_name(move.here)[0]}x" if captures else "") + target + promotion
    others = [
        other.here
        for other in legal
        if other.there == move.there
        and other.here != move.here
        and other.rook is None
        and kind_at(state, other.here) == kind
    ]
    file, rank = square_name(move.here)
    origin = file + rank
    if not others:
        origin = ""
    elif all(other >> 3 != move.here >> 3 for other in others):
        origin = file
    elif all(other & 7 != move.here & 7 for other in others):
        origin = rank
    return kind + origin + ("x" if kind_at(state, move.there) else "") + target


def read_move(state: State, text: str, legal: dict[int, ChessMove]) -> int:
    """Return the action, one of `legal`, that a text in SAN or UCI notation means.

    Raises:
        BadNotation: it is no move, or several legal ones.
        IllegalMove: it may not be played here.
    """
    text = text.strip()
    if UCI.fullmatch(text):
        for action, move in legal.items():
            if text in move.spellings():
                return action
    bare = ORNAMENT.sub("", text)
    if not legal:
        raise IllegalMove(f"chess: the game is over ({'checkmate' if in_check(state) else 'stalemate'}).")
    if bare.upper() in CASTLING:
        found = [
            action
            for action, move in legal.items()
            if move.rook is not None and (move.rook > move.here) == CASTLING[bare.upper()]
        ]
    else:
        found = _matching(state, text, bare, legal)
    if not found:
        raise IllegalMove(f"chess: {text!r} may not be played here; legal: {_some(state, legal)}.")
    if len(found) > 1:
        names = ", ".join(sorted(write_body(state, legal[action], legal.values()) for action in found))
        raise BadNotation(f"chess: {text!r} may be {names}; say which.")
    return found[0]


def _matching(state: State, text: str, bare: str, legal: dict[int, ChessMove]) -> list[int]:
    form = SAN.fullmatch(bare)
    if not form:
        shown = text if len(text) <= 20 else text[:17] + "..."
        raise BadNotation(f"chess: {shown!r} is no move; write it like e4, Nf3, exd5, e8=Q, O-O or e2e4.")
    kind, file, rank, target, promotion = form.groups()
    there = square_named(target)
    return [
        action
        for action, move in legal.items()
        if move.there == there
        and move.rook is None
        and kind_at(state, move.here) == (kind or "P")
        and square_name(move.here).startswith(file)
        and square_name(move.here).endswith(rank)
        and (not promotion or move.promotion == promotion.lower())
    ]


def _some(state: State, legal: dict[int, ChessMove]) -> str:
    names = [write_body(state, move, legal.values()) for move in list(legal.values())[:12]]
    return ", ".join(names) + (", ..." if len(legal) > len(names) else "")


class Notation:
    """What a game needs to read and write its actions: UCI for single actions, SAN for moves."""

    def __init__(
        self, *, chess960: bool, seen_by_mover: Callable[[State, int], int], calls: Callable[[], Calls]
    ) -> None:
        """Prepare.

        Args:
            chess960: castling is written as the king taking its rook.
            seen_by_mover: returns an action of the game as the mover sees it, and the other way round.
            calls: returns the rules of the game.
        """
        self.chess960, self._seen_by_mover, self._calls = chess960, seen_by_mover, calls
        self._last: tuple[bytes, dict[int, ChessMove]] = b"", {}  # one move is read and written at the same position

    def moves(self, state: State, actions: list[int]) -> list[ChessMove]:
        """Return what actions of the game mean."""
        return moves_of(state, [self._seen_by_mover(state, action) for action in actions])

    def legal(self, state: State) -> dict[int, ChessMove]:
        """Return the legal actions of the game and what they mean."""
        key, last = state.tobytes(), self._last  # read once: another thread may ask about another position meanwhile
        if key != last[0]:
            actions = self._calls().legal(state)
            self._last = last = key, dict(zip(actions, self.moves(state, actions), strict=True))
        return last[1]

    def action_text(self, state: State, action: int) -> str:
        """Return an action in UCI notation."""
        return self.moves(state, [action])[0].text(self.chess960)

    def move_text(self, state: State, actions: list[int]) -> str:
        """Return a move, which is one action, in SAN."""
        legal = self.legal(state)
        return write_body(state, legal[actions[0]], legal.values()) + self._mark(state, actions[0])

    def written(self, state: State, legal: dict[int, ChessMove]) -> dict[int, str]:
        """Return all legal moves in SAN."""
        suspect = may_check(state)
        return {
            action: write_body(state, move, legal.values()) + (self._mark(state, action) if suspect(move) else "")
            for action, move in legal.items()
        }

    def _mark(self, state: State, action: int) -> str:
        """Return what a move's text ends with: a sign for check or mate, or nothing."""
        after = self._calls().play(state, action)
        if not in_check(after):
            return ""
        return "+" if self._calls().legal(after) else "#"

    def parse_move(self, state: State, text: str) -> list[int]:
        """Return the action of a move in SAN or UCI notation."""
        return [read_move(state, text, self.legal(state))]
