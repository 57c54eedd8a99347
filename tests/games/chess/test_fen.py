"""FEN: refused texts with the reason, and the canonical form of accepted ones."""

import pytest

import ludus
from ludus.errors import BadNotation
from ludus.games.chess.fen import START, read_epd, read_fen, write_epd, write_fen
from ludus.games.chess.view import ChessView

EMPTY = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("", "has 0 fields"),
        ("4k3/8/8/8/8/8/8/4K3 w", "has 2 fields"),
        ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "the side to move is 'white'; write w or b"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks of pieces; there must be 8"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1 is '4K4', which is not 8 squares"),
        ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", "rank 7 is '44', which is not 8 squares"),
        ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "'X' in rank 1 is no piece and no number"),
        ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "'e4' is not an en passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "the counter 'x' is not a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "the counter '-1' is not a number"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("4k1k1/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
        ("4k3/8/8/PPP5/PPP5/PPP5/8/4K3 w - - 0 1", "White has 9 pawns"),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "1 piece more than at the start, but only 0 pawns fewer"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K: its rook is missing"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling right K: the king is not on its first rank"),
        ("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "castling right Q (king e1, rook b1) exists in Chess960 only"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "'KK' are not castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w 1 - 0 1", "'1' are not castling rights"),
    ],
)
def test_a_fen_is_refused_with_the_reason(fen, complaint):
    with pytest.raises(BadNotation) as refusal:
        read_fen(fen)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "Black is in check, but White is to move"),
        ("8/8/8/8/8/8/8/kK6 w - - 0 1", "the kings are adjacent"),
        ("8/8/8/3k4/4K3/8/8/8 b - - 0 1", "the kings are adjacent"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can have just passed the en passant square e6"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "no pawn can have just passed"),
        ("4k3/8/2n5/8/3K4/5n2/8/3r4 w - - 0 1", "3 pieces give check at once"),
        ("4k3/8/8/8/r2K3r/8/8/8 w - - 0 1", "two pieces give check from opposite sides"),
        ("4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1", "cannot have opened this check"),
    ],
)
def test_a_position_that_no_game_reaches_is_refused(chess, fen, complaint):
    with pytest.raises(BadNotation) as refusal:
        chess.start(fen)
    assert complaint in str(refusal.value)


def test_counters_may_be_missing():
    assert write_fen(read_fen("4k3/8/8/8/8/8/8/4K3 b - -")) == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert write_epd(read_fen(START)) == START.rsplit(" ", 2)[0]


@pytest.mark.parametrize(
    ("castling", "written", "shredder"),
    [("HAha", "KQkq", "HAha"), ("KQkq", "KQkq", "HAha"), ("Kq", "Kq", "Ha"), ("G", "G", "G"), ("-", "-", "-")],
)
def test_all_spellings_of_castling_rights_are_read(castling, written, shredder):
    fen = f"r3k2r/8/8/8/8/8/8/R3K1RR w {castling} - 0 1"
    view = read_fen(fen, chess960=True)
    assert write_fen(view).split()[2] == written
    assert write_fen(view, shredder=True).split()[2] == shredder


def test_the_en_passant_square_is_written_only_if_a_capture_is_legal(chess):
    after = chess.start().play("e4")
    assert write_fen(ChessView.read(after.state)).split()[3] == "-"
    after = after.play("a6").play("e5").play("d5")
    assert write_fen(ChessView.read(after.state)).split()[3] == "d6"


def test_invalid_setups_are_refused(chess):
    for setup in (5, [], {"moves": []}, {"fen": EMPTY, "more": 1}, "nonsense"):
        with pytest.raises(BadNotation):
            chess.start(setup)
    for key in ("moves", "recent"):
        for value in (5, None, "e2e4", [["e2e4"]], [None], {"e2e4": 1}):
            with pytest.raises(BadNotation, match=f"Setup of chess: {key} is"):
                chess.start({"fen": START, key: value})
    with pytest.raises(BadNotation, match="numbered 0 to 959"):
        ludus.game("chess:960").start(960)
    with pytest.raises(BadNotation, match="there is no 960"):
        ludus.game("chess:960").start({"number": 960})
    with pytest.raises(BadNotation, match="not a setup of chess"):
        ludus.game("chess").start({"number": 518})
    numbered = ludus.game("chess:960").start({"number": 3})
    assert numbered.state.tolist() == ludus.game("chess:960").start(3).state.tolist()


def test_a_setup_may_continue_with_moves(chess):
    position = chess.start({"fen": START, "moves": ["e2e4", "e7e5"]})
    assert write_fen(ChessView.read(position.state)) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def test_the_operations_of_an_epd_line_are_read():
    view, operations = read_epd('4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id "a; b.1"; hmvc 7; noop;')
    assert operations == {"bm": "e4 e3", "id": "a; b.1", "hmvc": "7", "noop": ""}
    assert write_fen(view) == "4k3/8/8/8/8/8/4P3/4K3 w - - 7 1"
    with pytest.raises(BadNotation, match="'bm e4' is not an operation"):
        read_epd("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4")
    with pytest.raises(BadNotation, match="lacks fields"):
        read_epd("4k3/8/8/8/8/8/4P3/4K3 w")
