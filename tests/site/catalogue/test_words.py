"""What people read about a game: rules, board, terms, sides and the reason of its end."""

from pathlib import Path

import pytest

import ludus
from ludus.games.about import Named
from ludus.site.catalogue.specs import sides_of
from ludus.site.catalogue.words import ending_words, forced_words, rules_words, terms_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gomoku:15x15", "Freestyle"),
        ("gomoku:15x15:swap2", "Freestyle with Swap2"),
        ("gomoku:renju:13x13:swap2", "Renju with Swap2"),
        ("go:9x9", "Tromp-Taylor"),
        ("go:19x19:new-zealand:marking", "New Zealand"),
        ("wallgame:classic:8x8:short", "Classic"),
        ("chess", ""),
        ("chess:960", "Chess960"),
        ("connect4", ""),
    ],
)
def test_rules_are_called_what_players_call_them(spec, words):
    assert rules_words(spec) == words


@pytest.mark.parametrize(
    ("spec", "moves", "value", "wins_in", "words"),
    [
        ("chess", [], 1.0, 3, "mate in 3"),
        ("chess", [], -1.0, 3, "mated in 3"),
        ("chess", ["e4"], -1.0, 1, "mate in 1"),
        ("gomoku:15x15", [], 1.0, 2, "wins in 2"),
        ("connect4", ["4"], 1.0, 4, "loses in 4"),
        ("chess", [], 1.0, 0, ""),
    ],
)
def test_a_forced_win_has_the_words_of_the_game_seen_by_the_side_to_move(spec, moves, value, wins_in, words):
    position = ludus.game(spec).start()
    for move in moves:
        position = position.play(move)
    assert forced_words(position, value, wins_in) == words


def terms(spec, setup=None):
    return [(each.name, each.value) for each in terms_of(spec, ludus.game(spec).start(setup))]


def test_the_terms_of_go_name_komi_and_handicap():
    assert terms("go:9x9:chinese") == [("Rules", "Chinese"), ("Board", "9 \u00d7 9"), ("Komi", "7.5")]
    assert terms("go:13x13:japanese:marking", {"handicap": 3}) == [
        ("Rules", "Japanese"),
        ("Board", "13 \u00d7 13"),
        ("Handicap", "3 stones"),
        ("Komi", "0.5"),
    ]
    assert ("Komi", "-2") in terms("go:9x9", {"komi": -2.0})
    assert ("Position", "set up by hand") in terms("go:9x9", {"black": "D4", "white": "E5"})


def test_a_position_that_was_set_up_is_named():
    assert terms("chess") == [("Board", "8 \u00d7 8")]
    assert terms("chess", {"fen": "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1"})[-1] == ("Position", "set up by hand")
    assert terms("chess:960") == [("Rules", "Chess960"), ("Board", "8 \u00d7 8")]
    assert ("Edition", "2026-01") in terms("wallgame:classic:5x5:2026-01")
    assert isinstance(terms_of("connect4", ludus.game("connect4").start())[0], Named)


def test_a_board_that_is_no_rectangle_has_no_size():
    assert terms(str(EXAMPLES / "kalah.py")) == terms(str(EXAMPLES / "morris.py")) == []
    assert terms(str(EXAMPLES / "hex.py")) == [("Board", "11 \u00d7 11")]


def test_the_reason_of_an_end_is_told_in_words_of_the_game():
    assert ending_words("wallgame:classic:8x8", "capture") == "reached home"
    assert ending_words("wallgame:standard:8x8", "capture") == "mouse caught"
    assert ending_words("wallgame:freestyle:12x10", "one-move-rule") == "drawn by the one-move rule"
    assert ending_words("wallgame:classic:8x8", "draw-agreement") == "draw agreed"
    assert ending_words("chess", "50 moves") == "50 moves without a capture or a pawn move"
    assert ending_words("chess", "checkmate") == "checkmate"
    assert ending_words("a-game-that-is-gone", "timeout") == "out of time"


def test_sides_without_a_name_are_called_first_and_second():
    assert sides_of(ludus.game("wallgame:classic:5x5")) == ("First", "Second")
    assert sides_of(ludus.game("go:9x9")) == ("Black", "White")
