"""What an advantage in pawns says of how a game will end, fitted to how the games ended in which it was written down.

A lead of x pawns wins with the chance s(b x - a), loses with s(-b x - a), and is drawn otherwise, where s is the
logistic function: the form of Stockfish's model of win, draw and loss.  Its a and b are those of games between players
of one kind, so they are fitted to each file anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import DRAW, FIRST_WINS, SECOND_WINS

MOST = 10.0  # pawns; who leads by more wins no more often
USUAL = (1.0, 1.0)  # a and b where few games say otherwise: a lead of one pawn wins half of the games
RARE = 1e-6  # the least chance of any end, so that no game is impossible
ROUNDS = 100  # of the fit at most; a dozen will do
LARGEST_STEP = 0.5  # of log a and log b in a round
ENOUGH = 1e-9  # a step that changes nothing


class Fitted(NamedTuple):
    """Chances by advantages."""

    a: float
    b: float

    def chances(self, pawns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the chances of player 0 to win, to draw and to lose after leads of `pawns` [N].  # [N, 3]."""
        leads = np.clip(pawns, -MOST, MOST)
        win, loss = _logistic(self.b * leads - self.a), _logistic(-self.b * leads - self.a)
        return np.stack([win, 1.0 - win - loss, loss], axis=1)

    def slopes(self, pawns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how fast the chances change with log a and log b.  # [N, 2, 3]."""
        leads = np.clip(pawns, -MOST, MOST)
        win, _, loss = self.chances(pawns).T
        by_win, by_loss = win * (1.0 - win), loss * (1.0 - loss)  # of the logistic function, where it is taken
        of_a, of_b = -self.a * np.stack([by_win, by_loss]), self.b * leads * np.stack([by_win, -by_loss])  # [2, N] each
        return np.stack([np.stack([win, -win - loss, loss], axis=1) for win, loss in (of_a, of_b)], axis=1)


def fit(pawns: NDArray[np.float64], outcome: NDArray[np.uint8], game_id: NDArray[np.int64]) -> Fitted:
    """Return the most likely chances, found by Fisher's scoring.

    Every game counts once, however many of its positions are known.  Beforehand, log a and log b are taken to be normal
    around what is usual, with deviation 1: many games say what they are, and a handful changes little.

    Args:
        pawns: leads of player 0, finite or not.  # [N]
        outcome: how the game of each position ended.  # [N]
        game_id: which game that is.  # [N]
    """
    _, game, lengths = np.unique(game_id, return_inverse=True, return_counts=True)
    weight = 1.0 / lengths[game]  # [N]
    end = np.select([outcome == FIRST_WINS, outcome == DRAW, outcome == SECOND_WINS], [0, 1, 2])  # [N]
    usual = np.log(USUAL)
    logs = usual.copy()
    for _ in range(ROUNDS):
        found = Fitted(*np.exp(logs).tolist())
        chances, slopes = found.chances(pawns).clip(RARE), found.slopes(pawns)
        of_end = slopes[np.arange(len(end)), :, end] / chances[np.arange(len(end)), end, None]  # [N, 2]
        information = np.einsum("n,nik,njk->ij", weight, slopes / chances[:, None], slopes) + np.eye(2)
        step = np.linalg.solve(information, weight @ of_end - (logs - usual)).clip(-LARGEST_STEP, LARGEST_STEP)
        logs += step
        if np.abs(step).max() < ENOUGH:
            break
    return Fitted(*np.exp(logs).tolist())


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 + 0.5 * np.tanh(0.5 * x)  # which never overflows
