"""The compiled rules of the Wall Game against a slow reference and against the plain rules."""

import numpy as np
import pytest

import ludus
from ludus.games.calls import Calls
from ludus.games.check.guard import Guarded
from ludus.games.check.laws import look
from ludus.games.check.twin import check_answers


def test_compiled_plain_and_reference_rules_play_the_same_games(any_board, reference, rng):
    game = ludus.game(any_board)
    fast, plain = Calls(game.rules, game.max_legal, compiled=True), Calls(game.rules, game.max_legal)
    cells = game.planes[1] * game.planes[2]
    position, slow = game.start(), None
    state = position.state
    for number in range(60):
        slow = slow or reference(any_board, position)
        legal = fast.legal(state)
        assert game.rules.to_play(state) == slow.player
        if cells < 100 or number % 12 == 0:  # the reference is slow
            assert legal == slow.legal()
        assert legal == plain.legal(state)
        pawns = [action for action in legal if action >= 2 * cells]
        action = int(rng.choice(pawns if pawns and rng.random() < 0.4 else legal))
        after = fast.play(state, action)
        assert after.tobytes() == plain.play(state, action).tobytes()
        slow.play(action)
        result = fast.outcome(after)
        assert result == plain.outcome(after)
        assert (result == 0) == (slow.result is None)
        if slow.result:
            winner, reason = slow.result
            assert (result, game.reason(after)) == ({None: 3, 0: 1, 1: 2}[winner], reason)
            after, slow = position.state, None
        state = after


def test_every_compiled_rule_agrees_bit_by_bit_with_the_plain_one(any_board, walks, rng):
    game = ludus.game(any_board)
    fast, plain = Guarded(game, compiled=True), Guarded(game, compiled=False)
    for position in walks(any_board, rng, 12):
        check_answers(fast, plain, position.state, look(plain, position.state))
        for symmetry in range(1, game.num_symmetries):
            mirrored = fast.symmetric_state(position.state, symmetry)
            assert mirrored.tobytes() == plain.symmetric_state(position.state, symmetry).tobytes()


def test_legal_walls_in_mazes_agree_with_the_reference(reference, walks, rng):
    """Build walls until nothing else is legal, so that most remaining slots are bridges."""
    for spec in ("wallgame:standard:8x8", "wallgame:classic:6x9"):
        for number, position in enumerate(walks(spec, rng, 150, steps=0.05)):
            if number % 5 == 0:
                assert position.actions == replayed(spec, position, reference).legal()


def replayed(spec, position, reference):
    slow = reference(spec, position.history[0])
    for later in position.history[1:]:
        slow.play(later.action)
    return slow


def play(spec, *moves, setup=None):
    position = ludus.game(spec).start(setup)
    for move in moves:
        position = position.play(move)
    return position


def test_a_capture_counts_only_at_the_end_of_a_move():
    start = {"pawns": {"p1": {"cat": [0, 0], "mouse": [2, 0]}, "p2": {"cat": [2, 2], "mouse": [0, 1]}}, "walls": []}
    over = play("wallgame:standard:3x3", "Cc3", setup=start)
    assert over.outcome is None
    assert play("wallgame:standard:3x3", "Cb3.>a1", setup=start).outcome.winner == 0


def test_a_mouse_that_steps_onto_the_cat_loses():
    start = {"pawns": {"p1": {"cat": [0, 0], "mouse": [2, 1]}, "p2": {"cat": [2, 2], "mouse": [0, 2]}}, "walls": []}
    outcome = play("wallgame:standard:3x3", "Mc1.>a1", setup=start).outcome
    assert (outcome.winner, outcome.reason) == (1, "capture")


def test_the_one_move_rule_belongs_to_the_old_edition():
    start = {"pawns": {"p1": {"cat": [0, 0], "mouse": [2, 0]}, "p2": {"cat": [2, 2], "mouse": [0, 2]}}, "walls": []}
    drawn = play("wallgame:standard:3x3:2026-01", "Cc3", setup=start).outcome
    assert (drawn.winner, drawn.reason) == (None, "one-move-rule")
    assert play("wallgame:standard:3x3", "Cc3", setup=start).outcome.winner == 0


def test_the_mouse_survives_when_the_cat_has_no_moves_left():
    start = {"cat": [0, 0], "mouse": [4, 4], "turnsToSurvive": 2, "mouseCanMove": False, "walls": []}
    position = play("wallgame:survival:5x5:short", "Ca4", "---", setup=start)
    assert position.outcome is None
    assert position.play("Ca3").outcome.reason == "survival"


@pytest.mark.parametrize(("spec", "returns"), [("wallgame:classic:5x5", False), ("wallgame:classic:5x5:2026-01", True)])
def test_stepping_back_within_a_move_depends_on_the_edition(spec, returns):
    game = ludus.game(spec)
    right, left = 50, 52
    assert (left in game.start().play(right).actions) == returns


def test_ending_a_move_is_legal_if_nothing_else_is():
    slots = [(row, column, "vertical") for row in range(3) for column in range(2)]
    slots += [(row, column, "horizontal") for row in (1, 2) for column in range(3)]
    open_slot = (0, 0, "vertical")
    walls = [
        {"cell": [row, column], "orientation": way} for row, column, way in slots if (row, column, way) != open_slot
    ]
    pawns = {"p1": {"cat": [0, 0], "home": [0, 0]}, "p2": {"cat": [2, 2], "home": [2, 2]}}
    position = ludus.game("wallgame:classic:3x3").start({"pawns": pawns, "walls": walls})
    step, stop = 18, position.game.num_actions - 1
    assert position.actions == [0, step]
    assert position.play(step).actions == [stop]  # the wall would cut off the home, and stepping back is illegal
    assert position.play(0).actions == [stop]


def test_boards_of_one_width_share_their_compiled_code():
    keys = {ludus.game(spec).rules.key for spec in ("wallgame:classic:8x8", "wallgame:standard:3x3:short")}
    assert len(keys) == 1
    assert ludus.game("wallgame:standard:12x10").rules.key not in keys


def test_engines_search_short_moves_only_with_search_short():
    for spec, searched in (("wallgame:classic:5x5:short", False), ("wallgame:classic:5x5:search-short", True)):
        game = ludus.game(spec)
        state = game.for_search(game.start().state)
        assert (game.num_actions - 1 in Calls(game.rules, game.max_legal).legal(state)) == searched


def test_passages_across_the_border_of_a_small_board_are_closed(walks, rng):
    for position in walks("wallgame:classic:4x3@6x6", rng, 40):
        rows = 6
        for action in position.actions:
            if action < 72:
                cell = action % 36
                assert cell % rows < 3
                assert cell // rows < 4
                assert (cell % rows < 2) if action >= 36 else (cell // rows < 3)
    assert np.all(position.planes[:4, 4:, :] == 36)
