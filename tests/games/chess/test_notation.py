"""UCI and SAN: many spellings are read, one is written."""

import pytest

import ludus
from ludus.errors import BadNotation, IllegalMove
from ludus.games.chess.notation import Notation

KNIGHTS = "4k3/8/8/8/8/8/3K4/1N3N1N w - - 0 1"
PROMOTION = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


@pytest.mark.parametrize(
    ("fen", "texts", "action"),
    [
        (None, ["Nf3", "Nf3!", "Nf3?!", "N-f3", "Ng1f3", "Ng1-f3", "g1f3", "N1f3", "Ngf3"], "g1f3"),
        (None, ["e4", "Pe4", "e2-e4", "e2e4", "e4+"], "e2e4"),
        (PROMOTION, ["exd8=Q+", "exd8=Q", "exd8Q", "ed8Q", "exd8(Q)", "e7d8q", "e7xd8=q"], "e7d8q"),
        (PROMOTION, ["e8=N", "e8N", "e7e8n"], "e7e8n"),
        (PASSING, ["exd6", "exd6 e.p.", "exd6e.p.", "e5d6", "ed6"], "e5d6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["O-O", "0-0", "O-O!", "e1g1", "e1h1"], "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", ["O-O-O", "0-0-0", "e8c8", "e8a8"], "e8c8"),
    ],
)
def test_many_spellings_mean_one_action(chess, fen, texts, action):
    position = chess.start(fen)
    assert {position.text(position.parse(text)[0]) for text in texts} == {action}


@pytest.mark.parametrize(
    ("fen", "move", "written"),
    [
        (KNIGHTS, "f1g3", "Nfg3"),
        (KNIGHTS, "b1c3", "Nc3"),
        ("4k3/8/8/7N/8/8/3K4/7N w - - 0 1", "h1g3", "N1g3"),
        ("4k3/8/8/5N1N/8/8/3K4/5N2 w - - 0 1", "f5g3", "Nf5g3"),
        ("4k3/8/8/b7/8/8/3N4/4K1N1 w - - 0 1", "g1f3", "Nf3"),  # the other knight is pinned
        (PROMOTION, "e7d8q", "exd8=Q+"),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "Qg7#"),
        (PASSING, "e5d6", "exd6"),
    ],
)
def test_moves_are_written_in_the_shortest_form(chess, fen, move, written):
    position = chess.start(fen)
    assert chess.move_text(position.state, position.parse(move)) == written


def test_an_ambiguous_move_is_refused_with_the_alternatives(chess):
    with pytest.raises(BadNotation, match=r"'Ng3' is ambiguous: Nfg3, Nhg3; name one"):
        chess.start(KNIGHTS).parse("Ng3")
    with pytest.raises(BadNotation, match=r"'e8' is ambiguous: e8=B, e8=N, e8=Q, e8=R"):
        chess.start(PROMOTION).parse("e8")


def test_unreadable_and_illegal_moves_raise_different_errors(chess):
    for text in ("e9", "i4", "Ne", "--", "Z0", "O-O-O-O", "e4 e5"):
        with pytest.raises(BadNotation, match="is not a move"):
            chess.start().parse(text)
    for text in ("e5", "Nd2", "O-O", "e2e5", "Qh5"):
        with pytest.raises(IllegalMove, match="may not be played here; legal: "):
            chess.start().parse(text)


def test_chess960_castling_names_the_rooks_square(chess960):
    position = chess960.start("1k6/8/8/8/8/8/8/RK5R w HA - 0 1")
    assert {"b1a1", "b1h1"} <= {position.text(action) for action in position.actions}
    assert position.play("b1h1").moves == ["O-O"]
    assert position.play("O-O-O").moves == ["O-O-O"]
    assert position.play("Kc1").moves == ["Kc1"]  # a single step, not castling
    with pytest.raises(IllegalMove):
        ludus.game("chess").start("4k3/8/8/8/8/8/8/4K2R w - - 0 1").parse("O-O")


def test_two_threads_may_read_moves_at_two_positions(chess):
    """Check that each call uses its own position, even if another thread calls in between."""

    class Interrupted(Notation):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "_last" and other is not None:
                super().__setattr__(name, (other.state.tobytes(), {}))

    other = None
    notation = Interrupted(chess960=False, seen_by_mover=lambda _state, action: action, calls=lambda: chess.calls)
    here, other = chess.start(), chess.start().play("e4")
    assert sorted(notation.legal(here.state)) == sorted(here.actions)
