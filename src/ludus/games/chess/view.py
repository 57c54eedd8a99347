"""A chess state in readable form: pieces by square as seen by White, and the conversion in both directions."""

from __future__ import annotations

import msgspec
import numpy as np

from ludus.games.chess import layout
from ludus.games.chess.layout import history_move, recent_move
from ludus.games.chess.moves import can_pass
from ludus.games.packed import read_field, with_field
from ludus.games.rules import State

LETTERS = {1: "P", 2: "B", 3: "N", 4: "R", 6: "Q", 5: "K", 7: "R"}
"""Piece letters, indexed by SPECIAL + 2 * DIAGONAL + 4 * STRAIGHT."""
KINDS = {"P": 1, "B": 2, "N": 3, "R": 4, "Q": 6, "K": 5}
CASTLER = 7
Step = tuple[int, int]
"""Origin and target square."""


class ChessView(msgspec.Struct):
    """A position of chess; squares are 8 * file + 8 - rank."""

    pieces: dict[int, str]
    """Letter of the piece on each occupied square; capitals are White's."""
    player: int
    castlers: set[int]
    """Rooks with castling rights."""
    en_passant: int | None = None
    """The square where a pawn can be captured en passant."""
    clock: int = 0
    number: int = 1
    back: list[Step] = []
    """The actions since the last irreversible one."""
    was_en_passant: int | None = None
    """The en passant square before these actions."""
    recent: list[Step] = []
    """The last four actions, oldest first."""
    repeats: int = 0

    @classmethod
    def read(cls, state: State) -> ChessView:
        """Convert a state."""
        player = read_field(state, layout.TURN)
        turn = 7 * player
        mine, d, o, s = (int(state[word]) for word in (layout.MINE, layout.DIAGONAL, layout.STRAIGHT, layout.SPECIAL))
        view = cls({}, player, set())
        for square in range(64):
            kind = (s >> square & 1) + 2 * (d >> square & 1) + 4 * (o >> square & 1)
            if kind:
                letter = LETTERS[kind]
                view.pieces[square ^ turn] = letter if (mine >> square & 1) != player else letter.lower()
                if kind == CASTLER:
                    view.castlers.add(square ^ turn)
        file = read_field(state, layout.EN_PASSANT) - 1
        view.en_passant = None if file < 0 else (8 * file + 2) ^ turn
        view.clock, view.number = read_field(state, layout.CLOCK), read_field(state, layout.MOVE_NUMBER)
        view.repeats = read_field(state, layout.REPEATS)
        back = read_field(state, layout.BACK)
        view.back = [_step(history_move(state, index), player ^ (back - index) & 1) for index in range(back)]
        recent = [recent_move(state, index) for index in range(layout.NUM_RECENT)]
        view.recent = [_step(move, player ^ 1 ^ index & 1) for index, move in enumerate(recent) if move][::-1]
        file = read_field(state, layout.WAS_EN_PASSANT) - 1
        view.was_en_passant = None if file < 0 else (8 * file + 2) ^ 7 * (player ^ back & 1)
        return view

    def write(self, state: State) -> None:
        """Write the state, without `back`, `repeats` and an unusable en passant square."""
        turn = 7 * self.player
        words = [0, 0, 0, 0]  # MINE, DIAGONAL, STRAIGHT, SPECIAL
        for square, letter in self.pieces.items():
            kind = CASTLER if square in self.castlers else KINDS[letter.upper()]
            own = letter.isupper() != bool(self.player)
            for word, present in enumerate((own, kind & 2, kind & 4, kind & 1)):
                words[word] |= (1 << (square ^ turn)) if present else 0
        state[layout.MINE : layout.INFO] = np.array(words, np.uint64)
        info = with_field(with_field(np.uint64(0), layout.TURN, self.player), layout.CLOCK, self.clock)
        info = with_field(info, layout.MOVE_NUMBER, self.number)
        if self.en_passant is not None and can_pass(state, self.en_passant >> 3):
            info = with_field(info, layout.EN_PASSANT, (self.en_passant >> 3) + 1)
        state[layout.INFO] = info
        recent = 0
        for index, (here, there) in enumerate(reversed(self.recent)):
            turn = 7 * (self.player ^ 1 ^ index & 1)
            recent |= (here ^ turn | (there ^ turn) << 6) << layout.MOVE_BITS * index
        state[layout.RECENT] = np.uint64(recent)

    def king(self, player: int) -> int:
        """Return a king's square."""
        return next(square for square, letter in self.pieces.items() if letter == "Kk"[player])

    def before(self) -> ChessView:
        """Return the position where the history begins."""
        start = ChessView(dict(self.pieces), self.player ^ len(self.back) & 1, set(self.castlers))
        for here, there in reversed(self.back):
            start.pieces[here] = start.pieces.pop(there)
        moves_of_black = (len(self.back) + (1 - self.player)) // 2
        start.en_passant = self.was_en_passant if self.back else self.en_passant
        start.clock = max(0, self.clock - len(self.back))
        start.number = max(1, self.number - moves_of_black)
        start.recent = self.recent[: max(0, len(self.recent) - len(self.back))]
        return start


def _step(move: int, player: int) -> Step:
    """Return an action of `player` as seen by White."""
    return (move & 63) ^ 7 * player, (move >> 6) ^ 7 * player
