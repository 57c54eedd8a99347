"""Whatever stands where a setup is expected: a game begins, or a sentence says why it cannot."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.errors import BadInput
from ludus.games.chess.fen import START

ODD = [
    None,
    True,
    -5,
    10**30,
    float("inf"),
    float("nan"),
    "",
    "\ud800",
    "random:\ud800",
    "e7e8q",
    "D4",
    "D4 D4",
    "pass",
    "-1",
]
SCALARS = st.sampled_from(ODD) | st.integers() | st.floats() | st.text(max_size=8)
JSON = st.recursive(
    SCALARS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=4,
)

PAWNS = {"p1": {"cat": [0, 0], "mouse": [3, 0]}, "p2": {"cat": [0, 3], "mouse": [3, 3]}}
WALL = {"cell": [1, 1], "orientation": "vertical", "playerId": 1}
GO = {
    "black": "D4 C2",
    "white": "E5",
    "to_play": "white",
    "komi": 0.5,
    "bonus": 1,
    "handicap": 2,
    "free": 0,
    "ko": "C3",
    "dead": "D4",
    "lost_black": "A1",
    "lost_white": "",
    "recent": "E5 pass",
    "past": [["D4", "E5"]],
    "history": ["1f"],
    "ply": 1,
    "counters": {"passes": 1, "placing": 0},
}
SETUPS = [
    ("chess", START),
    ("chess:play-on", {"fen": START, "moves": ["e2e4"], "recent": ["b1c3", "e7e6"]}),
    ("chess:960", {"number": 7}),
    ("go:5x5:chinese", {"free": 2}),
    ("go:5x5@9x9:history:ko=situational", GO),
    ("go:9x9:handicap=3:marking", {"black": "D4", "handicap": 2, "komi": 7.5}),
    ("wallgame:standard:4x4", {"pawns": PAWNS, "walls": [WALL]}),
    ("wallgame:freestyle:5x5", "random:7"),
    ("wallgame:survival:5x5", {"cat": [0, 0], "mouse": [2, 2], "turnsToSurvive": 3, "mouseCanMove": True, "walls": []}),
    ("gomoku:renju:6x6:swap2", {"black": ["b2"], "white": ["c3"], "to_play": "white"}),
    ("connect4", None),
    ("tictactoe", None),
]


def bent(setup):
    """Return the setups of which a part, or the whole, is any JSON value."""
    if isinstance(setup, dict):
        inside = [bent(part).map(lambda new, key=key: setup | {key: new}) for key, part in setup.items()]
    elif isinstance(setup, list):
        inside = [
            bent(part).map(lambda new, at=at: [*setup[:at], new, *setup[at + 1 :]]) for at, part in enumerate(setup)
        ]
    else:
        inside = []
    return st.one_of(JSON, *inside)


@pytest.mark.parametrize(("spec", "setup"), SETUPS, ids=[spec for spec, _ in SETUPS])
@given(data=st.data())
def test_a_setup_of_any_json_begins_a_game_or_is_refused(spec, setup, data):
    game = ludus.game(spec)
    assert game.start(setup).setup == setup
    with suppress(BadInput):
        position = game.start(data.draw(bent(setup), "setup"))
        assert position.outcome or position.actions
