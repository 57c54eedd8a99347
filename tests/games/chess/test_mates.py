"""The rule `foresee` of chess: a win exactly in positions with a mate in one, of every kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.calls import RULES
from ludus.games.chess.mates import attacks_of_mover, checking_aims, leaves_escape
from ludus.games.chess.moves import write_legal
from ludus.games.chess.notation import in_check
from ludus.games.chess.pieces import kings, sets
from ludus.games.packed import ONE
from ludus.games.rules import FIRST_WINS, ONGOING
from ludus.seeding import stream

foresee = RULES["foresee"].entry

ONLY_MATE = {
    "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4": "h5f7",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2": "d8h4",
    "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1": "g5f7",  # smothered
    "6k1/5ppp/8/8/8/8/8/3RK3 w - - 99 80": "d1d8",  # at the hundredth half move
    "8/2P2K2/8/2QpPk2/7R/8/8/8 w - d6 0 1": "e5d6",  # en passant
    "8/6p1/2p5/8/8/8/6R1/1k2K2R w K - 0 1": "e1g1",  # castling
    "2B5/8/8/8/8/8/3R4/R3K1k1 w Q - 0 1": "e1c1",
    "8/1n2P3/3k1K2/1R2N2Q/8/8/8/8 w - - 0 1": "e7e8n",  # a queen would not mate
    "k2n4/1p6/8/B3p3/R1P5/8/8/3KB3 w - - 0 1": "a5c7",  # a discovered check by the rook
    "k7/2B5/2K5/3B1pp1/8/N6R/p7/7n w - - 0 1": "c6b6",  # a discovered check by a king's move
}
NO_MATE = [
    "4K3/2b5/4Q3/4R1qk/2P4p/7n/6P1/8 w - - 0 1",  # g4 can be captured en passant
    "6k1/4rppp/8/8/1b6/8/3R4/4K3 w - - 0 1",  # the rook is pinned
    "2r3k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1",  # the rook can be captured on the last rank
    "6k1/5ppp/8/8/7b/8/8/3RK3 w - - 0 1",  # White is in check, and the rook's move does not answer it
]
RICH = [  # positions with many mates and checks
    "5r2/5KP1/5N1k/8/7P/8/8/8 w - - 0 1",  # a promoted bishop or queen attacks through the pawn's former square
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "7k/1R6/6R1/8/8/8/3q2r1/K7 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/k7/8/1K6/2Q5/8/2q5/6R1 w - - 0 1",
    "8/5P1k/4K3/3p1R2/8/2Q5/4B3/7r w - - 0 1",
]


def mates(position):
    """Return whether some action gives mate, by trying all of them."""
    after = {position.text(action): position.play(action).outcome for action in position.actions}
    return [text for text, outcome in after.items() if outcome and outcome.winner is not None]


@pytest.mark.parametrize("fen", ONLY_MATE)
def test_every_kind_of_mate_is_foreseen(chess, fen):
    position = chess.start(fen)
    assert mates(position) == [ONLY_MATE[fen]]
    assert foresee(chess.rules, position.state) == FIRST_WINS + position.to_play


@pytest.mark.parametrize("fen", NO_MATE)
def test_an_apparent_mate_is_not_foreseen(chess, fen):
    position = chess.start(fen)
    assert not mates(position)
    assert foresee(chess.rules, position.state) == ONGOING


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    fen=st.sampled_from(RICH),
    spec=st.sampled_from(["chess", "chess:960", "chess:play-on", "chess:seed"]),
)
def test_a_mate_is_foreseen_exactly_if_trying_all_actions_finds_one(seed, fen, spec):
    game, rng = ludus.game(spec), stream(seed, "test", "mates")
    position = game.start(fen)
    for _ in range(12):
        found = FIRST_WINS + position.to_play if mates(position) else ONGOING
        assert foresee(game.rules, position.state) == found
        position = position.play(position.actions[int(rng.integers(len(position.actions)))])
        if position.outcome:
            break


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), fen=st.sampled_from([*RICH, *ONLY_MATE, *NO_MATE]))
def test_all_actions_that_give_check_are_kept_and_escapes_exist(chess, seed, fen):
    rng = stream(seed, "test", "checks")
    position = chess.start(fen)
    for _ in range(12):
        board, actions = sets(position.state), np.zeros(chess.max_legal, np.int16)
        with np.errstate(over="ignore"):
            kept = actions[: write_legal(position.state, actions, checking_aims(position.state))].tolist()
            covered = attacks_of_mover(board, np.uint64(sum({1 << (action & 63) for action in kept})))
            escapable = [action for action in kept if leaves_escape(board, action, *covered)]
        checks = {action for action in position.actions if in_check(position.play(action).state)}
        assert set(position.actions) >= set(kept) >= checks
        for action in escapable:
            after = position.play(action)
            assert any(kings(sets(after.state)) >> np.uint64(reply & 63) & ONE for reply in after.actions)
        position = position.play(position.actions[int(rng.integers(len(position.actions)))])
        if position.outcome:
            break
