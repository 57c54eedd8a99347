"""The button: the first pass takes half a point, and two further passes end the game."""

import random

import numpy as np
import pytest

import ludus
from ludus.errors import BadNotation
from ludus.games.go.describe import TAKE, margin
from ludus.games.go.rulesets import rule_set_named, rules_of, rules_text
from ludus.games.go.sgf import read_sgf
from ludus.games.go.sgf_game import replay, write_game

BUTTON, WITHOUT = ludus.game("go:4x4:button:komi=0"), ludus.game("go:4x4:komi=0")


@pytest.mark.parametrize("seed", range(5))
def test_random_games_follow_the_rule(seed):
    chance = random.Random(seed)
    position, plain, taken, passes = BUTTON.start(), WITHOUT.start(), None, 0
    while not position.outcome and position.num_actions_played < 30:
        action = chance.choice([*position.actions, BUTTON.num_actions - 1])  # passes are rare otherwise
        is_pass = action == BUTTON.num_actions - 1
        passes = passes + 1 if is_pass and taken is not None else 0
        if is_pass and taken is None:
            taken = position.to_play
        position = position.play(action)
        if not plain.outcome:
            plain = plain.play(action)
        assert (position.outcome is not None) == (passes == 2)
        if not plain.outcome or position.outcome:
            assert margin(position.state) - margin(plain.state) == {None: 0, 0: 0.5, 1: -0.5}[taken]


def test_the_button_decides_an_even_board():
    position = BUTTON.start({"black": "A2 B2 C2 D2", "white": "A3 B3 C3 D3"})
    assert position.describe().choices[-1].label == TAKE
    taken = position.play("pass")
    assert taken.describe().choices[-1].label == "Pass"
    over = taken.play("pass").play("pass")
    assert (over.outcome.winner, over.outcome.reason) == (0, "two passes, B+0.5")


def test_the_planes_show_a_button_and_its_owner():
    assert WITHOUT.planes[0] + 1 == BUTTON.planes[0]
    assert BUTTON.plane_names[-1] == "button left"
    start = BUTTON.start()
    states = [start.state, start.play("pass").state, start.play("A1").play("pass").play("B1").state]
    planes = [np.zeros(BUTTON.planes, np.uint8) for _ in states]
    for state, written in zip(states, planes, strict=True):
        BUTTON.rules.encode(state, written)
    assert [each[-1].max() for each in planes] == [1, 0, 0]
    komi = BUTTON.plane_names.index("komi")
    assert [int(each[komi].max()) - 128 for each in planes] == [0, -1, 1]  # seen by the mover, in half points


def test_a_setup_keeps_the_button_and_is_refused_without_one():
    taken = BUTTON.start().play("A1").play("pass")
    again = BUTTON.start(BUTTON.setup(taken.state))
    assert np.array_equal(again.state, taken.state)
    with pytest.raises(BadNotation, match="this game is played without a button; leave out the counter 'button'"):
        WITHOUT.start({"counters": {"button": 1}})


def test_records_name_the_rule():
    assert rule_set_named("koPOSITIONALscoreAREAtaxNONEsui1button1") == "tromp-taylor:button=yes"
    assert rules_text(rules_of("tromp-taylor:button=yes"), "tromp-taylor") == "button"
    played = BUTTON.start().play("A1").play("pass").play("B2")
    text = write_game(played)
    assert "RU[button]" in text
    found = replay(read_sgf(text)[0]).positions[-1]
    assert margin(found.state) == margin(played.state)
    assert ludus.game("go:9x9:button").setup(ludus.game("go:9x9:button").start_state())["komi"] == 7.0
