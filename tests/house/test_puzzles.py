"""Every shipped puzzle can be played and was evaluated by a shipped model; those of Connect Four are correct."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from ludus import shipped
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.puzzle import read_puzzles
from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
from ludus.site.study.puzzles import Shelf

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "puzzles").glob("*.puzzles"))


def test_the_site_offers_the_puzzles_that_ship():
    assert FILES
    assert shipped.folder("puzzles") == ROOT / "puzzles"  # those of `ludus serve` without --puzzles
    assert all(each.puzzles for each in Shelf([ROOT / "puzzles"]).games.games)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_puzzles_were_evaluated_by_a_shipped_model(path):
    mining, _ = read_puzzles(path)
    assert mining.weights == weights_fingerprint(load_checkpoint(ROOT / "models" / mining.model))


def test_those_of_connect_four_are_true(load_program, one_in_ten):
    bench, solver = load_program("bench/puzzles.py"), ConnectFourSolver()
    puzzles = one_in_ten(list(bench.puzzles_of(ROOT / "puzzles/connect4.puzzles")))
    assert puzzles
    assert [bench.fault(puzzle, solver) for puzzle in puzzles] == ["" for _ in puzzles]


@pytest.mark.full
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_longer_search_finds_the_same_solutions(path, load_program):
    bench = load_program("bench/puzzles.py")
    mining, found = read_puzzles(path)
    puzzles = [puzzle for mined in found for puzzle in mined.puzzles][:3]
    faults = bench.faults_by_search(puzzles, ROOT / "models" / mining.model, 4 * mining.visits)
    assert list(faults.values()) == ["" for _ in puzzles]


def test_the_solver_finds_what_is_wrong_with_a_puzzle(load_program):
    bench, solver = load_program("bench/puzzles.py"), ConnectFourSolver()
    puzzle = next(each for each in bench.puzzles_of(ROOT / "puzzles/connect4.puzzles") if len(each.right) == 1)
    kept = bench.fault(replace(puzzle, played=puzzle.right[0]), solver)
    assert "keeps the outcome" in kept
    assert "solutions are" in bench.fault(replace(puzzle, right=[puzzle.played]), solver)
