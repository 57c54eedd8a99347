"""A root action that ends the game well is found whatever its prior, in searches for play.

The hand-made game has stones and a pass: two passes end it, and the result depends on the lead that its setup gives.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.players.thinking.pool import Pool
from ludus.players.thinking.seat import Limits
from ludus.search.tree import KEPT, UNASKED

STONES = 40
PASS = STONES
LEVEL = 100  # a setup above this leads for player 0, one below for player 1
MOVER, PASSES, LEAD, PLY = range(4)


def start(state, setup):
    state[LEAD] = LEVEL if setup is None else setup


def to_play(state):
    return int(state[MOVER])


def legal(_state, actions):
    for action in range(STONES + 1):
        actions[action] = action
    return STONES + 1


def play(state, action):
    state[PASSES] = int(state[PASSES]) + 1 if action == PASS else 0
    state[MOVER] = 1 - state[MOVER]
    state[PLY] += 1


def outcome(state):
    if int(state[PASSES]) < 2:
        return 0
    lead = int(state[LEAD]) - LEVEL
    return 3 if lead == 0 else 1 if lead > 0 else 2


def encode(state, planes):
    planes[0, 0, 0] = state[LEAD]


PASSING = ludus.Game(
    name="passing",
    state_size=4,
    dtype="int64",
    num_actions=STONES + 1,
    planes=(1, 1, 1),
    max_actions=60,
    start=start,
    to_play=to_play,
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
)


def blind(kit, value=0.9):
    """Return an evaluator that expects passes of player 0 only, and this value for player 1."""

    class Blind(kit.hashed):
        def evaluate_states(self, game, words):
            logits, outcomes = super().evaluate_states(game, words)
            mover = words.view(game.dtype)[:, MOVER]
            logits[:, PASS] = np.where(mover == 1, -30.0, 3.0)
            good = np.where(mover == 1, value, -value).astype(np.float32)
            outcomes[:, 0], outcomes[:, 1], outcomes[:, 2] = (1 + good) / 2, 0.0, (1 - good) / 2
            return logits, outcomes

    return Blind(PASSING)


def after_a_pass(kit, lead):
    """Return the position where player 0 has passed and player 1 is to move."""
    return kit.words_after(PASSING, [PASS], setup=LEVEL + lead)


@pytest.mark.parametrize("visits", [2, 60, 200, 800])
@pytest.mark.parametrize("leaves", [1, 8])
def test_a_winning_pass_is_played_whatever_its_prior(kit, visits, leaves):
    group = kit.make_group(PASSING, blind(kit), max_visits=visits, leaves=leaves)
    (tree,) = kit.search(group, [after_a_pass(kit, -1)], visits)
    kit.audit(group.trees, 0, inexact=1e-6)
    assert (tree.proof, tree.visits, group.best(0)) == (2, 2, PASS)


@pytest.mark.parametrize("visits", [60, 800])
def test_a_losing_pass_is_not_played(kit, visits):
    group = kit.make_group(PASSING, blind(kit, -0.9), max_visits=visits)
    (tree,) = kit.search(group, [after_a_pass(kit, 1)], visits)
    assert (tree.proof, tree.visits) == (0, visits)
    assert group.best(0) != PASS


@pytest.mark.parametrize(("value", "best"), [(-0.9, True), (0.9, False)])
def test_a_drawing_pass_is_played_by_the_weaker_side_only(kit, value, best):
    group = kit.make_group(PASSING, blind(kit, value), max_visits=60)
    (tree,) = kit.search(group, [after_a_pass(kit, 0)], 60)
    assert (group.best(0) == PASS) == best
    assert (PASS in tree.actions) == best


def test_the_weaker_side_finds_the_draw_when_it_has_lost_hope(kit):
    """The network's hope falls below a draw only after some visits; the draw is then visited at once."""

    class Falling(type(blind(kit))):
        def evaluate_states(self, game, words):
            logits, outcomes = super().evaluate_states(game, words)
            deep = words.view(game.dtype)[:, PLY] > 1
            outcomes[deep] = outcomes[deep][:, ::-1]
            return logits, outcomes

    group = kit.make_group(PASSING, Falling(PASSING), max_visits=60)
    (tree,) = kit.search(group, [after_a_pass(kit, 0)], 60)
    assert tree.actions.index(PASS) in (1, 2)
    assert group.best(0) == PASS


