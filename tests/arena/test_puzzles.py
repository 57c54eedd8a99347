"""A puzzle needs its whole solution or any win at once; faulty puzzles are refused with the line."""

import numpy as np
import pytest

import ludus
from ludus.arena import puzzles as puzzles_module
from ludus.arena.puzzles import grade_puzzles, read_puzzles
from ludus.errors import BadInput
from ludus.games.solved import TacticPuzzle

HEAD = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags"
MATE = "aaa,6k1/5ppp/7q/8/8/8/5PPP/1R4K1 b - - 0 1,h6h5 b1b8,612,80,90,100,mate mateIn1 short,https://x/1,"
LONG = "bbb,4k3/8/8/8/6q1/2K5/4R3/R7 b - - 0 1,g4e4 a1a8 e8d7 e2e4,1410,80,90,100,skewer long,https://x/2,"
GAME = ludus.game("chess")


class Scripted:
    """A player with scripted moves for some positions; elsewhere it plays the first legal action."""

    name = "scripted"

    def __init__(self, *moves):
        self.moves, self.asked = moves, 0

    def choose(self, game, states):
        self.asked += len(states)
        return np.array([self._choose(game, state) for state in states], np.int16)

    def _choose(self, game, words):
        state = words.view(game.dtype).copy()
        legal = game.calls.legal(state)
        named = {game.action_text(state, action): action for action in legal}
        return next((named[move] for move in self.moves if move in named), legal[0])


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "puzzles.csv"
    path.write_text("\n".join((HEAD, MATE, LONG)) + "\n")
    return path


def test_a_puzzle_is_solved_by_all_moves_of_its_solution(puzzles):
    found = grade_puzzles(GAME, Scripted("b1b8", "a1a8", "e2e4"), read_puzzles(GAME, puzzles))
    assert (found.solved, found.puzzles, found.first_right) == (2, 2, 2)
    assert found.bands == {400: (1, 1), 1200: (1, 1)}
    assert str(found).startswith("100.0% (95% interval: 34.2% to 100.0%) of 2 puzzles solved")


def test_a_puzzle_whose_second_move_is_missed_is_not_solved(puzzles):
    player = Scripted("a1a8", "a8a7")
    found = grade_puzzles(GAME, player, read_puzzles(GAME, puzzles))
    assert (found.solved, found.first_right) == (0, 1)
    assert player.asked == 3, "the failed puzzle ends"


def test_progress_is_reported_and_portions_change_nothing(puzzles, monkeypatch):
    heard = []
    moves = ("b1b8", "a1a8", "e2e4")
    monkeypatch.setattr(puzzles_module, "PORTION", 1)
    portioned = grade_puzzles(GAME, Scripted(*moves), read_puzzles(GAME, puzzles), lambda *said: heard.append(said))
    assert heard == [("puzzles", 1, 2), ("puzzles", 2, 2)]
    monkeypatch.undo()
    assert portioned == grade_puzzles(GAME, Scripted(*moves), read_puzzles(GAME, puzzles))


def test_any_mate_is_right(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text(f"{HEAD}\nccc,6k1/5ppp/7q/8/8/8/5PPP/RR4K1 b - - 0 1,h6h5 b1b8,500,1,1,1,mateIn1,u,\n")
    assert grade_puzzles(GAME, Scripted("a1a8"), read_puzzles(GAME, path)).solved == 1


@pytest.mark.parametrize(("moves", "solved"), [(("^b2", ">c2"), 1), ((">c2", "^b2"), 1), ((">c2", "^d4"), 0)], ids=str)
def test_the_actions_of_a_turn_may_have_any_order(moves, solved):
    puzzle = TacticPuzzle("walls", None, (">b3.^c3", ">c2.^b2"), 1000, (), 1)
    found = grade_puzzles(ludus.game("wallgame:standard:5x5"), Scripted(*moves), [puzzle])
    assert (found.solved, found.first_right) == (solved, solved)


def test_a_solution_with_an_illegal_move_is_reported():
    puzzle = TacticPuzzle("aaa", MATE.split(",")[1], ("h6h5", "b1b9"), 1000, (), 2)
    with pytest.raises(BadInput, match=r"Puzzle aaa \(line 2\): "):
        grade_puzzles(GAME, Scripted("b1b8"), [puzzle])


def test_puzzles_can_be_chosen_by_theme_and_number(puzzles):
    assert [puzzle.name for puzzle in read_puzzles(GAME, puzzles, theme="skewer")] == ["bbb"]
    assert [puzzle.name for puzzle in read_puzzles(GAME, puzzles, most=1)] == ["aaa"]


def test_a_file_without_a_chosen_puzzle_is_refused(puzzles, tmp_path):
    with pytest.raises(BadInput, match=r"contains no puzzle of the theme fork\.$"):
        read_puzzles(GAME, puzzles, theme="fork")
    (tmp_path / "empty.csv").write_text(f"{HEAD}\n")
    with pytest.raises(BadInput, match=r"contains no puzzle\.$"):
        read_puzzles(GAME, tmp_path / "empty.csv")
    with pytest.raises(BadInput, match="tictactoe brings no format of puzzles"):
        read_puzzles(ludus.game("tictactoe"), puzzles)


@pytest.mark.parametrize("moves", ["h6h9 b1b8", "e7e5 b1b8"])
def test_a_puzzle_with_illegal_moves_is_reported(tmp_path, moves):
    path = tmp_path / "illegal.csv"
    path.write_text(f"{HEAD}\n{MATE.replace('h6h5 b1b8', moves)}\n")
    with pytest.raises(BadInput, match=r"Puzzle aaa \(line 2\): "):
        grade_puzzles(GAME, Scripted(), read_puzzles(GAME, path))


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("7k/8/8/8/8/6q1/8/7K b - - 0 1", "g3f2 h1h2"),
        ("7k/8/8/8/8/5q2/8/6K1 b - - 0 1", "f3e2 g1h1 e2f2 h1h2"),
    ],
    ids=["at once", "later"],
)
def test_a_puzzle_whose_reply_ends_the_game_is_refused(tmp_path, fen, moves):
    path = tmp_path / "over.csv"
    path.write_text(f"{HEAD}\n{MATE}\nddd,{fen},{moves},500,1,1,1,x,u,\n")
    with pytest.raises(BadInput, match=r"Puzzle ddd \(line 3\): the opponent's \w+ ends the game, .*; remove it"):
        grade_puzzles(GAME, Scripted("b1b8", "g1h1"), read_puzzles(GAME, path))
