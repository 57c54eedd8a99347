"""The rules of chess against the slow reference, and special cases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.chess.fen import write_fen
from ludus.games.chess.view import ChessView
from ludus.seeding import stream

SETUPS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/4k3/8/8/4K3/R6r w - - 90 60",
    "4k3/8/8/3b4/8/8/3B4/4K3 w - - 0 1",
    "2rkr3/pppp1ppp/8/8/8/8/PPPP1PPP/2RKR3 w CEce - 0 1",
]


def texts(position):
    return sorted(position.text(action) for action in position.actions)


def result(position):
    if not position.outcome:
        return ""
    return "1/2-1/2" if position.outcome.winner is None else ("1-0", "0-1")[position.outcome.winner]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), start=st.sampled_from([*SETUPS, *range(0, 960, 7)]), lazy=st.booleans())
def test_random_games_agree_with_the_slow_reference(chess960, reference, seed, start, lazy):
    rng = stream(seed, "test", "chess")
    position = chess960.start(start)
    slow = reference(write_fen(ChessView.read(position.state), shredder=True))
    for _ in range(30):
        assert texts(position) == ([] if slow.outcome(100, 3) else slow.legal())
        assert result(position) == slow.outcome(100, 3)
        if position.outcome:
            break
        choices = texts(position)
        if lazy:  # avoids captures and pawn moves, so that positions repeat
            quiet = [move for move in choices if move[:2] + move[2:4] in KNIGHT_HOPS]
            choices = quiet or choices
        move = choices[int(rng.integers(len(choices)))]
        position = position.play(move)
        slow.play(move)


KNIGHT_HOPS = {"g1f3", "f3g1", "g8f6", "f6g8", "b1c3", "c3b1", "b8c6", "c6b8", "e1d1", "d1e1", "e8d8", "d8e8"}


def test_the_third_occurrence_ends_the_game_unless_play_on_is_set(chess):
    hops = ["Nf3", "Nf6", "Ng1", "Ng8"]
    position, patient = chess.start(), ludus.game("chess:play-on").start()
    for index, move in enumerate(hops * 4):
        if not position.outcome:
            position = position.play(move)
            assert (index == 7) == bool(position.outcome)
        assert not patient.outcome
        patient = patient.play(move)
    assert position.outcome.reason == "threefold repetition"
    assert patient.outcome.reason == "fivefold repetition"


def test_an_en_passant_capture_makes_a_different_position(chess):
    position = chess.start("4k1n1/3p4/8/4P3/8/8/8/4K1N1 b - - 0 1").play("d5")
    assert ChessView.read(position.state).en_passant is not None
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        position = position.play(move)
    assert ChessView.read(position.state).repeats == 1  # at the first occurrence, en passant was possible
    assert not position.outcome


def test_an_en_passant_square_without_a_capture_makes_no_difference(chess):
    position = chess.start("4k1n1/3p4/8/8/8/8/8/4K1N1 b - - 0 1").play("d5")
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        position = position.play(move)
    assert position.outcome.reason == "threefold repetition"


def test_a_lost_castling_right_makes_a_different_position(chess):
    position = chess.start("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1")
    for move in ["Kf1", "Kf8", "Ke1", "Ke8"] * 2:
        position = position.play(move)
    assert ChessView.read(position.state).repeats == 1
    assert ChessView.read(position.state).castlers == set()


def test_repetitions_survive_the_setup(chess):
    position = chess.start()
    for move in ["e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6"]:
        position = position.play(move)
    again = chess.start(chess.setup(position.state))
    assert again.state.tolist() == position.state.tolist()
    assert again.play("Ng1").play("Ng8").outcome.reason == "threefold repetition"


@pytest.mark.parametrize(
    ("fen", "move", "winner", "reason"),
    [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "Qg7", 0, "checkmate"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "Qg1", None, "50 moves"),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 80", "Qg6", None, "stalemate"),
        ("8/8/8/8/8/4k3/4p3/4K2B b - - 0 1", "Kd3", None, ""),
        ("8/8/8/8/8/3k4/4p3/4K2B w - - 0 1", "Bf3", None, ""),
        ("8/8/8/3k4/8/8/4r3/3K4 w - - 0 1", "Kxe2", None, "insufficient material"),
    ],
)
def test_games_end_with_their_reason(chess, fen, move, winner, reason):
    position = chess.start(fen).play(move)
    found = (position.outcome.winner, position.outcome.reason) if position.outcome else (None, "")
    assert found == (winner, reason)


def test_seventy_five_moves_end_a_game_that_plays_on():
    game = ludus.game("chess:play-on")
    assert not game.start("7k/8/8/8/8/8/8/KR6 w - - 148 99").play("Rb2").outcome
    assert game.start("7k/8/8/8/8/8/8/KR6 w - - 149 99").play("Rb2").outcome.reason == "75 moves"


def test_the_reason_names_the_automatic_draw_not_the_claimable_one():
    position = ludus.game("chess:play-on").start("4k1n1/8/8/8/8/8/8/R3K1N1 w - - 142 99")
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        assert not position.outcome
        position = position.play(move)
    view = ChessView.read(position.state)
    assert (view.clock, view.repeats) == (150, 2)
    assert position.outcome.reason == "75 moves"


def test_the_position_with_the_most_legal_moves_has_max_legal(chess):
    assert len(chess.start("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").actions) == chess.max_legal


def test_seed_actions_are_seen_by_white(chess):
    seed = ludus.game("chess:seed")
    position = seed.start().play("e4")
    assert position.action == 64 * 8 + 8 * 4 + 6  # two squares north from e2
    after = position.play("e5")
    assert after.action == 64 * 36 + 8 * 4 + 1  # two squares south from e7
    assert chess.start().play("e4").play("e5").action == position.action


@pytest.mark.parametrize("move", ["a7b8n", "a7a8b", "a7a8q", "a7b8r"])
def test_seed_underpromotions_have_separate_planes(move):
    position = ludus.game("chess:seed").start("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").play(move)
    plane = {"a7b8n": 66, "a7a8b": 68, "a7a8q": 7, "a7b8r": 72}[move]
    assert position.action == 64 * plane + 1
    letters = ChessView.read(position.state).pieces
    assert letters[8 if "b8" in move else 0] == move[-1].upper()
