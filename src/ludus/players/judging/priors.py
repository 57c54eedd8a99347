"""What a network, or a game's heuristic, thinks of the legal actions of a position before any search."""

from typing import Any

import numpy as np

from ludus.games.game import Position
from ludus.network.evaluator import evaluate


def priors(evaluator: Any, position: Position) -> dict[int, float]:  # noqa: ANN401 - two protocols, told apart by what they have
    """Return the probabilities of the legal actions, which sum to 1.

    Args:
        evaluator: an `Evaluator` or a `StateEvaluator`.
        position: in which the game is not over.
    """
    game, actions = position.game, position.actions
    state = game.for_search(position.state)
    judge = getattr(evaluator, "evaluate_states", None)  # needs no planes
    words = state.view(np.uint64)[None]  # [1, W]
    logits, _ = judge(game, words) if judge else evaluate(evaluator, position.planes[None])
    wanted = logits[0, actions].astype(np.float64)
    if judge:  # which says nothing of actions that people alone may take
        wanted[~np.isin(actions, game.calls.legal(state))] = -np.inf
    weights = np.exp(wanted - wanted.max())
    return dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
