"""The UCI match blames the engine that fails, and reports errors of its command in one sentence."""

import sys
from types import SimpleNamespace

import chess
import chess.engine
import msgspec
import pytest

from ludus.lines import sealed


class OtherLine(msgspec.Struct):
    game: int


@pytest.fixture(scope="module")
def bench(load_program):
    return load_program("bench/uci_match.py")


def first_move(board, _limit, game):
    return SimpleNamespace(move=next(iter(board.legal_moves)))


def end(_board, _limit, game):
    raise chess.engine.EngineTerminatedError("engine process died (exit code: 1)")


@pytest.mark.parametrize(
    ("ours", "theirs", "points", "fault"), [(first_move, end, 1.0, "they ended: "), (end, first_move, 0.0, "ended: ")]
)
def test_an_engine_that_ends_loses_its_game(bench, ours, theirs, points, fault):
    players = (SimpleNamespace(play=each) for each in (ours, theirs))
    found = bench.play(*players, chess.Board(), chess.WHITE, (600.0, 0.0))
    assert found[:2] == (points, f"{fault}engine process died (exit code: 1)")


@pytest.mark.parametrize(
    ("options", "record", "complaint"),
    [
        (["--time", "60"], b"", "--time: seconds and increment are written as 1+0.1"),
        (["--option", "Hash"], b"", "Hash: an option is written as NAME=VALUE"),
        ([], sealed(OtherLine(1)), "is not a record of this program"),
    ],
)
def test_a_mistake_in_the_command_is_one_sentence(bench, capsys, monkeypatch, tmp_path, options, record, complaint):
    (tmp_path / "match.jsonl").write_bytes(record)
    command = ["uci_match.py", "--model", "models/chess", "--engine", "stockfish", "--games", "0", *options]
    monkeypatch.setattr(sys, "argv", [*command, "--record", str(tmp_path / "match.jsonl")])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert complaint in capsys.readouterr().err + str(ended.value)


def test_a_record_of_other_openings_is_refused(bench, monkeypatch, tmp_path):
    usual = "chess [] - stockfish [], 1+0.1"
    line = bench.GameLine(0, usual, chess.STARTING_FEN, "e2e4", white=True, points=0.5)
    (tmp_path / "match.jsonl").write_bytes(sealed(line))
    command = ["uci_match.py", "--model", "models/chess", "--engine", "stockfish", "--games", "0"]
    command += ["--record", str(tmp_path / "match.jsonl")]
    monkeypatch.setattr(sys, "argv", command)
    bench.main()
    monkeypatch.setattr(sys, "argv", [*command, "--seed", "1"])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert f"contains games of {usual}, not of {usual}, seed 1; name another file" in str(ended.value)


def test_the_referee_ends_a_game_only_at_the_threefold_repetition(bench):
    board = chess.Board("7k/8/8/8/8/8/8/KQ6 w - - 0 1")
    for move in ["b1b2", "h8g8", "b2b1", "g8h8", "b1b2", "h8g8", "b2b1"]:
        board.push_uci(move)
    assert not bench.is_over(board)
    board.push_uci("g8h8")
    assert bench.is_over(board)
    assert board.result() == "*"
