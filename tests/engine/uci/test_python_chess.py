"""python-chess, with which many programs use engines, gets what it asks the engine for."""

import sys
from pathlib import Path

import chess
import chess.engine
import pytest

MODEL = Path(__file__).parents[3] / "models" / "chess"
COMMAND = [sys.executable, "-m", "ludus", "engine", "uci", "--model", str(MODEL), "--memory", "64"]


@pytest.fixture(scope="module")
def program():
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=600) as engine:
        engine.timeout = 600  # the first search compiles
        yield engine


def lines(program, board, **asked):
    """Analyse a board; return the first moves of the lines, the best line first."""
    infos = program.analyse(board, chess.engine.Limit(nodes=400), **asked)
    assert [info["multipv"] for info in infos] == list(range(1, len(infos) + 1))
    assert all(isinstance(info["score"], chess.engine.PovScore) for info in infos)
    assert all(info["nodes"] <= 500 for info in infos)
    return [info["pv"][0] for info in infos]


@pytest.mark.full
@pytest.mark.parametrize("moves", [["a2a3", "h2h4"], ["e2e4", "d2d4", "g1f3"], ["a2a4"]])
def test_each_wanted_root_move_has_a_line(program, moves):
    wanted = [chess.Move.from_uci(move) for move in moves]
    found = lines(program, chess.Board(), root_moves=wanted, multipv=3)
    assert len(found) == len(wanted)
    assert {*found} == {*wanted}


@pytest.mark.full
def test_without_wanted_moves_the_best_lines_are_distinct(program):
    assert len({*lines(program, chess.Board(), multipv=3)}) == 3


@pytest.mark.full
def test_a_mate_is_found_among_wanted_moves(program):
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    wanted = [chess.Move.from_uci(move) for move in ("g1f1", "a1a8")]
    infos = program.analyse(board, chess.engine.Limit(nodes=400), root_moves=wanted, multipv=3)
    assert [info["pv"][0].uci() for info in infos] == ["a1a8", "g1f1"]
    assert infos[0]["score"].white() == chess.engine.Mate(1)


@pytest.mark.full
def test_a_game_of_chess960_is_played_with_wanted_moves(program):
    board = chess.Board.from_chess960_pos(1)
    wanted = [*board.legal_moves][:2]
    assert program.play(board, chess.engine.Limit(nodes=50), root_moves=wanted).move in wanted


@pytest.mark.full
def test_an_endless_analysis_goes_on_in_a_small_tree():
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=600) as engine:
        engine.configure({"Hash": 1})
        with engine.analysis(chess.Board()) as analysis:
            full, visits = 0, 0
            for info in analysis:
                full = full or (info.get("hashfull") == 1000 and visits)
                visits = info.get("nodes", visits)
                if full and visits > 4 * full:
                    break
        assert full
        assert analysis.wait().move in chess.Board().legal_moves
