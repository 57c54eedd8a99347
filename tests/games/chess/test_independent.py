"""Chess as another program knows it (python-chess): random games, and FENs that are valid or not."""

import chess as judge
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadNotation
from ludus.games.chess.fen import write_fen
from ludus.games.chess.view import View
from ludus.seeding import stream

REASONS = {
    "checkmate": "CHECKMATE",
    "stalemate": "STALEMATE",
    "insufficient material": "INSUFFICIENT_MATERIAL",
    "75 moves": "SEVENTYFIVE_MOVES",
    "fivefold repetition": "FIVEFOLD_REPETITION",
}
PATIENT = ludus.game("chess:960:play-on")


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), number=st.integers(0, 959))
def test_random_games_agree(seed, number):
    rng = stream(seed, "test", "chess")
    position, board = PATIENT.compile().start(number), judge.Board.from_chess960_pos(number)
    for _ in range(120):
        assert write_fen(View.read(position.state)) == board.fen(en_passant="legal")
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
        move = sorted(moves)[int(rng.integers(len(moves)))]
        assert PATIENT.move_text(position.state, [moves[move]]) == board.san(judge.Move.from_uci(move))
        position = position.play(moves[move])
        board.push_uci(move)


def possible(fen):
    """Return whether the pieces of a FEN can be promoted ones, which the other program does not ask."""
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
def test_positions_are_refused_by_both_or_by_none(seed, castling, passed):
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
    except ValueError:  # a castling right that it cannot read
        other = None
    valid = other is not None and other.is_valid() and possible(fen)
    if valid and castling != "-":  # it overlooks a right without a rook
        valid = len(other.castling_xfen().replace("-", "")) == len(castling)
    try:
        found = PATIENT.start_state(fen)
    except BadNotation:
        assert not valid
    else:
        assert valid
        assert write_fen(View.read(found)) == other.fen(en_passant="legal")


@pytest.mark.parametrize("number", range(0, 960, 37))
def test_start_positions_have_the_usual_numbers(number):
    assert write_fen(View.read(PATIENT.start_state(number))) == judge.Board.from_chess960_pos(number).fen()
