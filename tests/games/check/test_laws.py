"""Each law is broken by some game, and the checker names that law."""

import re
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.laws import LAWS
from ludus.games.check.run import check
from ludus.kernel import COMPILED

PARTS = {
    "name": "broken",
    "state_size": 10,
    "num_actions": 9,
    "planes": (2, 3, 3),
    "max_actions": 9,
    "start": sound.start,
    "to_play": sound.to_play,
    "legal": sound.legal,
    "play": sound.play,
    "outcome": sound.outcome,
    "encode": sound.encode,
}
SYMMETRIC = {
    "num_symmetries": 8,
    "symmetric_state": sound.symmetric_state,
    "symmetric_action": sound.symmetric_action,
}


def broken_law(games=60, **parts):
    """Return `law: what` for tic-tac-toe with some parts replaced."""
    breach = check(ludus.Game(**{**PARTS, **parts}), games=games).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def test_a_rule_that_raises_breaks_the_law_runs():
    def legal(state, actions):
        if state[4] != 0:
            raise ValueError("the centre is taken")
        return sound.legal(state, actions)

    line = legal.__code__.co_firstlineno + 2
    assert (
        broken_law(legal=legal) == f"runs: legal() raises ValueError: the centre is taken (test_laws.py, line {line})"
    )


def test_a_start_that_raises_breaks_the_law_runs():
    def start(state):
        state[99] = 1

    assert broken_law(start=start).startswith("runs: start() raises IndexError")


def test_more_legal_actions_than_declared_break_the_law_runs():
    assert broken_law(max_legal=4).startswith("runs: legal() raises IndexError")


@pytest.mark.parametrize(
    ("rule", "function", "what"),
    [
        ("to_play", lambda state: bool(state[9]), "to_play() returns False; it must return an integer"),
        ("outcome", lambda state: None, "outcome() returns None; it must return an integer"),
        ("legal", lambda state, actions: 0.5, "legal() returns 0.5; it must return an integer"),
        ("encode", lambda state, planes: 1, "encode() returns 1; it must return nothing and write into its array"),
        ("heuristic", lambda state, actions, count, weights: 1, "heuristic() returns 1; it must return a float"),
    ],
)
def test_a_wrong_type_breaks_the_law_returns(rule, function, what):
    assert broken_law(**{rule: function}) == f"returns: {what}"


def test_a_start_that_returns_a_new_state_breaks_the_law_returns():
    what = "start() returns [0, 0, 0, 0, 0, 0, ...]; it must return nothing and write into its array"
    assert broken_law(start=lambda state: [0] * 10) == f"returns: {what}"
    assert broken_law(start=lambda state: state).startswith("returns: start() returns an array; ")


def test_a_construct_that_does_not_compile_breaks_the_law_compiles():
    def outcome(state):
        return max(code for code in (0, sound.outcome(state)))  # generators do not compile

    found = broken_law(outcome=outcome)
    if COMPILED:
        assert found.startswith("compiles: broken: rule outcome() does not compile: ")
        assert f"(test_laws.py, line {outcome.__code__.co_firstlineno + 1})" in found
    else:
        assert found == "none"


def test_a_rule_that_changes_what_it_reads_breaks_the_law_bounds():
    def legal(state, actions):
        count = sound.legal(state, actions)
        state[0] = 0
        return count

    line = legal.__code__.co_firstlineno + 2
    found = broken_law(legal=legal)
    assert found == f"bounds: legal() changes its read-only state (test_laws.py, line {line})"


def test_compiled_code_that_writes_outside_its_array_breaks_the_law_bounds():
    def legal(state, actions):
        for cell in range(12):
            actions[cell] = cell
        return 9

    game = ludus.Game(**{**PARTS, "legal": legal})
    with pytest.raises(Broken) as caught:
        Guarded(game, compiled=COMPILED).legal(game.start_state())
    assert caught.value.law == ("bounds" if COMPILED else "runs")


def test_a_write_outside_an_array_is_not_blamed_on_the_next_call():
    def legal(state, actions):
        if state[0] != 0:
            for cell in range(12):
                actions[cell] = cell
        return sound.legal(state, actions)

    game = ludus.Game(**{**PARTS, "legal": legal})
    guarded, start = Guarded(game, compiled=COMPILED), game.start_state()
    with pytest.raises(Broken):
        guarded.legal(game.start().play(0).state)
    assert guarded.legal(start) == tuple(range(9))


