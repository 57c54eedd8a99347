"""PGN games become samples; unusable games are reported with their place and skipped."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadInput
from ludus.games.rules import DRAW, FIRST_WINS
from ludus.loop.game_records.readers import find_records, read_records

GOOD = '[Event "?"]\n[Result "1-0"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 1-0\n\n'
MATE = '[Event "?"]\n[SetUp "1"]\n[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]\n\n1. Ra8# 1-0\n\n'
DRAWN = '[Event "?"]\n\n' + "1. Nf3 Nf6 2. Ng1 Ng8 " * 3 + "7. e4 1/2-1/2\n\n"
JUDGED = (
    '[Event "?"]\n\n1. e4 {[%eval 0.2] [%clk 0:01:00]} e5 {[%eval 0.3,18]} 2. Bc4 Nc6 {[%eval -1.5]} '
    "3. Qh5 {[%eval #1]} Nf6 {[%eval #1]} 4. Qxf7# 1-0\n\n"
)
BROKEN = '[Event "?"]\n\n1. e4 e5 2. Ke3 1-0\n\n'
OPEN = '[Event "?"]\n\n1. e4 *\n\n'
OTHER = '[Event "?"]\n[Variant "Atomic"]\n\n1. e4 1-0\n\n'
FISCHER = '[Event "?"]\n[Variant "Chess960"]\n\n1. e4 1-0\n\n'
CHESS = ludus.game("chess")


def read(tmp_path, *games):
    path, faults = tmp_path / "games.pgn", []
    path.write_text("".join(games))
    return read_records(path, [CHESS], faults.append), faults


def test_moves_are_policy_targets_and_the_result_is_the_outcome(tmp_path):
    samples, faults = read(tmp_path, GOOD, MATE)
    assert faults == []
    position = CHESS.start()
    for index, move in enumerate(("e4", "e5", "Nf3")):
        assert np.array_equal(samples.states[index], position.state.view(np.uint64))
        assert [samples.policy_action[index]] == position.parse(move)
        position = position.play(move)
    assert samples.mover.tolist() == [0, 1, 0, 0]
    assert set(samples.outcome.tolist()) == {FIRST_WINS}
    assert samples.root_value.tolist() == [1.0] * 4
    assert len(set(samples.game_id.tolist())) == 2
    assert (samples.policy_weight == 1.0).all()


def test_a_recorded_evaluation_is_the_value_of_the_position_after_its_move(tmp_path):
    samples, faults = read(tmp_path, JUDGED, GOOD)
    assert faults == []
    start, e4, e5, bc4, nc6, qh5, nf6, *_ = samples.root_value.tolist()
    assert (start, bc4) == (1.0, 1.0), "no evaluation is recorded, so the result counts"
    assert -1.0 < nc6 < 0.0 < e4 < e5 < qh5 == nf6 < 1.0
    assert samples.root_value[7:].tolist() == [1.0] * 3, "another game, without evaluations"
    known = samples.root_draw[[1, 2, 4, 5]]
    assert (known > 0.0).all()
    assert (known + np.abs(samples.root_value[[1, 2, 4, 5]]) < 1.0).all()
    assert set(samples.outcome.tolist()) == {FIRST_WINS}


def test_a_game_ends_where_the_rules_of_the_preset_end_it(tmp_path):
    samples, _ = read(tmp_path, DRAWN)
    assert len(samples) == 8, "threefold repetition of the start position"
    assert set(samples.outcome.tolist()) == {DRAW}


def test_unusable_games_are_reported_and_the_rest_is_read(tmp_path):
    samples, faults = read(tmp_path, BROKEN, GOOD, OPEN, OTHER, FISCHER, MATE)
    assert len(samples) == 4
    assert "line 3" in faults[0]
    for fault, reason in zip(faults[1:], ("has no result", "Atomic", "a game of chess:960, not of chess"), strict=True):
        assert "games.pgn, " in fault
        assert reason in fault


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "games.pgn: it contains no positions."),
        ('[Event "?"]\n\n1-0\n\n', "games.pgn, game 1: it has no moves."),
        (OPEN, "games.pgn, game 1: it has no result."),
    ],
)
def test_a_file_without_usable_games_is_reported(tmp_path, text, sentence):
    samples, faults = read(tmp_path, text)
    assert len(samples) == 0
    assert [fault.rpartition("/")[2] for fault in faults] == [sentence]


def test_chess_is_refused_where_the_preset_plays_something_else(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GOOD)
    assert find_records([tmp_path]) == [path]
    with pytest.raises(BadInput, match="holds games of Chess, not of tictactoe"):
        read_records(path, [ludus.game("tictactoe")])
