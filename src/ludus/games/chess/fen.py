"""Reads and writes FEN, X-FEN, Shredder-FEN and EPD: one position as one line of text.

All spellings of castling rights are read: `KQkq` means the outermost rook on that side of the king, a letter from a to
h the rook on that file.  X-FEN, which is written by default, names the file only if another rook is farther out;
Shredder-FEN always does.  The en passant square is written only if a capture is legal.
"""

import re
from collections import Counter

from ludus.errors import BadNotation
from ludus.games.chess.layout import FILES, MOST_CLOCK, MOST_NUMBER, square_name, square_named
from ludus.games.chess.view import ChessView

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FIELDS = "pieces, side to move, castling, en passant, half-move clock, move number"
OPERATION = re.compile(r"([A-Za-z]\w*)((?:\s+(?:\"[^\"]*\"|[^\s;\"]+))*)\s*;", re.ASCII)
CASTLING = re.compile(r"-|[KQA-Ha-hkq]{1,4}", re.ASCII)


def read_fen(text: str, chess960: bool = False) -> ChessView:
    """Read a FEN of six fields, or of the first four.

    Args:
        text: the line.
        chess960: allow castling with king and rooks anywhere on their first rank, not only on the e, a and h files.

    Raises:
        BadNotation: the text is not a FEN, or the position cannot occur in a game; the message gives the reason.
    """
    fields = text.split()
    if len(fields) not in (4, 6):
        raise BadNotation(f"FEN {_short(text)!r} has {len(fields)} fields; it needs {FIELDS} (or the first four).")
    if fields[1] not in ("w", "b"):
        raise BadNotation(f"FEN {_short(text)!r}: the side to move is {fields[1]!r}; write w or b.")
    clock, number = (
        _counter(text, *pair) for pair in zip(("0", "1", *fields[4:])[-2:], (MOST_CLOCK, MOST_NUMBER), strict=True)
    )
    view = ChessView(_pieces(text, fields[0]), "wb".index(fields[1]), set(), clock=clock, number=max(1, number))
    if not re.fullmatch(r"-|[a-h][36]", fields[3], re.ASCII):
        raise BadNotation(
            f"FEN {_short(text)!r}: {fields[3]!r} is not an en passant square; write - or one of rank 3 or 6."
        )
    if fault := _material(view):
        raise BadNotation(f"FEN {_short(text)!r}: {fault}.")
    _castling(text, view, fields[2], chess960)
    if fields[3] != "-":
        view.en_passant = square_named(fields[3])
    return view


def read_epd(text: str, chess960: bool = False) -> tuple[ChessView, dict[str, str]]:
    """Read an EPD line: the position and the operations, such as `bm` (best moves) and `id`, without quotes.

    Raises:
        BadNotation: the text is not an EPD line, or the position cannot occur in a game.
    """
    *fields, rest = (text.split(None, 4) + [""] * 5)[:5]
    if not fields[3]:
        raise BadNotation(
            f"EPD {_short(text)!r} lacks fields; it must begin with pieces, side to move, castling, en passant."
        )
    operations: dict[str, str] = {}
    at = 0
    for found in OPERATION.finditer(rest):
        if rest[at : found.start()].strip():
            break
        operations[found[1]] = found[2].strip().strip('"')
        at = found.end()
    if rest[at:].strip():
        raise BadNotation(f"EPD {_short(text)!r}: {rest[at:].strip()[:40]!r} is not an operation such as `bm Nf3;`.")
    counters = f"{operations.get('hmvc', '0')} {operations.get('fmvn', '1')}"
    return read_fen(f"{' '.join(fields)} {counters}", chess960), operations


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "..."


def _counter(text: str, digits: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,7}", digits, re.ASCII) or int(digits) > most:
        raise BadNotation(f"FEN {_short(text)!r}: the counter {digits!r} is not a number from 0 to {most}.")
    return int(digits)


def _pieces(text: str, placement: str) -> dict[int, str]:
    ranks = placement.split("/")
    if len(ranks) != 8:
        raise BadNotation(f"FEN {_short(text)!r}: {len(ranks)} ranks of pieces; there must be 8, with / between them.")
    pieces: dict[int, str] = {}
    for row, rank in enumerate(ranks):
        file = 0
        for letter in rank:
            if letter in "12345678":
                file += int(letter)
            elif letter in "PNBRQKpnbrqk":
                pieces[8 * file + row] = letter
                file += 1
            else:
                raise BadNotation(f"FEN {_short(text)!r}: {letter!r} in rank {8 - row} is no piece and no number.")
            if file > 8:
                break
        if file != 8 or re.search(r"[0-9]{2}", rank):
            raise BadNotation(f"FEN {_short(text)!r}: rank {8 - row} is {rank!r}, which is not 8 squares.")
    return pieces


