"""Facts and probe, compared with figures counted by hand or by plain loops."""

import numpy as np
import pytest

import ludus
from ludus.loop.diagnostics.facts import facts_of
from ludus.loop.diagnostics.probe import moved, probe
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane, UniformEvaluator
from ludus.store import Samples
from ludus.store.samples import DTYPES

GAME = ludus.game("tictactoe")
WON = [0, 3, 1, 4, 2]  # player 0 wins
LOST = [0, 3, 1, 4, 8, 5]  # player 1 wins
DRAWN = [0, 1, 2, 4, 3, 5, 7, 6, 8]


def game_of(actions, number, root_value=0.0, target=None):
    """Return the samples of a game of tic-tac-toe; the policy targets are the played actions, or `target`."""
    position, states, movers = GAME.start(), [], []
    for action in actions:
        states.append(position.state.view(np.uint64))
        movers.append(position.to_play)
        position = position.play(action)
    winner, length = position.outcome.winner, len(actions)
    arrays = {name: np.zeros(length, dtype) for name, dtype in DTYPES.items()}
    return Samples(
        **arrays
        | {
            "states": np.stack(states),
            "mover": np.array(movers, np.uint8),
            "action": np.array(actions, DTYPES["action"]),
            "ply": np.arange(length, dtype=np.int16),
            "policy_start": np.arange(length + 1, dtype=np.int32),
            "policy_action": np.array(target or actions, np.int16),
            "policy_weight": np.ones(length, np.float32),
            "outcome": np.full(length, 3 if winner is None else winner + 1, np.uint8),
            "root_value": np.full(length, root_value).astype(DTYPES["root_value"]),
            "game_id": np.full(length, number, np.int64),
        }
    )


def test_facts_are_counted_by_games():
    samples = Samples.concatenate([game_of(each, number) for number, each in enumerate([WON, LOST, DRAWN, WON])])
    facts = facts_of(samples, [GAME])
    assert (facts.games, facts.positions, facts.mean_length) == (4, 25, 6.25)
    assert (facts.first_wins, facts.draws, facts.repeated) == (0.5, 0.25, 0.25)
    assert facts.capped == 0.0, "a full board is a draw by the rules, not by the cap"
    assert facts.distinct_openings == 0.5, "two of the four games differ after four actions"
    assert facts.by_game == {}


def test_an_unfinished_drawn_game_counts_as_capped():
    samples = game_of(DRAWN, 0).take(np.arange(8))
    arrays = {name: getattr(samples, name) for name in DTYPES} | {"ply": np.arange(1, 9, dtype=np.int16)}
    assert facts_of(Samples(**arrays), [GAME]).capped == 1.0


def test_a_uniform_guess_gains_nothing():
    samples = Samples.concatenate([game_of(each, number) for number, each in enumerate([WON, LOST, DRAWN])])
    found = probe([GAME], UniformEvaluator(Shapes.of(GAME)), samples, seed=0)
    assert found.positions == 20
    assert found.entropy == pytest.approx(1.0)
    assert found.target_entropy == pytest.approx(0.0)
    assert found.value_std == 0.0
    for side in found.sides:
        assert side.policy_gain == pytest.approx(0.0, abs=1e-9)
        assert side.value_agreement == side.search_agreement == 0.0
        assert side.legal_weight == pytest.approx(1.0)
    assert [side.positions for side in found.sides] == [3 + 3 + 5, 2 + 3 + 4]


class Knowing:
    """An evaluator that returns the played action and the result, in the order of the samples."""

    def __init__(self, samples, sign=1.0):
        logits = np.full((len(samples), 9), -20.0, np.float32)
        logits[np.arange(len(samples)), samples.action] = 0.0
        mine = np.where(samples.outcome == 3, 0.0, np.where(samples.outcome == samples.mover + 1, sign, -sign))
        self._logits = logits
        self._outcomes = np.stack([0.5 + 0.5 * mine, 0.0 * mine, 0.5 - 0.5 * mine], 1).astype(np.float32)

    def lane(self, batch):
        return TableLane(Shapes.of(GAME), batch, self._logits, self._outcomes)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_perfect_network_has_the_full_gain(sign):
    games = [game_of(each, number, root_value) for number, (each, root_value) in
             enumerate([(WON, 0.9), (LOST, -0.8), (DRAWN, 0.0)])]  # fmt: skip
    samples = Samples.concatenate(games)
    found = probe([GAME], Knowing(samples, sign), samples, seed=0)
    for side in found.sides:
        assert side.policy_gain == pytest.approx(1.0, abs=1e-6)
        assert side.value_agreement == pytest.approx(sign)
        assert side.search_agreement == pytest.approx(1.0, abs=0.01)
    assert found.value_std == pytest.approx(found.outcome_std)


def test_targets_on_illegal_actions_are_seen():
    samples = game_of(WON, 0, target=[0, 0, 1, 1, 2])  # player 1's target is a cell of player 0
    sides = probe([GAME], UniformEvaluator(Shapes.of(GAME)), samples, seed=0).sides
    assert sides[0].legal_weight == pytest.approx(1.0)
    assert sides[1].legal_weight == pytest.approx(0.0)


def test_a_side_that_was_taught_nothing_has_no_illegal_targets():
    samples = Samples.concatenate([game_of(each, number) for number, each in enumerate([WON, LOST, DRAWN])])
    kept = samples.mover == 0  # player 1 was never fully searched
    arrays = {name: getattr(samples, name) for name in DTYPES} | {
        "states": samples.states,
        "policy_start": np.concatenate([[0], np.cumsum(kept)]).astype(np.int32),
        "policy_action": samples.policy_action[kept],
        "policy_weight": samples.policy_weight[kept],
    }
    sides = probe([GAME], UniformEvaluator(Shapes.of(GAME)), Samples(**arrays), seed=0).sides
    assert [side.positions for side in sides] == [11, 9]
    assert [side.legal_weight for side in sides] == pytest.approx([1.0, 1.0])
    assert [side.is_taught for side in sides] == [True, False]


def test_how_far_weights_moved_is_reported_for_each_part():
    old = {"stem.0.weight": np.ones((2, 2)), "policy.linear.weight": np.ones((1, 4)), "policy.linear.bias": np.ones(1)}
    new = {
        "stem.0.weight": np.full((2, 2), 1.5),
        "policy.linear.weight": np.ones((1, 4)),
        "policy.linear.bias": np.zeros(1),
    }
    assert moved(old, new) == {"stem": pytest.approx(0.5), "policy": 0.0}