@pytest.mark.parametrize("visits", [2, 500])
def test_a_reused_root_is_widened_for_a_winning_pass_that_it_did_not_keep(kit, visits):
    """Its visits may already be enough, and its best edges, which it keeps, do not include the pass."""
    group = kit.make_group(PASSING, blind(kit, 0.0), max_visits=500)
    (before,) = kit.search(group, [kit.words_after(PASSING, setup=LEVEL - 1)], 60)
    assert before.child(PASS).visits > 2
    group.play(0, PASS, after_a_pass(kit, -1))
    kept = kit.read_tree(group.trees, 0)
    assert len(kept.edges) <= KEPT
    assert PASS not in dict(kept.edges)
    (tree,) = kit.search_on(group, [0], visits)
    kit.audit(group.trees, 0, inexact=1e-6)
    assert (tree.proof, group.best(0)) == (2, PASS)
    assert tree.visits == kept.visits + 1


def test_self_play_and_weak_players_do_not_look_for_it(kit):
    state = after_a_pass(kit, -1)
    for change in ("self-play", "weak", "explores", "no foresight"):
        group = kit.make_group(PASSING, blind(kit), foresight=change != "no foresight", noise_share=0.0)
        if change == "self-play":
            group.trees.tree["plays"] = 0
        if change == "weak":
            group.trees.tree["foreseen"] = UNASKED
        (tree,) = kit.search(group, [state], 60, explores=change == "explores")
        assert (tree.proof, tree.visits) == (0, 60), change


@pytest.mark.parametrize("only", [(1, 2), (1, 2, PASS)])
def test_only_the_wanted_actions_are_looked_at(kit, only):
    with Pool(PASSING, blind(kit), slots=2, max_visits=200) as pool:
        position = PASSING.start(LEVEL - 1).play(PASS)
        for _ in range(2):  # the second search reads its root from the cache
            thought = pool.seat(position).ask_within(Limits(60, only=only)).result()
            assert {each.action for each in thought.candidates} <= {*only}
            assert (thought.best == [PASS]) == (PASS in only)
            assert thought.proof == (2 if PASS in only else 0)


def test_a_seat_that_kept_its_tree_passes_after_a_pass(kit):
    with Pool(PASSING, blind(kit, 0.0), slots=2, max_visits=500) as pool:
        seat = pool.seat(PASSING.start(LEVEL - 1))
        seat.think(400)
        seat.play(PASS)
        thought = seat.think(10, may_stop=True)
        assert thought.kept > 20
        assert (thought.best, thought.proof) == ([PASS], 2)


def one_action_before_the_end(game, seed):
    """Return a position of a random game whose last action won, or None."""
    rng = np.random.default_rng(seed)
    position = game.start()
    while not position.outcome:
        before, position = position, position.play(int(rng.choice(position.actions)))
    return before if position.outcome.winner == before.to_play else None


@pytest.mark.parametrize(
    "name", ["go:5x5", "go:5x5:japanese", "examples/othello.py", "gomoku:freestyle:9x9", "tictactoe"]
)
@given(seed=st.integers(0, 1 << 30), visits=st.integers(2, 60))
def test_a_player_who_can_end_the_game_won_does(kit, name, seed, visits):
    game = ludus.game(name)
    position = one_action_before_the_end(game, seed)
    if position is None:
        return
    group = kit.make_group(game, max_visits=60)
    (tree,) = kit.search(group, [game.for_search(position.state).view(np.uint64)], visits)
    assert tree.proof == 1 + position.to_play
    assert position.play(group.best(0)).outcome or tree.visits > 2


def test_a_pass_is_found_where_people_mark_dead_stones_and_the_game_goes_on_after_it(kit):
    """The search ends the game at the second pass; the real game asks both players to agree, in a new tree."""
    game = ludus.game("go:5x5:marking")
    walls = {"black": "B1 B2 B3 B4 B5", "white": "C1 C2 C3 C4 C5", "to_play": "black"}
    with Pool(game, kit.hashed(game), slots=1, max_visits=200) as pool:
        seat = pool.seat(game.start(walls).play("pass"))
        thought = seat.think(60)
        assert ([seat.position.text(action) for action in thought.best], thought.proof) == (["pass"], 2)
        for _ in range(2):  # White's pass, and Black's agreement
            seat.play(game.num_actions - 1)
            assert not seat.position.outcome
            thought = seat.think(60)
        assert [seat.position.text(action) for action in thought.best] == ["pass"]
        seat.play(thought.best[0])
        assert seat.position.outcome.winner == 1