def test_rules_that_fail_beyond_max_actions_are_reported():
    cap, room, plies = 5, 6, 16

    def play(state, action):
        sound.play(state, action)
        state[17 + state[plies]] = 1 + action  # the actions played, with room for six
        state[plies] += 1

    broken = ludus.Game(**{**PARTS, "play": play, "state_size": 17 + room, "max_actions": cap})
    breach = check(broken, games=60).breach
    assert len(breach.actions) == room + 1
    assert breach.what.endswith("; searches look beyond max_actions, 5, so the laws apply there, too")
    sound_one = ludus.Game(**{**PARTS, "play": play, "state_size": 17 + 9, "max_actions": cap})
    assert check(sound_one, games=60).breach is None


def test_integers_that_wrap_only_in_plain_python_break_the_law_twin():
    def outcome(state):
        return 3 if state[9] - 1 > 200 and state[0] != 0 else sound.outcome(state)  # 0 - 1 is 255 for a uint8

    expected = "twin: outcome() differs between compiled and plain rules: " if COMPILED else "none"
    assert broken_law(outcome=outcome).startswith(expected)


def test_a_rule_with_a_memory_breaks_the_law_pure():
    calls = []

    def play(state, action):
        calls.append(action)
        sound.play(state, action)
        if len(calls) % 5 == 0:
            state[9] = 0

    assert broken_law(play=play).startswith("pure: ")


def test_planes_with_a_memory_break_the_law_pure():
    calls = []

    def encode(state, planes):
        calls.append(1)
        planes[0, 0, 0] = len(calls) % 2

    assert broken_law(encode=encode).startswith("pure: ")


def test_a_third_player_breaks_the_law_turn():
    assert broken_law(to_play=lambda state: 2 if state[0] else int(state[9])).startswith("turn: to_play() returns 2; ")


@pytest.mark.parametrize(
    ("outcome", "what"),
    [
        (lambda state: 4 if state[0] else 0, "outcome() returns 4; it may return ludus.ONGOING, "),
        (lambda state: 3, "the game is over before it begins"),
    ],
)
def test_an_unknown_or_early_outcome_breaks_the_law_outcome(outcome, what):
    assert broken_law(outcome=outcome).startswith(f"outcome: {what}")


def legal_twice(state, actions):
    count = sound.legal(state, actions)
    actions[count - 1] = actions[0]
    return count


def legal_nowhere(state, actions):
    return 0 if state[4] else sound.legal(state, actions)


def legal_outside(state, actions):
    count = sound.legal(state, actions)
    actions[0] = 9
    return count


@pytest.mark.parametrize(
    ("legal", "what"),
    [
        (legal_twice, "legal() writes action 0 twice"),
        (legal_nowhere, "the game goes on without a legal action; end it in outcome(), or let legal() write a pass"),
        (legal_outside, "legal() writes action 9; actions are 0 to 8"),
        (lambda state, actions: 10, "legal() returns 10; a position has 0 to 9 legal actions"),
    ],
)
def test_a_wrong_list_breaks_the_law_legal(legal, what):
    assert broken_law(legal=legal) == f"legal: {what}"


def test_a_nonzero_byte_after_the_state_breaks_the_law_padding():
    def play(state, action):
        sound.play(state, action)
        state[11] = 1

    assert broken_law(play=play, **SYMMETRIC) == "padding: play(0) writes item 11 of the state; state_size is 10"


@pytest.mark.parametrize("value", [0.5, -1.0, 256, np.float32(1e-3), float("nan"), float("inf")])
def test_a_plane_value_that_is_not_a_byte_breaks_the_law_planes(value):
    def encode(state, planes):
        sound.encode(state, planes)
        planes[1, 2, 0] = value

    found = broken_law(encode=encode)
    assert found.startswith(f"planes: encode() writes {np.float32(value)} into plane 1, row 2, column 0; ")
    assert "plane_scale" in found


def test_a_plane_value_that_overflowed_breaks_the_law_planes():
    def encode(state, planes):
        sound.encode(state, planes)
        planes[0, 1, 1] = 200
        planes[0, 1, 1] += np.uint8(100)
        planes[0, 1, 1] //= 2

    with np.errstate(over="ignore"):
        found = broken_law(encode=encode)
    assert found.startswith("planes: encode() overflows a byte: plane 0 holds 22 at row 1, column 1, not 150")


def test_the_largest_byte_keeps_the_law_planes():
    def encode(state, planes):
        planes[:] = 255

    assert broken_law(encode=encode) == "none"


def heuristic(weight, value):
    def rule(state, actions, count, weights):
        for index in range(count):
            weights[index] = weight
        return value

    return rule


