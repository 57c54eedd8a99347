"""Fits the chances of win, draw and loss to advantages in pawns, as recorded in annotated games.

A lead of x pawns wins with probability s(b x - a), loses with s(-b x - a), and draws otherwise; s is the logistic
function, as in Stockfish's win-draw-loss model.  The parameters a and b depend on the players' strength, so they are
fitted separately to each file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import DRAW, FIRST_WINS, SECOND_WINS

MOST = 10.0  # pawns; larger leads count as this one
USUAL = (1.0, 1.0)  # prior of a and b: a lead of one pawn wins half of the games
RARE = 1e-6  # smallest probability of a result, so that none is impossible
ROUNDS = 100  # maximum number of rounds of the fit; about twelve suffice
LARGEST_STEP = 0.5  # largest change of log a and log b per round
ENOUGH = 1e-9  # a step this small ends the fit


class Fitted(NamedTuple):
    """Fitted parameters of the win-draw-loss model."""

    a: float
    b: float

    def chances(self, pawns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return player 0's probabilities of win, draw and loss for leads of `pawns` [N].  # [N, 3]."""
        leads = np.clip(pawns, -MOST, MOST)
        win, loss = _logistic(self.b * leads - self.a), _logistic(-self.b * leads - self.a)
        return np.stack([win, 1.0 - win - loss, loss], axis=1)

    def slopes(self, pawns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the probabilities by log a and log b.  # [N, 2, 3]."""
        leads = np.clip(pawns, -MOST, MOST)
        win, _, loss = self.chances(pawns).T
        by_win, by_loss = win * (1.0 - win), loss * (1.0 - loss)  # derivatives of the logistic function
        of_a, of_b = -self.a * np.stack([by_win, by_loss]), self.b * leads * np.stack([by_win, -by_loss])  # [2, N] each
        return np.stack([np.stack([win, -win - loss, loss], axis=1) for win, loss in (of_a, of_b)], axis=1)


def fit(pawns: NDArray[np.float64], outcome: NDArray[np.uint8], game_id: NDArray[np.int64]) -> Fitted:
    """Return the maximum-likelihood model, found by Fisher scoring.

    Every game has the same total weight.  The prior of log a and log b is normal around `USUAL` with deviation 1, so a
    handful of games changes it little.

    Args:
        pawns: player 0's leads, which may be infinite.  # [N]
        outcome: result of each position's game.  # [N]
        game_id: number of each position's game.  # [N]
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
    return 0.5 + 0.5 * np.tanh(0.5 * x)  # never overflows
