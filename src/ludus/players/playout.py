"""A playout: a game that is played to its end at random."""

import numpy as np

from ludus.games.game import ONGOING
from ludus.kernel import Rules, kernel
from ludus.search.random import uniform


@kernel
def play_out(rules: Rules, state: np.ndarray, actions: np.ndarray, stream: np.ndarray, max_actions: int) -> int:
    """Play all actions alike from `state` [S], which is changed, and return the outcome's code.

    Args:
        rules: of the game.
        state: where it begins; the game may be over.
        actions: scratch for the legal actions.  # [L]
        stream: the random stream.  # [1]
        max_actions: after so many the outcome is ONGOING still, which is no win for anybody.
    """
    result, left = int(rules.outcome(state)), max_actions
    while result == ONGOING and left > 0:
        count = int(rules.legal(state, actions))
        rules.play(state, int(actions[int(uniform(stream) * count)]))
        result = int(rules.outcome(state))
        left -= 1
    return result
