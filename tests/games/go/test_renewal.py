"""Games between people continue under the same rules after a state's storage is full, until two passes."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import IllegalMove
from ludus.games.go.layout import LIMIT, PLY
from ludus.games.go.sgf_game import play_as, read_games, write_game
from ludus.games.go.view import cell_of, pass_action, point_of, stones_of
from ludus.games.packed import read_field
from ludus.seeding import stream

SHARED = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def stones_alone(position, rng):
    """Return a random legal stone, or a pass if there is none."""
    some = [action for action in position.actions if action != pass_action(position.state)]
    return some[int(rng.integers(len(some)))] if some else pass_action(position.state)


def long_game(spec, plies, seed=0):
    """Return a random game of `plies` plies without two passes in a row."""
    position, rng = ludus.game(spec).start(), stream(seed, "test", "go", "long")
    while position.num_actions_played < plies:
        position = position.play(stones_alone(position, rng))
        assert not position.outcome, "choose another seed"
    return position


@SHARED
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from(["2x2", "3x3", "3x3@12x12", "4x4@14x14"]),
    ko=st.sampled_from(["simple", "positional", "situational"]),
    suicide=st.booleans(),
)
def test_long_games_agree_with_the_slow_reference(referee, seed, size, ko, suicide):
    rng, side = stream(seed, "test", "go", "renewal"), int(size[0])
    position = ludus.game(f"go:{size}:ko={ko}:suicide={'yes' if suicide else 'no'}:komi=0").start()
    judge = referee(side, ko=ko, suicide=suicide)
    for _ in range(8 * side * side):
        last = pass_action(position.state)
        assert {cell_of(position.state, action) for action in position.actions if action != last} == judge.legal()
        assert stones_of(position.state) == judge.stones
        action = stones_alone(position, rng)
        if action == last == position.action:
            break
        judge.play(None if action == last else cell_of(position.state, action))
        position = position.play(action)


def test_a_game_ends_by_two_passes_and_not_by_its_length():
    position = long_game("go:4x4:komi=0", 90)
    score = position.play("pass").play("pass").outcome.reason.removeprefix("two passes, ")
    assert score[0] in "BW0"
    assert not position.outcome


def test_an_explicit_length_limit_is_kept():
    start = ludus.game("go:3x3:plies=3:komi=0").start()
    assert start.play("B2").play("A1").play("C3").outcome == ludus.Outcome(winner=0, reason="3 plies, B+1")


def test_states_equal_those_of_training_until_storage_is_full_and_keep_their_size():
    position, seen = long_game("go:4x4", 60), []
    for before, after in zip(position.history, position.history[1:], strict=False):
        alone = before.game.calls.play(before.state, after.action)
        assert after.is_renewed == (after.state.tobytes() != alone.tobytes())
        assert (after.state.shape, after.game) == (alone.shape, before.game)
        assert read_field(after.state, LIMIT) - read_field(after.state, PLY) > 8 - 4, "a search finds room"
        seen.append(after.is_renewed)
    assert seen.index(True) == 24 - 1, "at three quarters of the room"


def test_renewal_keeps_planes_and_setup():
    position = next(each for each in long_game("go:4x4:liberties:history", 40).history if each.is_renewed)
    alone = position.game.calls.play(position.parent.state, position.action)
    planes = np.zeros(position.game.planes, np.uint8)
    position.game.rules.encode(alone, planes)
    assert (position.planes == planes).all()
    again = position.game.start(position.game.setup(position.state))
    assert again.state.tobytes() == position.state.tobytes()


def test_superko_also_applies_to_moves_out_of_turn(referee):
    position, judge = long_game("go:3x3:ko=positional", 90), referee(3)
    for before, after in zip(position.history, position.history[1:], strict=False):
        mover = judge.player = 1 - before.to_play
        assert {point for point in range(9) if may_play(before, mover, point)} == {
            point_of(before.state, cell) for cell in judge.legal()
        }
        judge.player = before.to_play
        judge.play(None if after.action == 9 else cell_of(before.state, after.action))


def may_play(position, player, point):
    try:
        return bool(play_as(position, player, point))
    except IllegalMove:
        return False


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_a_long_record_is_read_and_written(rules):
    position = long_game(f"go:4x4:{rules}", 70)
    (read,) = read_games(write_game(position))
    assert read.game.name == f"go:4x4:{rules}"
    assert read.positions[-1].moves == position.moves
    assert stones_of(read.positions[-1].state) == stones_of(position.state)


def test_play_resumed_over_dead_stones_may_exceed_the_length_cap():
    position = long_game("go:4x4:marking", 40).play("pass").play("pass")
    stone = min(stones_of(position.state))
    marked = position.play(point_of(position.state, stone))
    empty = next(a for a in marked.actions if a < 16 and cell_of(marked.state, a) not in stones_of(marked.state))
    resumed = marked.play(empty)
    assert resumed.num_actions_played > 2 * 16 + 4
    again = resumed.play("pass").play("pass").play(point_of(resumed.state, min(stones_of(resumed.state))))
    assert not again.outcome
    over = again.play("pass").play("pass")
    assert over.outcome.reason.startswith("agreed, ")
    (read,) = read_games(write_game(over))
    assert len(read.positions) == 1 + 40 + 2 + 1 + 2, "marks and agreements are no moves of a record"
