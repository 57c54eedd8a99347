"""Attempts at games that Ludus does not play are refused in the words of the page that lists them."""

from pathlib import Path

import pytest
from tests.games.check.conftest import PARTS

import ludus
from ludus.errors import BadGame
from ludus.games import scope
from ludus.games.check.run import check

PAGE = Path(__file__).parents[2] / "docs/explanation/games-that-ludus-plays.md"
WORDS = (scope.TWO_PLAYERS, scope.NO_CHANCE, scope.NOTHING_HIDDEN, scope.ONE_AT_A_TIME)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"players": ("Ann", "Bob", "Cleo")}, scope.TWO_PLAYERS),
        ({"num_players": 3}, scope.TWO_PLAYERS),
        ({"chance": lambda state: 6}, scope.NO_CHANCE),
        ({"dice": 2}, scope.NO_CHANCE),
        ({"observe": lambda state, player: state}, scope.NOTHING_HIDDEN),
        ({"encode": lambda state, planes, player: None}, scope.NOTHING_HIDDEN),
        ({"simultaneous": True}, scope.ONE_AT_A_TIME),
        ({"play": lambda state, action, other: None}, scope.ONE_AT_A_TIME),
    ],
)
def test_a_definition_of_such_a_game_is_refused(parts, words):
    with pytest.raises(BadGame, match=rf"{words}\.$"):
        ludus.Game(**PARTS | parts)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"to_play": lambda state: 2}, scope.TWO_PLAYERS),
        ({"to_play": lambda state: -1}, "no games with simultaneous moves"),
        ({"outcome": lambda state: 4}, scope.TWO_PLAYERS),
    ],
)
def test_rules_of_such_a_game_are_refused(parts, words):
    assert check(ludus.Game(**PARTS | parts), games=5).breach.what.endswith(words)


def test_the_page_uses_the_words_of_the_refusals():
    text = " ".join(PAGE.read_text().split())
    assert [words for words in WORDS if words not in text] == []
