"""Records of Wall Games in the site's format, written and read in every variant and edition."""

import random

import pytest

import ludus
from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games.annotations import GameTree
from ludus.games.records import RecordHeader
from ludus.games.wallgame.record import TERMINATIONS, WALL_GAME_RECORD

DAY = 20778 * 86_400.0


def played(spec, seed, setup=None, actions=40):
    position, chance = ludus.game(spec).start(setup), random.Random(seed)
    while position.outcome is None and (position.num_actions_played < actions or position.to_play):
        position = position.play(chance.choice(position.actions))
    return position


def written(position, **header):
    return WALL_GAME_RECORD.write(GameTree(position), RecordHeader(**header))


def read(text):
    """Return a record and its last position."""
    (record,) = WALL_GAME_RECORD.read(text)
    return record, record.positions(ludus.game(record.spec))[-1]


def test_a_record_has_the_sites_format():
    position = ludus.game("wallgame:standard:12x10:short").start().play("Cb10.>a6").play("Mk1").play("---")
    text = written(position, names=("Ann", "Bo"), clock=(180.0, 2.0), result="1-0", reason="resignation")
    assert text == (
        '[Variant "standard"]\n[Board "12x10"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[TimeControl "180+2"]\n'
        '[Termination "Resignation"]\n[Result "1-0"]\n\n'
        "1. Cb10.>a6 Mk1 2. ---\n1-0\n"
    )


@pytest.mark.parametrize(
    ("spec", "setup"),
    [
        ("wallgame:standard:5x4:short", None),
        ("wallgame:classic:6x6", None),
        ("wallgame:classic:5x5@6x6:short", None),
        ("wallgame:standard:5x5:2026-01:short", None),
        ("wallgame:survival:5x5:short", None),
        ("wallgame:freestyle:12x10:short", None),
        ("wallgame:freestyle:12x10:short", "random:7"),
        ("wallgame:standard:7x6:short", "random:3"),
    ],
)
def test_a_game_is_replayed_from_its_record(spec, setup):
    position = played(spec, 5, setup, 16)
    recorded, again = read(written(position, ended=DAY + 3600.0))
    assert recorded.header.ended == DAY
    assert again.moves == position.moves
    assert [(m.at, m.kind) for m in again.describe().marks] == [(m.at, m.kind) for m in position.describe().marks]
    assert again.describe().pieces == position.describe().pieces
    assert again.outcome == position.outcome


def test_a_start_with_neutral_walls_keeps_their_colours():
    walls = [{"cell": [1, 1], "orientation": "vertical", "playerId": 2}, {"cell": [3, 3], "orientation": "horizontal"}]
    pawns = {"p1": {"cat": [0, 0], "mouse": [4, 0]}, "p2": {"cat": [0, 4], "mouse": [4, 4]}}
    position = ludus.game("wallgame:standard:5x5:short").start({"pawns": pawns, "walls": walls})
    assert read(written(position))[1].history[0].setup == position.setup


def test_both_spellings_of_a_double_step_are_read():
    head = '[Variant "classic"]\n[Board "6x6"]\n[Result "*"]\n\n'
    first, second = (read(head + f"1. {move}")[1] for move in ("Cc6", "Cb6.Cc6"))
    assert (first.state == second.state).all()


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ('[Result "*"]', BadNotation, "no tag Board"),
        ('[Board "8x8"]\n1. Cb8', BadNotation, "no tag Result"),
        ('[Board "8x8"]\n[Result "1-0"]\n\n0-1', BadNotation, "the moves end with 0-1"),
        ('[Board "8 by 8"]\n[Result "*"]', BadNotation, "such as 8x8"),
        ('[Board "99x99"]\n[Result "*"]', BadGame, "each side must have 3 to 20"),
        ('[Board "8x8"]\n[Variant "x"]\n[Result "*"]', BadNotation, "no Wall Game of variant 'x'"),
        ('[Board "8x8"]\n[Edition "1"]\n[Result "*"]', BadNotation, "edition '1'"),
        ('[Board "8x8"]\n[Result "*"]\n1. Zb8', BadNotation, "Move 1: .*cannot be read"),
        ('[Board "8x8"]\n[Result "*"]\n1. Cb8 Cb8', IllegalMove, "Move 1: .*7 steps|Move 1: "),
        ('[Board "8x8"]\n[Result "*"]\n[Setup "{}"]', BadNotation, "is missing"),
    ],
)
def test_an_invalid_record_is_refused_in_a_sentence(text, error, sentence):
    with pytest.raises(error, match=sentence):
        read(text)


@pytest.mark.parametrize(("edition", "name"), [("2026-09", "MouseCapture"), ("2026-01", "OneMoveRuleDraw")])
def test_games_that_end_by_the_rules_have_a_termination_tag(edition, name):
    position = ludus.game(f"wallgame:standard:3x3:short:{edition}").start()
    for move in ("Ca1", "Cc1", "Cc1"):
        position = position.play(move)
    assert position.outcome
    assert TERMINATIONS[position.outcome.reason] == name
