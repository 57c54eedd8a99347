"""Computes the prior probabilities of legal actions, by a network or a game's heuristic."""

from typing import Any

import numpy as np

from ludus.games.game import Position
from ludus.network.evaluator import evaluate


def priors(evaluator: Any, position: Position) -> dict[int, float]:  # noqa: ANN401 - one of two protocols
    """Return the probabilities of the legal actions, which sum to 1.

    Args:
        evaluator: an `Evaluator` or a `StateEvaluator`.
        position: an unfinished position.
    """
    game, actions = position.game, position.actions
    state = game.for_search(position.state)
    judge = getattr(evaluator, "evaluate_states", None)  # needs no planes
    words = state.view(np.uint64)[None]  # [1, W]
    logits, _ = judge(game, words) if judge else evaluate(evaluator, position.planes[None])
    wanted = logits[0, actions].astype(np.float64)
    if judge:  # it has no logits for actions that only people may play
        wanted[~np.isin(actions, game.calls.legal(state))] = -np.inf
    weights = np.exp(wanted - wanted.max())
    return dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
