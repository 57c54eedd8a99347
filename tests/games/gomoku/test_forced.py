"""The rule `foresee` of Gomoku against exhaustive search, and special cases."""

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadNotation
from ludus.games.calls import RULES
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS

foresee = RULES["foresee"].entry

FILES = "abcdefghijklmno"
RULES = ["freestyle", "renju", pytest.param("standard", marks=pytest.mark.full)]


def played_out(position):
    """Return the outcome under best play by exhaustive search."""
    if position.outcome:
        winner = position.outcome.winner
        return DRAW if winner is None else FIRST_WINS + winner
    wins, found = FIRST_WINS + position.to_play, set()
    for action in position.actions:
        found.add(played_out(position.play(action)))
        if wins in found:
            return wins
    return DRAW if DRAW in found else FIRST_WINS + 1 - position.to_play


@st.composite
def nearly_full(draw):
    """Draw a board size and the points of Black and White; four to six points are free."""
    size = draw(st.sampled_from([5, 6, 6, 7]))
    points = draw(st.permutations([f"{file}{row + 1}" for file in FILES[:size] for row in range(size)]))
    points = points[draw(st.integers(4, 6)) :]
    half = (len(points) + 1) // 2
    return size, points[:half], points[half:]


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=150, deadline=None)
@given(nearly_full())
def test_foresee_agrees_with_exhaustive_search(rule, case):
    size, black, white = case
    game = ludus.game(f"gomoku:{rule}:{size}x{size}")
    try:
        position = game.start({"black": black, "white": white})
    except BadNotation:  # the board already has a five
        assume(False)
    foreseen = foresee(game.rules, position.state)
    event(f"foreseen: {foreseen}")
    assert foreseen in (ONGOING, played_out(position))


FOUR = ["f8", "g8", "h8", "i8"]
THREE_AND_TWO = ["d3", "e3", "f3", "g4", "g5"]  # a four at g3 also makes three in a column
CASES = {  # rule, Black's points, White's points, colour to play, winner
    "a five": ("freestyle", FOUR, ["e8", "a1", "a3", "a5"], "black", FIRST_WINS),
    "a five for White": ("freestyle", ["e8", "a1", "a3", "a5"], FOUR, "white", SECOND_WINS),
    "one five to stop": ("freestyle", FOUR, ["e8", "a1", "a3"], "white", ONGOING),
    "two fives to stop": ("freestyle", FOUR, ["a1", "a3", "a5"], "white", FIRST_WINS),
    "two fives to stop, and one to make": ("freestyle", FOUR, ["a1", "a2", "a3", "a4"], "white", SECOND_WINS),
    "a win by fours": ("freestyle", THREE_AND_TWO, ["c3", "a1", "e15", "o3"], "black", FIRST_WINS),
    "none, since the column is stopped": ("freestyle", THREE_AND_TWO, ["c3", "g6", "g2", "o3"], "black", ONGOING),
    "one for the opponent, after the stop": ("freestyle", FOUR + THREE_AND_TWO, ["c3", "e8"], "white", FIRST_WINS),
    "none while the opponent is to play": ("freestyle", THREE_AND_TWO, ["c3", "a1", "e15"], "white", ONGOING),
    "an open three": ("freestyle", ["f8", "g8", "h8"], ["a1", "c1", "e1"], "black", FIRST_WINS),
    "an open three to stop": ("freestyle", ["f8", "g8", "h8"], ["a1", "c1"], "white", ONGOING),
    "an overline, which is no five": ("standard", [*FOUR, "k8"], ["e8", "a1", "a3", "a5"], "black", ONGOING),
    "an overline that wins": ("freestyle", [*FOUR, "k8"], ["e8", "a1", "a3", "a5"], "black", FIRST_WINS),
    "a stop that is forbidden": ("renju", ["e8", "j5", "j6", "j7", "j9", "j10"], FOUR, "black", SECOND_WINS),
    "the same stop, allowed": ("freestyle", ["e8", "j5", "j6", "j9"], FOUR, "black", ONGOING),
}


@pytest.mark.parametrize("name", CASES)
def test_fives_and_fours_decide_the_game(name):
    rule, black, white, to_play, expected = CASES[name]
    game = ludus.game(f"gomoku:{rule}:15x15")
    position = game.start({"black": black, "white": white, "to_play": to_play})
    assert foresee(game.rules, position.state) == expected


def test_nothing_is_foreseen_during_the_opening():
    game = ludus.game("gomoku:freestyle:15x15:swap2")
    position = game.start().play("f8.g8.h8")
    assert foresee(game.rules, position.state) == ONGOING
