"""Setting up chess positions: pieces, the side to move, and castling rights."""

from ludus.errors import BadNotation
from ludus.games.about import Arranged, Editor, Kit, Named, PieceKind
from ludus.games.board import Board
from ludus.games.chess.describe import SHAPES
from ludus.games.chess.fen import is_usual_right, rooks_beside, write_fen
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


def kit(position: Position, board: Board) -> Kit:
    """Return what a position that is set up by hand may contain: pieces, sides to move and castling rights."""
    view = ChessView.read(position.state)
    on = [
        "KQkq"[2 * player + (rook < view.king(player))]
        for player in (0, 1)
        for rook in sorted(view.castlers, reverse=True)
        if view.pieces[rook] == "Rr"[player]
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
    view = ChessView({}, arranged.to_play, set())
    for piece in arranged.pieces:
        letter = LETTERS.get(piece.shape)
        if letter is None or piece.owner is None or max(piece.at) > 7:
            raise BadNotation(f"A {piece.shape} on {list(piece.at)} is not possible in chess.")
        row, file = piece.at
        view.pieces[8 * file + row] = letter if piece.owner == 0 else letter.lower()
    chess960 = "960" in start.game.name.split(":")
    for right in RIGHTS:
        if right.value in arranged.switches:
            view.castlers |= _castler(view, right.value, chess960=chess960)
    return write_fen(view)


EDITOR = Editor(kit, setup, prefix="FEN '[^']*'")


def _castler(view: ChessView, right: str, *, chess960: bool) -> set[int]:
    """Return the rook of a castling right; an empty set if king and rook do not stand where they can have it."""
    player = int(right.islower())
    if "Kk"[player] not in view.pieces.values():
        return set()
    king, rooks = view.king(player), rooks_beside(view, right)[:1]
    on_first_rank = king & 7 == (0 if player else 7)
    return {rook for rook in rooks if on_first_rank and (chess960 or is_usual_right(king, rook))}
