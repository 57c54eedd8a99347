"""Texts made to keep the site busy are read or refused without much work."""

import pytest

from ludus.errors import BadInput
from ludus.games.go.sgf_format import MAX_MARKS
from ludus.games.recorded import MAX_CHARS
from ludus.site.archive.texts import read_text

BEGINNINGS = [
    "",
    '[Game "connect4"]\n\n1. 4 ',
    "[a ",
    '[a "',
    "(;B[aa]",
    "1. ",
    "{",
    '[Event "x"]\n\n',
    '[Board "8x8"]\n[Result "*"]\n',
]
PIECES = [
    " ",
    "\t",
    "\n",
    "[",
    "[a ",
    '[a "b"] ',
    "\\",
    '"',
    "{",
    "(",
    ";",
    "]",
    "] ",
    "1. ",
    "(;",
    "x",
    "\ufeff",
    "[\\",
]


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_repeated_signs_contain_no_game(beginning):
    for piece in PIECES:  # a pattern that backtracks would take hours for some of these
        text = beginning + piece * ((MAX_CHARS // 4 - len(beginning)) // len(piece))
        try:
            brought = read_text(text)
        except BadInput:
            continue
        assert brought.last.num_actions_played <= 1, "the game before the repeated signs"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(;SZ[19]AB" + "[aa:ss]" * 5 + ")", "lists more than 1444 points; list each of them once"),
        ("(;SZ[19]" + ";" * 10_000 + ")", "line 1: the game has more than 10000 nodes."),
        ('[Event "x"]\n\n' + "1. Nf3 Nf6 2. Ng1 Ng8 " * 501 + "*", "the game has more than 2000 moves."),
    ],
    ids=["rectangles", "nodes", "moves"],
)
def test_games_beyond_the_bounds_are_refused_in_a_sentence(text, sentence):
    with pytest.raises(BadInput) as refused:
        read_text(text)
    assert sentence in str(refused.value)


def test_points_may_be_listed_twice_and_variations_beyond_the_bound_are_left_out():
    assert read_text("(;SZ[19]AB[aa:cc][aa:cc];W[dd])").last.num_actions_played == 1
    brought = read_text('[Event "x"]\n\n1. e4 ' + "(1. d4 d5) " * 1200 + "e5 *")
    assert brought.last.moves == ["e4", "e5"]
    assert len(brought.annotations.variations) == 1000
    assert len(brought.left_out) <= 20
    assert brought.left_out[0].endswith("its variations have more than 2000 moves.")


@pytest.mark.parametrize("marks", ["TR" + "[aa:ss]" * 25_000, ";TR[aa:ss]" * 9_000])
def test_marks_beyond_the_bound_are_left_out(marks):
    brought = read_text(f"(;SZ[19];B[aa]{marks})")
    assert sum(len(note.marks) for note in brought.annotations.notes) == MAX_MARKS
    assert brought.left_out == (f"Marks on the board after the first {MAX_MARKS} are left out.",)


def test_a_record_with_many_brackets_is_refused():
    with pytest.raises(BadInput, match="nested deeper than 100 levels"):
        read_text('[Game "connect4"]\n\n1. 4 ' + "(4 " * 150)
    with pytest.raises(BadInput):
        read_text('[Game "connect4"]\n\n1. 4 ' + "(" * 150_000)