def _material(view: ChessView) -> str:
    """Return why these pieces are impossible in a game; empty if they are possible."""
    count = Counter(view.pieces.values())
    for name, king, own in (("White", "K", "PNBRQ"), ("Black", "k", "pnbrq")):
        if count[king] != 1:
            return f"{name} has {count[king] or 'no'} king{'s' if count[king] > 1 else ''}"
        pawn, knight, bishop, rook, queen = (count[letter] for letter in own)
        if pawn > 8:
            return f"{name} has {pawn} pawns"
        promoted = max(0, knight - 2) + max(0, bishop - 2) + max(0, rook - 2) + max(0, queen - 1)
        if promoted > 8 - pawn:
            pieces, pawns = "piece" if promoted == 1 else "pieces", "pawn" if pawn == 7 else "pawns"
            return f"{name} has {promoted} {pieces} more than at the start, but only {8 - pawn} {pawns} fewer"
    if any(square & 7 in (0, 7) for square, letter in view.pieces.items() if letter in "Pp"):
        return "a pawn stands on the first or last rank"
    return ""


def _castling(text: str, view: ChessView, letters: str, chess960: bool) -> None:
    if not CASTLING.fullmatch(letters) or len(set(letters)) < len(letters):
        raise BadNotation(f"FEN {_short(text)!r}: {letters!r} are not castling rights; write some of KQkq, or -.")
    for letter in letters.replace("-", ""):
        player = int(letter.islower())
        row, king = 0 if player else 7, view.king(player)
        if letter in "KQkq":
            named = rooks_beside(view, letter)
        else:
            named = [rook for rook in _rooks(view, player) if FILES[rook >> 3] == letter.lower()]
        if king & 7 != row or not named:
            missing = "the king is not on its first rank" if king & 7 != row else "its rook is missing"
            raise BadNotation(f"FEN {_short(text)!r}: castling right {letter}: {missing}.")
        if not chess960 and not is_usual_right(king, named[0]):
            where = f"king {square_name(king)}, rook {square_name(named[0])}"
            raise BadNotation(f"FEN {_short(text)!r}: castling right {letter} ({where}) exists in Chess960 only.")
        if any((rook < king) == (named[0] < king) and rook != named[0] for rook in view.castlers if rook & 7 == row):
            raise BadNotation(f"FEN {_short(text)!r}: two castling rights on one side of the king {square_name(king)}.")
        view.castlers.add(named[0])


def rooks_beside(view: ChessView, right: str) -> list[int]:
    """Return the rooks beside the king that a castling right of KQkq can mean, the outermost first."""
    player = int(right.islower())
    king, rooks = view.king(player), _rooks(view, player)
    return [rook for rook in rooks[::-1] if rook > king] if right in "Kk" else [rook for rook in rooks if rook < king]


def _rooks(view: ChessView, player: int) -> list[int]:
    """Return a player's rooks on the first rank, from file a to h."""
    row = 0 if player else 7
    return [square for square in range(row, 64, 8) if view.pieces.get(square) == "Rr"[player]]


def is_usual_right(king: int, rook: int) -> bool:
    """Return whether a king and a rook stand where they castle in ordinary chess, not in Chess960 only."""
    return king >> 3 == 4 and rook >> 3 in (0, 7)


def write_fen(view: ChessView, shredder: bool = False) -> str:
    """Return the position as X-FEN or Shredder-FEN."""
    return f"{write_epd(view, shredder)} {view.clock} {view.number}"


def write_epd(view: ChessView, shredder: bool = False) -> str:
    """Return the four fields common to FEN and EPD."""
    ranks: list[str] = []
    for row in range(8):
        rank = "".join(view.pieces.get(8 * file + row, "1") for file in range(8))
        ranks.append(re.sub("1+", lambda gap: str(len(gap[0])), rank))
    castling = "".join(_right(view, rook, shredder) for rook in _in_order(view))
    en_passant = "-" if view.en_passant is None else square_name(view.en_passant)
    return f"{'/'.join(ranks)} {'wb'[view.player]} {castling or '-'} {en_passant}"


def _in_order(view: ChessView) -> list[int]:
    """Return the castling rooks, White's before Black's, kingside before queenside."""
    return sorted(view.castlers, key=lambda rook: (rook & 7 == 0, -rook))


def _right(view: ChessView, rook: int, shredder: bool) -> str:
    player = int(rook & 7 == 0)
    king, row = view.king(player), rook & 7
    right = rook > king
    outside = range((rook >> 3) + 1, 8) if right else range(rook >> 3)
    inner = any(view.pieces.get(8 * file + row) == "Rr"[player] for file in outside)
    letter = FILES[rook >> 3] if shredder or inner else ("k" if right else "q")
    return letter if player else letter.upper()
