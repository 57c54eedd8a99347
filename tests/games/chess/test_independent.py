"""Chess against python-chess: random games, and the validity of FENs."""

import chess as judge
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadNotation
from ludus.games.chess.fen import write_fen
from ludus.games.chess.view import ChessView
from ludus.seeding import stream

REASONS = {
    "checkmate": "CHECKMATE",
    "stalemate": "STALEMATE",
    "insufficient material": "INSUFFICIENT_MATERIAL",
    "75 moves": "SEVENTYFIVE_MOVES",
    "fivefold repetition": "FIVEFOLD_REPETITION",
}
PATIENT = ludus.game("chess:960:play-on")


def all_written(position):
    return {choice.text: choice.move for choice in position.describe().choices}


def all_san(board):
    return {board.uci(move, chess960=True): board.san(move) for move in board.legal_moves}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), number=st.integers(0, 959))
def test_random_games_agree(seed, number):
    rng = stream(seed, "test", "chess")
    position, board = PATIENT.compile().start(number), judge.Board.from_chess960_pos(number)
    for ply in range(120):
        assert write_fen(ChessView.read(position.state)) == board.fen(en_passant="legal")
        moves = {position.text(action): action for action in position.actions}
        outcome = board.outcome()
        assert (
            position.outcome is None
            if outcome is None
            else REASONS[position.outcome.reason] == outcome.termination.name
        )
        if outcome:
            break
        assert sorted(moves) == sorted(move.uci() for move in board.legal_moves)
        if ply % 8 == 0:
            assert all_written(position) == all_san(board)
        move = sorted(moves)[int(rng.integers(len(moves)))]
        assert PATIENT.move_text(position.state, [moves[move]]) == board.san(judge.Move.from_uci(move))
        position = position.play(moves[move])
        board.push_uci(move)


@pytest.mark.parametrize(
    ("fen", "check"),
    [
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+"),
        ("8/8/8/8/8/8/8/RK3k2 w Q - 0 1", "O-O-O+"),  # the king, not the rook, blocked the line
        ("4k3/8/8/3pP3/8/8/8/K3R3 w - d6 0 1", "exd6+"),
        ("8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1", "exd6+"),  # both pawns leave the rank
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q+"),
        ("8/3kP3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q+"),
        ("8/P1k5/8/8/8/8/8/4K3 w - - 0 1", "a8=N+"),
        ("k7/8/8/8/8/8/K7/Q7 w - - 0 1", "Kb3+"),
        ("k7/8/8/3K4/8/7P/6B1/8 w - - 0 1", "Kd6+"),
        ("K7/8/8/3k4/8/7p/6b1/8 b - - 0 1", "Kd6+"),
        ("7k/8/8/8/8/8/P7/K6R b - - 0 1", "Kg8"),
    ],
)
def test_checks_of_every_kind_are_written(fen, check):
    position, board = PATIENT.compile().start(fen), judge.Board(fen, chess960=True)
    assert all_written(position) == all_san(board)
    assert check in all_written(position).values()


def possible(fen):
    """Return whether a FEN's pieces can result from promotions, which python-chess does not check."""
    for own in ("PNBRQ", "pnbrq"):
        pawn, *pieces = (fen.split()[0].count(letter) for letter in own)
        if sum(max(0, count - first) for count, first in zip(pieces, (2, 2, 2, 1), strict=True)) > 8 - pawn:
            return False
    return True


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    castling=st.sampled_from(["-", "KQkq", "K", "q", "Kq", "HAha", "Gb"]),
    passed=st.sampled_from(["-", "-", "-", "d6", "e3"]),
)
def test_both_programs_refuse_the_same_positions(seed, castling, passed):
    rng = stream(seed, "test", "chess-fen")
    board = judge.Board()
    for _ in range(int(rng.integers(60))):
        if moves := sorted(move.uci() for move in board.legal_moves):
            board.push_uci(moves[int(rng.integers(len(moves)))])
    for _ in range(int(rng.integers(4))):
        square, letter = int(rng.integers(64)), "PNBRQKpnbrqk."[int(rng.integers(13))]
        board.set_piece_at(square, None if letter == "." else judge.Piece.from_symbol(letter))
    fen = f"{board.board_fen()} {'wb'[int(rng.integers(2))]} {castling} {passed} 0 1"
    try:
        other = judge.Board(fen, chess960=True)
    except ValueError:  # python-chess cannot read the castling right
        other = None
    valid = other is not None and other.is_valid() and possible(fen)
    if valid and castling != "-":  # python-chess accepts a right without a rook
        valid = len(other.castling_xfen().replace("-", "")) == len(castling)
    try:
        found = PATIENT.start_state(fen)
    except BadNotation:
        assert not valid
    else:
        assert valid
        assert write_fen(ChessView.read(found)) == other.fen(en_passant="legal")


@pytest.mark.parametrize("number", range(0, 960, 37))
def test_start_positions_have_the_usual_numbers(number):
    assert write_fen(ChessView.read(PATIENT.start_state(number))) == judge.Board.from_chess960_pos(number).fen()
