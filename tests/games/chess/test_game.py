"""The game interface of chess: names, descriptions, laws."""

import pytest

import ludus
from ludus.errors import BadGame
from ludus.games.board import Mark
from ludus.games.check.run import check
from ludus.games.drawing import draw


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("chess:blitz", "the options are 960, play-on, seed"),
        ("chess:960:960", "each at most once"),
        ("chess:960:1000", "1000 is not the number of a Chess960 position"),
        ("chess:5", "5 is not the number of a Chess960 position"),
        ("chess:seed:seed", "each at most once"),
    ],
)
def test_a_wrong_name_is_refused_with_the_reason(spec, complaint):
    with pytest.raises(BadGame) as refusal:
        ludus.game(spec)
    assert complaint in str(refusal.value)


def test_the_description_has_pieces_marks_and_choices(chess):
    board = chess.start().play("e4").describe()
    assert draw(board).splitlines()[4].split() == ["4", ".", ".", ".", ".", "P", ".", ".", "."]
    assert Mark(at=(4, 4), kind="last") in board.marks
    assert next(choice for choice in board.choices if choice.text == "g8f6").source == (0, 6)


def test_promotions_share_a_cell_and_have_different_labels(chess):
    board = chess.start("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").describe()
    choices = [choice for choice in board.choices if choice.text.startswith("a7")]
    assert {(choice.at, choice.source) for choice in choices} == {((0, 0), (1, 0))}
    assert sorted(choice.label for choice in choices) == ["bishop", "knight", "queen", "rook"]


def test_a_mated_king_is_marked(chess):
    position = chess.start()
    for move in ["f3", "e5", "g4", "Qh4#"]:
        position = position.play(move)
    assert Mark(at=(7, 4), kind="win") in position.describe().marks
    assert position.outcome == ludus.Outcome(winner=1, reason="checkmate")


@pytest.mark.parametrize("spec", ["chess", pytest.param("chess:960:7:seed:play-on", marks=pytest.mark.full)])
def test_the_laws_hold(spec):
    report = check(ludus.game(spec), games=8)
    assert report.breach is None
