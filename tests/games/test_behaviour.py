"""The fingerprint of behaviour changes exactly when the rules change."""

import os
import subprocess
import sys

import pytest

import ludus
from ludus.games import tictactoe
from ludus.games.behaviour import behaviour, same_rules
from ludus.games.game import Game

TICTACTOE = ludus.game("tictactoe")
RULES = {
    name: getattr(tictactoe, name)
    for name in ("start", "to_play", "legal", "play", "outcome", "encode", "symmetric_state", "symmetric_action")
}


def changed(**parts):
    """Return tic-tac-toe with some parts replaced."""
    numbers = {"name": "tictactoe", "state_size": 10, "num_actions": 9, "planes": (2, 3, 3), "max_actions": 9,
               "num_symmetries": 8}  # fmt: skip
    return Game(**numbers | RULES | parts)


def mirrored_legal(state, actions):
    count = tictactoe.legal(state, actions)
    actions[:count] = actions[:count][::-1].copy()
    return count


def fewer_legal(state, actions):
    return max(1, tictactoe.legal(state, actions) - 1)


def mirrored_play(state, action):
    tictactoe.play(state, 8 - action if state[8 - action] == 0 else action)


def no_draws(state):
    outcome = tictactoe.outcome(state)
    return 1 if outcome == 3 else outcome


def swapped_planes(state, planes):
    tictactoe.encode(state, planes[::-1])


def brighter_planes(state, planes):
    tictactoe.encode(state, planes)
    planes *= 2


def noughts_begin(state):
    state[:] = 0
    state[9] = 1


def test_equal_rules_have_equal_fingerprints():
    assert behaviour(changed()) == behaviour(TICTACTOE)
    assert behaviour(TICTACTOE) == behaviour(TICTACTOE)
    assert len(behaviour(TICTACTOE)) == 16


def test_changes_that_networks_cannot_see_keep_the_fingerprint():
    assert behaviour(changed(name="noughts and crosses")) == behaviour(TICTACTOE)
    assert behaviour(changed(legal=mirrored_legal)) == behaviour(TICTACTOE), "the order of legal actions"
    assert behaviour(changed(max_actions=50, num_symmetries=1)) == behaviour(TICTACTOE)


@pytest.mark.parametrize(
    "parts",
    [
        {"legal": fewer_legal},
        {"play": mirrored_play},
        {"outcome": no_draws},
        {"encode": swapped_planes},
        {"encode": brighter_planes},
        {"plane_scale": (1.0, 0.5)},
        {"start": noughts_begin},
        {"num_actions": 10},
        {"planes": (3, 3, 3)},
    ],
    ids=lambda parts: ", ".join(getattr(part, "__name__", str(part)) for part in parts.values()),
)
def test_a_change_of_meaning_changes_the_fingerprint(parts):
    assert behaviour(changed(**parts)) != behaviour(TICTACTOE)


@pytest.mark.parametrize("parts", [{"encode": swapped_planes}, {"plane_scale": (1.0, 0.5)}, {"planes": (3, 3, 3)}])
def test_games_that_differ_in_their_planes_have_the_same_rules(parts):
    assert same_rules(changed(**parts), TICTACTOE)


@pytest.mark.parametrize(
    "parts",
    [
        {"legal": fewer_legal},
        {"play": mirrored_play},
        {"outcome": no_draws},
        {"start": noughts_begin},
        {"num_actions": 10},
        {"max_actions": 8},
    ],
)
def test_games_that_differ_elsewhere_have_different_rules(parts):
    assert not same_rules(changed(**parts), TICTACTOE)


def test_options_for_planes_keep_the_rules_and_board_sizes_do_not():
    for planes in ("ahead", "discs"):
        assert same_rules(ludus.game("connect4"), ludus.game(f"connect4:{planes}"))
    small = [f"wallgame:{which}" for which in ("classic:5x5", "classic:5x5@6x6", "standard:5x5@6x6", "classic:6x6")]
    for first in small:
        games = [ludus.game(second) for second in small]
        same = [same_rules(ludus.game(f"{first}:ways"), game) for game in games]
        assert same == [first == second for second in small]


def test_each_board_and_variant_has_its_own_fingerprint():
    specs = ["5x5", "6x6", "5x5@6x6", "5x6@6x6"]
    games = [ludus.game(f"wallgame:{variant}:{size}") for variant in ("classic", "standard") for size in specs]
    assert len({behaviour(game) for game in games}) == len(games)


def test_fingerprints_are_those_that_models_were_trained_with():
    # If this fails, every shipped model refuses to play: keep the fingerprints, or train the models again.
    assert behaviour(ludus.game("connect4")) == "a53087441cad703e"
    assert behaviour(ludus.game("connect4:ahead")) == "04014870cded9461"
    assert behaviour(ludus.game("wallgame:classic:5x5@6x6")) == "a38b06978a9a1cb9"
    assert behaviour(ludus.game("wallgame:standard:6x6")) == "046e0fc34821bc16"
    assert behaviour(ludus.game("wallgame:classic:5x5@6x6:ways")) == "7c5bfa0c61e06ab8"
    assert behaviour(ludus.game("wallgame:standard:8x8:ways")) == "623610005e40c024"
    assert behaviour(ludus.game("wallgame:classic:12x10:ways")) == "572cddd457611611"


def test_a_fingerprint_does_not_depend_on_the_process():
    program = "import ludus; from ludus.games.behaviour import behaviour; print(behaviour(ludus.game('connect4')))"
    for plain in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": plain, "PYTHONHASHSEED": "random"}
        answer = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        assert answer.stdout.strip() == behaviour(ludus.game("connect4"))
