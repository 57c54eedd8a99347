"""Setting up chess positions: pieces, the side to move, and castling rights."""

from collections.abc import Iterator

from ludus.errors import BadNotation
from ludus.games.about import Arranged, Editor, Kit, Named, PieceKind
from ludus.games.board import Board
from ludus.games.chess.describe import SHAPES
from ludus.games.chess.view import ChessView
from ludus.games.game import Position

LETTERS = {shape: letter for letter, shape in SHAPES.items()}
ORDER = "KQRBNP"
RIGHTS = [
    Named("K", "White O-O"),
    Named("Q", "White O-O-O"),
    Named("k", "Black O-O"),
    Named("q", "Black O-O-O"),
]
KING_FILE, ROOK_FILES = 4, {"K": 7, "Q": 0}
"""Files of the king and the rooks for castling in standard chess."""


def kit(position: Position, board: Board) -> Kit:
    """Return what a position that is set up by hand may contain: pieces, sides to move and castling rights."""
    view = ChessView.read(position.state)
    on = [
        "KQkq"[2 * player + (rook < view.king(player))]
        for player in (0, 1)
        for rook in sorted(view.castlers, reverse=True)
        if (rook & 7) == (0 if player else 7) and view.pieces[rook] == "Rr"[player]
    ]
    return Kit(
        board,
        kinds=[
            PieceKind(SHAPES[letter], owner, f"{name} {SHAPES[letter]}", single=letter == "K")
            for owner, name in enumerate(position.game.players)
            for letter in ORDER
        ],
        edges=[],
        to_play=position.to_play,
        movers=[Named(str(player), name) for player, name in enumerate(position.game.players)],
        switches=RIGHTS,
        on=on,
    )


def setup(arranged: Arranged, start: Position) -> str:
    """Return the FEN of an arrangement; raises BadNotation for a piece or square that chess does not have.

    Castling rights without a king and a rook on the right squares are dropped.
    """
    board = [[""] * 8 for _ in range(8)]
    for piece in arranged.pieces:
        letter = LETTERS.get(piece.shape)
        if letter is None or piece.owner is None or max(piece.at) > 7:
            raise BadNotation(f"A {piece.shape} on {list(piece.at)} is not possible in chess.")
        board[piece.at[0]][piece.at[1]] = letter if piece.owner == 0 else letter.lower()
    placement = "/".join(_rank(row) for row in board)
    chess960 = "960" in start.game.name.split(":")
    rights = "".join(_rights(arranged.switches, board, chess960=chess960)) or "-"
    return f"{placement} {'wb'[arranged.to_play]} {rights} - 0 1"


EDITOR = Editor(kit, setup, prefix="FEN '[^']*'")


def _rank(row: list[str]) -> str:
    text, empty = "", 0
    for letter in [*row, "end"]:
        if letter and empty:
            text, empty = text + str(empty), 0
        if not letter:
            empty += 1
        elif letter != "end":
            text += letter
    return text


def _rights(switches: list[str], board: list[list[str]], *, chess960: bool) -> Iterator[str]:
    for letter in "KQkq":
        row = board[7 if letter.isupper() else 0]
        king, rook = ("K", "R") if letter.isupper() else ("k", "r")
        if letter not in switches or king not in row:
            continue
        file = row.index(king)
        beside = row[file + 1 :] if letter in "Kk" else row[:file]
        usual = file == KING_FILE and row[ROOK_FILES[letter.upper()]] == rook
        if usual or (chess960 and rook in beside):
            yield letter
