"""Any value as a setup: the game starts, or an error gives the reason."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.errors import BadInput, BadNotation
from ludus.games import tictactoe
from ludus.games.chess.fen import START

HALF = "\ud800"  # half a surrogate pair, which JSON's escapes can express and no file can store
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
    """Draw setups with one part, or the whole, replaced by any JSON value."""
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
def test_any_json_setup_starts_a_game_or_is_refused(spec, setup, data):
    game = ludus.game(spec)
    assert game.start(setup).setup == setup
    with suppress(BadInput):
        position = game.start(data.draw(bent(setup), "setup"))
        assert position.outcome or position.actions


def halved(setup):
    """Yield setups with half a surrogate pair at the end of one text, or as one key."""
    if isinstance(setup, dict):
        for key, part in setup.items():
            yield from (setup | {key: new} for new in halved(part))
        yield setup | {HALF: 0}
    elif isinstance(setup, (list, tuple)):
        for at, part in enumerate(setup):
            yield from ([*setup[:at], new, *setup[at + 1 :]] for new in halved(part))
    else:
        yield f"{setup}{HALF}" if isinstance(setup, str) else HALF


@pytest.mark.parametrize(("spec", "setup"), SETUPS, ids=[spec for spec, _ in SETUPS])
def test_half_a_surrogate_pair_anywhere_in_a_setup_is_refused(spec, setup):
    game = ludus.game(spec)
    for wrong in halved(setup):
        with pytest.raises(BadInput) as refusal:
            game.start(wrong)
        assert str(refusal.value).encode(), "and can be printed"


def encode_the_name(state, setup=None):
    state[0] = len((setup or "").encode())


def own_game(start):
    return ludus.Game(
        name="own", state_size=10, num_actions=9, planes=(2, 3, 3), max_actions=9, start=start,
        to_play=tictactoe.to_play, legal=tictactoe.legal, play=tictactoe.play, outcome=tictactoe.outcome,
        encode=tictactoe.encode,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("game", "setup"),
    [
        (ludus.game("go:9x9"), {"komi": HALF}),
        (ludus.game("wallgame:freestyle:5x5"), f"random:{HALF}"),
        (ludus.game("wallgame:standard:5x5"), f"random:{HALF}"),
        (own_game(encode_the_name), HALF),
    ],
    ids=lambda part: part.name if isinstance(part, ludus.Game) else "",
)
def test_half_a_surrogate_pair_is_refused_in_the_same_words_by_all_games(game, setup):
    with pytest.raises(BadNotation) as refusal:
        game.start(setup)
    assert str(refusal.value).endswith(
        ": the setup contains half a surrogate pair, '\\ud800'; write the whole character."
    )
    assert str(refusal.value).startswith(game.name)
