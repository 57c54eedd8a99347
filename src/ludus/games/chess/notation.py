"""Reads and writes moves in UCI notation (`e2e4`, `e7e8q`) and in SAN (`Nbd7`, `exd6`, `e8=Q+`, `O-O#`).

In UCI, castling is `e1g1`, or the king taking its rook in Chess960.  SAN is written strictly and read tolerantly:
UCI moves, `0-0`, castling in small letters, superfluous squares (`Ng1-f3`), and missing or superfluous `x`, `+`, `#`,
`=`, `!`, `?` and `e.p.` are accepted; a promotion without its piece is refused.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from ludus.errors import BadNotation, IllegalMove
from ludus.games.calls import Calls
from ludus.games.chess.actions import CASTLE_LEFT, CASTLE_RIGHT, TARGET, UNDERPROMOTIONS
from ludus.games.chess.layout import DIAGONAL, EN_PASSANT, SPECIAL, STRAIGHT, TURN, square_name, square_named
from ludus.games.chess.moves import KING_TO, write_legal
from ludus.games.chess.pieces import KNIGHT, castlers, diagonal, kings, occupied, pawns, sets, straight
from ludus.games.chess.rules import MAX_LEGAL
from ludus.games.chess.rules import in_check as king_is_attacked
from ludus.games.chess.view import LETTERS
from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit

ORNAMENT = re.compile(r"(?:\s*e\.?p\.?)?[+#!?]*$|\+\+$")
SAN = re.compile(r"([PNBRQK]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/(]?([NBRQnbrq])\)?)?", re.ASCII)
UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?", re.ASCII)
CASTLING = {"O-O": True, "0-0": True, "O-O-O": False, "0-0-0": False}
"""Whether the rook stands to the right of the king."""
TARGETS: list[int] = TARGET.tolist()  # a list is faster to index from Python


class ChessMove(NamedTuple):
    """An action with White's square numbers."""

    here: int
    there: int
    """The target square; in castling, the king's target."""
    promotion: str = ""
    """The promotion: `n`, `b`, `r` or `q`."""
    rook: int | None = None
    """The square of the castling rook."""

    def text(self, chess960: bool = False) -> str:
        """Return the move in UCI notation."""
        there = self.rook if chess960 and self.rook is not None else self.there
        return square_name(self.here) + square_name(there) + self.promotion

    def spellings(self) -> set[str]:
        """Return all UCI spellings of the move."""
        if self.rook is None:
            return {self.text()}
        plain = {self.text()} if abs(self.here - self.there) == 16 else set[str]()  # else the same as a king's step
        return {self.text(chess960=True)} | plain


