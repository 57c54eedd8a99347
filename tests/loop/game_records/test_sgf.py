"""Games of Go become samples; unusable games are reported."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadInput
from ludus.games.rules import FIRST_WINS, SECOND_WINS
from ludus.loop.game_records.positions import positions_of
from ludus.loop.game_records.readers import read_records

GAMES = [ludus.game("go:3x3@5x5:pass-lock"), ludus.game("go:5x5:pass-lock")]


def fails(fault):
    raise AssertionError(fault)


@pytest.fixture
def read(tmp_path):
    def read(text, games=GAMES):
        path, faults = tmp_path / "games.sgf", []
        path.write_text(text)
        return read_records(path, games, faults.append), [fault.partition("games.sgf, ")[2] for fault in faults]

    return read


def test_moves_are_learned_with_the_recorded_result(read):
    samples, faults = read("(;SZ[5]RE[W+R];B[cc];W[bb];B[dd])")
    assert not faults
    assert samples.action.tolist() == [12, 6, 18]
    assert samples.mover.tolist() == [0, 1, 0]
    assert (samples.outcome == SECOND_WINS).all()


def test_a_ko_may_be_filled_by_its_taker_after_an_unrecorded_pass(read):
    taken = ";B[bc];W[db];B[cb];W[dd];B[cd];W[ec];B[ae];W[cc];B[dc]"
    simple = [ludus.game("go:5x5:chinese:pass-lock")]
    samples, faults = read(f"(;SZ[5]RU[Chinese]RE[B+R]{taken};B[cc])", simple)
    assert (len(samples), faults) == (10, [])
    _, faults = read(f"(;SZ[5]RU[Chinese]RE[B+R]{taken};W[cc])", simple)
    assert "a ko may not be retaken at once" in faults[0]


def test_a_finished_game_without_a_recorded_result_is_counted(read):
    samples, _ = read("(;SZ[3]KM[0.5];B[bb];W[];B[])")
    assert (len(samples), int(samples.outcome[0]), set(samples.game)) == (3, FIRST_WINS, {0})
    assert np.isfinite(samples.root_value).all()


def test_unusable_games_are_reported_with_the_reason(read):
    samples, faults = read(
        "(;SZ[5]RE[B+1];B[cc])(;SZ[9];B[cc])(;SZ[5];B[cc])(;SZ[5]RE[B+1];B[cc]\n;W[cc])"
        "(;GM[2])(;SZ[5]RE[B+1])(;SZ[5]RE[0];B[aa];AW[cc])"
    )
    assert (samples.weight > 0).sum() == 1
    assert faults == [
        "game 2: it is a game of go:9x9, not of go:3x3@5x5:pass-lock, go:5x5:pass-lock.",
        "game 3: it has no result.",
        "game 4: SGF, line 2, node 2: White may not play C3 here: the point is occupied.",
        "game 5, line 2: GM[2] is not Go, GM[1].",
        "game 6: it has no moves.",
        "game 7: pieces are set up during the game.",
    ]


def test_a_file_that_is_not_sgf_is_reported(tmp_path):
    path, faults = tmp_path / "games.sgf", []
    path.write_text("nothing")
    assert len(read_records(path, GAMES, faults.append)) == 0
    assert faults == [f"left out: {path}: SGF: there is no game tree; a file begins with '(;'."]


def test_a_doubtful_place_is_reported_as_what_it_is(tmp_path):
    path, faults = tmp_path / "games.sgf", []
    path.write_text("(;SZ[5]RE[B+1];B[cc]\n(;SZ[5]RE[W+1];B[cc]C[so;W[bb])")
    assert len(read_records(path, GAMES, faults.append)) == 2
    assert faults == [
        f"{path}, line 2: a game begins before the one above it is closed.",
        f"{path}, line 2: a value of C ends like a property; its bracket may be missing.",
    ]


def test_a_record_of_other_games_is_refused(read):
    with pytest.raises(BadInput, match="holds games of Go, not of tictactoe"):
        read("(;SZ[5];B[aa])", [ludus.game("tictactoe")])


def test_positions_of_go_records_are_read_for_analysis(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[5];B[cc];W[bb])(;SZ[5];B[cc];W[dd];B[bb])")
    found = positions_of([path], ludus.game("go:5x5"), fails)
    assert [position.moves for position in found] == [[], ["C3"], ["C3", "B4"], ["C3", "D2"], ["C3", "D2", "B4"]]
    path.write_text("(;SZ[9];B[jj])(;SZ[9];B[aa])")
    faults = []
    assert len(positions_of([path], ludus.game("go:9x9"), faults.append)) == 2
    assert [
        fault.startswith(f"left out: {path}, game 1: SGF, line 1, node 1: 'jj' is not a point") for fault in faults
    ] == [True]
    path.write_text("(;SZ[9];B[")
    assert positions_of([path], ludus.game("go:9x9"), faults.append) == []
    assert "a value has no closing ]" in faults[-1]