def unwritten(state, actions, count, weights):
    weights[0] = 1.0
    return 0.0


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        (heuristic(-1.0, 0.0), "heuristic() gives action 0 the weight -1.0"),
        (heuristic(0.0, 0.0), "heuristic() gives every action the weight 0"),
        (heuristic(1.0, 1.5), "heuristic() returns the value 1.5"),
        (unwritten, "heuristic() gives action 1 the weight nan"),
    ],
)
def test_weights_and_values_out_of_range_break_the_law_heuristic(rule, what):
    assert broken_law(heuristic=rule) == f"heuristic: {what}"


def no_symmetric_action(state, symmetry, action):
    return action


def lazy_symmetric_state(state, symmetry, out):
    for cell in range(9):
        if state[cell] != 0:
            out[sound.symmetric_action(state, symmetry, cell)] = state[cell]
    out[9] = state[9]


def swapping_symmetric_state(state, symmetry, out):
    sound.symmetric_state(state, symmetry, out)
    out[9] = 1 - out[9]


def spinning_symmetric_state(state, symmetry, out):
    for cell in range(9):
        out[(cell + symmetry) % 9] = state[cell]
    out[9] = state[9]


def legal_left_first(state, actions):
    if state[0] == 0:
        actions[0] = 0
        return 1
    return sound.legal(state, actions)


def encode_one_corner(state, planes):
    planes[0, 0, 0] = 1 if state[0] != 0 else 0


ODD_SYMMETRIES = {
    "symmetric_state": lambda state, symmetry, out: sound.symmetric_state(state, 2 * symmetry - 1, out),
    "symmetric_action": lambda state, symmetry, action: sound.symmetric_action(state, 2 * symmetry - 1, action),
}


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"symmetric_action": no_symmetric_action}, " of the state becomes "),
        ({"symmetric_action": lambda state, symmetry, action: 4}, "symmetry 1: actions 0 and 1 both become 4"),
        ({"legal": legal_left_first}, "symmetry 1: legal action 0 becomes 2, which is not legal"),
        ({"encode": encode_one_corner}, "of the symmetric state holds numbers that no plane held before"),
        ({"symmetric_state": lazy_symmetric_state}, "does not write item 0 of `out`; it must write all items"),
        ({"symmetric_state": swapping_symmetric_state}, "changes to_play() from"),
        ({"symmetric_state": spinning_symmetric_state, "symmetric_action": no_symmetric_action}, "symmetry "),
        ({"num_symmetries": 4, **ODD_SYMMETRIES}, "is not one of the game's symmetries"),
    ],
)  # fmt: skip
def test_a_wrong_symmetry_breaks_the_law_symmetry(parts, what):
    found = broken_law(**{**SYMMETRIC, **parts})
    assert found.startswith("symmetry: ")
    assert what in found


def test_a_setup_that_leads_to_another_state_breaks_the_law_setup():
    def start(state, setup):
        sound.start(state)

    assert broken_law(start=start, setup=lambda state: state.tolist()).startswith("setup: start() makes another state")


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"for_search": lambda state: None}, "for_search() returns None; it must return a state"),
        ({"for_search": lambda state: state[:5]}, "it must return a state"),
        ({"renew": lambda state, past: None}, "renew() returns None; it must return (state, past)"),
        ({"renew": lambda state, past: (None, past)}, "renew() returns None; it must return a state"),
    ],
)
def test_a_search_state_that_is_not_a_state_breaks_the_law_for_search(parts, what):
    found = broken_law(**parts)
    assert found.startswith("for_search: ")
    assert what in found


def test_a_search_state_with_more_legal_actions_breaks_the_law_for_search():
    def for_search(state):
        state = state.copy()
        state[0] = 0
        return state

    assert broken_law(for_search=for_search).startswith("for_search: for_search() ")
    assert broken_law(renew=lambda state, past: (for_search(state), past)).startswith("for_search: renew() ")


@pytest.mark.parametrize(
    ("can_win", "what"),
    [
        (lambda state, player: None, "can_win() returns None"),
        (lambda state, player: player == 0, "can_win() returns False for player 1, who has won"),
    ],
)
def test_a_winner_who_cannot_win_breaks_the_law_can_win(can_win, what):
    assert broken_law(can_win=can_win) == f"can_win: {what}"


def test_a_game_that_never_ends_breaks_the_law_ends():
    def play(state, action):
        state[9] = 1 - int(state[9])

    assert broken_law(play=play, max_actions=30).startswith("ends: none of 60 random games ended within 30 actions; if")


def test_every_law_has_a_test_that_breaks_it():
    here, games = Path(__file__).parents[:2]
    text = "".join(path.read_text(encoding="utf-8") for path in [*here.glob("test_*.py"), *games.glob("test_*.py")])
    assert set(LAWS) - set(re.findall(r"def test_\w+_the_law_(\w+)", text)) == set()