def moves_of(state: State, actions: list[int]) -> list[ChessMove]:
    """Convert actions, numbered as the mover sees them, to moves."""
    turn = 7 * read_field(state, TURN)
    board = sets(state)
    king, pawn, rooks = int(kings(board)), int(pawns(board)), int(castlers(board) & board[0])
    found: list[ChessMove] = []
    for action in actions:
        plane, here, there = action >> 6, action & 63, TARGETS[action]
        promotion, rook = "", None
        if plane in (CASTLE_LEFT, CASTLE_RIGHT) and king >> here & 1:
            right = plane == CASTLE_RIGHT
            there = KING_TO[right]
            rook = turn ^ next(square for square in range(64) if rooks >> square & 1 and (square > here) == right)
        elif there & 7 == 0 and pawn >> here & 1:
            promotion = "q" if plane < UNDERPROMOTIONS else "nbr"[(plane - UNDERPROMOTIONS) // 3]
        found.append(ChessMove(here ^ turn, there ^ turn, promotion, rook))
    return found


def legal_moves(state: State) -> dict[int, ChessMove]:
    """Return the legal actions, numbered as the mover sees them, with their moves."""
    actions = np.zeros(MAX_LEGAL, np.int16)
    with np.errstate(over="ignore"):
        count = write_legal(state, actions, None)
    found: list[int] = actions[:count].tolist()
    return dict(zip(found, moves_of(state, found), strict=True))


def in_check(state: State) -> bool:
    """Return whether the player to move is in check; False without a king, as in composed test positions."""
    board = sets(state)
    if not int(kings(board) & board[0]):
        return False
    with np.errstate(over="ignore"):
        return king_is_attacked(state)


def may_check(state: State) -> Callable[[ChessMove], bool]:
    """Return a fast test for legal moves; a move that fails it gives no check.

    A piece gives check, or discovers one, only if it reaches or leaves a square that the opposing king would attack as
    a queen or a knight.  Castling and en passant always pass, since a second piece moves or disappears.
    """
    board = sets(state)
    king = kings(board) & ~board[0]
    if read_field(state, EN_PASSANT) or not int(king):
        return lambda _move: True
    square, turn = lowest_bit(king), 7 * read_field(state, TURN)
    with np.errstate(over="ignore"):
        seen = int(KNIGHT[square] | diagonal(square, occupied(board)) | straight(square, occupied(board)))
    return lambda move: bool(move.rook is not None or (seen >> (move.here ^ turn) | seen >> (move.there ^ turn)) & 1)


def kind_at(state: State, square: int) -> str:
    """Return the capital letter of the piece on a square numbered for White; empty if there is none."""
    at = square ^ 7 * read_field(state, TURN)
    s, d, o = (int(state[word]) >> at & 1 for word in (SPECIAL, DIAGONAL, STRAIGHT))
    return LETTERS.get(s + 2 * d + 4 * o, "")


def write_body(state: State, move: ChessMove, legal: Iterable[ChessMove]) -> str:
    """Return a legal move in SAN, without the sign for check or mate."""
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
    """Return the legal action that a text in SAN or UCI notation stands for.

    Raises:
        BadNotation: the text is not a move, or fits several legal moves.
        IllegalMove: the move is not legal here.
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
        raise BadNotation(f"chess: {text!r} is ambiguous: {names}; name one.")
    return found[0]


def _matching(state: State, text: str, bare: str, legal: dict[int, ChessMove]) -> list[int]:
    form = SAN.fullmatch(bare)
    if not form:
        shown = text if len(text) <= 20 else text[:17] + "..."
        raise BadNotation(f"chess: {shown!r} is not a move; write it like e4, Nf3, exd5, e8=Q, O-O or e2e4.")
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
    """A game's notation: UCI for single actions, SAN for moves."""

    def __init__(
        self, *, chess960: bool, seen_by_mover: Callable[[State, int], int], calls: Callable[[], Calls]
    ) -> None:
        """Store the game's notation of castling and its numbering of actions.

        Args:
            chess960: whether castling is written as the king taking its own rook.
            seen_by_mover: converts an action of the game to the mover's numbering, and back.
            calls: returns the object with which the game's rules are called.
        """
        self.chess960, self._seen_by_mover, self._calls = chess960, seen_by_mover, calls
        self._last: tuple[bytes, dict[int, ChessMove]] = b"", {}  # a move is read and written at the same position

    def moves(self, state: State, actions: list[int]) -> list[ChessMove]:
        """Convert actions of the game to moves."""
        return moves_of(state, [self._seen_by_mover(state, action) for action in actions])

    def legal(self, state: State) -> dict[int, ChessMove]:
        """Return the legal actions of the game with their moves."""
        key, last = state.tobytes(), self._last  # read once, since another thread may replace it
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
        """Return the sign for check or mate at the end of a move's text, or nothing."""
        after = self._calls().play(state, action)
        if not in_check(after):
            return ""
        return "+" if self._calls().legal(after) else "#"

    def parse_move(self, state: State, text: str) -> list[int]:
        """Return the action of a move in SAN or UCI notation."""
        return [read_move(state, text, self.legal(state))]
